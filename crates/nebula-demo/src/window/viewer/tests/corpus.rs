//! Other people's files in the viewer: upright, in frame, lit.

use std::io::Write;
use std::path::{Path, PathBuf};

use nebula_animation::{Fade, rig::LegJoints};

use super::super::Viewer;
use super::super::ground::Slope;
use super::super::puppet::{Bending, Puppet};
use crate::gpu::tests::renderer;
use crate::gpu::{Look, Renderer};
use crate::picture::Canvas;
use crate::show::model::Model;
use crate::show::shot::{Floor, Shot};

const WIDTH: u32 = 200;
const HEIGHT: u32 = 150;

/// The models of the conformance corpus; none where it is missing, which is said on the terminal.
fn models(test: &str) -> Vec<PathBuf> {
    files(test, "conformance/assets")
}

/// The same in any folder of the corpora.
fn files(test: &str, folder_name: &str) -> Vec<PathBuf> {
    let folder = std::env::var_os("NEBULA_CORPORA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let mut found = Vec::new();
    let mut folders = vec![folder.join(folder_name)];
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

/// Shins stay as long as clips have them, also of legs whose feet are not below them, and the feet at their ends.
#[test]
fn legs_stay_whole_on_tilting_ground() {
    let mut seen = 0;
    for file in files("legs_stay_whole_on_tilting_ground", "characters") {
        let [mut puppet, mut as_played] = [0, 1].map(|_| Puppet::new(Model::load(&file).unwrap()));
        let Some(feet) = puppet.character.rig().feet().cloned() else { continue };
        for clip in 0..puppet.clips().count().min(20) {
            let shin = |puppet: &Puppet, leg: &LegJoints| {
                let place = |joint: u16| puppet.character.frame().model_matrix(joint).w_axis.truncate();
                place(leg.shin).distance(place(leg.foot))
            };
            puppet.play(clip, Fade::NONE).unwrap();
            as_played.play(clip, Fade::NONE).unwrap();
            for frame in 0..60 {
                let ground = Some(Slope::at(frame as f32 / 15.0, 12.0));
                puppet.update(1.0 / 30.0, &Bending { ground, ..Bending::default() });
                as_played.update(1.0 / 30.0, &Bending::default());
                for leg in feet.legs() {
                    let [length, expected] = [&puppet, &as_played].map(|puppet| shin(puppet, leg));
                    let name = puppet.clips().nth(clip).unwrap();
                    assert!(
                        (length / expected - 1.0).abs() < 0.02,
                        "{}: {name}, frame {frame}: {length} instead of {expected}",
                        file.display()
                    );
                }
            }
        }
        seen += 1;
    }
    println!("{seen} characters");
}
