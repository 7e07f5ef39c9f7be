//! Images of materials, wherever they stand; never decoded.

use nebula_animation::{Asset, asset::LoadOptions};
use serde_json::{Value, json};

use crate::support::{Folder, Gltf, agree, base64, load, rigs};

/// Enough of a PNG to tell what it is.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and so on";

/// `chain` with a material that shows this image.
fn with_image(image: Value) -> Gltf {
    let mut g = rigs::chain();
    g.push("images", image);
    g.push("textures", json!({"source": 0}));
    g.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "texCoord": 1}}}));
    g.set("/meshes/0/primitives/0/material", 0);
    g
}

fn with_view() -> Gltf {
    let mut g = with_image(json!({"mimeType": "image/png"}));
    let view = g.view(PNG);
    g.set("/images/0/bufferView", view);
    g
}

fn check(asset: &Asset, mime_type: &str) {
    assert_eq!(asset.images.len(), 1);
    let image = &asset.images[0];
    assert_eq!((image.index, &*image.bytes, image.mime_type.as_deref()), (0, PNG, Some(mime_type)));
    let material = &asset.meshes[0].primitives[0].material;
    assert_eq!(material.base_color_texture.map(|texture| (texture.image, texture.uv)), Some((0, 1)));
    assert!(asset.warnings.is_empty(), "{:?}", asset.warnings);
}

#[test]
fn in_a_buffer_view() {
    check(&agree(&with_view()), "image/png");
}

#[test]
fn in_a_data_uri() {
    let g = with_image(json!({"uri": format!("data:image/png;base64,{}", base64(PNG))}));
    check(&agree(&g), "image/png");
}

#[test]
fn in_a_file() {
    let g = with_image(json!({"uri": "skin%20colour.png", "mimeType": "image/png"}));
    let folder = Folder::new().file("model.glb", &g.glb()).file("skin colour.png", PNG);
    check(&folder.load_file("model.glb").expect("a valid file"), "image/png");
}

#[test]
fn by_a_resolver() {
    let g = with_image(json!({"uri": "textures/skin.png", "mimeType": "image/png"}));
    let asset = Asset::from_bytes("x", &g.glb(), &LoadOptions::default(), &mut |uri| {
        assert_eq!(uri, "textures/skin.png");
        Ok(PNG.to_vec())
    });
    check(&asset.expect("a valid file"), "image/png");
}

/// A file need not state the type: the first bytes tell it.
#[test]
fn the_type_is_told_from_the_first_bytes() {
    let kinds: [(&[u8], &str); 4] = [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0 and so on", "image/jpeg"),
        (b"RIFF\x10\0\0\0WEBPVP8 and so on", "image/webp"),
        (b"\xabKTX 20\xbb\r\n\x1a\n and so on", "image/ktx2"),
    ];
    for (bytes, mime_type) in kinds {
        let g = with_image(json!({"uri": "picture"}));
        let folder = Folder::new().file("model.glb", &g.glb()).file("picture", bytes);
        let asset = folder.load_file("model.glb").expect("a valid file");
        assert_eq!(asset.images[0].mime_type.as_deref(), Some(mime_type));
    }
}

#[test]
fn an_image_of_two_materials_is_fetched_once() {
    let mut g = with_view();
    g.push("textures", json!({"source": 0}));
    g.push("materials", json!({"name": "other", "pbrMetallicRoughness": {"baseColorTexture": {"index": 1}}}));
    let mut second = g.json["meshes"][0]["primitives"][0].clone();
    second["material"] = json!(1);
    let first = g.json["meshes"][0]["primitives"][0].clone();
    g.set("/meshes/0/primitives", json!([first, second]));
    let asset = load(&g);
    assert_eq!(asset.images.len(), 1);
    let textures = asset.meshes[0].primitives.iter().map(|part| part.material.base_color_texture);
    let images: Vec<_> = textures.map(|texture| texture.map(|texture| texture.image)).collect();
    assert_eq!(images, [Some(0), Some(0)]);
}

/// A mesh has two sets of texture coordinates here; an image that asks for another one must not be shown with these.
#[test]
fn a_third_set_of_texture_coordinates_is_reported() {
    let mut g = with_view();
    g.set("/materials/0/pbrMetallicRoughness/baseColorTexture/texCoord", 2);
    let asset = load(&g);
    assert!(!asset.warnings.is_empty(), "{:?}", asset.meshes[0].primitives[0].material.base_color_texture);
}

#[test]
fn images_that_nothing_shows_are_not_fetched() {
    let mut g = rigs::chain();
    g.push("images", json!({"uri": "missing.png"}));
    g.push("images", json!({"uri": "../outside.png"}));
    g.push("textures", json!({"source": 0}));
    g.push("materials", json!({"extensions": {"KHR_materials_sheen": {"sheenColorTexture": {"index": 0}}}}));
    g.push("materials", json!({"normalTexture": {"index": 0}}));
    g.set("/meshes/0/primitives/0/material", 0);
    let asset = load(&g);
    assert!(asset.images.is_empty() && asset.warnings.is_empty(), "{:?}", asset.warnings);
}

#[test]
fn a_missing_image_never_stops_a_file() {
    let g = with_image(json!({"uri": "missing.png"}));
    let folder = Folder::new().file("model.glb", &g.glb());
    let asset = folder.load_file("model.glb").expect("the rest is there");
    assert_eq!(asset.meshes[0].primitives[0].material.base_color_texture, None);
    let warning = asset.warnings.first().expect("a warning");
    assert!(warning.object.contains("image 0") && warning.message.contains("missing.png"), "{warning}");
}

#[test]
fn images_of_texture_extensions() {
    for extension in ["EXT_texture_webp", "KHR_texture_basisu", "EXT_texture_avif"] {
        let mut g = with_view();
        g.set("/textures/0", json!({"extensions": {extension: {"source": 0}}}));
        g.set("/extensionsUsed", json!([extension]));
        g.set("/extensionsRequired", json!([extension]));
        check(&agree(&g), "image/png");
    }
}

#[test]
fn the_plain_image_is_preferred() {
    let mut g = with_view();
    g.push("images", json!({"uri": "other.webp"}));
    g.set("/textures/0", json!({"source": 0, "extensions": {"EXT_texture_webp": {"source": 1}}}));
    check(&load(&g), "image/png");
}
