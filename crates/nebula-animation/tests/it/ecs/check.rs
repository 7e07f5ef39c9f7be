//! Parts that do not belong together are an error that names their entity, once.

use bevy_ecs::name::Name;
use bevy_ecs::prelude::*;
use nebula_animation::{
    AnimationClipLibrary, AnimationPlayer, BoneAttachment, BreathingLayer, Character, FootPlacement, GroundPoint,
    GroundQuery, LibraryOptions, ProceduralAnimationStack, ProceduralLayer, Rig, add_animation_systems,
    animation_playback_system,
    ecs::{ChildOffset, RootMotion, Time, Transform, add_animation_systems_on},
    procedural::Faded,
    procedural_animation_system,
    rig::{FeetRig, LegJoints},
};

use super::library;
use crate::player::rig::{chain, slide};
use crate::player::warnings;

fn clips() -> AnimationClipLibrary {
    library(&chain(3), &[slide(0, 1.0)])
}

fn player() -> AnimationPlayer {
    AnimationPlayer::new(0, 1.0, 3)
}

fn moving() -> Character {
    let options = LibraryOptions { root_motion: Some(Default::default()), ..LibraryOptions::default() };
    Character::of(AnimationClipLibrary::with_options(&Rig::new(chain(3)), &[slide(0, 1.0)], options))
}

fn stack(layer: impl ProceduralLayer) -> ProceduralAnimationStack {
    ProceduralAnimationStack { layers: vec![Box::new(layer)] }
}

fn feet() -> FootPlacement {
    let leg = LegJoints { thigh: 0, shin: 1, foot: 2, toes: None };
    FootPlacement::new(FeetRig::new(clips().rig(), 0, &[leg]))
}

fn with_feet(layer: impl ProceduralLayer) -> Character {
    let mut character = Character::of(clips());
    character.add_layer(layer);
    character
}

fn run(world: &mut World, schedule: &mut Schedule) {
    for _ in 0..4 {
        world.get_resource_or_init::<Time>().advance(0.125);
        schedule.run(world);
    }
}

/// Takes something away.
fn without<C: Component>(world: &mut World, entity: Entity) {
    world.entity_mut(entity).remove::<C>();
}

/// Makes an entity and runs some frames, changes it and runs some more. The entity's name is in one error, which says this too.
#[track_caller]
fn assert_error(
    name: &'static str,
    words: &str,
    make: impl FnOnce(&mut World) -> Entity,
    change: impl FnOnce(&mut World, Entity),
) {
    let mut world = World::new();
    let mut schedule = Schedule::default();
    add_animation_systems(&mut schedule);
    let texts = warnings::texts_of(&format!("entity {name} "), || {
        let entity = make(&mut world);
        world.entity_mut(entity).insert(Name::new(name));
        run(&mut world, &mut schedule);
        change(&mut world, entity);
        run(&mut world, &mut schedule);
    });
    let [text] = &texts[..] else { panic!("{name}: one error, not {texts:?}") };
    assert!(text.contains(words), "{name}: {text}");
}

/// The same, where it is there from the beginning.
#[track_caller]
fn assert_misfit(name: &'static str, words: &str, bundle: impl Bundle) {
    assert_error(name, words, |world| world.spawn(bundle).id(), |_, _| {});
}

#[test]
fn players_and_their_layers_without_what_they_need() {
    let no_library = "has an AnimationPlayer and no AnimationClipLibrary";
    assert_misfit("clipless", no_library, (player(), chain(3)));
    assert_error(
        "robbed of its clips",
        no_library,
        |world| world.spawn((player(), clips())).id(),
        without::<AnimationClipLibrary>,
    );

    assert_misfit("statue", "it has no AnimationPlayer", stack(BreathingLayer::new(1)));
    assert_misfit(
        "twice layered",
        "add layers to its Character",
        (stack(BreathingLayer::new(1)), Character::of(clips())),
    );
    let layered = |world: &mut World| world.spawn((player(), clips(), stack(BreathingLayer::new(1)))).id();
    assert_error("robbed of its player", "without a pose to modify", layered, without::<AnimationPlayer>);
}

#[test]
fn two_that_play_one_entity() {
    assert_misfit("split", "a Character and an AnimationPlayer", (Character::of(clips()), player(), clips()));
    let add = |world: &mut World, entity: Entity| {
        world.entity_mut(entity).insert((player(), clips()));
    };
    assert_error("split later", "a Character and an AnimationPlayer", |world| world.spawn(moving()).id(), add);
    assert_misfit("twice clipped", "an AnimationClipLibrary that nothing plays", (Character::of(clips()), clips()));
}

#[test]
fn root_motion_that_cannot_be() {
    let motion = RootMotion::default;
    assert_misfit("pushed", "no Character", (motion(), Transform::default()));
    assert_misfit("pushed player", "no Character", (motion(), player(), clips()));
    assert_misfit("rootless", "LibraryOptions::root_motion", (motion(), Character::of(clips())));
    let spawn = |world: &mut World| world.spawn((motion(), moving())).id();
    assert_error("robbed of its character", "no Character", spawn, without::<Character>);
    assert_error("robbed of its place", "no Transform", spawn, without::<Transform>);
    let replace = |world: &mut World, entity: Entity| {
        world.entity_mut(entity).remove::<Character>();
        world.entity_mut(entity).insert(Character::of(clips()));
    };
    // Taken away and put back between two frames: what is there then counts.
    let mut world = World::new();
    let mut schedule = Schedule::default();
    add_animation_systems(&mut schedule);
    let entity = world.spawn((Name::new("exchanged"), motion(), moving())).id();
    let texts = warnings::texts_of("entity exchanged ", || {
        run(&mut world, &mut schedule);
        replace(&mut world, entity);
        run(&mut world, &mut schedule);
    });
    assert!(!texts.is_empty() && texts.iter().all(|text| text.contains("LibraryOptions::root_motion")), "{texts:?}");
}

#[test]
fn skeletons_that_are_not_those_of_the_clips() {
    let words = "differs from the one its clips were compiled for";
    assert_misfit("misfit player", words, (player(), chain(2), clips()));
    assert_misfit("misfit character", words, (Character::of(clips()), chain(4)));
    let swap = |world: &mut World, entity: Entity| {
        world.entity_mut(entity).insert(chain(2));
    };
    assert_error("swapped", words, |world| world.spawn((player(), chain(3), clips())).id(), swap);
}

#[derive(Resource)]
struct Floor;

impl GroundQuery for Floor {
    fn ground(&self, _: glam::Vec3) -> Option<GroundPoint> {
        Some(GroundPoint::level(0.0))
    }
}

#[test]
fn feet_in_a_world_without_ground() {
    let words = "has a FootPlacement, and the world has no ground";
    assert_misfit("in the void", words, with_feet(feet()));
    assert_misfit("faded in the void", words, with_feet(Faded::shown(feet())));
    assert_misfit("player in the void", words, (player(), clips(), stack(feet())));
    // A ground that was announced and is not there, and one that is.
    for (name, is_there) in [("before the floor", false), ("on the floor", true)] {
        let mut world = World::new();
        let mut schedule = Schedule::default();
        add_animation_systems_on::<Floor>(&mut schedule);
        world.spawn((Name::new(name), with_feet(feet())));
        if is_there {
            world.insert_resource(Floor);
        }
        let told = warnings::count_of(&format!("entity {name} "), || run(&mut world, &mut schedule));
        assert_eq!(told, usize::from(!is_there), "{name}");
    }
}

#[test]
fn things_that_hang_on_nothing() {
    let sword = || BoneAttachment::named("Joint 2");
    assert_misfit("lost sword", "attached to joint \"Joint 2\" and is not the ChildOf a character", sword());
    assert_misfit("lost gem", "has a ChildOffset and is not the ChildOf anything", ChildOffset::default());

    let on_stone = |world: &mut World| {
        let stone = world.spawn(Transform::default()).id();
        world.spawn((sword(), ChildOf(stone))).id()
    };
    assert_error("sword in a stone", "which has neither a Character", on_stone, |_, _| {});
    let on_lonely = |world: &mut World| {
        let lonely = world.spawn((player(), Transform::default())).id();
        world.spawn((sword(), ChildOf(lonely))).id()
    };
    assert_error("sword of a clipless", "AnimationClipLibrary", on_lonely, |world, entity| {
        // What it hangs on gets what it needs to have joints.
        let parent = world.get::<ChildOf>(entity).expect("a parent").parent();
        world.entity_mut(parent).insert(clips());
    });

    let misspelt = |world: &mut World| {
        let hero = world.spawn(Character::of(clips())).id();
        world.spawn((BoneAttachment::named("Jiont 2"), ChildOf(hero))).id()
    };
    assert_error("misspelt sword", "\"Joint 2\"", misspelt, |_, _| {});

    let on_nothing = |world: &mut World| {
        let nothing = world.spawn_empty().id();
        world.spawn((ChildOffset::default(), ChildOf(nothing))).id()
    };
    assert_error("gem on nothing", "which has no Transform", on_nothing, |_, _| {});
    let ring = |world: &mut World| {
        let [first, second, third] = [0, 1, 2].map(|_| world.spawn(ChildOffset::default()).id());
        world.entity_mut(first).insert(ChildOf(second));
        world.entity_mut(second).insert(ChildOf(third));
        third
    };
    let stage = |world: &mut World| {
        let third = ring(world);
        let post = world.spawn(Transform::default()).id();
        world.entity_mut(third).insert(ChildOf(post));
        third
    };
    assert_error("ring", "is attached to itself", stage, |world, third| {
        let first = world
            .query::<(Entity, &ChildOf)>()
            .iter(world)
            .find(|(entity, child_of)| *entity != third && child_of.parent() != third);
        let first = first.expect("the outermost").0;
        world.entity_mut(third).insert(ChildOf(first));
    });
}

/// Without a name, by its number.
#[test]
fn entities_without_a_name_are_told_by_their_number() {
    let mut world = World::new();
    let mut schedule = Schedule::default();
    add_animation_systems(&mut schedule);
    // A number that no other test comes to.
    world.spawn_batch((0..7_777).map(|_| Transform::default()));
    let entity = world.spawn(player()).id();
    assert_eq!(warnings::count_of(&format!("entity {entity} has"), || run(&mut world, &mut schedule)), 1);
}

/// Where everything is there, nothing is said: not about players, characters, what they hold, and what else is in the world.
#[test]
fn what_belongs_together_is_not_an_error() {
    let mut world = World::new();
    let mut schedule = Schedule::default();
    add_animation_systems_on::<Floor>(&mut schedule);
    world.insert_resource(Floor);
    let name = || Name::new("sound");
    world.spawn((name(), player(), clips(), chain(3), stack(feet())));
    let mut hero = moving();
    hero.add_layer(feet());
    let hero = world.spawn((name(), hero, chain(3), RootMotion::default())).id();
    let sword = world.spawn((name(), BoneAttachment::named("Joint 2"), ChildOf(hero))).id();
    let gem = world.spawn((name(), ChildOffset::default(), ChildOf(sword))).id();
    world.spawn((name(), Transform::default()));
    world.spawn((name(), clips()));
    let texts = warnings::texts_of("entity sound ", || {
        run(&mut world, &mut schedule);
        // Dropped, and gone: no harm.
        world.entity_mut(sword).remove::<ChildOf>();
        run(&mut world, &mut schedule);
        world.despawn(hero);
        world.despawn(gem);
        run(&mut world, &mut schedule);
    });
    assert_eq!(texts, [""; 0]);
}

/// The systems say it too where they run without the schedule of this crate.
#[test]
fn systems_by_themselves_tell() {
    let mut world = World::new();
    let mut schedule = Schedule::default();
    schedule.add_systems((animation_playback_system, procedural_animation_system).chain());
    world.spawn((Name::new("alone with a clip"), player()));
    world.spawn((Name::new("alone with a layer"), stack(BreathingLayer::new(0))));
    let texts = warnings::texts_of("entity alone with a ", || run(&mut world, &mut schedule));
    assert_eq!(texts.len(), 2, "{texts:?}");
}
