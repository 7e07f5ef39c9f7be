//! From local poses to the matrices that deform vertices.

mod attachment;
mod columns;
mod eight;
mod evaluator;
#[cfg(feature = "ecs")]
mod players;
mod rows;
mod skins;
mod source;
mod toward;
mod world;

use glam::{Mat4, Quat, Vec3};

use crate::skeleton::{JointPose, Skeleton};

pub use crate::math::affine::PaletteRows;
pub use attachment::{BoneAttachment, joint_model_matrix};
pub use evaluator::Evaluator;
pub(crate) use evaluator::{palette_of_blocks, palettes_of_eight, rows_of_blocks, with_evaluator};
#[cfg(feature = "ecs")]
pub(crate) use players::PlayerOut;
pub use skins::SkinLayout;
pub use source::ClipAt;
pub(crate) use source::Source;
pub(crate) use toward::{Toward, joint_toward, mix, turn_toward};
pub(crate) use world::Drawn;
pub use world::NOT_DRAWN;

/// Composes local poses down the hierarchy: `model_from_joint[i]` is the matrix from joint `i`'s space to model space.
///
/// Joints beyond the end of either slice are skipped. A joint whose parent does not come before it counts as a root.
///
/// ```
/// use glam::Mat4;
/// use nebula_animation::{Skeleton, palette::model_matrices};
///
/// let skeleton = Skeleton::default();
/// let pose = skeleton.bind_pose();
/// let mut model_from_joint = vec![Mat4::IDENTITY; skeleton.joints.len()];
/// model_matrices(&skeleton, &pose, &mut model_from_joint);
/// ```
pub fn model_matrices(skeleton: &Skeleton, pose: &[JointPose], model_from_joint: &mut [Mat4]) {
    let count = skeleton.joints.len().min(pose.len()).min(model_from_joint.len());
    for (index, joint) in skeleton.joints[..count].iter().enumerate() {
        let parent_from_joint = pose_matrix(&pose[index]);
        model_from_joint[index] = match joint.parent.map(usize::from) {
            Some(parent) if parent < index => model_from_joint[parent] * parent_from_joint,
            _ => parent_from_joint,
        };
    }
}

/// Computes the skinning matrices, `model_from_joint * inverse_bind_matrix`, one per joint: a vertex shader multiplies
/// them with bind-pose vertices.
///
/// Works in place: on entry the slice holds the output of [`model_matrices`].
///
/// ```
/// use glam::Mat4;
/// use nebula_animation::{Skeleton, palette::{model_matrices, skinning_matrices}};
///
/// let skeleton = Skeleton::default();
/// let mut palette = vec![Mat4::IDENTITY; skeleton.joints.len()];
/// model_matrices(&skeleton, &skeleton.bind_pose(), &mut palette);
/// skinning_matrices(&skeleton, &mut palette);
/// ```
pub fn skinning_matrices(skeleton: &Skeleton, matrices: &mut [Mat4]) {
    for (matrix, joint) in matrices.iter_mut().zip(&skeleton.joints) {
        *matrix *= joint.inverse_bind_matrix;
    }
}

/// The matrix of one joint's pose.
fn pose_matrix(&(translation, rotation, scale): &(Vec3, Quat, Vec3)) -> Mat4 {
    Mat4::from_scale_rotation_translation(scale, rotation, translation)
}
