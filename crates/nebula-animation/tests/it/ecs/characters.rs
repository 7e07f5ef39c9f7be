//! Entities with a character.

use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use glam::{Mat4, Quat, Vec3};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationPlayer, Channel, Character, ClipMarkers, Interpolation, Joint,
    Keyframe, LayerId, LibraryOptions, Marker, Rig, Skeleton, add_animation_systems,
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

fn clips(markers: ClipMarkers) -> AnimationClipLibrary {
    let clip = |name: &str, height: f32| {
        let key = |time, y| Keyframe { time, value: Vec3::new(0.0, y, 0.0), tangents: None };
        let keyframes = vec![key(0.0, height), key(1.0, height + 1.0)];
        let channel = Channel { joint_index: 0, interpolation: Interpolation::Linear, keyframes };
        AnimationClip { name: name.into(), duration: 1.0, translation_channels: vec![channel], ..Default::default() }
    };
    let options = LibraryOptions { markers, ..LibraryOptions::default() };
    AnimationClipLibrary::with_options(&Rig::new(skeleton()), &[clip("low", 0.0), clip("high", 10.0)], options)
}

fn frame(world: &mut World, schedule: &mut Schedule, dt: f64) {
    world.get_resource_or_init::<Time>().advance(dt);
    schedule.run(world);
}

#[test]
fn a_character_has_pose_palette_and_messages() {
    let mut markers = ClipMarkers::new();
    markers.add(0, Marker { name: "step".into(), time: 0.25 });
    let clips = clips(markers);
    let mut character = Character::of(clips.clone());
    character.mixer.play("low", 0.3).expect("it is there");
    let mut world = World::new();
    let mut schedule = Schedule::default();
    add_animation_systems(&mut schedule);
    let mixed = world.spawn(character).id();
    let alone = world.spawn((AnimationPlayer::new(1, 1.0, 1), skeleton(), clips)).id();

    frame(&mut world, &mut schedule, 0.5);
    let height = |world: &World, entity| world.get::<Character>(entity).expect("it is one").palette()[0].w_axis.y;
    assert!((height(&world, mixed) - 0.5).abs() < 1e-6);
    let player = world.get::<AnimationPlayer>(alone).expect("a player");
    assert!((player.joint_matrices[0].w_axis.y - 10.5).abs() < 1e-6, "a player beside it");
    let events: Vec<AnimationEvent> = world.resource_mut::<Messages<AnimationEvent>>().drain().collect();
    assert_eq!(events.len(), 1);
    assert_eq!((events[0].entity, events[0].name(), events[0].weight), (mixed, "step", 1.0));

    let mut character = world.get_mut::<Character>(mixed).expect("it is one");
    character.mixer.play("high", 0.5).expect("it is there").looping = false;
    frame(&mut world, &mut schedule, 0.25);
    assert!((height(&world, mixed) - (0.5 * 0.75 + 0.5 * 10.25)).abs() < 1e-4);
    frame(&mut world, &mut schedule, 1.0);
    assert!((height(&world, mixed) - 11.0).abs() < 1e-6);
    let finished: Vec<_> = world.resource_mut::<Messages<AnimationFinished>>().drain().collect();
    assert_eq!(finished, [AnimationFinished { entity: mixed, layer: LayerId::BASE }]);
}
