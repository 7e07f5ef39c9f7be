//! Bind space: poses from which the hierarchy yields skinning matrices without a further product.
//!
//! With the inverse bind matrix `B` of a joint and `Bp` of its parent, skinning matrices `P` obey `P = Pp M` with
//! `M = inverse(Bp) L B`, where `L` is the local pose. Where all of these are rotations, translations and constant uniform
//! scales, `M` is again a rotation `q''`, a translation and a constant:
//!
//! ```text
//! M = sigma R(q'') x + (sigma R(q'') pivot + w),   q'' = left q right,   w = A t + a
//! ```
//!
//! `q''` and `w` depend on the keys by constant linear maps, so the maps are applied to the keys once, when a clip is
//! compiled.

use std::sync::Arc;

use glam::{DMat3, DMat4, DQuat, DVec3, Quat, Vec3};

use super::block::{Component, LANES, PoseBlock};
use super::build::{LARGEST, with_signs};
use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe};
use crate::skeleton::{Joint, JointPose};

/// The maps between local poses and bind space, and what evaluation needs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BindSpace {
    joints: Box<[JointMaps]>,
    /// The rest pose in bind space.
    pub rest: Arc<[PoseBlock]>,
    pub constants: Box<[BindConstants]>,
    /// Whether every `sigma` is one.
    pub is_unscaled: bool,
}

/// Constants of eight joints.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct BindConstants {
    pub sigma: Component,
    pub pivot: [Component; 3],
}

/// What maps a joint's local pose to bind space.
#[derive(Debug, Clone, Copy, PartialEq)]
struct JointMaps {
    left: DQuat,
    right: DQuat,
    sigma: f64,
    pivot: DVec3,
    /// `A` and `a`.
    to_translation: DMat4,
    /// The scale that the maps hold for.
    scale: Vec3,
}

/// How far from a scaled rotation a matrix may be, as floats round it.
const TOLERANCE: f64 = 2e-6;

impl BindSpace {
    /// `None` where some joint is not rigid: its bind pose shears or scales unevenly.
    pub fn new(source: &[Joint]) -> Option<Self> {
        let mut joints = Vec::with_capacity(source.len());
        for (index, joint) in source.iter().enumerate() {
            let parent = joint.parent.map(usize::from).filter(|&parent| parent < index);
            let parent_bind = parent.map_or(DMat4::IDENTITY, |parent| source[parent].inverse_bind_matrix.as_dmat4());
            let to_translation = parent_bind.inverse();
            let bind = joint.inverse_bind_matrix.as_dmat4();
            let linear = DMat3::from_mat4(bind);
            let (parent_scale, left) = scaled_rotation(DMat3::from_mat4(to_translation))?;
            let (scale, right) = scaled_rotation(DMat3::from_diagonal(joint.bind_scale.as_dvec3()) * linear)?;
            let sigma = parent_scale * scale;
            joints.push(JointMaps {
                left,
                right,
                sigma: if (sigma - 1.0).abs() < TOLERANCE { 1.0 } else { sigma },
                pivot: linear.inverse() * bind.w_axis.truncate(),
                to_translation,
                scale: joint.bind_scale,
            });
        }
        let blocks = source.len().div_ceil(LANES);
        let mut rest = vec![PoseBlock::IDENTITY; blocks];
        let mut constants = vec![BindConstants { sigma: [1.0; LANES], pivot: [[0.0; LANES]; 3] }; blocks];
        for (index, (maps, joint)) in joints.iter().zip(source).enumerate() {
            let (block, lane) = (index / LANES, index % LANES);
            let translation = maps.translation(joint.bind_translation);
            rest[block].set(lane, (translation, maps.rotation(joint.bind_rotation), Vec3::ONE));
            constants[block].sigma[lane] = maps.sigma as f32;
            for axis in 0..3 {
                constants[block].pivot[axis][lane] = maps.pivot[axis] as f32;
            }
        }
        // Numbers that are far apart may grow in bind space until a product overflows that is finite in local space.
        let is_tame = |constants: &BindConstants| {
            let parts = constants.pivot.iter().chain([&constants.sigma]);
            parts.flatten().all(|number| number.abs() < LARGEST)
        };
        if !(rest.iter().all(PoseBlock::is_tame) && constants.iter().all(is_tame)) {
            return None;
        }
        let is_unscaled = joints.iter().all(|maps| maps.sigma == 1.0);
        Some(Self { joints: joints.into(), rest: rest.into(), constants: constants.into(), is_unscaled })
    }

    /// The clip with its keys in bind space, rotations with the signs of the shorter way; `None` where it scales a joint or
    /// moves one too far for `f32`.
    ///
    /// The signs are those of the authored keys: rounding of half a turn in bind space must not choose the other way.
    pub fn clip(&self, clip: &AnimationClip) -> Option<AnimationClip> {
        let keeps_scale = |channel: &Channel<Vec3>| {
            let Some(maps) = self.joints.get(usize::from(channel.joint_index)) else { return true };
            let is_flat = |key: &Keyframe<Vec3>| {
                key.value.abs_diff_eq(maps.scale, 1e-6 * maps.scale.abs().max_element())
                    && key.tangents.is_none_or(|(a, b)| a == Vec3::ZERO && b == Vec3::ZERO)
            };
            channel.keyframes.iter().all(is_flat)
        };
        if !clip.scale_channels.iter().all(keeps_scale) {
            return None;
        }
        let rotations = clip.rotation_channels.iter().filter_map(|channel| {
            let maps = self.joints.get(usize::from(channel.joint_index))?;
            let mut turned = mapped(channel, |value| maps.rotation(value), |tangent| maps.rotation(tangent));
            if channel.interpolation != Interpolation::CubicSpline {
                for (key, value) in turned.keyframes.iter_mut().zip(with_signs(&channel.keyframes)) {
                    key.value = maps.rotation(value);
                }
            }
            Some(turned)
        });
        let translations = clip.translation_channels.iter().filter_map(|channel| {
            let maps = self.joints.get(usize::from(channel.joint_index))?;
            let tangent = |tangent: Vec3| maps.to_translation.transform_vector3(tangent.as_dvec3()).as_vec3();
            Some(mapped(channel, |value| maps.translation(value), tangent))
        });
        let translations: Vec<Channel<Vec3>> = translations.collect();
        let is_tame = |key: &Keyframe<Vec3>| key.value.abs().max_element() < LARGEST;
        if !translations.iter().flat_map(|channel| &channel.keyframes).all(is_tame) {
            return None;
        }
        Some(AnimationClip {
            name: clip.name.clone(),
            duration: clip.duration,
            rotation_channels: rotations.collect(),
            translation_channels: translations,
            scale_channels: Vec::new(),
        })
    }

    /// The local pose of a joint of the skeleton.
    pub fn local(&self, joint: usize, (translation, rotation, _): JointPose) -> JointPose {
        let maps = &self.joints[joint];
        let translation = maps.to_translation.inverse().transform_point3(translation.as_dvec3());
        let rotation = maps.left.conjugate() * rotation.as_dquat() * maps.right.conjugate();
        (translation.as_vec3(), rotation.as_quat(), maps.scale)
    }
}

impl JointMaps {
    /// Linear, so that it maps tangents too.
    fn rotation(&self, rotation: Quat) -> Quat {
        (self.left * rotation.as_dquat() * self.right).as_quat()
    }

    fn translation(&self, translation: Vec3) -> Vec3 {
        self.to_translation.transform_point3(translation.as_dvec3()).as_vec3()
    }
}

fn mapped<T: Copy>(channel: &Channel<T>, value: impl Fn(T) -> T, tangent: impl Fn(T) -> T) -> Channel<T> {
    let key = |key: &Keyframe<T>| Keyframe {
        time: key.time,
        value: value(key.value),
        tangents: key.tangents.map(|(incoming, outgoing)| (tangent(incoming), tangent(outgoing))),
    };
    Channel {
        joint_index: channel.joint_index,
        interpolation: channel.interpolation,
        keyframes: channel.keyframes.iter().map(key).collect(),
    }
}

/// The factor and the rotation of a matrix that is a uniform scale and a rotation.
fn scaled_rotation(matrix: DMat3) -> Option<(f64, DQuat)> {
    // Not the cube root of the determinant: libraries round it differently, and this must be the same everywhere.
    let squares = matrix.x_axis.length_squared() + matrix.y_axis.length_squared() + matrix.z_axis.length_squared();
    let scale = (squares / 3.0).sqrt();
    if !(scale.is_finite() && scale > 1e-9 && matrix.determinant() > 0.0) {
        return None;
    }
    let rotation = matrix * (1.0 / scale);
    let is_rotation = (rotation.transpose() * rotation).abs_diff_eq(DMat3::IDENTITY, 2.0 * TOLERANCE);
    is_rotation.then(|| (scale, DQuat::from_mat3(&rotation).normalize()))
}
