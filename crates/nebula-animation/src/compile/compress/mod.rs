//! Clips in a fraction of the memory, with an error that is bounded.

mod curve;
mod grid;
mod groups;
mod measure;
mod motion;
mod search;
mod tracks;

use super::packed::{Contents, PackedTracks, SEGMENT, Turned};
use super::{CompiledClip, GroupReport, TrackPath, bind, build};
use crate::clip::{AnimationClip, Channel, Interpolation};
use crate::rig::block::{LANES, Part};
use crate::rig::{BindSpace, Rig};
use crate::skeleton::JointPose;
use curve::Curve;
use grid::Grid;
use groups::Placed;
use motion::Authored;
use search::Search;
use tracks::{Kind, Reach, Track};

pub use measure::ClipErrors;

/// How far the poses of compressed clips may be from those of the authored ones.
///
/// At every key, the points at a [distance](Compression::distance) from each joint, along each of its axes, are no farther than
/// [`error`](Compression::error) from where the authored clip has them, in model space: whatever the joints above it are off by is
/// included. Between keys a smooth curve goes through them where the authored clip goes straight. How far these two are apart is not
/// bounded: next to nothing at the rates of motion capture, more where a joint jumps from one key to the next.
/// [`CompiledClip::errors`] measures both.
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
    /// The largest error in model space, in the file's unit (metres); default 0.0001, a tenth of a millimetre. A number that is not
    /// above zero leaves clips as they are.
    pub error: f32,
    /// How far the points are from their joint at which errors are measured: about where the skin is. In metres; default 0.03.
    pub distance: f32,
    /// Distances of single joints, by their index: those beyond the list, and all by default, have [`Compression::distance`].
    pub distances: Vec<f32>,
    /// The largest error of a morph weight; default 0.0005.
    pub weight_error: f32,
    /// The pose that an additive clip is put on top of, one entry per joint; `None`, the default, for clips that are no differences.
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

/// How much of the bound rounding may take: what single precision adds is not known before.
const LIMITS: [f64; 6] = [0.975, 0.96, 0.93, 0.88, 0.74, 0.5];

/// Compresses a clip, in bind space where one is given; `None` where nothing is gained.
pub(super) fn compress(
    rig: &Rig,
    clip: &AnimationClip,
    space: Option<&BindSpace>,
    compression: &Compression,
) -> Option<CompiledClip> {
    if !compression.is_sound() {
        let (error, weight_error) = (compression.error, compression.weight_error);
        log::warn!("clip {:?} is not compressed: no clip keeps errors of {error} m and {weight_error}", clip.name);
        return None;
    }
    let grid = Grid::of(clip)?;
    let motion = Authored::of(rig, clip, compression, &grid);
    let is_finite = motion.joints.iter().all(|joint| joint.placed.iter().all(|placed| placed.position.is_finite()));
    if !is_finite {
        return None;
    }
    let tracks = tracks::tracks(rig, clip, space, compression, &grid, &motion);
    if tracks.is_empty() {
        return None;
    }
    let rest = without(rig, clip, &tracks);
    let rest = match space {
        Some(space) => build::compile(rig, &space.rest, &bind::clip_in_bind_space(space, &rest)?, true),
        None => build::compile(rig, &rig.rest, &rest, false),
    };
    let segments = grid.last.div_ceil(SEGMENT);
    let search = Search { motion: &motion, tracks: &tracks, compression, segments };
    LIMITS.into_iter().find_map(|limit| {
        let (curves, scales) = search.run(limit)?;
        let packed = PackedTracks::new(&contents(&grid, &tracks, curves, &scales));
        let compiled = with_packed(rest.clone(), packed, &tracks, space.is_some());
        measure::keeps(rig, &compiled, compression, &grid, &motion, &tracks).then_some(compiled)
    })
}

/// A compiled clip with packed tracks beside its own.
fn with_packed(mut clip: CompiledClip, packed: PackedTracks, tracks: &[Track], is_in_bind_space: bool) -> CompiledClip {
    let mut channels = [0; 2];
    for track in tracks {
        let is_rotation = matches!(track.kind, Kind::Rotation { .. });
        channels[usize::from(is_rotation)] += 1;
        if !is_rotation {
            clip.moves[track.lane / LANES].note(Part::Translation);
        }
    }
    clip.report.bytes += packed.bytes();
    for (channels, components, part) in [(channels[1], 4, Part::Rotation), (channels[0], 3, Part::Translation)] {
        if channels > 0 {
            let (path, interpolation) = (TrackPath::Compressed, Interpolation::Linear);
            let bytes = packed.curves_and_bits(part).1.div_ceil(8);
            clip.report.groups.push(GroupReport { path, interpolation, components, channels, bytes });
        }
    }
    clip.is_in_bind_space = is_in_bind_space;
    clip.packed = Some(Box::new(packed));
    clip
}

/// The clip without the channels that are packed.
fn without(rig: &Rig, clip: &AnimationClip, tracks: &[Track]) -> AnimationClip {
    let mut is_packed = [vec![false; rig.lane_count()], vec![false; rig.lane_count()]];
    for track in tracks {
        is_packed[usize::from(matches!(track.kind, Kind::Rotation { .. }))][track.lane] = true;
    }
    fn left<T: Clone>(rig: &Rig, channels: &[Channel<T>], is_packed: &[bool]) -> Vec<Channel<T>> {
        let is_left = |channel: &&Channel<T>| rig.lane_of(channel.joint_index).is_none_or(|lane| !is_packed[lane]);
        channels.iter().filter(is_left).cloned().collect()
    }
    AnimationClip {
        name: clip.name.clone(),
        duration: clip.duration,
        translation_channels: left(rig, &clip.translation_channels, &is_packed[0]),
        rotation_channels: left(rig, &clip.rotation_channels, &is_packed[1]),
        scale_channels: clip.scale_channels.clone(),
    }
}

/// Curves in groups; those that are always zero are left out.
fn contents(grid: &Grid, tracks: &[Track], curves: Vec<Placed>, scales: &[u8]) -> Contents {
    let is_seen = |curve: &Placed| curve.part != Part::Rotation || !Curve::is_zero(&curve.curve);
    let mut references: Vec<(Turned, [[i16; LANES]; 3])> = Vec::new();
    for track in tracks {
        let Kind::Rotation { axes, reach, .. } = &track.kind else { continue };
        let (block, lane) = ((track.lane / LANES) as u16, track.lane % LANES);
        if references.last().is_none_or(|(known, _)| known.block != block) {
            references.push((Turned { block, joints: 0, far: 0 }, [[0; LANES]; 3]));
        }
        if let Some((turned, numbers)) = references.last_mut() {
            turned.joints |= 1 << lane;
            turned.far |= u8::from(*reach == Reach::Far) << lane;
            numbers.iter_mut().zip(axes).for_each(|(numbers, axis)| numbers[lane] = *axis);
        }
    }
    let unit_of = |is_rotation: bool| {
        let curve = curves.iter().find(|curve| (curve.part == Part::Rotation) == is_rotation);
        curve.map_or(0.0, |curve| curve.unit)
    };
    Contents {
        start: grid.start,
        turn_unit: unit_of(true),
        way_unit: unit_of(false),
        per_second: grid.per_second,
        last: grid.last,
        groups: groups::group(curves.into_iter().filter(is_seen).collect(), scales),
        references,
    }
}
