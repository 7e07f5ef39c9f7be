//! Bounding boxes of bodies, without visiting their vertices.

use glam::{Mat4, Vec3};
use nebula_animation::skinning::{Blending, Bounds, PoseBounds};

use super::model::Model;
use super::shot::Body;

/// What is needed to find the box around a model in any pose.
#[derive(Debug)]
pub struct ModelBounds {
    parts: Vec<PoseBounds>,
}

impl ModelBounds {
    /// Looks at every vertex once.
    pub fn new(model: &Model) -> Self {
        let bounds = |part| PoseBounds::new(&model.primitive(part).geometry(), Blending::Linear);
        Self { parts: model.parts.iter().map(bounds).collect() }
    }

    /// The box around a body of this model, in world space; none if it has no surfaces, or a pose without numbers.
    pub fn of(&self, body: &Body<'_>) -> Option<Bounds> {
        let model = body.model;
        let parts = model.parts.iter().zip(&self.parts).filter_map(|(part, bounds)| {
            let mesh = &model.asset.meshes[part.mesh];
            let bounds = bounds.of(body.palette, body.weights_of(mesh))?;
            let carrier = match (mesh.skin, mesh.joint.map(usize::from)) {
                (Some(_), _) if !model.primitive(part).joints.is_empty() => return Some(bounds),
                (None, Some(joint)) => {
                    body.palette.get(joint).copied().unwrap_or(Mat4::IDENTITY) * model.bind_matrix(joint)
                }
                _ => body.place,
            };
            Bounds::around(corners([bounds.min, bounds.max]).map(|corner| carrier.transform_point3(corner)))
        });
        parts.reduce(|a, b| a.union(&b))
    }
}

/// The corners of a box.
pub fn corners([min, max]: [Vec3; 2]) -> [Vec3; 8] {
    [0, 1, 2, 3, 4, 5, 6, 7].map(|corner: u32| {
        let pick = |bit: u32, low: f32, high: f32| if corner >> bit & 1 == 0 { low } else { high };
        Vec3::new(pick(0, min.x, max.x), pick(1, min.y, max.y), pick(2, min.z, max.z))
    })
}
