//! Validates packed tracks from untrusted files.

use std::collections::HashSet;

use super::out::OnePose;
use super::parts::{bytes_of, widths, word};
use super::{ClipBytes, Group, Head, Kind, LANES, MOST_BITS, PADDING, PackedTracks, SCALES, VECTOR};
use crate::compile::tracks::Reach;
use crate::math::isa::Isa;
use crate::math::lanes::{Kernel, Lanes, dispatch};
use crate::math::slerp::Warp;
use crate::rig::Rig;
use crate::rig::block::PoseBlock;

/// More samples than any clip has: ten days at 120 a second.
const MOST_SAMPLES: u32 = 100_000_000;

impl PackedTracks {
    /// Puts tracks of a file together, where they can be read at any time, and are poses then; what is wrong else.
    pub fn checked(head: Head, groups: Box<[Group]>, bytes: ClipBytes, rig: &Rig) -> Result<Self, String> {
        let is_unit = |unit: f32| unit.is_finite() && (0.0..1e6).contains(&unit);
        let is_rate = head.per_second.is_finite() && head.per_second > 0.0;
        if !is_rate || !head.start.is_finite() || !is_unit(head.turn_unit) || !is_unit(head.way_unit) {
            return Err("the rate or the steps of tracks cannot be".into());
        }
        if !(1..=MOST_SAMPLES).contains(&head.last) {
            return Err(format!("tracks have no {} samples", head.last));
        }
        // A lane that is moved twice would let a short file ask for any amount of work.
        let mut moved = HashSet::new();
        for group in &groups {
            check_group(group, rig)?;
            for target in group.targets.iter().take(group.members.into()) {
                if !moved.insert((group.kind == Kind::Vectors, *target)) {
                    return Err(format!("lane {target} is moved twice"));
                }
            }
        }
        let tracks = Self::of_parts(head, groups, bytes);
        tracks.check_bytes()?;
        tracks.check_poses(rig)?;
        Ok(tracks)
    }

    /// Segments are where they should be, one after the other, and none reaches beyond the end.
    fn check_bytes(&self) -> Result<(), String> {
        let data = self.bytes.get();
        // Checked, because 32 bits do not hold all that a header can say.
        let knots = (self.segments + 1).checked_mul(self.knot_bytes);
        let table = knots.and_then(|knots| knots.checked_add(self.constants));
        let start = table.zip(self.segments.checked_mul(4)).and_then(|(table, length)| table.checked_add(length));
        let (Some(table), Some(start)) = (table, start) else { return Err("tracks are too long".into()) };
        let end = data.len().checked_sub(PADDING).filter(|end| *end >= start);
        let end = end.ok_or("tracks are too short")?;
        let mut at = start;
        for segment in 0..self.segments {
            if start.checked_add(word(data, table + 4 * segment) as usize) != Some(at) {
                return Err(format!("segment {segment} is elsewhere"));
            }
            let mut numbers = at + 2 + 2 * self.curves;
            if numbers > end || usize::from(data[at]) >= SCALES.len() {
                return Err(format!("segment {segment} is no segment"));
            }
            let mut header = at + 2;
            for group in &self.groups {
                for _ in 0..group.kind.axes() {
                    let levels = widths(data, header);
                    if levels.iter().any(|width| *width > MOST_BITS) {
                        return Err(format!("numbers of segment {segment} have too many bits"));
                    }
                    let [a, b, c] = levels.map(|width| bytes_of(group.members.into(), width));
                    numbers += a + 2 * b + 4 * c;
                    header += 2;
                }
            }
            at = numbers;
            if at > end {
                return Err(format!("segment {segment} ends too late"));
            }
        }
        if at == end { Ok(()) } else { Err(format!("{} bytes of tracks are left over", end - at)) }
    }

    /// Every sample is a pose, and rotations turn no farther from one to the next than is said.
    fn check_poses(&self, rig: &Rig) -> Result<(), String> {
        // Somewhat farther than interpolation is exact: what is rounded coarsely may turn farther than what was authored. It is still a rotation.
        let reach = match self.head.reach {
            Reach::Near => 0.4,
            Reach::Middle => 0.6,
            Reach::Far => 1.3,
        };
        let mut pose = vec![PoseBlock::IDENTITY; rig.rest.len()];
        let mut before = pose.clone();
        let last = self.head.last as usize;
        for sample in 0..=last {
            let (place, fraction) = if sample < last { (sample, 0.0) } else { (last - 1, 1.0) };
            dispatch(Isa::best(), At { tracks: self, place, fraction, pose: &mut pose });
            if !pose.iter().all(|block| block.is_tame() && block.is_of_unit_turns()) {
                return Err(format!("sample {sample} is no pose"));
            }
            let is_near = |lane: usize| {
                let (now, then) = (pose[lane / LANES].get(lane % LANES).1, before[lane / LANES].get(lane % LANES).1);
                now.dot(then) >= 1.0 - reach
            };
            if sample > 0 && !(0..LANES * pose.len()).all(is_near) {
                return Err(format!("a joint turns too far to sample {sample}"));
            }
            before.copy_from_slice(&pose);
        }
        Ok(())
    }
}

/// The values at a sample, whatever is between samples.
struct At<'a> {
    tracks: &'a PackedTracks,
    place: usize,
    fraction: f32,
    pose: &'a mut [PoseBlock],
}

impl Kernel for At<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        self.tracks.sample_at::<L, Warp<L>, 1>([(self.place, self.fraction)], &mut OnePose(self.pose));
    }
}

fn check_group(group: &Group, rig: &Rig) -> Result<(), String> {
    let members = usize::from(group.members);
    if !(1..=LANES).contains(&members) || group.knot_widths.iter().any(|width| usize::from(*width) > MOST_BITS) {
        return Err("a group of tracks cannot be".into());
    }
    let is_there = |target: &u16| {
        let target = usize::from(*target);
        match group.kind {
            Kind::Still | Kind::Hinges | Kind::Turns | Kind::Far => target < rig.joint_count(),
            Kind::Vectors => target % VECTOR < 3 * LANES && target / VECTOR * LANES + target % LANES < rig.lane_count(),
        }
    };
    let unknown = group.targets.iter().take(members).find(|target| !is_there(target));
    unknown.map_or(Ok(()), |target| Err(format!("the rig has no lane {target} to be moved")))
}
