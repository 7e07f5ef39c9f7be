//! Bind space: poses from which the hierarchy directly yields skinning matrices, without multiplying by inverse bind
//! matrices.
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

use super::block::{Component, LANES, LARGEST, PoseBlock};
use crate::skeleton::{Joint, JointPose};

/// The maps between local poses and bind space, and what evaluation needs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BindSpace {
    pub joints: Box<[JointMaps]>,
    /// The rest pose in bind space.
    pub rest: Arc<[PoseBlock]>,
    pub constants: Box<[BindConstants]>,
    /// `joints`, in lanes.
    pub maps: Box<[BindMaps]>,
    /// What these make of the translations at rest, to the bit. (Those of `rest` are rounded once.)
    pub still: Box<[[Component; 3]]>,
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

/// What maps the local poses of eight joints to bind space.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct BindMaps {
    pub left: [Component; 4],
    pub right: [Component; 4],
    /// `A`, row after row.
    pub rows: [[Component; 3]; 3],
    /// `a`.
    pub offset: [Component; 3],
}

impl BindMaps {
    const IDENTITY: Self = {
        let (zero, one) = ([0.0; LANES], [1.0; LANES]);
        let turn = [zero, zero, zero, one];
        let rows = [[one, zero, zero], [zero, one, zero], [zero, zero, one]];
        Self { left: turn, right: turn, rows, offset: [zero; 3] }
    };

    fn set(&mut self, lane: usize, maps: &JointMaps) {
        for part in 0..4 {
            self.left[part][lane] = maps.left.to_array()[part] as f32;
            self.right[part][lane] = maps.right.to_array()[part] as f32;
        }
        for axis in 0..3 {
            let row = maps.to_translation.row(axis);
            for column in 0..3 {
                self.rows[axis][column][lane] = row[column] as f32;
            }
            self.offset[axis][lane] = row.w as f32;
        }
    }

    /// Converts translations, with the operations used when poses are evaluated.
    fn translations(&self, [x, y, z]: &[Component; 3]) -> [Component; 3] {
        std::array::from_fn(|axis| {
            let ([a, b, c], offset) = (&self.rows[axis], &self.offset[axis]);
            std::array::from_fn(|lane| a[lane] * x[lane] + b[lane] * y[lane] + c[lane] * z[lane] + offset[lane])
        })
    }

    fn is_tame(&self) -> bool {
        self.rows.iter().chain([&self.offset]).flatten().flatten().all(|number| number.abs() < LARGEST)
    }
}

/// What maps a joint's local pose to bind space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct JointMaps {
    left: DQuat,
    right: DQuat,
    sigma: f64,
    pivot: DVec3,
    /// `A` and `a`.
    pub to_translation: DMat4,
    /// The scale that the maps hold for.
    pub scale: Vec3,
}

/// How far from a scaled rotation a matrix may be, as floats round it.
const TOLERANCE: f64 = 2e-6;

impl BindSpace {
    /// `None` where some joint is not rigid: its bind pose shears or scales unevenly. What `local` holds beyond the joints stays as it is.
    pub fn new(source: &[Joint], local: &[PoseBlock]) -> Option<Self> {
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
        let mut rest = local.to_vec();
        let mut constants = vec![BindConstants { sigma: [1.0; LANES], pivot: [[0.0; LANES]; 3] }; local.len()];
        let mut lanes = vec![BindMaps::IDENTITY; local.len()];
        for (index, (maps, joint)) in joints.iter().zip(source).enumerate() {
            let (block, lane) = (index / LANES, index % LANES);
            let translation = maps.translation(joint.bind_translation);
            rest[block].set(lane, (translation, maps.rotation(joint.bind_rotation), Vec3::ONE));
            lanes[block].set(lane, maps);
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
        if !(rest.iter().all(PoseBlock::is_tame)
            && constants.iter().all(is_tame)
            && lanes.iter().all(BindMaps::is_tame))
        {
            return None;
        }
        let is_unscaled = joints.iter().all(|maps| maps.sigma == 1.0);
        Some(Self {
            joints: joints.into(),
            rest: rest.into(),
            constants: constants.into(),
            still: lanes.iter().zip(local).map(|(maps, block)| maps.translations(&block.translation)).collect(),
            maps: lanes.into(),
            is_unscaled,
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
    /// What rotations are multiplied with from the left and from the right.
    pub fn turns(&self) -> (DQuat, DQuat) {
        (self.left, self.right)
    }

    /// Linear, so that it maps tangents too.
    pub fn rotation(&self, rotation: Quat) -> Quat {
        (self.left * rotation.as_dquat() * self.right).as_quat()
    }

    pub fn translation(&self, translation: Vec3) -> Vec3 {
        self.to_translation.transform_point3(translation.as_dvec3()).as_vec3()
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
