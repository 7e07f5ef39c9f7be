//! Pictures in KTX2. `data/*.ktx2` were made with the npm package `ktx2-encoder` 0.5 of the picture that `expected` draws.

use nebula_animation::Asset;
use nebula_import::gltf::{GltfDocument, ktx2};
use serde_json::json;

use crate::corpus::glb;

const ETC1S: &[u8] = include_bytes!("../data/etc1s.ktx2");
const UASTC: &[u8] = include_bytes!("../data/uastc.ktx2");

/// Red grows to the right, green downwards, the right half is half transparent.
fn expected(x: usize, y: usize) -> [i32; 4] {
    [16 * x as i32, 32 * y as i32, 128, if x < 8 { 255 } else { 128 }]
}

/// Mean and largest difference to the picture.
fn off(png: &[u8]) -> (f64, i32) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("small")];
    let info = reader.next_frame(&mut pixels).expect("a PNG");
    assert_eq!((info.width, info.height, info.color_type), (16, 8, png::ColorType::Rgba));
    let (mut sum, mut most) = (0, 0);
    for (index, pixel) in pixels.as_chunks::<4>().0.iter().enumerate() {
        for (found, expected) in pixel.iter().zip(expected(index % 16, index / 16)) {
            let off = (i32::from(*found) - expected).abs();
            sum += off;
            most = most.max(off);
        }
    }
    (f64::from(sum) / (16.0 * 8.0 * 4.0), most)
}

#[test]
fn both_kinds_are_the_picture_that_they_were_made_of() {
    let (mean, most) = off(&ktx2::png(UASTC).expect("a sound file"));
    assert!(mean < 2.0 && most <= 16, "UASTC is off by {mean}, {most} at most");
    let (mean, most) = off(&ktx2::png(ETC1S).expect("a sound file"));
    assert!(mean < 16.0 && most <= 96, "ETC1S is off by {mean}, {most} at most");
}

#[test]
fn a_file_with_such_textures_just_opens() {
    let json = json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["KHR_texture_basisu"], "extensionsRequired": ["KHR_texture_basisu"],
        "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] }],
        "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }],
        "textures": [{ "extensions": { "KHR_texture_basisu": { "source": 0 } } }],
        "images": [{ "bufferView": 0, "mimeType": "image/ktx2" }],
        "accessors": [{ "componentType": 5126, "count": 3, "type": "VEC3" }],
        "bufferViews": [{ "buffer": 0, "byteLength": UASTC.len() }],
        "buffers": [{ "byteLength": UASTC.len() }]
    });
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("textured.glb");
    std::fs::write(&path, glb(&json, UASTC)).expect("a written file");
    let opened = nebula_import::open(&path).expect("a sound file");
    assert_eq!(opened.notes, [] as [String; 0]);
    assert_eq!(opened.asset.images[0].mime_type.as_deref(), Some("image/png"));
    assert!(off(&opened.asset.images[0].bytes).0 < 2.0);
    let all = nebula_import::OpenOptions::default().load;
    let plain = Asset::load_with(&path, &all).expect("sound");
    assert_eq!(plain.images[0].bytes[..], *UASTC, "the library leaves it as it is");
    // A picture that cannot be decoded costs the picture.
    let mut broken = UASTC.to_vec();
    broken[24..28].fill(0xff);
    std::fs::write(&path, glb(&json, &broken)).expect("a written file");
    let opened = nebula_import::open(&path).expect("all but the picture");
    assert!(opened.notes[0].contains("pixels"), "{:?}", opened.notes);
}

#[test]
fn damaged_files_are_errors() {
    let mut seed = 11_u32;
    for whole in [ETC1S, UASTC] {
        for length in 0..whole.len() {
            let _ = ktx2::png(&whole[..length]);
        }
        for at in 0..whole.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut bytes = whole.to_vec();
                bytes[at] = value;
                let _ = ktx2::png(&bytes);
            }
        }
        for _ in 0..3000 {
            let mut bytes = whole.to_vec();
            for _ in 0..4 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = (seed >> 8) as usize % bytes.len();
                bytes[at] ^= (seed >> 3) as u8;
            }
            let _ = ktx2::png(&bytes);
        }
        for (at, what) in [(20, "pixels"), (24, "pixels"), (36, "plain")] {
            let mut bytes = whole.to_vec();
            bytes[at..at + 4].copy_from_slice(&2_885_682_176_u32.to_le_bytes());
            assert!(ktx2::png(&bytes).expect_err("too large").contains(what));
        }
    }
}

/// Found by fuzzing: a panic where overflow is checked. The decoder adds the offset and the length of what levels share, and of levels, as
/// the header has them, and the sum of two such numbers need not fit.
#[test]
fn places_beyond_all_numbers_are_errors() {
    for whole in [ETC1S, UASTC] {
        for at in [64, 72, 80, 88] {
            for value in [u64::MAX - 1, u64::MAX, 1 << 63, whole.len() as u64 + 1] {
                let mut bytes = whole.to_vec();
                bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
                assert!(ktx2::png(&bytes).is_err(), "{value} at {at}");
            }
        }
        for at in [48, 52] {
            let mut bytes = whole.to_vec();
            bytes[at..at + 4].fill(0xff);
            assert!(ktx2::png(&bytes).is_err(), "at {at}");
        }
    }
}

fn textured(images: &serde_json::Value, binary: &[u8]) -> Vec<u8> {
    let json = json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["KHR_texture_basisu"],
        "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] }],
        "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }],
        "textures": [{ "extensions": { "KHR_texture_basisu": { "source": 0 } } }],
        "images": images,
        "accessors": [{ "componentType": 5126, "count": 3, "type": "VEC3" }],
        "bufferViews": [{ "buffer": 0, "byteLength": binary.len() }],
        "buffers": [{ "byteLength": binary.len() }]
    });
    glb(&json, binary)
}

/// Hundreds of images may be one and the same: it is decoded once, and the file has it once.
#[test]
fn images_that_share_their_bytes_are_decoded_once() {
    let images = vec![json!({ "bufferView": 0, "mimeType": "image/ktx2" }); 400];
    let bytes = textured(&json!(images), UASTC);
    let mut nothing = |uri: &str| Err(std::io::Error::other(format!("no {uri}")));
    let mut document = GltfDocument::of_bytes(&bytes, &Asset::default(), &mut nothing).expect("sound");
    assert_eq!(document.decode_ktx2().expect("sound"), [] as [String; 0]);
    let made = document.into_glb().expect("small");
    assert!(made.len() < bytes.len() + 4000, "{} of {} bytes", made.len(), bytes.len());
}

/// One that stands in the JSON is a picture like any other.
#[test]
fn pictures_in_data_uris_are_decoded() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("textured.glb");
    let uri = format!("data:image/ktx2;base64,{}", base64(UASTC));
    std::fs::write(&path, textured(&json!([{ "uri": uri }]), &[0; 4])).expect("a written file");
    let opened = nebula_import::open(&path).expect("a sound file");
    assert_eq!(opened.notes, [] as [String; 0]);
    assert_eq!(opened.asset.images[0].mime_type.as_deref(), Some("image/png"));
    assert!(off(&opened.asset.images[0].bytes).0 < 2.0);
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let word = three.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for letter in 0..4 {
            let is_known = letter <= three.len();
            text.push(if is_known { LETTERS[(word >> (18 - 6 * letter)) as usize & 63] as char } else { '=' });
        }
    }
    text
}
