//! How images are read, and how they lie on surfaces.

use nebula_animation::Asset;
use nebula_animation::asset::{TextureFilter, TextureSampler, TextureWrap, UvTransform};
use serde_json::{Value, json};

use crate::support::{Folder, Gltf, load, rigs, strict, try_load_with};

/// `chain` with a textured material.
fn textured(texture: Value, info: Value) -> Gltf {
    let mut g = rigs::chain();
    let view = g.view(b"\x89PNG\r\n\x1a\n and so on");
    g.push("images", json!({"bufferView": view, "mimeType": "image/png"}));
    g.push("textures", texture);
    g.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": info}}));
    g.set("/meshes/0/primitives/0/material", 0);
    g
}

fn with_sampler(sampler: Value) -> Gltf {
    let mut g = textured(json!({"source": 0, "sampler": 0}), json!({"index": 0}));
    g.push("samplers", sampler);
    g
}

fn sampler_of(asset: &Asset) -> TextureSampler {
    asset.meshes[0].primitives[0].material.base_color_texture.expect("a texture").sampler
}

#[test]
fn every_mode_of_the_standard() {
    let (linear, nearest) = (TextureFilter::Linear, TextureFilter::Nearest);
    let modes = [(10_497, TextureWrap::Repeat), (33_071, TextureWrap::Clamp), (33_648, TextureWrap::Mirror)];
    let minified = [
        (9_728, (nearest, None)),
        (9_729, (linear, None)),
        (9_984, (nearest, Some(nearest))),
        (9_985, (linear, Some(nearest))),
        (9_986, (nearest, Some(linear))),
        (9_987, (linear, Some(linear))),
    ];
    for (across, left_and_right) in modes {
        for (down, up_and_down) in modes {
            for (mag_filter, magnified) in [(9_728, nearest), (9_729, linear)] {
                for (min_filter, (minified, mipmaps)) in minified {
                    let sampler =
                        json!({"wrapS": across, "wrapT": down, "magFilter": mag_filter, "minFilter": min_filter});
                    let asset = load(&with_sampler(sampler));
                    let wrap = [left_and_right, up_and_down];
                    assert_eq!(sampler_of(&asset), TextureSampler { wrap, magnified, minified, mipmaps });
                    assert!(asset.warnings.is_empty(), "{:?}", asset.warnings);
                }
            }
        }
    }
}

#[test]
fn what_is_left_open_repeats_and_is_smooth() {
    for g in [with_sampler(json!({})), textured(json!({"source": 0}), json!({"index": 0}))] {
        let asset = load(&g);
        assert_eq!(sampler_of(&asset), TextureSampler::default());
        assert!(asset.warnings.is_empty(), "{:?}", asset.warnings);
    }
    assert_eq!(load(&rigs::chain()).meshes[0].primitives[0].material.base_color_texture, None);
}

/// Nothing but the look depends on it: a warning, and the default.
#[test]
fn nonsense_never_stops_a_file() {
    for (member, value) in [
        ("wrapS", json!(5)),
        ("wrapT", json!(-1)),
        ("magFilter", json!(9_987)),
        ("minFilter", json!(1e300)),
        ("wrapS", json!("REPEAT")),
        ("magFilter", json!([1, {"a": 2}])),
        ("minFilter", json!(9_728.5)),
    ] {
        let g = with_sampler(json!({member: value}));
        let asset = load(&g);
        assert_eq!(sampler_of(&asset), TextureSampler::default(), "{member} {value}");
        let warning = asset.warnings.first().unwrap_or_else(|| panic!("{member} {value}: no warning"));
        assert!(warning.object.contains("sampler 0") && warning.message.contains(member), "{warning}");
        assert!(try_load_with(&g.glb(), &strict()).is_err(), "{member} {value}");
    }
    for index in [json!(7), json!(-1), json!("none")] {
        let asset = load(&textured(json!({"source": 0, "sampler": index}), json!({"index": 0})));
        assert_eq!(sampler_of(&asset), TextureSampler::default());
        assert!(asset.warnings.iter().any(|warning| warning.object.contains("texture 0")), "{:?}", asset.warnings);
    }
}

fn transform_of(asset: &Asset) -> UvTransform {
    asset.meshes[0].primitives[0].material.base_color_texture.expect("a texture").transform
}

#[test]
fn transforms_of_texture_coordinates() {
    let extension = json!({"offset": [0.5, -1.0], "rotation": 0.25, "scale": [2.0, 3.0], "texCoord": 1});
    let info = json!({"index": 0, "extensions": {"KHR_texture_transform": extension}});
    let asset = load(&textured(json!({"source": 0}), info));
    let expected = UvTransform { offset: [0.5, -1.0], rotation: 0.25, scale: [2.0, 3.0] };
    assert_eq!(transform_of(&asset), expected);
    let texture = asset.meshes[0].primitives[0].material.base_color_texture;
    assert_eq!(texture.map(|texture| texture.uv), Some(1), "it may name another set");
    let [u, v] = expected.apply([0.5, 0.25]);
    // Scaled, turned counter-clockwise as the image is seen, whose second coordinate points downwards, and moved; in double
    // precision.
    let (x, y) = (2.0 * 0.5, 3.0 * 0.25);
    let (sin, cos) = 0.25_f64.sin_cos();
    assert!((f64::from(u) - (x * cos + y * sin + 0.5)).abs() < 1e-6, "{u}");
    assert!((f64::from(v) - (y * cos - x * sin - 1.0)).abs() < 1e-6, "{v}");
    for info in [json!({"index": 0}), json!({"index": 0, "extensions": {"KHR_texture_transform": {}}})] {
        assert_eq!(transform_of(&load(&textured(json!({"source": 0}), info))), UvTransform::default());
    }
}

/// Whoever wants to load an asset again when it changes has to know all of its files.
#[test]
fn all_files_of_an_asset_are_named() {
    let json = json!({
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": 1, "uri": "a%20b.bin"}, {"byteLength": 1, "uri": "a%20b.bin"}],
        "images": [{"uri": "textures/skin.png"}, {"uri": "data:image/png;base64,AAAA"}, {"uri": "../x.png"}, {"uri": "http://x/y"}],
    });
    let folder = Folder::new().file("model.gltf", json.to_string().as_bytes()).file("broken.gltf", b"{");
    let path = |name: &str| folder.path(name);
    assert_eq!(Asset::files(path("model.gltf")), [path("model.gltf"), path("a b.bin"), path("textures/skin.png")]);
    for alone in ["broken.gltf", "missing.gltf"] {
        assert_eq!(Asset::files(path(alone)), [path(alone)]);
    }
}
