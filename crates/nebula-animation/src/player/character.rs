use std::sync::Arc;

use glam::Mat4;

use super::{Advance, AnimationPlayer, advance_time, compute_world_matrices, sample_with_palette};
use crate::compile::AnimationClipLibrary;
use crate::skeleton::Skeleton;

/// One animated character without an ECS: its skeleton, its clips and its player, with the stages called in order.
///
/// Every field is public: pause, seek and switch clips through [`player`](Character::player). Go underneath it, to
/// [`advance_and_sample`](super::advance_and_sample) and [`compute_world_matrices`], to bend the pose between the two, or to keep the parts of
/// thousands of characters in arrays of your own. With `bevy_ecs`, the `ecs` module's systems call the same stages.
///
/// ```
/// use nebula_animation::{AnimationClip, AnimationClipLibrary, Character, Skeleton};
///
/// let clips = vec![AnimationClip { duration: 1.0, ..Default::default() }];
/// let mut character = Character::new(Skeleton::default(), AnimationClipLibrary::from(clips));
/// character.update(1.0 / 60.0);
/// let matrices_for_the_gpu: &[glam::Mat4] = character.palette();
/// assert_eq!(matrices_for_the_gpu.len(), character.skeleton.joints.len());
/// ```
#[derive(Debug, Clone)]
pub struct Character {
    /// The joints; many characters may share them.
    pub skeleton: Arc<Skeleton>,
    /// The clips to choose from; many characters may share them.
    pub clips: AnimationClipLibrary,
    /// Clock, pose and palette.
    pub player: AnimationPlayer,
}

impl Character {
    /// A character in the first frame of its first clip, or in its bind pose where there are no clips; looping, playing.
    #[must_use]
    pub fn new(skeleton: impl Into<Arc<Skeleton>>, clips: impl Into<AnimationClipLibrary>) -> Self {
        let (skeleton, clips) = (skeleton.into(), clips.into());
        let duration = clips.first().map_or(0.0, |clip| clip.duration);
        let player = AnimationPlayer::new(0, duration, skeleton.joints.len());
        let mut character = Self { skeleton, clips, player };
        character.update(0.0);
        character
    }

    /// Lets `dt` seconds pass (`f32` or `f64`), and brings pose and palette up to date.
    ///
    /// Where time stands still, the pose stays as it is, also what you wrote into it, and the palette is made of it. Its numbers may
    /// differ in the last bits from those of the frame before, which came from the clip directly.
    pub fn update(&mut self, dt: impl Into<f64>) -> Advance {
        let advance = advance_time(&mut self.player, &self.clips, dt);
        if self.player.needs_sampling(&self.skeleton, &self.clips) {
            sample_with_palette(&mut self.player, &self.skeleton, &self.clips);
        } else {
            // Somebody may have written poses.
            compute_world_matrices(&mut self.player, &self.skeleton);
        }
        advance
    }

    /// The skinning matrices of the last update, one per joint of the skeleton.
    #[must_use]
    pub fn palette(&self) -> &[Mat4] {
        &self.player.joint_matrices
    }
}
