//! Layers, judged by an f64 evaluation of the hierarchy that shares no code with them.

mod aim;
mod attachment;
mod avatar;
mod body_lean;
mod breathing;
mod clones;
mod fade;
mod feet;
mod gaze;
mod ik;
mod lean;
mod look_at;
mod misuse;
mod pose;
mod rest;
mod springs;
mod stack;
mod targets;

use glam::{DMat4, DVec3, Quat, Vec3};
use nebula_animation::{JointPose, ProceduralContext, Skeleton};

use crate::characters::{Binds, Random, RestScales, RigRecipe, Shape};

/// A frame of 1/60 s of an entity at the origin that looks along -Z.
pub fn context() -> ProceduralContext {
    ProceduralContext {
        dt: 1.0 / 60.0,
        elapsed: 0.0,
        entity_position: Vec3::ZERO,
        entity_forward: Vec3::NEG_Z,
        velocity: Vec3::ZERO,
    }
}

/// `model_from_joint` of a joint, composed from the root.
pub fn model_from_joint(skeleton: &Skeleton, poses: &[JointPose], joint: u16) -> DMat4 {
    let (translation, rotation, scale) = poses[usize::from(joint)];
    let local = DMat4::from_scale_rotation_translation(
        scale.as_dvec3(),
        rotation.as_dquat().normalize(),
        translation.as_dvec3(),
    );
    match skeleton.joints[usize::from(joint)].parent {
        Some(parent) => model_from_joint(skeleton, poses, parent) * local,
        None => local,
    }
}

/// The angle between two directions in degrees, precise also where it is small.
pub fn degrees_between(first: DVec3, second: DVec3) -> f64 {
    first.cross(second).length().atan2(first.dot(second)).to_degrees()
}

/// A rig with any bone axes and scales, a pose of it in which every joint is turned and scaled, and a random source.
pub fn random_character(seed: u64) -> (Skeleton, Vec<JointPose>, Random) {
    let mut random = Random::new(seed);
    let recipe = RigRecipe {
        joints: 3 + random.below(12),
        shape: [Shape::Chain, Shape::Limbs, Shape::Tree][random.below(3)],
        binds: Binds::OfRest,
        rest_scales: [RestScales::One, RestScales::Uniform, RestScales::Uneven][random.below(3)],
        extent: 0.5,
        seed,
    };
    let skeleton = recipe.skeleton();
    let poses = skeleton
        .joints
        .iter()
        .map(|joint| {
            let scale = match recipe.rest_scales {
                RestScales::One => Vec3::ONE,
                RestScales::Uniform => Vec3::splat(random.between(0.7, 1.4)),
                RestScales::Uneven => {
                    Vec3::new(random.between(0.8, 1.25), random.between(0.8, 1.25), random.between(0.8, 1.25))
                }
            };
            (joint.bind_translation, random.quat(), joint.bind_scale * scale)
        })
        .collect();
    (skeleton, poses, random)
}

/// A rotation by an angle in degrees about an axis.
pub fn turn(axis: Vec3, degrees: f32) -> Quat {
    Quat::from_axis_angle(axis, degrees.to_radians())
}
