use std::sync::Arc;

use glam::Mat4;

use super::{AnimationMixer, update_mixer};
use crate::compile::AnimationClipLibrary;
use crate::player::{AnimationPlayer, compute_world_matrices};
use crate::skeleton::Skeleton;

/// One animated character that fades from clip to clip, without an ECS: its skeleton, its mixer, and a pose and palette.
///
/// Every field is public. Go underneath it, to [`update_mixer`] and [`compute_world_matrices`], to bend the pose between the
/// two.
///
/// ```
/// use nebula_animation::{AnimationClip, MixedCharacter, Skeleton};
///
/// # fn main() -> Result<(), nebula_animation::PlayError> {
/// # let clip = |name: &str| AnimationClip { name: name.into(), duration: 1.0, ..Default::default() };
/// # let (skeleton, clips) = (Skeleton::default(), vec![clip("idle"), clip("walk")]);
/// let mut character = MixedCharacter::new(skeleton, clips);
/// character.mixer.play("idle", 0.3)?;
/// character.update(1.0 / 60.0);
/// character.mixer.play("walk", 0.3)?;
/// character.update(1.0 / 60.0);
/// let matrices_for_the_gpu: &[glam::Mat4] = character.palette();
/// # assert_eq!(matrices_for_the_gpu.len(), character.skeleton.joints.len());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct MixedCharacter {
    /// The joints; many characters may share them.
    pub skeleton: Arc<Skeleton>,
    /// What plays.
    pub mixer: AnimationMixer,
    /// Pose and palette.
    pub player: AnimationPlayer,
}

impl MixedCharacter {
    /// A character in its bind pose, which plays nothing yet.
    #[must_use]
    pub fn new(skeleton: impl Into<Arc<Skeleton>>, clips: impl Into<AnimationClipLibrary>) -> Self {
        let (skeleton, mixer) = (skeleton.into(), AnimationMixer::new(clips));
        let mut player = AnimationPlayer::new(0, 0.0, skeleton.joints.len());
        player.local_poses = skeleton.bind_pose();
        compute_world_matrices(&mut player, &skeleton);
        Self { skeleton, mixer, player }
    }

    /// Lets `dt` seconds pass (`f32` or `f64`), and brings pose and palette up to date.
    pub fn update(&mut self, dt: impl Into<f64>) {
        update_mixer(&mut self.mixer, &mut self.player, &self.skeleton, dt);
        compute_world_matrices(&mut self.player, &self.skeleton);
    }

    /// The skinning matrices of the last update, one per joint of the skeleton.
    #[must_use]
    pub fn palette(&self) -> &[Mat4] {
        &self.player.joint_matrices
    }
}
