//! Steer a character over hills: W, A, S, D or the arrow keys, Shift runs, Space jumps, E waves. Its feet stand on the slope, it looks at a lamp, and
//! it holds a sword. Without a display it goes by itself.
mod stage;

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy::world_serialization::WorldAssetRoot;
use nebula_animation::mixer::Motion;
use nebula_animation::{BlendSpace, Fade, LayerId};
use nebula_bevy::{
    Airborne, AnimationEvent, Animator, AttachedTo, CharacterAsset, CharacterReady, CharacterSettings, FeetOnGround,
    GazeAt, Ground, GroundPoint, NebulaCharacter, NebulaPlugin,
};

/// Half the side of the terrain, in metres.
const REACH: f32 = 40.0;

fn main() -> AppExit {
    let ground = |place: Vec3| Some(GroundPoint::new(height(place.xz()), normal(place.xz())));
    stage::app("third_person", 30)
        .add_plugins(NebulaPlugin)
        .insert_resource(Ground::new(ground))
        .insert_resource(GlobalAmbientLight { brightness: 400.0, ..default() })
        .add_systems(Startup, spawn)
        .add_systems(Update, (steer, follow).chain())
        .add_systems(Update, count_steps)
        .add_observer(set_up)
        .run()
}

/// The hills, in closed form: feet, body and triangles ask the same function.
fn height(place: Vec2) -> f32 {
    0.6 * (0.35 * place.x).sin() * (0.3 * place.y).cos() + 0.15 * (0.9 * place.x + 0.5 * place.y).sin()
}

fn normal(place: Vec2) -> Vec3 {
    let step = 0.01;
    let rise = |by: Vec2| (height(place + by) - height(place - by)) / (2.0 * step);
    Vec3::new(-rise(Vec2::X * step), 1.0, -rise(Vec2::Y * step)).normalize_or(Vec3::Y)
}

/// Who is steered, and how it goes.
#[derive(Component, Default)]
struct Hero {
    gait: Option<Motion>,
    arms: LayerId,
    velocity: Vec2,
    rise: f32,
    steps: usize,
}

fn spawn(
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let steps = |settings: &mut CharacterSettings| settings.step_marker = Some("step".into());
    let file: Handle<CharacterAsset> = assets.load_builder().with_settings(steps).load("simple_humanoid.glb");
    let lamp = commands
        .spawn((
            Mesh3d(meshes.add(Sphere::new(0.15))),
            MeshMaterial3d(materials.add(StandardMaterial { emissive: LinearRgba::rgb(8.0, 6.0, 2.0), ..default() })),
            Transform::from_xyz(4.0, 2.2, 7.0),
        ))
        .id();
    let hero = commands.spawn((NebulaCharacter::new(file), Hero::default(), FeetOnGround, GazeAt(lamp))).id();
    let sword = assets.load("sword.glb#Scene0");
    commands.spawn((AttachedTo::new(hero, "RightHand"), WorldAssetRoot(sword), Transform::from_xyz(0.0, 0.07, 0.0)));
    let grass = materials.add(StandardMaterial {
        base_color: Color::srgb(0.35, 0.5, 0.25),
        perceptual_roughness: 1.0,
        ..default()
    });
    commands.spawn((Mesh3d(meshes.add(terrain())), MeshMaterial3d(grass)));
    commands.spawn((
        DirectionalLight { shadow_maps_enabled: true, ..default() },
        Transform::from_xyz(3.0, 6.0, 2.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    commands.spawn((Camera3d::default(), Transform::from_xyz(0.0, 3.0, -5.0)));
}

/// The hills as triangles.
fn terrain() -> Mesh {
    let side = 161;
    let at = |index: u32| {
        let (x, z) = (index % side, index / side);
        Vec2::new(x as f32, z as f32) / (side - 1) as f32 * (2.0 * REACH) - REACH
    };
    let places = (0..side * side).map(at);
    let positions: Vec<_> = places.clone().map(|place| [place.x, height(place), place.y]).collect();
    let normals: Vec<_> = places.map(|place| normal(place).to_array()).collect();
    let corners = (0..side - 1).flat_map(|z| (0..side - 1).map(move |x| z * side + x));
    let indices = corners
        .flat_map(|corner| [corner, corner + side, corner + 1, corner + 1, corner + side, corner + side + 1])
        .collect();
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_indices(Indices::U32(indices))
}

/// Gaits by speed, and a layer for the arms.
fn set_up(ready: On<CharacterReady>, mut heroes: Query<(&mut Animator, &mut Hero)>) -> Result {
    let (mut animator, mut hero) = heroes.get_mut(ready.entity)?;
    let clips = animator.mixer.clips().clone();
    let gaits = [clips.find("idle")?, clips.find("walk")?, clips.find("run")?];
    let gait = animator.mixer.add_blend_space(BlendSpace::by_speed(&clips, &gaits)?);
    animator.mixer.play(gait, 0.0)?;
    let mask = animator.rig().upper_body()?;
    hero.arms = animator.mixer.add_masked_layer("arms", mask);
    hero.gait = Some(gait);
    Ok(())
}

/// Keys to a velocity, and the velocity to a place and a gait.
fn steer(
    mut commands: Commands,
    keys: Option<Res<ButtonInput<KeyCode>>>,
    time: Res<Time>,
    mut heroes: Query<(Entity, &mut Hero, &mut Transform, &mut Animator, Has<Airborne>)>,
) -> Result {
    use KeyCode::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, KeyA, KeyD, KeyE, KeyS, KeyW, ShiftLeft, Space};
    let (dt, by_itself) = (time.delta_secs(), stage::is_headless());
    let is_down = |some: &[KeyCode]| keys.as_ref().is_some_and(|keys| keys.any_pressed(some.iter().copied()));
    let is_new = |key: KeyCode| keys.as_ref().is_some_and(|keys| keys.just_pressed(key));
    for (entity, mut hero, mut place, mut animator, is_airborne) in &mut heroes {
        let Some(gait) = hero.gait else { continue };
        let axis = |more: &[KeyCode], less: &[KeyCode]| {
            f32::from(u8::from(is_down(more))) - f32::from(u8::from(is_down(less)))
        };
        let mut wish =
            Vec2::new(axis(&[KeyA, ArrowLeft], &[KeyD, ArrowRight]), axis(&[KeyW, ArrowUp], &[KeyS, ArrowDown]));
        if by_itself {
            wish = Vec2::Y;
        }
        let speed = if is_down(&[ShiftLeft]) { 2.4 } else { 1.4 };
        let wish = wish.normalize_or_zero() * speed;
        hero.velocity = hero.velocity.lerp(wish, 1.0 - (-6.0 * dt).exp());
        if is_new(Space) && !is_airborne {
            hero.rise = 3.0;
            animator.mixer.play("jump", 0.1)?.looping = false;
            commands.entity(entity).insert(Airborne);
        }
        if is_new(KeyE) {
            let arms = hero.arms;
            animator.mixer.play_once_on(arms, "wave", 0.2, 0.2)?;
        }
        place.translation += Vec3::new(hero.velocity.x, hero.rise, hero.velocity.y) * dt;
        hero.rise -= 9.81 * dt;
        let ground = height(place.translation.xz());
        if !is_airborne || place.translation.y <= ground {
            (place.translation.y, hero.rise) = (ground, 0.0);
            if is_airborne {
                animator.mixer.play(gait, Fade::inertialised(0.2))?;
                commands.entity(entity).remove::<Airborne>();
            }
        }
        if hero.velocity.length() > 0.1 {
            // The character faces +Z of its model.
            let to = Quat::from_rotation_y(hero.velocity.x.atan2(hero.velocity.y));
            place.rotation = place.rotation.slerp(to, 1.0 - (-10.0 * dt).exp());
        }
        animator.mixer.set_blend_position(gait, Vec2::X * hero.velocity.length())?;
    }
    Ok(())
}

/// The camera goes along, behind and to the side.
fn follow(heroes: Query<&Transform, With<Hero>>, mut cameras: Query<&mut Transform, (With<Camera3d>, Without<Hero>)>) {
    for (hero, mut camera) in heroes.iter().zip(&mut cameras) {
        let eye = hero.translation + Vec3::new(-2.2, 1.9, 2.6);
        *camera = Transform::from_translation(eye).looking_at(hero.translation + Vec3::Y * 0.9, Vec3::Y);
    }
}

/// What a game would play sounds by.
fn count_steps(mut events: MessageReader<AnimationEvent>, mut heroes: Query<&mut Hero>) {
    for event in events.read().filter(|event| event.name() == "step" && event.weight > 0.5) {
        if let Ok(mut hero) = heroes.get_mut(event.entity) {
            hero.steps += 1;
            println!("step {}", hero.steps);
        }
    }
}
