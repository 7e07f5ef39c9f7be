//! The same character in every container.

use nebula_animation::{Asset, asset::LoadOptions};
use serde_json::{Value, json};

use crate::support::{Folder, Gltf, agree_bytes, base64, chunk, glb_of, rigs, try_load, warning_of, with_length};

/// Judges a file that needs no other.
fn agrees(bytes: &[u8]) -> Asset {
    agree_bytes(bytes, &[], &LoadOptions::default())
}

/// `chain` with its mesh, its skin and its animation in buffers of their own.
fn three_buffers() -> Gltf {
    let mut g = rigs::chain();
    let first = std::mem::take(&mut g.buffers[0]);
    let views = g.json["bufferViews"].as_array().expect("views").clone();
    g.next_buffer();
    g.next_buffer();
    for (index, view) in views.iter().enumerate() {
        let number = |name: &str| view[name].as_u64().expect("a number") as usize;
        let bytes = &first[number("byteOffset")..][..number("byteLength")];
        let buffer = index % 3;
        let offset = g.buffers[buffer].len();
        g.buffers[buffer].extend_from_slice(bytes);
        g.set(
            &format!("/bufferViews/{index}"),
            json!({"buffer": buffer, "byteOffset": offset, "byteLength": bytes.len()}),
        );
    }
    g
}

#[test]
fn glb() {
    assert!(agrees(&rigs::chain().glb()).warnings.is_empty());
}

#[test]
fn gltf_with_data_uris() {
    assert!(agrees(&rigs::chain().embedded()).warnings.is_empty());
}

#[test]
fn gltf_with_several_files() {
    let (gltf, files) = three_buffers().files();
    assert_eq!(files.len(), 3);
    assert!(agree_bytes(&gltf, &files, &LoadOptions::default()).warnings.is_empty());
}

#[test]
fn glb_with_further_buffers_as_data_uris() {
    agrees(&three_buffers().glb());
}

#[test]
fn every_container_gives_the_same_asset() {
    let g = three_buffers();
    let (gltf, files) = g.files();
    let mut folder = Folder::new().file("a.glb", &g.glb()).file("b.gltf", &g.embedded()).file("c.gltf", &gltf);
    for (name, bytes) in &files {
        folder = folder.file(name, bytes);
    }
    let shown = |name: &str| format!("{:?}", folder.load_file(name).expect(name));
    assert_eq!(shown("a.glb"), shown("b.gltf"));
    assert_eq!(shown("a.glb"), shown("c.gltf"));
}

#[test]
fn the_content_decides_and_not_the_extension() {
    let g = rigs::chain();
    let folder = Folder::new().file("binary.gltf", &g.glb()).file("text.glb", &g.embedded()).file("none", &g.glb());
    for name in ["binary.gltf", "text.glb", "none"] {
        assert_eq!(folder.load_file(name).expect(name).skeleton.joints.len(), 3);
    }
}

#[test]
fn unknown_chunks_are_skipped() {
    let g = rigs::chain();
    let json = g.completed(|_| None);
    let last = glb_of(&[(b"JSON", &json), (b"BIN\0", &g.buffers[0]), (b"XTRA", b"abcd")]);
    let between = glb_of(&[(b"JSON", &json), (b"XTRA", b""), (b"BIN\0", &g.buffers[0])]);
    agrees(&last);
    agrees(&between);
}

#[test]
fn bytes_after_the_end_are_reported() {
    let mut bytes = rigs::chain().glb();
    bytes.extend_from_slice(b"left over");
    let asset = agrees(&bytes);
    assert!(warning_of(&asset, "after the end").message.contains('9'), "{:?}", asset.warnings);
}

#[test]
fn a_glb_needs_no_binary_chunk() {
    let mut g = rigs::chain();
    g.set(
        "/buffers/0",
        json!({"byteLength": g.buffers[0].len(), "uri": format!("data:;base64,{}", base64(&g.buffers[0]))}),
    );
    agrees(&glb_of(&[(b"JSON", &g.completed(|_| None))]));

    let empty = json!({"asset": {"version": "2.0"}}).to_string();
    let asset = try_load(&glb_of(&[(b"JSON", empty.as_bytes())])).expect("a file of nothing is a file");
    assert!(asset.skeleton.joints.is_empty() && asset.warnings.is_empty());
}

#[test]
fn the_binary_chunk_may_be_padded() {
    let mut g = rigs::chain();
    let length = g.buffers[0].len();
    // One byte that no view refers to, and three of padding.
    g.set("/buffers/0/byteLength", length + 1);
    g.buffers[0].push(0xff);
    assert_eq!(g.glb().len() % 4, 0);
    assert!(agrees(&g.glb()).warnings.is_empty());
}

#[test]
fn json_may_have_white_space_around_it() {
    let g = rigs::chain();
    let value: Value = serde_json::from_slice(&g.embedded()).expect("JSON");
    let spaced = format!("\n\t {}\r\n  ", serde_json::to_string_pretty(&value).expect("JSON"));
    agrees(spaced.as_bytes());
}

#[test]
fn a_header_must_not_promise_more_than_there_is() {
    let good = rigs::chain().glb();
    let length = good.len() as u32;
    assert!(try_load(&with_length(good.clone(), length + 1)).is_err());
    assert!(try_load(&with_length(good.clone(), length)).is_ok());
    // A shorter length cuts the last chunk.
    assert!(try_load(&with_length(good, length - 4)).is_err());
}

#[test]
fn chunks_are_padded_by_the_builder_as_glb_asks() {
    assert_eq!(chunk(b"JSON", b"{}"), b"\x04\0\0\0JSON{}  ");
    assert_eq!(chunk(b"BIN\0", b"abcde"), b"\x08\0\0\0BIN\0abcde\0\0\0");
}
