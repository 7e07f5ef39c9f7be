//! Interpolation from one pose to another, along the shorter arc for rotations; shared by crowds, mixer layers and
//! weights of procedural layers. Only the mixer's cross-fade, which remembers which arc it follows, has its own.

use glam::Quat;

use crate::compile::Moves;
use crate::math::lanes::{Kernel, Lanes, Scalar, load3, load4, store_all};
use crate::math::slerp::Warp;
use crate::rig::block::{Component, LANES, PoseBlock};
use crate::skeleton::JointPose;

/// Moves `pose` a fraction of the way to `other`.
pub(crate) struct Toward<'a> {
    pub pose: &'a mut [PoseBlock],
    pub other: &'a [PoseBlock],
    /// From 0 to 1.
    pub fraction: f32,
    /// Multiplies the fraction, joint by joint.
    pub mask: Option<&'a [Component]>,
    /// Whether scales may differ.
    pub has_scale: bool,
    /// What of each block is not at rest in either of them.
    pub moves: Option<[&'a [Moves]; 2]>,
}

impl Toward<'_> {
    /// What of a block may differ.
    #[inline(always)]
    fn moves(&self, block: usize) -> Moves {
        let moves = self.moves.map_or(Moves::ALL, |[a, b]| a[block] | b[block]);
        Moves { scale: moves.scale & self.has_scale, ..moves }
    }
}

impl Kernel for Toward<'_> {
    type Output = ();
    const NEEDS_REGISTERS: bool = true;
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Some(mask) = self.mask else {
            let warp = Warp::<L>::splat(self.fraction);
            let parts = [L::splat(1.0 - self.fraction), L::splat(self.fraction)];
            for index in 0..self.pose.len().min(self.other.len()) {
                let moves = self.moves(index);
                for lane in (0..LANES).step_by(L::WIDTH) {
                    go::<L>(&mut self.pose[index], &self.other[index], lane, &warp, parts, moves);
                }
            }
            return;
        };
        let shared = L::splat(self.fraction);
        for (index, mask) in mask.iter().enumerate().take(self.pose.len().min(self.other.len())) {
            let moves = self.moves(index);
            let (pose, other) = (&mut self.pose[index], &self.other[index]);
            if *mask == [0.0; LANES] {
                continue;
            }
            if *mask == [1.0; LANES] && self.fraction == 1.0 {
                copy::<L>(other, pose);
                continue;
            }
            for lane in (0..LANES).step_by(L::WIDTH) {
                let fraction = shared.mul(L::load(&mask[lane..]));
                let parts = [L::splat(1.0).sub(fraction), fraction];
                go::<L>(pose, other, lane, &Warp::new(fraction), parts, moves);
            }
        }
    }
}

/// Copies whole vectors.
#[inline(always)]
fn copy<L: Lanes>(from: &PoseBlock, to: &mut PoseBlock) {
    for lane in (0..LANES).step_by(L::WIDTH) {
        store_all(load4::<L>(&from.rotation, lane), &mut to.rotation, lane);
        store_all(load3::<L>(&from.translation, lane), &mut to.translation, lane);
        store_all(load3::<L>(&from.scale, lane), &mut to.scale, lane);
    }
}

/// The joints of some lanes.
#[inline(always)]
fn go<L: Lanes>(
    pose: &mut PoseBlock,
    other: &PoseBlock,
    lane: usize,
    warp: &Warp<L>,
    [rest, fraction]: [L; 2],
    moves: Moves,
) {
    let turned = warp.slerp_shorter(load4(&pose.rotation, lane), load4(&other.rotation, lane));
    store_all(turned, &mut pose.rotation, lane);
    if moves.translation {
        mix(&mut pose.translation, &other.translation, lane, rest, fraction);
    }
    if moves.scale {
        mix(&mut pose.scale, &other.scale, lane, rest, fraction);
    }
}

/// Straight lines, for translations and scales.
#[inline(always)]
pub(crate) fn mix<L: Lanes>(a: &mut [Component; 3], b: &[Component; 3], lane: usize, rest: L, fraction: L) {
    for (a, b) in a.iter_mut().zip(b) {
        L::load(&a[lane..]).mul(rest).add(L::load(&b[lane..]).mul(fraction)).store(&mut a[lane..]);
    }
}

/// The same for a single joint, with the same bits; the fraction from 0 to 1 is that of the warp.
#[inline]
pub(crate) fn joint_toward(warp: &Warp<Scalar>, fraction: f32, from: &JointPose, to: &JointPose) -> JointPose {
    (from.0.lerp(to.0, fraction), turn_toward(warp, from.1, to.1), from.2.lerp(to.2, fraction))
}

/// The rotation between two, by the shorter way.
#[inline]
pub(crate) fn turn_toward(warp: &Warp<Scalar>, from: Quat, to: Quat) -> Quat {
    let parts = warp.slerp_shorter(from.to_array().map(Scalar::splat), to.to_array().map(Scalar::splat));
    Quat::from_array(parts.map(Scalar::get))
}
