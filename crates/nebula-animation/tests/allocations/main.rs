//! Nothing is allocated in a frame once everything has been seen, and what an entity takes from the allocator.
//!
//! A binary of its own, because the allocator is that of the whole process. Counts are those of the thread that asks:
//! the test runner's own thread allocates when it likes.
#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on panics, helper functions included")]
#![cfg(all(feature = "ecs", feature = "gltf"))]

mod character;
#[path = "../counting/mod.rs"]
mod counting;
mod machine;
mod size;

use bevy_ecs::prelude::*;
use glam::{Mat4, Quat, Vec3};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationPlayer, BoneAttachment, BreathingLayer, Channel, Character, Clock,
    Interpolation, Joint, JointPose, Keyframe, LeanLayer, ProceduralAnimationStack, Rig, Skeleton, Surroundings,
    add_animation_systems, compute_world_matrices,
    ecs::{Time, Transform, Velocity},
    player::advance_and_sample,
};

use counting::held;

const JOINTS: u16 = 67;

fn skeleton() -> Skeleton {
    let joint = |index: u16| Joint {
        index,
        parent: index.checked_sub(1).map(|before| before / 2),
        inverse_bind_matrix: Mat4::IDENTITY,
        name: format!("Joint {index}"),
        bind_translation: Vec3::Y,
        bind_rotation: Quat::IDENTITY,
        bind_scale: Vec3::ONE,
    };
    Skeleton { joints: (0..JOINTS).map(joint).collect() }
}

fn clips() -> Vec<AnimationClip> {
    let channel = |joint_index: u16| Channel {
        joint_index,
        interpolation: Interpolation::Linear,
        keyframes: (0..30_u8)
            .map(|key| Keyframe {
                time: f32::from(key) / 30.0,
                value: Quat::from_rotation_x(f32::from(key) * 0.02),
                tangents: None,
            })
            .collect(),
    };
    let clip = |duration| AnimationClip {
        name: "walk".into(),
        duration,
        rotation_channels: (0..JOINTS).map(channel).collect(),
        ..AnimationClip::default()
    };
    vec![clip(1.0), clip(0.7)]
}

/// How often the allocator is asked for memory.
fn allocations(action: impl FnOnce()) -> u64 {
    let before = counting::allocations();
    action();
    counting::allocations() - before
}

#[test]
fn frames_allocate_nothing_and_entities_little() {
    let rig = Rig::new(skeleton());
    let clips = AnimationClipLibrary::new(&rig, &clips());

    let mut character = Character::of(clips.clone());
    character.mixer.play(0, 0.0).expect("a clip");
    character.update(0.1, &Surroundings::default());
    let count = allocations(|| {
        for frame in 0..1000_u16 {
            character.update(1.0 / 60.0, &Surroundings::default());
            if frame % 100 == 50 {
                character.mixer.play(usize::from(frame / 100 % 2), 0.0).expect("a clip");
            }
            if frame % 100 == 75 {
                let action = character.mixer.current_action.as_mut().expect("it plays");
                (action.time, action.playing) = (0.3, frame % 200 == 75);
            }
        }
    });
    assert_eq!(count, 0, "a character's frames");

    let mut player = AnimationPlayer::new(0, 1.0, JOINTS.into());
    let update = |player: &mut AnimationPlayer, dt: f64| {
        advance_and_sample(player, &rig, &clips, dt);
        compute_world_matrices(player, &rig);
    };
    update(&mut player, 0.1);
    let count = allocations(|| {
        for frame in 0..1000_u16 {
            update(&mut player, 1.0 / 60.0);
            if frame % 100 == 50 {
                player.play(usize::from(frame / 100 % 2));
            }
            if frame % 100 == 75 {
                player.time = 0.3;
                player.playing = frame % 200 == 75;
            }
        }
    });
    assert_eq!(count, 0, "a player's frames");

    // A power of two, because tables grow by doubling: no room is left over.
    const ENTITIES: usize = 8192;
    let mut world = World::new();
    let spawn = |world: &mut World| {
        let player = AnimationPlayer::new(0, 1.0, JOINTS.into());
        world.spawn((player, clips.clone())).id()
    };
    let before = held();
    let entities: Vec<Entity> = (0..ENTITIES).map(|_| spawn(&mut world)).collect();
    let taken = (held() - before) as usize - entities.capacity() * size_of::<Entity>();
    let data = usize::from(JOINTS) * (size_of::<JointPose>() + size_of::<Mat4>());
    let own = size_of::<AnimationPlayer>() + size_of::<AnimationClipLibrary>();
    println!("per entity: {} bytes, of which pose and palette {data}, components {own}", taken / ENTITIES);
    assert!(taken / ENTITIES <= data + 256, "{} bytes", taken / ENTITIES - data);

    // A few of them are enough to see whether frames allocate.
    entities[256..].iter().for_each(|&entity| assert!(world.despawn(entity)));
    for entity in &entities[..256] {
        let mut stack = ProceduralAnimationStack::default();
        stack.push(LeanLayer::new(3));
        stack.push(BreathingLayer::new(5));
        world.entity_mut(*entity).insert((stack, Transform::default(), Velocity { linear: Vec3::X }));
    }
    let sword = BoneAttachment::new(&rig, "Joint 9").expect("there is one");
    world.spawn_batch(entities[..64].iter().map(|entity| (sword.clone(), ChildOf(*entity))).collect::<Vec<_>>());
    let mut schedule = Schedule::default();
    add_animation_systems(&mut schedule);
    let mut frame = |world: &mut World| {
        world.get_resource_or_init::<Time>().advance(1.0 / 60.0);
        schedule.run(world);
    };
    // Two seconds, until the messages' buffers have seen their fullest frame.
    (0..130).for_each(|_| frame(&mut world));
    let count = allocations(|| (0..130).for_each(|_| frame(&mut world)));
    println!("{count} allocations in 130 frames of 256 entities");
    // bevy's executor for several threads allocates tasks.
    let has_threads = bevy_tasks::ComputeTaskPool::try_get().is_some();
    assert!(has_threads || count == 0, "{count}");

    let clock = Clock { end: Some(0.5), reverse: true, ..Clock::default() };
    let mut player = world.get_mut::<AnimationPlayer>(entities[0]).expect("a player");
    assert_eq!(allocations(|| player.play_by(0, clock)), 1, "a clock of its own is kept aside");
}
