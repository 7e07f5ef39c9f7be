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
        ClipErrors::of(self.all_errors(rig, authored, compression), rig.joint_count())
    }

    /// What [`CompiledClip::errors`] sums up: the error of each joint, pose after pose, at the keys, and half way between them.
    #[must_use]
    pub fn all_errors(&self, rig: &Rig, authored: &AnimationClip, compression: &Compression) -> [Vec<f64>; 2] {
        if !self.is_for(rig) {
            return [Vec::new(), Vec::new()];
        }
        let grid = Grid::of(authored).unwrap_or_else(|| Grid::at_30_hertz(authored.duration));
        let on = |grid: &Grid| {
            let motion = Authored::of(rig, authored, compression, grid);
            let mut errors = Vec::with_capacity(motion.samples * motion.joints.len());
            each_error(rig, self, compression, grid, &motion, |error| errors.push(error));
            errors
        };
        [on(&grid), grid.between().map_or_else(Vec::new, |grid| on(&grid))]
    }
}

impl ClipErrors {
    /// Of the errors of all joints, at the keys and between them: one clip's, or those of many.
    #[must_use]
    pub fn of(mut errors: [Vec<f64>; 2], joint_count: usize) -> Self {
        let samples = errors[0].len() / joint_count.max(1);
        let [(largest, percentile_99), (largest_between, percentile_99_between)] = errors.each_mut().map(|errors| {
            errors.sort_by(f64::total_cmp);
            let at = |index: usize| errors.get(index).copied().unwrap_or(0.0);
            (at(errors.len().saturating_sub(1)), at(errors.len().saturating_sub(1) * 99 / 100))
        });
        Self { largest, percentile_99, largest_between, percentile_99_between, samples }
    }
}

/// Whether a clip keeps the bounds at all samples, and half way between them.
pub(super) fn keeps(
    rig: &Rig,
    clip: &CompiledClip,
    compression: &Compression,
    grid: &Grid,
    motion: &Authored,
    between: Option<&(Grid, Authored)>,
    tracks: &[Track],
) -> bool {
    let mut is_kept = true;
    let mut keep = |error: f64| is_kept &= error <= MOST * f64::from(compression.error);
    let pose = each_error(rig, clip, compression, grid, motion, &mut keep);
    if let Some((between, motion)) = between {
        each_error(rig, clip, compression, between, motion, &mut keep);
    }
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
