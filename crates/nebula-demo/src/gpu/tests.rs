//! The GPU's pictures beside those of the software renderer.

use std::io::Write;

use super::{Look, Renderer};
use crate::picture::Canvas;
use crate::scene::{Play, Scene};
use crate::show::renderer::CpuRenderer;
use crate::show::shot::Shot;

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
fn psnr(a: &Canvas, b: &Canvas) -> f64 {
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
