//! Finds the side from which a model shows most.

use glam::{Quat, Vec3};
use nebula_animation::asset::Topology;

use super::shot::Body;
use super::stage::THREE_QUARTER;
use super::surfaces::Surfaces;

/// The usual side is taken if it shows at least this part of what the best one shows.
const ENOUGH: f32 = 0.3;

/// From a body towards a camera that sees it well: the usual three quarters from the front, or another side where surfaces that are
/// visible from one side only turn their backs to that.
pub fn best(body: &Body<'_>) -> Vec3 {
    let mut surfaces = Surfaces::default();
    surfaces.deform(body);
    let below = Vec3::new(THREE_QUARTER.x, -THREE_QUARTER.y, THREE_QUARTER.z);
    let turned =
        |side: Vec3| (0..8).map(move |turn| Quat::from_rotation_y(turn as f32 * std::f32::consts::FRAC_PI_4) * side);
    let usual = body.model.side(THREE_QUARTER);
    let mut best = (usual, area(body, &surfaces, usual) / ENOUGH);
    for side in turned(usual).skip(1).chain(turned(body.model.side(below))) {
        let seen = area(body, &surfaces, side);
        if seen > best.1 {
            best = (side, seen);
        }
    }
    best.0
}

/// How much of the surfaces turns to a side, with what hides behind other parts.
fn area(body: &Body<'_>, surfaces: &Surfaces, side: Vec3) -> f32 {
    let model = body.model;
    let mut sum = 0.0;
    for (part, vertices) in model.parts.iter().zip(surfaces.parts()) {
        let primitive = model.primitive(part);
        if primitive.topology != Topology::Triangles {
            continue;
        }
        for triangle in primitive.indices.as_chunks::<3>().0 {
            let [a, b, c] =
                triangle.map(|corner| vertices.positions.get(corner as usize).copied().unwrap_or(Vec3::ZERO));
            let facing = (b - a).cross(c - a).dot(side);
            let facing = if vertices.is_mirrored { -facing } else { facing };
            let seen = if primitive.material.is_double_sided { facing.abs() } else { facing.max(0.0) };
            if seen.is_finite() {
                sum += seen;
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::figure::Figure;
    use crate::show::model::Model;
    use nebula_animation::Asset;
    use nebula_animation::asset::{Material, Mesh, Primitive};

    fn triangle(indices: [u32; 3], is_double_sided: bool) -> Model {
        let primitive = Primitive {
            positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            indices: indices.to_vec(),
            material: Material { is_double_sided, ..Material::default() },
            ..Primitive::default()
        };
        let mesh = Mesh { primitives: [primitive].into(), ..Mesh::default() };
        Model::new(Asset { meshes: vec![mesh], ..Asset::default() }).unwrap()
    }

    #[test]
    fn surfaces_are_seen_from_their_front() {
        let side = |indices, is_double_sided| best(&Figure::new(&triangle(indices, is_double_sided)).body());
        assert_eq!(side([0, 1, 2], false), THREE_QUARTER);
        assert_eq!(side([0, 2, 1], true), THREE_QUARTER);
        assert!(side([0, 2, 1], false).z < -0.7, "from behind");
    }

    #[test]
    fn characters_are_seen_from_the_usual_side() {
        for bytes in [
            &include_bytes!("../../../nebula-animation/test_assets/simple_humanoid.glb")[..],
            include_bytes!("../../../nebula-animation/test_assets/robot.glb"),
        ] {
            let model = Model::from_bytes("character", bytes).unwrap();
            assert_eq!(best(&Figure::new(&model).body()), THREE_QUARTER);
        }
    }

    #[test]
    fn whoever_faces_the_other_way_is_seen_from_there() {
        let bytes = include_bytes!("../../../nebula-animation/test_assets/simple_humanoid.glb");
        let mut asset = Model::from_bytes("character", bytes).unwrap().asset;
        for (turn, expected) in [(std::f32::consts::PI, Vec3::NEG_Z), (std::f32::consts::FRAC_PI_2, Vec3::X)] {
            let root = &mut asset.skeleton.joints[0];
            root.bind_rotation = Quat::from_rotation_y(turn) * Quat::IDENTITY;
            let model = Model::new(asset.clone()).unwrap();
            assert!(model.side(Vec3::Z).abs_diff_eq(expected, 1e-5), "{}", model.side(Vec3::Z));
            let side = best(&Figure::new(&model).body());
            assert!(side.abs_diff_eq(Quat::from_rotation_y(turn) * THREE_QUARTER, 1e-5), "{side}");
        }
    }
}
