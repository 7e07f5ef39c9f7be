use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use nebula_animation::{
    AnimationPlayer, LayerId,
    ecs::{AnimationFinished, AnimationLooped, Time},
};

use super::{player, world};

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
