//! Variants of a character for a crowd: other shirts, and fewer triangles at a distance.

use glam::{Vec3, Vec4};
use nebula_animation::Asset;
use nebula_animation::asset::{Mesh, Primitive};

use crate::picture::srgb;
use crate::show::clusters::{clusters, triangles};

/// The same character with all vertices of a cube, in the bind pose, made one. `cell` is the size of the cubes in metres: what is
/// smaller than that is lost.
pub fn simplified(asset: &Asset, cell: f32) -> Asset {
    let meshes = asset.meshes.iter().map(|mesh| Mesh {
        primitives: mesh.primitives.iter().map(|primitive| clustered(primitive, cell)).collect(),
        ..mesh.clone()
    });
    Asset { meshes: meshes.collect(), ..asset.clone() }
}

/// The same character in a shirt of another colour, linear.
pub fn dressed(asset: &Asset, shirt: Vec4) -> Asset {
    let old = srgb(0x2F, 0x7F, 0x86);
    let dress = |color: &mut [f32; 4]| {
        if Vec4::from(*color).abs_diff_eq(old, 0.02) {
            *color = shirt.into();
        }
    };
    let meshes = asset.meshes.iter().map(|mesh| {
        let primitives = mesh.primitives.iter().map(|primitive| {
            let mut primitive = primitive.clone();
            primitive.colors.iter_mut().for_each(dress);
            primitive
        });
        Mesh { primitives: primitives.collect(), ..mesh.clone() }
    });
    Asset { meshes: meshes.collect(), ..asset.clone() }
}

fn clustered(primitive: &Primitive, cell: f32) -> Primitive {
    let new_of_old = clusters(primitive, cell);
    let mut members: Vec<Vec<usize>> = Vec::new();
    for (vertex, &cluster) in new_of_old.iter().enumerate() {
        members.resize_with(members.len().max(cluster as usize + 1), Vec::new);
        members[cluster as usize].push(vertex);
    }
    let mean = |vectors: &[[f32; 3]], members: &[usize]| {
        let sum: Vec3 =
            members.iter().filter_map(|&vertex| vectors.get(vertex)).map(|&vector| Vec3::from(vector)).sum();
        sum / members.len().max(1) as f32
    };
    let indices = triangles(primitive, &new_of_old);
    let places: Vec<Vec3> = members.iter().map(|members| mean(&primitive.positions, members)).collect();
    let normals: Vec<Vec3> =
        members.iter().map(|members| mean(&primitive.normals, members).normalize_or(Vec3::Y)).collect();
    // What is on the outside stands for its cube: hair, not the skin below it.
    let outermost = |(members, normal): (&Vec<usize>, &Vec3)| {
        let height = |vertex: usize| Vec3::from(primitive.positions[vertex]).dot(*normal);
        members.iter().copied().max_by(|&left, &right| height(left).total_cmp(&height(right))).unwrap_or(0)
    };
    let kept: Vec<usize> = members.iter().zip(&normals).map(outermost).collect();
    Primitive {
        indices,
        positions: places.into_iter().map(Into::into).collect(),
        normals: normals.into_iter().map(Into::into).collect(),
        colors: kept.iter().filter_map(|&vertex| primitive.colors.get(vertex).copied()).collect(),
        joints: kept.iter().filter_map(|&vertex| primitive.joints.get(vertex).copied()).collect(),
        weights: kept.iter().filter_map(|&vertex| primitive.weights.get(vertex).copied()).collect(),
        tangents: Vec::new(),
        uvs: [Vec::new(), Vec::new()],
        more_joints: Vec::new(),
        more_weights: Vec::new(),
        morph_targets: Vec::new(),
        ..primitive.clone()
    }
}
