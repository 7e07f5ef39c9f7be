//! Avatars in pictures: what swings and follows in their files does so in films and sheets, and in the viewer.

use nebula_animation::{Asset, asset::LoadOptions};
use serde_json::json;

use crate::show::figure::Figure;
use crate::show::model::Model;

/// A head that nods, hair that hangs from it, and a joint that turns half as far as the head.
pub(crate) fn avatar() -> Model {
    let numbers: [f32; 15] =
        [0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.479_425_54, 0.877_582_55, 0.0, 0.0, 0.0, 1.0];
    let binary: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let hair = json!({ "hitRadius": 0.0, "stiffness": 0.2, "gravityPower": 0.3, "dragForce": 0.2 });
    let joint = |node: usize| {
        let mut joint = hair.clone();
        joint["node"] = json!(node);
        joint
    };
    let json = json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0] }],
        "extensionsUsed": ["VRMC_vrm", "VRMC_springBone", "VRMC_node_constraint"],
        "nodes": [
            { "name": "hips", "translation": [0, 1, 0], "children": [1] },
            { "name": "head", "translation": [0, 0.5, 0], "children": [2, 4] },
            { "name": "hair", "translation": [0, 0.1, -0.1], "children": [3] },
            { "name": "end", "translation": [0, 0, -0.3] },
            { "name": "ear", "translation": [0.1, 0, 0], "extensions": { "VRMC_node_constraint": { "specVersion": "1.0",
                "constraint": { "rotation": { "source": 1, "weight": 0.5 } } } } }
        ],
        "extensions": {
            "VRMC_vrm": { "specVersion": "1.0", "humanoid": { "humanBones": { "hips": { "node": 0 }, "head": { "node": 1 } } } },
            "VRMC_springBone": { "specVersion": "1.0", "springs": [{ "joints": [joint(2), joint(3)] }] }
        },
        "animations": [{ "name": "nod", "samplers": [{ "input": 0, "output": 1 }],
            "channels": [{ "sampler": 0, "target": { "node": 1, "path": "rotation" } }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "SCALAR", "min": [0], "max": [1] },
            { "bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC4" }
        ],
        "bufferViews": [{ "buffer": 0, "byteLength": 12 }, { "buffer": 0, "byteOffset": 12, "byteLength": 48 }],
        "buffers": [{ "byteLength": 60, "uri": "nod.bin" }]
    });
    let bytes = serde_json::to_vec(&json).expect("JSON");
    let mut resolve = |_: &str| Ok(binary.clone());
    let asset = Asset::from_bytes("nod.gltf", &bytes, &LoadOptions::default(), &mut resolve);
    Model::new(asset.unwrap_or_else(|error| panic!("{error}"))).expect("a model")
}

fn joint(model: &Model, name: &str) -> usize {
    model.asset.skeleton.joints.iter().position(|joint| joint.name == name).expect("a joint")
}

#[test]
fn hair_swings_and_ears_follow_in_pictures() {
    let model = avatar();
    let [head, hair, ear] = ["head", "hair", "ear"].map(|name| joint(&model, name));
    let local = |figure: &Figure, joint: usize| figure.local(joint).1;
    let mut film = Figure::new(&model);
    film.take(Some((0, 0.0)));
    let rest = model.asset.skeleton.joints[hair].bind_rotation;
    let mut most = 0.0_f32;
    for frame in 1..=60_u8 {
        let time = f32::from(frame) / 60.0;
        film.take(Some((0, time)));
        most = most.max(local(&film, hair).angle_between(rest));
        // Half as far as the head, with the file's own weight.
        let (ear, head) = (local(&film, ear), local(&film, head));
        let half = glam::Quat::IDENTITY.slerp(head, 0.5);
        assert!(ear.angle_between(half) < 2e-3, "{ear} for {head}");
    }
    assert!(most > 0.05, "hair swings: {most} rad");
    // A still of the same moment has hair where the film has it, whatever was drawn before.
    let last = local(&film, hair);
    let mut still = Figure::new(&model);
    still.take(Some((0, 1.0)));
    assert!(local(&still, hair).angle_between(last) < 0.02, "{} and {last}", local(&still, hair));
    still.take(Some((0, 0.2)));
    still.take(Some((0, 1.0)));
    assert!(local(&still, hair).angle_between(last) < 0.02);
    // At rest it hangs as the file has it.
    still.take(None);
    assert_eq!(local(&still, hair), rest);
}
