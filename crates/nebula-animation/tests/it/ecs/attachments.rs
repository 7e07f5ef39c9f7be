//! Attachments as components.

use bevy_ecs::prelude::*;
use glam::{Mat4, Quat, Vec3};
use nebula_animation::{
    AnimationClipLibrary, AnimationPlayer, BoneAttachment, BreathingLayer, Character, ProceduralAnimationStack, Rig,
    ecs::{ChildOffset, ModelOffset, Time, Transform, WorldMatrix},
    palette::joint_model_matrix,
};

use super::{library, world};
use crate::player::rig::{chain, slide};
use crate::player::warnings;

fn frame(world: &mut World, schedule: &mut Schedule) {
    world.get_resource_or_init::<Time>().advance(1.0 / 60.0);
    schedule.run(world);
}

fn matrix(world: &World, entity: Entity) -> Mat4 {
    world.get::<WorldMatrix>(entity).expect("it is attached").0
}

/// The character's joint in the world, from its final pose.
fn joint(world: &World, character: Entity, joint: u16) -> Mat4 {
    let poses = &world.get::<AnimationPlayer>(character).expect("a player").local_poses;
    let rig = world.get::<AnimationClipLibrary>(character).expect("a library").rig();
    let transform = world.get::<Transform>(character).copied().unwrap_or_default();
    let offset = world.get::<ModelOffset>(character).copied().unwrap_or_default();
    transform.to_matrix() * offset.0.to_matrix() * joint_model_matrix(rig, poses, joint)
}

/// A sword in a hand, a gem on the sword, a spark on the gem: all follow the final pose of the same frame, layers included.
#[test]
fn what_is_held_and_what_hangs_on_it_follow_in_the_same_frame() {
    let (mut world, mut schedule, character) = world();
    let grip = (Vec3::new(0.1, 0.2, 0.3), Quat::from_rotation_z(0.5));
    let sword = BoneAttachment::named("Joint 1").at(grip.0, grip.1);
    let sword = world.spawn((sword, ChildOf(character))).id();
    let gem = Transform::from_translation(Vec3::X * 0.4);
    let gem = world.spawn((ChildOffset(gem), ChildOf(sword))).id();
    let spark = Transform { rotation: Quat::from_rotation_x(1.0), ..Transform::default() };
    let spark = world.spawn((ChildOffset(spark), ChildOf(gem))).id();
    let layers = ProceduralAnimationStack { layers: vec![Box::new(BreathingLayer::new(0))] };
    world.entity_mut(character).insert(layers);
    for number in 0..60_u8 {
        let place = Transform {
            translation: Vec3::new(f32::from(number), 1.0, 0.0),
            rotation: Quat::from_rotation_y(f32::from(number) * 0.1),
            scale: Vec3::splat(2.0),
        };
        world.entity_mut(character).insert(place);
        frame(&mut world, &mut schedule);
        let held = joint(&world, character, 1) * Mat4::from_rotation_translation(grip.1, grip.0);
        assert!(matrix(&world, sword).abs_diff_eq(held, 1e-5));
        assert!(matrix(&world, gem).abs_diff_eq(held * Mat4::from_translation(Vec3::X * 0.4), 1e-5));
        let expected = held * Mat4::from_translation(Vec3::X * 0.4) * Mat4::from_rotation_x(1.0);
        assert!(matrix(&world, spark).abs_diff_eq(expected, 1e-5));
        let transform = world.get::<Transform>(sword).expect("it has one");
        assert!(transform.translation.abs_diff_eq(held.w_axis.truncate(), 1e-5));
    }
}

/// A rider on a horse, with a sword: each is attached to the one before.
#[test]
fn a_character_may_be_attached_itself() {
    let (mut world, mut schedule, horse) = world();
    let rider = {
        let player = world.get::<AnimationPlayer>(horse).expect("a player").clone();
        let clips = world.get::<AnimationClipLibrary>(horse).expect("a library").clone();
        world.spawn((player, clips, BoneAttachment::named("Joint 1"), ChildOf(horse))).id()
    };
    let sword = world.spawn((BoneAttachment::named("Joint 0"), ChildOf(rider))).id();
    world
        .entity_mut(horse)
        .insert((Transform::from_translation(Vec3::Z), ModelOffset::facing_forward(&Rig::new(chain(2)))));
    frame(&mut world, &mut schedule);
    let seat = joint(&world, horse, 1);
    assert!(matrix(&world, rider).abs_diff_eq(seat, 1e-5));
    assert!(matrix(&world, sword).abs_diff_eq(joint(&world, rider, 0), 1e-4), "the rider's own transform was written");
}

#[test]
fn a_joint_that_is_missing_is_one_error_until_there_is_one() {
    let (mut world, mut schedule, character) = world();
    let sword = world.spawn((BoneAttachment::named("Joint 3"), ChildOf(character))).id();
    let place = Transform::from_translation(Vec3::new(1.0, 2.0, 3.0));
    world.entity_mut(character).insert(place);
    let warned = warnings::count_of("Joint 3", || (0..10).for_each(|_| frame(&mut world, &mut schedule)));
    assert_eq!(warned, 1);
    assert_eq!(matrix(&world, sword), place.to_matrix(), "at the character's origin");
    world.entity_mut(character).insert(library(&chain(4), &[slide(0, 1.0)]));
    let warned = warnings::count_of("Joint 3", || frame(&mut world, &mut schedule));
    assert_eq!(warned, 0);
    assert!(matrix(&world, sword).abs_diff_eq(joint(&world, character, 3), 1e-5));
}

#[test]
fn attachments_without_a_character_stay_where_they_are() {
    let (mut world, mut schedule, character) = world();
    let nobody = world.spawn(Transform::from_translation(Vec3::Y)).id();
    let alone = world.spawn(BoneAttachment::named("Joint 1")).id();
    let on_nobody = world.spawn((BoneAttachment::named("Joint 1"), ChildOf(nobody))).id();
    let sword = world.spawn((BoneAttachment::named("Joint 1"), ChildOf(character))).id();
    frame(&mut world, &mut schedule);
    assert_eq!(matrix(&world, alone), Mat4::IDENTITY);
    assert_eq!(matrix(&world, on_nobody), Mat4::from_translation(Vec3::Y), "with whatever it hangs on");
    // The sword is handed over.
    world.entity_mut(sword).insert(ChildOf(nobody));
    frame(&mut world, &mut schedule);
    assert_eq!(matrix(&world, sword), Mat4::from_translation(Vec3::Y));
    // It is dropped.
    world.entity_mut(sword).remove::<ChildOf>();
    frame(&mut world, &mut schedule);
    assert_eq!(matrix(&world, sword), Mat4::from_translation(Vec3::Y));
    assert_eq!(world.get::<Transform>(sword), Some(&Transform::from_translation(Vec3::Y)));
}

/// Whatever becomes a character after the thing was hung on it, or becomes another one, holds it by the joint of that name.
#[test]
fn joints_are_looked_up_in_the_rig_that_is_there() {
    let (mut world, mut schedule, _) = world();
    let hero = world.spawn(Transform::default()).id();
    let sword = world.spawn((BoneAttachment::named("Joint 1"), ChildOf(hero))).id();
    frame(&mut world, &mut schedule);
    assert_eq!(matrix(&world, sword), Mat4::IDENTITY, "held by nobody yet");
    let mut crossed = chain(2);
    for (joint, name) in crossed.joints.iter_mut().zip(["Joint 1", "Joint 0"]) {
        joint.name = name.into();
    }
    for (skeleton, joint) in [(chain(2), 1), (crossed, 0), (chain(5), 1)] {
        world.entity_mut(hero).insert(Character::of(library(&skeleton, &[])));
        (0..3).for_each(|_| frame(&mut world, &mut schedule));
        let character = world.get::<Character>(hero).expect("it is one");
        assert_eq!(matrix(&world, sword), character.frame().model_matrix(joint));
    }
}

/// Joints scaled to a hundredth, as those of Mixamo are, and a model scaled in its entity: what is held keeps its size and its place in
/// metres, of a `Character` and of a player. An entity that is scaled as a whole scales what it holds.
#[test]
fn what_is_held_is_in_metres_whatever_the_scale_of_its_joint() {
    let mut skeleton = chain(2);
    skeleton.joints[0].bind_scale = Vec3::splat(0.01);
    let (mut world, mut schedule, player) = world();
    let clips = library(&skeleton, &[]);
    let mut own = AnimationPlayer::new(0, 0.0, 2);
    own.local_poses = skeleton.bind_pose();
    world.entity_mut(player).insert((own, clips.clone()));
    let character = world.spawn(Character::of(clips)).id();
    for holder in [player, character] {
        let hand = BoneAttachment::named("Joint 1").at(Vec3::X * 0.1, Quat::IDENTITY);
        let part = world.spawn((hand.clone().with_joint_scale(), ChildOf(holder))).id();
        let sword = world.spawn((hand, ChildOf(holder))).id();
        for (of_model, of_entity) in [(1.0, 1.0), (100.0, 1.0), (1.0, 3.0)] {
            let scaled = |scale| Transform { scale: Vec3::splat(scale), ..Transform::default() };
            world.entity_mut(holder).insert((ModelOffset(scaled(of_model)), scaled(of_entity)));
            frame(&mut world, &mut schedule);
            let [held, scaled] = [sword, part].map(|thing| matrix(&world, thing));
            let joint = Vec3::new(0.0, of_model * of_entity * (1.0 + 0.01 * 0.1_f32.cos()), held.w_axis.z);
            assert!((held.x_axis.truncate() - Vec3::X * of_entity).length() < 1e-5, "{of_model} {of_entity}: {held}");
            let grip = held.w_axis.truncate();
            assert!((grip - joint - Vec3::X * 0.1 * of_entity).length() < 1e-4, "{of_model} {of_entity}: {grip}");
            let inherited = 0.01 * of_model * of_entity;
            assert!(
                (scaled.x_axis.truncate() - Vec3::X * inherited).length() < 1e-6,
                "{of_model} {of_entity}: {scaled}"
            );
        }
    }
}
