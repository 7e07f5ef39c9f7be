//! The palette of a pose in lanes, written directly as `Mat4`s: matrices are columns from the start, and a joint's
//! parent is read where it was written.

use std::cell::RefCell;

use glam::Mat4;

use super::rows::rows_of_local;
use crate::math::lanes::{Kernel, Lanes, TurnedTarget};
use crate::rig::block::{LANES, PoseBlock};
use crate::rig::{BindSpace, Rig};

/// A matrix as columns, whose last row is of no meaning.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Columns([f32; 16]);

thread_local! {
    static LOCALS: RefCell<Vec<Columns>> = const { RefCell::new(Vec::new()) };
}

/// Lends memory of the thread for the matrices of so many blocks.
pub(super) fn with_columns<T>(blocks: usize, work: impl FnOnce(&mut [Columns]) -> T) -> T {
    LOCALS.with_borrow_mut(|locals| {
        if locals.len() < blocks * LANES {
            locals.resize(blocks * LANES, Columns([0.0; 16]));
        }
        work(&mut locals[..blocks * LANES])
    })
}

/// Makes skinning matrices of local poses whose scales are those at rest, for all joints of a rig with a bind space.
pub(super) struct ComposeColumns<'a> {
    pub rig: &'a Rig,
    pub space: &'a BindSpace,
    pub pose: &'a [PoseBlock],
    /// [`LANES`] entries per block.
    pub locals: &'a mut [Columns],
    /// One for each joint.
    pub palette: &'a mut [Mat4],
}

impl Kernel for ComposeColumns<'_> {
    type Output = ();
    const NEEDS_REGISTERS: bool = true;
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { rig, space, pose, locals, palette } = self;
        for (index, (block, locals)) in pose.iter().zip(locals.as_chunks_mut::<LANES>().0).enumerate() {
            for lane in (0..LANES).step_by(L::WIDTH) {
                let ([a, b, c], [x, y, z]) = rows_of_local::<L>(block, space, index, lane);
                let locals = &mut locals[lane..];
                L::store_turned([a[0], b[0], c[0], c[0]], &mut Column::<0>(&mut *locals));
                L::store_turned([a[1], b[1], c[1], c[1]], &mut Column::<4>(&mut *locals));
                L::store_turned([a[2], b[2], c[2], c[2]], &mut Column::<8>(&mut *locals));
                L::store_turned([x, y, z, z], &mut Column::<12>(&mut *locals));
            }
        }
        let model: &[f32; 16] = Mat4::IDENTITY.as_ref();
        for link in &rig.by_depth {
            let joint = usize::from(link.joint);
            let above = match usize::from(link.parent_slot).checked_sub(1) {
                Some(parent) => palette[parent].as_ref(),
                None => model,
            };
            let matrix = L::whole_product(above, &locals[joint].0);
            L::store_whole_matrix(matrix, palette[joint].as_mut());
        }
    }
}

/// A column of each of some matrices, from this number on.
struct Column<'a, const FROM: usize>(&'a mut [Columns]);

impl<const FROM: usize> TurnedTarget for Column<'_, FROM> {
    #[inline(always)]
    fn of_lane(&mut self, lane: usize) -> &mut [f32; 4] {
        &mut self.0[lane].0.as_chunks_mut::<4>().0[FROM / 4]
    }
}
