//! Eight characters of one rig side by side: their hierarchies cost little more than one.

use super::evaluator::{Source, sample_source};
use super::rows::bind_rows;
use crate::compile::Rig;
use crate::compile::bind::BindSpace;
use crate::compile::block::{Component, LANES, PoseBlock};
use crate::math::affine::{Affine, PaletteRows};
use crate::math::isa::Isa;
use crate::math::lanes::{Kernel, Lanes, dispatch};

/// Characters in a batch.
pub(crate) const BATCH: usize = LANES;

/// One matrix of each of eight characters: twelve numbers, row by row.
type Matrices = [Component; 12];

/// Scratch memory for batches; no state.
#[derive(Debug, Clone, Default)]
pub(crate) struct Batch {
    /// The poses of the characters, one after the other.
    poses: Vec<PoseBlock>,
    other_pose: Vec<PoseBlock>,
    /// Matrices in bind space, in evaluation order.
    locals: Vec<Matrices>,
    /// Skinning matrices, in the skeleton's order.
    models: Vec<Matrices>,
}

impl Batch {
    /// Makes the scratch memory large enough for a rig.
    pub fn fit(&mut self, rig: &Rig) {
        let blocks = rig.rest.len();
        if self.other_pose.len() < blocks {
            self.poses.resize(blocks * BATCH, PoseBlock::IDENTITY);
            self.other_pose.resize(blocks, PoseBlock::IDENTITY);
            self.locals.resize(blocks * LANES, [[0.0; LANES]; 12]);
            self.models.resize(blocks * LANES, [[0.0; LANES]; 12]);
        }
    }

    /// Evaluates eight characters whose clips are all in the rig's bind space. `out` holds their palettes, one after the
    /// other. The bits are those of characters that are evaluated one by one.
    pub fn evaluate(
        &mut self,
        isa: Isa,
        rig: &Rig,
        space: &BindSpace,
        sources: [Source; BATCH],
        out: &mut [PaletteRows],
        is_streamed: bool,
    ) {
        let blocks = rig.rest.len();
        if blocks == 0 {
            return;
        }
        let poses = &mut self.poses[..blocks * BATCH];
        for (source, pose) in sources.into_iter().zip(poses.chunks_exact_mut(blocks)) {
            sample_source(isa, rig, source, false, pose, &mut self.other_pose[..blocks]);
        }
        let locals = &mut self.locals[..blocks * LANES];
        dispatch(isa, BatchMatrices { poses, space, locals });
        let (locals, models) = (&*locals, &mut self.models[..]);
        dispatch(isa, BatchCompose { rig, locals, models, out, is_streamed });
    }
}

/// The matrices of all joints, for all eight characters.
struct BatchMatrices<'a> {
    poses: &'a [PoseBlock],
    space: &'a BindSpace,
    locals: &'a mut [Matrices],
}

impl Kernel for BatchMatrices<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let blocks = self.poses.len() / BATCH;
        for (index, locals) in self.locals.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            block_matrices::<L>(self.poses, blocks, index, self.space, locals);
        }
    }
}

/// Composes all eight hierarchies.
struct BatchCompose<'a> {
    rig: &'a Rig,
    locals: &'a [Matrices],
    models: &'a mut [Matrices],
    out: &'a mut [PaletteRows],
    is_streamed: bool,
}

impl Kernel for BatchCompose<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        if self.is_streamed {
            compose::<L, true>(self.rig, self.locals, self.models, self.out);
        } else {
            compose::<L, false>(self.rig, self.locals, self.models, self.out);
        }
    }
}

/// The matrices of the eight joints of one block, for all eight characters.
#[inline(always)]
fn block_matrices<L: Lanes>(
    poses: &[PoseBlock],
    blocks: usize,
    index: usize,
    space: &BindSpace,
    locals: &mut [Matrices; LANES],
) {
    // First by character, with joints side by side; then turned over.
    let mut by_character = [[[0.0; LANES]; BATCH]; 12];
    for (character, pose) in poses.chunks_exact(blocks).enumerate() {
        for lane in (0..LANES).step_by(L::WIDTH) {
            let (rows, translation) = bind_rows::<L>(&pose[index], &space.constants[index], space.is_unscaled, lane);
            for axis in 0..3 {
                for column in 0..3 {
                    rows[axis][column].store(&mut by_character[4 * axis + column][character][lane..]);
                }
                translation[axis].store(&mut by_character[4 * axis + 3][character][lane..]);
            }
        }
    }
    let mut by_joint = [[0.0; BATCH]; LANES];
    for (number, by_character) in by_character.iter().enumerate() {
        L::transpose(by_character, &mut by_joint);
        for (local, values) in locals.iter_mut().zip(&by_joint) {
            local[number] = *values;
        }
    }
}

/// Composes down the hierarchy, in the skeleton's order: with eight characters side by side nobody waits for a parent.
#[inline(always)]
fn compose<L: Lanes, const STREAMS: bool>(
    rig: &Rig,
    locals: &[Matrices],
    models: &mut [Matrices],
    out: &mut [PaletteRows],
) {
    let joint_count = rig.joint_count();
    let mut root = [[0.0; LANES]; 12];
    for (values, number) in root.iter_mut().zip(Affine::IDENTITY.0) {
        *values = [number; LANES];
    }
    for (joint, &place) in rig.places.iter().enumerate() {
        let local = &locals[usize::from(place)];
        let (before, after) = models.split_at_mut(joint);
        let model = &mut after[0];
        let parent = match rig.parent_slots[usize::from(place)].checked_sub(1) {
            Some(parent) => &before[usize::from(rig.joints[parent as usize])],
            None => &root,
        };
        for lane in (0..LANES).step_by(L::WIDTH) {
            for row in 0..3 {
                let left = [
                    L::load(&parent[4 * row][lane..]),
                    L::load(&parent[4 * row + 1][lane..]),
                    L::load(&parent[4 * row + 2][lane..]),
                ];
                // In the order of `Lanes::affine_product`, the zero that is added included.
                let zero = L::splat(0.0);
                let a = element(left, local, 0, lane).add(zero);
                let b = element(left, local, 1, lane).add(zero);
                let c = element(left, local, 2, lane).add(zero);
                let d = element(left, local, 3, lane).add(L::load(&parent[4 * row + 3][lane..]));
                a.store(&mut model[4 * row][lane..]);
                b.store(&mut model[4 * row + 1][lane..]);
                c.store(&mut model[4 * row + 2][lane..]);
                d.store(&mut model[4 * row + 3][lane..]);
                L::scatter_columns::<STREAMS>([a, b, c, d], out, joint + lane * joint_count, joint_count, row);
            }
        }
    }
}

/// One element of a product, before the last column is added.
#[inline(always)]
fn element<L: Lanes>(left: [L; 3], right: &Matrices, column: usize, lane: usize) -> L {
    left[0]
        .mul(L::load(&right[column][lane..]))
        .add(left[1].mul(L::load(&right[4 + column][lane..])))
        .add(left[2].mul(L::load(&right[8 + column][lane..])))
}
