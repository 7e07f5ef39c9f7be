//! How far a compiled clip is from the authored one, in double precision.

use glam::DVec3;

use super::Compression;
use super::MOST;
use super::grid::Grid;
use super::motion::{Authored, Placed, pose_on};
use super::tracks::{Kind, Track};
use crate::clip::AnimationClip;
use crate::compile::CompiledClip;
use crate::math::isa::Isa;
use crate::rig::Rig;
use crate::rig::block::{LANES, PoseBlock};

/// Errors of a compiled clip in model space, in the file's unit (metres): of points at a distance from each joint, along each of its
/// axes, beside those of the authored clip.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ClipErrors {
    /// The largest at the keys.
    pub largest: f64,
    /// At the keys, 99 of 100 joints are no farther off.
    pub percentile_99: f64,
    /// The largest half way between keys.
    pub largest_between: f64,
    /// The same of 99 of 100 joints.
    pub percentile_99_between: f64,
    /// How many poses were looked at, at the keys alone.
    pub samples: usize,
}

impl CompiledClip {
    /// How far the clip is from the authored one that it was compiled from: at its keys, where those are on an even grid, else at 30
    /// times a second; and half way between. All zero where the rig is not that of the clip.
    ///
    /// Meant for tools and tests: it takes as long as it takes to evaluate each pose twice in double precision, and allocates.
    #[must_use]
    pub fn errors(&self, rig: &Rig, authored: &AnimationClip, compression: &Compression) -> ClipErrors {
        if !self.is_for(rig) {
            return ClipErrors::default();
        }
        let grid = Grid::of(authored).unwrap_or_else(|| Grid::at_30_hertz(authored.duration));
        let (largest, percentile_99) = self.errors_on(rig, authored, compression, &grid);
        let between = grid.between();
        let (largest_between, percentile_99_between) =
            between.map_or((0.0, 0.0), |grid| self.errors_on(rig, authored, compression, &grid));
        ClipErrors { largest, percentile_99, largest_between, percentile_99_between, samples: grid.last + 1 }
    }

    fn errors_on(&self, rig: &Rig, authored: &AnimationClip, compression: &Compression, grid: &Grid) -> (f64, f64) {
        let motion = Authored::of(rig, authored, compression, grid);
        let mut errors = Vec::with_capacity(motion.samples * motion.joints.len());
        each_error(rig, self, compression, grid, &motion, |error| errors.push(error));
        if errors.is_empty() {
            return (0.0, 0.0);
        }
        errors.sort_by(f64::total_cmp);
        (errors[errors.len() - 1], errors[(errors.len() - 1) * 99 / 100])
    }
}

/// Whether a clip keeps the bounds at all samples.
pub(super) fn keeps(
    rig: &Rig,
    clip: &CompiledClip,
    compression: &Compression,
    grid: &Grid,
    motion: &Authored,
    tracks: &[Track],
) -> bool {
    let mut is_kept = true;
    let pose = each_error(rig, clip, compression, grid, motion, |error| {
        is_kept &= error <= MOST * f64::from(compression.error);
    });
    is_kept && keeps_weights(clip, compression, grid, tracks, pose)
}

fn keeps_weights(
    clip: &CompiledClip,
    compression: &Compression,
    grid: &Grid,
    tracks: &[Track],
    mut pose: Vec<PoseBlock>,
) -> bool {
    let weights = tracks.iter().filter_map(|track| match &track.kind {
        Kind::Weights { samples, .. } => Some((track.lane, samples)),
        _ => None,
    });
    let weights: Vec<(usize, &Vec<DVec3>)> = weights.collect();
    (0..if weights.is_empty() { 0 } else { grid.last + 1 }).all(|sample| {
        clip.sample(Isa::best(), grid.time(sample), false, &mut pose);
        weights.iter().all(|(lane, samples)| {
            let is = pose[lane / LANES].get(lane % LANES).0.as_dvec3();
            (is - samples[sample]).abs().max_element() <= f64::from(compression.weight_error)
        })
    })
}

/// Tells the error of each joint at each sample. Hands back memory for a pose.
fn each_error(
    rig: &Rig,
    clip: &CompiledClip,
    compression: &Compression,
    grid: &Grid,
    motion: &Authored,
    mut tell: impl FnMut(f64),
) -> Vec<PoseBlock> {
    let mut pose = rig.rest.to_vec();
    let mut placed: Vec<Vec<Placed>> = vec![Vec::with_capacity(1); motion.joints.len()];
    for sample in 0..motion.samples {
        clip.sample(Isa::best(), grid.time(sample), true, &mut pose);
        if let Some(space) = rig.bind_space.as_ref().filter(|_| clip.is_in_bind_space) {
            rig.leave_bind_space(space, &mut pose);
        }
        for (joint, truth) in motion.joints.iter().enumerate() {
            let local = pose[joint / LANES].get(joint % LANES);
            let (translation, rotation, scale) = pose_on(compression.base.as_deref(), joint, local);
            let here = motion.above(&placed, joint, 0).child(translation, rotation, scale);
            placed[joint].clear();
            placed[joint].push(here);
            let error = here.error(&truth.placed[sample], f64::from(compression.distance_of(joint)));
            tell(if error.is_nan() { f64::INFINITY } else { error });
        }
    }
    pose
}
