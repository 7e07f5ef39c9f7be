//! Points of soles are vertices of the mesh, and go where those go.

use std::path::{Path, PathBuf};

use glam::{Mat4, Quat, Vec3};
use nebula_animation::Asset;
use nebula_animation::palette::model_matrices;

use crate::determinism::corpus;

/// How far the points of the soles are from the nearest vertex of the mesh, at most, with all toes bent up by half a radian; and how many points
/// two joints share.
fn measure(path: &Path) -> (f32, usize) {
    let asset = Asset::load(path).expect("a character");
    let rig = asset.rig();
    let mut pose = rig.bind_pose();
    let mut models = vec![Mat4::IDENTITY; pose.len()];
    model_matrices(rig.skeleton(), &pose, &mut models);
    for leg in rig.feet().expect("legs").legs() {
        let toes = usize::from(leg.toes.expect("toes"));
        // Upwards, about the axis across a character that faces +Z.
        let lies = models[toes].to_scale_rotation_translation().1;
        let turn = lies.conjugate() * Quat::from_rotation_x(-0.5) * lies;
        pose[toes].1 *= turn;
    }
    model_matrices(rig.skeleton(), &pose, &mut models);
    let palette: Vec<Mat4> =
        models.iter().zip(&rig.joints).map(|(model, joint)| *model * joint.inverse_bind_matrix).collect();
    let mut vertices = Vec::new();
    for part in asset.meshes.iter().flat_map(|mesh| mesh.primitives.iter()) {
        for ((place, joints), weights) in part.positions.iter().zip(&part.joints).zip(&part.weights) {
            let each = joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
            let placed =
                each.map(|(joint, weight)| palette[usize::from(*joint)].transform_point3((*place).into()) * *weight);
            vertices.push(placed.sum::<Vec3>());
        }
    }
    let (mut farthest, mut shared) = (0.0_f32, 0);
    for sole in rig.soles() {
        let mut place = models[usize::from(sole.joint)].transform_point3(sole.point);
        if let Some(blend) = sole.blend {
            let other = models[usize::from(blend.joint)].transform_point3(blend.point);
            place += blend.share * (other - place);
            shared += 1;
        }
        let nearest = vertices.iter().map(|vertex| vertex.distance(place)).fold(f32::INFINITY, f32::min);
        farthest = farthest.max(nearest);
    }
    (farthest, shared)
}

#[test]
fn points_of_soles_bend_with_the_mesh() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    let (farthest, _) = measure(&own);
    assert!(farthest < 1e-4, "{farthest} m");
    let Some(folder) = corpus("asset::soles::points_of_soles_bend_with_the_mesh") else { return };
    let character = |name: &str| -> PathBuf { folder.join("characters").join(name) };
    for name in ["m2m-human-sophia.glb", "m2m-human-female.glb"] {
        let (farthest, shared) = measure(&character(name));
        assert!(shared > 4, "{name}: two joints share {shared} points");
        assert!(farthest < 1e-3, "{name}: {farthest} m");
    }
}
