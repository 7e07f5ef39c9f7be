//! The axes in which a joint's rotations take the fewest bits.

use glam::{DMat3, DQuat, DVec3};

use crate::compile::packed::LARGEST_WIDE;

/// What is at the end of a joint that turns: where, in the joint's space, and at which distance from there errors are measured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arm {
    pub offset: DVec3,
    pub beyond: f64,
}

/// A rotation is `before * turn * after`; the turn has one to three numbers, `tan(angle / 4)` along its axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct TurnFrame {
    pub before: DQuat,
    pub after: DQuat,
    pub packed: [[i16; 3]; 2],
    /// Whether only the first of the three numbers is not always zero: it is half of the angle then.
    pub is_hinge: bool,
    /// How far a change of each of them moves what is at the end.
    pub levers: [f64; 3],
}

/// Samples that are looked at, at most.
const LOOKS: usize = 64;
/// What counts as no turn, as a part of the bound.
const NOTHING: f64 = 0.02;

impl TurnFrame {
    /// A rotation that stands still.
    pub fn still(rotation: DQuat) -> Self {
        let before = f32s(rotation);
        Self { before, after: DQuat::IDENTITY, packed: [[0; 3]; 2], is_hinge: false, levers: [1.0; 3] }
    }

    /// The rotations of a hinge that does not turn, and that makes a whole turn.
    pub fn hinge(&self) -> [DQuat; 2] {
        [self.before * self.after, self.before * DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0) * self.after]
    }

    /// For rotations near a mean, with what hangs on the joint.
    pub fn of(mean: DQuat, rotations: &[DQuat], arms: &[Arm], bound: f64) -> Self {
        let numbers: Vec<DVec3> = rotations.iter().map(|rotation| numbers(mean.conjugate() * *rotation)).collect();
        let every = numbers.len().div_ceil(LOOKS);
        let seen: Vec<DVec3> = numbers.iter().copied().step_by(every).collect();
        let steps = numbers.windows(2).map(|pair| pair[1] - pair[0]);
        let changes = steps.fold(DMat3::ZERO, |sum, step| sum + outer(step)) * (1.0 / numbers.len() as f64);
        let longest = arms.iter().fold(DVec3::ZERO, |a, b| if b.offset.length() > a.length() { b.offset } else { a });
        let lever = |axis: DVec3| {
            let squares = seen.iter().map(|at| {
                let turn = speed(*at, axis);
                arms.iter()
                    .map(|arm| turn.cross(arm.offset).length() + turn.length() * arm.beyond)
                    .fold(0.0, f64::max)
                    .powi(2)
            });
            (squares.sum::<f64>() / seen.len() as f64).sqrt().max(1e-9)
        };
        let own = own_axes(changes);
        let mut candidates = vec![DMat3::IDENTITY, own];
        if longest.length() > 1e-6 {
            let along = longest.normalize();
            let across = DMat3::IDENTITY - outer(along);
            let flat = own_axes(across * changes * across);
            // Of what is left without the bone, the axis of the most motion, and the one that is square to both.
            let most = (across * flat.x_axis).try_normalize().unwrap_or_else(|| along.any_orthonormal_vector());
            candidates.push(DMat3::from_cols(most, along.cross(most), along));
        }
        let cost = |frame: &DMat3| -> f64 {
            let of_axis =
                |axis: DVec3| (1.0 + 4.0 * axis.dot(changes * axis).max(0.0).sqrt() * lever(axis) / bound).log2();
            of_axis(frame.x_axis) + of_axis(frame.y_axis) + of_axis(frame.z_axis)
        };
        let costs: Vec<f64> = candidates.iter().map(cost).collect();
        let best = (0..candidates.len()).min_by(|a, b| costs[*a].total_cmp(&costs[*b])).unwrap_or(0);
        let frame = candidates[best];
        let mut axes = [frame.x_axis, frame.y_axis, frame.z_axis].map(|axis| {
            let lever = lever(axis);
            let farthest = numbers.iter().map(|number| number.dot(axis).abs()).fold(0.0, f64::max);
            (farthest * lever / bound, axis, lever)
        });
        axes.sort_by(|a, b| b.0.total_cmp(&a.0));
        let [x, y, z] = axes.map(|(_, axis, _)| axis);
        let turned = DMat3::from_cols(x, y, if x.cross(y).dot(z) < 0.0 { -z } else { z });
        let turned = DQuat::from_mat3(&turned).normalize();
        let levers = axes.map(|(.., lever)| lever);
        if axes[1].0 <= NOTHING {
            let (before, after) = (mean * turned, turned.conjugate());
            // Half of the angle changes twice as fast as the number would.
            let levers = levers.map(|lever| 0.5 * lever);
            return Self { before, after, packed: [[0; 3]; 2], is_hinge: true, levers };
        }
        let packed = [packed(mean * turned), packed(turned.conjugate())];
        Self { before: unpacked(packed[0]), after: unpacked(packed[1]), packed, is_hinge: false, levers }
    }
}

/// The rotation as single precision has it.
fn f32s(rotation: DQuat) -> DQuat {
    rotation.as_quat().as_dquat().normalize()
}

/// `tan(angle / 4)` along the axis of a rotation.
pub(super) fn numbers(rotation: DQuat) -> DVec3 {
    rotation.xyz() / (1.0 + rotation.w)
}

/// The rotation of such numbers.
pub(super) fn turn(numbers: DVec3) -> DQuat {
    let squares = numbers.length_squared();
    let scale = 1.0 / (1.0 + squares);
    let twice = numbers * (2.0 * scale);
    DQuat::from_xyzw(twice.x, twice.y, twice.z, (1.0 - squares) * scale)
}

/// How fast a rotation turns, in its own space, when its numbers change along an axis.
fn speed(at: DVec3, along: DVec3) -> DVec3 {
    let squares = at.length_squared();
    let sum = along * (1.0 - squares) - 2.0 * at.cross(along) + 2.0 * at * at.dot(along);
    sum * (4.0 / (1.0 + squares).powi(2))
}

fn packed(rotation: DQuat) -> [i16; 3] {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    numbers(rotation).to_array().map(|number| (number * f64::from(LARGEST_WIDE)).round() as i16)
}

fn unpacked(packed: [i16; 3]) -> DQuat {
    turn(DVec3::from_array(packed.map(|number| f64::from(number as f32 * (1.0 / LARGEST_WIDE)))))
}

fn outer(vector: DVec3) -> DMat3 {
    DMat3::from_cols(vector * vector.x, vector * vector.y, vector * vector.z)
}

/// The axes of a symmetric matrix, the one of the largest number first, by turning pairs of them until nothing is left beside the
/// diagonal (Jacobi).
fn own_axes(matrix: DMat3) -> DMat3 {
    let mut left = matrix.to_cols_array_2d();
    let mut axes = DMat3::IDENTITY.to_cols_array_2d();
    for _ in 0..12 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if left[p][q].abs() <= 1e-300 {
                continue;
            }
            let ratio = (left[q][q] - left[p][p]) / (2.0 * left[p][q]);
            let tangent = ratio.signum() / (ratio.abs() + (ratio * ratio + 1.0).sqrt());
            let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
            let sine = tangent * cosine;
            for row in &mut left {
                (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
            }
            for column in 0..3 {
                let (a, b) = (left[p][column], left[q][column]);
                (left[p][column], left[q][column]) = (cosine * a - sine * b, sine * a + cosine * b);
                let (a, b) = (axes[p][column], axes[q][column]);
                (axes[p][column], axes[q][column]) = (cosine * a - sine * b, sine * a + cosine * b);
            }
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| left[*b][*b].total_cmp(&left[*a][*a]));
    let [x, y, z] = order.map(|axis| DVec3::from_array(axes[axis]));
    let is_sound = x.is_finite() && y.is_finite() && z.is_finite();
    if is_sound { DMat3::from_cols(x, y, z) } else { DMat3::IDENTITY }
}
