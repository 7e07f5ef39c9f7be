//! Palettes in `f64`, from local poses, and how far from them rounding may take a palette in `f32`.

use glam::{DMat3, DMat4, DVec3};
use nebula_animation::{JointPose, PaletteRows, Skeleton};

/// A skinning matrix, and the differences that are allowed in its linear part and in its translation.
pub struct Expected {
    pub palette: DMat4,
    pub linear_tolerance: f64,
    pub translation_tolerance: f64,
}

/// The relative error of one step: that of a rotation from the fast path (a few units in the last place, 6e-8 each), of
/// its matrix and of two products.
const STEP: f64 = 1e-6;

/// The palette of a pose. Errors are followed down the hierarchy as in any analysis of rounding: a product is off by the
/// error of its left side times the size of its right side, and by [`STEP`] of the sizes of both.
///
/// Compiled clips may work in bind space, where a joint's matrix is seen from its own and its parent's bind pose, so
/// both of their distances count as sizes.
pub fn palette(skeleton: &Skeleton, pose: &[JointPose]) -> Vec<Expected> {
    let mut models: Vec<(DMat4, f64, f64)> = Vec::new();
    let mut expected = Vec::new();
    for (joint, &(translation, rotation, scale)) in skeleton.joints.iter().zip(pose) {
        let parent = joint.parent.map(usize::from);
        let parent_bind_size =
            parent.map_or(0.0, |parent| translation_of(&skeleton.joints[parent].inverse_bind_matrix.as_dmat4()));
        let (parent_model, parent_linear_error, parent_translation_error) =
            parent.map_or((DMat4::IDENTITY, 0.0, 0.0), |parent| models[parent]);
        let local = DMat4::from_scale_rotation_translation(
            scale.as_dvec3(),
            rotation.as_dquat().normalize(),
            translation.as_dvec3(),
        );
        let model = parent_model * local;
        let bind = joint.inverse_bind_matrix.as_dmat4();
        let palette = model * bind;
        let (parent_size, bind_size) = (linear_size(&parent_model), linear_size(&bind));
        let largest_scale = scale.abs().max_element();
        let reach = translation_of(&local) + f64::from(largest_scale) * translation_of(&bind) + parent_bind_size;
        let linear_error = (parent_linear_error + STEP * parent_size) * f64::from(largest_scale);
        let translation_error = parent_translation_error
            + (parent_linear_error + STEP * parent_size) * reach
            + STEP * (translation_of(&model) + translation_of(&palette));
        models.push((model, linear_error, translation_error));
        expected.push(Expected {
            palette,
            linear_tolerance: (linear_error + STEP * linear_size(&model)) * bind_size,
            translation_tolerance: translation_error
                + (linear_error + STEP * linear_size(&model)) * translation_of(&bind),
        });
    }
    expected
}

/// The largest translation of all matrices around, at least 1: the size of the character.
pub fn size(skeleton: &Skeleton, expected: &[Expected]) -> f64 {
    let binds = skeleton.joints.iter().map(|joint| translation_of(&joint.inverse_bind_matrix.as_dmat4()));
    let palettes = expected.iter().map(|expected| translation_of(&expected.palette));
    binds.chain(palettes).fold(1.0, f64::max)
}

/// Differences of the linear parts and of the translations; infinite where a number is not one.
pub fn differences(rows: &PaletteRows, expected: &DMat4) -> (f64, f64) {
    let (mut linear, mut translation) = (0.0_f64, 0.0_f64);
    for (row, numbers) in rows.0.iter().enumerate() {
        for (column, &number) in numbers.iter().enumerate() {
            let difference = (f64::from(number) - expected.col(column)[row]).abs();
            let difference = if difference.is_nan() { f64::INFINITY } else { difference };
            let worst = if column == 3 { &mut translation } else { &mut linear };
            *worst = worst.max(difference);
        }
    }
    (linear, translation)
}

/// At least the factor by which the matrix makes anything longer.
fn linear_size(matrix: &DMat4) -> f64 {
    let linear = DMat3::from_mat4(*matrix);
    [linear.x_axis, linear.y_axis, linear.z_axis].into_iter().map(DVec3::length_squared).sum::<f64>().sqrt()
}

fn translation_of(matrix: &DMat4) -> f64 {
    matrix.w_axis.truncate().length()
}
