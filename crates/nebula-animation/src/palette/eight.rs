//! Eight characters of one rig, side by side in the lanes: what one joint of one character costs least.
//!
//! Every character is sampled by itself, because each has its own keys. Then the poses are turned over, block by block, so
//! that a lane is no longer a joint but a character, and the hierarchy is walked once for all eight. Each operation is
//! the one that a single character gets, in the same order, so the bits are the same.

use super::rows::{bound_rows, local_rows};
use crate::math::affine::{Affine, PaletteRows};
use crate::math::lanes::{Kernel, Lanes, load3, load4, store_all};
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
}

/// Composes the poses of eight characters down the hierarchy, and writes their palettes.
pub(crate) struct ComposeEight<'a> {
    pub rig: &'a Rig,
    /// For local poses, whether all scales are one.
    pub is_unscaled: bool,
    /// The constants of poses in bind space.
    pub space: Option<&'a BindSpace>,
    /// The poses, one character after the other.
    pub poses: &'a [PoseBlock],
    /// One per slot of the rig; the first is the identity.
    pub slots: &'a mut [EightMatrices],
    pub turned: &'a mut [PoseBlock; LANES],
    /// The palettes, one character after the other.
    pub rows: &'a mut [PaletteRows],
}

impl Kernel for ComposeEight<'_> {
    type Output = ();
    const NEEDS_REGISTERS: bool = true;
    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let count = self.rig.joint_count();
        assert!(self.rows.len() == LANES * count);
        for block in (0..count).step_by(LANES) {
            self.turn::<L>(block / LANES);
            for joint in block..count.min(block + LANES) {
                for lane in (0..LANES).step_by(L::WIDTH) {
                    self.compose::<L>(joint, lane);
                }
            }
        }
    }
}

impl ComposeEight<'_> {
    /// Fetches a block of all characters, lanes becoming characters.
    #[inline(always)]
    fn turn<L: Lanes>(&mut self, block: usize) {
        let blocks = self.rig.rest.len();
        for component in 0..4 {
            let source = std::array::from_fn(|character| &self.poses[character * blocks + block].rotation[component]);
            L::transpose(source, self.turned.each_mut().map(|pose| &mut pose.rotation[component]));
        }
        for component in 0..3 {
            let source =
                std::array::from_fn(|character| &self.poses[character * blocks + block].translation[component]);
            L::transpose(source, self.turned.each_mut().map(|pose| &mut pose.translation[component]));
        }
        if self.space.is_none() && !self.is_unscaled {
            for component in 0..3 {
                let source = std::array::from_fn(|character| &self.poses[character * blocks + block].scale[component]);
                L::transpose(source, self.turned.each_mut().map(|pose| &mut pose.scale[component]));
            }
        }
    }

    /// Finds the matrices of one joint of some characters.
    #[inline(always)]
    fn compose<L: Lanes>(&mut self, joint: usize, lane: usize) {
        let pose = &self.turned[joint % LANES];
        let (local, translation) = match self.space {
            Some(space) => {
                let constants = &space.constants[joint / LANES];
                let sigma = (!space.is_unscaled).then_some(L::splat(constants.sigma[joint % LANES]));
                let [x, y, z] = &constants.pivot;
                let pivot = [L::splat(x[joint % LANES]), L::splat(y[joint % LANES]), L::splat(z[joint % LANES])];
                bound_rows(load4(&pose.rotation, lane), load3(&pose.translation, lane), sigma, pivot)
            }
            None => local_rows::<L>(pose, self.is_unscaled, lane),
        };
        let link = self.rig.slots[joint];
        let (parent, count) = (&self.slots[usize::from(link.parent)].0, self.rig.joint_count());
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
        if self.space.is_none() {
            for row in &mut rows {
                *row = bound_row(*row, &self.rig.inverse_binds[joint]);
            }
        }
        L::store_turned_matrices(rows, self.rows, lane * count + joint, count);
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
