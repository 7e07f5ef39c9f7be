//! Times, counts and rotations of keys.

use serde_json::json;

use crate::support::Kind::Malformed;
use crate::support::rigs::{ROTATIONS, TIMES};
use crate::support::{Array, F32, Gltf, I16, case, check, spin};

const FIRST: &str = "animation 0 \"walk\", channel 0";

#[test]
fn times() {
    check(&[
        case("a key before 0 s").poke(TIMES, 0, 0, -1.0, 0.0).refused(Malformed, &[FIRST, "key 0", "-1"]),
        case("keys out of order").poke(TIMES, 1, 0, 1.2, 0.5).poke(TIMES, 2, 0, 0.7, 1.0).repaired(&[FIRST, "sorted"]),
        case("two keys at one time").poke(TIMES, 2, 0, 0.5, 0.75).repaired(&[FIRST, "0.5"]),
        case("all keys at one time")
            .edit(|g, is_wrong| {
                for key in 0..5 {
                    g.poke(TIMES, key, 0, if is_wrong { 1.0 } else { key as f64 });
                }
            })
            .repaired(&[FIRST, "share the time 1"]),
        case("keys 1e-40 s apart, beside keys at one time")
            .edit(|g, is_wrong| {
                for key in 0..5 {
                    g.poke(TIMES, key, 0, key as f64 * if is_wrong { 1e-50 } else { 1e-40 });
                }
            })
            .repaired(&[FIRST, "share the time 0"]),
    ]);
}

#[test]
fn counts() {
    check(&[
        case("four values for five times")
            .set("/accessors/6/count", 4, 5)
            .refused(Malformed, &[FIRST, "accessor 6", "5 keys"]),
        case("five values for four times")
            .set("/accessors/5/count", 4, 5)
            .refused(Malformed, &[FIRST, "accessor 6", "4 keys"]),
        case("a spline without tangents")
            .set("/animations/0/samplers/0/interpolation", "CUBICSPLINE", "LINEAR")
            .refused(Malformed, &[FIRST, "accessor 6", "3 per key"]),
        case("a line with tangents")
            .edit(|g, is_wrong| {
                let output = g.add(&Array::new(F32, "VEC4", spin(0, &[5.0; 15])));
                let how = if is_wrong { "LINEAR" } else { "CUBICSPLINE" };
                g.set("/animations/0/samplers/0", json!({"input": TIMES, "output": output, "interpolation": how}));
            })
            .refused(Malformed, &[FIRST, "accessor 10", "5 keys"]),
        case("a weight missing in the last key")
            .edit(|g, is_wrong| {
                let face = crate::support::rigs::add_morph(g, 3);
                let values = vec![0.5; if is_wrong { 5 } else { 6 }];
                g.animate(1, face, "weights", "LINEAR", &[0.0, 1.0], &values);
            })
            .refused(Malformed, &["animation 1, channel 0", "2 keys", "3 per key"]),
        case("weights of a mesh without targets")
            .edit(|g, is_wrong| {
                if is_wrong {
                    g.animate(0, crate::support::rigs::BODY, "weights", "LINEAR", &[0.0], &[1.0]);
                }
            })
            .repaired(&["animation 0 \"walk\", channel 4", "no morph targets"]),
        case("weights of a node without a mesh")
            .edit(|g, is_wrong| {
                if is_wrong {
                    g.animate(0, 1, "weights", "LINEAR", &[0.0], &[1.0]);
                }
            })
            .repaired(&["animation 0 \"walk\", channel 4", "no morph targets"]),
    ]);
}

/// The first joint's third key.
fn third_key(g: &mut Gltf, quaternion: [f64; 4]) {
    for (part, value) in quaternion.into_iter().enumerate() {
        g.poke(ROTATIONS, 2, part, value);
    }
}

#[test]
fn rotations() {
    let one = [0.0, 0.0, 0.0, 1.0];
    let key = move |title, wrong: [f64; 4]| {
        case(title).edit(move |g, is_wrong| third_key(g, if is_wrong { wrong } else { one }))
    };
    check(&[
        key("a rotation of length 0", [0.0; 4]).refused(Malformed, &[FIRST, "key 2", "0, 0, 0, 0"]),
        key("a rotation of length 1000", [0.0, 0.0, 0.0, 1000.0]).repaired(&[FIRST, "key 2", "1000"]),
        key("a rotation of length 0.5", [0.3, 0.0, 0.0, 0.4]).repaired(&[FIRST, "key 2", "0.5"]),
        key("a rotation whose square is too large for f32", [1e30, 0.0, 0.0, 1e30]).repaired(&[FIRST, "key 2"]),
        key("a rotation whose square is too small for f32", [0.0, 1e-30, 0.0, 1e-30]).repaired(&[FIRST, "key 2"]),
        case("a spline key of length 0")
            .edit(|g, is_wrong| {
                let mut values = [[0.0; 4], [0.0, 0.0, 0.0, 1.0], [0.0; 4]].concat().repeat(5);
                values[4 * (3 * 3 + 1) + 3] = if is_wrong { 0.0 } else { 1.0 };
                let output = g.add(&Array::new(F32, "VEC4", values));
                g.set(
                    "/animations/0/samplers/0",
                    json!({"input": TIMES, "output": output, "interpolation": "CUBICSPLINE"}),
                );
            })
            .refused(Malformed, &[FIRST, "key 3"]),
        case("a rotation of shorts of length 0")
            .edit(|g, is_wrong| {
                let mut values = spin(0, &[1.0, 2.0, 3.0, 4.0, 5.0]);
                if is_wrong {
                    values[4..8].fill(0.0);
                }
                let output = g.add(&Array::normalized(I16, "VEC4", &values));
                g.set("/animations/0/samplers/0/output", output);
            })
            .refused(Malformed, &[FIRST, "key 1"]),
    ]);
}

#[test]
fn rest_rotations() {
    check(&[
        case("a node's rotation of length 0")
            .set("/nodes/1/rotation", json!([0, 0, 0, 0]), json!([0, 0, 0, 1]))
            .refused(Malformed, &["node 1 \"j1\"", "rotation"]),
        case("a node's rotation of length 2")
            .set("/nodes/1/rotation", json!([0, 2, 0, 0]), json!([0, 1, 0, 0]))
            .repaired(&["node 1 \"j1\"", "rotation", "normalised"]),
        case("a node's rotation of length 1e30")
            .set("/nodes/1/rotation", json!([0, 1e30, 0, 0]), json!([0, -1, 0, 0]))
            .repaired(&["node 1 \"j1\"", "rotation", "normalised"]),
    ]);
}
