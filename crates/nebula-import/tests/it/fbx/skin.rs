//! Skins and blend shapes where ufbx has them.

use glam::{DVec3, Vec3};
use nebula_animation::Asset;

use super::{asset, oracle, text, worlds};

/// The vertices of the skinned mesh at a time of the take: blend shapes, then the skin.
fn ours(asset: &Asset, time: f32) -> Vec<DVec3> {
    let mesh = asset.meshes.iter().find(|mesh| mesh.skin.is_some()).expect("a skinned mesh");
    let (skin, primitive) = (&asset.skins[mesh.skin.expect("a skin")], &mesh.primitives[0]);
    let mut weights = mesh.morph_weights.clone();
    if let Some(track) = asset.animations[0].morph_tracks.first() {
        track.sample(time, &mut weights);
    }
    let models = worlds(asset, time);
    let vertex = |vertex: usize| {
        let mut at = Vec3::from_array(primitive.positions[vertex]);
        for (target, weight) in primitive.morph_targets.iter().zip(&weights) {
            at += *weight * Vec3::from_array(target.positions[vertex]);
        }
        let parts = primitive.joints[vertex].iter().zip(primitive.weights[vertex]);
        parts.fold(DVec3::ZERO, |sum, (joint, weight)| {
            let place = skin.joints.iter().position(|other| other == joint).expect("a joint of the skin");
            let moved = models[usize::from(*joint)] * skin.inverse_bind_matrices[place];
            sum + f64::from(weight) * moved.transform_point3(at).as_dvec3()
        })
    };
    (0..primitive.positions.len()).map(vertex).collect()
}

/// How far the vertices of both are apart at most, in metres, and how far ufbx's move from those of the first moment.
fn apart(bytes: &[u8]) -> (f64, f64) {
    let (made, theirs) = (asset(bytes), oracle(bytes));
    let (mut off, mut moved) = (0.0_f64, 0.0_f64);
    let mut first: Vec<DVec3> = Vec::new();
    for step in 0..=15_u8 {
        let time = f64::from(step) / 20.0;
        let options = ufbx::EvaluateOpts { evaluate_skinning: true, ..Default::default() };
        let scene = ufbx::evaluate_scene(&theirs, &theirs.anim_stacks[0].anim, time, options).expect("a pose");
        let mesh = &scene.meshes[0];
        assert!(!mesh.skinned_is_local, "in the world");
        let expected: Vec<DVec3> = mesh.skinned_position.values.iter().map(|at| DVec3::new(at.x, at.y, at.z)).collect();
        if first.is_empty() {
            first.clone_from(&expected);
        }
        moved = expected.iter().zip(&first).fold(moved, |most, (a, b)| most.max(a.distance(*b)));
        let found = ours(&made, time as f32);
        assert_eq!(found.len(), expected.len());
        // Vertices of ours are in the order of corners.
        for at in found {
            off = off.max(expected.iter().map(|other| other.distance(at)).fold(f64::MAX, f64::min));
        }
    }
    (off, moved)
}

#[test]
fn skins_and_blend_shapes_are_those_of_ufbx() {
    for (up, unit) in [(1, 1.0), (2, 1.0), (1, 100.0), (1, 2.54)] {
        let (off, moved) = apart(text(up, unit).as_bytes());
        assert!(moved > 0.05, "the mesh moves: {moved} m");
        assert!(off < 1e-4, "axis {up}, unit {unit}: {off} m");
    }
}
