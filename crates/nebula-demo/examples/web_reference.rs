//! What a desktop makes of files, for the browser tests (`scripts/web.sh test`) to compare with.
//!
//! ```sh
//! cargo run -p nebula-demo --example web_reference -- palettes OUT FILE...   # OUT/0.bin, OUT/1.bin, ...
//! cargo run -p nebula-demo --example web_reference -- picture FILE LINK WIDTH HEIGHT OUT.png
//! cargo run -p nebula-demo --example web_reference -- looks FILE CAMERA WIDTH HEIGHT CPU.png GPU.png   # at rest, on no floor
//! cargo run -p nebula-demo --example web_reference -- light WIDTH HEIGHT OUT     # the surroundings: RGB as f32, from below to above
//! ```
use std::path::Path;

use glam::Vec3;
use nebula_animation::{AnimationClipLibrary, Asset, Character, Surroundings};
use nebula_demo::gpu::{Look, Renderer};
use nebula_demo::picture::{Camera, Canvas, Light, radiance, write_png};
use nebula_demo::show::figure::Figure;
use nebula_demo::show::model::Model;
use nebula_demo::show::renderer::CpuRenderer;
use nebula_demo::show::shot::{Floor, Shot};
use nebula_demo::window::viewer::Viewer;

/// The parts of each clip's duration that are looked at: `web/tests/palettes.js` has the same.
const MOMENTS: [f64; 4] = [0.0, 0.21, 0.5, 0.87];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["palettes", out, files @ ..] => {
            for (index, file) in files.iter().enumerate() {
                std::fs::write(Path::new(out).join(format!("{index}.bin")), palettes(file)?)?;
            }
            Ok(())
        }
        ["picture", file, link, width, height, out] => picture(file, link, width.parse()?, height.parse()?, out),
        ["looks", file, camera, width, height, cpu, gpu] => {
            looks(file, camera, [width.parse()?, height.parse()?], [cpu, gpu])
        }
        ["light", width, height, out] => light(width.parse()?, height.parse()?, out),
        _ => Err("palettes, picture, looks or light: see the source".into()),
    }
}

/// The skinning matrices at rest, and of every clip at some moments, bit by bit.
fn palettes(file: &str) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let asset = Asset::load(file)?;
    let library = AnimationClipLibrary::new(&asset.rig(), &asset.clips());
    let moments = (0..library.len()).flat_map(|clip| MOMENTS.map(|moment| (clip, moment)));
    let mut bytes = Vec::new();
    for shown in std::iter::once(None).chain(moments.map(Some)) {
        let mut character = Character::of(library.clone());
        if let Some((clip, moment)) = shown {
            let action = character.mixer.play(clip, 0.0)?;
            action.seek(f64::from(action.duration()) * moment);
        }
        character.update(0.0, &Surroundings::default());
        let numbers = character.palette().iter().flat_map(|matrix| matrix.to_cols_array());
        bytes.extend(numbers.flat_map(f32::to_le_bytes));
    }
    Ok(bytes)
}

/// The viewer's picture of what a link says.
fn picture(file: &str, link: &str, width: u32, height: u32, out: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mut viewer = Viewer::open(Path::new(file))?;
    viewer.follow_link(link);
    viewer.update(0.0);
    let mut renderer = Renderer::new()?;
    let mut canvas = Canvas::new(width, height);
    let mut problem = None;
    viewer.draw(height, &mut |shot, look| problem = renderer.render(shot, look, &mut canvas).err());
    problem.map_or(Ok(()), Err)?;
    Ok(write_png(Path::new(out), &canvas)?)
}

/// A file at rest, by both renderers. The camera is its place, what it looks at, and its angle in radians from below to above.
fn looks(file: &str, camera: &str, size: [u32; 2], out: [&str; 2]) -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<f32> = camera.split(',').map(str::parse).collect::<Result<_, _>>()?;
    let &[x, y, z, to_x, to_y, to_z, vertical_fov_radians] = numbers.as_slice() else { return Err("no camera".into()) };
    let (eye, target) = (Vec3::new(x, y, z), Vec3::new(to_x, to_y, to_z));
    let model = Model::load(Path::new(file))?;
    if !model.notes.is_empty() {
        return Err(model.notes.join(", ").into());
    }
    let figure = Figure::new(&model);
    let camera = Camera { eye, target, up: Vec3::Y, vertical_fov_radians };
    let (light, bodies) = (Light::default(), [figure.body()]);
    let shot = Shot { camera, light, floor: Floor::None, bodies: &bodies, lines: &[] };
    let mut canvas = Canvas::new(size[0], size[1]);
    CpuRenderer::default().draw(&shot, &mut canvas);
    write_png(Path::new(out[0]), &canvas)?;
    Renderer::new()?.render(&shot, &Look::default(), &mut canvas)?;
    Ok(write_png(Path::new(out[1]), &canvas)?)
}

/// The surroundings as a picture of all directions, as three.js places them; on the terminal the directional light.
fn light(width: usize, height: usize, out: &str) -> Result<(), Box<dyn std::error::Error>> {
    use std::f32::consts::{PI, TAU};
    let light = Light::default();
    let mut bytes = Vec::new();
    for row in 0..height {
        let (up, level) = ((((row as f32 + 0.5) / height as f32) - 0.5) * PI).sin_cos();
        for column in 0..width {
            let (z, x) = ((((column as f32 + 0.5) / width as f32) - 0.5) * TAU).sin_cos();
            let color = radiance(&light, Vec3::new(x * level, up, z * level));
            bytes.extend(color.to_array().into_iter().flat_map(f32::to_le_bytes));
        }
    }
    std::fs::write(out, bytes)?;
    let (direction, key) = (light.direction.normalize_or(Vec3::Y).to_array(), light.key.to_array());
    println!("{{\"direction\": {direction:?}, \"key\": {key:?}}}");
    Ok(())
}
