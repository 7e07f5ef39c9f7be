//! Affine matrices as three rows: 48 bytes each, and the work on them.

use crate::compile::Rig;
use crate::compile::bind::BindSpace;
use crate::compile::block::{LANES, PoseBlock};
use crate::math::affine::Affine;
use crate::math::lanes::{Lanes, load3, load4};

/// Turns local poses into matrices, joint after joint. `locals` has [`LANES`] entries per block.
#[inline(always)]
pub(crate) fn local_matrices<L: Lanes>(pose: &[PoseBlock], is_unscaled: bool, locals: &mut [Affine]) {
    for (block, locals) in pose.iter().zip(locals.as_chunks_mut::<LANES>().0) {
        for lane in (0..LANES).step_by(L::WIDTH) {
            let mut rows = rotation_rows::<L>(block, lane);
            if !is_unscaled {
                let [x, y, z] = load3::<L>(&block.scale, lane);
                for row in &mut rows {
                    *row = [row[0].mul(x), row[1].mul(y), row[2].mul(z)];
                }
            }
            store_rows(rows, load3::<L>(&block.translation, lane), &mut locals[lane..]);
        }
    }
}

/// Turns poses in bind space into matrices, joint after joint.
#[inline(always)]
pub(crate) fn bind_matrices<L: Lanes>(pose: &[PoseBlock], space: &BindSpace, locals: &mut [Affine]) {
    for ((block, constants), locals) in pose.iter().zip(&space.constants).zip(locals.as_chunks_mut::<LANES>().0) {
        for lane in (0..LANES).step_by(L::WIDTH) {
            let mut rows = rotation_rows::<L>(block, lane);
            if !space.is_unscaled {
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
            store_rows(rows, translation, &mut locals[lane..]);
        }
    }
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

/// Puts matrices of lanes where each joint has its own.
#[inline(always)]
fn store_rows<L: Lanes>(rows: [[L; 3]; 3], translation: [L; 3], locals: &mut [Affine]) {
    for (axis, ([a, b, c], d)) in rows.into_iter().zip(translation).enumerate() {
        L::store_columns([a, b, c, d], locals, 4 * axis);
    }
}

/// Where skinning matrices go. (Not a closure: it would not be inlined into the kernel.)
pub(crate) trait Put {
    /// Takes the matrix of a joint of the skeleton.
    fn put(&mut self, joint: usize, matrix: &Affine);
}

/// Composes local matrices down the hierarchy and multiplies each with its inverse bind matrix.
///
/// `models[0]` is the identity, `models[place + 1]` is written. `out` takes the skinning matrices.
#[inline(always)]
pub(crate) fn compose<L: Lanes>(rig: &Rig, locals: &[Affine], models: &mut [Affine], out: &mut impl Put) {
    let joints = rig.joints.iter().zip(&rig.parent_slots).zip(&rig.inverse_binds).zip(locals);
    for (place, (((&joint, &parent), inverse_bind), local)) in joints.enumerate() {
        let model = L::affine_product(&models[parent as usize], local);
        models[place + 1] = model;
        out.put(usize::from(joint), &L::affine_product(&model, inverse_bind));
    }
}

/// Composes matrices in bind space down the hierarchy: each is a skinning matrix at once.
#[inline(always)]
pub(crate) fn compose_bound<L: Lanes>(rig: &Rig, locals: &[Affine], models: &mut [Affine], out: &mut impl Put) {
    let joints = rig.joints.iter().zip(&rig.parent_slots).zip(locals);
    for (place, ((&joint, &parent), local)) in joints.enumerate() {
        let matrix = L::affine_product(&models[parent as usize], local);
        models[place + 1] = matrix;
        out.put(usize::from(joint), &matrix);
    }
}
