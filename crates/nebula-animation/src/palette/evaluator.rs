//! Evaluates clips to poses and palettes.

use std::cell::RefCell;

use glam::Mat4;

use super::columns::{ComposeColumns, with_columns};
use super::eight::{ComposeEight, EightMatrices, EightPalettes, EightRows};
use super::rows::{BoundMatrices, Compose, IntoBind, LocalMatrices, Put, ScalesRest, Stream, still_blocks};
use super::source::{ClipAt, PoseForm, Source, sample_eight, sample_source};
use crate::compile::{CompiledClip, Moves};
use crate::math::affine::{Affine, PaletteRows};
use crate::math::isa::Isa;
use crate::math::lanes::{Lanes, dispatch};
use crate::rig::Rig;
use crate::rig::block::{LANES, PoseBlock};
use crate::skeleton::JointPose;

/// Evaluates poses and palettes. It holds scratch memory only, no state: use any rig, clip and time in any order.
///
/// Keep one evaluator per thread: it stops allocating once it has seen its largest rig.
///
/// ```
/// use nebula_animation::{AnimationClip, Rig, Skeleton, compile::CompiledClip, palette::{Evaluator, PaletteRows}};
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
    pub(super) isa: Isa,
    pose: Vec<PoseBlock>,
    pub(super) other_pose: Vec<PoseBlock>,
    locals: Vec<Affine>,
    models: Vec<Affine>,
    /// For eight characters at once.
    pub(super) poses: Vec<PoseBlock>,
    pub(super) slots: Vec<EightMatrices>,
    /// What of each block moves in any of the eight.
    pub(super) moves: Vec<Moves>,
    /// A block of joints of eight characters, lanes being characters.
    pub(super) turned: Box<[PoseBlock; LANES]>,
    /// Palettes that are then streamed past the caches.
    palettes: Vec<PaletteRows>,
}

thread_local! {
    static EVALUATOR: RefCell<Evaluator> = RefCell::new(Evaluator::new());
}

/// Lends out this thread's evaluator: scratch memory that characters need not hold themselves.
pub(crate) fn with_evaluator(work: impl FnOnce(&mut Evaluator)) {
    EVALUATOR.with(|evaluator| match evaluator.try_borrow_mut() {
        Ok(mut evaluator) => work(&mut evaluator),
        // Only where `work` itself asked for one.
        Err(_) => work(&mut Evaluator::new()),
    });
}

/// Writes the skinning matrices of a pose in lanes.
pub(crate) fn palette_of_blocks(rig: &Rig, pose: &[PoseBlock], matrices: &mut [Mat4]) {
    with_evaluator(|evaluator| {
        // Also where it is not needed now: a pose may be scaled in any frame, and none allocates.
        evaluator.fit(rig);
        let Evaluator { isa, locals, models, .. } = evaluator;
        if let Some(space) = &rig.bind_space
            && matrices.len() == rig.joint_count()
            && dispatch(*isa, ScalesRest { pose, rest: &rig.rest })
        {
            return with_columns(pose.len(), |locals| {
                dispatch(*isa, ComposeColumns { rig, space, pose, locals, palette: matrices });
            });
        }
        let locals = &mut locals[..rig.rest.len() * LANES];
        let is_in_bind_space = place(*isa, rig, pose, Scales::Unknown, locals);
        dispatch(*isa, Compose { rig, is_in_bind_space, locals, models, out: Matrices(matrices) });
    });
}

/// As [`palette_of_blocks`] of eight characters of one rig, with the same bits. False where that cannot be done side by side: nothing has
/// been written then.
pub(crate) fn palettes_of_eight(frames: [(&Rig, &[PoseBlock], &mut [Mat4]); LANES]) -> bool {
    let rig = frames[0].0;
    let Some(space) = &rig.bind_space else { return false };
    let (isa, blocks) = (Isa::best(), rig.rest.len());
    let is_usual = |(_, pose, palette): &(&Rig, &[PoseBlock], &mut [Mat4])| {
        let fits = pose.len() == blocks && palette.len() == rig.joint_count();
        fits && dispatch(isa, ScalesRest { pose, rest: &rig.rest })
    };
    if !frames.iter().all(is_usual) {
        return false;
    }
    with_evaluator(|evaluator| {
        evaluator.fit_eight(rig);
        let poses = &mut evaluator.poses[..LANES * blocks];
        let still = frames.iter().fold(u64::MAX, |still, (_, pose, _)| still & still_blocks(isa, pose, &rig.rest));
        for (bound, (_, pose, _)) in poses.chunks_exact_mut(blocks.max(1)).zip(&frames) {
            dispatch(isa, IntoBind { pose, space, still, bound });
        }
        let out = EightPalettes(frames.map(|(_, _, palette)| palette));
        let (slots, turned, space) = (&mut evaluator.slots[..], &mut *evaluator.turned, Some(space));
        dispatch(isa, ComposeEight { rig, is_unscaled: true, space, moves: None, still, poses, slots, turned, out });
    });
    true
}

/// Writes the skinning matrices of local poses as rows, one character of a rig after the other; eight of them side by side.
pub(crate) fn rows_of_blocks(rig: &Rig, poses: &[&[PoseBlock]], rows: &mut [PaletteRows]) {
    let (isa, blocks, joints) = (Isa::best(), rig.rest.len(), rig.joint_count());
    let is_usual =
        |pose: &&[PoseBlock]| pose.len() == blocks && dispatch(isa, ScalesRest { pose: *pose, rest: &rig.rest });
    with_evaluator(|evaluator| {
        evaluator.fit_eight(rig);
        if let (Some(space), Some(eight)) = (&rig.bind_space, poses.as_array::<LANES>())
            && rows.len() == LANES * joints
            && eight.iter().all(is_usual)
        {
            let poses = &mut evaluator.poses[..LANES * blocks];
            let still = eight.iter().fold(u64::MAX, |still, pose| still & still_blocks(isa, pose, &rig.rest));
            for (bound, pose) in poses.chunks_exact_mut(blocks.max(1)).zip(eight) {
                dispatch(isa, IntoBind { pose: *pose, space, still, bound });
            }
            let (slots, turned, space) = (&mut evaluator.slots[..], &mut *evaluator.turned, Some(space));
            let out = EightRows { rows, joints };
            dispatch(
                isa,
                ComposeEight { rig, is_unscaled: true, space, moves: None, still, poses, slots, turned, out },
            );
            return;
        }
        let Evaluator { locals, models, .. } = evaluator;
        for (pose, rows) in poses.iter().zip(rows.chunks_exact_mut(joints.max(1))) {
            let locals = &mut locals[..blocks * LANES];
            let is_in_bind_space = place(isa, rig, pose, Scales::Unknown, locals);
            dispatch(isa, Compose { rig, is_in_bind_space, locals, models, out: Rows(rows) });
        }
    });
}

/// Makes matrices of local poses. Whether they are in bind space, which spares a product for each joint.
fn place(isa: Isa, rig: &Rig, pose: &[PoseBlock], scales: Scales, locals: &mut [Affine]) -> bool {
    if let Some(space) = &rig.bind_space
        && (scales == Scales::Rest || dispatch(isa, ScalesRest { pose, rest: &rig.rest }))
    {
        dispatch(isa, BoundMatrices { pose, space, locals });
        return true;
    }
    dispatch(isa, LocalMatrices { pose, is_unscaled: scales == Scales::One, space: None, locals });
    false
}

/// What is known of the scales of a pose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scales {
    Unknown,
    /// All of them are one.
    One,
    /// All of them are those of the rest pose.
    Rest,
}

impl Default for Evaluator {
    fn default() -> Self {
        Self::new()
    }
}

impl Evaluator {
    /// Creates an evaluator for the best instruction set of this machine.
    #[must_use]
    pub fn new() -> Self {
        Self::with_isa(Isa::best())
    }

    /// Creates an evaluator for a given instruction set, or the best one if the machine lacks it. The results are the
    /// same.
    #[must_use]
    pub fn with_isa(isa: Isa) -> Self {
        Self {
            isa,
            pose: Vec::new(),
            other_pose: Vec::new(),
            locals: Vec::new(),
            models: Vec::new(),
            poses: Vec::new(),
            slots: Vec::new(),
            moves: Vec::new(),
            turned: Box::new([PoseBlock::IDENTITY; LANES]),
            palettes: Vec::new(),
        }
    }

    /// Writes the local pose at `time` seconds, in skeleton order. A shorter slice gets the first joints.
    pub fn pose(&mut self, rig: &Rig, clip: &CompiledClip, time: f32, pose: &mut [JointPose]) {
        self.evaluate(rig, Source::Clip(ClipAt { clip, time }), Target::Pose(pose));
    }

    /// Writes the skinning matrices at `time` seconds as rows, in skeleton order. A shorter slice gets the first
    /// joints.
    pub fn palette_rows(&mut self, rig: &Rig, clip: &CompiledClip, time: f32, rows: &mut [PaletteRows]) {
        self.evaluate(rig, Source::Clip(ClipAt { clip, time }), Target::Rows(rows));
    }

    /// Writes the skinning matrices at `time` seconds, in skeleton order. A shorter slice gets the first joints.
    pub fn palette(&mut self, rig: &Rig, clip: &CompiledClip, time: f32, matrices: &mut [Mat4]) {
        self.evaluate(rig, Source::Clip(ClipAt { clip, time }), Target::Matrices(matrices));
    }

    /// Like [`Evaluator::pose`], interpolated by `weight` (0 to 1, clamped) from one clip's pose to another's.
    pub fn blended_pose(&mut self, rig: &Rig, from: ClipAt, to: ClipAt, weight: f32, pose: &mut [JointPose]) {
        self.evaluate(rig, Source::Blend { from, to, weight }, Target::Pose(pose));
    }

    /// Like [`Evaluator::palette_rows`], interpolated by `weight` (0 to 1, clamped) from one clip's pose to another's.
    pub fn blended_palette_rows(&mut self, rig: &Rig, from: ClipAt, to: ClipAt, weight: f32, rows: &mut [PaletteRows]) {
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
        self.evaluate(rig, Source::Clip(ClipAt { clip, time }), Target::PoseAndMatrices(pose, matrices));
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
        let is_in_bind_space = match target {
            Target::PoseAndMatrices(..) => {
                let scales = match (source.rests_in_scale(rig), form.is_unscaled) {
                    (true, _) => Scales::Rest,
                    (false, true) => Scales::One,
                    (false, false) => Scales::Unknown,
                };
                place(isa, rig, pose, scales, locals)
            }
            _ => {
                dispatch(isa, LocalMatrices { pose, is_unscaled: form.is_unscaled, space, locals });
                space.is_some()
            }
        };
        let (locals, models) = (&*locals, &mut self.models[..]);
        match target {
            Target::Pose(_) => {}
            Target::Rows(rows) => {
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

impl Evaluator {
    /// Makes the scratch memory large enough for eight characters of a rig.
    pub(crate) fn fit_eight(&mut self, rig: &Rig) {
        self.fit(rig);
        let blocks = LANES * rig.rest.len();
        self.poses.resize(blocks.max(self.poses.len()), PoseBlock::IDENTITY);
        // Slot 0 is the model itself; no evaluation writes to it.
        self.slots.resize(rig.slot_count.max(self.slots.len()), EightMatrices::IDENTITY);
        self.moves.resize(rig.rest.len().max(self.moves.len()), Moves::ALL);
        self.palettes.resize((LANES * rig.joint_count()).max(self.palettes.len()), PaletteRows::IDENTITY);
    }

    /// Writes the palette of one character of a rig that already fits, past the caches where it will not be read soon, and its
    /// morph weights.
    pub(crate) fn evaluate_one(
        &mut self,
        rig: &Rig,
        source: Source,
        rows: &mut [PaletteRows],
        morph_weights: &mut [f32],
        is_streamed: bool,
    ) {
        if is_streamed {
            let mut palettes = std::mem::take(&mut self.palettes);
            self.evaluate_fitted(rig, source, Target::Rows(&mut palettes[..rows.len()]));
            dispatch(self.isa, Stream { palette: &palettes[..rows.len()], rows });
            self.palettes = palettes;
        } else {
            self.evaluate_fitted(rig, source, Target::Rows(rows));
        }
        self.last_morphs(rig, morph_weights);
    }

    /// Writes the morph weights of the one character that was evaluated last, which has this rig.
    pub(crate) fn last_morphs(&self, rig: &Rig, morph_weights: &mut [f32]) {
        rig.write_morphs(&self.pose, morph_weights);
    }

    /// As [`Evaluator::evaluate_one`] for eight characters of one rig, whose palettes follow each other: the same bits in
    /// about half of the time.
    pub(crate) fn evaluate_eight(
        &mut self,
        rig: &Rig,
        (sources, are_one_clip): (&[Source; LANES], bool),
        rows: &mut [PaletteRows],
        morph_weights: &mut [f32],
        is_streamed: bool,
    ) {
        let (isa, blocks) = (self.isa, rig.rest.len());
        let is_in_bind_space = sources[0].is_in_bind_space();
        if sources.iter().any(|source| source.is_in_bind_space() != is_in_bind_space) {
            // What is in bind space stays there, so that nobody's bits depend on the neighbours.
            let (joints, slots) = (rig.joint_count(), rig.morph_slots());
            for (lane, source) in sources.iter().enumerate() {
                let rows = &mut rows[lane * joints..][..joints];
                self.evaluate_one(rig, *source, rows, &mut morph_weights[lane * slots..][..slots], is_streamed);
            }
            return;
        }
        let is_unscaled = is_in_bind_space || sources.iter().all(Source::is_unscaled);
        let (moves, poses) = (&mut self.moves[..blocks], &mut self.poses[..LANES * blocks]);
        let (form, other) = (PoseForm { is_unscaled, is_in_bind_space }, &mut self.other_pose[..blocks]);
        let knows_moves = sample_eight(isa, rig, (sources, are_one_clip), form, moves, poses, other);
        let moves = knows_moves.then_some(&*moves);
        let space = rig.bind_space.as_ref().filter(|_| is_in_bind_space);
        let (slots, turned) = (&mut self.slots[..], &mut *self.turned);
        if is_streamed {
            let palette = &mut self.palettes[..rows.len()];
            let out = EightRows { rows: &mut *palette, joints: rig.joint_count() };
            dispatch(isa, ComposeEight { rig, is_unscaled, space, moves, still: 0, poses, slots, turned, out });
            dispatch(isa, Stream { palette, rows });
        } else {
            let out = EightRows { rows, joints: rig.joint_count() };
            dispatch(isa, ComposeEight { rig, is_unscaled, space, moves, still: 0, poses, slots, turned, out });
        }
        if !morph_weights.is_empty() {
            for (pose, weights) in poses.chunks_exact(blocks).zip(morph_weights.chunks_exact_mut(rig.morph_slots())) {
                rig.write_morphs(pose, weights);
            }
        }
    }
}

/// Rows in the skeleton's order; joints beyond the slice are left out.
struct Rows<'a>(&'a mut [PaletteRows]);

impl Put for Rows<'_> {
    #[inline(always)]
    fn put<L: Lanes>(&mut self, joint: usize, matrix: L::Matrix) {
        if let Some(rows) = self.0.get_mut(joint) {
            L::store_rows(matrix, rows);
        }
    }
}

/// Matrices in the skeleton's order; joints beyond the slice are left out.
struct Matrices<'a>(&'a mut [Mat4]);

impl Put for Matrices<'_> {
    #[inline(always)]
    fn put<L: Lanes>(&mut self, joint: usize, matrix: L::Matrix) {
        if let Some(out) = self.0.get_mut(joint) {
            let mut columns = [[0.0; 4]; 4];
            L::store_columns(matrix, &mut columns);
            *out = Mat4::from_cols_array_2d(&columns);
        }
    }
}

/// What is wanted.
pub(crate) enum Target<'a> {
    Pose(&'a mut [JointPose]),
    Rows(&'a mut [PaletteRows]),
    Matrices(&'a mut [Mat4]),
    PoseAndMatrices(&'a mut [JointPose], &'a mut [Mat4]),
}
