//! Compares the GPU's pictures with those of the software renderer.

use std::io::Write;

use glam::{Mat4, Vec3, Vec4};

use super::{Look, Renderer};
use crate::picture::{Camera, Canvas, Ground, Light, Line};
use crate::scene::{Play, Scene};
use crate::show::model::Model;
use crate::show::renderer::CpuRenderer;
use crate::show::shot::{Body, Floor, Shot, Terrain};

/// A renderer, or none where there is no adapter, which is said on the terminal; with `NEBULA_REQUIRE_GPU=1` it is a failure.
pub(crate) fn renderer(test: &str) -> Option<Renderer> {
    match Renderer::new() {
        Ok(renderer) => Some(renderer),
        Err(error) => {
            let is_required = std::env::var_os("NEBULA_REQUIRE_GPU").is_some_and(|value| value == "1");
            assert!(!is_required, "{test}: {error}, and NEBULA_REQUIRE_GPU=1");
            // Straight to the terminal: what `eprintln!` writes in a passing test is never seen.
            let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {error}");
            None
        }
    }
}

/// How alike two pictures are, in decibels.
pub(crate) fn psnr(a: &Canvas, b: &Canvas) -> f64 {
    let square = |(a, b): (&u8, &u8)| (f64::from(*a) - f64::from(*b)).powi(2);
    let sum: f64 = a.as_bytes().iter().zip(b.as_bytes()).map(square).sum();
    // Alpha is the same everywhere: three of four bytes count.
    10.0 * (255.0 * 255.0 / (sum / (a.as_bytes().len() as f64 * 0.75)).max(1e-9)).log10()
}

/// Where a folder is named, pictures are left there to be looked at.
fn keep(name: &str, canvas: &Canvas) {
    if let Some(folder) = std::env::var_os("NEBULA_KEEP_PICTURES") {
        crate::picture::write_png(&std::path::Path::new(&folder).join(name), canvas).unwrap();
    }
}

fn compare(renderer: &mut Renderer, name: &str, shot: &Shot<'_>) -> f64 {
    let (mut cpu, mut gpu) = (Canvas::new(640, 360), Canvas::new(640, 360));
    CpuRenderer::default().draw(shot, &mut cpu);
    renderer.render(shot, &Look::default(), &mut gpu).unwrap();
    keep(&format!("{name}-cpu.png"), &cpu);
    keep(&format!("{name}-gpu.png"), &gpu);
    psnr(&cpu, &gpu)
}

#[test]
fn scenes_look_the_same_with_and_without_a_gpu() {
    let Some(mut renderer) = renderer("scenes_look_the_same_with_and_without_a_gpu") else { return };
    let scenes = [None, Some(Scene::Tpose), Some(Scene::Slope), Some(Scene::Attach)];
    for scene in scenes {
        let mut play = Play::new(scene, None).unwrap();
        let still = play.still();
        let name = format!("{scene:?}").replace(['(', ')'], "-");
        let likeness = play.show(still, 640.0 / 360.0, |shot| compare(&mut renderer, &name, shot));
        assert!(likeness > 30.0, "{scene:?}: {likeness:.1} dB");
        let _ = writeln!(std::io::stderr(), "{scene:?}: {likeness:.1} dB on {}", renderer.device().name());
    }
}

#[test]
fn the_same_shot_gives_the_same_bytes() {
    let Some(mut renderer) = renderer("the_same_shot_gives_the_same_bytes") else { return };
    let mut play = Play::new(Some(Scene::Tpose), None).unwrap();
    let mut draw = |frame: usize, size: (u32, u32)| {
        let mut canvas = Canvas::new(size.0, size.1);
        play.show(frame, 1.5, |shot| renderer.render(shot, &Look::default(), &mut canvas)).unwrap();
        canvas
    };
    let first = draw(3, (150, 100));
    // Other frames and other sizes in between leave nothing behind.
    for size in [(1, 1), (0, 0), (333, 7), (150, 100)] {
        draw(11, size);
    }
    assert!(first == draw(3, (150, 100)));
}

#[test]
fn shots_of_nothing_and_of_nonsense_are_drawn() {
    let Some(mut renderer) = renderer("shots_of_nothing_and_of_nonsense_are_drawn") else { return };
    let bytes = include_bytes!("../../../nebula-animation/test_assets/robot.glb");
    let model = Model::from_bytes("robot.glb", bytes).unwrap();
    let bad = vec![Mat4::from_cols_array(&[f32::NAN; 16]); 3];
    let mut canvas = Canvas::new(40, 30);
    for eye in [Vec3::ZERO, Vec3::NAN, Vec3::splat(1e30), Vec3::new(0.0, 1.0, 5.0)] {
        for palette in [&[][..], bad.as_slice()] {
            for size in [0.0, f32::NAN, 1e-30, 1e30, 2.0] {
                let body = Body { model: &model, palette, place: Mat4::ZERO, morph_weights: &[f32::NAN; 9] };
                let line = Line { start: eye, end: Vec3::ONE, widths: [size; 2], color: Vec4::splat(size) };
                let terrain = Terrain { indices: vec![0, 1, 99], ..Terrain::default() };
                let camera = Camera { eye, target: Vec3::Y, up: Vec3::ZERO, vertical_fov_radians: size };
                for floor in [Floor::None, Floor::Grid(Ground { height: size, size }), Floor::Terrain(&terrain)] {
                    let light = Light { direction: eye, ..Light::default() };
                    let shot = Shot { camera, light, floor, bodies: &[body], lines: &[line] };
                    let look = Look { is_wireframe: true, ..Look::default() };
                    renderer.render(&shot, &look, &mut canvas).unwrap();
                    assert!(canvas.pixels().iter().all(|pixel| pixel[3] == 255));
                }
            }
        }
    }
}
