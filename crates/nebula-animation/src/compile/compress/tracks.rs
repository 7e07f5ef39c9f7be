//! Which tracks of a clip are packed, in which numbers, and how finely at first.

use glam::{DMat4, DQuat, DVec3, Vec3};

use super::Compression;
use super::grid::{Grid, times};
use super::motion::{Authored, unit};
use crate::clip::{AnimationClip, Channel, Interpolation};
use crate::compile::packed::LARGEST_WIDE;
use crate::rig::{BindSpace, Rig};
use crate::sample::sample_channel;

/// A track that is packed.
pub(super) struct Track {
    /// The lane that it moves: a joint, or three morph weights.
    pub lane: usize,
    pub kind: Kind,
    /// The step of its curves at the first attempt.
    pub step: f64,
}

pub(super) enum Kind {
    /// Numbers are `tan(angle / 4)` along the axis of the turn from a reference, in the space of the maps; those of the rotation itself
    /// where it turns far.
    Rotation { reference: DQuat, axes: [i16; 3], left: DQuat, right: DQuat, reach: Reach },
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
const TURN_SHARE: f64 = 0.75;
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
                tracks.push(Track { lane, kind, step: WAY_SHARE * bound * size });
            } else {
                let samples = (0..motion.samples).map(|sample| sample_channel(channel, grid.time(sample)).as_dvec3());
                let samples: Vec<DVec3> = samples.collect();
                let origin = samples.iter().sum::<DVec3>() / motion.samples as f64;
                let kind = Kind::Weights { origin: origin.as_vec3(), samples };
                tracks.push(Track { lane, kind, step: 0.6 * f64::from(compression.weight_error) });
            }
        }
        let channel = turns.get(lane).copied().flatten().filter(|_| lane < rig.joint_count());
        if let Some(channel) = channel {
            let is_still = channel.keyframes.iter().all(|key| key.value == channel.keyframes[0].value);
            is_turned[lane] = !is_still;
            tracks.push(Track { lane, kind: rotation(lane, space, compression, motion, is_still), step: 0.0 });
        }
    }
    let levers = levers(motion, &is_turned, compression);
    for track in tracks.iter_mut().filter(|track| matches!(track.kind, Kind::Rotation { .. })) {
        // A rotation's own numbers change half as much as it turns, the others a quarter.
        let is_far = matches!(track.kind, Kind::Rotation { reach: Reach::Far, .. });
        track.step = TURN_SHARE * bound / levers[track.lane] * if is_far { 1.0 } else { 0.5 };
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

/// How a joint's rotation is packed.
fn rotation(
    joint: usize,
    space: Option<&BindSpace>,
    compression: &Compression,
    motion: &Authored,
    is_still: bool,
) -> Kind {
    let base = compression.base.as_ref().and_then(|base| base.get(joint));
    let base = base.map_or(DQuat::IDENTITY, |base| unit(base.1).conjugate());
    let (left, right) = space.map_or((DQuat::IDENTITY, DQuat::IDENTITY), |space| space.joints[joint].turns());
    let right = base * right;
    let mut before: Option<DQuat> = None;
    let mut sum = [0.0; 4];
    let mut all = Vec::with_capacity(motion.samples);
    for rotation in &motion.joints[joint].rotation {
        let packed = left * *rotation * right;
        let packed = if before.is_some_and(|before| before.dot(packed) < 0.0) { -packed } else { packed };
        before = Some(packed);
        sum.iter_mut().zip(packed.to_array()).for_each(|(sum, number)| *sum += number);
        all.push(packed);
    }
    let length = sum.iter().map(|number| number * number).sum::<f64>().sqrt();
    let mean = if length > 0.1 { DQuat::from_array(sum.map(|number| number / length)) } else { all[0] };
    let sign = if mean.w < 0.0 { -1.0 } else { 1.0 };
    let axes = wave_numbers(mean * sign).map(|number| (number * f64::from(LARGEST_WIDE)).round() as i16);
    let reference = turn(DVec3::from_array(axes.map(|number| f64::from(number as f32 * (1.0 / LARGEST_WIDE)))));
    let toward = reference.conjugate();
    let is_near = |packed: &DQuat| {
        let from = toward * (*packed * sign);
        from.w > -0.99 && DVec3::from_array(wave_numbers(from)).length() <= FARTHEST
    };
    if all.iter().all(is_near) {
        let reach = if is_still { Reach::Still } else { Reach::Near };
        return Kind::Rotation { reference, axes, left, right, reach };
    }
    Kind::Rotation { reference: DQuat::IDENTITY, axes: [0; 3], left, right, reach: Reach::Far }
}

/// `tan(angle / 4)` along the axis of a rotation.
pub(super) fn wave_numbers(rotation: DQuat) -> [f64; 3] {
    let scale = 1.0 / (1.0 + rotation.w);
    [rotation.x * scale, rotation.y * scale, rotation.z * scale]
}

/// The rotation of such numbers.
pub(super) fn turn(numbers: DVec3) -> DQuat {
    let squares = numbers.length_squared();
    let scale = 1.0 / (1.0 + squares);
    let twice = numbers * (2.0 * scale);
    DQuat::from_xyzw(twice.x, twice.y, twice.z, (1.0 - squares) * scale)
}

/// How far a turn of each joint moves what does not make up for it, times the number of joints of the longest chain through it
/// that turn: the bound is shared by them.
fn levers(motion: &Authored, is_turned: &[bool], compression: &Compression) -> Vec<f64> {
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
    let mut reach: Vec<f64> = (0..count).map(distance).collect();
    for (joint, &is_turned) in is_turned.iter().enumerate() {
        let Some(parent) = parent(joint) else { continue };
        let turning = owner[parent];
        let way = motion.joints[joint].placed[0].position - motion.joints[turning].placed[0].position;
        let beyond = if is_turned { 0.0 } else { distance(joint) };
        reach[turning] = reach[turning].max(way.length() + beyond);
    }
    (0..count).map(|joint| (reach[joint] * (depth[joint] + below[joint]).max(2) as f64).max(1e-6)).collect()
}
