//! Writes the characters that are drawn straight into a renderer's buffer.

use glam::{Affine3A, Mat4};

use super::evaluate::Parts;
use super::{Crowd, CrowdCharacterId};
use crate::palette::{Drawn, SkinLayout, with_evaluator};
use crate::rig::block::LANES;

/// A character of a crowd, and where to draw it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawnCharacter {
    /// The character.
    pub character: CrowdCharacterId,
    /// The transform from model space to world space.
    pub world_from_model: Affine3A,
}

impl Crowd {
    /// Evaluates characters at their current times and writes the skinning matrices of their meshes in world space to
    /// where a renderer wants them. No palette is kept, and characters that are not drawn cost nothing.
    /// [`palettes`](Crowd::palettes) and morph weights are not changed.
    ///
    /// `layout` applies to all of them, as does the rig. `starts` says where in `matrices` the skins of each character
    /// begin: for each character in turn, one number per skin of the layout, or
    /// [`NOT_DRAWN`](crate::palette::NOT_DRAWN) to skip a skin. Entries that are missing from any of these are skipped,
    /// and so are characters that have been removed. Does not allocate once the thread has seen the rig. Several
    /// threads can share a crowd if each writes to its own memory.
    ///
    /// ```
    /// use glam::{Affine3A, Mat4, Vec3};
    /// use nebula_animation::crowd::{Crowd, DrawnCharacter};
    /// use nebula_animation::palette::{NOT_DRAWN, SkinLayout};
    /// # use nebula_animation::{AnimationClip, AnimationClipLibrary, Joint, Rig, Skeleton};
    /// # use glam::Quat;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let root = Joint { index: 0, parent: None, inverse_bind_matrix: Mat4::IDENTITY, name: "root".into(),
    /// #     bind_translation: Vec3::ZERO, bind_rotation: Quat::IDENTITY, bind_scale: Vec3::ONE };
    /// # let walk = AnimationClip { name: "walk".into(), duration: 1.0, ..AnimationClip::default() };
    /// # let library = AnimationClipLibrary::new(&Rig::new(Skeleton { joints: vec![root] }), &[walk]);
    /// # let mut crowd = Crowd::new();
    /// # let walk = crowd.add_clip(&library, library.find("walk")?)?;
    /// let character = crowd.spawn(walk)?;
    /// // Its two meshes have a skin of one joint; the second one is not in view.
    /// let layout = SkinLayout::new([[Some(0)], [Some(0)]]);
    /// let drawn = DrawnCharacter { character, world_from_model: Affine3A::from_translation(Vec3::X) };
    /// let mut matrices = [Mat4::IDENTITY; 4];
    /// crowd.write_in_world(&layout, &[drawn], &[3, NOT_DRAWN], &mut matrices);
    /// assert_eq!(matrices[3], Mat4::from_translation(Vec3::X));
    /// # Ok(())
    /// # }
    /// ```
    pub fn write_in_world(&self, layout: &SkinLayout, drawn: &[DrawnCharacter], starts: &[u32], matrices: &mut [Mat4]) {
        if layout.skins() == 0 {
            return;
        }
        let parts = Parts { ranks: &self.ranks, clips: &self.clips, characters: &self.characters };
        let mut all = drawn.iter().zip(starts.chunks_exact(layout.skins())).filter_map(|(drawn, starts)| {
            let index = self.index_of(drawn.character)?;
            let rank = self.ranks.number_at(index);
            let source = parts.source(rank, index);
            Some((rank, Drawn { source, world_from_model: &drawn.world_from_model, starts }))
        });
        with_evaluator(|evaluator| {
            let mut next = all.next();
            while let Some((rank, first)) = next.take() {
                // Side by side go those of one rig, and not what is in bind space with what is not: nobody's bits depend on the neighbours.
                let (mut eight, mut count) = ([first; LANES], 1);
                let is_in_bind_space = first.source.is_in_bind_space();
                for (other_rank, other) in all.by_ref() {
                    if count == LANES || other_rank != rank || other.source.is_in_bind_space() != is_in_bind_space {
                        next = Some((other_rank, other));
                        break;
                    }
                    eight[count] = other;
                    count += 1;
                }
                evaluator.write_eight(&self.ranks.get(rank).rig, &eight[..count], layout, matrices);
            }
        });
    }
}
