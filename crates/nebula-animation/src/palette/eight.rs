//! Eight characters of one rig, side by side in the lanes, at the lowest cost per joint.
//!
//! Every character is sampled separately, because each has its own keys. Then the poses are transposed, block by block,
//! so that a lane is a character instead of a joint, and the hierarchy is walked once for all eight. The operations and
//! their order are those for a single character, so the bits are the same.

use std::ops::Range;

use glam::{Affine3A, Mat4};

use super::rows::{bound_rows, has_bit, local_rows};
use crate::compile::Moves;
use crate::math::affine::{Affine, PaletteRows};
use crate::math::lanes::{Kernel, Lanes, WholeTarget, load3, load4, store_all};
use crate::rig::BindSpace;
use crate::rig::Rig;
use crate::rig::block::{Component, LANES, PoseBlock};

/// The matrices of one joint of eight characters, row by row.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
pub(crate) struct EightMatrices([[Component; 4]; 3]);

impl EightMatrices {
    pub const IDENTITY: Self = {
        let (zero, one) = ([0.0; LANES], [1.0; LANES]);
        Self([[one, zero, zero, zero], [zero, one, zero, zero], [zero, zero, one, zero]])
    };

    /// Sets the matrix of one character.
    pub fn set(&mut self, lane: usize, matrix: &Affine3A) {
        let columns = matrix.to_cols_array_2d();
        for (row, values) in self.0.iter_mut().enumerate() {
            for (value, column) in values.iter_mut().zip(&columns) {
                value[lane] = column[row];
            }
        }
    }
}

/// Where the matrices of eight characters go. (Not a closure: it would not be inlined into the kernel.)
pub(crate) trait EightOut {
    /// Whether there is room for this many joints of each.
    fn has_room(&self, joints: usize) -> bool;
    /// Takes the rows of the matrices of one joint, of some characters from a lane on.
    fn put<L: Lanes>(&mut self, rows: [[L; 4]; 3], joint: usize, lane: usize);
}

/// Palettes as rows, one character after the other.
pub(crate) struct EightRows<'a> {
    pub rows: &'a mut [PaletteRows],
    pub joints: usize,
}

impl EightOut for EightRows<'_> {
    fn has_room(&self, joints: usize) -> bool {
        self.rows.len() == LANES * joints && joints == self.joints
    }
    #[inline(always)]
    fn put<L: Lanes>(&mut self, rows: [[L; 4]; 3], joint: usize, lane: usize) {
        L::store_turned_matrices(rows, self.rows, lane * self.joints + joint, self.joints);
    }
}

/// Palettes as whole matrices, each somewhere else.
pub(crate) struct EightPalettes<'a>(pub [&'a mut [Mat4]; LANES]);

impl EightOut for EightPalettes<'_> {
    fn has_room(&self, joints: usize) -> bool {
        self.0.iter().all(|palette| palette.len() == joints)
    }
    #[inline(always)]
    fn put<L: Lanes>(&mut self, rows: [[L; 4]; 3], joint: usize, lane: usize) {
        L::store_turned_wholes(rows, &mut OneJoint { palettes: &mut self.0[lane..], joint });
    }
}

/// The matrices of one joint.
struct OneJoint<'a, 'b> {
    palettes: &'a mut [&'b mut [Mat4]],
    joint: usize,
}

impl WholeTarget for OneJoint<'_, '_> {
    #[inline(always)]
    fn of_lane(&mut self, lane: usize) -> &mut [f32; 16] {
        self.palettes[lane][self.joint].as_mut()
    }
}

/// Composes the poses of eight characters down the hierarchy, and writes their palettes.
pub(crate) struct ComposeEight<'a, O> {
    pub rig: &'a Rig,
    /// For local poses, whether all scales are one.
    pub is_unscaled: bool,
    /// The constants of poses in bind space.
    pub space: Option<&'a BindSpace>,
    /// In bind space, what of each block is not at rest in all of them, where that is known.
    pub moves: Option<&'a [Moves]>,
    /// Local poses that were taken to bind space: blocks whose translations are those at rest in all of them. A bit for each of the first 64.
    pub still: u64,
    /// The poses, one character after the other.
    pub poses: &'a [PoseBlock],
    /// One per slot of the rig; the first is the identity.
    pub slots: &'a mut [EightMatrices],
    /// A block of joints, lanes being characters; or all, if their rotations are there already.
    pub turned: &'a mut [PoseBlock],
    pub is_turned: bool,
    /// Where the palettes go.
    pub out: O,
}

impl<O: EightOut> Kernel for ComposeEight<'_, O> {
    type Output = ();
    const NEEDS_REGISTERS: bool = true;
    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let count = self.rig.joint_count();
        assert!(self.out.has_room(count));
        let turned = std::mem::take(&mut self.turned);
        for block in (0..count).step_by(LANES) {
            let first = if self.is_turned { block } else { 0 };
            let Some(turned) = turned[first..].first_chunk_mut() else { return };
            let moves = self.moves.is_none_or(|moves| moves[block / LANES].translation);
            let joints = block..count.min(block + LANES);
            // Not a question for every joint: registers are scarce.
            match self.space {
                Some(space) if has_bit(self.still, block / LANES) => {
                    self.compose_block::<L, _>(joints, turned, &StillLocal { space });
                }
                Some(space) if !moves => self.compose_block::<L, _>(joints, turned, &StillBound { space }),
                Some(space) => self.compose_block::<L, _>(joints, turned, &Bound { space }),
                None => {
                    let form = Local { rig: self.rig, is_unscaled: self.is_unscaled };
                    self.compose_block::<L, _>(joints, turned, &form);
                }
            }
        }
    }
}

/// What the poses of a block are. (Not closures: they would not be inlined into the kernel.)
trait Form {
    const HAS_TRANSLATION: bool = true;
    /// Whether scales count.
    fn has_scale(&self) -> bool {
        false
    }
    /// The matrices of one joint of some characters.
    fn rows<L: Lanes>(&self, joint: usize, pose: &PoseBlock, lane: usize) -> ([[L; 3]; 3], [L; 3]);
    /// What is left to do after the hierarchy.
    #[inline(always)]
    fn finish<L: Lanes>(&self, joint: usize, row: [L; 4]) -> [L; 4] {
        let _ = joint;
        row
    }
}

/// Local poses.
struct Local<'a> {
    rig: &'a Rig,
    is_unscaled: bool,
}

impl Form for Local<'_> {
    #[inline(always)]
    fn has_scale(&self) -> bool {
        !self.is_unscaled
    }
    #[inline(always)]
    fn rows<L: Lanes>(&self, _: usize, pose: &PoseBlock, lane: usize) -> ([[L; 3]; 3], [L; 3]) {
        local_rows::<L>(pose, self.is_unscaled, lane)
    }
    #[inline(always)]
    fn finish<L: Lanes>(&self, joint: usize, row: [L; 4]) -> [L; 4] {
        bound_row(row, &self.rig.inverse_binds[joint])
    }
}

/// Poses in bind space.
struct Bound<'a> {
    space: &'a BindSpace,
}

impl Form for Bound<'_> {
    #[inline(always)]
    fn rows<L: Lanes>(&self, joint: usize, pose: &PoseBlock, lane: usize) -> ([[L; 3]; 3], [L; 3]) {
        rows_in_bind_space(self.space, joint, load4(&pose.rotation, lane), load3(&pose.translation, lane))
    }
}

/// Poses in bind space whose translations are those at rest.
struct StillBound<'a> {
    space: &'a BindSpace,
}

impl Form for StillBound<'_> {
    const HAS_TRANSLATION: bool = false;
    #[inline(always)]
    fn rows<L: Lanes>(&self, joint: usize, pose: &PoseBlock, lane: usize) -> ([[L; 3]; 3], [L; 3]) {
        let translation = splat3(&self.space.rest[joint / LANES].translation, joint % LANES);
        rows_in_bind_space(self.space, joint, load4(&pose.rotation, lane), translation)
    }
}

/// Local poses, taken to bind space, whose translations are those at rest.
struct StillLocal<'a> {
    space: &'a BindSpace,
}

impl Form for StillLocal<'_> {
    const HAS_TRANSLATION: bool = false;
    #[inline(always)]
    fn rows<L: Lanes>(&self, joint: usize, pose: &PoseBlock, lane: usize) -> ([[L; 3]; 3], [L; 3]) {
        let translation = splat3(&self.space.still[joint / LANES], joint % LANES);
        rows_in_bind_space(self.space, joint, load4(&pose.rotation, lane), translation)
    }
}

#[inline(always)]
fn rows_in_bind_space<L: Lanes>(
    space: &BindSpace,
    joint: usize,
    rotation: [L; 4],
    translation: [L; 3],
) -> ([[L; 3]; 3], [L; 3]) {
    let constants = &space.constants[joint / LANES];
    let sigma = (!space.is_unscaled).then_some(L::splat(constants.sigma[joint % LANES]));
    bound_rows(rotation, translation, sigma, splat3(&constants.pivot, joint % LANES))
}

/// One joint's vector, for all characters.
#[inline(always)]
fn splat3<L: Lanes>([x, y, z]: &[Component; 3], lane: usize) -> [L; 3] {
    [L::splat(x[lane]), L::splat(y[lane]), L::splat(z[lane])]
}

impl<O: EightOut> ComposeEight<'_, O> {
    /// Finds the matrices of a block of joints.
    #[inline(always)]
    fn compose_block<L: Lanes, F: Form>(&mut self, joints: Range<usize>, turned: &mut [PoseBlock; LANES], form: &F) {
        self.turn::<L, F>(joints.start / LANES, turned, form);
        for joint in joints {
            for lane in (0..LANES).step_by(L::WIDTH) {
                self.compose::<L, F>(joint, &turned[joint % LANES], lane, form);
            }
        }
    }

    /// Fetches a block of all characters, lanes becoming characters.
    #[inline(always)]
    fn turn<L: Lanes, F: Form>(&self, block: usize, turned: &mut [PoseBlock; LANES], form: &F) {
        let blocks = self.rig.rest.len();
        for component in 0..if self.is_turned { 0 } else { 4 } {
            let source = std::array::from_fn(|character| &self.poses[character * blocks + block].rotation[component]);
            L::transpose(source, &mut turned.each_mut().map(|pose| &mut pose.rotation[component]));
        }
        for component in 0..if F::HAS_TRANSLATION { 3 } else { 0 } {
            let source =
                std::array::from_fn(|character| &self.poses[character * blocks + block].translation[component]);
            L::transpose(source, &mut turned.each_mut().map(|pose| &mut pose.translation[component]));
        }
        for component in 0..if form.has_scale() { 3 } else { 0 } {
            let source = std::array::from_fn(|character| &self.poses[character * blocks + block].scale[component]);
            L::transpose(source, &mut turned.each_mut().map(|pose| &mut pose.scale[component]));
        }
    }

    /// Finds the matrices of one joint of some characters, whose poses these are.
    #[inline(always)]
    fn compose<L: Lanes, F: Form>(&mut self, joint: usize, pose: &PoseBlock, lane: usize, form: &F) {
        let (local, translation) = form.rows::<L>(joint, pose, lane);
        let link = self.rig.slots[joint];
        let parent = &self.slots[usize::from(link.parent)].0;
        let mut rows = [[L::splat(0.0); 4]; 3];
        for (row, above) in rows.iter_mut().zip(parent) {
            let above = load4(above, lane);
            *row = product_row(above, &local, translation);
        }
        if let Some(own) = self.slots.get_mut(usize::from(link.own)) {
            for (own, row) in own.0.iter_mut().zip(rows) {
                store_all(row, own, lane);
            }
        }
        for row in &mut rows {
            *row = form.finish(joint, *row);
        }
        self.out.put(rows, joint, lane);
    }
}

/// A row of a product, with the operations of [`Lanes::matrix_product`].
#[inline(always)]
fn product_row<L: Lanes>(left: [L; 4], right: &[[L; 3]; 3], translation: [L; 3]) -> [L; 4] {
    let [a, b, c] = right;
    [
        left[0].mul(a[0]).add(left[1].mul(b[0])).add(left[2].mul(c[0])),
        left[0].mul(a[1]).add(left[1].mul(b[1])).add(left[2].mul(c[1])),
        left[0].mul(a[2]).add(left[1].mul(b[2])).add(left[2].mul(c[2])),
        left[0].mul(translation[0]).add(left[1].mul(translation[1])).add(left[2].mul(translation[2])).add(left[3]),
    ]
}

/// A row of a product with the same matrix for all characters.
#[inline(always)]
fn bound_row<L: Lanes>(left: [L; 4], matrix: &Affine) -> [L; 4] {
    let [a, b, c] = &matrix.0;
    let right = [
        [L::splat(a[0]), L::splat(a[1]), L::splat(a[2])],
        [L::splat(b[0]), L::splat(b[1]), L::splat(b[2])],
        [L::splat(c[0]), L::splat(c[1]), L::splat(c[2])],
    ];
    product_row(left, &right, [L::splat(a[3]), L::splat(b[3]), L::splat(c[3])])
}
