use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use nebula_animation::{
    AnimationClip, AnimationPlayer, Character, Fade, LayerId,
    ecs::{AnimationFinished, AnimationLooped, Time},
};

use super::{library, player, world};
use crate::player::rig::{chain, slide};

#[derive(Resource, Default)]
struct Log {
    finished: Vec<AnimationFinished>,
    looped: Vec<AnimationLooped>,
}

fn read(
    mut log: ResMut<Log>,
    mut finished: MessageReader<AnimationFinished>,
    mut looped: MessageReader<AnimationLooped>,
) {
    log.finished.extend(finished.read());
    log.looped.extend(looped.read());
}

#[test]
fn every_loop_and_every_end_is_read_once() {
    let (mut world, mut schedule, entity) = world();
    world.init_resource::<Log>();
    let mut reader = Schedule::default();
    reader.add_systems(read);
    let mut loops = 0;
    for frame in 0..100 {
        world.get_resource_or_init::<Time>().advance(0.375);
        schedule.run(&mut world);
        if frame == 79 {
            player(&mut world, entity).looping = false;
        }
        reader.run(&mut world);
        loops = world.resource::<Log>().looped.iter().map(|message| message.passes).sum();
    }
    assert_eq!(loops, 30, "80 frames of 0.375 s are 30 passes of 1 s");
    assert_eq!(world.resource::<Log>().finished, [AnimationFinished { entity, layer: LayerId::BASE }]);
    assert!(!player(&mut world, entity).playing);
}

#[test]
fn one_long_frame_is_one_message() {
    let (mut world, mut schedule, entity) = world();
    world.init_resource::<Log>();
    schedule.add_systems(read.after(nebula_animation::ecs::AnimationSet::AdvanceAndSample));
    world.get_resource_or_init::<Time>().advance(1e6);
    schedule.run(&mut world);
    assert_eq!(world.resource::<Log>().looped, [AnimationLooped { entity, layer: LayerId::BASE, passes: 1_000_000 }]);
}

#[test]
fn messages_that_nobody_reads_do_not_pile_up() {
    let (mut world, mut schedule, _) = world();
    for _ in 0..1000 {
        world.get_resource_or_init::<Time>().advance(1.0);
        schedule.run(&mut world);
    }
    assert!(world.resource::<Messages<AnimationLooped>>().len() <= 2);
}

#[test]
fn the_entity_of_a_message_may_be_gone() {
    let (mut world, mut schedule, entity) = world();
    world.init_resource::<Log>();
    player(&mut world, entity).looping = false;
    world.get_resource_or_init::<Time>().advance(2.0);
    schedule.run(&mut world);
    world.despawn(entity);
    let mut reader = Schedule::default();
    reader.add_systems(read);
    reader.run(&mut world);
    assert_eq!(world.resource::<Log>().finished, [AnimationFinished { entity, layer: LayerId::BASE }]);
    assert!(world.get::<AnimationPlayer>(entity).is_none());
    schedule.run(&mut world);
}

/// A library of a clip of a second, one of a quarter of it, and a character of it.
fn character() -> Character {
    let short = AnimationClip { name: "short".into(), ..slide(1, 0.25) };
    let mut character = Character::of(library(&chain(2), &[slide(0, 1.0), short]));
    character.mixer.play(0, 0.0).expect("a clip");
    character
}

/// Frames of an eighth of a second; what was read after each.
fn frames(world: &mut World, [schedule, reader]: &mut [Schedule; 2], count: usize) -> Vec<Log> {
    let frame = |_| {
        world.insert_resource(Log::default());
        world.get_resource_or_init::<Time>().advance(0.125);
        schedule.run(world);
        reader.run(world);
        world.remove_resource::<Log>().expect("just inserted")
    };
    (0..count).map(frame).collect()
}

#[test]
fn the_ends_and_passes_of_every_layer_of_a_character_are_told() {
    let (mut world, schedule, player) = world();
    world.despawn(player);
    let mut reader = Schedule::default();
    reader.add_systems(read);
    let mut schedules = [schedule, reader];
    let mut character = character();
    let arm = character.mixer.add_layer("arm");
    let entity = world.spawn(character).id();
    let ends = |log: &[Log]| -> Vec<(usize, LayerId)> {
        let all = log.iter().enumerate();
        all.flat_map(|(frame, log)| log.finished.iter().map(move |end| (frame, end.layer))).collect()
    };
    let loops = |log: &[Log]| -> Vec<(usize, LayerId, u32)> {
        let all = log.iter().enumerate();
        all.flat_map(|(frame, log)| log.looped.iter().map(move |pass| (frame, pass.layer, pass.passes))).collect()
    };
    // The base layer starts over with every eighth frame.
    let log = frames(&mut world, &mut schedules, 16);
    assert_eq!((ends(&log), loops(&log)), (vec![], vec![(7, LayerId::BASE, 1), (15, LayerId::BASE, 1)]));

    // One-shots of the arm, whatever the fade, end once, and the base goes on.
    for (fade_out, end) in [(Fade::NONE, 7), (Fade::linear(0.25), 7), (Fade::inertialised(0.25), 6)] {
        let mixer = &mut world.get_mut::<Character>(entity).expect("it is one").into_inner().mixer;
        mixer.play_once_on(arm, 0, 0.125, fade_out).expect("a clip");
        let log = frames(&mut world, &mut schedules, 16);
        assert_eq!(ends(&log), [(end, arm)], "{fade_out:?}");
        assert_eq!(loops(&log), [(7, LayerId::BASE, 1), (15, LayerId::BASE, 1)]);
        assert!(log.iter().flat_map(|log| &log.finished).all(|end| end.entity == entity));
    }

    // A loop of the arm, and the base that comes to its end: each with its layer.
    let mixer = &mut world.get_mut::<Character>(entity).expect("it is one").into_inner().mixer;
    mixer.play_on(arm, "short", 0.0).expect("a clip");
    mixer.current_action.as_mut().expect("it plays").looping = false;
    let log = frames(&mut world, &mut schedules, 16);
    assert_eq!(ends(&log), [(7, LayerId::BASE)]);
    let of_arm = [1, 3, 5, 7, 9, 11, 13, 15].map(|frame| (frame, arm, 1));
    assert_eq!(loops(&log), of_arm);

    // Several passes in one frame are one message.
    world.insert_resource(Log::default());
    world.get_resource_or_init::<Time>().advance(1000.0);
    schedules.iter_mut().for_each(|schedule| schedule.run(&mut world));
    assert_eq!(world.resource::<Log>().looped, [AnimationLooped { entity, layer: arm, passes: 4000 }]);
}

#[test]
fn messages_of_characters_do_not_pile_up() {
    let (mut world, mut schedule, _) = world();
    for _ in 0..10 {
        world.spawn(character());
    }
    for _ in 0..100 {
        world.get_resource_or_init::<Time>().advance(1.0);
        schedule.run(&mut world);
    }
    assert!(world.resource::<Messages<AnimationLooped>>().len() <= 2 * 11);
}
