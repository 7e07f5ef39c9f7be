//! Bounds of members, for visibility in cameras and lights.

use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::{DynamicSkinnedMeshBounds, NoAutoAabb, NoFrustumCulling};
use bevy::math::Affine3A;
use bevy::prelude::*;
use nebula_animation::skinning::Bounds;

use super::{CrowdSeat, Made};

impl CrowdSeat {
    /// Gives the skinned meshes bounds that hold them at all times of what is played. Where they are not known, the meshes are always drawn.
    pub(super) fn bound_meshes(&self, commands: &mut Commands) {
        let reach = self.reach();
        for (mesh, mesh_from_model) in self.meshes.iter().zip(&self.made.mesh_from_model) {
            let mut mesh = commands.entity(*mesh);
            // Bevy's own look at joints, which are gone.
            mesh.remove::<DynamicSkinnedMeshBounds>();
            match reach.and_then(|reach| aabb(&reach, mesh_from_model)) {
                Some(aabb) => mesh.insert((aabb, NoAutoAabb)),
                None => mesh.insert(NoFrustumCulling),
            };
        }
    }

    /// How far the member reaches, in model space.
    fn reach(&self) -> Option<Bounds> {
        let Made { library, spec, .. } = &*self.made;
        let first = library.reach_of(spec.find_clip(&library.clips).ok()?)?;
        let Some((second, _)) = &spec.second else { return Some(first) };
        let both = first.union(&library.reach_of(library.clips.find(second).ok()?)?);
        // An arm on its way from up to down is out to the side.
        let (center, radius) = (both.center(), both.size().length() * 0.5);
        Some(Bounds { min: center - radius, max: center + radius })
    }
}

/// The box around a box, in another space; `None` where that is none.
fn aabb(Bounds { min, max }: &Bounds, to: &Affine3A) -> Option<Aabb> {
    let pick = |from: bool, low: f32, high: f32| if from { high } else { low };
    let corners = (0..8).map(|corner| {
        let [x, y, z] = [0, 1, 2].map(|axis| corner >> axis & 1 == 1);
        to.transform_point3(Vec3::new(pick(x, min.x, max.x), pick(y, min.y, max.y), pick(z, min.z, max.z)))
    });
    let corners: Vec<Vec3> = corners.collect();
    if corners.iter().all(|corner| corner.is_finite()) { Aabb::enclosing(corners) } else { None }
}
