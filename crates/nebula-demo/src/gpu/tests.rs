//! The GPU's pictures beside those of the software renderer.

use std::io::Write;

use glam::Mat4;

use super::{Look, Renderer};
use crate::picture::{Canvas, Light};
use crate::show::figure::Figure;
use crate::show::model::Model;
use crate::show::shot::{Body, Floor, Shot};
use crate::show::stage::{Stage, THREE_QUARTER};
use crate::tool::PosedAsset;

#[test]
fn quick() {
    let bytes = include_bytes!("../../../nebula-animation/test_assets/simple_humanoid.glb");
    let model = Model::from_bytes("humanoid", bytes).unwrap();
    let mut figure = Figure::new(&model);
    figure.take(Some((0, 0.3)));
    let stage = Stage::around(figure.bounds().unwrap(), THREE_QUARTER, 640.0 / 360.0);
    let mut cpu = Canvas::new(640, 360);
    stage.draw(&figure, true, &mut crate::picture::Renderer::default(), &mut cpu);
    let mut posed = PosedAsset::new(&model.asset);
    posed.sample_local(0, 0.3);
    posed.compose();
    let bodies = [Body { model: &model, palette: &posed.palette, morph_weights: &[] }];
    let lines = figure.skeleton(360);
    let shot = Shot { camera: stage.camera, light: Light::default(), floor: Floor::Grid(stage.ground), bodies: &bodies, lines: &lines };
    let mut renderer = Renderer::new().unwrap();
    let mut gpu = Canvas::new(640, 360);
    renderer.render(&shot, &Look::default(), &mut gpu).unwrap();
    let start = std::time::Instant::now();
    for _ in 0..10 { renderer.render(&shot, &Look::default(), &mut gpu).unwrap(); }
    let _ = writeln!(std::io::stderr(), "{:?} a frame on {}", start.elapsed() / 10, renderer.device().name());
    crate::picture::write_png("/tmp/xdg-window/cpu.png".as_ref(), &cpu).unwrap();
    crate::picture::write_png("/tmp/xdg-window/gpu.png".as_ref(), &gpu).unwrap();
    let sum: f64 = cpu.as_bytes().iter().zip(gpu.as_bytes()).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2)).sum();
    let psnr = 10.0 * (255.0 * 255.0 / (sum / cpu.as_bytes().len() as f64)).log10();
    let _ = writeln!(std::io::stderr(), "psnr {psnr}");
    let _ = Mat4::IDENTITY;
}
