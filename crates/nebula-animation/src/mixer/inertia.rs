//! Decaying differences: what an inertialised fade adds to the pose.
//!
//! A difference is three numbers each for translation, rotation and scale. A rotation is stored as `tan(angle / 4)`
//! along its axis, which is smooth up to a full turn, close to a quarter of the angle for small ones, and needs no
//! trigonometry in either direction.

use super::blend::product;
use super::crossfade::flipped;
use crate::math::lanes::{Kernel, Lanes, load3, load4, store_all};
use crate::math::slerp::dot;
use crate::rig::block::{Component, LANES, PoseBlock};

/// What dies away, of eight joints.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Difference {
    /// At the beginning: translation, rotation, scale.
    start: [Component; 9],
    /// Its velocity at the beginning, times the length of the fade.
    drift: [Component; 9],
    /// How far the fade has come: from 0 to 1.
    progress: Component,
    /// One over its length in seconds.
    rate: Component,
}

impl Difference {
    /// The components, for records.
    pub fn components(&self) -> impl Iterator<Item = &Component> {
        self.start.iter().chain(&self.drift).chain([&self.progress, &self.rate])
    }

    pub fn components_mut(&mut self) -> impl Iterator<Item = &mut Component> {
        self.start.iter_mut().chain(&mut self.drift).chain([&mut self.progress, &mut self.rate])
    }

    /// How many components there are.
    pub const COMPONENTS: usize = 20;

    /// One joint: at the beginning, and its velocity then.
    pub fn of_lane(&self, lane: usize) -> [[f32; 9]; 2] {
        [&self.start, &self.drift].map(|part| part.map(|component| component[lane]))
    }

    /// Whether every fade is between its beginning and its end, and moves towards that.
    pub fn is_on_its_way(&self) -> bool {
        let is_inside = self.progress.iter().all(|progress| (0.0..=1.0).contains(progress));
        is_inside && self.rate.iter().all(|rate| *rate >= 0.0)
    }

    pub const NONE: Self =
        Self { start: [[0.0; LANES]; 9], drift: [[0.0; LANES]; 9], progress: [1.0; LANES], rate: [0.0; LANES] };
}

/// The joints whose differences are replaced by none: all that a mask gives a weight.
pub(super) fn forget(differences: &mut [Difference], mask: Option<&[Component]>) {
    for (block, difference) in differences.iter_mut().enumerate() {
        for lane in 0..LANES {
            if mask.is_none_or(|mask| mask[block][lane] > 0.0) {
                difference.progress[lane] = 1.0;
            }
        }
    }
}

/// Lets differences get older by `dt` seconds.
pub(super) struct Age<'a> {
    pub differences: &'a mut [Difference],
    pub dt: f32,
}

impl Kernel for Age<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let (zero, one, dt) = (L::splat(0.0), L::splat(1.0), L::splat(self.dt));
        for difference in self.differences {
            for lane in (0..LANES).step_by(L::WIDTH) {
                let progress = L::load(&difference.progress[lane..]).add(L::load(&difference.rate[lane..]).mul(dt));
                let progress = one.select_above(progress, progress, one);
                progress.select_above(zero, progress, zero).store(&mut difference.progress[lane..]);
            }
        }
    }
}

/// Adds to a pose what is left of the differences, `ahead` seconds from now.
pub(super) struct Apply<'a> {
    pub pose: &'a mut [PoseBlock],
    pub differences: &'a [Difference],
    pub ahead: f32,
}

impl Kernel for Apply<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let (one, ahead) = (L::splat(1.0), L::splat(self.ahead));
        for (pose, difference) in self.pose.iter_mut().zip(self.differences) {
            for lane in (0..LANES).step_by(L::WIDTH) {
                let s = L::load(&difference.progress[lane..]).add(L::load(&difference.rate[lane..]).mul(ahead));
                let s = one.select_above(s, s, one);
                let left = one.sub(s);
                let cube = left.mul(left).mul(left);
                let of_start = cube.mul(one.add(s.mul(L::splat(3.0).sub(s.add(s)))));
                let of_drift = s.mul(cube).mul(left);
                let mut now = [one; 9];
                for (index, now) in now.iter_mut().enumerate() {
                    let start = L::load(&difference.start[index][lane..]).mul(of_start);
                    *now = start.add(L::load(&difference.drift[index][lane..]).mul(of_drift));
                }
                let [tx, ty, tz, rx, ry, rz, sx, sy, sz] = now;
                add(&mut pose.translation, [tx, ty, tz], lane);
                add(&mut pose.scale, [sx, sy, sz], lane);
                let turned = product(turn_of([rx, ry, rz]), load4(&pose.rotation, lane));
                store_all(turned, &mut pose.rotation, lane);
            }
        }
    }
}

#[inline(always)]
fn add<L: Lanes>(components: &mut [Component; 3], values: [L; 3], lane: usize) {
    for (component, value) in components.iter_mut().zip(values) {
        L::load(&component[lane..]).add(value).store(&mut component[lane..]);
    }
}

/// Finds the difference between what was shown and what will be, at this moment and a little later.
pub(super) struct Capture<'a> {
    pub differences: &'a mut [Difference],
    /// What was shown in the last frame.
    pub shown: &'a [PoseBlock],
    /// What would have been shown now, `step` seconds later, and twice that.
    pub old: [&'a [PoseBlock]; 3],
    /// The same of what is shown from now on, without differences.
    pub new: [&'a [PoseBlock]; 3],
    pub step: f32,
    /// Length of the fade in seconds.
    pub seconds: f32,
    /// Joints of weight 0 keep the difference that they have.
    pub mask: Option<&'a [Component]>,
    /// No translation is taken to be faster, in units per second.
    pub fastest: f32,
}

/// The largest angular velocity, as a velocity of `tan(angle / 4)`: eight turns per second. Anything faster is a jump
/// between two keys and counts as no velocity.
const FASTEST_TURN: f32 = 12.5;

/// The same for factors of scale.
const FASTEST_SCALE: f32 = 50.0;

impl Kernel for Capture<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let per_fade = L::splat(self.seconds / self.step);
        let limits = [self.fastest, FASTEST_TURN, FASTEST_SCALE];
        let (zero, rate) = (L::splat(0.0), L::splat(1.0 / self.seconds));
        for (index, difference) in self.differences.iter_mut().enumerate() {
            for lane in (0..LANES).step_by(L::WIDTH) {
                let takes_part = match self.mask {
                    Some(mask) => L::load(&mask[index][lane..]),
                    None => L::splat(1.0),
                };
                let start = difference_of::<L>(&self.shown[index], &self.new[0][index], lane, None);
                let now = difference_of::<L>(&self.old[0][index], &self.new[0][index], lane, Some(start.0));
                let soon = difference_of::<L>(&self.old[1][index], &self.new[1][index], lane, Some(now.0));
                let later = difference_of::<L>(&self.old[2][index], &self.new[2][index], lane, Some(soon.0));
                for slot in 0..9 {
                    // Where a key steps, one of the two velocities is a jump, and the other the movement.
                    let (first, second) = (soon.1[slot].sub(now.1[slot]), later.1[slot].sub(soon.1[slot]));
                    let twice = second.add(second);
                    let moved = first.mul(first).select_above(twice.mul(twice), second, first);
                    let drift = moved.mul(per_fade);
                    let limit = L::splat(limits[slot / 3] * self.seconds);
                    let drift = limit.select_above(drift, drift, limit);
                    let least = zero.sub(limit);
                    let drift = drift.select_above(least, drift, least);
                    replace(takes_part, start.1[slot], &mut difference.start[slot], lane);
                    replace(takes_part, drift, &mut difference.drift[slot], lane);
                }
                replace(takes_part, zero, &mut difference.progress, lane);
                replace(takes_part, rate, &mut difference.rate, lane);
            }
        }
    }
}

/// Overwrites the lanes that take part.
#[inline(always)]
fn replace<L: Lanes>(takes_part: L, value: L, component: &mut Component, lane: usize) {
    let kept = L::load(&component[lane..]);
    takes_part.select_above(L::splat(0.0), value, kept).store(&mut component[lane..]);
}

/// The difference of two poses: the rotation between them as a quaternion, and all of it as nine numbers. Of the two
/// quaternions, the one nearer to `like`, or the smaller rotation.
#[inline(always)]
fn difference_of<L: Lanes>(old: &PoseBlock, new: &PoseBlock, lane: usize, like: Option<[L; 4]>) -> ([L; 4], [L; 9]) {
    let turn = between::<L>(&old.rotation, &new.rotation, lane);
    let sign = match like {
        Some(like) => dot(turn, like),
        None => turn[3],
    };
    let turn = flipped(turn, sign);
    let [tx, ty, tz] = minus(&old.translation, &new.translation, lane);
    let [rx, ry, rz] = vector_of(turn);
    let [sx, sy, sz] = minus(&old.scale, &new.scale, lane);
    (turn, [tx, ty, tz, rx, ry, rz, sx, sy, sz])
}

#[inline(always)]
fn minus<L: Lanes>(a: &[Component; 3], b: &[Component; 3], lane: usize) -> [L; 3] {
    let (a, b) = (load3::<L>(a, lane), load3::<L>(b, lane));
    [a[0].sub(b[0]), a[1].sub(b[1]), a[2].sub(b[2])]
}

/// The rotation that leads from `new` to `old`.
#[inline(always)]
fn between<L: Lanes>(old: &[Component; 4], new: &[Component; 4], lane: usize) -> [L; 4] {
    let zero = L::splat(0.0);
    let [x, y, z, w] = load4::<L>(new, lane);
    product(load4(old, lane), [zero.sub(x), zero.sub(y), zero.sub(z), w])
}

/// The three numbers of a rotation.
#[inline(always)]
fn vector_of<L: Lanes>([x, y, z, w]: [L; 4]) -> [L; 3] {
    // Only the later of two rotations can come near to a whole turn, and only where the limit of velocity holds anyway.
    let one = L::splat(1.0);
    let sum = one.add(w);
    let least = L::splat(0.01);
    let scale = one.div(sum.select_above(least, sum, least));
    [x.mul(scale), y.mul(scale), z.mul(scale)]
}

/// The rotation of three numbers; of unit length whatever they are.
#[inline(always)]
fn turn_of<L: Lanes>([x, y, z]: [L; 3]) -> [L; 4] {
    let one = L::splat(1.0);
    let squared = x.mul(x).add(y.mul(y)).add(z.mul(z));
    let scale = one.div(one.add(squared));
    let twice = scale.add(scale);
    [x.mul(twice), y.mul(twice), z.mul(twice), one.sub(squared).mul(scale)]
}
