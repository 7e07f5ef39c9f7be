//! Poses of eight joints side by side: the unit of vector arithmetic.

use std::ops::Range;

use glam::{Quat, Vec3};

use crate::skeleton::JointPose;

/// Joints in a block: as many as the widest vectors hold.
pub(crate) use crate::math::lanes::LANES;

/// One component of eight joints.
pub(crate) type Component = [f32; LANES];

/// Splines with numbers up to this size can be squared without leaving the range of `f32`, over intervals of up to an hour.
/// Others, and those without tangents, take the path of channels on their own, which looks twice.
pub(crate) const LARGEST: f32 = 1e15;

/// The poses of eight joints, component by component.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct PoseBlock {
    /// x, y, z.
    pub translation: [Component; 3],
    /// x, y, z, w.
    pub rotation: [Component; 4],
    /// x, y, z.
    pub scale: [Component; 3],
}

impl PoseBlock {
    pub const IDENTITY: Self = Self {
        translation: [[0.0; LANES]; 3],
        rotation: [[0.0; LANES], [0.0; LANES], [0.0; LANES], [1.0; LANES]],
        scale: [[1.0; LANES]; 3],
    };

    pub fn set(&mut self, lane: usize, (translation, rotation, scale): JointPose) {
        for axis in 0..3 {
            self.translation[axis][lane] = translation[axis];
            self.scale[axis][lane] = scale[axis];
        }
        self.set_rotation(lane, rotation);
    }

    #[inline(always)]
    pub fn set_rotation(&mut self, lane: usize, rotation: Quat) {
        for (component, value) in self.rotation.iter_mut().zip(rotation.to_array()) {
            component[lane] = value;
        }
    }

    #[inline]
    pub fn get(&self, lane: usize) -> JointPose {
        let vector =
            |components: &[Component; 3]| Vec3::new(components[0][lane], components[1][lane], components[2][lane]);
        let [x, y, z, w] = &self.rotation;
        (vector(&self.translation), Quat::from_xyzw(x[lane], y[lane], z[lane], w[lane]), vector(&self.scale))
    }

    /// Whether all numbers are such, and not huge.
    pub fn is_tame(&self) -> bool {
        let parts = self.translation.iter().chain(&self.rotation).chain(&self.scale);
        parts.flatten().all(|number| number.abs() < LARGEST)
    }

    /// Whether all rotations are of unit length, about.
    pub fn is_of_unit_turns(&self) -> bool {
        (0..LANES).all(|lane| (self.get(lane).1.length_squared() - 1.0).abs() < 1e-2)
    }

    /// The components of one part.
    #[inline(always)]
    pub fn part_mut(&mut self, part: Part) -> &mut [Component] {
        match part {
            Part::Translation => &mut self.translation,
            Part::Rotation => &mut self.rotation,
            Part::Scale => &mut self.scale,
        }
    }
}

/// A set of blocks of a rig. Those from the 64th on share one bit: rigs with so many joints are rare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Blocks(u64);

impl Blocks {
    pub const NONE: Self = Self(0);
    pub const ALL: Self = Self(u64::MAX);

    /// Those of which something holds.
    pub fn which<T>(blocks: &[T], holds: impl Fn(&T) -> bool) -> Self {
        let mut bits = 0;
        for (index, block) in blocks.iter().enumerate().take(63) {
            bits |= u64::from(holds(block)) << index;
        }
        let rest = blocks.get(63..).unwrap_or_default();
        Self(bits | u64::from(!rest.is_empty() && rest.iter().all(holds)) << 63)
    }

    /// Whether a block is one of them.
    #[inline(always)]
    pub fn has(self, block: usize) -> bool {
        self.0 >> block.min(63) & 1 == 1
    }

    #[must_use]
    pub fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Runs of adjacent blocks, out of this many.
    #[inline(always)]
    pub fn stretches(self, count: usize) -> Stretches {
        Stretches { bits: self.0, count }
    }
}

impl std::ops::BitOr for Blocks {
    type Output = Self;

    fn bitor(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }
}

/// See [`Blocks::stretches`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stretches {
    bits: u64,
    count: usize,
}

impl Iterator for Stretches {
    type Item = Range<usize>;

    #[inline(always)]
    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.bits.trailing_zeros() as usize;
        if self.bits == 0 || start >= self.count {
            return None;
        }
        let end = start + (self.bits >> start).trailing_ones() as usize;
        self.bits = if end < 64 { self.bits & (u64::MAX << end) } else { 0 };
        Some(start..if end < 64 { end.min(self.count) } else { self.count })
    }
}

/// Part of a joint's pose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    Translation,
    Rotation,
    Scale,
}
