//! Root motion of models that lie otherwise in their entities.

use bevy_ecs::prelude::*;
use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use nebula_animation::{
    AnimationClipLibrary, Character, LibraryOptions, Rig, add_animation_systems,
    compile::{RootDelta, RootMotionOptions},
    ecs::{ModelOffset, RootMotion, Time, Transform},
};

use crate::characters::Random;
use crate::support::humanoid::humanoid;

fn library() -> AnimationClipLibrary {
    let (skeleton, clips) = humanoid();
    let options = LibraryOptions { root_motion: Some(RootMotionOptions::default()), ..LibraryOptions::default() };
    AnimationClipLibrary::with_options(&Rig::new(skeleton), &clips, options)
}

fn stage(clip: &str, place: Transform, offset: Option<ModelOffset>) -> (World, Schedule, Entity) {
    let mut world = World::new();
    let mut schedule = Schedule::default();
    add_animation_systems(&mut schedule);
    let mut character = Character::of(library());
    character.mixer.play(clip, 0.0).expect("a clip");
    let entity = world.spawn((character, place, RootMotion::default())).id();
    if let Some(offset) = offset {
        world.entity_mut(entity).insert(offset);
    }
    (world, schedule, entity)
}

fn frame(world: &mut World, schedule: &mut Schedule, dt: f64) {
    world.get_resource_or_init::<Time>().advance(dt);
    schedule.run(world);
}

/// Drawn as it is, it faces the entity's back and goes there; turned round to the entity's forward direction, it goes forward.
#[test]
fn it_goes_where_it_faces() {
    let forward = ModelOffset::facing_forward(library().rig());
    for (offset, sign) in [(None, -1.0), (Some(forward), 1.0)] {
        let place = Transform { rotation: Quat::from_rotation_y(0.7), ..Transform::from_translation(Vec3::X) };
        let (mut world, mut schedule, entity) = stage("walk_root_motion", place, offset);
        (0..120).for_each(|_| frame(&mut world, &mut schedule, 1.0 / 60.0));
        let moved = world.get::<Transform>(entity).expect("a place").translation - place.translation;
        // Two seconds at 1.4 m/s.
        assert!(moved.abs_diff_eq(sign * 2.8 * place.forward(), 1e-4), "{moved}");
        let front = world.get::<ModelOffset>(entity).map_or(Quat::IDENTITY, |offset| offset.0.rotation) * Vec3::Z;
        assert!((place.rotation * front).dot(moved) > 2.79, "the way that its face points");
        let delta = world.get::<RootMotion>(entity).expect("motion").delta;
        assert!(
            (delta.translation - DVec3::Z * f64::from(-sign) * 1.4 / 60.0).length() < 1e-6,
            "in the entity's space: {delta:?}"
        );
    }
}

fn wide(transform: &Transform) -> DAffine3 {
    DAffine3::from_scale_rotation_translation(
        transform.scale.as_dvec3(),
        transform.rotation.as_dquat().normalize(),
        transform.translation.as_dvec3(),
    )
}

/// However the model lies in its entity, turned about the vertical, shifted and scaled: it goes through the world as its own clip says,
/// step by step from where it stands.
#[test]
fn the_model_goes_its_own_way_however_it_lies_in_its_entity() {
    let mut random = Random::new(5);
    for case in 0..40 {
        let clip = ["walk_root_motion", "turn_left_root_motion", "jump_root_motion"][case % 3];
        let mut any = |offset: f32| Transform {
            translation: random.vector(offset),
            rotation: Quat::from_rotation_y(random.between(-3.0, 3.0)),
            scale: Vec3::splat(random.between(0.5, 2.0)),
        };
        let (place, offset) = (any(3.0), any(1.0));
        let (mut world, mut schedule, entity) = stage(clip, place, Some(ModelOffset(offset)));
        let mut model = wide(&place) * wide(&offset);
        for _ in 0..150 {
            frame(&mut world, &mut schedule, f64::from(random.between(0.0, 0.05)));
            let step: RootDelta = world.get::<Character>(entity).expect("it is one").frame().root_step();
            model *= DAffine3::from_rotation_translation(DQuat::from_rotation_y(step.yaw), step.translation);
            let entity = world.get::<Transform>(entity).expect("a place");
            let found = wide(entity) * wide(&offset);
            assert!(found.abs_diff_eq(model, 1e-4), "case {case}, {clip}: {found:?}, not {model:?}");
        }
        let way = (model.translation - (wide(&place) * wide(&offset)).translation).length();
        assert!(clip == "turn_left_root_motion" || way > 0.3, "case {case}: it went {way} m");
    }
}
