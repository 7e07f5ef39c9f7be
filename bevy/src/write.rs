//! Poses into Bevy's own components: `Transform`s of joints, `MorphWeights` of meshes.

use bevy::mesh::morph::MorphWeights;
use bevy::prelude::*;

use crate::character::{AnimatedJoint, AnimatedMorphs, Animator};

/// Writes the `Transform`s of joints, on all threads. A joint that has not moved counts as unchanged.
pub(crate) fn write_joints(animators: Query<&Animator>, mut joints: Query<(&AnimatedJoint, &mut Transform)>) {
    // Joints of one character lie side by side: most need no look-up.
    let nobody = || (Entity::PLACEHOLDER, None);
    joints.par_iter_mut().for_each_init(nobody, |(known, animator), (joint, mut transform)| {
        if *known != joint.animator {
            *known = joint.animator;
            *animator = animators.get(joint.animator).ok().filter(|animator| animator.is_changed);
        }
        if let Some(animator) = animator {
            let (translation, rotation, scale) = animator.character.frame().local(joint.joint);
            transform.set_if_neq(Transform { translation, rotation, scale });
        }
    });
}

/// Writes the weights of morph targets, where they have changed.
pub(crate) fn write_morphs(animators: Query<&Animator>, mut meshes: Query<(&AnimatedMorphs, &mut MorphWeights)>) {
    for (mesh, mut weights) in &mut meshes {
        let Some(animator) = animators.get(mesh.animator).ok().filter(|animator| animator.is_changed) else { continue };
        let count = weights.weights().len();
        let new = animator.character.frame().morph_weights_of(mesh.first_slot, count);
        if new.len() == count && weights.weights() != new {
            weights.weights_mut().copy_from_slice(new);
        }
    }
}
