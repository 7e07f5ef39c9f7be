//! Entities with a mixer beside their player.

use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use glam::{Mat4, Quat, Vec3};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationMixer, AnimationPlayer, Channel, ClipMarkers, Interpolation, Joint,
    Keyframe, Marker, SharedSkeleton, Skeleton, add_animation_systems,
    ecs::{AnimationEvent, AnimationFinished, Time},
};

fn skeleton() -> Skeleton {
    let joint = Joint {
        index: 0,
        parent: None,
        inverse_bind_matrix: Mat4::IDENTITY,
        name: "root".into(),
        bind_translation: Vec3::ZERO,
        bind_rotation: Quat::IDENTITY,
        bind_scale: Vec3::ONE,
    };
    Skeleton { joints: vec![joint] }
}

fn clips() -> AnimationClipLibrary {
    let clip = |name: &str, height: f32| {
        let key = |time, y| Keyframe { time, value: Vec3::new(0.0, y, 0.0), tangents: None };
        let keyframes = vec![key(0.0, height), key(1.0, height + 1.0)];
        let channel = Channel { joint_index: 0, interpolation: Interpolation::Linear, keyframes };
        AnimationClip { name: name.into(), duration: 1.0, translation_channels: vec![channel], ..Default::default() }
    };
    vec![clip("low", 0.0), clip("high", 10.0)].into()
}

fn frame(world: &mut World, schedule: &mut Schedule, dt: f64) {
    world.get_resource_or_init::<Time>().advance(dt);
    schedule.run(world);
}

#[test]
fn a_mixer_drives_pose_palette_and_messages() {
    let mut markers = ClipMarkers::new();
    markers.add(0, Marker { name: "step".into(), time: 0.25 });
    let mut mixer = AnimationMixer::new(clips()).with_markers(markers);
    mixer.play("low", 0.3).expect("it is there");
    let mut world = World::new();
    let mut schedule = Schedule::default();
    add_animation_systems(&mut schedule);
    let player = AnimationPlayer::new(1, 1.0, 1);
    let mixed = world.spawn((mixer, player.clone(), SharedSkeleton::from(skeleton()), clips())).id();
    let alone = world.spawn((player, skeleton(), clips())).id();

    frame(&mut world, &mut schedule, 0.5);
    let height =
        |world: &World, entity| world.get::<AnimationPlayer>(entity).expect("a player").joint_matrices[0].w_axis.y;
    assert!((height(&world, mixed) - 0.5).abs() < 1e-6);
    assert!((height(&world, alone) - 10.5).abs() < 1e-6, "its own clip goes on");
    assert_eq!(world.get::<AnimationPlayer>(mixed).expect("a player").time, 0.0, "its own clock stands still");
    let events: Vec<AnimationEvent> = world.resource_mut::<Messages<AnimationEvent>>().drain().collect();
    assert_eq!(events.len(), 1);
    assert_eq!((events[0].entity, events[0].name(), events[0].weight), (mixed, "step", 1.0));

    let mut mixer = world.get_mut::<AnimationMixer>(mixed).expect("a mixer");
    mixer.play("high", 0.5).expect("it is there").looping = false;
    frame(&mut world, &mut schedule, 0.25);
    assert!((height(&world, mixed) - (0.5 * 0.75 + 0.5 * 10.25)).abs() < 1e-4);
    frame(&mut world, &mut schedule, 1.0);
    assert!((height(&world, mixed) - 11.0).abs() < 1e-6);
    let finished: Vec<_> = world.resource_mut::<Messages<AnimationFinished>>().drain().collect();
    assert_eq!(finished, [AnimationFinished { entity: mixed }]);

    // Without its mixer, the player goes on by itself.
    world.entity_mut(mixed).remove::<AnimationMixer>();
    frame(&mut world, &mut schedule, 0.25);
    assert!((height(&world, mixed) - 10.25).abs() < 1e-6);
}

/// A skeleton that is changed in place is looked at again.
#[test]
fn a_changed_skeleton_counts() {
    let mut world = World::new();
    let mut schedule = Schedule::default();
    add_animation_systems(&mut schedule);
    let entity = world.spawn((AnimationMixer::new(clips()), AnimationPlayer::new(0, 1.0, 1), skeleton())).id();
    frame(&mut world, &mut schedule, 0.1);
    world.get_mut::<Skeleton>(entity).expect("a skeleton").joints[0].bind_translation.x = 7.0;
    frame(&mut world, &mut schedule, 0.1);
    assert_eq!(world.get::<AnimationPlayer>(entity).expect("a player").local_poses[0].0.x, 7.0);
}
