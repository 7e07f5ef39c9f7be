//! Converts node matrices to translations, rotations and scales.

use glam::{DMat3, DQuat, DVec3, Quat, Vec3};

use crate::skeleton::JointPose;

/// A matrix in parts: `translation * rotation * scale * turn`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Decomposed {
    pub pose: JointPose,
    /// A second rotation, before the scale. Present only where the matrix shears: no single translation, rotation and
    /// scale equal it, but any matrix is a rotation, a scale and another rotation.
    pub turn: Option<Quat>,
}

/// Columns whose angle differs from a right one by less than this (as a cosine) count as orthogonal: what rounding to
/// six digits leaves.
const ORTHOGONAL: f64 = 5e-6;

/// Decomposes a finite column-major matrix; its bottom row is ignored.
pub(super) fn decompose(matrix: &[f64; 16]) -> Decomposed {
    let column = |index: usize| DVec3::new(matrix[4 * index], matrix[4 * index + 1], matrix[4 * index + 2]);
    let columns = [column(0), column(1), column(2)];
    let lengths = columns.map(DVec3::length);
    let is_sheared = [(0, 1), (0, 2), (1, 2)]
        .into_iter()
        .any(|(a, b)| columns[a].dot(columns[b]).abs() > ORTHOGONAL * lengths[a] * lengths[b]);
    let (rotation, scale, turn) = if is_sheared {
        let (left, scale, right) = singular_values(DMat3::from_cols_array_2d(&columns.map(|column| column.to_array())));
        (left, scale, Some(right))
    } else {
        let mut scale = DVec3::from_array(lengths);
        let mut axes = orthonormal(columns);
        if axes.determinant() < 0.0 {
            axes.x_axis = -axes.x_axis;
            scale.x = -scale.x;
        }
        (axes, scale, None)
    };
    let quat = |rotation: DMat3| DQuat::from_mat3(&rotation).normalize().as_quat();
    Decomposed { pose: (column(3).as_vec3(), quat(rotation), scale.as_vec3()), turn: turn.map(quat) }
}

/// The nearest plain pose of a decomposed matrix, for nodes that are animated and so cannot shear.
pub(super) fn without_shear(decomposed: Decomposed) -> JointPose {
    let (translation, rotation, scale) = decomposed.pose;
    match decomposed.turn {
        // A scale along the turned axes has these lengths along the node's own axes.
        Some(turn) => {
            let along = |axis: Vec3| (scale * (turn * axis)).length();
            let scale = Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z));
            (translation, rotation * turn, scale)
        }
        None => decomposed.pose,
    }
}

/// Unit vectors along the columns; columns of zero length get an arbitrary direction.
fn orthonormal(columns: [DVec3; 3]) -> DMat3 {
    let [x, y, z] = columns.map(DVec3::try_normalize);
    let (x, y, z) = match (x, y, z) {
        (Some(x), Some(y), Some(z)) => (x, y, z),
        (None, Some(y), Some(z)) => (y.cross(z), y, z),
        (Some(x), None, Some(z)) => (x, z.cross(x), z),
        (Some(x), Some(y), None) => (x, y, x.cross(y)),
        (Some(x), None, None) => (x, x.any_orthonormal_pair().0, x.any_orthonormal_pair().1),
        (None, Some(y), None) => (y.any_orthonormal_pair().1, y, y.any_orthonormal_pair().0),
        (None, None, Some(z)) => (z.any_orthonormal_pair().0, z.any_orthonormal_pair().1, z),
        (None, None, None) => (DVec3::X, DVec3::Y, DVec3::Z),
    };
    DMat3::from_cols(x, y, z)
}

/// `left * scale * right` with two rotations: the singular value decomposition, by Jacobi's method.
fn singular_values(matrix: DMat3) -> (DMat3, DVec3, DMat3) {
    // Rotating pairs of columns until all are orthogonal turns `matrix` into `matrix * v` with orthogonal columns.
    let mut turned = matrix;
    let mut v = DMat3::IDENTITY;
    for _ in 0..32 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (a, b) = (turned.col(p), turned.col(q));
            let (alpha, beta, gamma) = (a.length_squared(), b.length_squared(), a.dot(b));
            if gamma.abs() <= 1e-16 * (alpha * beta).sqrt() {
                continue;
            }
            let zeta = (beta - alpha) / (2.0 * gamma);
            let tangent = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
            let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
            let sine = cosine * tangent;
            for target in [&mut turned, &mut v] {
                let (a, b) = (target.col(p), target.col(q));
                *target.col_mut(p) = a * cosine - b * sine;
                *target.col_mut(q) = a * sine + b * cosine;
            }
        }
    }
    let columns = [turned.x_axis, turned.y_axis, turned.z_axis];
    let mut scale = DVec3::from_array(columns.map(DVec3::length));
    let mut left = orthonormal(columns);
    if left.determinant() < 0.0 {
        left.x_axis = -left.x_axis;
        scale.x = -scale.x;
    }
    (left, scale, v.transpose())
}

#[cfg(test)]
mod tests {
    use glam::{DMat4, Mat4};

    use super::*;

    fn recomposed(parts: Decomposed) -> Mat4 {
        let (translation, rotation, scale) = parts.pose;
        Mat4::from_scale_rotation_translation(scale, rotation, translation)
            * Mat4::from_quat(parts.turn.unwrap_or(Quat::IDENTITY))
    }

    fn check(matrix: DMat4, is_sheared: bool) {
        let parts = decompose(&matrix.to_cols_array());
        assert_eq!(parts.turn.is_some(), is_sheared, "{matrix}");
        assert!(parts.pose.1.is_normalized());
        assert!(recomposed(parts).abs_diff_eq(matrix.as_mat4(), 1e-5), "{matrix} became {}", recomposed(parts));
    }

    #[test]
    fn any_matrix_is_recomposed() {
        let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -1.2, 2.5);
        for scale in [
            DVec3::ONE,
            DVec3::new(1.0, 2.0, 3.0),
            DVec3::new(-1.0, 2.0, 3.0),
            DVec3::new(-1.0, -2.0, -3.0),
            DVec3::new(0.0, 2.0, 3.0),
            DVec3::new(1.0, 0.0, 0.0),
            DVec3::ZERO,
        ] {
            let plain = DMat4::from_scale_rotation_translation(scale, turn, DVec3::new(4.0, 5.0, 6.0));
            check(plain, false);
        }
        let stretched = DMat4::from_scale(DVec3::new(1.0, 3.0, 0.5));
        check(stretched * DMat4::from_quat(turn), true);
        check(stretched * DMat4::from_quat(turn) * DMat4::from_scale(DVec3::new(-2.0, 1.0, 1.0)), true);
        let flat = DMat4::from_scale(DVec3::new(1.0, 1.0, 0.0)) * DMat4::from_quat(turn);
        check(flat, true);
    }

    #[test]
    fn an_animated_matrix_loses_its_shear_only() {
        let turn = Quat::from_rotation_z(0.5);
        let parts = Decomposed { pose: (Vec3::X, Quat::IDENTITY, Vec3::splat(2.0)), turn: Some(turn) };
        let (translation, rotation, scale) = without_shear(parts);
        assert_eq!(translation, Vec3::X);
        assert!(rotation.abs_diff_eq(turn, 1e-6));
        assert!(scale.abs_diff_eq(Vec3::splat(2.0), 1e-6));
    }
}
