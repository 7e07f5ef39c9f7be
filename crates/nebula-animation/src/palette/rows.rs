//! Affine matrices as three rows: 48 bytes each, and the work on them.

use crate::math::affine::{Affine, PaletteRows};
use crate::math::lanes::{Kernel, Lanes, TurnedTarget, load3, load4};
use crate::rig::BindSpace;
use crate::rig::Rig;
use crate::rig::block::{LANES, PoseBlock};

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
                        bind_rows::<L>(block, sigma, load3(&constants.pivot, lane), lane)
                    }
                    None => local_rows::<L>(block, self.is_unscaled, lane),
                };
                let locals = &mut locals[lane..];
                for (axis, ([a, b, c], d)) in rows.into_iter().zip(translation).enumerate() {
                    L::store_turned([a, b, c, d], &mut MatrixRows { matrices: &mut *locals, row: axis });
                }
            }
        }
    }
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
    let mut rows = rotation_rows::<L>(block, lane);
    if !is_unscaled {
        let [x, y, z] = load3::<L>(&block.scale, lane);
        for row in &mut rows {
            *row = [row[0].mul(x), row[1].mul(y), row[2].mul(z)];
        }
    }
    (rows, load3::<L>(&block.translation, lane))
}

/// As [`local_rows`] in bind space, with its constants: a scale, unless all are one, and the pivot.
#[inline(always)]
pub(super) fn bind_rows<L: Lanes>(
    block: &PoseBlock,
    sigma: Option<L>,
    [x, y, z]: [L; 3],
    lane: usize,
) -> ([[L; 3]; 3], [L; 3]) {
    let mut rows = rotation_rows::<L>(block, lane);
    if let Some(sigma) = sigma {
        for row in &mut rows {
            *row = [row[0].mul(sigma), row[1].mul(sigma), row[2].mul(sigma)];
        }
    }
    let mut translation = load3::<L>(&block.translation, lane);
    for (part, row) in translation.iter_mut().zip(rows) {
        *part = row[0].mul(x).add(row[1].mul(y)).add(row[2].mul(z)).add(*part);
    }
    (rows, translation)
}

/// The rotation matrices of some joints of a block.
#[inline(always)]
fn rotation_rows<L: Lanes>(block: &PoseBlock, lane: usize) -> [[L; 3]; 3] {
    let [x, y, z, w] = load4::<L>(&block.rotation, lane);
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
    fn put<L: Lanes>(&mut self, joint: usize, matrix: &Affine);
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
    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        for link in &self.rig.by_depth {
            let joint = usize::from(link.joint);
            let model = L::affine_product(&self.models[usize::from(link.parent_slot)], &self.locals[joint]);
            self.models[joint + 1] = model;
            if self.is_in_bind_space {
                self.out.put::<L>(joint, &model);
            } else {
                self.out.put::<L>(joint, &L::affine_product(&model, &self.rig.inverse_binds[joint]));
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
    #[inline(always)]
    fn run<L: Lanes>(self) {
        L::stream(self.palette, self.rows);
    }
}
