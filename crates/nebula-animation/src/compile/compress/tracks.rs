//! Chooses which tracks of a clip are packed, in which representation, and with what initial precision.

use glam::{DMat4, DQuat, DVec3, Vec3};

use super::Compression;
use super::frame::{Arm, TurnFrame, numbers};
use super::grid::{Grid, times};
use super::motion::{Authored, unit};
use crate::clip::{AnimationClip, Channel, Interpolation};
use crate::rig::{BindSpace, Rig};
use crate::sample::sample_channel;

/// A track that is packed.
pub(super) struct Track {
    /// The lane that it moves: a joint, or three morph weights.
    pub lane: usize,
    pub kind: Kind,
    /// The steps of its curves at the first attempt.
    pub steps: [f64; 4],
}

pub(super) enum Kind {
    /// Numbers are those of a frame, in the space of the maps; those of the rotation itself where it turns far.
    Rotation { frame: TurnFrame, left: DQuat, right: DQuat, reach: Reach },
    /// Numbers are relative to an origin. The map leads from local translations to those that are packed.
    Translation { origin: Vec3, map: DMat4, back: DMat4 },
    /// Three morph weights.
    Weights { origin: Vec3, samples: Vec<DVec3> },
}

/// How far a rotation turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Not at all: it stands elsewhere than at rest.
    Still,
    Near,
    Far,
}

/// Beyond `tan(31 degrees)`, 124 degrees from the reference, straight lines between these numbers are no longer the arcs that they should
/// be.
const FARTHEST: f64 = 0.6;
/// Steps of rotations and vectors, relative to what the bound leaves to each: larger ones are paid by other joints.
const TURN_SHARE: f64 = 1.5;
const WAY_SHARE: f64 = 0.5;

/// The tracks of channels that are on the grid, joint after joint, rotations after translations.
pub(super) fn tracks(
    rig: &Rig,
    clip: &AnimationClip,
    space: Option<&BindSpace>,
    compression: &Compression,
    grid: &Grid,
    motion: &Authored,
) -> Vec<Track> {
    let turns = last_of(rig, &clip.rotation_channels, grid, true);
    let ways = last_of(rig, &clip.translation_channels, grid, false);
    let bound = f64::from(compression.error);
    let mut tracks = Vec::new();
    let mut is_turned = vec![false; rig.joint_count()];
    #[expect(clippy::needless_range_loop, reason = "lanes beyond the joints hold morph weights")]
    for lane in 0..rig.lane_count() {
        if let Some(channel) = ways.get(lane).copied().flatten() {
            if lane < rig.joint_count() {
                let map = space.map_or(DMat4::IDENTITY, |space| space.joints[lane].to_translation);
                let base = compression.base.as_ref().and_then(|base| base.get(lane));
                let map = base.map_or(map, |base| map * DMat4::from_translation(-base.0.as_dvec3()));
                let mut origin = DVec3::ZERO;
                for translation in &motion.joints[lane].translation {
                    origin += map.transform_point3(*translation) / motion.samples as f64;
                }
                let above = motion.joints[lane]
                    .parent
                    .map_or(1.0, |parent| motion.joints[parent].placed[0].linear.x_axis.length());
                // A matrix that is no rotation but a scaled one makes numbers larger.
                let size = map.x_axis.truncate().length() / above.max(1e-9);
                let kind = Kind::Translation { origin: origin.as_vec3(), map, back: map.inverse() };
                tracks.push(Track { lane, kind, steps: [WAY_SHARE * bound * size; 4] });
            } else {
                let samples = (0..motion.samples).map(|sample| sample_channel(channel, grid.time(sample)).as_dvec3());
                let samples: Vec<DVec3> = samples.collect();
                let origin = samples.iter().sum::<DVec3>() / motion.samples as f64;
                let kind = Kind::Weights { origin: origin.as_vec3(), samples };
                tracks.push(Track { lane, kind, steps: [0.6 * f64::from(compression.weight_error); 4] });
            }
        }
        let channel = turns.get(lane).copied().flatten().filter(|_| lane < rig.joint_count());
        if let Some(channel) = channel {
            let is_still = channel.keyframes.iter().all(|key| key.value == channel.keyframes[0].value);
            is_turned[lane] = !is_still;
            let (frame, reach) = (TurnFrame::still(DQuat::IDENTITY), if is_still { Reach::Still } else { Reach::Near });
            let (left, right) = maps(lane, space, compression);
            tracks.push(Track { lane, kind: Kind::Rotation { frame, left, right, reach }, steps: [0.0; 4] });
        }
    }
    let (arms, shares) = arms(motion, &is_turned, compression);
    for track in &mut tracks {
        if let Kind::Rotation { frame, left, right, reach } = &mut track.kind {
            let arms: Vec<Arm> =
                arms[track.lane].iter().map(|arm| Arm { offset: right.conjugate() * arm.offset, ..*arm }).collect();
            let rotations = along(motion, track.lane, *left, *right);
            (*frame, *reach) = rotation(&rotations, &arms, bound, *reach == Reach::Still);
            let levers = frame.levers;
            track.steps = [levers[0], levers[1], levers[2], levers[2]]
                .map(|lever| TURN_SHARE * bound / (lever * shares[track.lane]));
        }
    }
    tracks
}

/// For each lane, its channel: the last one that has keys counts, where that is one on the grid, or stands still.
fn last_of<'a, T: Clone + PartialEq>(
    rig: &Rig,
    channels: &'a [Channel<T>],
    grid: &Grid,
    takes_still: bool,
) -> Vec<Option<&'a Channel<T>>> {
    let mut of_lane = vec![None; rig.lane_count()];
    for channel in channels.iter().filter(|channel| !channel.keyframes.is_empty()) {
        if let Some(slot) = rig.lane_of(channel.joint_index).and_then(|lane| of_lane.get_mut(lane)) {
            let is_still = channel.interpolation != Interpolation::CubicSpline
                && channel.keyframes.iter().all(|key| key.value == channel.keyframes[0].value);
            let is_fit = times(channel).is_some_and(|times| grid.holds(&times)) || (takes_still && is_still);
            *slot = Some(channel).filter(|_| is_fit);
        }
    }
    of_lane
}

/// What leads from a joint's rotation to the one that is packed, from the left and from the right.
fn maps(joint: usize, space: Option<&BindSpace>, compression: &Compression) -> (DQuat, DQuat) {
    let base = compression.base.as_ref().and_then(|base| base.get(joint));
    let base = base.map_or(DQuat::IDENTITY, |base| unit(base.1).conjugate());
    let (left, right) = space.map_or((DQuat::IDENTITY, DQuat::IDENTITY), |space| space.joints[joint].turns());
    (left, base * right)
}

/// The rotations that are packed, with the signs of the shorter way from one to the next.
fn along(motion: &Authored, joint: usize, left: DQuat, right: DQuat) -> Vec<DQuat> {
    let mut before: Option<DQuat> = None;
    let signed = |rotation: &DQuat| {
        let packed = left * *rotation * right;
        let packed = if before.is_some_and(|before| before.dot(packed) < 0.0) { -packed } else { packed };
        before = Some(packed);
        packed
    };
    motion.joints[joint].rotation.iter().map(signed).collect()
}

/// How a joint's rotation is packed.
fn rotation(rotations: &[DQuat], arms: &[Arm], bound: f64, is_still: bool) -> (TurnFrame, Reach) {
    let mut sum = [0.0; 4];
    for rotation in rotations {
        sum.iter_mut().zip(rotation.to_array()).for_each(|(sum, number)| *sum += number);
    }
    let length = sum.iter().map(|number| number * number).sum::<f64>().sqrt();
    let mean = if length > 0.1 { DQuat::from_array(sum.map(|number| number / length)) } else { rotations[0] };
    if is_still {
        return (TurnFrame::still(mean), Reach::Still);
    }
    let is_near = |packed: &DQuat| {
        let from = mean.conjugate() * *packed;
        from.w > -0.99 && numbers(from).length() <= FARTHEST
    };
    if rotations.iter().all(is_near) {
        return (TurnFrame::of(mean, rotations, arms, bound), Reach::Near);
    }
    let farthest = arms.iter().map(|arm| arm.offset.length() + arm.beyond).fold(0.0, f64::max);
    // A rotation's own numbers change half as much as it turns.
    (TurnFrame { levers: [2.0 * farthest.max(1e-6); 3], ..TurnFrame::still(DQuat::IDENTITY) }, Reach::Far)
}

/// For each joint what hangs on it without turning by itself, and among how many joints that turn the bound is shared: those of the
/// longest chain through it.
fn arms(motion: &Authored, is_turned: &[bool], compression: &Compression) -> (Vec<Vec<Arm>>, Vec<f64>) {
    let count = motion.joints.len();
    let parent = |joint: usize| motion.joints[joint].parent;
    let (mut owner, mut depth, mut below) = (vec![0; count], vec![0_usize; count], vec![0_usize; count]);
    for (joint, &is_turned) in is_turned.iter().enumerate() {
        owner[joint] = if is_turned { joint } else { parent(joint).map_or(joint, |parent| owner[parent]) };
        depth[joint] = parent(joint).map_or(0, |parent| depth[parent]) + usize::from(is_turned);
    }
    for joint in (0..count).rev() {
        if let Some(parent) = parent(joint) {
            below[parent] = below[parent].max(below[joint] + usize::from(is_turned[joint]));
        }
    }
    let distance = |joint: usize| f64::from(compression.distance_of(joint));
    let own = |joint: usize| vec![Arm { offset: DVec3::ZERO, beyond: distance(joint).max(1e-6) }];
    let mut arms: Vec<Vec<Arm>> = (0..count).map(own).collect();
    for (joint, &is_turned) in is_turned.iter().enumerate() {
        let Some(parent) = parent(joint) else { continue };
        let turning = &motion.joints[owner[parent]].placed[0];
        // As long as it is in model space, and in the direction that the joint has it in.
        let way = motion.joints[joint].placed[0].position - turning.position;
        let offset = turning.turn.conjugate() * way;
        arms[owner[parent]].push(Arm { offset, beyond: if is_turned { 0.0 } else { distance(joint) } });
    }
    let share = |joint: usize| (depth[joint] + below[joint]).max(2) as f64;
    (arms, (0..count).map(share).collect())
}
