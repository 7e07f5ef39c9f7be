//! Morph targets: those of clips, faded, under those that were set by hand.

use nebula_animation::asset::{Animation, Mesh, MorphTarget, MorphTrack, Primitive};
use nebula_animation::clip::{MorphLayout, MorphMesh};
use nebula_animation::{Asset, Fade, Interpolation};

use super::super::puppet::{Bending, Puppet};
use crate::show::model::Model;

/// A triangle whose first corner has two morph targets, and a clip for each of some pairs of weights.
pub fn face(rest: [f32; 2], clips: &[[f32; 2]]) -> Model {
    let target = |way: [f32; 3]| MorphTarget { positions: vec![way, [0.0; 3], [0.0; 3]], ..MorphTarget::default() };
    let primitive = Primitive {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        indices: vec![0, 1, 2],
        morph_targets: vec![target([-1.0, 0.0, 0.0]), target([0.0, -1.0, 0.0])],
        ..Primitive::default()
    };
    let names = ["smile".to_owned(), "blink".to_owned()].to_vec();
    let mesh = Mesh {
        morph_target_names: names.clone(),
        morph_weights: rest.to_vec(),
        morph_slot: Some(0),
        primitives: [primitive].into(),
        ..Mesh::default()
    };
    let of_rig = MorphMesh { target_names: names, weights: rest.to_vec(), ..MorphMesh::default() };
    let clip = |weights: &[f32; 2]| Animation {
        name: format!("{weights:?}"),
        duration: 1.0,
        tracks: Vec::new(),
        morph_tracks: vec![MorphTrack {
            mesh: 0,
            first_slot: 0,
            target_count: 2,
            interpolation: Interpolation::Linear,
            times: [0.0, 1.0].into(),
            values: [weights[0], weights[1], weights[0], weights[1]].into(),
        }],
    };
    let asset = Asset {
        meshes: vec![mesh],
        morphs: MorphLayout { meshes: vec![of_rig] },
        animations: clips.iter().map(clip).collect(),
        ..Asset::default()
    };
    Model::new(asset).expect("a model")
}

fn assert_shown(puppet: &Puppet, expected: [f32; 2]) {
    let body = puppet.body();
    let shown = body.weights_of(&puppet.model.asset.meshes[0]);
    assert_eq!(shown.len(), 2);
    for (shown, expected) in shown.iter().zip(expected) {
        assert!((shown - expected).abs() < 1e-6, "{shown} instead of {expected}");
    }
}

#[test]
fn faces_play_fade_and_are_set_by_hand() {
    let mut puppet = Puppet::new(face([0.0, 0.25], &[[1.0, 0.5], [0.0, 0.1]]));
    assert_shown(&puppet, [0.0, 0.25]);
    puppet.play(0, Fade::linear(0.5)).expect("a clip");
    puppet.update(0.0, &Bending::default());
    assert_shown(&puppet, [1.0, 0.5]);
    puppet.play(1, Fade::linear(0.5)).expect("a clip");
    puppet.update(0.25, &Bending::default());
    assert_shown(&puppet, [0.5, 0.3]);
    puppet.set_weights[1] = Some(0.9);
    puppet.update(0.25, &Bending::default());
    assert_shown(&puppet, [0.0, 0.9]);
    puppet.set_weights[1] = None;
    puppet.update(0.0, &Bending::default());
    assert_shown(&puppet, [0.0, 0.1]);
}

/// The camera shows what morph targets reach at any moment of the clip.
#[test]
fn the_reach_of_a_clip_counts_its_face() {
    let puppet = Puppet::new(face([0.0; 2], &[[2.0, 0.5]]));
    let [still, moving] = [None, Some(0)].map(|clip| puppet.reach(clip)[0]);
    assert!(still.abs().max_element() < 1e-6, "{still}");
    assert!((moving - glam::Vec3::new(-2.0, -0.5, 0.0)).length() < 1e-6, "{moving}");
}
