//! The extent of a set of points in any direction.

use glam::{DMat3, DVec3, Mat3, Vec3};

use super::super::Geometry;
use super::{Bounds, Weights, morphed};

/// The reach of some vertices, and of their morph targets.
#[derive(Debug, Clone)]
pub(super) struct Outline {
    base: Reach,
    /// By morph target: only those that move some of the vertices.
    morphs: Vec<(usize, Reach)>,
}

impl Outline {
    /// Of some vertices of a mesh; `None` of none.
    pub fn of(geometry: &Geometry, fit: &[f32], vertices: &[u32]) -> Option<Self> {
        let morphs = geometry.morph_targets.iter().enumerate().filter_map(|(index, target)| {
            let deltas = vertices.iter().filter_map(|&vertex| target.positions.get(vertex as usize));
            let deltas: Vec<Vec3> = deltas.copied().map(Vec3::from).collect();
            let moves = deltas.iter().any(|delta| *delta != Vec3::ZERO);
            moves.then(|| Reach::of(deltas)).flatten().map(|reach| (index, reach))
        });
        let base = vertices.iter().map(|&vertex| morphed(geometry, fit, vertex as usize)).collect();
        Some(Self { base: Reach::of(base)?, morphs: morphs.collect() })
    }

    /// The box around the vertices after a matrix, given as rows, has moved them.
    pub fn moved(&self, rows: &[[f32; 4]; 3], weights: &Weights, largest: &mut f32) -> Bounds {
        let mut bounds = Bounds { min: Vec3::ZERO, max: Vec3::ZERO };
        for (axis, &[x, y, z, offset]) in rows.iter().enumerate() {
            // A coordinate of a moved point is its product with the row: the reach in that direction.
            let direction = Vec3::new(x, y, z);
            let (up, down) = (self.reach(direction, weights, largest), self.reach(-direction, weights, largest));
            *largest = largest.max(up.abs()).max(down.abs()).max(offset.abs());
            bounds.max[axis] = offset + up;
            bounds.min[axis] = offset - down;
        }
        bounds
    }

    fn reach(&self, direction: Vec3, weights: &Weights, largest: &mut f32) -> f32 {
        let mut reach = self.base.in_direction(direction);
        *largest = largest.max(self.base.size * direction.abs().max_element());
        for (target, deltas) in &self.morphs {
            let weight = weights.get(*target);
            // A negative weight pulls the other way.
            if weight != 0.0 {
                reach += deltas.in_direction(direction * weight);
                *largest = largest.max(deltas.size * weight.abs() * direction.abs().max_element());
            }
        }
        reach
    }
}

/// How far points reach along 26 directions, in the mesh's own axes and in those that fit the points.
#[derive(Debug, Clone)]
struct Reach {
    plain: Supports,
    /// Turns a vector into the axes that fit.
    fit: Mat3,
    fitted: Supports,
    /// The largest coordinate.
    size: f32,
}

impl Reach {
    fn of(points: Vec<Vec3>) -> Option<Self> {
        if points.is_empty() {
            return None;
        }
        let fit = fitting_axes(&points);
        let size = points.iter().fold(0.0_f32, |size, point| size.max(point.abs().max_element()));
        let fitted = points.iter().map(|&point| fit * point);
        Some(Self { plain: Supports::of(points.iter().copied()), fit, fitted: Supports::of(fitted), size })
    }

    /// At least the largest product of a point with the direction.
    fn in_direction(&self, direction: Vec3) -> f32 {
        self.plain.in_direction(direction).min(self.fitted.in_direction(self.fit * direction))
    }
}

/// The reach along the 26 directions with coordinates -1, 0 and 1.
#[derive(Debug, Clone)]
struct Supports([f32; 27]);

impl Supports {
    fn of(points: impl Iterator<Item = Vec3>) -> Self {
        let mut reach = [f32::NEG_INFINITY; 27];
        for point in points {
            for (place, reach) in reach.iter_mut().enumerate() {
                *reach = reach.max(point.dot(direction_at(place)));
            }
        }
        Self(reach)
    }

    /// Any direction is a sum, with positive factors, of an axis, an edge and a corner of the cube around it; the reach
    /// along a sum is at most the sum of the reaches. Exact for boxes; 13 % too far for a ball at worst.
    fn in_direction(&self, direction: Vec3) -> f32 {
        let sizes = direction.abs();
        let mut order = [0, 1, 2];
        order.sort_unstable_by(|&a, &b| sizes[b].total_cmp(&sizes[a]));
        let [a, b, c] = order;
        let step = |axis: usize| if direction[axis] < 0.0 { -PLACES[axis] } else { PLACES[axis] };
        let axis = CENTRE + step(a);
        let edge = axis + step(b);
        let corner = edge + step(c);
        let reach = |place: isize| self.0[place as usize];
        (sizes[a] - sizes[b]) * reach(axis) + (sizes[b] - sizes[c]) * reach(edge) + sizes[c] * reach(corner)
    }
}

/// Where direction (0, 0, 0) stands among the 27, and how far a step along each axis is.
const CENTRE: isize = 13;
const PLACES: [isize; 3] = [9, 3, 1];

fn direction_at(place: usize) -> Vec3 {
    let digit = |size: usize| (place / size % 3) as f32 - 1.0;
    Vec3::new(digit(9), digit(3), digit(1))
}

/// The axes along which the points vary most and least, as rows: the eigenvectors of their covariance, by Jacobi's method.
fn fitting_axes(points: &[Vec3]) -> Mat3 {
    let mean = points.iter().map(|point| point.as_dvec3()).sum::<DVec3>() / points.len() as f64;
    let mut matrix = DMat3::ZERO;
    for point in points {
        let part = point.as_dvec3() - mean;
        matrix += DMat3::from_cols(part * part.x, part * part.y, part * part.z);
    }
    let mut axes = DMat3::IDENTITY;
    // Each round makes one entry off the diagonal vanish; five times all three are plenty for a 3 by 3 matrix.
    for (row, column) in [(0, 1), (0, 2), (1, 2)].repeat(5) {
        let off = matrix.col(column)[row];
        if !(off.abs() > 0.0) {
            continue;
        }
        let angle = 0.5 * (2.0 * off).atan2(matrix.col(row)[row] - matrix.col(column)[column]);
        let (sine, cosine) = angle.sin_cos();
        let mut turn = DMat3::IDENTITY;
        turn.col_mut(row)[row] = cosine;
        turn.col_mut(column)[column] = cosine;
        turn.col_mut(row)[column] = sine;
        turn.col_mut(column)[row] = -sine;
        matrix = turn.transpose() * matrix * turn;
        axes *= turn;
    }
    let axes = axes.transpose().as_mat3();
    if axes.is_finite() { axes } else { Mat3::IDENTITY }
}
