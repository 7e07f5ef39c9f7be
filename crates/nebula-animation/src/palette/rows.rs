//! Affine matrices as three rows of 48 bytes in total, and operations on them.

use crate::math::affine::{Affine, PaletteRows};
use crate::math::isa::Isa;
use crate::math::lanes::{Kernel, Lanes, TurnedTarget, dispatch, load3, load4, store_all};
use crate::rig::Rig;
use crate::rig::block::{LANES, PoseBlock};
use crate::rig::{BindMaps, BindSpace};

/// Turns poses into matrices, joint after joint. `locals` has [`LANES`] entries per block.
pub(crate) struct LocalMatrices<'a> {
    pub pose: &'a [PoseBlock],
    /// For local poses, whether all scales are one.
    pub is_unscaled: bool,
    /// The constants of poses in bind space.
    pub space: Option<&'a BindSpace>,
    pub locals: &'a mut [Affine],
}

impl Kernel for LocalMatrices<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        for (index, locals) in self.locals.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            let block = &self.pose[index];
            for lane in (0..LANES).step_by(L::WIDTH) {
                let (rows, translation) = match self.space {
                    Some(space) => {
                        let constants = &space.constants[index];
                        let sigma = (!space.is_unscaled).then_some(L::load(&constants.sigma[lane..]));
                        let (rotation, translation) = (load4(&block.rotation, lane), load3(&block.translation, lane));
                        bound_rows::<L>(rotation, translation, sigma, load3(&constants.pivot, lane))
                    }
                    None => local_rows::<L>(block, self.is_unscaled, lane),
                };
                store_rows(rows, translation, &mut locals[lane..]);
            }
        }
    }
}

/// Whether the scales of a pose are those at rest.
pub(crate) struct ScalesRest<'a> {
    pub pose: &'a [PoseBlock],
    pub rest: &'a [PoseBlock],
}

impl Kernel for ScalesRest<'_> {
    type Output = bool;
    #[inline(always)]
    fn run<L: Lanes>(self) -> bool {
        let mut strayed = [0.0; LANES];
        for lane in (0..LANES).step_by(L::WIDTH) {
            let mut sums = [L::splat(0.0); 3];
            for (block, rest) in self.pose.iter().zip(self.rest) {
                for ((sum, scale), rest) in sums.iter_mut().zip(&block.scale).zip(&rest.scale) {
                    let apart = L::load(&scale[lane..]).sub(L::load(&rest[lane..]));
                    *sum = sum.add(apart.mul(apart));
                }
            }
            let [x, y, z] = sums;
            x.add(y).add(z).store(&mut strayed[lane..]);
        }
        // Nor where a number is not one.
        strayed == [0.0; LANES]
    }
}

/// In which blocks translations are those at rest, to the bit: a bit for each of the first 64.
pub(super) fn still_blocks(isa: Isa, pose: &[PoseBlock], rest: &[PoseBlock]) -> u64 {
    dispatch(isa, StillBlocks { pose, rest })
}

struct StillBlocks<'a> {
    pose: &'a [PoseBlock],
    rest: &'a [PoseBlock],
}

impl Kernel for StillBlocks<'_> {
    type Output = u64;
    #[inline(always)]
    fn run<L: Lanes>(self) -> u64 {
        let mut still = 0;
        for (index, (block, rest)) in self.pose.iter().zip(self.rest).enumerate().take(64) {
            let mut apart = 0;
            for (a, b) in block.translation.as_flattened().iter().zip(rest.translation.as_flattened()) {
                apart |= a.to_bits() ^ b.to_bits();
            }
            still |= u64::from(apart == 0) << index;
        }
        still
    }
}

/// As [`LocalMatrices`] in bind space, of local poses whose scales are those at rest.
pub(crate) struct BoundMatrices<'a> {
    pub pose: &'a [PoseBlock],
    pub space: &'a BindSpace,
    pub locals: &'a mut [Affine],
}

impl Kernel for BoundMatrices<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { pose, space, locals } = self;
        for (index, locals) in locals.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            let block = &pose[index];
            for lane in (0..LANES).step_by(L::WIDTH) {
                let (rows, translation) = rows_of_local::<L>(block, space, index, lane);
                store_rows(rows, translation, &mut locals[lane..]);
            }
        }
    }
}

/// Takes local poses to bind space.
pub(super) struct IntoBind<'a> {
    pub pose: &'a [PoseBlock],
    pub space: &'a BindSpace,
    /// Blocks whose translations are not wanted: a bit for each of the first 64.
    pub still: u64,
    /// Rotations and translations; scales are left as they are.
    pub bound: &'a mut [PoseBlock],
}

impl Kernel for IntoBind<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        for (index, (block, bound)) in self.pose.iter().zip(self.bound).enumerate().take(self.space.maps.len()) {
            let maps = &self.space.maps[index];
            for lane in (0..LANES).step_by(L::WIDTH) {
                store_all(bound_turns::<L>(block, maps, lane), &mut bound.rotation, lane);
            }
            if has_bit(self.still, index) {
                continue;
            }
            for lane in (0..LANES).step_by(L::WIDTH) {
                store_all(bound_moves::<L>(block, maps, lane), &mut bound.translation, lane);
            }
        }
    }
}

/// Whether a block is one of the first 64 that have a bit.
#[inline(always)]
pub(super) fn has_bit(bits: u64, block: usize) -> bool {
    block < 64 && bits >> block & 1 == 1
}

/// Rotations in bind space of some joints of a block.
#[inline(always)]
fn bound_turns<L: Lanes>(block: &PoseBlock, maps: &BindMaps, lane: usize) -> [L; 4] {
    let turned = quat_product(load4(&maps.left, lane), load4(&block.rotation, lane));
    quat_product(turned, load4(&maps.right, lane))
}

/// Translations in bind space of some joints of a block.
#[inline(always)]
fn bound_moves<L: Lanes>(block: &PoseBlock, maps: &BindMaps, lane: usize) -> [L; 3] {
    let moved = load3::<L>(&block.translation, lane);
    let mut translation = load3::<L>(&maps.offset, lane);
    for (part, row) in translation.iter_mut().zip(&maps.rows) {
        *part = dot(load3(row, lane), moved).add(*part);
    }
    translation
}

/// The matrices in bind space of some joints of a block, the one with this index, whose scales are those at rest: the rows of their linear
/// parts, and their translations.
#[inline(always)]
pub(super) fn rows_of_local<L: Lanes>(
    block: &PoseBlock,
    space: &BindSpace,
    index: usize,
    lane: usize,
) -> ([[L; 3]; 3], [L; 3]) {
    let (constants, maps) = (&space.constants[index], &space.maps[index]);
    let (rotation, translation) = (bound_turns::<L>(block, maps, lane), bound_moves(block, maps, lane));
    let sigma = (!space.is_unscaled).then_some(L::load(&constants.sigma[lane..]));
    bound_rows(rotation, translation, sigma, load3(&constants.pivot, lane))
}

/// Writes matrices of some lanes, one after the other.
#[inline(always)]
fn store_rows<L: Lanes>(rows: [[L; 3]; 3], translation: [L; 3], matrices: &mut [Affine]) {
    for (row, ([a, b, c], d)) in rows.into_iter().zip(translation).enumerate() {
        L::store_turned([a, b, c, d], &mut MatrixRows { matrices: &mut *matrices, row });
    }
}

#[inline(always)]
fn dot<L: Lanes>([a, b, c]: [L; 3], [x, y, z]: [L; 3]) -> L {
    a.mul(x).add(b.mul(y)).add(c.mul(z))
}

/// The products of quaternions, `left * right`.
#[inline(always)]
fn quat_product<L: Lanes>([a, b, c, d]: [L; 4], [x, y, z, w]: [L; 4]) -> [L; 4] {
    [
        d.mul(x).add(a.mul(w)).add(b.mul(z).sub(c.mul(y))),
        d.mul(y).add(b.mul(w)).add(c.mul(x).sub(a.mul(z))),
        d.mul(z).add(c.mul(w)).add(a.mul(y).sub(b.mul(x))),
        d.mul(w).sub(a.mul(x)).sub(b.mul(y).add(c.mul(z))),
    ]
}

/// A row of each of some matrices.
struct MatrixRows<'a> {
    matrices: &'a mut [Affine],
    row: usize,
}

impl TurnedTarget for MatrixRows<'_> {
    #[inline(always)]
    fn of_lane(&mut self, lane: usize) -> &mut [f32; 4] {
        &mut self.matrices[lane].0[self.row]
    }
}

/// The matrices of some joints of a block: the rows of their linear parts, and their translations.
#[inline(always)]
pub(super) fn local_rows<L: Lanes>(block: &PoseBlock, is_unscaled: bool, lane: usize) -> ([[L; 3]; 3], [L; 3]) {
    let mut rows = rotation_rows::<L>(load4(&block.rotation, lane));
    if !is_unscaled {
        let [x, y, z] = load3::<L>(&block.scale, lane);
        for row in &mut rows {
            *row = [row[0].mul(x), row[1].mul(y), row[2].mul(z)];
        }
    }
    (rows, load3::<L>(&block.translation, lane))
}

/// As [`local_rows`] of a pose in bind space, with its constants: a scale, unless all are one, and the pivot.
#[inline(always)]
pub(super) fn bound_rows<L: Lanes>(
    rotation: [L; 4],
    mut translation: [L; 3],
    sigma: Option<L>,
    pivot: [L; 3],
) -> ([[L; 3]; 3], [L; 3]) {
    let mut rows = rotation_rows::<L>(rotation);
    if let Some(sigma) = sigma {
        for row in &mut rows {
            *row = [row[0].mul(sigma), row[1].mul(sigma), row[2].mul(sigma)];
        }
    }
    for (part, row) in translation.iter_mut().zip(rows) {
        *part = dot(row, pivot).add(*part);
    }
    (rows, translation)
}

/// The matrices of rotations.
#[inline(always)]
fn rotation_rows<L: Lanes>([x, y, z, w]: [L; 4]) -> [[L; 3]; 3] {
    let (x2, y2, z2) = (x.add(x), y.add(y), z.add(z));
    let (xx, yy, zz) = (x.mul(x2), y.mul(y2), z.mul(z2));
    let (xy, xz, yz) = (x.mul(y2), x.mul(z2), y.mul(z2));
    let (wx, wy, wz) = (w.mul(x2), w.mul(y2), w.mul(z2));
    let one = L::splat(1.0);
    [
        [one.sub(yy.add(zz)), xy.sub(wz), xz.add(wy)],
        [xy.add(wz), one.sub(xx.add(zz)), yz.sub(wx)],
        [xz.sub(wy), yz.add(wx), one.sub(xx.add(yy))],
    ]
}

/// Where skinning matrices go. (Not a closure: it would not be inlined into the kernel.)
pub(crate) trait Put {
    /// Takes the matrix of a joint of the skeleton.
    fn put<L: Lanes>(&mut self, joint: usize, matrix: L::Matrix);
}

/// Composes matrices down the hierarchy.
///
/// `models[0]` is the identity, `models[joint + 1]` is written. Local matrices give model matrices, which are multiplied with
/// the inverse bind matrices; those in bind space give skinning matrices at once.
pub(crate) struct Compose<'a, P> {
    pub rig: &'a Rig,
    pub is_in_bind_space: bool,
    pub locals: &'a [Affine],
    pub models: &'a mut [Affine],
    pub out: P,
}

impl<P: Put> Kernel for Compose<'_, P> {
    type Output = ();
    const NEEDS_REGISTERS: bool = true;
    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        for link in &self.rig.by_depth {
            let joint = usize::from(link.joint);
            let above = L::load_matrix(&self.models[usize::from(link.parent_slot)]);
            let model = L::matrix_product(above, &self.locals[joint]);
            L::store_matrix(model, &mut self.models[joint + 1]);
            if self.is_in_bind_space {
                self.out.put::<L>(joint, model);
            } else {
                self.out.put::<L>(joint, L::matrix_product(model, &self.rig.inverse_binds[joint]));
            }
        }
    }
}

/// Copies skinning matrices past the caches.
pub(crate) struct Stream<'a> {
    pub palette: &'a [PaletteRows],
    pub rows: &'a mut [PaletteRows],
}

impl Kernel for Stream<'_> {
    type Output = ();
    const NEEDS_REGISTERS: bool = true;
    #[inline(always)]
    fn run<L: Lanes>(self) {
        L::stream(self.palette, self.rows);
    }
}
