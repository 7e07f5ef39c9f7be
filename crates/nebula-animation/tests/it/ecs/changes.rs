//! What counts as changed: what changes, and nothing that stands still.

use bevy_ecs::prelude::*;
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationPlayer, BreathingLayer, Character, Rig, add_animation_systems,
    clip::MorphLayout,
    ecs::{AnimationSet, RootMotion, Time, Transform},
    rig::RigOptions,
};

use crate::player::rig::{chain, slide};

/// Who was changed in the last frame.
#[derive(Resource, Default)]
struct Noted {
    characters: Vec<Entity>,
    players: Vec<Entity>,
    places: Vec<Entity>,
}

fn note(
    mut changed: ResMut<Noted>,
    characters: Query<Entity, Changed<Character>>,
    players: Query<Entity, Changed<AnimationPlayer>>,
    places: Query<Entity, Changed<Transform>>,
) {
    changed.characters = characters.iter().collect();
    changed.players = players.iter().collect();
    changed.places = places.iter().collect();
}

/// Three joints, a clip that moves them, one that stands, and one of a face.
fn library() -> AnimationClipLibrary {
    let still = AnimationClip { name: "still".into(), duration: 1.0, ..Default::default() };
    let smile = AnimationClip::of_morph_weight("smile", 0, &[(0.0, 0.0), (1.0, 1.0)]);
    let clips = [slide(0, 1.0), still, smile];
    let options = RigOptions { morphs: MorphLayout::of_clips(&clips), ..RigOptions::default() };
    AnimationClipLibrary::new(&Rig::with_options(chain(3), options), &clips)
}

struct Stage {
    world: World,
    schedule: Schedule,
}

impl Stage {
    fn new() -> Self {
        let (mut world, mut schedule) = (World::new(), Schedule::default());
        add_animation_systems(&mut schedule);
        schedule.add_systems(note.after(AnimationSet::Attachments));
        world.init_resource::<Noted>();
        Self { world, schedule }
    }

    fn frame(&mut self) -> &Noted {
        self.world.get_resource_or_init::<Time>().advance(1.0 / 64.0);
        self.schedule.run(&mut self.world);
        self.world.resource()
    }

    fn skip(&mut self) {
        self.frame();
    }

    fn character(&mut self, entity: Entity) -> Mut<'_, Character> {
        self.world.get_mut(entity).expect("it is one")
    }

    /// How many of ten frames change a character, after one in which a change of the user's own may show.
    fn changes(&mut self, entity: Entity) -> usize {
        self.frame();
        (0..10).filter(|_| self.frame().characters.contains(&entity)).count()
    }
}

#[test]
fn a_character_counts_as_changed_while_it_moves() {
    let mut stage = Stage::new();
    let mut character = Character::of(library());
    character.mixer.play("slide 0", 0.0).expect("a clip");
    let entity = stage.world.spawn(character).id();
    assert_eq!(stage.changes(entity), 10, "it plays");
    stage.character(entity).mixer.time_scale = 0.0;
    assert_eq!(stage.changes(entity), 0, "no time passes");
    stage.character(entity).mixer.time_scale = 1.0;
    stage.character(entity).mixer.pause();
    assert_eq!(stage.changes(entity), 0, "the action is paused");
    stage.character(entity).mixer.resume();
    assert_eq!(stage.changes(entity), 10);
    stage.character(entity).mixer.play("still", 0.25).expect("a clip");
    assert_eq!(stage.changes(entity), 10, "it fades");
    (0..10).for_each(|_| stage.skip());
    assert_eq!(stage.changes(entity), 0, "a clip that runs and does not move anything");
    stage.character(entity).mixer.play("slide 0", 0.0).expect("a clip").looping = false;
    assert_eq!(stage.changes(entity), 10);
    (0..64).for_each(|_| stage.skip());
    assert_eq!(stage.changes(entity), 0, "it is at its end");
    stage.character(entity).mixer.stop(0.0);
    assert_eq!(stage.changes(entity), 0, "stopped");
    // What the user writes is a change, as everywhere.
    stage.character(entity).mixer.weight = 1.0;
    assert!(stage.frame().characters.contains(&entity));
    assert!(!stage.frame().characters.contains(&entity));
}

#[test]
fn faces_and_layers_count() {
    let mut stage = Stage::new();
    let mut character = Character::of(library());
    character.mixer.play("still", 0.0).expect("a clip");
    let face = character.mixer.add_masked_layer("face", character.rig().face());
    let entity = stage.world.spawn(character).id();
    assert_eq!(stage.changes(entity), 0);
    stage.character(entity).mixer.play_once_on(face, "smile", 0.0, 0.0).expect("a clip");
    assert_eq!(stage.changes(entity), 10, "nothing but the face moves");
    (0..64).for_each(|_| stage.skip());
    assert_eq!(stage.changes(entity), 0, "it was handed back");

    stage.character(entity).add_layer(BreathingLayer::new(1));
    assert_eq!(stage.changes(entity), 10, "it breathes");
    stage.character(entity).mixer.pause();
    assert_eq!(stage.changes(entity), 10, "and goes on breathing while its action is paused");
    stage.character(entity).mixer.time_scale = 0.0;
    assert_eq!(stage.changes(entity), 0, "but not while no time passes");
    stage.character(entity).mixer.time_scale = 1.0;
    stage.character(entity).layer_mut::<BreathingLayer>().expect("the layer").weight = 0.0;
    assert_eq!(stage.changes(entity), 0, "nor without any weight");
}

/// Players likewise, and entities that root motion does not move.
#[test]
fn players_and_places_count_as_changed_while_they_move() {
    let mut stage = Stage::new();
    let player = stage.world.spawn((AnimationPlayer::new(0, 1.0, 3), library())).id();
    let hero = stage.world.spawn((Character::of(library()), RootMotion::default())).id();
    stage.frame();
    for _ in 0..10 {
        let changed = stage.frame();
        assert!(changed.players.contains(&player), "it plays");
        assert_eq!((&changed.places[..], &changed.characters[..]), (&[][..], &[][..]), "the other one stands");
    }
    for stop in
        [|player: &mut AnimationPlayer| player.playing = false, |player: &mut AnimationPlayer| player.speed = 0.0]
    {
        stop(&mut stage.world.get_mut::<AnimationPlayer>(player).expect("a player"));
        stage.frame();
        for _ in 0..10 {
            assert!(!stage.frame().players.contains(&player), "it stands");
        }
    }
    assert!(stage.world.get::<Character>(hero).is_some());
}
