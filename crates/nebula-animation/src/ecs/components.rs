use bevy_ecs::component::{Component, Mutable, StorageType};
use glam::{Affine3A, Mat4, Quat, Vec3};

use crate::compile::AnimationClipLibrary;
use crate::player::AnimationPlayer;
use crate::rig::Rig;
use crate::skeleton::Skeleton;

/// The transform of an entity in the world. The identity by default.
///
/// ```
/// use glam::{Affine3A, Mat4, Quat, Vec3};
/// use nebula_animation::ecs::Transform;
///
/// let to_the_left = Transform { rotation: Quat::from_rotation_y(1.0_f32.atan2(0.0)), ..Transform::default() };
/// assert!(to_the_left.forward().abs_diff_eq(Vec3::NEG_X, 1e-6));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Component)]
pub struct Transform {
    /// Position in world space, in metres.
    pub translation: Vec3,
    /// Rotation from entity space to world space; unit length.
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
    /// The identity with a position in world space.
    #[must_use]
    pub fn from_translation(translation: Vec3) -> Self {
        Self { translation, ..Self::default() }
    }

    /// The direction in which the entity looks, in world space: its own -Z.
    #[must_use]
    pub fn forward(&self) -> Vec3 {
        self.rotation * Vec3::NEG_Z
    }

    /// The affine transform from entity space to world space.
    #[must_use]
    pub fn to_affine(&self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// The same as a matrix.
    #[must_use]
    pub fn to_matrix(&self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// Converts a matrix (from entity space to world space). Shear, which comes from non-uniform scales, is lost.
    #[must_use]
    pub fn from_matrix(matrix: &Mat4) -> Self {
        let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
        Self { translation, rotation, scale }
    }
}

/// The velocity of an entity.
///
/// ```
/// use nebula_animation::ecs::Velocity;
///
/// assert_eq!(Velocity::default().linear.length(), 0.0);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Component)]
pub struct Velocity {
    /// Metres per second in world space.
    pub linear: Vec3,
}

/// Marks a character as airborne, jumping or falling: its feet are released.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Component)]
pub struct Airborne;

/// The transform from a character's model to its entity; the identity without this component.
///
/// An entity's forward direction is -Z, but characters in glTF files face +Z. If you draw the model as it is, you need
/// not do anything: layers detect which way the rig faces. If you rotate it when drawing, so that it faces the entity's
/// forward direction, add this component, so that layers and root motion know where its eyes and feet are in the world.
///
/// ```
/// use glam::Vec3;
/// use nebula_animation::{Rig, Skeleton, ecs::ModelOffset};
///
/// let offset = ModelOffset::facing_forward(&Rig::new(Skeleton::default())); // Nobody's front: +Z, as glTF says.
/// assert!((offset.0.rotation * Vec3::Z).abs_diff_eq(Vec3::NEG_Z, 1e-6));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Component)]
pub struct ModelOffset(pub Transform);

impl ModelOffset {
    /// Rotates a rig about its up axis so that its front is the entity's forward direction.
    #[must_use]
    pub fn facing_forward(rig: &Rig) -> Self {
        let front = rig.front().unwrap_or(Vec3::Z);
        let angle = front.x.atan2(front.z);
        Self(Transform { rotation: Quat::from_rotation_y(std::f32::consts::PI - angle), ..Transform::default() })
    }
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

component!(AnimationPlayer, AnimationClipLibrary, Skeleton);
