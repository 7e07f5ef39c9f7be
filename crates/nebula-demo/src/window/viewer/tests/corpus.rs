//! Other people's files in the viewer: upright, in frame, lit.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::super::Viewer;
use crate::gpu::tests::renderer;
use crate::gpu::{Look, Renderer};
use crate::picture::Canvas;
use crate::show::shot::{Floor, Shot};

const WIDTH: u32 = 200;
const HEIGHT: u32 = 150;

/// The models of the conformance corpus; none where it is missing, which is said on the terminal.
fn models(test: &str) -> Vec<PathBuf> {
    let folder = std::env::var_os("NEBULA_CORPORA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let mut found = Vec::new();
    let mut folders = vec![folder.join("conformance/assets")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match path.extension().and_then(|ending| ending.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("glb" | "gltf") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    if found.is_empty() {
        let is_required = std::env::var_os("NEBULA_REQUIRE_CORPORA").is_some_and(|value| value == "1");
        assert!(!is_required, "{test}: no corpora, and NEBULA_REQUIRE_CORPORA=1");
        let _ = writeln!(std::io::stderr(), "SKIPPED {test}: no corpora (set NEBULA_CORPORA to their folder)");
    }
    found
}

fn draw(renderer: &mut Renderer, shot: &Shot<'_>, look: &Look) -> Canvas {
    let mut canvas = Canvas::new(WIDTH, HEIGHT);
    renderer.render(shot, look, &mut canvas).unwrap();
    canvas
}

/// The pixels of a figure: those that differ from the same picture without it.
fn figure(with: &Canvas, without: &Canvas) -> Vec<(u32, u32)> {
    let differs = |(a, b): (&[u8; 4], &[u8; 4])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 6);
    let pixels = with.pixels().iter().zip(without.pixels()).enumerate().filter(|(_, pair)| differs(*pair));
    pixels.map(|(index, _)| (index as u32 % WIDTH, index as u32 / WIDTH)).collect()
}

#[test]
fn every_model_of_the_corpus_is_in_frame_and_lit() {
    let test = "every_model_of_the_corpus_is_in_frame_and_lit";
    let models = models(test);
    let Some(mut renderer) = renderer(test).filter(|_| !models.is_empty()) else { return };
    const COLUMNS: u32 = 10;
    let mut sheet = Canvas::new(COLUMNS * WIDTH, (models.len() as u32).div_ceil(COLUMNS) * HEIGHT);
    let mut seen = 0;
    let mut complaints = Vec::new();
    let mut complain = |is_good: bool, complaint: String| {
        if !is_good {
            complaints.push(complaint);
        }
    };
    for (index, file) in models.iter().enumerate() {
        let name = file.display();
        let mut viewer = match Viewer::open(file) {
            Ok(viewer) => viewer,
            Err(problem) => {
                // The corpus has files without anything in them.
                assert!(problem.contains("nothing to see"), "{problem}");
                continue;
            }
        };
        viewer.picture = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(WIDTH as f32, HEIGHT as f32));
        viewer.frame();
        let mut most: f64 = 0.0;
        for _ in 0..3 {
            let (mut whole, mut pixels) = (None, Vec::new());
            viewer.draw(HEIGHT, &mut |shot, look| {
                whole = Some(draw(&mut renderer, shot, look));
                let floating = Shot { floor: Floor::None, ..*shot };
                let with = draw(&mut renderer, &floating, look);
                pixels = figure(&with, &draw(&mut renderer, &Shot { bodies: &[], lines: &[], ..floating }, look));
            });
            let part = pixels.len() as f64 / f64::from(WIDTH * HEIGHT);
            complain(part < 0.9, format!("{name}: {part:.4} of the picture is covered"));
            most = most.max(part);
            let is_edge = |&&(x, y): &&(u32, u32)| x == 0 || y == 0 || x + 1 == WIDTH || y + 1 == HEIGHT;
            complain(!pixels.iter().any(|pixel| is_edge(&pixel)), format!("{name}: touches the edge of the picture"));
            let whole = whole.unwrap();
            let brightest = pixels
                .iter()
                .map(|&(x, y)| whole.pixels()[(y * WIDTH + x) as usize])
                .map(|[r, g, b, _]| r.max(g).max(b));
            complain(brightest.max().is_none_or(|brightest| brightest > 60), format!("{name}: dark"));
            viewer.update(0.15);
            sheet.paste(&whole, index as u32 % COLUMNS * WIDTH, index as u32 / COLUMNS * HEIGHT);
        }
        complain(most > 0.001, format!("{name}: nothing is seen, {most:.4}"));
        seen += 1;
    }
    if let Some(folder) = std::env::var_os("NEBULA_KEEP_PICTURES") {
        crate::picture::write_png(&Path::new(&folder).join("corpus.png"), &sheet).unwrap();
    }
    assert!(seen * 10 >= models.len() * 9, "{seen} of {} can be seen", models.len());
    assert!(complaints.is_empty(), "{complaints:#?}");
}
