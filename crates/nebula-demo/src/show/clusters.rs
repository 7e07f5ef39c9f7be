//! Drops triangles that are too small to see.

use std::collections::HashMap;

use glam::{IVec3, Vec3};
use nebula_animation::asset::Primitive;

/// Which vertices lie together in a cube of the mesh's space: for each of them the number of its cluster, counted in the order in which
/// they appear. `cell` is the size of the cubes.
pub fn clusters(primitive: &Primitive, cell: f32) -> Vec<u32> {
    let mut numbers: HashMap<(IVec3, u16), u32> = HashMap::new();
    let cluster = |(vertex, &position): (usize, &[f32; 3])| {
        let cube = (Vec3::from(position) / cell).floor().as_ivec3();
        let next = numbers.len() as u32;
        // Vertices of one cube that belong to different joints stay apart: an arm is not sewn to the hip beside it.
        *numbers.entry((cube, strongest(primitive, vertex))).or_insert(next)
    };
    primitive.positions.iter().enumerate().map(cluster).collect()
}

/// The triangles between vertices that were given new numbers, without those that became a line or a point.
pub fn triangles(primitive: &Primitive, new_of_old: &[u32]) -> Vec<u32> {
    let corners = primitive.indices.as_chunks::<3>().0.iter();
    let renumbered = corners.map(|corners| corners.map(|corner| new_of_old[corner as usize]));
    renumbered.filter(|[a, b, c]| a != b && b != c && c != a).flatten().collect()
}

/// The joint that moves a vertex most.
fn strongest(primitive: &Primitive, vertex: usize) -> u16 {
    let (Some(joints), Some(weights)) = (primitive.joints.get(vertex), primitive.weights.get(vertex)) else { return 0 };
    let pairs = joints.iter().zip(weights);
    pairs.max_by(|left, right| left.1.total_cmp(right.1)).map_or(0, |(joint, _)| *joint)
}
