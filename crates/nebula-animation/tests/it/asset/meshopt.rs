//! `EXT_meshopt_compression` and `KHR_meshopt_compression`: a compressed file loads as the plain one.

use nebula_animation::Asset;
use serde_json::json;

use crate::support::Kind::Malformed;
use crate::support::rigs::{self, INDICES, ROTATIONS, TRANSLATIONS};
use crate::support::{Array, F32, Gltf, I16, U16, U32, case, check, load, meshopt, spin, turn};

const EXT: &str = "EXT_meshopt_compression";
const KHR: &str = "KHR_meshopt_compression";

/// Everything but the warnings, to the last bit.
fn content(asset: &Asset) -> String {
    format!("{:?}", Asset { warnings: Vec::new(), ..asset.clone() })
}

/// `chain` with every view of floats or joints compressed.
pub fn compressed(extension: &str) -> Gltf {
    let mut g = rigs::chain();
    for (view, stride) in [(0, 64), (1, 12), (2, 4), (3, 16), (5, 4), (6, 16), (7, 16), (8, 16), (9, 12)] {
        let stream = meshopt::attributes(&g.view_bytes(view), stride);
        g.compress(view, extension, "ATTRIBUTES", stride, &stream);
    }
    g.set("/extensionsUsed", json!([extension]));
    g.set("/extensionsRequired", json!([extension]));
    g
}

#[test]
fn attributes_of_every_size() {
    let plain = load(&rigs::chain());
    for extension in [EXT, KHR] {
        let asset = load(&compressed(extension));
        assert_eq!(content(&asset), content(&plain), "{extension}");
        assert!(asset.warnings.is_empty(), "{:?}", asset.warnings);
    }
}

#[test]
fn attributes_of_several_blocks() {
    // 256 elements are a block at most: 700 keys are three, the last one not full.
    let keys = 700;
    let mut plain = rigs::bare_chain(1, 1.0);
    let angles: Vec<f64> = (0..keys).map(|key| f64::from(key) * 0.37).collect();
    let times: Vec<f64> = (0..keys).map(|key| f64::from(key) / 30.0).collect();
    plain.animate(0, 0, "rotation", "LINEAR", &times, &spin(1, &angles));
    let mut packed = plain.clone();
    for (view, stride) in [(1, 4), (2, 16)] {
        let stream = meshopt::attributes(&packed.view_bytes(view), stride);
        packed.compress(view, EXT, "ATTRIBUTES", stride, &stream);
    }
    assert_eq!(content(&load(&packed)), content(&load(&plain)));
}

#[test]
fn indices_of_both_modes_and_sizes() {
    let corners = [0, 1, 2, 2, 1, 3, 2, 3, 4, 5, 0, 5];
    for (component, stride) in [(U16, 2), (U32, 4)] {
        for mode in ["TRIANGLES", "INDICES"] {
            let mut g = rigs::chain();
            let indices = g.add(&Array::new(component, "SCALAR", corners));
            g.set("/meshes/0/primitives/0/indices", indices);
            let stream = if mode == "INDICES" { meshopt::indices(&corners) } else { meshopt::triangles(&corners) };
            let view = g.json["accessors"][indices]["bufferView"].as_u64().expect("a view") as usize;
            g.compress(view, EXT, mode, stride, &stream);
            assert_eq!(load(&g).meshes[0].primitives[0].indices, corners, "{mode} of {component:?}");
        }
    }
}

#[test]
fn rotations_by_the_quaternion_filter() {
    let mut g = rigs::chain();
    let turns = [turn(0, 10.0), turn(1, -100.0), turn(2, 179.0), turn(1, 250.0), [0.5, -0.5, 0.5, -0.5]];
    let stored: Vec<f64> = turns.iter().flat_map(|&turn| meshopt::quaternion(turn)).map(f64::from).collect();
    let array = Array { is_normalized: true, ..Array::new(I16, "VEC4", stored) };
    let output = g.add(&array);
    let view = g.json["accessors"][output]["bufferView"].as_u64().expect("a view") as usize;
    g.compress(view, EXT, "ATTRIBUTES", 8, &meshopt::attributes(&array.bytes(), 8));
    g.set(&format!("/bufferViews/{view}/extensions/{EXT}/filter"), "QUATERNION");
    g.set("/animations/0/samplers/0/output", output);
    let asset = load(&g);
    for (key, expected) in asset.animations[0].tracks[0].values.chunks(4).zip(turns) {
        let dot: f64 = key.iter().zip(expected).map(|(&found, expected)| f64::from(found) * expected).sum();
        assert!(dot.abs() > 1.0 - 1e-7, "{key:?} for {expected:?}");
    }
}

#[test]
fn translations_by_the_exponential_filter() {
    let mut g = rigs::chain();
    let moves = [0.0, 1.0, -2.5, 1000.125, 3e-5, -7.75, 123_456.0, 0.1, -0.1, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5];
    let stored: Vec<u8> = moves.iter().flat_map(|&value| meshopt::exponential(value as f32).to_le_bytes()).collect();
    let view = g.view(&stored);
    g.compress(view, EXT, "ATTRIBUTES", 12, &meshopt::attributes(&stored, 12));
    g.set(&format!("/bufferViews/{view}/extensions/{EXT}/filter"), "EXPONENTIAL");
    let output = json!({"bufferView": view, "componentType": F32 as u32, "type": "VEC3", "count": 5});
    let output = g.push("accessors", output);
    g.set("/animations/0/samplers/3/output", output);
    for (found, expected) in load(&g).animations[0].tracks[3].values.iter().zip(moves) {
        assert!((f64::from(*found) - expected).abs() <= 1e-6 * expected.abs(), "{found} for {expected}");
    }
}

/// The buffer that stands for decompressed data may have no data at all.
#[test]
fn a_fallback_buffer_without_data() {
    let plain = load(&rigs::chain());
    for uri in [None, Some("never-read.bin")] {
        let mut g = compressed(EXT);
        // Indices are not compressed: they go with the streams into the buffer that is there.
        let indices = g.view(&rigs::chain().view_bytes(INDICES));
        g.set(&format!("/accessors/{INDICES}/bufferView"), indices);
        g.push("buffers", json!({"byteLength": g.buffers[0].len(), "extensions": {EXT: {"fallback": true}}}));
        if let Some(uri) = uri {
            g.set("/buffers/1/uri", uri);
        }
        for view in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] {
            g.set(&format!("/bufferViews/{view}/buffer"), 1);
        }
        g.json["bufferViews"][INDICES] = json!({"buffer": 0, "byteLength": 1});
        let resolve = &mut |_: &str| Err(std::io::Error::other("not there"));
        let asset = Asset::from_bytes("x", &g.glb(), &nebula_animation::asset::LoadOptions::default(), resolve);
        assert_eq!(content(&asset.expect("all data is compressed")), content(&plain));
    }
}

#[test]
fn broken_streams() {
    // The rotations of the first joint: 5 elements of 16 bytes.
    let stream = |title, break_it: fn(&mut Vec<u8>)| {
        case(title).edit(move |g, is_wrong| {
            let mut stream = meshopt::attributes(&g.view_bytes(ROTATIONS), 16);
            if is_wrong {
                break_it(&mut stream);
            }
            g.compress(ROTATIONS, EXT, "ATTRIBUTES", 16, &stream);
        })
    };
    let member = |title, name: &'static str, wrong: serde_json::Value, right: serde_json::Value| {
        case(title).edit(move |g, is_wrong| {
            let stream = meshopt::attributes(&g.view_bytes(TRANSLATIONS), 12);
            g.compress(TRANSLATIONS, EXT, "ATTRIBUTES", 12, &stream);
            let compression = &mut g.json["bufferViews"][TRANSLATIONS]["extensions"][EXT];
            compression[name] = if is_wrong { wrong.clone() } else { right.clone() };
        })
    };
    check(&[
        stream("a stream without a byte", Vec::clear).refused(Malformed, &["buffer view 6"]),
        stream("a stream without its last byte", |stream| stream.truncate(stream.len() - 1))
            .refused(Malformed, &["buffer view 6", "meshopt"]),
        stream("half a stream", |stream| stream.truncate(stream.len() / 2))
            .refused(Malformed, &["buffer view 6", "meshopt"]),
        stream("a stream of another kind", |stream| stream[0] = 0xe1).refused(Malformed, &["buffer view 6", "meshopt"]),
        stream("bytes too many", |stream| stream.insert(1, 0xff)).refused(Malformed, &["buffer view 6", "meshopt"]),
        member("a mode that does not exist", "mode", json!("ATTRIBUTE"), json!("ATTRIBUTES"))
            .refused(Malformed, &["buffer view 9", "ATTRIBUTE"]),
        member("a filter that does not exist", "filter", json!("SHARPEN"), json!("NONE"))
            .refused(Malformed, &["buffer view 9", "SHARPEN"]),
        member("a count that the view has not", "count", json!(6), json!(5))
            .refused(Malformed, &["buffer view 9", "6"]),
        member("a count that overflows", "count", json!(u64::MAX), json!(5)).refused(Malformed, &["buffer view 9"]),
        member("a stride of 0", "byteStride", json!(0), json!(12)).refused(Malformed, &["buffer view 9"]),
        member("a buffer that does not exist", "buffer", json!(3), json!(0))
            .refused(Malformed, &["buffer view 9", "buffer 3"]),
        member("a stream beyond its buffer", "byteOffset", json!(1_u64 << 40), json!(0))
            .edit(|g, is_wrong| {
                if !is_wrong {
                    let length = g.buffers[0].len();
                    let stream = g.json["bufferViews"][10]["byteOffset"].clone();
                    assert!(stream.as_u64().is_some_and(|start| (start as usize) < length));
                    g.json["bufferViews"][TRANSLATIONS]["extensions"][EXT]["byteOffset"] = stream;
                }
            })
            .refused(Malformed, &["buffer view 9"]),
    ]);
}
