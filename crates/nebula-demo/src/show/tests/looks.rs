//! Materials on a ball: what each part of them changes, and that both renderers show the same.

use std::f32::consts::{PI, TAU};

use glam::{Mat4, Vec3};
use nebula_animation::Asset;
use nebula_animation::asset::{
    Alpha, ImageBytes, Material, MaterialTexture, Mesh, OutlineWidth, Primitive, Toon, ToonOutline, UvTransform,
};

use super::images::png;
use crate::picture::{Camera, Canvas, Light};
use crate::show::model::Model;
use crate::show::renderer::CpuRenderer;
use crate::show::shot::{Body, Floor, Shot};

const SIDE: u32 = 96;

/// Images: checks of white and of half clear red; numbers between 0 and 1; normals that lean to the right; normals that do not.
fn images() -> Vec<ImageBytes> {
    let checks = [[255, 255, 255, 255], [255, 0, 0, 128], [255, 0, 0, 128], [255, 255, 255, 255]];
    let numbers = [[128, 64, 255, 255], [255, 255, 0, 255], [30, 128, 128, 255], [200, 200, 200, 255]];
    let leaning = [[200, 128, 230, 255]; 4];
    let even = [[128, 128, 255, 255]; 4];
    let image = |(index, pixels): (usize, [[u8; 4]; 4])| ImageBytes {
        index,
        mime_type: None,
        bytes: png(png::ColorType::Rgba, png::BitDepth::Eight, 2, pixels.as_flattened()).into(),
    };
    [checks, numbers, leaning, even].into_iter().enumerate().map(image).collect()
}

fn map(image: usize, uv: usize) -> Option<MaterialTexture> {
    let transform = UvTransform { offset: [0.1, 0.0], rotation: 0.3, scale: [1.0, 2.0] };
    let transform = if uv == 1 { transform } else { UvTransform::default() };
    Some(MaterialTexture { image, uv, sampler: Default::default(), transform })
}

/// Pictures of a ball of a material, by all renderers that there are.
fn pictures(test: &str, material: &Material, has_tangents: bool) -> Vec<Canvas> {
    let (mut primitive, rings, sides) = (Primitive::default(), 24_u32, 32_u32);
    for (ring, side) in (0..=rings).flat_map(|ring| (0..=sides).map(move |side| (ring, side))) {
        let (polar, around) = (PI * ring as f32 / rings as f32, TAU * side as f32 / sides as f32);
        let normal = Vec3::new(polar.sin() * around.sin(), polar.cos(), polar.sin() * around.cos());
        primitive.positions.push(normal.to_array());
        primitive.normals.push(normal.to_array());
        if has_tangents {
            primitive.tangents.push([around.cos(), 0.0, -around.sin(), 1.0]);
        }
        let uv = [4.0 * side as f32 / sides as f32, 2.0 * ring as f32 / rings as f32];
        primitive.uvs[0].push(uv);
        primitive.uvs[1].push([uv[1], uv[0]]);
        if ring < rings && side < sides {
            let (a, b) = (ring * (sides + 1) + side, (ring + 1) * (sides + 1) + side);
            primitive.indices.extend([a, b, b + 1, a, b + 1, a + 1]);
        }
    }
    primitive.material = material.clone();
    let mesh = Mesh { primitives: [primitive].into(), ..Mesh::default() };
    let model = Model::new(Asset { meshes: vec![mesh], images: images(), ..Asset::default() }).expect("a model");
    assert!(model.notes.is_empty(), "{:?}", model.notes);
    let body = Body { model: &model, palette: &[], place: Mat4::IDENTITY, morph_weights: &[] };
    let camera = Camera { eye: Vec3::new(0.6, 0.5, 3.0), target: Vec3::ZERO, up: Vec3::Y, vertical_fov_radians: 0.8 };
    let shot = Shot { camera, light: Light::default(), floor: Floor::None, bodies: &[body], lines: &[] };
    let mut pictures = vec![Canvas::new(SIDE, SIDE)];
    CpuRenderer::default().draw(&shot, &mut pictures[0]);
    #[cfg(feature = "gpu")]
    if let Some(mut renderer) = crate::gpu::tests::renderer(test) {
        let mut canvas = Canvas::new(SIDE, SIDE);
        renderer.render(&shot, &crate::gpu::Look::default(), &mut canvas).expect("a picture");
        pictures.push(canvas);
    }
    let _ = test;
    pictures
}

fn paint() -> Material {
    let base_color_factor = [0.6, 0.3, 0.1, 1.0];
    Material { base_color_factor, metallic_factor: 0.0, roughness_factor: 0.5, ..Material::default() }
}

/// The pixel at a place, from -1 to 1 to the right and upwards.
fn at(canvas: &Canvas, x: f32, y: f32) -> [i32; 3] {
    let place = |part: f32| ((part * 0.5 + 0.5) * SIDE as f32) as u32;
    let [red, green, blue, _] = canvas.pixels()[(place(-y) * SIDE + place(x)) as usize].map(i32::from);
    [red, green, blue]
}

#[test]
fn both_renderers_show_all_that_a_material_has() {
    let toon = Toon { shade_color: [0.1, 0.1, 0.3], rim_color: [0.5; 3], ..Toon::default() };
    let drawn = Toon { shade_texture: map(0, 1), matcap_texture: map(1, 0), shading_shift: 0.2, ..toon.clone() };
    let whole = Material {
        base_color_texture: map(0, 1),
        metallic_roughness_texture: map(1, 0),
        normal_texture: map(2, 0),
        occlusion_texture: map(1, 1),
        emissive_texture: map(0, 0),
        emissive_factor: [0.1, 0.2, 0.3],
        ..Material::default()
    };
    let cases = [
        ("default", Material::default()),
        ("paint", paint()),
        ("mirror", Material { roughness_factor: 0.0, metallic_factor: 1.0, ..paint() }),
        ("base colour", Material { base_color_texture: map(0, 1), ..paint() }),
        ("metal and roughness", Material { metallic_roughness_texture: map(1, 1), ..Material::default() }),
        ("normals", Material { normal_texture: map(2, 0), normal_scale: 0.5, ..paint() }),
        ("turned normals", Material { normal_texture: map(2, 1), ..paint() }),
        ("occlusion", Material { occlusion_texture: map(1, 0), occlusion_strength: 0.5, ..paint() }),
        ("emissive", Material { emissive_factor: [0.5, 0.0, 2.0], emissive_texture: map(0, 0), ..paint() }),
        ("unlit", Material { is_unlit: true, base_color_texture: map(0, 0), ..paint() }),
        ("mask", Material { alpha: Alpha::Mask(0.6), base_color_texture: map(0, 0), is_double_sided: true, ..paint() }),
        ("blend", Material { alpha: Alpha::Blend, base_color_texture: map(0, 0), ..paint() }),
        ("outline", Material { toon: Some(Box::new(outlined(0.5))), ..paint() }),
        ("toon", Material { toon: Some(Box::new(toon)), ..paint() }),
        ("toon with images", Material { toon: Some(Box::new(drawn)), normal_texture: map(2, 0), ..paint() }),
        ("everything", whole),
    ];
    for (name, material) in cases {
        for has_tangents in [false, true] {
            let pictures = pictures("both_renderers_show_all_that_a_material_has", &material, has_tangents);
            assert!(pictures[0].pixels().iter().any(|pixel| *pixel != pictures[0].pixels()[0]), "{name}");
            #[cfg(feature = "gpu")]
            if let [cpu, gpu] = pictures.as_slice() {
                let likeness = crate::gpu::tests::psnr(cpu, gpu);
                assert!(likeness > 33.0, "{name}, tangents {has_tangents}: {likeness:.1} dB");
            }
        }
    }
}

/// A toon in a green line.
fn outlined(lighting_mix: f32) -> Toon {
    let width = OutlineWidth::World(0.15);
    let outline = ToonOutline { width, width_texture: None, color: [0.0, 0.5, 0.0], lighting_mix };
    Toon { shade_color: [0.1, 0.1, 0.3], outline: Some(outline), ..Toon::default() }
}

/// Beyond the ball is the colour of its line, as far as the line is wide; on the ball nothing changes.
#[test]
fn outlines_are_seen_beyond_the_surface() {
    let test = "outlines_are_seen_beyond_the_surface";
    let plain =
        pictures(test, &Material { toon: Some(Box::new(Toon { outline: None, ..outlined(0.0) })), ..paint() }, false);
    let drawn = pictures(test, &Material { toon: Some(Box::new(outlined(0.0))), ..paint() }, false);
    let lit = pictures(test, &Material { toon: Some(Box::new(outlined(1.0))), ..paint() }, false);
    for ((plain, drawn), lit) in plain.iter().zip(&drawn).zip(&lit) {
        let row = |canvas: &Canvas| {
            let middle = (SIDE / 2 * SIDE) as usize;
            canvas.pixels()[middle..middle + SIDE as usize]
                .iter()
                .map(|pixel| [pixel[0], pixel[1], pixel[2]])
                .collect::<Vec<_>>()
        };
        let (plain, drawn, lit) = (row(plain), row(drawn), row(lit));
        let changed: Vec<usize> = (0..plain.len()).filter(|x| plain[*x] != drawn[*x]).collect();
        let middle = SIDE as usize / 2;
        assert!(!changed.contains(&middle), "{changed:?}");
        let [left, right] =
            [changed.iter().filter(|x| **x < middle).count(), changed.iter().filter(|x| **x > middle).count()];
        assert!(left >= 2 && right >= 2 && left < 16 && right < 16, "{changed:?}");
        // 0.5 as sRGB, where the line covers the pixel.
        let greens = changed
            .iter()
            .filter(|x| drawn[**x][1].abs_diff(188) < 6 && drawn[**x][0] < 6 && drawn[**x][2] < 6)
            .count();
        assert!(greens >= 2, "{:?}", changed.iter().map(|x| drawn[*x]).collect::<Vec<_>>());
        let darker = changed.iter().filter(|x| lit[**x][1] + 10 < drawn[**x][1] && lit[**x] != plain[**x]).count();
        assert!(darker >= 2, "what the light leaves of it: {:?}", changed.iter().map(|x| lit[*x]).collect::<Vec<_>>());
    }
}

#[test]
fn unlit_colours_are_those_of_the_file() {
    let material = Material { is_unlit: true, ..paint() };
    for picture in pictures("unlit_colours_are_those_of_the_file", &material, false) {
        // 0.6, 0.3 and 0.1 as sRGB.
        for (x, y) in [(0.0, 0.0), (-0.4, 0.3), (0.4, -0.5)] {
            let differences = at(&picture, x, y).into_iter().zip([203, 149, 89]);
            assert!(
                differences.into_iter().all(|(found, wanted)| (found - wanted).abs() <= 1),
                "{:?}",
                at(&picture, x, y)
            );
        }
    }
}

#[test]
fn maps_change_what_they_are_about() {
    let test = "maps_change_what_they_are_about";
    let brightness = |material: &Material| -> Vec<i32> {
        let sum = |picture: &Canvas| at(picture, -0.2, 0.2).into_iter().sum();
        pictures(test, material, true).iter().map(sum).collect()
    };
    let plain = brightness(&paint());
    let even = brightness(&Material { normal_texture: map(3, 0), ..paint() });
    let leaning = brightness(&Material { normal_texture: map(2, 0), ..paint() });
    let shaded = brightness(&Material { occlusion_texture: map(1, 0), ..paint() });
    let bright = brightness(&Material { emissive_factor: [0.5; 3], ..paint() });
    for renderer in 0..plain.len() {
        assert!((plain[renderer] - even[renderer]).abs() <= 6, "{plain:?} {even:?}");
        // The light comes from the left: what leans to the right gets less of it.
        assert!(leaning[renderer] < plain[renderer] - 20, "{plain:?} {leaning:?}");
        assert!(shaded[renderer] < plain[renderer], "{plain:?} {shaded:?}");
        assert!(bright[renderer] > plain[renderer] + 60, "{plain:?} {bright:?}");
    }
}

/// A step and no slope: in the light the base colour, in the shade the other one, both even.
#[test]
fn toons_have_two_colours() {
    let toon = Toon { shade_color: [0.0, 0.0, 0.5], shading_toony: 1.0, ..Toon::default() };
    let material = Material { toon: Some(Box::new(toon)), ..paint() };
    for picture in pictures("toons_have_two_colours", &material, false) {
        let lit = [(-0.3, 0.3), (-0.1, 0.4), (-0.4, 0.1)].map(|(x, y)| at(&picture, x, y));
        assert!(lit.iter().all(|color| *color == lit[0]), "{lit:?}");
        assert!(lit[0][0] > lit[0][2], "{lit:?}");
        let shade = at(&picture, 0.5, -0.5);
        assert!(shade[2] > shade[0] && shade[2] > lit[0][2], "{shade:?}");
    }
}
