//! A thousand characters. Keys: 1 the fast path, 2 with `Transform`s of joints, 3 bevy_animation; the title of the window tells the frames per second.
mod stage;

use bevy::animation::AnimationPlayer;
use bevy::animation::graph::{AnimationGraph, AnimationGraphHandle};
use bevy::prelude::*;
use bevy::world_serialization::{WorldAssetRoot, WorldInstanceReady};
use nebula_bevy::{CharacterAsset, CharacterSettings, CrowdMember, NebulaCharacter, NebulaPlugin};

/// Characters on a side of the square, and metres between them.
const SIDE: usize = 32;
const APART: f32 = 1.4;
const FILE: &str = "simple_humanoid.glb";

/// Who animates.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
enum By {
    FastPath,
    Joints,
    Bevy,
}

#[derive(Component)]
struct Walker;

fn main() -> AppExit {
    stage::app("crowd", 3)
        .add_plugins(NebulaPlugin)
        .insert_resource(By::FastPath)
        .insert_resource(GlobalAmbientLight { brightness: 600.0, ..default() })
        .add_systems(Startup, set_stage)
        .add_systems(Update, (choose, populate.run_if(resource_changed::<By>), tell).chain())
        .add_observer(play_bevys)
        .run()
}

fn set_stage(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let floor = materials.add(StandardMaterial {
        base_color: Color::srgb(0.4, 0.42, 0.45),
        perceptual_roughness: 1.0,
        ..default()
    });
    commands.spawn((Mesh3d(meshes.add(Plane3d::default().mesh().size(120.0, 120.0))), MeshMaterial3d(floor)));
    commands.spawn((DirectionalLight::default(), Transform::from_xyz(2.0, 5.0, 3.0).looking_at(Vec3::ZERO, Vec3::Y)));
    commands.spawn((
        Camera3d::default(),
        Transform::from_xyz(14.0, 11.0, 30.0).looking_at(Vec3::new(0.0, 0.0, 4.0), Vec3::Y),
    ));
}

fn choose(keys: Option<Res<ButtonInput<KeyCode>>>, mut by: ResMut<By>) {
    let all = [(KeyCode::Digit1, By::FastPath), (KeyCode::Digit2, By::Joints), (KeyCode::Digit3, By::Bevy)];
    for (key, choice) in all {
        if keys.as_ref().is_some_and(|keys| keys.just_pressed(key)) && *by != choice {
            *by = choice;
        }
    }
}

/// The square anew, animated by whoever was chosen.
fn populate(mut commands: Commands, by: Res<By>, assets: Res<AssetServer>, old: Query<Entity, With<Walker>>) {
    old.iter().for_each(|walker| commands.entity(walker).despawn());
    let for_crowds = |settings: &mut CharacterSettings| settings.for_crowds = true;
    let file: Handle<CharacterAsset> = assets.load_builder().with_settings(for_crowds).load(FILE);
    let scene = assets.load(format!("{FILE}#Scene0"));
    for number in 0..SIDE * SIDE - 24 {
        let place = Vec3::new((number % SIDE) as f32, 0.0, (number / SIDE) as f32)
            - (SIDE / 2) as f32 * Vec3::new(1.0, 0.0, 1.0);
        let place = Transform::from_translation(place * APART);
        let (clip, time) = (clip(number), 0.037 * number as f64);
        match *by {
            By::FastPath => commands.spawn((Walker, CrowdMember::new(file.clone()).playing(clip.0, time), place)),
            By::Joints => commands.spawn((Walker, NebulaCharacter::new(file.clone()).playing(clip.0), place)),
            By::Bevy => commands.spawn((Walker, WorldAssetRoot(scene.clone()), Bevys(clip.1, time as f32), place)),
        };
    }
}

/// Name and number of what somebody plays.
fn clip(number: usize) -> (&'static str, usize) {
    [("walk", 10), ("idle", 1), ("wave", 4), ("run", 2)][number % 4]
}

/// A character for bevy_animation: the number of its clip, and the time to begin with.
#[derive(Component)]
struct Bevys(usize, f32);

/// What bevy_animation needs beside the scene.
fn play_bevys(
    ready: On<WorldInstanceReady>,
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut graphs: ResMut<Assets<AnimationGraph>>,
    walkers: Query<&Bevys>,
    children: Query<&Children>,
    mut players: Query<&mut AnimationPlayer>,
) {
    let Ok(Bevys(number, time)) = walkers.get(ready.entity) else { return };
    let (graph, node) = AnimationGraph::from_clip(assets.load(format!("{FILE}#Animation{number}")));
    let graph = graphs.add(graph);
    for child in children.iter_descendants(ready.entity) {
        if let Ok(mut player) = players.get_mut(child) {
            player.play(node).repeat().seek_to(*time);
            commands.entity(child).insert(AnimationGraphHandle(graph.clone()));
        }
    }
}

/// Frames per second, in the title.
fn tell(by: Res<By>, time: Res<Time<Real>>, mut windows: Query<&mut Window>, mut since: Local<(f32, u32)>) {
    since.0 += time.delta_secs();
    since.1 += 1;
    if since.0 < 1.0 {
        return;
    }
    for mut window in &mut windows {
        window.title = format!(
            "{} characters, {:?}: {:.0} frames per second (keys 1, 2, 3)",
            SIDE * SIDE - 24,
            *by,
            since.1 as f32 / since.0
        );
    }
    *since = (0.0, 0);
}
