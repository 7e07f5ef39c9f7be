use std::ops::Deref;
use std::sync::Arc;

use bevy_ecs::component::{Component, Mutable, StorageType};
use glam::{Affine3A, Mat4, Quat, Vec3};

use crate::compile::AnimationClipLibrary;
use crate::mixer::{AnimationMixer, StateMachinePlayer};
use crate::player::AnimationPlayer;
use crate::skeleton::Skeleton;

/// A skeleton that many entities share; derefs to it. Cheap to clone.
///
/// An entity has this or a [`Skeleton`] of its own; where it has both, its own counts.
///
/// ```
/// use nebula_animation::{SharedSkeleton, Skeleton};
///
/// let skeleton = SharedSkeleton::from(Skeleton::default());
/// assert!(skeleton.clone().joints.is_empty());
/// ```
#[derive(Debug, Clone, Default, Component)]
pub struct SharedSkeleton(pub Arc<Skeleton>);

impl Deref for SharedSkeleton {
    type Target = Skeleton;

    fn deref(&self) -> &Skeleton {
        &self.0
    }
}

impl From<Skeleton> for SharedSkeleton {
    fn from(skeleton: Skeleton) -> Self {
        Self(Arc::new(skeleton))
    }
}

impl From<Arc<Skeleton>> for SharedSkeleton {
    fn from(skeleton: Arc<Skeleton>) -> Self {
        Self(skeleton)
    }
}

/// Where an entity stands in the world. The identity by default.
///
/// ```
/// use glam::{Affine3A, Mat4, Quat, Vec3};
/// use nebula_animation::Transform;
///
/// let to_the_left = Transform { rotation: Quat::from_rotation_y(1.0_f32.atan2(0.0)), ..Transform::default() };
/// assert!(to_the_left.forward().abs_diff_eq(Vec3::NEG_X, 1e-6));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Component)]
pub struct Transform {
    /// Position in world space, in metres.
    pub translation: Vec3,
    /// Rotation from the entity's to world space; unit length.
    pub rotation: Quat,
    /// A factor per axis; default 1.
    pub scale: Vec3,
}

impl Default for Transform {
    fn default() -> Self {
        Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE }
    }
}

impl Transform {
    /// The identity moved to a position in world space.
    #[must_use]
    pub fn from_translation(translation: Vec3) -> Self {
        Self { translation, ..Self::default() }
    }

    /// The direction in world space in which the entity looks: its own -Z.
    #[must_use]
    pub fn forward(&self) -> Vec3 {
        self.rotation * Vec3::NEG_Z
    }

    /// Takes points from the entity's to world space.
    #[must_use]
    pub fn to_affine(&self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// The same as a matrix.
    #[must_use]
    pub fn to_matrix(&self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// What of a matrix (from the entity's to world space) a transform can hold: shear, which comes from scales that differ by axis, is lost.
    #[must_use]
    pub fn from_matrix(matrix: &Mat4) -> Self {
        let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
        Self { translation, rotation, scale }
    }
}

/// How an entity moves.
///
/// ```
/// use nebula_animation::Velocity;
///
/// assert_eq!(Velocity::default().linear.length(), 0.0);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Component)]
pub struct Velocity {
    /// Metres per second in world space.
    pub linear: Vec3,
}

// Written out, so that the stages before this one know nothing of the ECS.
macro_rules! component {
    ($($type:ty),+) => {
        $(impl Component for $type {
            const STORAGE_TYPE: StorageType = StorageType::Table;
            type Mutability = Mutable;
        })+
    };
}

component!(AnimationPlayer, AnimationClipLibrary, AnimationMixer, Skeleton, StateMachinePlayer);
