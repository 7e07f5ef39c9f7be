//! Writing libraries as bytes, and reading them.

use glam::{DVec3, Vec3};

use super::reader::Reader;
use super::writer::Writer;
use super::{ClipFileError, HEAD, MAGIC, VERSION, channels, checksum, packed};
use crate::clip::{AnimationClip, ClipMarkers, Marker};
use crate::compile::contacts::ContactTrack;
use crate::compile::library::{LibraryClip, Parts};
use crate::compile::packed::{Owner, PackedTracks};
use crate::compile::root::{RootDelta, RootTrack};
use crate::compile::{CompiledClip, bind, build, compress};
use crate::rig::Rig;
use crate::rig::block::PoseBlock;
use crate::skeleton::Skeleton;

/// Memory that the clips of a small file may take, as of any file that is loaded.
const MOST_OF_POSES: usize = 256 << 20;

/// The bytes of a library, with the clips that it was compiled of, as far as they are on the spot.
pub(in crate::compile) fn save(
    rig: &Rig,
    library: &[LibraryClip],
    sources: &[AnimationClip],
    parts: &Parts,
) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.count(rig.joint_count());
    rig.skeleton().joints.iter().for_each(|joint| writer.text(&joint.name));
    writer.count(rig.lane_count());
    writer.long(rig.fingerprint);
    writer.long(parts.fingerprint);
    writer.byte(parts.has_roots.into());
    writer.count(library.len());
    for (clip, source) in library.iter().zip(sources) {
        writer.text(clip.name());
        writer.float(clip.duration());
        clip.velocity().to_array().iter().for_each(|number| writer.float(*number));
        let tracks = clip.packed_tracks();
        form(&mut writer, rig, source, tracks);
        match clip.bound() {
            None => writer.byte(0),
            Some(bound) => {
                // Where both leave the same channels as they are, these are written once.
                let own = bound.packed_tracks();
                let is_alike = left(rig, source, own) == left(rig, source, tracks);
                writer.byte(if is_alike { 1 } else { 2 });
                if is_alike {
                    tracks_of(&mut writer, own);
                } else {
                    form(&mut writer, rig, source, own);
                }
            }
        }
        markers(&mut writer, clip.markers());
        writer.byte(clip.root().is_some().into());
        if let Some(root) = clip.root() {
            root_track(&mut writer, root);
        }
        writer.byte(clip.contacts().is_some().into());
        if let Some(contacts) = clip.contacts() {
            contact_track(&mut writer, contacts);
        }
    }
    let body = writer.0;
    let mut bytes = Vec::with_capacity(HEAD + body.len());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(checksum(&body).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// The channels that packed tracks leave as they are.
fn left(rig: &Rig, source: &AnimationClip, tracks: Option<&PackedTracks>) -> AnimationClip {
    tracks.map_or_else(|| source.clone(), |tracks| compress::without(rig, source, &tracks.lanes(rig)))
}

fn form(writer: &mut Writer, rig: &Rig, source: &AnimationClip, tracks: Option<&PackedTracks>) {
    channels::write(writer, &left(rig, source, tracks));
    tracks_of(writer, tracks);
}

fn tracks_of(writer: &mut Writer, tracks: Option<&PackedTracks>) {
    writer.byte(tracks.is_some().into());
    if let Some(tracks) = tracks {
        packed::write(writer, tracks);
    }
}

fn markers(writer: &mut Writer, markers: &[Marker]) {
    writer.count(markers.len());
    for marker in markers {
        writer.text(&marker.name);
        writer.double(marker.time);
    }
}

fn root_track(writer: &mut Writer, root: &RootTrack) {
    writer.count(root.keys().count());
    for (time, place) in root.keys() {
        writer.double(time);
        place.translation.to_array().iter().for_each(|number| writer.double(*number));
        writer.double(place.yaw);
    }
}

fn contact_track(writer: &mut Writer, contacts: &ContactTrack) {
    let (duration, floor, legs) = contacts.parts();
    for number in [duration, floor] {
        writer.float(if number.is_finite() { number } else { 0.0 });
    }
    writer.count(legs.len());
    for spans in legs {
        writer.count(spans.len());
        spans.iter().flatten().for_each(|time| writer.float(*time));
    }
}

/// The clips of a file, for the rig that they were written for, and what belongs to all of them.
pub(in crate::compile) fn restore(
    rig: &Rig,
    owner: &Owner,
) -> Result<(Box<[LibraryClip]>, ClipMarkers, Parts), ClipFileError> {
    let bytes = (**owner).as_ref();
    let mut reader = Reader::new(bytes, 0);
    let is_ours = reader.range(4).is_ok_and(|range| bytes[range] == MAGIC);
    let (true, Ok(found)) = (is_ours, reader.word()) else { return Err(ClipFileError::NotClips) };
    if found != VERSION {
        return Err(ClipFileError::Version { found, expected: VERSION });
    }
    let sum = reader.long().map_err(|_| ClipFileError::Checksum)?;
    if sum != checksum(&bytes[HEAD..]) {
        return Err(ClipFileError::Checksum);
    }
    check_rig(&mut reader, rig)?;
    let fingerprint = reader.long()?;
    let has_roots = reader.choice(2, "truth value")? == 1;
    let count = reader.count(40, "clips")?;
    if count > usize::from(u16::MAX) {
        return Err(reader.damaged(format!("no library has {count} clips")));
    }
    // A clip that says nothing still takes a rest pose.
    let poses = count.saturating_mul(size_of_val::<[PoseBlock]>(&rig.rest));
    if poses > MOST_OF_POSES.saturating_add(16 * bytes.len()) {
        return Err(reader.damaged(format!("{count} clips would take {poses} bytes")));
    }
    let mut all = ClipMarkers::new();
    let mut clips = Vec::with_capacity(count);
    for index in 0..count {
        clips.push(clip(&mut reader, owner, rig, index, &mut all)?);
    }
    reader.finish()?;
    Ok((clips.into(), all, Parts { has_roots, fingerprint }))
}

/// Joints by name and number; then the rest pose, by its fingerprint.
fn check_rig(reader: &mut Reader<'_>, rig: &Rig) -> Result<(), ClipFileError> {
    let skeleton: &Skeleton = rig.skeleton();
    let count = reader.count(4, "joints")?;
    for index in 0..count {
        let name = reader.text("the name of a joint")?;
        match skeleton.joints.get(index) {
            Some(joint) if joint.name == name => {}
            Some(joint) => {
                let reason = format!("joint {index} is {name:?} there, and {:?} here", joint.name);
                return Err(ClipFileError::Rig(reason));
            }
            None => {
                let here = skeleton.joints.len();
                return Err(ClipFileError::Rig(format!(
                    "it has {count} joints, {name:?} among them, and this one {here}"
                )));
            }
        }
    }
    if let Some(joint) = skeleton.joints.get(count) {
        return Err(ClipFileError::Rig(format!("it has {count} joints, and no {:?}", joint.name)));
    }
    let (lanes, fingerprint) = (reader.word()? as usize, reader.long()?);
    if lanes != rig.lane_count() {
        return Err(ClipFileError::Rig("it has other morph targets".into()));
    }
    if fingerprint != rig.fingerprint {
        return Err(ClipFileError::Rig(
            "its joints have these names, and another rest pose, other parents or bind matrices".into(),
        ));
    }
    Ok(())
}

fn clip(
    reader: &mut Reader<'_>,
    owner: &Owner,
    rig: &Rig,
    index: usize,
    all: &mut ClipMarkers,
) -> Result<LibraryClip, ClipFileError> {
    let name = reader.text("the name of a clip")?;
    // Any length: whatever plays clips takes what no clock comes to.
    let duration = f32::from_bits(reader.word()?);
    let mut velocity = [0.0; 3];
    for number in &mut velocity {
        *number = reader.float("a velocity")?;
    }
    let source = channels::read(reader, &name, duration)?;
    let tracks = read_tracks(reader, owner, rig)?;
    let compiled = compile(rig, &source, tracks, false).ok_or_else(|| reader.damaged("a clip does not fit its rig"))?;
    let bound = match reader.choice(3, "form of a clip")? {
        0 => None,
        choice => {
            let own = if choice == 1 { source } else { channels::read(reader, &name, duration)? };
            let tracks = read_tracks(reader, owner, rig)?;
            let compiled = compile(rig, &own, tracks, true);
            Some(compiled.ok_or_else(|| reader.damaged("a clip for palettes does not fit its rig"))?)
        }
    };
    let mut last = f64::NEG_INFINITY;
    for _ in 0..reader.count(12, "markers")? {
        let name = reader.text("the name of a marker")?;
        let time = reader.double("the time of a marker")?;
        if time < last {
            return Err(reader.damaged("the times of markers fall"));
        }
        last = time;
        all.add(index, Marker { name, time });
    }
    let root = if reader.choice(2, "truth value")? == 1 { Some(read_root(reader)?) } else { None };
    let contacts = if reader.choice(2, "truth value")? == 1 { Some(read_contacts(reader)?) } else { None };
    Ok(LibraryClip::of_parts(compiled, bound, all.of(index).into(), root, contacts, Vec3::from_array(velocity)))
}

/// As the clip was compiled: what is kept as it is, and the packed tracks beside it.
fn compile(rig: &Rig, rest: &AnimationClip, tracks: Option<PackedTracks>, is_bound: bool) -> Option<CompiledClip> {
    let mut compiled = if is_bound {
        let space = rig.bind_space.as_ref()?;
        build::compile(rig, &space.rest, &bind::clip_in_bind_space(space, rest)?, true)
    } else {
        build::compile(rig, &rig.rest, rest, false)
    };
    compiled.is_in_bind_space = is_bound;
    Some(match tracks {
        Some(tracks) => compress::with_packed(compiled, tracks, rig),
        None => compiled,
    })
}

fn read_tracks(reader: &mut Reader<'_>, owner: &Owner, rig: &Rig) -> Result<Option<PackedTracks>, ClipFileError> {
    let has_tracks = reader.choice(2, "truth value")? == 1;
    if has_tracks { packed::read(reader, owner, rig).map(Some) } else { Ok(None) }
}

fn read_root(reader: &mut Reader<'_>) -> Result<RootTrack, ClipFileError> {
    let count = reader.count(40, "keys of a root")?;
    let mut keys = Vec::with_capacity(count);
    for _ in 0..count {
        let mut next = || reader.double("the way of a root");
        let (time, x, y, z, yaw) = (next()?, next()?, next()?, next()?, next()?);
        if keys.last().is_some_and(|(last, _)| *last > time) {
            return Err(reader.damaged("the times of a root fall"));
        }
        keys.push((time, RootDelta { translation: DVec3::new(x, y, z), yaw }));
    }
    Ok(RootTrack::from_keys(keys))
}

fn read_contacts(reader: &mut Reader<'_>) -> Result<ContactTrack, ClipFileError> {
    let (duration, floor) = (reader.float("the length of contacts")?, reader.float("the floor of contacts")?);
    let count = reader.count(4, "legs")?;
    let mut legs = Vec::with_capacity(count);
    for _ in 0..count {
        let spans = reader.count(8, "contacts")?;
        let mut of_leg = Vec::with_capacity(spans);
        for _ in 0..spans {
            // A foot may stand for ever.
            let span = [f32::from_bits(reader.word()?), f32::from_bits(reader.word()?)];
            if span.iter().any(|time| time.is_nan()) {
                return Err(reader.damaged("a contact is at no time"));
            }
            of_leg.push(span);
        }
        legs.push(of_leg);
    }
    Ok(ContactTrack::of_parts(duration, floor, legs))
}
