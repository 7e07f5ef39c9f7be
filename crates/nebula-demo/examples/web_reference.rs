//! What a desktop makes of files, for the browser tests (`scripts/web.sh test`) to compare with.
//!
//! ```sh
//! cargo run -p nebula-demo --example web_reference -- palettes OUT FILE...   # OUT/0.bin, OUT/1.bin, ...
//! cargo run -p nebula-demo --example web_reference -- scenes OUT FILE       # OUT/crowd.bin, OUT/blend.bin, ...
//! cargo run -p nebula-demo --example web_reference -- picture FILE LINK WIDTH HEIGHT OUT.png
//! cargo run -p nebula-demo --example web_reference -- looks FILE CAMERA WIDTH HEIGHT CPU.png GPU.png   # at rest, on no floor
//! cargo run -p nebula-demo --example web_reference -- light WIDTH HEIGHT OUT     # the surroundings: RGB as f32, from below to above
//! ```
use std::path::Path;

use glam::{Vec2, Vec3};
use nebula_animation::crowd::SecondClip;
use nebula_animation::mixer::FadeCurve;
use nebula_animation::{
    AnimationClipLibrary, Asset, BlendSpace, Character, Crowd, Fade, FootPlacement, GroundPoint, StateMachine,
    StateMachinePlayer, Surroundings,
};
use nebula_demo::gpu::{Look, Renderer};
use nebula_demo::picture::{Camera, Canvas, Light, radiance, write_png};
use nebula_demo::show::figure::Figure;
use nebula_demo::show::model::Model;
use nebula_demo::show::renderer::CpuRenderer;
use nebula_demo::show::shot::{Floor, Shot};
use nebula_demo::window::viewer::Viewer;

/// The parts of each clip's duration that are looked at: `web/tests/palettes.js` has the same.
const MOMENTS: [f64; 4] = [0.0, 0.21, 0.5, 0.87];

/// Frames of a scene, and their length in seconds.
const FRAMES: u32 = 40;
const DT: f64 = 1.0 / 60.0;

/// The machine of a scene: `web/tests/palettes.js` has the same.
const MACHINE: &str = r#"{
    "parameters": { "speed": 0, "jump": "trigger" },
    "start": "stand",
    "states": [
        { "name": "stand", "clip": "idle" }, { "name": "go", "clip": "walk" }, { "name": "up", "clip": "jump", "looping": false }
    ],
    "transitions": [
        { "from": "stand", "to": "go", "when": ["speed > 0.5"], "fade": 0.2 },
        { "from": "*", "to": "up", "when": ["jump"], "fade": 0.1 }
    ]
}"#;

type Anything<T> = Result<T, Box<dyn std::error::Error>>;

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
        ["scenes", out, file] => scenes(Path::new(out), file),
        ["picture", file, link, width, height, out] => picture(file, link, width.parse()?, height.parse()?, out),
        ["looks", file, camera, width, height, cpu, gpu] => {
            looks(file, camera, [width.parse()?, height.parse()?], [cpu, gpu])
        }
        ["light", width, height, out] => light(width.parse()?, height.parse()?, out),
        _ => Err("palettes, scenes, picture, looks or light: see the source".into()),
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

/// More than one clip: a crowd, blends, a gaze, limbs on a slope, a state machine. Every frame of each, bit by bit.
fn scenes(out: &Path, file: &str) -> Anything<()> {
    let asset = Asset::load(file)?;
    let library = AnimationClipLibrary::new(&asset.rig(), &asset.clips());
    let write = |name: &str, bytes: Vec<u8>| std::fs::write(out.join(format!("{name}.bin")), bytes);
    write("crowd", crowd(&library)?)?;
    for name in ["blend", "gaze", "limbs", "machine"] {
        write(name, scene(name, &library)?)?;
    }
    Ok(())
}

fn crowd(library: &AnimationClipLibrary) -> Anything<Vec<u8>> {
    let mut crowd = Crowd::default();
    let walk = crowd.add_clip(library, library.find("walk")?)?;
    let run = crowd.add_clip(library, library.find("run")?)?;
    for index in 0..9 {
        let id = crowd.spawn(walk)?;
        let character = crowd.character_mut(id).ok_or("just added")?;
        (character.time, character.speed) = (0.1 * f64::from(index), 1.0 + 0.125 * index as f32);
        let weight = 0.125 * index as f32;
        character.second = (index % 2 == 1).then_some(SecondClip { clip: run, time: 0.0, weight });
    }
    let mut bytes = Vec::new();
    for _ in 0..FRAMES {
        crowd.update(DT);
        for rows in crowd.palettes() {
            bytes.extend(rows.0.as_flattened().iter().flat_map(|number| number.to_le_bytes()));
        }
    }
    Ok(bytes)
}

fn scene(name: &str, library: &AnimationClipLibrary) -> Anything<Vec<u8>> {
    let mut character = Character::of(library.clone());
    let rig = character.rig().clone();
    let smooth = |seconds: f32| Fade { seconds, curve: FadeCurve::Smooth };
    let mut space = None;
    match name {
        "blend" => {
            character.mixer.play("idle", 0.0)?;
            let clips = [library.find("idle")?, library.find("walk")?, library.find("run")?];
            space = Some(character.mixer.add_blend_space(BlendSpace::by_speed(library, &clips)?));
            let arm = character.mixer.add_layer("arm");
            let layer = character.mixer.layer_mut(arm).ok_or("just added")?;
            layer.set_mask(rig.upper_body()?);
            layer.weight = 0.75;
            layer.play("wave", smooth(0.25))?;
        }
        "gaze" => {
            character.mixer.play("walk", 0.0)?;
            character.add_layer(rig.humanoid().aim(&rig, Vec3::ZERO)?);
            character.add_layer(rig.humanoid().breathing()?);
        }
        "limbs" => {
            character.mixer.play("walk", 0.0)?;
            match rig.feet() {
                Some(feet) => character.add_layer(FootPlacement::new(feet.clone())),
                None => character.add_layer(rig.humanoid().foot_placement(&rig)?),
            }
        }
        _ => {
            let machine = StateMachine::from_json(MACHINE, library, library.markers())?;
            character.machines.push(StateMachinePlayer::new(machine));
        }
    }
    let slope = |at: Vec3| {
        let height = 0.125 * f64::from(at.x) + 0.0625 * f64::from(at.z);
        Some(GroundPoint::new(height as f32, Vec3::new(-0.125, 1.0, -0.0625)))
    };
    let mut surroundings = Surroundings::default();
    if name == "limbs" {
        surroundings.ground = Some(&slope);
    }
    let mut bytes = Vec::new();
    for frame in 0..FRAMES {
        match (name, frame) {
            ("blend", 8) => _ = character.mixer.play(space.ok_or("just added")?, smooth(0.25))?,
            ("blend", 16) => character.mixer.set_blend_position(space.ok_or("just added")?, Vec2::new(1.25, 0.0))?,
            ("blend", 20) => _ = character.mixer.play("run", Fade { seconds: 0.25, curve: FadeCurve::Inertialised })?,
            ("gaze", _) => {
                let aim = character.layer_mut::<nebula_animation::AimLayer>().ok_or("just added")?;
                aim.target = Vec3::new(0.0625 * frame as f32 - 1.0, 1.5, 2.0);
            }
            ("machine", 5) => {
                let speed = character.machines[0].parameter("speed")?;
                character.machines[0].set_float(speed, 1.0)?;
            }
            ("machine", 25) => {
                let jump = character.machines[0].parameter("jump")?;
                character.machines[0].trigger(jump)?;
            }
            _ => {}
        }
        character.update(DT, &surroundings);
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
