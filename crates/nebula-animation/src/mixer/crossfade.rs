//! The arithmetic of cross-fades: combines two poses that both keep moving.

use super::memory::Turns;
use crate::math::lanes::{Kernel, Lanes, load4, store_all};
use crate::math::slerp::{Warp, dot};
use crate::palette::mix;
use crate::rig::block::{LANES, PoseBlock};

/// Gives each rotation the sign of the one that was shown before, and remembers it.
pub(super) struct Follow<'a> {
    pub pose: &'a mut [PoseBlock],
    pub track: &'a mut [Turns],
    /// Whether nothing was shown before: the signs are taken as they are.
    pub is_new: bool,
}

impl Kernel for Follow<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        for (pose, track) in self.pose.iter_mut().zip(self.track) {
            for lane in (0..LANES).step_by(L::WIDTH) {
                let mut turn = load4::<L>(&pose.rotation, lane);
                if !self.is_new {
                    turn = flipped(turn, dot(turn, load4(&track.0, lane)));
                }
                store_all(turn, &mut pose.rotation, lane);
                store_all(turn, &mut track.0, lane);
            }
        }
    }
}

/// Interpolates `pose` towards `other` by a fraction.
///
/// The way round is the shorter one when a track is new. Later it is the one that continues the frame before, even if
/// it has become the longer one: changing sides would be a jump.
pub(super) struct CrossFade<'a> {
    pub pose: &'a mut [PoseBlock],
    pub other: &'a [PoseBlock],
    pub track: &'a mut [Turns],
    pub is_new: bool,
    /// From 0 to 1.
    pub fraction: f32,
}

impl Kernel for CrossFade<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let warp = Warp::<L>::splat(self.fraction);
        let (rest, fraction) = (L::splat(1.0 - self.fraction), L::splat(self.fraction));
        // One short loop after the other, so that the processor works on several blocks at once instead of waiting for the
        // root and the division of each.
        for ((pose, other), track) in self.pose.iter().zip(self.other).zip(self.track.iter_mut()) {
            for lane in (0..LANES).step_by(L::WIDTH) {
                let to = load4::<L>(&other.rotation, lane);
                let before = if self.is_new { load4(&pose.rotation, lane) } else { load4(&track.0, lane) };
                store_all(flipped(to, dot(to, before)), &mut track.0, lane);
            }
        }
        for (pose, track) in self.pose.iter_mut().zip(self.track.iter()) {
            for lane in (0..LANES).step_by(L::WIDTH) {
                let turned = warp.slerp_either_way(load4(&pose.rotation, lane), load4(&track.0, lane));
                store_all(turned, &mut pose.rotation, lane);
            }
        }
        for (pose, other) in self.pose.iter_mut().zip(self.other) {
            for lane in (0..LANES).step_by(L::WIDTH) {
                mix(&mut pose.translation, &other.translation, lane, rest, fraction);
                mix(&mut pose.scale, &other.scale, lane, rest, fraction);
            }
        }
    }
}

/// Puts joints whose pose is not finite where `instead` has them. Whether there were any.
pub(super) struct Repair<'a> {
    pub pose: &'a mut [PoseBlock],
    pub instead: &'a [PoseBlock],
}

impl Kernel for Repair<'_> {
    type Output = bool;
    #[inline(always)]
    fn run<L: Lanes>(self) -> bool {
        let mut is_broken = false;
        for (pose, instead) in self.pose.iter_mut().zip(self.instead) {
            // Zero times a finite number is zero, times any other is not.
            let mut zeros = [0.0_f32; LANES];
            for lane in (0..LANES).step_by(L::WIDTH) {
                let zero = L::splat(0.0);
                let mut sum = zero;
                for (turn, (place, size)) in pose.rotation.iter().zip(pose.translation.iter().zip(&pose.scale)) {
                    let both = L::load(&place[lane..]).mul(zero).add(L::load(&size[lane..]).mul(zero));
                    sum = sum.add(L::load(&turn[lane..]).mul(zero)).add(both);
                }
                sum = sum.add(L::load(&pose.rotation[3][lane..]).mul(zero));
                sum.store(&mut zeros[lane..]);
            }
            for (lane, zero) in zeros.into_iter().enumerate() {
                if zero != 0.0 {
                    is_broken = true;
                    pose.set(lane, instead.get(lane));
                }
            }
        }
        is_broken
    }
}

/// The quaternion with the other sign where `sign` is negative.
#[inline(always)]
pub(super) fn flipped<L: Lanes>([x, y, z, w]: [L; 4], sign: L) -> [L; 4] {
    [x.copy_sign_flip(sign), y.copy_sign_flip(sign), z.copy_sign_flip(sign), w.copy_sign_flip(sign)]
}
