//! Components and systems: a character that walks, looks at something, holds a sword and reports when its clip loops.
//!
//! ```sh
//! cargo run -p nebula-animation --example bevy_ecs
//! cargo run -p nebula-animation --example bevy_ecs -- my.glb  # any humanoid
//! ```
use bevy_ecs::prelude::*;
use glam::Vec3;
use nebula_animation::{
    AnimationClipLibrary, Asset, BoneAttachment, Character, HumanoidJoint, add_animation_systems,
    ecs::{AnimationLooped, AnimationSet, Time, Transform, WorldMatrix},
    skeleton::Side,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb");

/// What a renderer would do: it runs after the palettes are computed, and uploads those that have changed.
fn upload(characters: Query<&Character, Changed<Character>>, mut uploaded: ResMut<Uploaded>) {
    uploaded.0 += characters.iter().map(|character| character.palette().len()).sum::<usize>();
}

#[derive(Resource, Default)]
struct Uploaded(usize);

/// How often clips loop.
fn count_loops(mut messages: MessageReader<AnimationLooped>, mut loops: ResMut<Loops>) {
    loops.0 += messages.read().map(|message| message.passes).sum::<u32>();
}

#[derive(Resource, Default)]
struct Loops(u32);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).unwrap_or(FILE.into());
    let asset = Asset::load(file)?;
    let rig = asset.rig();
    let clips = AnimationClipLibrary::new(&rig, &asset.clips());
    let hand = &rig.joints[usize::from(rig.humanoid().require(HumanoidJoint::Hand(Side::Right))?)].name;
    let (joints, duration) = (rig.joint_count(), clips.first().ok_or("the file has no clips")?.duration());

    let mut world = World::new();
    world.init_resource::<Uploaded>();
    world.init_resource::<Loops>();
    let mut schedule = Schedule::default();
    add_animation_systems(&mut schedule);
    schedule.add_systems((upload, count_loops).after(AnimationSet::Palette));

    // Two characters share a rig and clips. One stands still; one looks at a target.
    let mut still = Character::of(clips.clone());
    still.mixer.play(0, 0.0)?.playing = false;
    world.spawn(still);
    let mut walker = Character::of(clips);
    walker.mixer.play(0, 0.0)?;
    walker.add_layer(rig.humanoid().aim(&rig, Vec3::new(3.0, 1.5, 3.0))?);
    let walker = world.spawn((walker, Transform::from_translation(Vec3::X))).id();
    let sword = world.spawn((BoneAttachment::named(hand), ChildOf(walker))).id();

    for frame in 1..=150 {
        world.get_resource_or_init::<Time>().advance(1.0 / 60.0);
        schedule.run(&mut world);
        if frame % 50 == 0 {
            let matrix = world.get::<WorldMatrix>(sword).ok_or("attached entities have one")?.0;
            println!("{:.2} s: the sword is at {:.2}", f64::from(frame) / 60.0, matrix.w_axis.truncate());
            assert!(matrix.is_finite() && matrix != glam::Mat4::IDENTITY);
        }
    }
    let (uploaded, loops) = (world.resource::<Uploaded>().0, world.resource::<Loops>().0);
    println!(
        "{uploaded} matrices uploaded: {joints} in every frame, and once those of the character that stands still"
    );
    println!("the walker has started over {loops} times");
    assert_eq!(uploaded, 150 * joints + joints);
    assert_eq!(loops, (2.5 / duration) as u32);
    Ok(())
}
