//! Serializes `glam` values as lists of numbers.

use glam::{Quat, Vec2, Vec3};
use serde::{Serialize, Serializer};

use crate::skeleton::JointPose;

pub(super) fn vector<S: Serializer>(vector: &Vec3, serializer: S) -> Result<S::Ok, S::Error> {
    vector.to_array().serialize(serializer)
}

pub(super) fn rotation<S: Serializer>(rotation: &Quat, serializer: S) -> Result<S::Ok, S::Error> {
    rotation.to_array().serialize(serializer)
}

/// A pose as in glTF: translation, rotation, scale.
pub(super) fn pose<S: Serializer>(pose: &JointPose, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Pose {
        translation: [f32; 3],
        rotation: [f32; 4],
        scale: [f32; 3],
    }
    let (translation, rotation, scale) = pose;
    Pose { translation: translation.to_array(), rotation: rotation.to_array(), scale: scale.to_array() }
        .serialize(serializer)
}

pub(super) fn place<S: Serializer>(space: &Option<(usize, Vec2)>, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Space {
        index: usize,
        position: [f32; 2],
    }
    space.map(|(index, position)| Space { index, position: position.to_array() }).serialize(serializer)
}
