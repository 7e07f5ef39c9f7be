//! Where the examples play: a window, or without a display a picture, `NAME.png` in the folder for temporary files.

use std::path::PathBuf;
use std::time::Duration;

use bevy::app::ScheduleRunnerPlugin;
use bevy::camera::RenderTarget;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::render_resource::TextureFormat;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use nebula_bevy::Animator;
use nebula_bevy::crowd::CrowdSeat;

/// The size of the picture.
const SIZE: [u32; 2] = [640, 400];

/// Whether there is nobody to steer.
pub fn is_headless() -> bool {
    let has_display =
        cfg!(not(target_os = "linux")) || std::env::var_os("DISPLAY").is_some_and(|name| !name.is_empty());
    !has_display || std::env::var_os("NEBULA_HEADLESS").is_some()
}

/// An app with Bevy's plugins, whose files are the characters that come with the library. Without a display, the picture is that after so many frames of a
/// twentieth of a second.
pub fn app(name: &str, frames: u32) -> App {
    let mut app = App::new();
    app.add_systems(PreUpdate, tone_cameras);
    let files = AssetPlugin {
        file_path: concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/nebula-animation/test_assets").into(),
        ..default()
    };
    let log = LogPlugin { filter: "warn,wgpu_hal=off".into(), ..default() };
    if !is_headless() {
        let window = Window { title: name.to_owned(), ..default() };
        app.add_plugins(
            DefaultPlugins.set(files).set(log).set(WindowPlugin { primary_window: Some(window), ..default() }),
        );
        return app;
    }
    let window = WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() };
    let render = RenderPlugin { synchronous_pipeline_compilation: true, ..default() };
    app.add_plugins(DefaultPlugins.set(files).set(log).set(window).set(render).disable::<WinitPlugin>())
        .add_plugins(ScheduleRunnerPlugin::run_loop(Duration::ZERO))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(1.0 / 20.0)))
        .insert_resource(Picture { shown: frames, file: std::env::temp_dir().join(format!("{name}.png")), ..default() })
        .add_systems(PreUpdate, aim_cameras)
        .add_systems(Last, take_picture);
    app
}

/// Bevy's default looks up a table that is a feature of its own.
fn tone_cameras(mut commands: Commands, cameras: Query<Entity, Added<Camera3d>>) {
    for camera in &cameras {
        commands.entity(camera).insert(Tonemapping::AcesFitted);
    }
}

/// The picture that is to be left.
#[derive(Resource, Default)]
struct Picture {
    file: PathBuf,
    target: Handle<Image>,
    frames: u32,
    /// How many frames the characters are there before it is taken.
    shown: u32,
    is_blank: bool,
}

/// Looks whether anything is to be seen: a picture of one colour is none.
fn look(captured: On<ScreenshotCaptured>, mut picture: ResMut<Picture>) {
    let pixels = captured.image.data.as_deref().unwrap_or_default();
    picture.is_blank = pixels.chunks_exact(4).all(|pixel| *pixel == pixels[..4]);
}

/// Lets cameras draw into the picture.
fn aim_cameras(
    mut commands: Commands,
    cameras: Query<Entity, Added<Camera>>,
    mut picture: ResMut<Picture>,
    mut images: ResMut<Assets<Image>>,
) {
    for camera in &cameras {
        picture.target = images.add(Image::new_target_texture(SIZE[0], SIZE[1], TextureFormat::Rgba8UnormSrgb, None));
        commands.entity(camera).insert(RenderTarget::Image(picture.target.clone().into()));
    }
}

type Shown = Or<(With<Animator>, With<CrowdSeat>)>;

/// Takes the picture once the characters have been there for a while, and ends when it is written.
fn take_picture(
    mut commands: Commands,
    mut picture: ResMut<Picture>,
    characters: Query<(), Shown>,
    mut exit: MessageWriter<AppExit>,
) {
    if characters.is_empty() {
        return;
    }
    picture.frames += 1;
    if picture.frames == picture.shown {
        // What is left from an earlier run is not what is waited for.
        let _ = std::fs::remove_file(&picture.file);
        commands
            .spawn(Screenshot::image(picture.target.clone()))
            .observe(save_to_disk(picture.file.clone()))
            .observe(look);
    }
    if picture.is_blank {
        eprintln!("the picture shows nothing");
        exit.write(AppExit::error());
    } else if picture.frames > picture.shown && picture.file.metadata().is_ok_and(|file| file.len() > 0) {
        println!("no display: see {}", picture.file.display());
        exit.write(AppExit::Success);
    } else if picture.frames > 1000 {
        eprintln!("no picture was written to {}", picture.file.display());
        exit.write(AppExit::error());
    }
}
