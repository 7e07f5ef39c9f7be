//! Vertices and indices.

use serde_json::json;

use crate::support::Kind::Malformed;
use crate::support::rigs::{INDICES, JOINTS, POSITIONS, WEIGHTS};
use crate::support::{Array, F32, U8, case, check};

const STRIP: &str = "mesh 0 \"strip\", primitive 0";

#[test]
fn values() {
    check(&[
        case("a joint that the skin has not")
            .poke(JOINTS, 0, 0, 200.0, 2.0)
            .refused(Malformed, &[STRIP, "vertex 0", "joint 200"]),
        case("the first joint that the skin has not")
            .poke(JOINTS, 5, 1, 3.0, 2.0)
            .refused(Malformed, &[STRIP, "vertex 5", "joint 3"]),
        case("a weight below 0").poke(WEIGHTS, 2, 1, -0.5, 0.5).refused(Malformed, &[STRIP, "WEIGHTS", "vertex 2"]),
        case("a vertex without weight")
            .edit(|g, is_wrong| {
                for part in 0..4 {
                    g.poke(WEIGHTS, 3, part, if is_wrong { 0.0 } else { 0.25 });
                }
            })
            .repaired(&[STRIP, "1 vert"]),
        case("an index beyond the vertices")
            .poke(INDICES, 0, 0, 60_000.0, 0.0)
            .refused(Malformed, &[STRIP, "indices", "60000"]),
        case("the first index beyond the vertices")
            .poke(INDICES, 11, 0, 6.0, 5.0)
            .refused(Malformed, &[STRIP, "indices", "6"]),
    ]);
}

#[test]
fn references() {
    check(&[
        case("positions that do not exist")
            .set("/meshes/0/primitives/0/attributes/POSITION", 999, POSITIONS)
            .refused(Malformed, &[STRIP, "POSITION", "999"]),
        case("joints that do not exist")
            .set("/meshes/0/primitives/0/attributes/JOINTS_0", 999, JOINTS)
            .refused(Malformed, &[STRIP, "JOINTS_0", "999"]),
        case("indices that do not exist")
            .set("/meshes/0/primitives/0/indices", 999, INDICES)
            .refused(Malformed, &[STRIP, "999"]),
        case("a morph target that does not exist")
            .edit(|g, is_wrong| {
                let accessor = if is_wrong { 999 } else { POSITIONS };
                g.set("/meshes/0/primitives/0/targets", json!([{"POSITION": accessor}]));
            })
            .refused(Malformed, &[STRIP, "999"]),
        case("an attribute of a mesh that nobody shows")
            .edit(|g, is_wrong| {
                let accessor = if is_wrong { 999 } else { POSITIONS };
                g.push("meshes", json!({"primitives": [{"attributes": {"POSITION": accessor}}]}));
            })
            .refused(Malformed, &["mesh 1, primitive 0", "999"]),
    ]);
}

#[test]
fn counts() {
    let attribute = |title, name: &'static str, wrong: fn() -> Array, right: fn() -> Array| {
        case(title).edit(move |g, is_wrong| {
            let accessor = g.add(&if is_wrong { wrong() } else { right() });
            g.set(&format!("/meshes/0/primitives/0/attributes/{name}"), accessor);
        })
    };
    check(&[
        attribute(
            "a joint too few",
            "JOINTS_0",
            || Array::new(U8, "VEC4", [0; 20]),
            || Array::new(U8, "VEC4", [0; 24]),
        )
        .refused(Malformed, &[STRIP, "JOINTS", "5", "6 vertices"]),
        attribute(
            "a weight too many",
            "WEIGHTS_0",
            || Array::new(F32, "VEC4", [0.25; 28]),
            || Array::new(F32, "VEC4", [0.25; 24]),
        )
        .refused(Malformed, &[STRIP, "WEIGHTS", "7", "6 vertices"]),
        attribute(
            "a normal too few",
            "NORMAL",
            || Array::new(F32, "VEC3", [0.0, 1.0, 0.0].repeat(5)),
            || Array::new(F32, "VEC3", [0.0, 1.0, 0.0].repeat(6)),
        )
        .refused(Malformed, &[STRIP, "NORMAL", "5", "6 vertices"]),
        case("a delta too few")
            .edit(|g, is_wrong| {
                let deltas = g.add(&Array::new(F32, "VEC3", vec![0.1; if is_wrong { 15 } else { 18 }]));
                g.set("/meshes/0/primitives/0/targets", json!([{"POSITION": deltas}]));
            })
            .refused(Malformed, &[STRIP, "5", "6 vertices"]),
        case("primitives with different numbers of targets")
            .edit(|g, is_wrong| {
                let mut first = g.json["meshes"][0]["primitives"][0].clone();
                let mut second = first.clone();
                first["targets"] = json!([{"POSITION": POSITIONS}]);
                second["targets"] = if is_wrong { json!([{}, {}]) } else { json!([{}]) };
                g.set("/meshes/0/primitives", json!([first, second]));
            })
            .refused(Malformed, &["mesh 0 \"strip\", primitive", "targets"]),
        case("weights that are not as many as targets")
            .edit(|g, is_wrong| {
                g.set("/meshes/0/primitives/0/targets", json!([{"POSITION": POSITIONS}]));
                g.set("/meshes/0/weights", if is_wrong { json!([0.5, 0.5]) } else { json!([0.5]) });
            })
            .repaired(&["mesh 0 \"strip\"", "weights"]),
    ]);
}

#[test]
fn kinds() {
    check(&[
        case("a mode that does not exist")
            .set("/meshes/0/primitives/0/mode", 7, 6)
            .refused(Malformed, &[STRIP, "mode is 7"]),
        case("a skinned mesh without joints")
            .edit(|g, is_wrong| {
                if is_wrong {
                    g.remove("/meshes/0/primitives/0/attributes/JOINTS_0");
                    g.remove("/meshes/0/primitives/0/attributes/WEIGHTS_0");
                }
            })
            .repaired(&[STRIP, "JOINTS_0"]),
        case("joints without weights")
            .without("/meshes/0/primitives/0/attributes/WEIGHTS_0")
            .repaired(&[STRIP, "WEIGHTS"]),
        case("a second set of joints without weights")
            .put("/meshes/0/primitives/0/attributes/JOINTS_1", JOINTS)
            .repaired(&[STRIP, "WEIGHTS"]),
    ]);
}
