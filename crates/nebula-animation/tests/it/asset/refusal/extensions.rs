//! Extensions, clip entries and images.

use serde_json::{Value, json};

use crate::support::Kind::{Extension, Gltf, Malformed};
use crate::support::{base64, case, check};

#[test]
fn required() {
    check(&[
        case("an unknown one")
            .set("/extensionsRequired", json!(["ACME_bones"]), json!(["KHR_texture_transform"]))
            .refused(Extension, &["ACME_bones"]),
        case("an unknown one behind a known one")
            .set(
                "/extensionsRequired",
                json!(["KHR_mesh_quantization", "ACME_bones"]),
                json!(["KHR_mesh_quantization"]),
            )
            .refused(Extension, &["ACME_bones"]),
        case("a name that only begins like a known one")
            .set("/extensionsRequired", json!(["KHR_mesh_quantization_2"]), json!(["KHR_mesh_quantization"]))
            .refused(Extension, &["KHR_mesh_quantization_2"]),
        case("Draco, which no mesh uses")
            .set("/extensionsRequired", json!(["KHR_draco_mesh_compression"]), json!([]))
            .refused(Malformed, &["KHR_draco_mesh_compression"]),
        case("a list that is none")
            .set("/extensionsRequired", "ACME_bones", json!([]))
            .refused(Gltf, &["extensionsRequired"]),
    ]);
}

fn entry(title: &'static str, member: &'static str, wrong: Value, right: Value) -> crate::support::Case {
    case(title).edit(move |g, is_wrong| {
        let mut entry = json!({"name": "stroll", "animations": [0], "start": 0.5, "end": 1.5});
        entry[member] = if is_wrong { wrong.clone() } else { right.clone() };
        g.set("/extensionsUsed", json!(["KHR_animation_clip"]));
        g.set("/extensions", json!({"KHR_animation_clip": {"clips": [entry]}}));
    })
}

#[test]
fn clip_entries() {
    check(&[
        entry("an animation that does not exist", "animations", json!([1]), json!([0]))
            .repaired(&["entry 0 \"stroll\"", "animations"]),
        entry("no animation", "animations", json!([]), json!([0])).repaired(&["entry 0 \"stroll\"", "animations"]),
        entry("an animation twice", "animations", json!([0, 0]), json!([0])).repaired(&["entry 0 \"stroll\"", "twice"]),
        entry("an end before the start", "end", json!(0.25), json!(0.5)).repaired(&["entry 0 \"stroll\"", "end"]),
        entry("a start before 0", "start", json!(-1), json!(0)).repaired(&["entry 0 \"stroll\"", "start"]),
        entry("an offset beyond the end", "offset", json!(1.25), json!(1.0))
            .repaired(&["entry 0 \"stroll\"", "offset"]),
        entry("-2 repetitions", "repetitions", json!(-2), json!(-1)).repaired(&["entry 0 \"stroll\"", "repetitions"]),
        entry("half a repetition", "repetitions", json!(0.5), json!(0))
            .repaired(&["entry 0 \"stroll\"", "repetitions"]),
        entry("a speed of letters", "speed", json!("fast"), json!(2)).repaired(&["entry 0", "fast"]),
        entry("a speed too high for f32", "speed", json!(1e308), json!(1e30))
            .repaired(&["entry 0 \"stroll\"", "speed"]),
        entry("a flag that is a number", "reverse", json!(1), json!(true)).repaired(&["entry 0"]),
        case("entries that are no list")
            .edit(|g, is_wrong| {
                let clips = if is_wrong { json!({"animations": [0]}) } else { json!([{"animations": [0]}]) };
                g.set("/extensions", json!({"KHR_animation_clip": {"clips": clips}}));
            })
            .repaired(&["KHR_animation_clip"]),
    ]);
}

/// A base colour image, of which one value is wrong.
fn image(
    title: &'static str,
    pointer: &'static str,
    wrong: impl Into<Value>,
    right: impl Into<Value>,
) -> crate::support::Case {
    let (wrong, right) = (wrong.into(), right.into());
    case(title).edit(move |g, is_wrong| {
        let view = g.view(b"\x89PNG");
        g.push("images", json!({"uri": format!("data:image/png;base64,{}", base64(b"\x89PNG"))}));
        g.push("images", json!({"bufferView": view, "mimeType": "image/png"}));
        g.push("textures", json!({"source": 0}));
        g.push("textures", json!({"source": 1}));
        g.push("materials", json!({"name": "cloth", "pbrMetallicRoughness": {"baseColorTexture": {"index": 1}}}));
        g.set("/meshes/0/primitives/0/material", 0);
        g.set(pointer, if is_wrong { wrong.clone() } else { right.clone() });
    })
}

#[test]
fn images() {
    check(&[
        image("a texture that does not exist", "/materials/0/pbrMetallicRoughness/baseColorTexture/index", 9, 1)
            .repaired(&["material 0 \"cloth\"", "texture 9"]),
        image("an image that does not exist", "/textures/1/source", 9, 0).repaired(&["texture 1", "image 9"]),
        image("a view that does not exist", "/images/1/bufferView", 99, 10).repaired(&["image 1", "99"]),
        image("neither URI nor view", "/images/1", json!({}), json!({"bufferView": 10})).repaired(&["image 1"]),
        image("a path that leads out", "/images/1", json!({"uri": "../x.png"}), json!({"bufferView": 10}))
            .repaired(&["image 1", "../x.png"]),
        image(
            "base64 that is none",
            "/images/1",
            json!({"uri": "data:image/png;base64,@@"}),
            json!({"uri": "data:image/png;base64,AAAA"}),
        )
        .repaired(&["image 1", "base64"]),
        image(
            "a colour too bright for f32",
            "/materials/0/pbrMetallicRoughness/baseColorFactor",
            json!([1e39, 0, 0, 1]),
            json!([1, 0, 0, 1]),
        )
        .repaired(&["material 0 \"cloth\""]),
        case("a material that does not exist")
            .edit(|g, is_wrong| {
                g.push("materials", json!({}));
                g.set("/meshes/0/primitives/0/material", u32::from(is_wrong));
            })
            .refused(Malformed, &["mesh 0 \"strip\", primitive 0", "material 1"]),
    ]);
}
