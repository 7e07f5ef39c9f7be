//! Pictures by Bevy's own renderer: the same pose drawn by the plugin, by its fast path, and by bevy_animation.

use std::io::Write;
use std::time::{Duration, Instant};

use bevy::animation::AnimationPlayer;
use bevy::animation::graph::{AnimationGraph, AnimationGraphHandle};
use bevy::app::PluginsState;
use bevy::camera::RenderTarget;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::render_resource::TextureFormat;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy::world_serialization::{WorldAssetRoot, WorldInstance};
use nebula_bevy::crowd::CrowdSeat;
use nebula_bevy::{Animator, CharacterAsset, CrowdMember, NebulaCharacter, NebulaPlugin};

use crate::stage::own;

const SIDE: u32 = 160;
/// A moment of the walk in which arms and legs are apart.
const TIME: f32 = 0.3;
const FILE: &str = "simple_humanoid.glb";

#[derive(Resource, Default)]
struct Shot(Option<Vec<u8>>);

struct Studio {
    app: App,
    target: Handle<Image>,
}

impl Studio {
    fn new() -> Self {
        let mut app = App::new();
        let files = AssetPlugin {
            file_path: own().canonicalize().expect("a folder").to_string_lossy().into_owned(),
            ..default()
        };
        let window = WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() };
        let render = RenderPlugin { synchronous_pipeline_compilation: true, ..default() };
        app.add_plugins(
            DefaultPlugins.set(files).set(window).set(render).disable::<WinitPlugin>().disable::<LogPlugin>(),
        );
        app.add_plugins(NebulaPlugin).init_resource::<Shot>();
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
        while app.plugins_state() == PluginsState::Adding {
            bevy::tasks::tick_global_task_pools_on_main_thread();
        }
        app.finish();
        app.cleanup();
        let image = Image::new_target_texture(SIDE, SIDE, TextureFormat::Rgba8UnormSrgb, None);
        let target = app.world_mut().resource_mut::<Assets<Image>>().add(image);
        let eye = Transform::from_xyz(1.6, 1.4, 2.4).looking_at(Vec3::Y * 0.9, Vec3::Y);
        app.world_mut().spawn((
            Camera3d::default(),
            Tonemapping::None,
            RenderTarget::Image(target.clone().into()),
            eye,
        ));
        app.world_mut()
            .spawn((DirectionalLight::default(), Transform::from_xyz(1.0, 2.0, 3.0).looking_at(Vec3::ZERO, Vec3::Y)));
        Self { app, target }
    }

    fn until(&mut self, mut is_true: impl FnMut(&mut World) -> bool) {
        let start = Instant::now();
        while !is_true(self.app.world_mut()) {
            assert!(start.elapsed() < Duration::from_secs(120), "nothing happens");
            self.app.update();
        }
    }

    /// The pixels of what is there now.
    fn shoot(&mut self) -> Vec<u8> {
        (0..4).for_each(|_| self.app.update());
        self.app.world_mut().resource_mut::<Shot>().0 = None;
        let keep = |captured: On<ScreenshotCaptured>, mut shot: ResMut<Shot>| shot.0.clone_from(&captured.image.data);
        self.app.world_mut().spawn(Screenshot::image(self.target.clone())).observe(keep);
        self.until(|world| world.resource::<Shot>().0.is_some());
        self.app.world_mut().resource_mut::<Shot>().0.take().expect("just seen")
    }

    /// The shipped character's clip, by the plugin; then nobody is there again.
    fn by_plugin(&mut self, time: f32) -> Vec<u8> {
        let handle: Handle<CharacterAsset> = self.app.world().resource::<AssetServer>().load(FILE);
        let entity = self.app.world_mut().spawn(NebulaCharacter::new(handle)).id();
        self.until(|world| world.get::<Animator>(entity).is_some());
        let mut animator = self.app.world_mut().get_mut::<Animator>(entity).expect("it is there");
        animator.mixer.play(0, 0.0).expect("a clip").seek(f64::from(time));
        self.shoot_and_clear(entity)
    }

    fn by_fast_path(&mut self, time: f32) -> Vec<u8> {
        let handle: Handle<CharacterAsset> = self.app.world().resource::<AssetServer>().load(FILE);
        let entity = self.app.world_mut().spawn(CrowdMember { time: f64::from(time), ..CrowdMember::new(handle) }).id();
        self.until(|world| world.get::<CrowdSeat>(entity).is_some());
        self.shoot_and_clear(entity)
    }

    fn by_bevy(&mut self, time: f32) -> Vec<u8> {
        let server = self.app.world().resource::<AssetServer>().clone();
        let entity = self.app.world_mut().spawn(WorldAssetRoot(server.load(format!("{FILE}#Scene0")))).id();
        let clip = server.load(format!("{FILE}#Animation0"));
        self.until(|world| {
            let has_player = world.query::<&AnimationPlayer>().iter(world).count() == 1;
            world.get::<WorldInstance>(entity).is_some() && has_player && server.is_loaded(&clip)
        });
        let (graph, node) = AnimationGraph::from_clip(clip);
        let graph = self.app.world_mut().resource_mut::<Assets<AnimationGraph>>().add(graph);
        let world = self.app.world_mut();
        let (player, mut animation) = world.query::<(Entity, &mut AnimationPlayer)>().single_mut(world).expect("one");
        animation.play(node).repeat().seek_to(time).pause();
        world.entity_mut(player).insert(AnimationGraphHandle(graph));
        (0..5).for_each(|_| self.app.update());
        self.shoot_and_clear(entity)
    }

    fn shoot_and_clear(&mut self, entity: Entity) -> Vec<u8> {
        let pixels = self.shoot();
        self.app.world_mut().entity_mut(entity).despawn();
        pixels
    }
}

/// The share of pixels that differ by more than a little.
fn difference(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!((a.len(), b.len()), ((SIDE * SIDE * 4) as usize, (SIDE * SIDE * 4) as usize));
    let differs = |(a, b): (&[u8], &[u8])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 12);
    a.chunks(4).zip(b.chunks(4)).filter(|pair| differs(*pair)).count() as f64 / f64::from(SIDE * SIDE)
}

#[test]
fn bevys_renderer_draws_the_pose_that_bevy_animation_has() {
    let required = std::env::var_os("NEBULA_REQUIRE_GPU").is_some_and(|value| value == "1");
    let Ok(mut studio) = std::panic::catch_unwind(Studio::new) else {
        assert!(!required, "no adapter to draw with, and NEBULA_REQUIRE_GPU=1");
        let _ =
            writeln!(std::io::stderr(), "SKIPPED bevys_renderer_draws_the_pose_that_bevy_animation_has: no adapter");
        return;
    };
    let empty = studio.shoot();
    let bevy = studio.by_bevy(TIME);
    let plugin = studio.by_plugin(TIME);
    let fast = studio.by_fast_path(TIME);
    let other = studio.by_plugin(0.0);
    keep("bevy", &bevy);
    keep("plugin", &plugin);
    keep("fast", &fast);
    // The tests that follow can fail: there is somebody, and another moment is another picture.
    assert!(difference(&empty, &plugin) > 0.05, "nobody is there: {}", difference(&empty, &plugin));
    assert!(difference(&other, &plugin) > 0.02, "all moments look alike: {}", difference(&other, &plugin));
    assert!(difference(&bevy, &plugin) < 0.002, "bevy_animation shows another pose: {}", difference(&bevy, &plugin));
    assert!(difference(&fast, &plugin) < 0.002, "the fast path shows another pose: {}", difference(&fast, &plugin));
}

/// Leaves a picture where `NEBULA_KEEP_PICTURES` names a folder, to be looked at.
fn keep(name: &str, pixels: &[u8]) {
    let Some(folder) = std::env::var_os("NEBULA_KEEP_PICTURES") else { return };
    let size = bevy::render::render_resource::Extent3d { width: SIDE, height: SIDE, depth_or_array_layers: 1 };
    let dimension = bevy::render::render_resource::TextureDimension::D2;
    let image = Image::new(size, dimension, pixels.to_vec(), TextureFormat::Rgba8UnormSrgb, default());
    let path = std::path::Path::new(&folder).join(format!("{name}.png"));
    image.try_into_dynamic().expect("a picture").save(path).expect("written");
}
