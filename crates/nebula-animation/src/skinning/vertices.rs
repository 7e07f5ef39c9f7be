//! Positions, normals and tangents in a pose.

use glam::{Mat3, Mat4, Vec3, Vec4};

use super::blend::{blended, unit_or};
use super::{Blending, Geometry, Palette};
use crate::palette::PaletteRows;

/// The vertices of a mesh in a pose, in model space. Keep it from frame to frame: its memory is reused.
///
/// ```
/// use glam::{Mat4, Vec3};
/// use nebula_animation::skinning::{Blending, Geometry, SkinnedVertices};
///
/// let geometry = Geometry {
///     positions: &[[0.0, 1.0, 0.0]],
///     joints: &[[0, 1, 0, 0]],
///     weights: &[[0.25, 0.75, 0.0, 0.0]],
///     ..Geometry::default()
/// };
/// let palette = [Mat4::IDENTITY, Mat4::from_translation(Vec3::X * 4.0)];
/// let mut skinned = SkinnedVertices::default();
/// skinned.skin(&geometry, &[], &palette[..], Blending::Linear);
/// assert_eq!(skinned.positions, [Vec3::new(3.0, 1.0, 0.0)]);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SkinnedVertices {
    /// Positions, one per vertex.
    pub positions: Vec<Vec3>,
    /// Unit normals, or zero if a matrix is singular; empty if the geometry has none.
    pub normals: Vec<Vec3>,
    /// Unit tangents with the sign of the bitangent in `w`; empty if the geometry has none.
    pub tangents: Vec<Vec4>,
    /// Whether the pose mirrors most of the vertices: triangles are then clockwise, seen from outside.
    pub is_mirrored: bool,
}

impl SkinnedVertices {
    /// Transforms the vertices by a palette. `morph_weights` has one weight per morph target; missing ones count as
    /// zero.
    ///
    /// A vertex without joints stays where the morph targets put it. Joints beyond the palette have no effect;
    /// [`Geometry::check`] finds them.
    pub fn skin<'p>(
        &mut self,
        geometry: &Geometry,
        morph_weights: &[f32],
        palette: impl Into<Palette<'p>>,
        blending: Blending,
    ) {
        let palette = palette.into();
        self.moved(geometry, morph_weights, |vertex| {
            blended(&geometry.influences(vertex), &palette, blending).unwrap_or(PaletteRows::IDENTITY)
        });
    }

    /// Transforms all vertices by one matrix, such as the model matrix of the joint that a rigid mesh is attached to.
    pub fn carry(&mut self, geometry: &Geometry, morph_weights: &[f32], model_from_mesh: &Mat4) {
        let rows = PaletteRows::from_matrix(model_from_mesh);
        self.moved(geometry, morph_weights, |_| rows);
    }

    fn moved(&mut self, geometry: &Geometry, morph_weights: &[f32], matrix: impl Fn(usize) -> PaletteRows) {
        let count = geometry.positions.len();
        self.morph(geometry, morph_weights);
        let mut mirrored = 0;
        for vertex in 0..count {
            let position = self.positions[vertex];
            let normal = self.normals.get(vertex).copied().unwrap_or_default();
            let tangent = self.tangents.get(vertex).copied().unwrap_or_default();
            let moved = Moved::by(&matrix(vertex), position, normal, tangent);
            self.positions[vertex] = moved.position;
            if let Some(normal) = self.normals.get_mut(vertex) {
                *normal = moved.normal;
            }
            if let Some(tangent) = self.tangents.get_mut(vertex) {
                *tangent = moved.tangent;
            }
            mirrored += usize::from(moved.is_mirrored);
        }
        self.is_mirrored = mirrored * 2 > count;
    }

    /// Copies the vertices and adds the morph targets to them.
    fn morph(&mut self, geometry: &Geometry, weights: &[f32]) {
        for (vectors, source) in [(&mut self.positions, geometry.positions), (&mut self.normals, geometry.normals)] {
            vectors.clear();
            vectors.extend(source.iter().copied().map(Vec3::from));
        }
        self.tangents.clear();
        self.tangents.extend(geometry.tangents.iter().copied().map(Vec4::from));
        for (target, &weight) in geometry.morph_targets.iter().zip(weights) {
            if weight == 0.0 {
                continue;
            }
            for (vectors, deltas) in [(&mut self.positions, target.positions), (&mut self.normals, target.normals)] {
                for (vector, &delta) in vectors.iter_mut().zip(deltas) {
                    *vector += Vec3::from(delta) * weight;
                }
            }
            for (tangent, &delta) in self.tangents.iter_mut().zip(target.tangents) {
                *tangent += Vec3::from(delta).extend(0.0) * weight;
            }
        }
    }
}

/// Transforms one vertex by a matrix: its position, its normal by the cofactors, and its tangent. Normal and tangent
/// are normalized, or zero if they were zero or the matrix is singular.
#[must_use]
pub fn transform_vertex(
    model_from_mesh: &PaletteRows,
    position: Vec3,
    normal: Vec3,
    tangent: Vec4,
) -> (Vec3, Vec3, Vec4) {
    let moved = Moved::by(model_from_mesh, position, normal, tangent);
    (moved.position, moved.normal, moved.tangent)
}

struct Moved {
    position: Vec3,
    normal: Vec3,
    tangent: Vec4,
    is_mirrored: bool,
}

impl Moved {
    fn by(rows: &PaletteRows, position: Vec3, normal: Vec3, tangent: Vec4) -> Self {
        let [a, b, c] = rows.0.map(Vec4::from);
        let point = position.extend(1.0);
        let linear = Mat3::from_cols(Vec3::new(a.x, b.x, c.x), Vec3::new(a.y, b.y, c.y), Vec3::new(a.z, b.z, c.z));
        let largest = a.truncate().abs().max(b.truncate().abs()).max(c.truncate().abs()).max_element();
        // Products of very small or large numbers would vanish or overflow; directions do not depend on the scale.
        let linear = if largest > 0.0 { linear / largest } else { linear };
        let cofactors = Mat3::from_cols(
            linear.y_axis.cross(linear.z_axis),
            linear.z_axis.cross(linear.x_axis),
            linear.x_axis.cross(linear.y_axis),
        );
        // Cofactors are the transposed inverse times the determinant, whose sign would turn normals inwards.
        let is_mirrored = linear.x_axis.dot(cofactors.x_axis) < 0.0;
        let side = if is_mirrored { -1.0 } else { 1.0 };
        Self {
            position: Vec3::new(a.dot(point), b.dot(point), c.dot(point)),
            normal: unit_or(cofactors * normal, Vec3::ZERO) * side,
            tangent: unit_or(linear * tangent.truncate(), Vec3::ZERO).extend(tangent.w * side),
            is_mirrored,
        }
    }
}
