//! Measures how far a compiled clip is from the authored one, in double precision.

use glam::DVec3;

use super::Compression;
use super::MOST;
use super::grid::Grid;
use super::motion::{Placed, Truth, place};
use super::tracks::{Kind, Track};
use crate::clip::AnimationClip;
use crate::compile::CompiledClip;
use crate::math::isa::Isa;
use crate::rig::Rig;
use crate::rig::block::{LANES, PoseBlock};

/// Errors of a compiled clip compared with the authored one, in model space, in the file's unit (metres). They are
/// measured at points at a distance from each joint, along each of its axes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ClipErrors {
    /// The largest error at the keys.
    pub largest: f64,
    /// The 99th percentile of the joints' errors at the keys.
    pub percentile_99: f64,
    /// The largest error halfway between keys.
    pub largest_between: f64,
    /// The 99th percentile of the joints' errors halfway between keys.
    pub percentile_99_between: f64,
    /// The number of poses compared at the keys.
    pub samples: usize,
}

impl CompiledClip {
    /// Compares the clip with the authored clip that it was compiled from: at its keys if those are evenly spaced, else
    /// 30 times per second; and halfway between. All zero if the clip belongs to a different rig.
    ///
    /// Intended for tools and tests: it evaluates each pose twice in double precision, and allocates.
    #[must_use]
    pub fn errors(&self, rig: &Rig, authored: &AnimationClip, compression: &Compression) -> ClipErrors {
        ClipErrors::of(self.all_errors(rig, authored, compression), rig.joint_count())
    }

    /// The individual values that [`CompiledClip::errors`] summarises: the error of each joint, pose by pose, at the
    /// keys, and halfway between them.
    #[must_use]
    pub fn all_errors(&self, rig: &Rig, authored: &AnimationClip, compression: &Compression) -> [Vec<f64>; 2] {
        if !self.is_for(rig) {
            return [Vec::new(), Vec::new()];
        }
        let grid = Grid::for_errors(authored);
        let at = |times: &mut dyn Iterator<Item = f32>| {
            let mut errors = Vec::new();
            each_error(rig, self, authored, compression, times, |error| errors.push(error));
            errors
        };
        [at(&mut grid.keys(authored).into_iter()), at(&mut grid.between())]
    }
}

impl Compression {
    /// The times, in seconds, at which [`CompiledClip::errors`] compares at the keys: the keys' own times if they are
    /// evenly spaced, else 30 per second.
    ///
    /// ```
    /// use nebula_animation::{AnimationClip, Compression};
    ///
    /// let nod = AnimationClip::of_morph_weight("nod", 0, &[(0.0, 0.0), (0.5, 1.0), (1.0, 0.0)]);
    /// assert_eq!(Compression::sample_times(&nod), [0.0, 0.5, 1.0]);
    /// ```
    #[must_use]
    pub fn sample_times(clip: &AnimationClip) -> Vec<f32> {
        Grid::for_errors(clip).keys(clip)
    }
}

impl Grid {
    /// Where errors are measured.
    fn for_errors(clip: &AnimationClip) -> Self {
        Self::of(clip).unwrap_or_else(|| Self::at_30_hertz(clip.duration))
    }
}

impl ClipErrors {
    /// Summarises the errors of all joints, at the keys and between them, for one clip or several.
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

/// Whether a clip keeps the bounds at all keys, half way between samples, and from the end of a loop to its beginning.
pub(super) fn keeps(
    rig: &Rig,
    clip: &CompiledClip,
    authored: &AnimationClip,
    compression: &Compression,
    grid: &Grid,
    tracks: &[Track],
    is_loop: bool,
) -> bool {
    let mut is_kept = true;
    let times = grid.keys(authored).into_iter().chain(grid.between());
    let pose = each_error(rig, clip, authored, compression, times, |error| {
        is_kept &= error <= MOST * f64::from(compression.error);
    });
    is_kept
        && (!is_loop || closes(rig, clip, compression, grid))
        && keeps_weights(clip, compression, grid, tracks, pose)
}

/// Whether the end of a clip is no farther from its beginning than the bound.
fn closes(rig: &Rig, clip: &CompiledClip, compression: &Compression, grid: &Grid) -> bool {
    let [first, last] = [0, grid.last].map(|sample| {
        let (mut pose, mut placed) = (rig.rest.to_vec(), Vec::new());
        place_compiled(rig, clip, compression, grid.time(sample), &mut pose, &mut placed);
        placed
    });
    let error = |(joint, (last, first)): (usize, (&Placed, &Placed))| {
        last.error(first, f64::from(compression.distance_of(joint)))
    };
    last.iter().zip(&first).enumerate().map(error).all(|error| error <= MOST * f64::from(compression.error))
}

/// Puts the joints of a compiled clip into model space.
fn place_compiled(
    rig: &Rig,
    clip: &CompiledClip,
    compression: &Compression,
    time: f32,
    pose: &mut [PoseBlock],
    placed: &mut Vec<Placed>,
) {
    clip.sample(Isa::best(), time, true, pose);
    if let Some(space) = rig.bind_space.as_ref().filter(|_| clip.is_in_bind_space) {
        rig.leave_bind_space(space, pose);
    }
    place(rig, compression.base.as_deref(), |joint| pose[joint / LANES].get(joint % LANES), placed);
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

/// Tells the error of each joint at each time. Hands back memory for a pose.
fn each_error(
    rig: &Rig,
    clip: &CompiledClip,
    authored: &AnimationClip,
    compression: &Compression,
    times: impl Iterator<Item = f32>,
    mut tell: impl FnMut(f64),
) -> Vec<PoseBlock> {
    let mut pose = rig.rest.to_vec();
    let mut truth = Truth::new(rig, authored, compression);
    let mut placed: Vec<Placed> = Vec::with_capacity(rig.joint_count());
    for time in times {
        place_compiled(rig, clip, compression, time, &mut pose, &mut placed);
        for (joint, (is, should)) in placed.iter().zip(truth.at(time)).enumerate() {
            let error = is.error(should, f64::from(compression.distance_of(joint)));
            tell(if error.is_nan() { f64::INFINITY } else { error });
        }
    }
    pose
}
