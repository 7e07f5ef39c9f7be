//! Compiling an authored clip.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::CompiledClip;
use super::compress::Uncompressed;
use super::loose::{Batch, LooseTracks, NO_TANGENT};
use super::moves::Moves;
use super::timeline::Timeline;
use super::tracks::{RawTrack, SharedTracks};
use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe};
use crate::math::unit_quat;
use crate::rig::Rig;
use crate::rig::block::{LANES, LARGEST, Part, PoseBlock};

/// The result of compiling a clip, in numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CompileReport {
    /// Total size of the compiled clip in bytes.
    pub bytes: usize,
    /// Size of the channels' keys as flat arrays of floats, in bytes: a time and a value per key.
    pub authored_bytes: usize,
    /// Channels that never change and were folded into the rest pose.
    pub constant_channels: usize,
    /// Channels that were dropped: empty, for joints that the rig lacks, or overridden by a later one.
    pub ignored_channels: usize,
    /// The remaining channels, by how they are evaluated.
    pub groups: Vec<GroupReport>,
    /// Why the clip was not compressed although compression was requested; `None` if it was, or if it was not
    /// requested.
    pub uncompressed: Option<Uncompressed>,
}

/// Channels that are evaluated together.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupReport {
    /// How their keys are found.
    pub path: TrackPath,
    /// How values between keys are computed.
    pub interpolation: Interpolation,
    /// Components of each value: 4 for rotations, 3 for translations and scales.
    pub components: usize,
    /// How many channels.
    pub channels: usize,
    /// Bytes of keys and tables.
    pub bytes: usize,
}

/// How the keys of a group of channels are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TrackPath {
    /// One evenly spaced timeline for all: a multiplication.
    SharedUniform,
    /// One timeline for all: a table look-up.
    SharedTable,
    /// A timeline for each channel.
    Loose,
    /// Packed: one evenly spaced timeline for all, with values within the bound of a
    /// [`Compression`](super::Compression).
    Compressed,
}

/// Channels of one timeline below this number are not worth a group of their own: on a grid, where a key is found by one
/// multiplication, and elsewhere.
const FEWEST_ON_GRID: usize = 3;
const FEWEST_SHARED: usize = 16;

/// Compiles a clip whose joints rest in `rest`. Where `has_signs`, neighbouring rotations already have the signs of the
/// shorter way.
pub(super) fn compile(rig: &Rig, rest: &Arc<[PoseBlock]>, clip: &AnimationClip, has_signs: bool) -> CompiledClip {
    let mut still = rest.to_vec();
    let mut report = CompileReport::default();
    let mut moves = vec![Moves::default(); rest.len()];
    let mut rotations = Groups { has_signs, ..Groups::default() };
    let mut vectors = Groups::default();
    rotations.add(&clip.rotation_channels, Part::Rotation, rig, &mut still, &mut moves, &mut report);
    vectors.add(&clip.translation_channels, Part::Translation, rig, &mut still, &mut moves, &mut report);
    let before = (vectors.shared.len(), vectors.loose.len());
    vectors.add(&clip.scale_channels, Part::Scale, rig, &mut still, &mut moves, &mut report);
    moves
        .iter_mut()
        .zip(still.iter().zip(rest.iter()))
        .for_each(|(moves, (still, rest))| moves.note_apart(still, rest));
    let has_moving_scale = (vectors.shared.len(), vectors.loose.len()) != before;
    let is_one = |block: &PoseBlock| block.scale.iter().flatten().all(|&scale| scale == 1.0);
    rotations.report(&mut report);
    vectors.report(&mut report);
    let keys: usize = report.groups.iter().map(|group| group.bytes).sum();
    // Most clips hold nothing still but what is at rest.
    let is_at_rest = still == **rest;
    let own = if is_at_rest { 0 } else { size_of_val::<[PoseBlock]>(&still) };
    report.bytes = size_of::<CompiledClip>() + clip.name.len() + size_of_val::<[Moves]>(&moves) + own + keys;
    CompiledClip {
        name: clip.name.clone(),
        duration: clip.duration,
        fingerprint: rig.fingerprint,
        joint_count: rig.joint_count(),
        is_unscaled: !has_moving_scale && still.iter().all(is_one),
        is_in_bind_space: false,
        is_finite: !rotations.has_wild && !vectors.has_wild && still.iter().all(PoseBlock::is_tame),
        turns_all: rotations.shared.iter().any(|tracks| tracks.is_complete(rig.joint_count())),
        still: if is_at_rest { Arc::clone(rest) } else { still.into() },
        in_step: vectors
            .shared
            .iter()
            .map(|tracks| rotations.shared.first().is_some_and(|first| tracks.is_in_step(first)))
            .collect(),
        rotations: rotations.shared,
        vectors: vectors.shared,
        loose_rotations: rotations.loose,
        loose_vectors: vectors.loose,
        packed: None,
        moves: moves.into(),
        report,
    }
}

/// A value that channels hold, as plain numbers.
pub(super) trait Numbers<const N: usize>: Copy {
    fn numbers(self) -> [f32; N];
    /// The value as it may stand in a pose.
    fn clean(self) -> Self;
    /// Whether two neighbouring keys stand for the same value.
    fn is_same(self, other: Self) -> bool;
    /// Whether the way from the key before is shorter with the other sign.
    fn is_opposite(self, before: Self) -> bool;
    /// The same value with the other sign.
    fn flipped(self) -> Self;
}

impl Numbers<3> for Vec3 {
    fn numbers(self) -> [f32; 3] {
        self.to_array()
    }
    fn clean(self) -> Self {
        self
    }
    fn is_same(self, other: Self) -> bool {
        self == other
    }
    fn is_opposite(self, _: Self) -> bool {
        false
    }
    fn flipped(self) -> Self {
        self
    }
}

impl Numbers<4> for Quat {
    fn numbers(self) -> [f32; 4] {
        self.to_array()
    }
    fn clean(self) -> Self {
        // Added up in this order on every machine: glam's own order depends on the vectors that there are.
        let [x, y, z, w] = self.to_array();
        let length_squared = (x * x + z * z) + (y * y + w * w);
        if (length_squared - 1.0).abs() <= 1e-6 { self } else { unit_quat(self).unwrap_or(Quat::IDENTITY) }
    }
    fn is_same(self, other: Self) -> bool {
        self == other || self == -other
    }
    fn is_opposite(self, before: Self) -> bool {
        before.dot(self) < 0.0
    }
    fn flipped(self) -> Self {
        -self
    }
}

/// The groups of one kind of value.
struct Groups<const N: usize> {
    has_signs: bool,
    /// Whether a number is huge, or none at all.
    has_wild: bool,
    shared: Vec<SharedTracks<N>>,
    loose: Vec<LooseTracks<N>>,
}

impl<const N: usize> Default for Groups<N> {
    fn default() -> Self {
        Self { has_signs: false, has_wild: false, shared: Vec::new(), loose: Vec::new() }
    }
}

impl<const N: usize> Groups<N> {
    /// Sorts channels into groups; constant ones go into the still pose.
    fn add<T: Numbers<N>>(
        &mut self,
        channels: &[Channel<T>],
        part: Part,
        rig: &Rig,
        still: &mut [PoseBlock],
        moves: &mut [Moves],
        report: &mut CompileReport,
    ) {
        let mut channel_of_joint: Vec<Option<&Channel<T>>> = vec![None; rig.lane_count()];
        for channel in channels {
            let values = if channel.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
            report.authored_bytes += channel.keyframes.len() * 4 * (1 + values * N);
            match rig.lane_of(channel.joint_index).and_then(|lane| channel_of_joint.get_mut(lane)) {
                Some(slot) if !channel.keyframes.is_empty() => {
                    report.ignored_channels += usize::from(slot.replace(channel).is_some());
                }
                _ => report.ignored_channels += 1,
            }
        }
        // Channels with equal interpolation and times, in the order of their joints.
        let mut batches: Vec<(Interpolation, Timeline, Vec<RawTrack<N>>)> = Vec::new();
        for (joint, channel) in channel_of_joint.iter().enumerate() {
            let Some(channel) = channel else { continue };
            let first = channel.keyframes[0].value;
            let times: Vec<f32> = channel.keyframes.iter().map(|key| key.time).collect();
            let timeline = Timeline::new(&times).filter(|_| !is_constant(channel));
            let Some(timeline) = timeline else {
                // One key, or times that nobody can follow.
                let value = if is_constant(channel) { first } else { last_value(channel) };
                report.constant_channels += 1;
                let components = still[joint / LANES].part_mut(part);
                for (component, number) in components.iter_mut().zip(value.clean().numbers()) {
                    component[joint % LANES] = number;
                }
                continue;
            };
            moves[joint / LANES].note(part);
            let track = raw_track(joint as u16, channel, self.has_signs);
            let batch = batches.iter_mut().find(|(interpolation, known, _)| {
                *interpolation == channel.interpolation && known.times() == timeline.times()
            });
            match batch {
                Some((.., tracks)) => tracks.push(track),
                None => batches.push((channel.interpolation, timeline, vec![track])),
            }
        }
        self.store(batches, part, rig);
    }

    fn store(&mut self, batches: Vec<(Interpolation, Timeline, Vec<RawTrack<N>>)>, part: Part, rig: &Rig) {
        let mut loose: Vec<(Interpolation, Vec<Batch<N>>)> = Vec::new();
        for (interpolation, timeline, tracks) in batches {
            let is_tame = |track: &RawTrack<N>| track.keys.as_flattened().iter().all(|number| number.abs() < LARGEST);
            let are_tame = tracks.iter().all(is_tame);
            // Between times that are no numbers, or that fall, there may be no pose.
            let times = timeline.times();
            let is_ordered = times.iter().all(|time| time.is_finite()) && times.is_sorted();
            self.has_wild |= !(are_tame && is_ordered);
            let fewest = if timeline.is_uniform() { FEWEST_ON_GRID } else { FEWEST_SHARED };
            if tracks.len() >= fewest && are_tame {
                self.shared.push(SharedTracks::new(part, interpolation, timeline, &tracks, rig));
                continue;
            }
            match loose.iter_mut().find(|(known, _)| *known == interpolation) {
                Some((_, batches)) => batches.push((timeline, tracks)),
                None => loose.push((interpolation, vec![(timeline, tracks)])),
            }
        }
        self.loose
            .extend(loose.into_iter().map(|(interpolation, tracks)| LooseTracks::new(part, interpolation, tracks)));
    }

    fn report(&self, report: &mut CompileReport) {
        report.groups.extend(self.shared.iter().map(|tracks| GroupReport {
            path: if tracks.timeline().is_uniform() { TrackPath::SharedUniform } else { TrackPath::SharedTable },
            interpolation: tracks.interpolation(),
            components: N,
            channels: tracks.track_count(),
            bytes: tracks.bytes(),
        }));
        report.groups.extend(self.loose.iter().map(|tracks| GroupReport {
            path: TrackPath::Loose,
            interpolation: tracks.interpolation(),
            components: N,
            channels: tracks.track_count(),
            bytes: tracks.bytes(),
        }));
    }
}

fn last_value<T: Numbers<N>, const N: usize>(channel: &Channel<T>) -> T {
    channel.keyframes[channel.keyframes.len() - 1].value
}

/// Whether the channel has one value at all times.
fn is_constant<T: Numbers<N>, const N: usize>(channel: &Channel<T>) -> bool {
    let first = channel.keyframes[0].value;
    let is_flat = |(incoming, outgoing): (T, T)| incoming.numbers() == [0.0; N] && outgoing.numbers() == [0.0; N];
    let has_tangents = channel.interpolation == Interpolation::CubicSpline && channel.keyframes.len() > 1;
    channel.keyframes.iter().all(|key| {
        let is_flat = !has_tangents || key.tangents.is_none_or(is_flat);
        is_flat && if has_tangents { key.value.numbers() == first.numbers() } else { key.value.is_same(first) }
    })
}

/// The values of keys with signs so that all neighbours are the shorter way apart.
///
/// Decided between neighbours as they are authored: half a turn has two ways that are equally short, and the one to take
/// is that of the plain path, whatever was flipped before.
pub(super) fn with_signs<T: Numbers<N>, const N: usize>(keys: &[Keyframe<T>]) -> impl Iterator<Item = T> {
    let mut is_flipped = false;
    let mut before: Option<T> = None;
    keys.iter().map(move |key| {
        is_flipped ^= before.is_some_and(|before| key.value.is_opposite(before));
        before = Some(key.value);
        if is_flipped { key.value.flipped() } else { key.value }
    })
}

/// The keys of a channel as numbers: rotations of unit length, neighbours with the signs of the shorter way. Splines are
/// taken as they are, with tangents around each value.
fn raw_track<T: Numbers<N>, const N: usize>(joint: u16, channel: &Channel<T>, has_signs: bool) -> RawTrack<N> {
    let keyframes = &channel.keyframes;
    let keys = if channel.interpolation == Interpolation::CubicSpline {
        let slots = |key: &Keyframe<T>| {
            let missing = ([NO_TANGENT; N], [NO_TANGENT; N]);
            let (incoming, outgoing) = key.tangents.map_or(missing, |(a, b)| (a.numbers(), b.numbers()));
            [incoming, key.value.clean().numbers(), outgoing]
        };
        keyframes.iter().flat_map(slots).collect()
    } else if has_signs {
        keyframes.iter().map(|key| key.value.clean().numbers()).collect()
    } else {
        with_signs(keyframes).map(|value| value.clean().numbers()).collect()
    };
    RawTrack { joint, keys }
}
