//! Positions, normals and tangents in a pose, by the textbook: inverses where the library has cofactors, products of eight
//! components where it has quaternions.

use serde_json::Value;

use super::matrix::{Matrix, transform_point};
use super::{Pose, Reference, index, list};

/// How joints are blended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blend {
    Linear,
    DualQuaternion,
}

/// A vertex in a pose.
#[derive(Debug, Clone, Copy)]
pub struct Vertex {
    pub position: [f64; 3],
    /// Unit length; `None` where there is none, or the pose flattens its surroundings so that it points nowhere.
    pub normal: Option<[f64; 3]>,
    pub tangent: Option<[f64; 4]>,
    /// Whether dual quaternions have no answer here: two of the joints are turned half way round from each other, so
    /// that rounding decides which way the blend goes.
    pub is_torn: bool,
}

impl Reference {
    /// The vertices of a node's mesh at a pose, by primitive.
    pub fn skinned(&self, node: usize, pose: &Pose, blend: Blend) -> Vec<Vec<Vertex>> {
        let mesh = &self.json["meshes"][index(&self.json["nodes"][node]["mesh"])];
        list(&mesh["primitives"]).iter().map(|primitive| self.skinned_primitive(primitive, node, pose, blend)).collect()
    }

    fn skinned_primitive(&self, primitive: &Value, node: usize, pose: &Pose, blend: Blend) -> Vec<Vertex> {
        let attribute = |name: &str| match &primitive["attributes"][name] {
            Value::Null => None,
            accessor => Some(self.elements(index(accessor))),
        };
        let morphed = |name: &str| {
            let mut vectors = attribute(name)?.to_vec();
            for (target, weight) in list(&primitive["targets"]).iter().zip(&pose.weights[node]) {
                if target[name].is_null() {
                    continue;
                }
                for (vector, delta) in vectors.iter_mut().zip(self.elements(index(&target[name]))) {
                    for (part, delta) in vector.iter_mut().zip(delta) {
                        *part += weight * delta;
                    }
                }
            }
            Some(vectors)
        };
        let skin = &self.json["nodes"][node]["skin"];
        let (normals, tangents) = (morphed("NORMAL"), morphed("TANGENT"));
        let vertex = |(vertex, at): (usize, Vec<f64>)| {
            let mut influences = Vec::new();
            for set in 0..2 {
                let joints = attribute(&format!("JOINTS_{set}"));
                let weights = attribute(&format!("WEIGHTS_{set}"));
                if let (Some(joints), Some(weights)) = (joints, weights) {
                    influences.extend(joints[vertex].iter().copied().zip(weights[vertex].iter().copied()));
                }
            }
            let (matrix, is_torn) = if skin.is_null() {
                (pose.worlds[node], false)
            } else {
                let palette = &pose.palettes[index(skin)];
                let total: f64 = influences.iter().map(|(_, weight)| weight).sum();
                let joints: Vec<(Matrix, f64)> = influences
                    .iter()
                    .filter(|(_, weight)| *weight > 0.0)
                    .map(|&(joint, weight)| (palette[joint as usize], weight / total))
                    .collect();
                match blend {
                    Blend::Linear => (linear(&joints), false),
                    Blend::DualQuaternion => dual_quaternion(&joints),
                }
            };
            let normal = normals.as_ref().map(|normals| std::array::from_fn(|part| normals[vertex][part]));
            let tangent = tangents.as_ref().map(|tangents| std::array::from_fn(|part| tangents[vertex][part]));
            Vertex { is_torn, ..moved(&matrix, [at[0], at[1], at[2]], normal, tangent) }
        };
        morphed("POSITION").expect("positions").into_iter().enumerate().map(vertex).collect()
    }
}

/// Moves one vertex by a matrix.
fn moved(matrix: &Matrix, at: [f64; 3], normal: Option<[f64; 3]>, tangent: Option<[f64; 4]>) -> Vertex {
    let (inverse, determinant) = inverse(matrix);
    // Relative to what the columns could give: near zero, the sign is an accident of rounding.
    let size: f64 = (0..3).map(|column| length(&matrix[column * 4..column * 4 + 3])).product();
    let is_flat = determinant.abs() < 1e-4 * size || size == 0.0;
    let normal = normal.and_then(|normal| {
        // By the transposed inverse.
        let turned = std::array::from_fn(|row| (0..3).map(|column| inverse[column][row] * normal[column]).sum());
        unit(turned).filter(|_| !is_flat)
    });
    let tangent = tangent.and_then(|[x, y, z, w]| {
        let turned = std::array::from_fn(|row| matrix[row] * x + matrix[4 + row] * y + matrix[8 + row] * z);
        unit(turned).filter(|_| !is_flat).map(|[x, y, z]| [x, y, z, w * determinant.signum()])
    });
    Vertex { position: transform_point(matrix, at), normal, tangent, is_torn: false }
}

/// The mean of matrices by their weights.
fn linear(joints: &[(Matrix, f64)]) -> Matrix {
    std::array::from_fn(|at| joints.iter().map(|(matrix, weight)| matrix[at] * weight).sum())
}

/// The blend of the rigid parts as dual quaternions, after the mean of what is left of the matrices without them; and
/// whether it is torn.
fn dual_quaternion(joints: &[(Matrix, f64)]) -> (Matrix, bool) {
    let parts: Vec<(Dual, [[f64; 3]; 3], f64)> = joints
        .iter()
        .map(|(matrix, weight)| {
            let (dual, stretch) = Dual::of(matrix);
            (dual, stretch, *weight)
        })
        .collect();
    let strongest = parts.iter().fold(&parts[0], |best, part| if part.2 > best.2 { part } else { best }).0;
    let mut sum = Dual { real: [0.0; 4], dual: [0.0; 4] };
    let mut stretch = [[0.0; 3]; 3];
    let mut is_torn = false;
    for (part, own, weight) in &parts {
        let dot: f64 = part.real.iter().zip(strongest.real).map(|(a, b)| a * b).sum();
        is_torn |= dot.abs() < 1e-3;
        let signed = if dot < 0.0 { -weight } else { *weight };
        for at in 0..4 {
            sum.real[at] += signed * part.real[at];
            sum.dual[at] += signed * part.dual[at];
        }
        for column in 0..3 {
            for row in 0..3 {
                stretch[column][row] += weight * own[column][row];
            }
        }
    }
    let origin = sum.carry([0.0; 3]);
    let mut matrix = [0.0; 16];
    for column in 0..3 {
        // Where a stretched axis goes, seen from where the origin goes.
        let end = sum.carry(stretch[column]);
        for row in 0..3 {
            matrix[column * 4 + row] = end[row] - origin[row];
        }
    }
    matrix[12..15].copy_from_slice(&origin);
    matrix[15] = 1.0;
    (matrix, is_torn)
}

/// A dual quaternion, both parts wxyz.
#[derive(Debug, Clone, Copy)]
struct Dual {
    real: [f64; 4],
    dual: [f64; 4],
}

impl Dual {
    /// The rigid part of a matrix, whose rotation is that of its first two columns, and the rest (columns).
    fn of(matrix: &Matrix) -> (Self, [[f64; 3]; 3]) {
        let column = |column: usize| [matrix[column * 4], matrix[column * 4 + 1], matrix[column * 4 + 2]];
        let x = unit(column(0)).expect("a first column");
        let along = dot(x, column(1));
        let y = unit(std::array::from_fn(|row| column(1)[row] - along * x[row])).expect("a second column");
        let z = cross(x, y);
        let stretch = [0, 1, 2].map(|index| [x, y, z].map(|axis| dot(axis, column(index))));
        // Four times the products of the quaternion's components: any row of them is a multiple of it, the one with the
        // largest diagonal the most exact.
        let (xx, yy, zz) = (x[0], y[1], z[2]);
        let rows = [
            [1.0 + xx + yy + zz, y[2] - z[1], z[0] - x[2], x[1] - y[0]],
            [y[2] - z[1], 1.0 + xx - yy - zz, x[1] + y[0], z[0] + x[2]],
            [z[0] - x[2], x[1] + y[0], 1.0 - xx + yy - zz, y[2] + z[1]],
            [x[1] - y[0], z[0] + x[2], y[2] + z[1], 1.0 - xx - yy + zz],
        ];
        let best = (0..4).fold(0, |best, row| if rows[row][row] > rows[best][best] { row } else { best });
        let size = rows[best].iter().map(|part| part * part).sum::<f64>().sqrt();
        let real = rows[best].map(|part| part / size);
        let half = [0.0, matrix[12] / 2.0, matrix[13] / 2.0, matrix[14] / 2.0];
        (Self { real, dual: product(half, real) }, stretch)
    }

    /// Moves a point: the sandwich product, divided by the squared length.
    fn carry(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let conjugate = |[w, x, y, z]: [f64; 4]| [w, -x, -y, -z];
        let squared: f64 = self.real.iter().map(|part| part * part).sum();
        let turned = product(product(self.real, [0.0, x, y, z]), conjugate(self.real));
        let shift = product(self.dual, conjugate(self.real));
        std::array::from_fn(|part| (turned[part + 1] + 2.0 * shift[part + 1]) / squared)
    }
}

fn product([aw, ax, ay, az]: [f64; 4], [bw, bx, by, bz]: [f64; 4]) -> [f64; 4] {
    [
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ]
}

/// The rows of the inverse of the linear part, and the determinant.
fn inverse(m: &Matrix) -> ([[f64; 3]; 3], f64) {
    let (a, b, c) = ([m[0], m[1], m[2]], [m[4], m[5], m[6]], [m[8], m[9], m[10]]);
    let determinant = dot(a, cross(b, c));
    ([cross(b, c), cross(c, a), cross(a, b)].map(|row| row.map(|part| part / determinant)), determinant)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn length(vector: &[f64]) -> f64 {
    vector.iter().map(|part| part * part).sum::<f64>().sqrt()
}

fn unit(vector: [f64; 3]) -> Option<[f64; 3]> {
    let length = length(&vector);
    (length > 0.0 && length.is_finite()).then(|| vector.map(|part| part / length))
}
