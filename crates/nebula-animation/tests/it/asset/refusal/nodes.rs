//! The node graph.

use serde_json::json;

use crate::support::Kind::{CyclicHierarchy, Malformed};
use crate::support::{at, case, check};

#[test]
fn cycles() {
    check(&[
        case("a chain that bites its tail")
            .edit(|g, is_wrong| {
                if is_wrong {
                    g.set("/nodes/2/children", json!([0]));
                    g.set("/scenes/0/nodes", json!([3]));
                }
            })
            .refused(CyclicHierarchy, &["cycle"]),
        case("a node that is its own child")
            .edit(|g, is_wrong| {
                let lonely = g.push("nodes", json!({}));
                if is_wrong {
                    g.set(&format!("/nodes/{lonely}/children"), json!([lonely]));
                }
            })
            .refused(CyclicHierarchy, &["cycle"]),
        case("two nodes that are each other's child, in no scene")
            .edit(|g, is_wrong| {
                g.push("nodes", json!({"children": [5]}));
                g.push("nodes", if is_wrong { json!({"children": [4]}) } else { json!({}) });
            })
            .refused(CyclicHierarchy, &["cycle"]),
        case("a root of the scene in a cycle")
            .put("/nodes/2/children", json!([0]))
            .refused(CyclicHierarchy, &["cycle"]),
    ]);
}

#[test]
fn children() {
    check(&[
        case("a child of two parents")
            .put("/nodes/0/children", json!([1, 2]))
            .refused(Malformed, &["node 1 \"j1\"", "node 2 \"j2\""]),
        case("a child twice").put("/nodes/0/children", json!([1, 1])).refused(Malformed, &["node 0 \"j0\"", "twice"]),
        case("a child that does not exist")
            .put("/nodes/2/children", json!([99]))
            .refused(Malformed, &["node 2 \"j2\"", "99"]),
        case("child 2^32, which is 0 in 32 bits")
            .put("/nodes/2/children", json!([1_u64 << 32]))
            .refused(Malformed, &["node 2 \"j2\"", "4294967296"]),
        case("forty levels of two edges each")
            .edit(|g, is_wrong| {
                for level in 0..40 {
                    let next = 5 + level;
                    g.push("nodes", json!({"children": if is_wrong { vec![next, next] } else { vec![next] }}));
                }
                g.push("nodes", json!({}));
            })
            .refused(Malformed, &["node 4", "twice"]),
    ]);
}

#[test]
fn references() {
    check(&[
        case("a mesh that does not exist")
            .set("/nodes/3/mesh", 1, 0)
            .refused(Malformed, &["node 3 \"body\"", "mesh 1"]),
        case("a skin that does not exist")
            .set("/nodes/3/skin", 1, 0)
            .refused(Malformed, &["node 3 \"body\"", "skin 1"]),
        case("a camera that does not exist")
            .put("/nodes/3/camera", 0)
            .refused(Malformed, &["node 3 \"body\"", "camera 0"]),
        case("a scene that does not exist").set("/scene", 5, 0).refused(Malformed, &["scene", "5"]),
        case("a scene with a node that does not exist")
            .set("/scenes/0/nodes", json!([0, 44]), json!([0, 3]))
            .refused(Malformed, &["scene 0", "node 44"]),
        case("a scene with a node that is a child")
            .set("/scenes/0/nodes", json!([0, 1, 3]), json!([0, 3]))
            .repaired(&["scene 0", "node 1"]),
    ]);
}

#[test]
fn matrices() {
    let identity = at([0.0; 3]);
    // A leaf, so that its transform disturbs nothing.
    let leaf = move |title, wrong: serde_json::Value| {
        case(title).edit(move |g, is_wrong| {
            g.child(2, if is_wrong { wrong.clone() } else { json!({"name": "leaf", "matrix": identity}) });
        })
    };
    let with = |at: usize, value: f64| {
        let mut matrix = identity;
        matrix[at] = value;
        json!({"name": "leaf", "matrix": matrix})
    };
    check(&[
        leaf("a matrix and a translation", json!({"name": "leaf", "matrix": identity, "translation": [0, 1, 0]}))
            .repaired(&["node 4 \"leaf\"", "matrix"]),
        leaf("a matrix with a perspective", with(3, 0.5)).repaired(&["node 4 \"leaf\"", "bottom row"]),
        leaf("a matrix with another last number", with(15, 2.0)).repaired(&["node 4 \"leaf\"", "bottom row"]),
        leaf("a matrix too large for f32", with(5, 1e39)).refused(Malformed, &["node 4 \"leaf\"", "matrix"]),
        leaf("a matrix that shears", with(4, 0.5)).noted(&["node 4 \"leaf\"", "shear"]),
        case("a matrix of zeros")
            .edit(|g, is_wrong| {
                let mut matrix = [0.0; 16];
                if !is_wrong {
                    matrix = at([0.0; 3]);
                }
                g.child(2, json!({"name": "leaf", "matrix": matrix}));
            })
            .repaired(&["node 4 \"leaf\"", "matrix"]),
    ]);
}
