//! From a clip and a time to poses and palettes.

use glam::Mat4;

use super::rows::{Compose, LocalMatrices, Put, Stream};
use crate::compile::block::{Component, LANES, PoseBlock};
use crate::compile::{CompiledClip, Rig};
use crate::math::affine::{Affine, PaletteRows};
use crate::math::isa::Isa;
use crate::math::lanes::{Kernel, Lanes, dispatch, load4, store_all};
use crate::math::slerp::Warp;
use crate::skeleton::JointPose;

/// A clip at a time.
#[derive(Debug, Clone, Copy)]
pub struct Layer<'a> {
    /// The clip; one that was compiled for another rig shows the rest pose.
    pub clip: &'a CompiledClip,
    /// Seconds from the clip's start; clamped to the clip.
    pub time: f32,
}

/// Evaluates poses and palettes. Holds scratch memory only, no state: any rig, clip and time in any order.
///
/// One evaluator per thread, kept from frame to frame, allocates nothing once it has seen its largest rig.
///
/// ```
/// use nebula_animation::{AnimationClip, CompiledClip, Evaluator, PaletteRows, Rig, Skeleton};
///
/// let skeleton = Skeleton::default();
/// let rig = Rig::new(&skeleton);
/// let clip = CompiledClip::new(&rig, &AnimationClip::default());
/// let mut evaluator = Evaluator::new();
/// let mut palette = vec![PaletteRows::IDENTITY; rig.joint_count()];
/// evaluator.palette_rows(&rig, &clip, 0.5, &mut palette);
/// ```
#[derive(Debug, Clone)]
pub struct Evaluator {
    isa: Isa,
    pose: Vec<PoseBlock>,
    other_pose: Vec<PoseBlock>,
    locals: Vec<Affine>,
    models: Vec<Affine>,
}

impl Default for Evaluator {
    fn default() -> Self {
        Self::new()
    }
}

impl Evaluator {
    /// An evaluator for the best instruction set of this machine.
    #[must_use]
    pub fn new() -> Self {
        Self::with_isa(Isa::best())
    }

    /// An evaluator for a certain instruction set, or the best one where the machine lacks it. Results do not depend on
    /// it.
    #[must_use]
    pub fn with_isa(isa: Isa) -> Self {
        Self { isa, pose: Vec::new(), other_pose: Vec::new(), locals: Vec::new(), models: Vec::new() }
    }

    /// Writes the local pose at `time` seconds, in the skeleton's joint order. A shorter slice gets the first joints.
    pub fn pose(&mut self, rig: &Rig, clip: &CompiledClip, time: f32, pose: &mut [JointPose]) {
        self.evaluate(rig, Source::Clip(Layer { clip, time }), Target::Pose(pose));
    }

    /// Writes the skinning matrices at `time` seconds as rows, in the skeleton's joint order. A shorter slice gets the
    /// first joints.
    pub fn palette_rows(&mut self, rig: &Rig, clip: &CompiledClip, time: f32, rows: &mut [PaletteRows]) {
        self.evaluate(rig, Source::Clip(Layer { clip, time }), Target::Rows(rows));
    }

    /// Writes the skinning matrices at `time` seconds, in the skeleton's joint order. A shorter slice gets the first
    /// joints.
    pub fn palette(&mut self, rig: &Rig, clip: &CompiledClip, time: f32, matrices: &mut [Mat4]) {
        self.evaluate(rig, Source::Clip(Layer { clip, time }), Target::Matrices(matrices));
    }

    /// As [`Evaluator::pose`], a fraction `weight` (0 to 1, clamped) of the way from one clip's pose to another's.
    pub fn blended_pose(&mut self, rig: &Rig, from: Layer, to: Layer, weight: f32, pose: &mut [JointPose]) {
        self.evaluate(rig, Source::Blend { from, to, weight }, Target::Pose(pose));
    }

    /// As [`Evaluator::palette_rows`], a fraction `weight` (0 to 1, clamped) of the way from one clip's pose to another's.
    pub fn blended_palette_rows(&mut self, rig: &Rig, from: Layer, to: Layer, weight: f32, rows: &mut [PaletteRows]) {
        self.evaluate(rig, Source::Blend { from, to, weight }, Target::Rows(rows));
    }

    /// Writes the skinning matrices of any local pose as rows; joints that the pose lacks are at rest.
    pub fn palette_rows_of_pose(&mut self, rig: &Rig, pose: &[JointPose], rows: &mut [PaletteRows]) {
        self.evaluate(rig, Source::Pose(pose), Target::Rows(rows));
    }

    /// Writes the skinning matrices of any local pose; joints that the pose lacks are at rest.
    pub fn palette_of_pose(&mut self, rig: &Rig, pose: &[JointPose], matrices: &mut [Mat4]) {
        self.evaluate(rig, Source::Pose(pose), Target::Matrices(matrices));
    }

    /// Writes a clip's local pose at `time` seconds and its skinning matrices.
    pub fn pose_and_palette(
        &mut self,
        rig: &Rig,
        clip: &CompiledClip,
        time: f32,
        pose: &mut [JointPose],
        matrices: &mut [Mat4],
    ) {
        self.evaluate(rig, Source::Clip(Layer { clip, time }), Target::PoseAndMatrices(pose, matrices));
    }

    fn evaluate(&mut self, rig: &Rig, source: Source, target: Target) {
        self.fit(rig);
        self.evaluate_fitted(rig, source, target);
    }

    /// Makes the scratch memory large enough for a rig.
    pub(crate) fn fit(&mut self, rig: &Rig) {
        let blocks = rig.rest.len();
        if self.pose.len() < blocks {
            self.pose.resize(blocks, PoseBlock::IDENTITY);
            self.other_pose.resize(blocks, PoseBlock::IDENTITY);
            self.locals.resize(blocks * LANES, Affine::IDENTITY);
            self.models.resize(blocks * LANES + 1, Affine::IDENTITY);
        }
        // Slot 0 is the model itself; no evaluation writes to it.
        if self.models.is_empty() {
            self.models.push(Affine::IDENTITY);
        }
    }

    /// Evaluates one character with memory that already fits.
    pub(crate) fn evaluate_fitted(&mut self, rig: &Rig, source: Source, target: Target) {
        let (isa, blocks) = (self.isa, rig.rest.len());
        let pose = &mut self.pose[..blocks];
        let wants_scale = matches!(target, Target::Pose(_) | Target::PoseAndMatrices(..));
        let mut form = sample_source(isa, rig, source, wants_scale, pose, &mut self.other_pose[..blocks]);
        if wants_scale {
            form.leave_bind_space(rig, pose);
        }
        if let Target::Pose(out) = target {
            rig.write_pose(pose, out);
            return;
        }
        let space = rig.bind_space.as_ref().filter(|_| form.is_in_bind_space);
        let locals = &mut self.locals[..blocks * LANES];
        dispatch(isa, LocalMatrices { pose, is_unscaled: form.is_unscaled, space, locals });
        let is_in_bind_space = space.is_some();
        let (locals, models) = (&*locals, &mut self.models[..]);
        match target {
            Target::Pose(_) => {}
            Target::Streamed(rows) if is_in_bind_space => {
                dispatch(isa, Compose { rig, is_in_bind_space, locals, models, out: Nowhere });
                dispatch(isa, Stream { models, places: &rig.places, rows });
            }
            Target::Rows(rows) | Target::Streamed(rows) => {
                dispatch(isa, Compose { rig, is_in_bind_space, locals, models, out: Rows(rows) });
            }
            Target::Matrices(matrices) => {
                dispatch(isa, Compose { rig, is_in_bind_space, locals, models, out: Matrices(matrices) });
            }
            Target::PoseAndMatrices(out, matrices) => {
                rig.write_pose(pose, out);
                dispatch(isa, Compose { rig, is_in_bind_space, locals, models, out: Matrices(matrices) });
            }
        }
    }
}

/// Finds the pose of a source; `other` is scratch memory.
fn sample_source(
    isa: Isa,
    rig: &Rig,
    source: Source,
    wants_scale: bool,
    pose: &mut [PoseBlock],
    other: &mut [PoseBlock],
) -> PoseForm {
    match source {
        Source::Clip(layer) => sample_layer(isa, rig, layer, wants_scale, pose),
        Source::Blend { from, to, weight } => {
            // In bind space, and for clips of other rigs, the rig's own scales count.
            let keeps_rest = rig.is_unscaled || (from.clip.is_in_bind_space && to.clip.is_in_bind_space);
            let has_scale = wants_scale || !(keeps_rest && from.clip.is_unscaled && to.clip.is_unscaled);
            let mut form = sample_layer(isa, rig, from, has_scale, pose);
            let mut other_form = sample_layer(isa, rig, to, has_scale, other);
            if form.is_in_bind_space != other_form.is_in_bind_space {
                form.leave_bind_space(rig, pose);
                other_form.leave_bind_space(rig, other);
            }
            dispatch(isa, Blend { pose, other, weight, has_scale });
            PoseForm { is_unscaled: form.is_unscaled && other_form.is_unscaled, ..form }
        }
        Source::Pose(local) => {
            rig.read_pose(local, pose);
            PoseForm { is_unscaled: false, is_in_bind_space: false }
        }
    }
}

/// What is known of a sampled pose.
#[derive(Clone, Copy)]
struct PoseForm {
    is_unscaled: bool,
    is_in_bind_space: bool,
}

impl PoseForm {
    /// Makes a pose a local one.
    fn leave_bind_space(&mut self, rig: &Rig, pose: &mut [PoseBlock]) {
        if let Some(space) = rig.bind_space.as_ref().filter(|_| self.is_in_bind_space) {
            rig.leave_bind_space(space, pose);
            *self = Self { is_unscaled: rig.is_unscaled, is_in_bind_space: false };
        }
    }
}

/// For matrices that are fetched from the scratch memory afterwards.
struct Nowhere;

impl Put for Nowhere {
    #[inline(always)]
    fn put(&mut self, _: usize, _: &Affine) {}
}

/// Rows in the skeleton's order; joints beyond the slice are left out.
struct Rows<'a>(&'a mut [PaletteRows]);

impl Put for Rows<'_> {
    #[inline(always)]
    fn put(&mut self, joint: usize, matrix: &Affine) {
        if let Some(rows) = self.0.get_mut(joint) {
            *rows = PaletteRows::from_affine(matrix);
        }
    }
}

/// Matrices in the skeleton's order; joints beyond the slice are left out.
struct Matrices<'a>(&'a mut [Mat4]);

impl Put for Matrices<'_> {
    #[inline(always)]
    fn put(&mut self, joint: usize, matrix: &Affine) {
        if let Some(out) = self.0.get_mut(joint) {
            *out = PaletteRows::from_affine(matrix).to_matrix();
        }
    }
}

/// Where a pose comes from.
pub(crate) enum Source<'a> {
    Clip(Layer<'a>),
    Blend { from: Layer<'a>, to: Layer<'a>, weight: f32 },
    Pose(&'a [JointPose]),
}

/// What is wanted.
pub(crate) enum Target<'a> {
    Pose(&'a mut [JointPose]),
    Rows(&'a mut [PaletteRows]),
    /// As `Rows`, for memory that is not read again soon.
    Streamed(&'a mut [PaletteRows]),
    Matrices(&'a mut [Mat4]),
    PoseAndMatrices(&'a mut [JointPose], &'a mut [Mat4]),
}

fn sample_layer(isa: Isa, rig: &Rig, layer: Layer, wants_scale: bool, pose: &mut [PoseBlock]) -> PoseForm {
    if !layer.clip.is_for(rig) {
        pose.copy_from_slice(&rig.rest);
        return PoseForm { is_unscaled: rig.is_unscaled, is_in_bind_space: false };
    }
    layer.clip.sample(isa, layer.time, wants_scale, pose);
    PoseForm { is_unscaled: layer.clip.is_unscaled, is_in_bind_space: layer.clip.is_in_bind_space }
}

/// Moves `pose` a fraction of the way to `other`.
struct Blend<'a> {
    pose: &'a mut [PoseBlock],
    other: &'a [PoseBlock],
    weight: f32,
    has_scale: bool,
}

impl Kernel for Blend<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        // A weight that is not a number counts as 0.
        let weight = if self.weight > 0.0 { self.weight.min(1.0) } else { 0.0 };
        let warp = Warp::<L>::splat(weight);
        let (rest, weight) = (L::splat(1.0 - weight), L::splat(weight));
        for (pose, other) in self.pose.iter_mut().zip(self.other) {
            for lane in (0..LANES).step_by(L::WIDTH) {
                let turned = warp.slerp_shorter(load4(&pose.rotation, lane), load4(&other.rotation, lane));
                store_all(turned, &mut pose.rotation, lane);
                mix(&mut pose.translation, &other.translation, lane, rest, weight);
                if self.has_scale {
                    mix(&mut pose.scale, &other.scale, lane, rest, weight);
                }
            }
        }
    }
}

#[inline(always)]
fn mix<L: Lanes>(a: &mut [Component; 3], b: &[Component; 3], lane: usize, rest: L, weight: L) {
    for (a, b) in a.iter_mut().zip(b) {
        let mixed = L::load(&a[lane..]).mul(rest).add(L::load(&b[lane..]).mul(weight));
        mixed.store(&mut a[lane..]);
    }
}
