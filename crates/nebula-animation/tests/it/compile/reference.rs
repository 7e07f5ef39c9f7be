//! Palettes in `f64`, from local poses, and how far from them rounding may take a palette in `f32`.

use glam::{DMat3, DMat4, DQuat, DVec3, DVec4};
use nebula_animation::{AnimationClip, Channel, Interpolation, JointPose, Skeleton, palette::PaletteRows, sample_pose};

/// The pose of the plain path, with arcs worked out in `f64`.
///
/// The plain path's slerp is good to 5e-6 only, which 300 joints in a row would make visible in a palette.
pub fn pose(clip: &AnimationClip, skeleton: &Skeleton, time: f32) -> Vec<JointPose> {
    let mut pose = skeleton.bind_pose();
    sample_pose(clip, skeleton, time, &mut pose);
    for channel in &clip.rotation_channels {
        if let (Some(rotation), Some(joint)) = (on_arc(channel, time), pose.get_mut(usize::from(channel.joint_index))) {
            joint.1 = rotation.as_quat();
        }
    }
    pose
}

/// The value of a channel between two keys that an arc connects. `None` for an empty channel, which has no say; elsewhere
/// the plain path is exact.
fn on_arc(channel: &Channel<glam::Quat>, time: f32) -> Option<DQuat> {
    let keys = &channel.keyframes;
    let value = nebula_animation::sample_channel(channel, time).as_dquat();
    let (first, last) = (keys.first()?, keys.last()?);
    if channel.interpolation == Interpolation::Step || !(time > first.time) || time >= last.time {
        return Some(value);
    }
    let after = keys.iter().position(|key| key.time > time)?;
    let (a, b) = (&keys[after - 1], &keys[after]);
    if channel.interpolation == Interpolation::CubicSpline && a.tangents.is_some() && b.tangents.is_some() {
        return Some(value);
    }
    let fraction = (time - a.time) / (b.time - a.time);
    // Which way half a turn goes is decided in `f32`.
    let to = if a.value.dot(b.value) < 0.0 { -b.value } else { b.value };
    Some(arc(a.value.as_dquat(), to.as_dquat(), f64::from(fraction)))
}

/// Textbook slerp, for a dot product that is not negative.
pub fn arc(from: DQuat, to: DQuat, fraction: f64) -> DQuat {
    let angle = from.dot(to).min(1.0).acos();
    let (a, b) = if angle < 1e-6 {
        (1.0 - fraction, fraction)
    } else {
        (((1.0 - fraction) * angle).sin() / angle.sin(), (fraction * angle).sin() / angle.sin())
    };
    DQuat::from_vec4(DVec4::from(from) * a + DVec4::from(to) * b).normalize()
}

/// A skinning matrix, and the differences that are allowed in its linear part and in its translation.
pub struct Expected {
    pub palette: DMat4,
    pub linear_tolerance: f64,
    pub translation_tolerance: f64,
    /// How many joints there are from the root to this one.
    pub depth: usize,
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
    let mut expected: Vec<Expected> = Vec::new();
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
        let depth = 1 + parent.map_or(0, |parent| expected[parent].depth);
        expected.push(Expected {
            palette,
            depth,
            linear_tolerance: (linear_error + STEP * linear_size(&model)) * bind_size,
            translation_tolerance: translation_error
                + (linear_error + STEP * linear_size(&model)) * translation_of(&bind),
        });
    }
    expected
}

/// The largest translation of all matrices around: the size of the character.
pub fn size(skeleton: &Skeleton, expected: &[Expected]) -> f64 {
    let binds = skeleton.joints.iter().map(|joint| translation_of(&joint.inverse_bind_matrix.as_dmat4()));
    let palettes = expected.iter().map(|expected| translation_of(&expected.palette));
    binds.chain(palettes).fold(0.0, f64::max)
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
