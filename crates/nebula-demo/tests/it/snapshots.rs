//! One small picture of each scene, compared with the one in `tests/snapshots`. `tolerance.json` there says how far they may
//! differ; `NEBULA_ACCEPT=1` writes them anew.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::corpus;

const SCENES: [&str; 6] = ["tpose", "walk", "slope", "crossfade", "crowd", "attach"];

/// How far two pictures may differ.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tolerance {
    /// The mean difference of all channels of all pixels, from 0 to 255.
    mean_difference: f64,
    /// A pixel with a channel that differs by more than this counts as another one.
    channel_difference: u8,
    /// The share of the pixels that may be other ones, from 0 to 1.
    other_pixels: f64,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots")
}

fn tolerance() -> Tolerance {
    let text = fs::read_to_string(folder().join("tolerance.json")).expect("the tolerance");
    serde_json::from_str(&text).expect("three numbers")
}

/// Width and bytes of a picture.
fn read(path: &Path) -> (usize, Vec<u8>) {
    let file =
        File::open(path).unwrap_or_else(|error| panic!("{}: {error}; NEBULA_ACCEPT=1 writes it", path.display()));
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info().expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut bytes).expect("pixels");
    (reader.info().width as usize, bytes)
}

/// What is wrong with a picture, if anything is.
fn compare(actual: &(usize, Vec<u8>), expected: &(usize, Vec<u8>), tolerance: &Tolerance) -> Option<String> {
    if (actual.0, actual.1.len()) != (expected.0, expected.1.len()) {
        return Some("another size".into());
    }
    let sum: u64 = actual.1.iter().zip(&expected.1).map(|(left, right)| u64::from(left.abs_diff(*right))).sum();
    let mean = sum as f64 / actual.1.len() as f64;
    let pixels = actual.1.as_chunks::<4>().0.iter().zip(expected.1.as_chunks::<4>().0);
    let differs = |(left, right): &(&[u8; 4], &[u8; 4])| {
        left.iter().zip(*right).any(|(left, right)| left.abs_diff(*right) > tolerance.channel_difference)
    };
    let others = pixels.filter(differs).count() as f64 / (actual.1.len() / 4) as f64;
    let is_wrong = mean > tolerance.mean_difference || others > tolerance.other_pixels;
    is_wrong.then(|| format!("mean difference {mean:.2}, {:.2} % other pixels", others * 100.0))
}

#[test]
fn six_scenes_look_as_they_did() {
    let drawn = tempfile::tempdir().expect("a folder");
    let tolerance = tolerance();
    let mut wrong = Vec::new();
    for scene in SCENES {
        let path = drawn.path().join(format!("{scene}.png"));
        let status = Command::new(corpus::program())
            .args(["--scene", scene, "--renderer", "cpu", "--size", "160x90", "--out"])
            .arg(&path)
            .output()
            .expect("the program starts");
        assert!(status.status.success(), "{scene}: {}", String::from_utf8_lossy(&status.stderr));
        let expected = folder().join(format!("{scene}.png"));
        if std::env::var_os("NEBULA_ACCEPT").is_some_and(|accept| accept == "1") {
            fs::copy(&path, &expected).expect("written");
        }
        if let Some(problem) = compare(&read(&path), &read(&expected), &tolerance) {
            // Where a person can look at it.
            let kept = std::env::temp_dir().join(format!("nebula-snapshot-{scene}.png"));
            fs::copy(&path, &kept).expect("written");
            wrong.push(format!("{scene}: {problem}; now it is {}", kept.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The check itself: a picture that is moved by one pixel is another one.
#[test]
fn a_picture_that_moved_by_a_pixel_is_another_one() {
    let tolerance = tolerance();
    for scene in SCENES {
        let (width, bytes) = read(&folder().join(format!("{scene}.png")));
        assert!(compare(&(width, bytes.clone()), &(width, bytes.clone()), &tolerance).is_none());
        let mut moved = bytes.clone();
        moved.rotate_left(4);
        assert!(compare(&(width, moved), &(width, bytes), &tolerance).is_some(), "{scene}");
    }
}
