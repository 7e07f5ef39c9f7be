//! Skins.

use serde_json::json;

use crate::support::Kind::{DegenerateMatrix, Limit, Malformed};
use crate::support::rigs::{self, BINDS};
use crate::support::{Gltf, case, check};

const SKIN: &str = "skin 0 \"body skin\"";

#[test]
fn joints() {
    check(&[
        case("no joints").set("/skins/0/joints", json!([]), json!([0, 1, 2])).refused(Malformed, &[SKIN, "joints"]),
        case("a joint that does not exist").set("/skins/0/joints/2", 77, 2).refused(Malformed, &[SKIN, "77"]),
        case("joint 2^32, which is 0 in 32 bits")
            .set("/skins/0/joints/0", 1_u64 << 32, 0)
            .refused(Malformed, &[SKIN, "4294967296"]),
        case("a joint twice").set("/skins/0/joints/2", 1, 2).repaired(&[SKIN, "node 1"]),
        case("a root that does not exist").set("/skins/0/skeleton", 500, 0).refused(Malformed, &[SKIN, "500"]),
    ]);
}

#[test]
fn inverse_binds() {
    check(&[
        case("two matrices for three joints")
            .set("/accessors/0/count", 2, 3)
            .refused(Malformed, &[SKIN, "2", "3 joints"]),
        case("an accessor that does not exist")
            .set("/skins/0/inverseBindMatrices", 500, BINDS)
            .refused(Malformed, &[SKIN, "500"]),
        case("a matrix with a perspective").poke(BINDS, 0, 3, 0.5, 0.0).repaired(&[SKIN, "matrix 0", "bottom row"]),
        case("a matrix with another last number").poke(BINDS, 2, 15, 3.0, 1.0).repaired(&[
            SKIN,
            "matrix 2",
            "bottom row",
        ]),
        case("dust in the bottom row").poke(BINDS, 1, 7, 1e-8, 0.0).noted(&[SKIN, "matrix 1", "bottom row"]),
        case("a matrix that flattens").poke(BINDS, 1, 5, 0.0, 1.0).refused(DegenerateMatrix, &["joint 1", "det = 0"]),
        case("a matrix of zeros")
            .edit(|g, is_wrong| {
                for part in 0..15 {
                    let one = f64::from(u8::from(part % 5 == 0));
                    g.poke(BINDS, 2, part, if is_wrong { 0.0 } else { one });
                }
            })
            .refused(DegenerateMatrix, &["joint 2"]),
    ]);
}

/// Small rigs in large units have small determinants; that alone is no fault.
#[test]
fn a_tiny_matrix_is_not_degenerate() {
    check(&[case("a scale of 1e-6").edit(|g, _| {
        for part in [0, 5, 10] {
            g.poke(BINDS, 1, part, 1e-6);
        }
    })]);
}

fn wide(count: usize) -> Gltf {
    let mut g = rigs::bare_chain(1, 1.0);
    g.json["nodes"][0]["children"] = json!((1..count).collect::<Vec<_>>());
    for _ in 1..count {
        g.push("nodes", json!({}));
    }
    g.set("/skins/0", json!({"joints": (0..count).collect::<Vec<_>>()}));
    g
}

#[test]
fn more_joints_than_an_index_can_name() {
    let error = crate::support::try_load(&wide(65_536).glb()).expect_err("one too many");
    assert_eq!(crate::support::Kind::of(&error), Limit);
    let message = error.to_string();
    assert!(message.contains("joints") && message.contains("65535"), "{message}");
    assert_eq!(crate::support::load(&wide(65_535)).skeleton.joints.len(), 65_535);
}
