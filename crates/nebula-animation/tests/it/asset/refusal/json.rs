//! JSON that is none, or not glTF's.

use serde_json::json;

use crate::support::Kind::{Gltf, Malformed, Version};
use crate::support::{Gltf as File, case, check};

/// The valid file as text, with one place replaced.
fn replaced(g: &File, from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(g.embedded()).expect("UTF-8");
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1).into_bytes()
}

#[test]
fn not_json() {
    check(&[
        case("an array")
            .bytes(|g, is_wrong| if is_wrong { b"[1,2,3]".to_vec() } else { g.embedded() })
            .refused(Gltf, &["test.glb"]),
        case("a number")
            .bytes(|g, is_wrong| if is_wrong { b"2".to_vec() } else { g.embedded() })
            .refused(Gltf, &["test.glb"]),
        case("white space")
            .bytes(|g, is_wrong| if is_wrong { b" \n".to_vec() } else { g.embedded() })
            .refused(Gltf, &["test.glb"]),
        case("a web page")
            .bytes(|g, is_wrong| if is_wrong { b"<!doctype html>".to_vec() } else { g.embedded() })
            .refused(Gltf, &["JSON"]),
        case("a byte order mark")
            .bytes(|g, is_wrong| if is_wrong { [b"\xef\xbb\xbf", &g.embedded()[..]].concat() } else { g.embedded() })
            .refused(Gltf, &["byte order mark"]),
        case("a name that is not UTF-8")
            .bytes(|g, is_wrong| {
                let mut bytes = replaced(g, "\"walk\"", "\"w__k\"");
                let at = bytes.windows(4).position(|four| four == b"w__k").expect("the name");
                if is_wrong {
                    bytes[at + 1..at + 3].copy_from_slice(b"\xff\xfe");
                }
                bytes
            })
            .refused(Gltf, &["UTF-8"]),
        case("half of a surrogate pair")
            .bytes(|g, is_wrong| replaced(g, "\"walk\"", if is_wrong { r#""\ud83c""# } else { r#""\ud83c\udfc3""# }))
            .refused(Gltf, &["animations[0].name"]),
        case("NaN as a number")
            .bytes(|g, is_wrong| replaced(g, "\"scene\":0", if is_wrong { "\"scene\":NaN" } else { "\"scene\":0" }))
            .refused(Gltf, &["line 1"]),
        case("NaN where nobody looks")
            .bytes(|g, is_wrong| {
                replaced(
                    g,
                    "\"scene\":0",
                    if is_wrong { "\"scene\":0,\"extras\":NaN" } else { "\"scene\":0,\"extras\":1" },
                )
            })
            .refused(Gltf, &["line 1"]),
        case("a number beyond all doubles")
            .bytes(|g, is_wrong| replaced(g, "[0,1,0]", if is_wrong { "[0,1e999,0]" } else { "[0,1e0,0]" }))
            .refused(Gltf, &["test.glb"]),
        case("a comma too many")
            .bytes(|g, is_wrong| replaced(g, "\"scene\":0", if is_wrong { "\"scene\":0," } else { "\"scene\":0" }))
            .refused(Gltf, &["line 1"]),
        case("something after the end")
            .bytes(|g, is_wrong| [&g.embedded()[..], if is_wrong { b"}" } else { b"\n" }].concat())
            .refused(Gltf, &["trailing"]),
        case("a member twice")
            .bytes(|g, is_wrong| {
                replaced(g, "\"scene\":0", if is_wrong { "\"scene\":0,\"scene\":0" } else { "\"scene\":0" })
            })
            .refused(Gltf, &["duplicate", "scene"]),
    ]);
}

#[test]
fn members_of_another_type() {
    check(&[
        case("accessors that are numbers").put("/accessors", json!([1])).refused(Gltf, &["accessors[0]"]),
        case("nodes that are an object").put("/nodes", json!({"0": {}})).refused(Gltf, &["nodes"]),
        case("a count that is a string").set("/accessors/5/count", "5", 5).refused(Gltf, &["accessors[5].count"]),
        case("a count of null").set("/accessors/5/count", json!(null), 5).refused(Gltf, &["accessors[5].count"]),
        case("an accessor without a count").without("/accessors/5/count").refused(Gltf, &["accessors[5]", "count"]),
        case("an accessor without a type").without("/accessors/5/type").refused(Gltf, &["accessors[5]", "type"]),
        case("a view without a buffer").without("/bufferViews/2/buffer").refused(Gltf, &["bufferViews[2]", "buffer"]),
        case("a joint that is a string").set("/skins/0/joints/1", "j1", 1).refused(Gltf, &["skins[0].joints[1]"]),
        case("a skin without joints").without("/skins/0/joints").refused(Gltf, &["skins[0]", "joints"]),
        case("a translation of two numbers")
            .set("/nodes/1/translation", json!([0, 1]), json!([0, 1, 0]))
            .refused(Gltf, &["nodes[1].translation"]),
        case("a rotation of five numbers")
            .set("/nodes/1/rotation", json!([0, 0, 0, 1, 0]), json!([0, 0, 0, 1]))
            .refused(Gltf, &["nodes[1].rotation"]),
        case("a matrix of fifteen numbers")
            .edit(|g, is_wrong| {
                let matrix = crate::support::at([0.0, 1.0, 0.0]);
                g.node(json!({"matrix": matrix[usize::from(is_wrong)..]}));
            })
            .refused(Gltf, &["nodes[4].matrix"]),
        case("a channel without a target")
            .without("/animations/0/channels/2/target")
            .refused(Gltf, &["channels[2]", "target"]),
        case("a channel without a sampler")
            .without("/animations/0/channels/2/sampler")
            .refused(Gltf, &["channels[2]", "sampler"]),
        case("a primitive without attributes")
            .without("/meshes/0/primitives/0/attributes")
            .refused(Gltf, &["primitives[0]", "attributes"]),
        case("a mesh without primitives").without("/meshes/0/primitives").refused(Gltf, &["meshes[0]", "primitives"]),
        case("a name that is a number").set("/nodes/0/name", 5, "5").refused(Gltf, &["nodes[0].name"]),
    ]);
}

#[test]
fn integers() {
    check(&[
        case("a negative index").set("/nodes/0/children/0", -1, 1).refused(Gltf, &["nodes[0].children[0]"]),
        case("half an index").set("/nodes/0/children/0", 1.5, 1.0).refused(Gltf, &["nodes[0].children[0]"]),
        case("an index of 2^32, which is 0 in 32 bits")
            .set("/animations/0/channels/0/target/node", 1_u64 << 32, 0)
            .refused(Malformed, &["animation 0 \"walk\", channel 0", "node 4294967296"]),
        case("an index of 2^64 - 1")
            .set("/animations/0/channels/0/target/node", u64::MAX, 0)
            .refused(Malformed, &["animation 0 \"walk\", channel 0", "18446744073709551615"]),
        case("an index beyond 2^64")
            .set("/animations/0/channels/0/target/node", 1e20, 0.0)
            .refused(Gltf, &["target.node"]),
    ]);
}

#[test]
fn versions() {
    check(&[
        case("no asset").without("/asset").refused(Malformed, &["asset"]),
        case("no version").set("/asset", json!({}), json!({"version": "2.0"})).refused(Gltf, &["asset", "version"]),
        case("version 1.0").set("/asset/version", "1.0", "2.0").refused(Version, &["1.0"]),
        case("version 3.0").set("/asset/version", "3.0", "2.9").refused(Version, &["3.0"]),
        case("version 20.0").set("/asset/version", "20.0", "2.0").refused(Version, &["20.0"]),
        case("a version in letters").set("/asset/version", "two", "2.0").refused(Version, &["two"]),
        case("a version that is a number").set("/asset/version", 2.0, "2.0").refused(Gltf, &["asset.version"]),
        case("a minimum of 2.1").set("/asset/minVersion", "2.1", "2.0").refused(Version, &["2.1"]),
        case("a minimum of 3.0").set("/asset/minVersion", "3.0", "2.0").refused(Version, &["3.0"]),
    ]);
}
