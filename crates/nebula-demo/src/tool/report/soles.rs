//! The vertices of a file's meshes that feet influence.

use glam::{Mat4, Vec3};
use nebula_animation::asset::{Mesh, Primitive};
use nebula_animation::{Asset, Rig};

/// A vertex, with what moves it.
#[derive(Clone)]
pub struct Vertex {
    /// The joints that carry it, its place in the frame of each, and the weight of each.
    influences: Vec<(u16, Vec3, f32)>,
}

/// The vertices of each foot.
pub struct Soles {
    /// Left, right; empty without legs.
    pub feet: Vec<Vec<Vertex>>,
    /// Why nothing can be measured by them.
    pub why_not: Option<String>,
}

impl Vertex {
    /// Its place, given the matrices of all joints.
    pub fn place(&self, matrices: &[Mat4]) -> Vec3 {
        let of = |(joint, place, weight): &(u16, Vec3, f32)| {
            matrices.get(usize::from(*joint)).map_or(Vec3::ZERO, |matrix| matrix.transform_point3(*place) * *weight)
        };
        self.influences.iter().map(of).sum()
    }
}

impl Soles {
    pub fn of(asset: &Asset, rig: &Rig) -> Self {
        let legs = rig.feet().map_or(&[][..], |feet| feet.legs());
        let feet: Vec<Vec<Vertex>> = legs.iter().map(|leg| carried(asset, rig, leg.foot)).collect();
        let why_not = if legs.is_empty() {
            Some("no legs of a human are known".to_owned())
        } else if feet.iter().all(|foot| !foot.is_empty()) {
            None
        } else if asset.meshes.iter().any(|mesh| mesh.is_geometry_missing) {
            Some("the mesh is compressed in a way that cannot be read".to_owned())
        } else if asset.meshes.is_empty() {
            Some("the file has no mesh".to_owned())
        } else {
            Some("no vertex of a mesh follows the feet".to_owned())
        };
        Self { feet, why_not }
    }
}

/// The vertices that a joint and those below it move by more than half.
pub fn carried(asset: &Asset, rig: &Rig, top: u16) -> Vec<Vertex> {
    let is_meant = |joint: u16| joint == top || rig.is_below(joint, top);
    let mut found = Vec::new();
    for mesh in &asset.meshes {
        for part in mesh.primitives.iter() {
            for index in 0..part.positions.len() {
                let vertex = vertex(rig, mesh, part, index);
                let share: f32 = vertex.influences.iter().filter(|(joint, ..)| is_meant(*joint)).map(|it| it.2).sum();
                if share > 0.5 {
                    found.push(vertex);
                }
            }
        }
    }
    found
}

/// A vertex of a mesh with all that moves it; with nothing where the mesh stands still.
pub fn vertex(rig: &Rig, mesh: &Mesh, part: &Primitive, index: usize) -> Vertex {
    let Some(place) = part.positions.get(index).map(|place| Vec3::from(*place)) else {
        return Vertex { influences: Vec::new() };
    };
    if let Some(joint) = mesh.joint {
        return Vertex { influences: vec![(joint, place, 1.0)] };
    }
    let sets = [(&part.joints, &part.weights), (&part.more_joints, &part.more_weights)];
    let of_set = |(joints, weights): (&Vec<[u16; 4]>, &Vec<[f32; 4]>)| {
        let (joints, weights) = (joints.get(index).copied()?, weights.get(index).copied()?);
        Some(joints.into_iter().zip(weights))
    };
    let influences = sets.into_iter().filter_map(of_set).flatten().filter(|(_, weight)| *weight > 0.0);
    let in_joint = |(joint, weight): (u16, f32)| {
        let from_bind = rig.joints.get(usize::from(joint))?.inverse_bind_matrix;
        Some((joint, from_bind.transform_point3(place), weight))
    };
    Vertex { influences: influences.filter_map(in_joint).collect() }
}
