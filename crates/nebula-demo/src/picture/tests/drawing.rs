//! What is seen where.

use glam::{IVec2, Vec2, Vec3, Vec4};
use nebula_animation::asset::{TextureFilter, TextureSampler, TextureWrap};

use super::super::raster::PIXEL;
use super::super::walk::{Area, UNITS, walk};
use super::*;

#[test]
fn a_rectangle_covers_exactly_its_pixels() {
    // Eight pixels are two units wide at this distance: the rectangle covers columns 2 to 5 and rows 1 to 4.
    let corners = rectangle(-0.5, -0.25, 0.5, 0.75, -1.0);
    let picture = draw(&[mesh(&corners, &RECTANGLE, RED)], &CAMERA, 8, 8);
    let empty = draw(&[], &CAMERA, 8, 8);
    for y in 0..8 {
        for x in 0..8 {
            let inside = (2..6).contains(&x) && (1..5).contains(&y);
            assert_eq!(is_red(pixel(&picture, x, y)), inside, "{x} {y}");
            assert_eq!(pixel(&picture, x, y) == pixel(&empty, x, y), !inside, "{x} {y}");
        }
    }
}

#[test]
fn edges_are_mixed_in_linear_light() {
    // The left half of every second pixel is covered, which are two of four samples.
    let corners = rectangle(-2.0, -2.0, 0.125, 2.0, -1.0);
    let picture = draw(&[mesh(&corners, &RECTANGLE, RED)], &CAMERA, 8, 8);
    let linear = |value: u8| srgb(value, value, value).x;
    let empty = draw(&[], &CAMERA, 8, 8);
    for channel in 0..3 {
        let (full, none) = (pixel(&picture, 3, 4)[channel], pixel(&empty, 4, 4)[channel]);
        let half = (linear(full) + linear(none)) * 0.5;
        assert!((linear(pixel(&picture, 4, 4)[channel]) - half).abs() < 0.02);
    }
}

#[test]
fn triangles_that_share_edges_cover_every_sample_once() {
    // A grid with corners at random places, not so far off that its cells overlap.
    for (cells, seed) in [(3_usize, 1), (9, 2), (40, 3)] {
        let mut random = Random(seed);
        let size = 96 * UNITS;
        let step = size / cells as i32;
        let mut corner = |column: usize, row: usize| {
            let inner = |index: usize| index > 0 && index < cells;
            let shake = (random.vector(-0.24, 0.24) * step as f32).as_ivec3();
            let place = IVec2::new(column as i32, row as i32) * step;
            place + IVec2::new(i32::from(inner(column)) * shake.x, i32::from(inner(row)) * shake.y)
        };
        let corners: Vec<IVec2> = (0..=cells)
            .flat_map(|row| (0..=cells).map(move |column| (column, row)))
            .map(|(x, y)| corner(x, y))
            .collect();
        let area = Area { left: 0, top: 0, right: step * cells as i32 / UNITS, bottom: step * cells as i32 / UNITS };
        let mut counts = vec![[0; 4]; area.width() * area.height()];
        for row in 0..cells {
            for column in 0..cells {
                let first = row * (cells + 1) + column;
                let [a, b, c, d] = [0, 1, cells + 2, cells + 1].map(|offset| corners[first + offset]);
                // Both directions of winding count.
                for triangle in [[a, b, c], [a, d, c]] {
                    walk(triangle, &PIXEL, area, |x, y, covered| {
                        let counts = &mut counts[y as usize * area.width() + x as usize];
                        for (sample, count) in counts.iter_mut().enumerate() {
                            *count += covered >> sample & 1;
                        }
                    });
                }
            }
        }
        assert!(counts.iter().all(|count| *count == [1; 4]), "{cells}");
    }
}

#[test]
fn the_nearer_surface_hides_the_other_in_any_order() {
    let (near, far) = (rectangle(-0.5, -0.5, 0.5, 0.5, -1.0), rectangle(-2.0, -2.0, 2.0, 2.0, -2.0));
    let (near, far) = (mesh(&near, &RECTANGLE, RED), mesh(&far, &RECTANGLE, GREEN));
    let first = draw(&[near, far], &CAMERA, 16, 16);
    assert_eq!(first, draw(&[far, near], &CAMERA, 16, 16));
    assert!(is_red(pixel(&first, 8, 8)));
    assert!(is_green(pixel(&first, 1, 1)));
}

#[test]
fn surfaces_that_cross_are_cut_where_they_cross() {
    // One goes from near to far, the other from far to near; they cross in the middle.
    let leaning = |left: f32, right: f32| {
        [(-3.0, -3.0, left), (3.0, -3.0, right), (3.0, 3.0, right), (-3.0, 3.0, left)]
            .map(|(x, y, z)| Vec3::new(x, y, z))
    };
    let (first, second) = (leaning(-1.0, -3.0), leaning(-3.0, -1.0));
    let picture = draw(&[mesh(&first, &RECTANGLE, RED), mesh(&second, &RECTANGLE, GREEN)], &CAMERA, 20, 20);
    for y in 0..20 {
        assert!((0..9).all(|x| is_red(pixel(&picture, x, y))));
        assert!((11..20).all(|x| is_green(pixel(&picture, x, y))));
    }
}

#[test]
fn a_surface_that_passes_the_camera_is_cut_at_the_near_plane() {
    // A floor from far behind the camera to far in front of it covers the lower half of the picture.
    let floor = [(-1e4, 1e4), (1e4, 1e4), (1e4, -1e4), (-1e4, -1e4)].map(|(x, z)| Vec3::new(x, -1.0, z));
    let picture = draw(&[mesh(&floor, &RECTANGLE, RED)], &CAMERA, 31, 32);
    let empty = draw(&[], &CAMERA, 31, 32);
    for y in 0..32 {
        for x in 0..31 {
            if y < 16 {
                assert_eq!(pixel(&picture, x, y), pixel(&empty, x, y), "{x} {y}");
            } else {
                assert!(is_red(pixel(&picture, x, y)), "{x} {y}");
            }
        }
    }
}

#[test]
fn textures_are_correct_in_perspective() {
    // Half of the surface is white, half black. Seen at an angle, the border in the middle of the surface, at a depth
    // of two, is not in the middle of its picture.
    let texture = Texture::new(2, 1, &[255, 255, 255, 255, 0, 0, 0, 255]).unwrap();
    let corners = [(-1.0, -1.0, -1.0), (1.0, -1.0, -3.0), (1.0, 1.0, -3.0), (-1.0, 1.0, -1.0)];
    let corners = corners.map(|(x, y, z)| Vec3::new(x, y, z));
    let uvs = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)].map(|(u, v)| Vec2::new(u, v));
    let sampler = TextureSampler { wrap: [TextureWrap::Clamp; 2], ..TextureSampler::default() };
    let looks = Looks { texture: Some(Map { sampler, ..Map::new(&texture) }), ..Looks::default() };
    let surface = Mesh { uvs: [&uvs, &[]], looks, ..mesh(&corners, &RECTANGLE, Vec4::ONE) };
    let picture = draw(&[surface], &CAMERA, 64, 64);
    // The picture of the surface reaches from column 0 to 42. Bilinear filtering makes a ramp from a quarter to three
    // quarters of the surface, with its middle in column 32.
    let brightness = |x| srgb(pixel(&picture, x, 32)[0], 0, 0).x;
    let (light, middle, dark) = (brightness(2), (brightness(31) + brightness(32)) * 0.5, brightness(40));
    assert!(light > middle && middle > dark);
    assert!((middle - (light + dark) * 0.5).abs() < 0.12, "{light} {middle} {dark}");
}

#[test]
fn texture_coordinates_wrap() {
    let pixels = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]];
    let texture = Texture::new(4, 1, pixels.as_flattened()).unwrap();
    let color = |wrap, u: f32| {
        // The other direction must not matter.
        let sampler = TextureSampler { wrap: [wrap, TextureWrap::Clamp], ..TextureSampler::default() };
        texture.sample(&sampler, Vec2::new(u / 4.0, 0.5), Vec2::ZERO, Vec2::ZERO).truncate()
    };
    let (repeat, mirror, clamp) = (TextureWrap::Repeat, TextureWrap::Mirror, TextureWrap::Clamp);
    for (wrap, expected) in [(repeat, Vec3::Y), (mirror, Vec3::Z), (clamp, Vec3::ONE)] {
        assert_eq!(color(wrap, 5.5), expected);
    }
    assert_eq!(color(repeat, -0.5), Vec3::ONE);
    assert_eq!(color(mirror, -0.5), Vec3::X);
    assert_eq!(color(clamp, -0.5), Vec3::X);
    assert!(Texture::new(2, 2, &[0; 15]).is_none());
    assert!(Texture::new(0, 0, &[]).is_none());
}

/// A checkerboard: its pixels, a mix of two, or the mean of all where a pixel of the picture covers many.
#[test]
fn textures_are_read_as_their_sampler_says() {
    let (black, white) = ([0, 0, 0, 255], [255; 4]);
    let pixels: Vec<[u8; 4]> = (0..16).map(|at| if (at % 4 + at / 4) % 2 == 0 { white } else { black }).collect();
    let texture = Texture::new(4, 4, pixels.as_flattened()).unwrap();
    let (linear, nearest) = (TextureFilter::Linear, TextureFilter::Nearest);
    let read = |magnified, minified, mipmaps, width: f32| {
        let sampler = TextureSampler { magnified, minified, mipmaps, ..TextureSampler::default() };
        // On the edge of two pixels, just inside the white one.
        texture.sample(&sampler, Vec2::new(0.999 / 4.0, 0.5 / 4.0), Vec2::X * width, Vec2::Y * width).x
    };
    let (near, far) = (0.01, 1.0);
    assert_eq!(read(nearest, linear, Some(linear), near), 1.0);
    assert!((read(linear, nearest, Some(linear), near) - 0.5).abs() < 0.01);
    assert!((read(linear, linear, Some(linear), far) - 0.5).abs() < 0.01, "the mean");
    assert!((read(linear, nearest, Some(nearest), far) - 0.5).abs() < 0.01, "the mean of all pixels is one pixel");
    assert_eq!(read(linear, nearest, None, far), 1.0, "no smaller copy");
    assert!((read(nearest, linear, None, far) - 0.5).abs() < 0.01, "a mix of two");
}

#[test]
fn alpha_cuts_and_thins() {
    let corners = rectangle(-2.0, -2.0, 2.0, 2.0, -1.0);
    let empty = draw(&[], &CAMERA, 32, 32);
    let covered = |alpha, value: f32| {
        let surface = Mesh { alpha, ..mesh(&corners, &RECTANGLE, RED.truncate().extend(value)) };
        let linear = |canvas: &Canvas| canvas.pixels().iter().map(|pixel| srgb(pixel[1], 0, 0).x).sum::<f32>();
        // The surface is red: what is left of green shows how much of the backdrop is seen.
        let (nothing, all) = (linear(&empty), linear(&draw(&[mesh(&corners, &RECTANGLE, RED)], &CAMERA, 32, 32)));
        (nothing - linear(&draw(&[surface], &CAMERA, 32, 32))) / (nothing - all)
    };
    assert!((covered(Alpha::Opaque, 0.0) - 1.0).abs() < 1e-3);
    assert!(covered(Alpha::Mask(0.5), 0.4).abs() < 1e-3);
    assert!((covered(Alpha::Mask(0.5), 0.6) - 1.0).abs() < 1e-3);
    for value in [0.0, 0.25, 0.5, 0.75, 1.0] {
        assert!((covered(Alpha::Blend, value) - value).abs() < 0.04, "{value}");
    }
}

#[test]
fn one_sided_surfaces_are_seen_from_the_front_only() {
    let corners = rectangle(-1.0, -1.0, 1.0, 1.0, -1.0);
    let back = [0, 2, 1, 0, 3, 2];
    let empty = draw(&[], &CAMERA, 8, 8);
    for (indices, double_sided, seen) in
        [(RECTANGLE, false, true), (back, false, false), (RECTANGLE, true, true), (back, true, true)]
    {
        let surface = Mesh { double_sided, ..mesh(&corners, &indices, RED) };
        assert_eq!(draw(&[surface], &CAMERA, 8, 8) != empty, seen);
    }
}

#[test]
fn figures_cast_shadows_on_the_floor_and_the_floor_hides_what_is_below() {
    let (min, max) = (Vec3::new(-0.5, 0.0, -0.5), Vec3::new(0.5, 1.0, 0.5));
    let camera = Camera::framing(min, max, 1.5);
    let ground = Some(Ground::below(min, max));
    let top = [(-0.3, 0.3), (0.3, 0.3), (0.3, -0.3), (-0.3, -0.3)];
    let light = Light { direction: Vec3::Y, ..Light::default() };
    let picture = |height: f32| {
        let corners = top.map(|(x, z)| Vec3::new(x, height, z));
        render(
            &Scene { meshes: &[mesh(&corners, &RECTANGLE, RED)], ground, light, lines: &[], fog: None },
            &camera,
            150,
            100,
        )
    };
    let empty = render(&Scene { ground, light, ..Scene::default() }, &camera, 150, 100);
    assert!(picture(-0.5) == empty, "the floor hides what is below, and it casts no shadow");
    // Straight below the plate, on the floor.
    let view = View::new(&camera, 150, 100);
    let place = view.project(Vec3::new(0.0, 0.0, 0.28));
    let (x, y) = ((place.x / place.z) as u32, (place.y / place.z) as u32);
    let raised = picture(0.9);
    assert!(!is_red(pixel(&raised, x, y)));
    let (dark, bright) = (pixel(&raised, x, y)[1], pixel(&empty, x, y)[1]);
    assert!(dark < bright - 40, "{dark} {bright}");
    assert_eq!(pixel(&raised, 2, 98), pixel(&empty, 2, 98), "far from the plate there is no shadow");
}

#[test]
fn lines_are_on_top_and_where_they_belong() {
    let corners = rectangle(-2.0, -2.0, 2.0, 2.0, -1.0);
    let meshes = &[mesh(&corners, &RECTANGLE, GREEN)];
    let line = |start: Vec3, end: Vec3| Line { start, end, widths: [4.0, 4.0], color: RED };
    let picture = |lines: &[Line]| render(&Scene { meshes, lines, ..Scene::default() }, &CAMERA, 64, 64);
    let plain = picture(&[]);
    // Behind the surface, from the middle to the right edge.
    let drawn = picture(&[line(Vec3::new(0.0, 0.0, -2.0), Vec3::new(2.0, 0.0, -2.0))]);
    for x in 34..62 {
        assert!(is_red(pixel(&drawn, x, 31)) && is_red(pixel(&drawn, x, 32)));
        assert_eq!(pixel(&drawn, x, 20), pixel(&plain, x, 20));
    }
    assert_eq!(pixel(&drawn, 20, 32), pixel(&plain, 20, 32));
    // A dot is as wide as high.
    let dot = picture(&[line(Vec3::new(0.0, 0.0, -3.0), Vec3::new(0.0, 0.0, -3.0))]);
    for offset in 0..3 {
        let right = pixel(&dot, 32 + offset, 32)[0];
        assert!(right.abs_diff(pixel(&dot, 32, 32 + offset)[0]) < 4);
        assert!(right.abs_diff(pixel(&dot, 31 - offset, 32)[0]) < 4);
    }
    // One that comes from behind the camera ends at the edge of the picture, and one behind it is not seen.
    let passing = picture(&[line(Vec3::new(0.0, -1.0, 5.0), Vec3::new(0.0, -1.0, -5.0))]);
    assert!(is_red(pixel(&passing, 32, 63)) && !is_red(pixel(&passing, 32, 10)));
    assert_eq!(picture(&[line(Vec3::new(0.0, 0.0, 1.0), Vec3::new(1.0, 0.0, 2.0))]), plain);
}

/// A floor of two triangles at y = -1 that is terrain.
fn terrain(positions: &[Vec3; 4]) -> Mesh<'_> {
    Mesh { is_terrain: true, ..mesh(positions, &RECTANGLE, Vec4::splat(0.5)) }
}

const MEADOW: [Vec3; 4] =
    [Vec3::new(-9.0, -1.0, 1.0), Vec3::new(9.0, -1.0, 1.0), Vec3::new(9.0, -1.0, -17.0), Vec3::new(-9.0, -1.0, -17.0)];

/// A plate above the ground, right below the light.
const PLATE: [Vec3; 4] =
    [Vec3::new(-1.0, 0.2, -2.5), Vec3::new(1.0, 0.2, -2.5), Vec3::new(1.0, 0.2, -5.5), Vec3::new(-1.0, 0.2, -5.5)];

fn on_meadow(meshes: &[Mesh], fog: Option<f32>) -> Canvas {
    let light = Light { direction: Vec3::Y, ..Light::default() };
    let camera = Camera { eye: Vec3::new(0.0, 1.0, 0.0), target: Vec3::new(0.0, -1.0, -4.0), ..CAMERA };
    render(&Scene { meshes, light, fog, ..Scene::default() }, &camera, 64, 64)
}

fn brightness(canvas: &Canvas, x: u32, y: u32) -> u32 {
    pixel(canvas, x, y)[..3].iter().map(|&channel| u32::from(channel)).sum()
}

#[test]
fn terrain_gets_the_shadow_of_what_stands_above_it_and_casts_none() {
    let (open, covered) =
        (on_meadow(&[terrain(&MEADOW)], None), on_meadow(&[terrain(&MEADOW), mesh(&PLATE, &RECTANGLE, RED)], None));
    // The camera looks over the plate and under it.
    let darker = (0..64 * 64).filter(|place| {
        let (x, y) = (place % 64, place / 64);
        !is_red(pixel(&covered, x, y)) && brightness(&covered, x, y) + 60 < brightness(&open, x, y)
    });
    assert!(darker.count() > 20);
    // Far away nothing changes.
    assert_eq!(pixel(&open, 2, 60), pixel(&covered, 2, 60));
    // The plate is as bright as without the ground: the ground takes no light away.
    let alone = on_meadow(&[mesh(&PLATE, &RECTANGLE, RED)], None);
    let (x, y) = (0..64_u32 * 64)
        .map(|place| (place % 64, place / 64))
        .find(|&(x, y)| {
            // Not on an edge, where it is mixed with what is behind.
            let inner = 1..63;
            let around = [(x, y), (x + 1, y), (x.wrapping_sub(1), y), (x, y + 1), (x, y.wrapping_sub(1))];
            inner.contains(&x) && inner.contains(&y) && around.iter().all(|&(x, y)| is_red(pixel(&alone, x, y)))
        })
        .expect("the plate is seen");
    assert_eq!(pixel(&alone, x, y), pixel(&covered, x, y));
}

#[test]
fn fog_hides_what_is_far_away() {
    let (clear, foggy) = (on_meadow(&[terrain(&MEADOW)], None), on_meadow(&[terrain(&MEADOW)], Some(6.0)));
    let (near, far) = ((32, 62), (32, 22));
    let change = |(x, y): (u32, u32)| brightness(&clear, x, y).abs_diff(brightness(&foggy, x, y));
    assert!(change(near) < change(far), "{} {}", change(near), change(far));
    // Beyond the distance of the fog there is nothing but the horizon.
    let all = on_meadow(&[terrain(&MEADOW)], Some(0.5));
    assert_eq!(pixel(&all, 32, 62), pixel(&all, 32, 30));
    assert_eq!(pixel(&all, 32, 62), pixel(&on_meadow(&[], Some(0.5)), 32, 62));
}

#[test]
fn mirrored_triangles_show_their_other_side() {
    let corners = rectangle(-0.5, -0.5, 0.5, 0.5, -1.0);
    let front = Mesh { double_sided: false, ..mesh(&corners, &RECTANGLE, RED) };
    assert!(is_red(pixel(&draw(&[front], &CAMERA, 20, 20), 10, 10)));
    assert!(!is_red(pixel(&draw(&[Mesh { is_mirrored: true, ..front }], &CAMERA, 20, 20), 10, 10)));
    let turned = Mesh { indices: &[0, 2, 1, 0, 3, 2], ..front };
    assert!(!is_red(pixel(&draw(&[turned], &CAMERA, 20, 20), 10, 10)));
    assert!(is_red(pixel(&draw(&[Mesh { is_mirrored: true, ..turned }], &CAMERA, 20, 20), 10, 10)));
}
