//! Vertices in a pose: morphed, then carried by joints. Plain and exact rather than quick; what a GPU does, by hand.

use glam::{Mat3, Mat4, Vec3};
use nebula_animation::asset::Primitive;

/// What carries the vertices of a mesh.
#[derive(Debug, Clone, Copy)]
pub enum Carrier<'a> {
    /// Skinning matrices, one per joint of the skeleton.
    Skin(&'a [Mat4]),
    /// One matrix for all vertices: the model matrix of the joint that carries a rigid mesh.
    Rigid(Mat4),
}

/// The vertices of a primitive in a pose, in model space.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// Positions, one per vertex.
    pub positions: Vec<Vec3>,
    /// Normals of any length; empty where the file has none: those of the triangles are used then.
    pub normals: Vec<Vec3>,
    /// Whether the pose mirrors most of the surface: its triangles are clockwise then, as seen from the front.
    pub is_mirrored: bool,
}

impl Surface {
    /// Takes a pose. `morph_weights` holds one weight per morph target; missing ones count as zero.
    pub fn deform(&mut self, primitive: &Primitive, morph_weights: &[f32], carrier: Carrier) {
        self.morph(primitive, morph_weights);
        let mut mirrored = 0;
        for (vertex, position) in self.positions.iter_mut().enumerate() {
            let model_from_mesh = carrier.matrix(primitive, vertex);
            *position = model_from_mesh.transform_point3(*position);
            let (normal_matrix, is_mirrored) = normal_matrix(&model_from_mesh);
            if let Some(normal) = self.normals.get_mut(vertex) {
                *normal = normal_matrix * *normal;
            }
            mirrored += usize::from(is_mirrored);
        }
        self.is_mirrored = mirrored * 2 > self.positions.len();
    }

    /// Copies the vertices of the file and adds the morph targets to them.
    fn morph(&mut self, primitive: &Primitive, weights: &[f32]) {
        for (vectors, source) in [(&mut self.positions, &primitive.positions), (&mut self.normals, &primitive.normals)]
        {
            vectors.clear();
            vectors.extend(source.iter().copied().map(Vec3::from));
        }
        for (target, &weight) in primitive.morph_targets.iter().zip(weights) {
            if weight == 0.0 {
                continue;
            }
            for (vectors, differences) in
                [(&mut self.positions, &target.positions), (&mut self.normals, &target.normals)]
            {
                for (vector, difference) in vectors.iter_mut().zip(differences) {
                    *vector += Vec3::from(*difference) * weight;
                }
            }
        }
    }
}

impl Carrier<'_> {
    /// Mesh space to model space for one vertex: the mean of its joints' matrices by its weights.
    fn matrix(&self, primitive: &Primitive, vertex: usize) -> Mat4 {
        let palette = match self {
            Self::Rigid(matrix) => return *matrix,
            Self::Skin(palette) => palette,
        };
        // A primitive without joints stays where the file has it.
        if primitive.joints.is_empty() {
            return Mat4::IDENTITY;
        }
        let four = [(&primitive.joints, &primitive.weights), (&primitive.more_joints, &primitive.more_weights)];
        let mut sum = Mat4::ZERO;
        for (joints, weights) in four {
            let (Some(joints), Some(weights)) = (joints.get(vertex), weights.get(vertex)) else { continue };
            for (&joint, &weight) in joints.iter().zip(weights) {
                if weight != 0.0
                    && let Some(matrix) = palette.get(usize::from(joint))
                {
                    sum += *matrix * weight;
                }
            }
        }
        sum
    }
}

/// The matrix that keeps normals at right angles to their surface, and whether the given one mirrors.
///
/// It is the matrix of cofactors: the transposed inverse up to a factor, which is left out, and it exists for matrices
/// that flatten a surface too.
fn normal_matrix(matrix: &Mat4) -> (Mat3, bool) {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.truncate());
    let cofactors = Mat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
    // The factor is negative for a mirror, which would turn the normals inwards.
    let is_mirrored = x.dot(cofactors.x_axis) < 0.0;
    (if is_mirrored { -cofactors } else { cofactors }, is_mirrored)
}
