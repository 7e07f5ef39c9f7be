//! Channels and samplers.

use serde_json::json;

use crate::support::Kind::Malformed;
use crate::support::rigs::{self, ROTATIONS, TIMES, TRANSLATIONS};
use crate::support::{at, case, check};

const FIRST: &str = "animation 0 \"walk\", channel 0";

#[test]
fn references() {
    check(&[
        case("a node that does not exist")
            .set("/animations/0/channels/0/target/node", 99, 0)
            .refused(Malformed, &[FIRST, "node 99"]),
        case("a sampler that does not exist")
            .set("/animations/0/channels/1/sampler", 50, 1)
            .refused(Malformed, &["animation 0 \"walk\", channel 1", "sampler 50"]),
        case("times that do not exist")
            .set("/animations/0/samplers/0/input", 900, TIMES)
            .refused(Malformed, &["animation 0 \"walk\"", "sampler 0", "900"]),
        case("values that do not exist")
            .set("/animations/0/samplers/2/output", 900, ROTATIONS)
            .refused(Malformed, &["animation 0 \"walk\"", "sampler 2", "900"]),
        case("times that do not exist, in a sampler that nobody uses")
            .edit(|g, is_wrong| {
                let input = if is_wrong { 900 } else { TIMES };
                let samplers = g.json["animations"][0]["samplers"].as_array_mut().expect("samplers");
                samplers.push(json!({"input": input, "output": ROTATIONS}));
            })
            .refused(Malformed, &["animation 0 \"walk\"", "sampler 4", "900"]),
    ]);
}

#[test]
fn meanings() {
    check(&[
        case("a path that does not exist")
            .set("/animations/0/channels/0/target/path", "colour", "rotation")
            .repaired(&[FIRST, "colour"]),
        case("an interpolation that does not exist")
            .set("/animations/0/samplers/0/interpolation", "SMOOTH", "LINEAR")
            .repaired(&[FIRST, "SMOOTH"]),
        case("one property driven twice")
            .edit(|g, is_wrong| {
                let path = if is_wrong { "rotation" } else { "scale" };
                let values = if is_wrong { ROTATIONS + 1 } else { TRANSLATIONS };
                g.channel(0, json!({"node": 0, "path": path}), "LINEAR", TIMES, values);
            })
            .repaired(&["animation 0 \"walk\", channel 4", "rotation of node 0"]),
        case("no channels")
            .set("/animations/0/channels", json!([]), rigs::chain().json["animations"][0]["channels"].clone())
            .repaired(&["animation 0 \"walk\"", "no channels"]),
        case("a node that has a matrix")
            .edit(|g, is_wrong| {
                let node =
                    if is_wrong { json!({"name": "leaf", "matrix": at([0.0; 3])}) } else { json!({"name": "leaf"}) };
                let leaf = g.child(0, node);
                g.channel(0, json!({"node": leaf, "path": "rotation"}), "LINEAR", TIMES, ROTATIONS);
                g.skin(&[leaf], &[at([0.0; 3])]);
            })
            .repaired(&["animation 0 \"walk\", channel 4", "node 4", "matrix"]),
        case("no node")
            .edit(|g, is_wrong| {
                if is_wrong {
                    g.remove("/animations/0/channels/0/target/node");
                }
            })
            .noted(&[FIRST, "node"]),
        case("a node that is no joint")
            .edit(|g, is_wrong| {
                // What nothing hangs from, and nobody sees, is no loss: something does.
                let prop = g.node(json!({"name": "prop"}));
                g.child(prop, json!({"name": "handle"}));
                if is_wrong {
                    g.channel(0, json!({"node": prop, "path": "rotation"}), "LINEAR", TIMES, ROTATIONS);
                }
            })
            .noted(&["animation 0 \"walk\"", "not joints"]),
    ]);
}

#[test]
fn pointers() {
    let pointer = |title, wrong: serde_json::Value| {
        case(title).edit(move |g, is_wrong| {
            let right =
                json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/2/scale"}}});
            g.channel(0, if is_wrong { wrong.clone() } else { right }, "LINEAR", TIMES, TRANSLATIONS);
            g.set("/extensionsUsed", json!(["KHR_animation_pointer"]));
        })
    };
    const LAST: &str = "animation 0 \"walk\", channel 4";
    let to = |pointer: &str| json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}});
    check(&[
        pointer("a pointer that is missing", json!({"path": "pointer"})).repaired(&[LAST, "KHR_animation_pointer"]),
        pointer(
            "a pointer and a node",
            json!({"node": 0, "path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/2/scale"}}}),
        )
        .repaired(&[LAST, "node"]),
        pointer("a pointer to a node that does not exist", to("/nodes/99/scale")).repaired(&[LAST, "/nodes/99/scale"]),
        pointer("a pointer to a negative node", to("/nodes/-1/scale")).repaired(&[LAST, "/nodes/-1/scale"]),
        pointer("a pointer to a material", to("/materials/0/alphaCutoff")).noted(&[LAST, "/materials/0/alphaCutoff"]),
    ]);
}
