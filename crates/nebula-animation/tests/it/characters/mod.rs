//! Characters made from a few numbers: rigs of any shape, clips with every oddity that files have.
//!
//! Only `+ - * /` and square roots are used, so that a seed makes the same character on every machine: the hash of
//! `determinism.rs` and the properties of `compile/` are about the library, not about somebody's sine.

mod clip;
mod rig;

use glam::{Quat, Vec3};

pub use clip::{ClipRecipe, Curves, Timing};
pub use rig::{Binds, RestScales, RigRecipe, Shape};

/// Numbers that look random: SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to below `end`, which is above 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// A number from 0 to below 1, exact in `f32`.
    pub fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    pub fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    pub fn vector(&mut self, extent: f32) -> Vec3 {
        Vec3::new(self.between(-extent, extent), self.between(-extent, extent), self.between(-extent, extent))
    }

    /// Any rotation.
    pub fn quat(&mut self) -> Quat {
        loop {
            let parts: [f32; 4] = std::array::from_fn(|_| self.between(-1.0, 1.0));
            if (0.01..1.0).contains(&parts.iter().map(|part| part * part).sum::<f32>()) {
                return unit(parts);
            }
        }
    }

    /// A rotation a little away from another one.
    pub fn near(&mut self, quat: Quat) -> Quat {
        let parts = quat.to_array();
        unit(parts.map(|part| part + self.between(-0.2, 0.2)))
    }
}

/// The quaternion of unit length with this direction, rounded once from `f64`.
fn unit(parts: [f32; 4]) -> Quat {
    let wide = parts.map(f64::from);
    let length = (wide[0] * wide[0] + wide[1] * wide[1] + wide[2] * wide[2] + wide[3] * wide[3]).sqrt();
    Quat::from_array(wide.map(|part| (part / length) as f32))
}

/// A half turn about one of the three axes, before `quat`: its components in another order, so that the dot product of
/// the two is zero to the bit or a rounding error away from it.
fn half_turned(quat: Quat, axis: usize) -> Quat {
    let [x, y, z, w] = quat.to_array();
    Quat::from_array([[w, z, -y, -x], [-z, w, x, -y], [y, -x, w, -z]][axis % 3])
}
