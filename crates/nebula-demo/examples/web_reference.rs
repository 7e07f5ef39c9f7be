//! What a desktop makes of files, for the browser tests (`scripts/web.sh test`) to compare with.
//!
//! ```sh
//! cargo run -p nebula-demo --example web_reference -- palettes OUT FILE...   # OUT/0.bin, OUT/1.bin, ...
//! cargo run -p nebula-demo --example web_reference -- picture FILE LINK WIDTH HEIGHT OUT.png
//! ```
use std::path::Path;

use nebula_animation::{AnimationClipLibrary, Asset, Character, Surroundings};
use nebula_demo::gpu::Renderer;
use nebula_demo::picture::{Canvas, write_png};
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
        _ => Err("palettes OUT FILE... or picture FILE LINK WIDTH HEIGHT OUT.png".into()),
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
