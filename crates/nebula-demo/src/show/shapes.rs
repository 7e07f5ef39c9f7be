//! Lines and points of a file, which every renderer draws as an overlay.

use glam::{Mat4, Vec3, Vec4};
use nebula_animation::asset::Topology;

use super::shot::Body;
use super::skin::{Carrier, Surface};
use crate::picture::Line;

/// The lines and points of a body in its pose, for a picture of this height in pixels.
pub fn model_lines(body: &Body<'_>, height: u32) -> Vec<Line> {
    let width = (height as f32 / 180.0).max(1.0);
    let model = body.model;
    let mut lines = Vec::new();
    let mut surface = Surface::default();
    for part in &model.parts {
        let primitive = model.primitive(part);
        let ends = match primitive.topology {
            Topology::Triangles => continue,
            Topology::Lines => 2,
            Topology::Points => 1,
        };
        let mesh = &model.asset.meshes[part.mesh];
        let carrier = match (mesh.skin, mesh.joint.map(usize::from)) {
            (Some(_), _) => Carrier::Skin(body.palette),
            (None, Some(joint)) => {
                let world_from_bind = body.palette.get(joint).copied().unwrap_or(Mat4::IDENTITY);
                let joints = &model.asset.skeleton.joints;
                let bind_from_joint = joints.get(joint).map_or(Mat4::IDENTITY, |joint| joint.inverse_bind_matrix.inverse());
                Carrier::Rigid(world_from_bind * bind_from_joint)
            }
            (None, None) => Carrier::Rigid(Mat4::IDENTITY),
        };
        let weights = body.morph_weights.get(part.mesh).map_or(&[][..], Vec::as_slice);
        surface.deform(primitive, weights, carrier);
        let color = Vec4::from(primitive.material.base_color_factor);
        for shape in primitive.indices.chunks_exact(ends) {
            let place = |end: u32| surface.positions.get(end as usize).copied().unwrap_or(Vec3::NAN);
            let (start, end) = (place(shape[0]), place(shape[ends - 1]));
            lines.push(Line { start, end, widths: [width; 2], color });
        }
    }
    lines
}
