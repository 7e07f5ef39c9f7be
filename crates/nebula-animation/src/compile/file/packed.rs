//! Packed tracks: their header, and their bytes, which are used in place.

use super::ClipFileError;
use super::reader::Reader;
use super::writer::Writer;
use crate::compile::packed::{ClipBytes, Group, Head, Kind, Owner, PackedTracks};
use crate::compile::tracks::Reach;
use crate::rig::Rig;
use crate::rig::block::LANES;

pub(super) fn write(writer: &mut Writer, tracks: &PackedTracks) {
    let Head { start, per_second, last, turn_unit, way_unit, reach } = *tracks.head();
    writer.float(start);
    writer.double(per_second);
    writer.word(last);
    writer.float(turn_unit);
    writer.float(way_unit);
    writer.byte(match reach {
        Reach::Near => 0,
        Reach::Middle => 1,
        Reach::Far => 2,
    });
    writer.count(tracks.groups().len());
    for group in tracks.groups() {
        writer.byte(Kind::ALL.iter().position(|kind| *kind == group.kind).unwrap_or_default() as u8);
        writer.byte(group.members);
        group.knot_widths.iter().for_each(|width| writer.byte(*width));
        group.targets.iter().for_each(|target| writer.short(*target));
    }
    writer.count(tracks.data().len());
    writer.0.extend(tracks.data());
}

/// Reads tracks for a rig. Whatever is decoded of them is a pose: every sample is looked at.
pub(super) fn read(reader: &mut Reader<'_>, owner: &Owner, rig: &Rig) -> Result<PackedTracks, ClipFileError> {
    let head = Head {
        start: reader.float("the first time")?,
        per_second: reader.double("the rate")?,
        last: reader.word()?,
        turn_unit: reader.float("a step")?,
        way_unit: reader.float("a step")?,
        reach: [Reach::Near, Reach::Middle, Reach::Far][usize::from(reader.choice(3, "reach")?)],
    };
    let count = reader.count(22, "groups of tracks")?;
    let mut groups = Vec::with_capacity(count);
    for _ in 0..count {
        let kind = Kind::ALL[usize::from(reader.choice(5, "kind of track")?)];
        let members = reader.byte()?;
        let mut knot_widths = [0; 4];
        for width in &mut knot_widths {
            *width = reader.byte()?;
        }
        let mut targets = [0; LANES];
        for target in &mut targets {
            *target = reader.short()?;
        }
        groups.push(Group { targets, kind, members, knot_widths });
    }
    let count = reader.count(1, "bytes of tracks")?;
    let bytes = ClipBytes::part_of(owner, reader.range(count)?);
    PackedTracks::checked(head, groups.into(), bytes, rig).map_err(|what| reader.damaged(what))
}
