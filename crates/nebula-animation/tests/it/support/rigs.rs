//! Sample characters.

use serde_json::json;

use super::{Array, F32, Gltf, U8, U16, at, spin};

// The accessors of `chain`, each with the view of the same number.
pub const BINDS: usize = 0;
pub const POSITIONS: usize = 1;
pub const JOINTS: usize = 2;
pub const WEIGHTS: usize = 3;
pub const INDICES: usize = 4;
pub const TIMES: usize = 5;
/// Of the first joint; those of the others follow.
pub const ROTATIONS: usize = 6;
pub const TRANSLATIONS: usize = 9;

/// The node of `chain` that shows its mesh.
pub const BODY: usize = 3;

/// A valid file without a fault: nodes 0 to 2 are a chain of joints `j0` to `j2`, one metre each; node 3 shows a strip of
/// six vertices; the animation `walk` has five keys from 0 to 2 s, channels 0 to 2 rotate the joints, channel 3 moves
/// the first one.
pub fn chain() -> Gltf {
    let mut g = Gltf::new();
    g.node(json!({"name": "j0"}));
    g.child(0, json!({"name": "j1", "translation": [0, 1, 0]}));
    g.child(1, json!({"name": "j2", "translation": [0, 1, 0]}));
    g.skin(&[0, 1, 2], &[at([0.0, 0.0, 0.0]), at([0.0, -1.0, 0.0]), at([0.0, -2.0, 0.0])]);
    g.set("/skins/0/name", "body skin");
    let body = strip(&mut g);
    g.push("meshes", json!({"name": "strip", "primitives": [body]}));
    g.node(json!({"name": "body", "mesh": 0, "skin": 0}));

    let times = g.add(&Array::new(F32, "SCALAR", [0.0, 0.5, 1.0, 1.5, 2.0]));
    for joint in 0..3 {
        let bend = 20.0 + 10.0 * joint as f64;
        let values = g.add(&Array::new(F32, "VEC4", spin(2, &[0.0, bend, 5.0, -bend, 0.0])));
        g.channel(0, json!({"node": joint, "path": "rotation"}), "LINEAR", times, values);
    }
    let values = g.add(&Array::new(F32, "VEC3", (0..5).flat_map(|key| [0.1 * f64::from(key), 0.0, 0.0])));
    g.channel(0, json!({"node": 0, "path": "translation"}), "LINEAR", times, values);
    g.set("/animations/0/name", "walk");
    assert_eq!((times, values), (TIMES, TRANSLATIONS), "the constants above name these accessors");
    g
}

/// The primitive of `chain`: two vertices at each joint, the upper ones held by two joints.
fn strip(g: &mut Gltf) -> serde_json::Value {
    let rows = [0.0, 1.0, 2.0];
    let positions = g.add(&Array::new(F32, "VEC3", rows.into_iter().flat_map(|y| [-0.1, y, 0.0, 0.1, y, 0.0])));
    let joints =
        [0, 0, 0, 0, 1, 0, 0, 0, 2, 1, 0, 0].chunks(4).flat_map(|four| [four, four].concat()).collect::<Vec<_>>();
    let joints = g.add(&Array::new(U8, "VEC4", joints));
    let weights = [[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.75, 0.25, 0.0, 0.0]];
    let weights = g.add(&Array::new(F32, "VEC4", weights.into_iter().flat_map(|four| [four, four].concat())));
    let indices = g.add(&Array::new(U16, "SCALAR", [0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5]));
    json!({
        "attributes": {"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights},
        "indices": indices,
    })
}

/// A chain of `count` bare joints, each `step` above the one before, without mesh or animation; nodes are joints.
pub fn bare_chain(count: usize, step: f64) -> Gltf {
    let mut g = Gltf::new();
    for joint in 0..count {
        let node =
            json!({"name": format!("joint {joint}"), "translation": [0.0, if joint == 0 { 0.0 } else { step }, 0.0]});
        if joint == 0 {
            g.node(node)
        } else {
            g.child(joint - 1, node)
        };
    }
    let binds: Vec<[f64; 16]> = (0..count).map(|joint| at([0.0, -step * joint as f64, 0.0])).collect();
    g.skin(&(0..count).collect::<Vec<_>>(), &binds);
    g
}

/// A triangle with `targets` morph targets at a node of its own, which it gives.
pub fn add_morph(g: &mut Gltf, targets: usize) -> usize {
    let positions = g.add(&Array::new(F32, "VEC3", [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]));
    let deltas = (0..targets).map(|target| {
        let lift = 1.0 + target as f64;
        json!({"POSITION": g.add(&Array::new(F32, "VEC3", [0.0, 0.0, lift, 0.0, lift, 0.0, lift, 0.0, 0.0]))})
    });
    let deltas: Vec<_> = deltas.collect();
    let mesh = g.push("meshes", json!({"primitives": [{"attributes": {"POSITION": positions}, "targets": deltas}]}));
    g.node(json!({"name": "face", "mesh": mesh}))
}
