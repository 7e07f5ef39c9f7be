//! Machines with and without a GPU adapter: the same picture, and a line that says what is missing.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use crate::corpus;

/// Runs the program without a display; without any driver if `has_driver` is false.
fn run(folder: &Path, has_driver: bool, arguments: &[&str]) -> Output {
    let mut command = Command::new(corpus::program());
    command.args(arguments).current_dir(folder).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    if !has_driver {
        for name in ["VK_ICD_FILENAMES", "VK_DRIVER_FILES", "__EGL_VENDOR_LIBRARY_FILENAMES"] {
            command.env(name, "/nonexistent.json");
        }
    }
    command.output().expect("the program starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn pixels(path: &Path) -> Vec<u8> {
    let file = std::fs::File::open(path).expect("a picture");
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut bytes).expect("pixels");
    bytes
}

#[test]
fn with_and_without_an_adapter_the_picture_is_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let draw = |has_driver, name: &str| {
        let output = run(folder.path(), has_driver, &["--size", "320x180", "--out", name]);
        assert!(output.status.success(), "{}", said(&output));
        (said(&output), pixels(&folder.path().join(name)))
    };
    let (note, cpu) = draw(false, "cpu.png");
    assert!(note.starts_with("note: drawing with the CPU, no GPU adapter"), "{note}");
    assert!(note.contains("mesa-vulkan-drivers"), "{note}");
    let (note, gpu) = draw(true, "gpu.png");
    if note.contains("drawing with the CPU") {
        let is_required = std::env::var_os("NEBULA_REQUIRE_GPU").is_some_and(|value| value == "1");
        assert!(!is_required, "no adapter, and NEBULA_REQUIRE_GPU=1: {note}");
        let _ = writeln!(std::io::stderr(), "SKIPPED with_and_without_an_adapter_the_picture_is_the_same: {note}");
        return;
    }
    assert_ne!(cpu, gpu, "two renderers");
    let sum: f64 = cpu.iter().zip(&gpu).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2)).sum();
    let likeness = 10.0 * (255.0 * 255.0 / (sum / (cpu.len() as f64 * 0.75))).log10();
    assert!(likeness > 25.0, "{likeness:.1} dB");
}

#[test]
fn whoever_insists_on_a_gpu_is_told_what_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = run(folder.path(), false, &["--renderer", "gpu", "--out", "picture.png"]);
    let said = said(&output);
    assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{said}");
    assert!(said.starts_with("error: no GPU adapter") && said.contains("mesa-vulkan-drivers"), "{said}");
    assert!(!folder.path().join("picture.png").exists());
}
