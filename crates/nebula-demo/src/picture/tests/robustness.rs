//! Any input gives a picture, and the same input the same one.

use glam::{Vec2, Vec3, Vec4};
use nebula_animation::asset::{TextureSampler, TextureWrap};

use super::super::camera::View;
use super::*;

#[test]
fn triangles_that_cannot_be_drawn_are_left_out() {
    let good = rectangle(-1.0, -1.0, 1.0, 1.0, -1.0);
    let mut positions = good.to_vec();
    positions.extend([Vec3::NAN, Vec3::INFINITY, Vec3::splat(f32::MAX), Vec3::new(0.3, f32::NEG_INFINITY, -1.0)]);
    let empty = draw(&[], &CAMERA, 16, 16);
    let indices = [
        [0, 0, 0], // One point.
        [0, 1, 1], // A line.
        [0, 1, 4], // Not a number.
        [0, 5, 1], // Infinite.
        [0, 7, 1], // Infinite in one axis.
        [0, 1, 8], // Out of range.
        [9, u32::MAX, 8],
    ];
    assert_eq!(draw(&[mesh(&positions, indices.as_flattened(), RED)], &CAMERA, 16, 16), empty);
    // An incomplete triangle at the end, and attributes that are too short.
    let short = Mesh {
        normals: &[Vec3::X],
        colors: &[Vec4::ZERO],
        uvs: [&[Vec2::ZERO], &[]],
        ..mesh(&good, &[0, 1, 2, 0, 2], RED)
    };
    assert_eq!(draw(&[short], &CAMERA, 16, 16), draw(&[mesh(&good, &[0, 1, 2], RED)], &CAMERA, 16, 16));
}

#[test]
fn no_scene_makes_it_panic() {
    let odd = [0.0, -0.0, 1.0, -1.0, 1e-40, 1e-20, 1e20, -1e20, 1e38, f32::MAX, f32::NAN, f32::INFINITY];
    let mut random = Random(7);
    let mut renderer = Renderer::default();
    for _ in 0..300 {
        let mut number = || match (random.unit() * 24.0) as usize {
            index if index < odd.len() => odd[index],
            _ => random.between(-3.0, 3.0),
        };
        let mut vectors = || -> Vec<Vec3> { (0..12).map(|_| Vec3::new(number(), number(), number())).collect() };
        let (positions, normals) = (vectors(), vectors());
        let colors: Vec<Vec4> = vectors().into_iter().map(|color| color.extend(1.0)).collect();
        let points = vectors();
        let uvs: Vec<Vec2> = vectors().into_iter().map(Vec3::truncate).collect();
        let texture = Texture::new(3, 2, &[90; 24]).unwrap();
        let sampler = TextureSampler { wrap: [TextureWrap::Mirror, TextureWrap::Clamp], ..TextureSampler::default() };
        let transform = glam::Affine2::from_cols(points[5].truncate(), points[6].truncate(), points[7].truncate());
        let map = Some(Map { sampler, transform, uv: 1, ..Map::new(&texture) });
        let looks = Looks {
            base_color: points[8].extend(0.5),
            texture: map,
            metallic: points[9].x,
            roughness: points[9].y,
            metallic_roughness: map,
            normals: map,
            normal_scale: points[9].z,
            occlusion: map,
            occlusion_strength: points[10].x,
            emissive: points[10],
            emissive_map: map,
            answer: match points[11].x {
                x if x < -1.0 => Answer::Unlit,
                x if x > 1.0 => Answer::Toon(Drawn {
                    shade: points[10],
                    shade_map: map,
                    shift: points[11].y,
                    toony: points[11].z,
                    ball: points[8],
                    ball_map: map,
                    rim: points[7],
                    rim_power: points[9].x,
                    rim_lift: points[9].y,
                    rim_lighting: points[9].z,
                }),
                _ => Answer::Lit,
            },
        };
        let indices = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
        let mesh = Mesh {
            positions: &positions,
            normals: &normals,
            colors: &colors,
            tangents: &colors,
            uvs: [&uvs, &uvs],
            indices: &indices,
            looks,
            alpha: Alpha::Mask(points[9].y),
            ..Mesh::default()
        };
        let line = Line {
            start: points[0],
            end: points[1],
            widths: [points[2].x, points[2].y],
            color: Vec4::splat(points[2].z),
        };
        let scene = Scene {
            meshes: &[mesh, Mesh { is_terrain: true, is_mirrored: true, ..mesh }],
            lines: &[line],
            ground: Some(Ground { height: points[3].x, size: points[3].y }),
            light: Light { direction: points[4], key: points[5], ..Light::default() },
            fog: Some(points[9].y),
        };
        let camera = Camera { eye: points[6], target: points[7], up: points[8], vertical_fov_radians: points[9].x };
        renderer.render(&scene, &camera, &mut Canvas::new(33, 17));
        let framed = Camera::framing(points[10], points[11], points[9].z);
        renderer.render(&scene, &framed, &mut Canvas::new(16, 9));
    }
}

#[test]
fn framing_shows_all_corners_at_any_scale() {
    let mut random = Random(11);
    for _ in 0..2000 {
        let scale = 10.0_f32.powf(random.between(-2.0, 2.0));
        let size = random.vector(0.01, 1.0) * scale;
        let min = random.vector(-3.0, 3.0) * scale;
        let max = min + size;
        let (width, height) = (random.between(20.0, 2000.0) as u32, random.between(20.0, 2000.0) as u32);
        let direction = random.vector(-1.0, 1.0);
        let aspect = width as f32 / height as f32;
        for camera in [Camera::framing(min, max, aspect), Camera::framing_from(direction, min, max, aspect)] {
            let view = View::new(&camera, width, height);
            let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
            for corner in 0..8 {
                let part = |bit: u32| (corner >> bit & 1) as f32;
                let place = view.project(min + size * Vec3::new(part(0), part(1), part(2)));
                assert!(place.z > view.near);
                let place = Vec3::from(place).truncate() / place.z / Vec2::new(width as f32, height as f32);
                (low, high) = (low.min(place), high.max(place));
            }
            assert!(low.min_element() > 0.03 && high.max_element() < 0.97, "{low} {high}");
            assert!((high - low).max_element() > 0.8, "{low} {high}");
        }
    }
}

#[test]
fn every_size_of_picture_works() {
    let (min, max) = (Vec3::NEG_ONE, Vec3::ONE);
    let corners = rectangle(-1.0, -1.0, 1.0, 1.0, 0.0);
    let lines = [Line { start: min, end: max, widths: [3.0, 1.0], color: RED }];
    let meshes = &[mesh(&corners, &RECTANGLE, GREEN)];
    let scene =
        Scene { meshes, lines: &lines, ground: Some(Ground::below(min, max)), light: Light::default(), fog: None };
    for (width, height) in [(0, 0), (0, 5), (1, 1), (1, 9), (9, 1), (3, 7), (5, 4), (6, 5), (7, 3), (37, 23)] {
        let camera = Camera::framing(min, max, width as f32 / height as f32);
        let picture = render(&scene, &camera, width, height);
        assert_eq!(picture.as_bytes().len(), (width * height * 4) as usize);
        assert!(picture.pixels().iter().all(|pixel| pixel[3] == 255 && *pixel != [0, 0, 0, 255]));
    }
}

#[test]
fn pasting_keeps_to_the_canvas() {
    for (left, top, copied) in [(0, 0, 4), (4, 2, 1), (5, 0, 0), (0, 3, 0), (u32::MAX, u32::MAX, 0)] {
        let mut canvas = Canvas::new(5, 3);
        let mut picture = Canvas::new(2, 2);
        picture.pixels_mut().fill([9; 4]);
        canvas.paste(&picture, left, top);
        assert_eq!(canvas.pixels().iter().filter(|&&pixel| pixel == [9; 4]).count(), copied);
    }
}

#[test]
fn the_same_scene_gives_the_same_bits_whatever_was_drawn_before() {
    let mut random = Random(5);
    let positions: Vec<Vec3> = (0..300).map(|_| random.vector(-1.0, 1.0)).collect();
    let normals: Vec<Vec3> = (0..300).map(|_| random.vector(-1.0, 1.0)).collect();
    let indices: Vec<u32> = (0..300).collect();
    let (min, max) = (Vec3::NEG_ONE, Vec3::ONE);
    let scene = |count: usize, ground: bool| {
        let surface = Mesh { normals: &normals, ..mesh(&positions, &indices[..count], GREEN) };
        (surface, ground.then(|| Ground::below(min, max)))
    };
    let mut renderer = Renderer::default();
    for (count, ground, width) in
        [(300, true, 90), (30, true, 90), (30, false, 90), (300, true, 31), (3, true, 31), (300, true, 90)]
    {
        let (surface, ground) = scene(count, ground);
        let scene = Scene { meshes: &[surface], ground, ..Scene::default() };
        let camera = Camera::framing(min, max, width as f32 / 50.0);
        let mut kept = Canvas::new(width, 50);
        renderer.render(&scene, &camera, &mut kept);
        assert!(kept == render(&scene, &camera, width, 50), "{count} {width}");
    }
}

#[test]
fn eight_bit_colours_survive_linear_light() {
    for value in 0..=255 {
        let [red, green, blue, alpha] = color::TABLES.encode(srgb(value, 255 - value, value).truncate().into());
        assert_eq!([red, green, blue, alpha], [value, 255 - value, value, 255]);
    }
    assert_eq!(color::TABLES.encode(Vec3::new(-1.0, 7.0, f32::NAN).into()), [0, 255, 0, 255]);
}
