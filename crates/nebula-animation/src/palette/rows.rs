//! Affine matrices as three rows: 48 bytes each, and the work on them.

use crate::compile::Rig;
use crate::compile::bind::{BindConstants, BindSpace};
use crate::compile::block::{LANES, PoseBlock};
use crate::math::affine::{Affine, PaletteRows};
use crate::math::lanes::{Kernel, Lanes, load3, load4};

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
                    Some(space) => bind_rows::<L>(block, &space.constants[index], space.is_unscaled, lane),
                    None => local_rows::<L>(block, self.is_unscaled, lane),
                };
                let locals = &mut locals[lane..];
                for (axis, ([a, b, c], d)) in rows.into_iter().zip(translation).enumerate() {
                    L::store_columns([a, b, c, d], locals, 4 * axis);
                }
            }
        }
    }
}

/// The matrices of some joints of a block: the rows of their linear parts, and their translations.
#[inline(always)]
fn local_rows<L: Lanes>(block: &PoseBlock, is_unscaled: bool, lane: usize) -> ([[L; 3]; 3], [L; 3]) {
    let mut rows = rotation_rows::<L>(block, lane);
    if !is_unscaled {
        let [x, y, z] = load3::<L>(&block.scale, lane);
        for row in &mut rows {
            *row = [row[0].mul(x), row[1].mul(y), row[2].mul(z)];
        }
    }
    (rows, load3::<L>(&block.translation, lane))
}

/// The matrices in bind space of some joints of a block: the rows of their linear parts, and their translations.
#[inline(always)]
fn bind_rows<L: Lanes>(
    block: &PoseBlock,
    constants: &BindConstants,
    is_unscaled: bool,
    lane: usize,
) -> ([[L; 3]; 3], [L; 3]) {
    let mut rows = rotation_rows::<L>(block, lane);
    if !is_unscaled {
        let sigma = L::load(&constants.sigma[lane..]);
        for row in &mut rows {
            *row = [row[0].mul(sigma), row[1].mul(sigma), row[2].mul(sigma)];
        }
    }
    let [x, y, z] = load3::<L>(&constants.pivot, lane);
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
    fn put(&mut self, joint: usize, matrix: &Affine);
}

/// Composes matrices down the hierarchy.
///
/// `models[0]` is the identity, `models[place + 1]` is written. Local matrices give model matrices, which are multiplied with
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
        let joints = self.rig.joints.iter().zip(&self.rig.parent_slots).zip(self.locals);
        if self.is_in_bind_space {
            for (place, ((&joint, &parent), local)) in joints.enumerate() {
                let matrix = L::affine_product(&self.models[parent as usize], local);
                self.models[place + 1] = matrix;
                self.out.put(usize::from(joint), &matrix);
            }
        } else {
            for (place, (((&joint, &parent), local), bind)) in joints.zip(&self.rig.inverse_binds).enumerate() {
                let model = L::affine_product(&self.models[parent as usize], local);
                self.models[place + 1] = model;
                self.out.put(usize::from(joint), &L::affine_product(&model, bind));
            }
        }
    }
}

/// Copies skinning matrices out of `models`, past the caches.
pub(crate) struct Stream<'a> {
    pub models: &'a [Affine],
    pub places: &'a [u16],
    pub rows: &'a mut [PaletteRows],
}

impl Kernel for Stream<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        L::stream(self.models, self.places, self.rows);
    }
}
