//! Pictures: the demo, `render` and `sheet`, on our characters and on other people's files.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::corpus;

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../nebula-animation/test_assets");

/// Runs the program in a folder.
fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    corpus::command(arguments).current_dir(folder).output().expect("the program starts")
}

/// Runs the program, which must succeed and say where the picture is.
fn draw(folder: &Path, arguments: &[&str]) {
    let output = run_in(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("wrote "), "{arguments:?}");
}

struct Picture {
    width: usize,
    rgb: Vec<[u8; 3]>,
}

fn png_picture(path: &Path) -> Picture {
    let decoder = png::Decoder::new(BufReader::new(File::open(path).expect("a picture")));
    let mut reader = decoder.read_info().expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut bytes).expect("pixels");
    let rgb = bytes.as_chunks::<4>().0.iter().map(|&[red, green, blue, _]| [red, green, blue]).collect();
    Picture { width: reader.info().width as usize, rgb }
}

/// The size of a GIF and the number of its frames, all of them decoded.
fn gif_size(path: &Path) -> (u16, u16, usize) {
    let mut reader = gif::DecodeOptions::new().read_info(File::open(path).expect("a film")).expect("a GIF");
    let mut count = 0;
    while reader.read_next_frame().expect("a frame").is_some() {
        count += 1;
    }
    (reader.width(), reader.height(), count)
}

impl Picture {
    /// The part of the pixels that differ from sky and floor, which hardly change from left to right: from the first
    /// pixel of their row.
    fn drawn(&self) -> f64 {
        let differs = |a: &[u8; 3], b: &[u8; 3]| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 28);
        let rows = self.rgb.chunks_exact(self.width);
        let drawn: usize = rows.map(|row| row.iter().filter(|pixel| differs(pixel, &row[0])).count()).sum();
        drawn as f64 / self.rgb.len() as f64
    }
}

fn asset(name: &str) -> String {
    format!("{ASSETS}/{name}.glb")
}

#[test]
fn the_demo_leaves_a_film_and_a_still() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = run_in(folder.path(), &["--seconds", "0.8", "--size", "96x64", "--renderer", "cpu"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout);
    let last = said.lines().last().expect("a line");
    assert!(
        last.contains("nebula-demo.gif") && last.contains("nebula-demo render"),
        "where it is, what is next: {last}"
    );
    // The hero stands in its T-pose, and only its head and the lamp move.
    assert_eq!(gif_size(&folder.path().join("nebula-demo.gif")), (96, 64, 20));
    let still = png_picture(&folder.path().join("nebula-demo.png"));
    assert_eq!((still.width, still.rgb.len()), (96, 96 * 64));
    assert!((0.03..0.9).contains(&still.drawn()), "{}", still.drawn());
}

#[test]
fn scenes_of_the_demo_go_where_they_are_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    draw(folder.path(), &["--scene", "walk", "--size", "64x48", "--out", "walk.gif"]);
    assert_eq!(gif_size(&path("walk.gif")), (64, 48, 50), "one cycle of two seconds");
    draw(folder.path(), &["--scene", "tpose", "--size", "80x60", "--out", "t.png"]);
    draw(folder.path(), &["--scene", "walk", "--size", "80x60", "--out", "w.PNG"]);
    let (standing, walking) = (png_picture(&path("t.png")), png_picture(&path("w.PNG")));
    assert!(standing.drawn() > 0.03 && walking.drawn() > 0.03);
    assert_ne!(standing.rgb, walking.rgb);
    assert!(!path("nebula-demo.gif").exists());
}

#[test]
fn the_same_command_gives_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let humanoid = asset("simple_humanoid");
    let commands: [(&[&str], &str); 4] = [
        (&["--scene", "crossfade", "--seconds", "0.8", "--size", "64x48", "--renderer", "cpu"], "gif"),
        (&["--scene", "walk", "--seconds", "0.4", "--size", "64x48", "--renderer", "cpu"], "apng"),
        (&["--scene", "crowd", "--size", "64x48", "--renderer", "cpu"], "png"),
        (&["render", &humanoid, "--seconds", "0.3", "--size", "64x48", "--renderer", "cpu"], "gif"),
    ];
    for (command, ending) in commands {
        let pictures = ["first", "second"].map(|name| {
            let name = format!("{name}.{ending}");
            draw(folder.path(), &[command, &["--out", &name]].concat());
            fs::read(folder.path().join(name)).expect("a picture")
        });
        assert!(pictures[0] == pictures[1], "{command:?}");
    }
}

#[test]
fn an_animated_png_has_every_frame() {
    let folder = tempfile::tempdir().expect("a folder");
    draw(folder.path(), &["--scene", "walk", "--seconds", "0.4", "--size", "48x32", "--out", "walk.apng"]);
    let file = BufReader::new(File::open(folder.path().join("walk.apng")).expect("a film"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let control = *reader.info().animation_control().expect("an animation");
    assert_eq!((control.num_frames, control.num_plays), (10, 0));
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let mut frames = Vec::new();
    for _ in 0..10 {
        reader.next_frame(&mut bytes).expect("a frame");
        let delay = reader.info().frame_control().expect("a frame's time");
        assert_eq!(delay.delay_num * 25, delay.delay_den, "a twenty-fifth of a second");
        frames.push(bytes.clone());
    }
    assert!(frames.windows(2).all(|pair| pair[0] != pair[1]), "every frame differs from the one before");
}

/// Without the program, one line says so, and no file is left; with it, there is a film.
#[test]
fn videos_need_ffmpeg() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["--scene", "walk", "--seconds", "0.2", "--size", "33x21", "--out", "walk.mp4"];
    let output = corpus::command(&arguments)
        .current_dir(folder.path())
        .env("PATH", folder.path())
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.starts_with("error: cannot write walk.mp4") && said.contains("ffmpeg"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(!folder.path().join("walk.mp4").exists());
    if Command::new("ffmpeg").arg("-version").output().is_err() {
        eprintln!("SKIPPED the film itself: ffmpeg is not installed");
        return;
    }
    draw(folder.path(), &arguments);
    let bytes = fs::read(folder.path().join("walk.mp4")).expect("a film");
    assert_eq!(&bytes[4..8], b"ftyp");
    draw(folder.path(), &arguments);
    assert!(bytes == fs::read(folder.path().join("walk.mp4")).expect("a film"), "the same bytes again");
}

#[test]
fn a_gpu_that_is_not_there_is_said_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(corpus::program())
        .args(["--scene", "tpose", "--renderer", "gpu", "--size", "32x32", "--out", "t.png"])
        .current_dir(folder.path())
        .env("VK_ICD_FILENAMES", "/nonexistent.json")
        .env("VK_DRIVER_FILES", "/nonexistent.json")
        .env("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent.json")
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.starts_with("error: ") && said.lines().count() == 1, "{said}");
}

#[test]
fn render_puts_moments_of_a_clip_on_a_sheet() {
    let folder = tempfile::tempdir().expect("a folder");
    draw(folder.path(), &["render", &asset("simple_humanoid"), "--clip", "run", "--sheet", "8", "--size", "40x50"]);
    let sheet = png_picture(&folder.path().join("simple_humanoid.png"));
    assert_eq!((sheet.width, sheet.rgb.len()), (4 * 40, 4 * 40 * 2 * 50));
    let cell = |column: usize, row: usize| -> Vec<[u8; 3]> {
        let rows = sheet.rgb.chunks_exact(sheet.width).skip(row * 50).take(50);
        rows.flat_map(|pixels| pixels[column * 40..(column + 1) * 40].to_vec()).collect()
    };
    assert_ne!(cell(0, 0), cell(1, 0), "another moment");
    assert_eq!(cell(0, 0), cell(3, 1), "the last moment of a loop is the first");
}

#[test]
fn render_draws_clips_moments_and_skeletons() {
    let folder = tempfile::tempdir().expect("a folder");
    let humanoid = asset("simple_humanoid");
    let still = |arguments: &[&str]| {
        let arguments = [&["render", &humanoid, "--size", "80x60", "--out", "s.png"], arguments].concat();
        draw(folder.path(), &arguments);
        let picture = png_picture(&folder.path().join("s.png"));
        assert!(picture.drawn() > 0.03, "{arguments:?}: {}", picture.drawn());
        picture.rgb
    };
    let run = still(&["--clip", "run", "--time", "0.2"]);
    assert_eq!(run, still(&["--clip", "2", "--time", "0.2"]), "the third clip is the run");
    assert_ne!(run, still(&["--clip", "run", "--time", "0.4"]));
    assert_ne!(run, still(&["--clip", "run", "--time", "0.2", "--skeleton"]));
    // Without an output, the file is named after the model: a film where there is a clip.
    draw(folder.path(), &["render", &humanoid, "--seconds", "0.4", "--size", "32x32"]);
    assert_eq!(gif_size(&folder.path().join("simple_humanoid.gif")), (32, 32, 10));
    draw(folder.path(), &["render", &asset("sword"), "--size", "80x60"]);
    assert!(png_picture(&folder.path().join("sword.png")).drawn() > 0.01);
}

#[test]
fn a_sheet_has_two_rows_for_each_clip() {
    let folder = tempfile::tempdir().expect("a folder");
    draw(folder.path(), &["sheet", &asset("robot"), "sheet.png", "--frames", "3", "--size", "40x50"]);
    let sheet = png_picture(&folder.path().join("sheet.png"));
    assert_eq!((sheet.width, sheet.rgb.len()), (120, 120 * 50 * 2 * 4));
    assert!(sheet.drawn() > 0.03, "{}", sheet.drawn());
    draw(folder.path(), &["sheet", &asset("robot"), "sheet.png", "--clip", "cheer", "--clip", "0", "--size", "40x50"]);
    assert_eq!(png_picture(&folder.path().join("sheet.png")).rgb.len(), 320 * 50 * 2 * 2);
    draw(folder.path(), &["sheet", &asset("sword"), "sheet.png"]);
}

#[test]
fn mistakes_get_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let humanoid = &*asset("simple_humanoid");
    fs::create_dir(folder.path().join("folder.png")).expect("a folder");
    for (code, arguments) in [
        (2, &["--size", "0x10"][..]),
        (2, &["--size", "640"]),
        (2, &["--size", "99999x10"]),
        (2, &["--seconds", "-1"]),
        (2, &["--seconds", "NaN"]),
        (2, &["--out", "film.avi"]),
        (2, &["--scene", "fly"]),
        (2, &["--renderer", "crayon"]),
        (1, &["--out", "no/such/folder/a.gif"]),
        (1, &["--out", "no/such/folder/a.apng"]),
        (1, &["--out", "no/such/folder/a.mp4"]),
        (1, &["--scene", "walk", "--seconds", "1", "--out", "a.png"]),
        (2, &["--out", "film"]),
        (1, &["--seconds", "1", "--out", "a.png"]),
        (1, &["--out", "no/such/folder/a.png"]),
        (1, &["--out", "folder.png"]),
        (1, &["render", "no such file.glb"]),
        (1, &["render", humanoid, "--clip", "fly"]),
        (1, &["render", humanoid, "--clip", "99"]),
        (1, &["render", humanoid, "--time", "1", "--out", "a.gif"]),
        (1, &["render", humanoid, "--out", "no/such/folder/a.png"]),
        (2, &["render", humanoid, "--time", "soon"]),
        (2, &["render", humanoid, "--time", "1", "--seconds", "1"]),
        (2, &["render", humanoid, "--sheet", "0"]),
        (2, &["render", humanoid, "--sheet", "4", "--time", "1"]),
        (1, &["render", humanoid, "--sheet", "4", "--out", "a.gif"]),
        (1, &["render", humanoid, "--sheet", "100", "--size", "4096x4096"]),
        (2, &["render", humanoid, "--size", "12"]),
        (1, &["sheet", humanoid, "sheet.gif"]),
        (1, &["sheet", humanoid, "sheet.png", "--clip", "fly"]),
        (2, &["sheet", humanoid, "sheet.png", "--frames", "0"]),
        (1, &["sheet", humanoid, "sheet.png", "--frames", "100", "--size", "4096x4096"]),
    ] {
        let output = run_in(folder.path(), arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{arguments:?}: {said}");
        assert!(said.starts_with("error: "), "{said}");
    }
    let said = run_in(folder.path(), &["render", humanoid, "--clip", "fly"]).stderr;
    assert!(String::from_utf8_lossy(&said).contains("stroll, idle, run"), "it names the clips that there are");
}

/// A square that faces the camera, of one millimetre, with a texture that is red on its upper half and blue below.
#[test]
fn textures_are_seen_the_right_way_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let texture = File::create(folder.path().join("halves.png")).expect("a file");
    let mut encoder = png::Encoder::new(texture, 1, 8);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("a header");
    let rows = [[255, 0, 0], [0, 0, 255]].map(|color: [u8; 3]| color.repeat(4));
    writer.write_image_data(&rows.concat()).expect("pixels");
    writer.finish().expect("an end");
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    let positions = corners.iter().flat_map(|&(x, y)| [x * 1e-3, y * 1e-3, 0.0_f32]);
    let uvs = corners.iter().flat_map(|&(x, y)| [x, 1.0 - y]);
    let mut buffer: Vec<u8> = positions.chain(uvs).flat_map(f32::to_le_bytes).collect();
    buffer.extend([0, 1, 2, 0, 2, 3]);
    fs::write(folder.path().join("square.bin"), buffer).expect("written");
    let document = serde_json::json!({
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "textures": [{"source": 0}],
        "images": [{"uri": "halves.png"}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [0.001, 0.001, 0]},
            {"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC2"},
            {"bufferView": 2, "componentType": 5121, "count": 6, "type": "SCALAR"}
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": 32},
            {"buffer": 0, "byteOffset": 80, "byteLength": 6}
        ],
        "buffers": [{"uri": "square.bin", "byteLength": 86}]
    });
    fs::write(folder.path().join("square.gltf"), document.to_string()).expect("written");
    draw(folder.path(), &["render", "square.gltf", "--size", "80x80"]);
    let picture = png_picture(&folder.path().join("square.png"));
    let pixel = |y: usize| picture.rgb[y * 80 + 40];
    let ([red, _, blue], [other_red, _, other_blue]) = (pixel(20), pixel(60));
    assert!(red > 2 * blue && other_blue > 2 * other_red, "{:?} above {:?}", pixel(20), pixel(60));
}

/// Every model of the conformance corpus, in frame and not empty.
#[test]
fn other_peoples_files_are_drawn() {
    let Some(shared) = corpus::find("show") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = Vec::new();
    find_models(&shared.join("conformance/assets"), &mut files);
    assert!(files.len() >= 70, "{} files", files.len());
    let mut failures = Vec::new();
    for file in &files {
        let name = file.to_str().expect("UTF-8");
        let arguments = ["render", name, "--time", "0.3", "--size", "96x72", "--out", "model.png"];
        let output = run_in(folder.path(), &arguments);
        if !output.status.success() {
            failures.push(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
            continue;
        }
        let drawn = png_picture(&folder.path().join("model.png")).drawn();
        if !(0.005..0.9).contains(&drawn) {
            failures.push(format!("{name}: {drawn} of the picture is drawn"));
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), files.len(), failures.join("\n"));
}

fn find_models(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the corpus") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            find_models(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "glb" || ending == "gltf") {
            files.push(path);
        }
    }
}
