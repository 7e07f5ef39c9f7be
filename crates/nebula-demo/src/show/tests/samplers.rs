//! How textures are read, by files of each kind: a square that shows an image of two by two pixels three times in each direction.

use glam::{Mat4, Vec3};
use serde_json::{Value, json};

use super::images::png;
use crate::picture::{Camera, Canvas, Light};
use crate::show::model::Model;
use crate::show::renderer::CpuRenderer;
use crate::show::shot::{Body, Floor, Shot};

/// Red and green, blue and white.
const IMAGE: [[u8; 4]; 4] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255; 4]];

/// Pixels of the picture for each pixel of the image.
const SCALE: u32 = 16;

/// A .glb of the square with this sampler and this `KHR_texture_transform`.
fn file(sampler: Value, transform: Value) -> Vec<u8> {
    let corners: [[f32; 5]; 4] = [
        [-1.5, 1.5, 0.0, -1.0, -1.0],
        [-1.5, -1.5, 0.0, -1.0, 2.0],
        [1.5, -1.5, 0.0, 2.0, 2.0],
        [1.5, 1.5, 0.0, 2.0, -1.0],
    ];
    let mut binary: Vec<u8> = corners.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect();
    let indices: [u16; 6] = [0, 1, 2, 0, 2, 3];
    binary.extend(indices.iter().flat_map(|index| index.to_le_bytes()));
    let image = png(png::ColorType::Rgba, png::BitDepth::Eight, 2, IMAGE.as_flattened());
    let (image_at, image_length) = (binary.len(), image.len());
    binary.extend(image);
    binary.resize(binary.len().next_multiple_of(4), 0);
    let json = json!({
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": binary.len()}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 80, "byteStride": 20},
            {"buffer": 0, "byteOffset": 80, "byteLength": 12},
            {"buffer": 0, "byteOffset": image_at, "byteLength": image_length},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [-1.5, -1.5, 0], "max": [1.5, 1.5, 0]},
            {"bufferView": 0, "byteOffset": 12, "componentType": 5126, "count": 4, "type": "VEC2"},
            {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"},
        ],
        "images": [{"bufferView": 2, "mimeType": "image/png"}],
        "samplers": [sampler],
        "textures": [{"source": 0, "sampler": 0}],
        "materials": [{"pbrMetallicRoughness": {
            "baseColorTexture": {"index": 0, "extensions": {"KHR_texture_transform": transform}},
        }}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 0}]}],
        "nodes": [{"mesh": 0}],
        "scenes": [{"nodes": [0]}],
    });
    let mut json = json.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = Vec::new();
    let length = (12 + 8 + json.len() + 8 + binary.len()) as u32;
    for word in [0x4654_6C67, 2, length, json.len() as u32, 0x4E4F_534A] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(json);
    for word in [binary.len() as u32, 0x004E_4942] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(binary);
    bytes
}

/// Pictures of the square from the front, six by six pixels of its image, by all renderers that there are.
fn pictures(test: &str, sampler: Value, transform: Value) -> Vec<Canvas> {
    let model = Model::from_bytes("square.glb", &file(sampler, transform)).expect("a model");
    assert!(model.notes.is_empty(), "{:?}", model.notes);
    assert!(model.asset.warnings.is_empty(), "{:?}", model.asset.warnings);
    let palette = vec![Mat4::IDENTITY; model.asset.skeleton.joints.len()];
    let body = Body { model: &model, palette: &palette, place: Mat4::IDENTITY, morph_weights: &[] };
    let vertical_fov_radians = 2.0 * 0.3_f32.atan();
    let camera = Camera { eye: Vec3::Z * 5.0, target: Vec3::ZERO, up: Vec3::Y, vertical_fov_radians };
    let light = Light { direction: Vec3::Z, ..Light::default() };
    let shot = Shot { camera, light, floor: Floor::None, bodies: &[body], lines: &[] };
    let mut pictures = vec![Canvas::new(6 * SCALE, 6 * SCALE)];
    CpuRenderer::default().draw(&shot, &mut pictures[0]);
    #[cfg(feature = "gpu")]
    if let Some(mut renderer) = crate::gpu::tests::renderer(test) {
        let mut canvas = Canvas::new(6 * SCALE, 6 * SCALE);
        renderer.render(&shot, &crate::gpu::Look::default(), &mut canvas).expect("a picture");
        pictures.push(canvas);
    }
    let _ = test;
    pictures
}

/// Which pixel of the image is seen at a place: none where it is a mix of them.
fn seen(picture: &Canvas, x: u32, y: u32) -> Option<usize> {
    let [red, green, blue, _] = picture.pixels()[(y * picture.width() + x) as usize].map(u32::from);
    let most = red.max(green).max(blue);
    let is_on = [red, green, blue].map(|part| part * 2 > most);
    [[true, false, false], [false, true, false], [false, false, true], [true; 3]].iter().position(|on| *on == is_on)
}

const REPEAT: (u32, [usize; 6]) = (10_497, [0, 1, 0, 1, 0, 1]);
const MIRROR: (u32, [usize; 6]) = (33_648, [1, 0, 0, 1, 1, 0]);
const CLAMP: (u32, [usize; 6]) = (33_071, [0, 0, 0, 1, 1, 1]);

#[test]
fn images_go_on_beyond_their_edges_as_the_file_says() {
    for (across, columns) in [REPEAT, MIRROR, CLAMP] {
        for (down, rows) in [REPEAT, MIRROR, CLAMP] {
            let sampler = json!({"wrapS": across, "wrapT": down, "magFilter": 9728});
            let test = "images_go_on_beyond_their_edges_as_the_file_says";
            for (renderer, picture) in pictures(test, sampler, json!({})).iter().enumerate() {
                for (row, column) in (0..36).map(|cell| (cell / 6, cell % 6)) {
                    let found = seen(picture, column * SCALE + SCALE / 2, row * SCALE + SCALE / 2);
                    let expected = rows[row as usize] * 2 + columns[column as usize];
                    assert_eq!(found, Some(expected), "{across} {down}, renderer {renderer}, {column} {row}");
                }
            }
        }
    }
}

/// Just beside an edge, the nearest pixel is as pure as in its middle; a linear filter mixes it with its neighbour.
#[test]
fn images_are_mixed_or_not_as_the_file_says() {
    for (filter, is_mixed) in
        [(json!({"magFilter": 9728}), false), (json!({"magFilter": 9729}), true), (json!({}), true)]
    {
        let test = "images_are_mixed_or_not_as_the_file_says";
        for (renderer, picture) in pictures(test, filter.clone(), json!({})).iter().enumerate() {
            // Red on the left, green on the right.
            for (x, pure) in [(3 * SCALE - 2, 0), (3 * SCALE + 1, 1)] {
                let found = seen(picture, x, 2 * SCALE + SCALE / 2);
                assert_eq!(found == Some(pure), !is_mixed, "{filter}, renderer {renderer}, {x}: {found:?}");
            }
        }
    }
}

/// A quarter turn of the coordinates about the image's own corner, then half the size: by the formula of the extension.
#[test]
fn texture_transforms_are_applied() {
    let transform = json!({"offset": [0.5, 1.0], "rotation": std::f32::consts::FRAC_PI_2, "scale": [0.5, 1.0]});
    let test = "texture_transforms_are_applied";
    for (renderer, picture) in pictures(test, json!({"magFilter": 9728}), transform).iter().enumerate() {
        for (row, column) in (0..36).map(|cell| (cell / 6, cell % 6)) {
            // The middle of the cell, as the mesh has it: scaled by a half along u, turned so that v goes along u and u
            // against v, then moved.
            let [u, v] = [column, row].map(|cell| -1.0 + (cell as f32 + 0.5) * 0.5);
            let [u, v] = [v + 0.5, 1.0 - u * 0.5];
            let texel = |at: f32| usize::from(at.rem_euclid(1.0) >= 0.5);
            let found = seen(picture, column * SCALE + SCALE / 2, row * SCALE + SCALE / 2);
            assert_eq!(found, Some(texel(v) * 2 + texel(u)), "renderer {renderer}, {column} {row}");
        }
    }
}
