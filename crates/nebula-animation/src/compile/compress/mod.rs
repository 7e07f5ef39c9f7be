//! Compression: clips in a fraction of the memory, with a bounded error.

mod curve;
mod frame;
mod grid;
mod groups;
mod measure;
mod motion;
mod search;
mod tracks;

use super::packed::{Contents, PackedTracks, SEGMENT};
use super::tracks::Reach as StepReach;
use super::{CompiledClip, GroupReport, TrackPath, bind, build};
use crate::clip::{AnimationClip, Channel, Interpolation};
use crate::rig::block::{LANES, Part};
use crate::rig::{BindSpace, Rig};
use crate::skeleton::JointPose;
use grid::Grid;
use motion::Authored;
use search::{Found, Search};
use tracks::{Kind, Track};

pub use measure::ClipErrors;

/// Why a clip was left uncompressed although compression was requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Uncompressed {
    /// No rounding satisfies the bound: it is zero, not finite, or finer than single precision.
    #[error("no rounding satisfies the error bound")]
    Bound,
    /// No channel is linear with evenly spaced keys.
    #[error("no channel is linear with evenly spaced keys")]
    Uneven,
    /// More samples than can be compressed at once (ten million joint poses): split the clip.
    #[error("it is too long to be compressed at once: split it")]
    TooLong,
    /// One of its poses is not finite.
    #[error("one of its poses is not finite")]
    NotFinite,
    /// It would not become smaller.
    #[error("it would not become smaller")]
    NoGain,
}

/// How far the poses of compressed clips may deviate from those of the authored clips.
///
/// At every key and halfway between keys, points at a [distance](Compression::distance) from each joint, along each of
/// its axes, are within [`error`](Compression::error) of their authored position in model space. That includes the
/// errors of all ancestors. Between keys, joints follow the same arcs and lines as in the authored clip, so the error
/// there is about the same as at the keys; [`CompiledClip::errors`] measures both. If a clip ends in its first pose,
/// its end is within the bound of its beginning too, so that loops stay seamless. Extracted root motion has the same
/// bound.
///
/// ```
/// use nebula_animation::{AnimationClipLibrary, Compression, Rig, load_skeleton_and_clips};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (skeleton, clips) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref())?;
/// let rig = Rig::new(skeleton);
/// let plain = AnimationClipLibrary::new(&rig, &clips);
/// let small = AnimationClipLibrary::compressed(&rig, &clips, &Compression::default());
/// assert!(small.bytes() < plain.bytes() / 2);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Compression {
    /// The largest error in model space, in the file's unit (metres); default 0.0001, a tenth of a millimetre. A number
    /// that is not above zero leaves clips uncompressed.
    pub error: f32,
    /// Distance from the joint at which errors are measured, about where the skin is, in metres; default 0.03.
    pub distance: f32,
    /// Distances for individual joints, by index. Joints beyond the list, which is empty by default, use
    /// [`Compression::distance`].
    pub distances: Vec<f32>,
    /// The largest error of a morph weight; default 0.0005.
    pub weight_error: f32,
    /// For additive clips: the pose to which the clip is added, one entry per joint; `None`, the default, for ordinary
    /// clips. Without it, the bound of an additive clip is meaningless, because its joints have no bones between them.
    /// For several additive clips in one library, use
    /// [`LibraryOptions::additive_bases`](crate::LibraryOptions::additive_bases).
    pub base: Option<Vec<JointPose>>,
}

impl Default for Compression {
    fn default() -> Self {
        Self { error: 1e-4, distance: 0.03, distances: Vec::new(), weight_error: 5e-4, base: None }
    }
}

impl Compression {
    /// The distance of a joint's points from it.
    fn distance_of(&self, joint: usize) -> f32 {
        let distance = self.distances.get(joint).copied().unwrap_or(self.distance);
        if distance.is_finite() { distance.abs() } else { 0.0 }
    }

    /// Whether the bounds are ones that can be kept.
    fn is_sound(&self) -> bool {
        let is_sound = |bound: f32| bound > 1e-7 && bound < 1e4;
        is_sound(self.error) && is_sound(self.weight_error)
    }
}

/// How much of the bound is used at most. The rest is for the times of keys, which single precision takes off the grid by a little.
const MOST: f64 = 0.98;

/// Poses of joints that are compressed at once, at most: about 400 bytes of memory each.
const MOST_POSES: usize = 10_000_000;

/// How much of the bound rounding may take: what single precision adds is not known before.
const LIMITS: [f64; 6] = [0.975, 0.96, 0.93, 0.88, 0.74, 0.5];

/// Compresses a clip, in bind space where one is given; the reason if it is better kept as it is.
pub(super) fn compress(
    rig: &Rig,
    clip: &AnimationClip,
    space: Option<&BindSpace>,
    compression: &Compression,
) -> Result<CompiledClip, Uncompressed> {
    if !compression.is_sound() {
        return Err(Uncompressed::Bound);
    }
    // What stands still is constant, and takes nothing anyway.
    let grid = Grid::of(clip).ok_or(if moves(clip) { Uncompressed::Uneven } else { Uncompressed::NoGain })?;
    if (grid.last + 1).saturating_mul(rig.joint_count()) > MOST_POSES {
        return Err(Uncompressed::TooLong);
    }
    let motion = Authored::of(rig, clip, compression, &grid);
    let is_finite = motion.joints.iter().all(|joint| joint.placed.iter().all(|placed| placed.position.is_finite()));
    if !is_finite {
        return Err(Uncompressed::NotFinite);
    }
    let tracks = tracks::tracks(rig, clip, space, compression, &grid, &motion);
    if tracks.is_empty() {
        return Err(Uncompressed::Uneven);
    }
    let rest = without(rig, clip, &lanes(rig, &tracks));
    let rest = match space {
        Some(space) => {
            let rest = bind::clip_in_bind_space(space, &rest).ok_or(Uncompressed::NoGain)?;
            build::compile(rig, &space.rest, &rest, true)
        }
        None => build::compile(rig, &rig.rest, &rest, false),
    };
    let segments = grid.last.div_ceil(SEGMENT);
    let search = Search { motion: &motion, tracks: &tracks, compression, segments };
    let found = LIMITS.into_iter().find_map(|limit| {
        let packed = PackedTracks::new(&contents(&grid, &motion, &tracks, search.run(limit)?));
        let rest = CompiledClip { is_in_bind_space: space.is_some(), ..rest.clone() };
        let compiled = with_packed(rest, packed, rig);
        measure::keeps(rig, &compiled, clip, compression, &grid, &tracks, motion.is_loop).then_some(compiled)
    });
    found.ok_or(Uncompressed::Bound)
}

/// Whether a rotation or translation ever changes.
fn moves(clip: &AnimationClip) -> bool {
    fn any<T: Clone + PartialEq>(channels: &[Channel<T>]) -> bool {
        channels.iter().any(|channel| channel.keyframes.windows(2).any(|pair| pair[0].value != pair[1].value))
    }
    any(&clip.rotation_channels) || any(&clip.translation_channels)
}

/// A compiled clip with packed tracks beside its own.
pub(super) fn with_packed(mut clip: CompiledClip, packed: PackedTracks, rig: &Rig) -> CompiledClip {
    let [ways, turns] = packed.lanes(rig);
    for (lane, _) in ways.iter().enumerate().filter(|(_, is_packed)| **is_packed) {
        clip.moves[lane / LANES].note(Part::Translation);
    }
    clip.turns_all |= turns.iter().take(rig.joint_count()).all(|is_packed| *is_packed);
    clip.report.bytes += packed.bytes();
    for (lanes, components, part) in [(turns, 4, Part::Rotation), (ways, 3, Part::Translation)] {
        let channels = lanes.iter().filter(|is_packed| **is_packed).count();
        if channels > 0 {
            let (path, interpolation) = (TrackPath::Compressed, Interpolation::Linear);
            let bytes = packed.curves_and_bits(part).1.div_ceil(8);
            clip.report.groups.push(GroupReport { path, interpolation, components, channels, bytes });
        }
    }
    clip.packed = Some(Box::new(packed));
    clip
}

/// For each lane, whether its translation and whether its rotation has a track.
fn lanes(rig: &Rig, tracks: &[Track]) -> [Vec<bool>; 2] {
    let mut lanes = [vec![false; rig.lane_count()], vec![false; rig.lane_count()]];
    for track in tracks {
        lanes[usize::from(matches!(track.kind, Kind::Rotation { .. }))][track.lane] = true;
    }
    lanes
}

/// The clip without the channels that are packed.
pub(super) fn without(rig: &Rig, clip: &AnimationClip, [ways, turns]: &[Vec<bool>; 2]) -> AnimationClip {
    fn left<T: Clone>(rig: &Rig, channels: &[Channel<T>], is_packed: &[bool]) -> Vec<Channel<T>> {
        let is_left = |channel: &&Channel<T>| rig.lane_of(channel.joint_index).is_none_or(|lane| !is_packed[lane]);
        channels.iter().filter(is_left).cloned().collect()
    }
    AnimationClip {
        name: clip.name.clone(),
        duration: clip.duration,
        translation_channels: left(rig, &clip.translation_channels, ways),
        rotation_channels: left(rig, &clip.rotation_channels, turns),
        scale_channels: clip.scale_channels.clone(),
    }
}

/// Curves in groups.
fn contents(grid: &Grid, motion: &Authored, tracks: &[Track], found: Found) -> Contents {
    let Found { curves, scales, turn_unit, way_unit } = found;
    Contents {
        start: grid.start,
        per_second: grid.per_second,
        last: grid.last,
        turn_unit,
        way_unit,
        reach: reach(motion, tracks),
        scales,
        groups: groups::group(curves),
    }
}

/// How far joints turn from sample to sample, and a little more: what is rounded turns a little farther.
fn reach(motion: &Authored, tracks: &[Track]) -> StepReach {
    let turned = tracks.iter().filter(|track| matches!(track.kind, Kind::Rotation { .. }));
    let steps = turned.flat_map(|track| motion.joints[track.lane].rotation.windows(2));
    let farthest = steps.map(|pair| 1.0 - pair[0].dot(pair[1]).abs()).fold(0.0, f64::max);
    StepReach::within(1.05 * farthest as f32 + 1e-4)
}
