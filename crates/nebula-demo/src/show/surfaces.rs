//! The vertices of a body, deformed by the library.

use glam::{Mat4, Vec3, Vec4};
use nebula_animation::asset::Topology;
use nebula_animation::skinning::{Blending, SkinnedVertices};

use super::model::Model;
use super::shot::Body;
use crate::picture::{Line, Mesh};

/// The vertices of a body in its pose, in world space, part by part. Kept from frame to frame for its memory.
#[derive(Debug, Default)]
pub struct Surfaces {
    parts: Vec<SkinnedVertices>,
}

impl Surfaces {
    /// Brings every vertex of a body to its place.
    pub fn deform(&mut self, body: &Body) {
        let model = body.model;
        self.parts.resize_with(model.parts.len(), SkinnedVertices::default);
        for (part, vertices) in model.parts.iter().zip(&mut self.parts) {
            let mesh = &model.asset.meshes[part.mesh];
            let geometry = model.primitive(part).geometry();
            let weights = body.weights_of(mesh);
            match (mesh.skin, mesh.joint) {
                // Vertices without joints stay where the file has them.
                (Some(_), _) if geometry.joints.is_empty() => vertices.carry(&geometry, weights, &body.place),
                (Some(_), _) => vertices.skin(&geometry, weights, body.palette, Blending::Linear),
                (None, Some(joint)) => {
                    let joint = usize::from(joint);
                    let world_from_bind = body.palette.get(joint).copied().unwrap_or(Mat4::IDENTITY);
                    vertices.carry(&geometry, weights, &(world_from_bind * model.bind_matrix(joint)));
                }
                (None, None) => vertices.carry(&geometry, weights, &body.place),
            }
        }
    }

    /// The deformed vertices of each part of the model.
    pub fn parts(&self) -> &[SkinnedVertices] {
        &self.parts
    }

    /// Whether there is anything.
    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(|part| part.positions.is_empty())
    }

    /// Appends the triangles, for the renderer.
    pub fn add_meshes<'a>(&'a self, model: &'a Model, meshes: &mut Vec<Mesh<'a>>) {
        for (part, vertices) in model.parts.iter().zip(&self.parts) {
            let primitive = model.primitive(part);
            if primitive.topology == Topology::Triangles {
                meshes.push(Mesh {
                    positions: &vertices.positions,
                    normals: &vertices.normals,
                    tangents: &vertices.tangents,
                    colors: &part.colors,
                    uvs: part.uvs.each_ref().map(Vec::as_slice),
                    indices: &primitive.indices,
                    looks: model.looks(primitive),
                    alpha: primitive.material.alpha,
                    double_sided: primitive.material.is_double_sided,
                    is_mirrored: vertices.is_mirrored,
                    is_shadowless: part.is_outline,
                    ..Mesh::default()
                });
            }
        }
    }

    /// Appends lines and points of the file, `width` pixels wide.
    pub fn add_lines(&self, model: &Model, width: f32, lines: &mut Vec<Line>) {
        for (part, vertices) in model.parts.iter().zip(&self.parts) {
            let primitive = model.primitive(part);
            let ends = match primitive.topology {
                Topology::Triangles => continue,
                Topology::Lines => 2,
                Topology::Points => 1,
            };
            let color = Vec4::from(primitive.material.base_color_factor);
            for shape in primitive.indices.chunks_exact(ends) {
                let place = |end: u32| vertices.positions.get(end as usize).copied().unwrap_or(Vec3::NAN);
                let (start, end) = (place(shape[0]), place(shape[ends - 1]));
                lines.push(Line { start, end, widths: [width; 2], color });
            }
        }
    }
}
