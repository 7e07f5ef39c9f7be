use crate::rig::block::{Component, Part, PoseBlock};

/// What of a block of joints is ever elsewhere than at rest. All rotations are taken to be: hardly a clip leaves one out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Moves {
    pub translation: bool,
    pub scale: bool,
}

impl Moves {
    /// Anything may be anywhere.
    pub const ALL: Self = Self { translation: true, scale: true };

    /// A track moves this part of a joint.
    pub fn note(&mut self, part: Part) {
        match part {
            Part::Translation => self.translation = true,
            Part::Scale => self.scale = true,
            Part::Rotation => {}
        }
    }

    /// What stands still does so somewhere else, be it by a sign of zero.
    pub fn note_apart(&mut self, still: &PoseBlock, rest: &PoseBlock) {
        let is_apart = |a: &[Component], b: &[Component]| {
            a.as_flattened().iter().zip(b.as_flattened()).any(|(a, b)| a.to_bits() != b.to_bits())
        };
        self.translation |= is_apart(&still.translation, &rest.translation);
        self.scale |= is_apart(&still.scale, &rest.scale);
    }
}

impl std::ops::BitOr for Moves {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self { translation: self.translation | other.translation, scale: self.scale | other.scale }
    }
}
