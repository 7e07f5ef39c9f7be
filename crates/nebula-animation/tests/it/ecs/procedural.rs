//! The stack as a component.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use glam::{DVec3, Quat, Vec3};
use nebula_animation::{
    AnimationClipLibrary, AnimationPlayer, BreathingLayer, Character, HumanoidMap, JointPose, LeanLayer, LookAtLayer,
    ModelPose, ProceduralAnimationStack, ProceduralContext, ProceduralLayer, Skeleton, add_animation_systems,
    ecs::{ModelOffset, Time, Transform, Velocity},
    frame::ShownClip,
    load_skeleton_and_clips,
    procedural::{Faded, WeightFade},
    procedural_animation_system,
};

use super::{Changes, count_changes, library, player, world};
use crate::player::rig::{chain, slide};
use crate::player::warnings;
use crate::procedural::{degrees_between, model_from_joint};

fn frame(world: &mut World, schedule: &mut Schedule) {
    world.get_resource_or_init::<Time>().advance(1.0 / 60.0);
    schedule.run(world);
}

fn stack(layer: impl ProceduralLayer) -> ProceduralAnimationStack {
    ProceduralAnimationStack { layers: vec![Box::new(layer)] }
}

/// The document's own way: no skeleton, no schedule. Layers act in the joint's own frame, as `apply` does.
#[test]
fn the_system_runs_by_itself() {
    let mut world = World::new();
    world.get_resource_or_init::<Time>().advance(1.0);
    let breathing = BreathingLayer::new(1);
    let entity = world
        .spawn((AnimationPlayer::new(0, 1.0, 2), stack(breathing.clone()), Transform::default(), Velocity::default()))
        .id();
    world.run_system_once(procedural_animation_system).expect("the system runs");
    let mut expected = AnimationPlayer::new(0, 1.0, 2).local_poses;
    let context = ProceduralContext { elapsed: 1.0, ..crate::procedural::context() };
    stack(breathing).apply(&context, &mut expected);
    assert_eq!(player(&mut world, entity).local_poses, expected);
    assert!(expected[1].2.x > 1.0);
}

/// Frame after frame, layers act on the clip's pose and not on their own result, also while the player is paused.
#[test]
fn every_frame_begins_with_the_clip() {
    let (mut world, mut schedule, entity) = world();
    let lean = LeanLayer { responsiveness: f32::INFINITY, ..LeanLayer::new(1) };
    world.entity_mut(entity).insert((stack(lean), Velocity { linear: Vec3::X }));
    frame(&mut world, &mut schedule);
    let first = player(&mut world, entity).local_poses[1];
    assert!(first.1.angle_between(Quat::from_rotation_x(0.1)) > 0.05, "it leans");
    for number in 0..10 {
        player(&mut world, entity).playing = number < 5;
        frame(&mut world, &mut schedule);
        assert_eq!(player(&mut world, entity).local_poses[1], first);
    }
    // The palette is that of the bent pose, and of the clip again once there are no layers.
    let bent = player(&mut world, entity).joint_matrices[1];
    world.entity_mut(entity).remove::<ProceduralAnimationStack>();
    frame(&mut world, &mut schedule);
    assert_eq!(player(&mut world, entity).local_poses[1].1, Quat::from_rotation_x(0.1));
    assert!(player(&mut world, entity).joint_matrices[1] != bent);
}

/// Nobody samples a pose that the user wrote: layers bend it, and do not bend what they have bent before.
#[test]
fn layers_do_not_add_up_where_there_are_no_clips() {
    for has_skeleton in [false, true] {
        let mut world = World::new();
        let mut schedule = Schedule::default();
        add_animation_systems(&mut schedule);
        let lean = LeanLayer { responsiveness: f32::INFINITY, ..LeanLayer::new(1) };
        let statue = (AnimationPlayer::new(0, 1.0, 2), stack(lean), Velocity { linear: Vec3::X });
        let entity = world.spawn(statue).id();
        if has_skeleton {
            world.entity_mut(entity).insert(chain(2));
        }
        frame(&mut world, &mut schedule);
        let first = player(&mut world, entity).local_poses.clone();
        (0..50).for_each(|_| frame(&mut world, &mut schedule));
        assert_eq!(player(&mut world, entity).local_poses, first);
        // A new pose is bent anew.
        player(&mut world, entity).local_poses[1].0 = Vec3::new(9.0, 9.0, 9.0);
        player(&mut world, entity).local_poses[1].1 = Quat::IDENTITY;
        frame(&mut world, &mut schedule);
        let second = player(&mut world, entity).local_poses[1];
        assert_eq!(second.0, Vec3::new(9.0, 9.0, 9.0));
        assert!(second.1.angle_between(Quat::IDENTITY) > 0.05);
        (0..5).for_each(|_| frame(&mut world, &mut schedule));
        assert_eq!(player(&mut world, entity).local_poses[1], second);
        // Without any weight, the pose is what the user wrote.
        let mut layers = world.get_mut::<ProceduralAnimationStack>(entity).expect("a stack");
        layers.layer_mut::<LeanLayer>().expect("the layer").weight = 0.0;
        (0..5).for_each(|_| frame(&mut world, &mut schedule));
        assert_eq!(player(&mut world, entity).local_poses[1].1, Quat::IDENTITY);
    }
}

#[test]
fn a_stack_without_weight_leaves_the_player_alone() {
    let (mut world, mut schedule, entity) = world();
    world.init_resource::<Changes>();
    schedule.add_systems(count_changes.after(nebula_animation::ecs::AnimationSet::Attachments));
    let hidden = Faded::hidden(BreathingLayer::new(0));
    world.entity_mut(entity).insert(stack(hidden));
    player(&mut world, entity).playing = false;
    frame(&mut world, &mut schedule);
    let before = world.resource::<Changes>().0;
    (0..5).for_each(|_| frame(&mut world, &mut schedule));
    assert_eq!(world.resource::<Changes>().0, before);
    // It comes in when it is asked to.
    let mut layers = world.get_mut::<ProceduralAnimationStack>(entity).expect("a stack");
    layers.layer_mut::<Faded<BreathingLayer>>().expect("the layer").fade = WeightFade::new(1.0);
    frame(&mut world, &mut schedule);
    assert_eq!(world.resource::<Changes>().0, before + 1);
}

/// Tells what it was told.
#[derive(Clone)]
struct Listener(Arc<std::sync::Mutex<Vec<ProceduralContext>>>);

impl ProceduralLayer for Listener {
    fn evaluate(&self, context: &ProceduralContext) -> JointPose {
        self.0.lock().expect("nobody panics").push(*context);
        (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE)
    }
    fn target_joint(&self) -> u16 {
        0
    }
    fn weight(&self) -> f32 {
        1.0
    }
}

#[test]
fn layers_are_told_time_place_and_velocity() {
    let (mut world, mut schedule, entity) = world();
    let heard = Arc::default();
    let transform = Transform {
        translation: Vec3::new(1.0, 2.0, 3.0),
        rotation: Quat::from_rotation_y(std::f32::consts::FRAC_PI_2),
        scale: Vec3::ONE,
    };
    world.entity_mut(entity).insert((stack(Listener(Arc::clone(&heard))), transform, Velocity { linear: Vec3::Y }));
    frame(&mut world, &mut schedule);
    frame(&mut world, &mut schedule);
    let heard = heard.lock().expect("nobody panics");
    let expected = ProceduralContext {
        dt: 1.0 / 60.0,
        elapsed: 2.0 / 60.0,
        entity_position: Vec3::new(1.0, 2.0, 3.0),
        entity_forward: transform.forward(),
        velocity: Vec3::Y,
    };
    assert_eq!(heard.as_slice(), [ProceduralContext { elapsed: 1.0 / 60.0, ..expected }, expected]);
}

/// The shipped humanoid faces +Z while its entity's forward is -Z: wherever it stands, drawn as it is or turned round, its eyes
/// meet what is before its face.
#[test]
fn the_humanoid_looks_at_the_target_in_the_world() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    let (skeleton, clips) = load_skeleton_and_clips(&path).expect("the file loads");
    let head = skeleton.joint_by_name("Head").expect("a head");
    let humanoid = HumanoidMap::find(&skeleton).expect("a humanoid");
    let library = library(&skeleton, &clips);
    for offset in [None, Some(ModelOffset::facing_forward(library.rig()))] {
        for has_skeleton in [false, true] {
            let mut world = World::new();
            let mut schedule = Schedule::default();
            add_animation_systems(&mut schedule);
            let transform = Transform {
                translation: Vec3::new(5.0, 1.0, -3.0),
                rotation: Quat::from_rotation_y(0.7),
                scale: Vec3::splat(1.5),
            };
            let turned = offset.map_or(Quat::IDENTITY, |offset| offset.0.rotation);
            // A metre to its left, two before its face.
            let target = transform.translation + transform.rotation * turned * Vec3::new(1.5, 2.0, 3.0);
            let player = AnimationPlayer::new(0, clips[0].duration, skeleton.joints.len());
            let look_at = LookAtLayer { max_angle: 3.2, ..humanoid.look_at(target).expect("a head") };
            let entity = world.spawn((player, library.clone(), stack(look_at), transform)).id();
            if has_skeleton {
                world.entity_mut(entity).insert(skeleton.clone());
            }
            if let Some(offset) = offset {
                world.entity_mut(entity).insert(offset);
            }
            frame(&mut world, &mut schedule);
            let poses = &world.get::<AnimationPlayer>(entity).expect("a player").local_poses;
            let model = model_from_joint(&skeleton, poses, head);
            let rotation = (transform.rotation * turned).as_dquat();
            let eye = transform.translation.as_dvec3() + rotation * (1.5 * model.w_axis.truncate());
            let gaze = rotation * model.transform_vector3(DVec3::Z);
            assert!(degrees_between(gaze, target.as_dvec3() - eye) < 0.01);
            // It had not far to turn: the target is before it.
            assert!(degrees_between(gaze, rotation * DVec3::Z) < 60.0);
        }
    }
}

/// Layers on entities that share a library, get another one, or lose it.
#[test]
fn rigs_come_and_go() {
    let (mut world, mut schedule, entity) = world();
    let clips = world.get::<AnimationClipLibrary>(entity).expect("a library").clone();
    let look_at = LookAtLayer { joint_index: 1, target: Vec3::new(5.0, 3.0, 1.0), max_angle: 3.2, weight: 1.0 };
    world.entity_mut(entity).insert(stack(look_at.clone()));
    let twins: Vec<Entity> = (0..50)
        .map(|_| {
            let player = AnimationPlayer::new(0, 1.0, 2);
            world.spawn((player, clips.clone(), stack(look_at.clone()))).id()
        })
        .collect();
    frame(&mut world, &mut schedule);
    let expected = player(&mut world, entity).local_poses.clone();
    for twin in &twins {
        assert_eq!(player(&mut world, *twin).local_poses, expected);
    }
    // A rig whose head has other axes is turned otherwise.
    let mut other: Skeleton = chain(2);
    other.joints[1].bind_rotation = Quat::from_rotation_z(1.0);
    world.entity_mut(entity).insert(library(&other, &[slide(0, 1.0), slide(1, 2.0)]));
    frame(&mut world, &mut schedule);
    assert!(player(&mut world, entity).local_poses != expected);
    world.entity_mut(entity).insert(clips);
    frame(&mut world, &mut schedule);
    // The first frames moved on by a sixtieth of a second each, which only joint 0 shows.
    assert_eq!(player(&mut world, entity).local_poses[1].0, expected[1].0);
    world.entity_mut(entity).remove::<AnimationClipLibrary>();
    frame(&mut world, &mut schedule);
}

/// A thousand entities with the same bad layer have one line in the log, however many frames there are.
#[test]
fn one_warning_for_all_that_have_the_same_trouble() {
    let mut world = World::new();
    for _ in 0..10 {
        // A joint that no other test names, because warnings come from any thread.
        let bad = LookAtLayer { joint_index: 57, target: Vec3::NAN, max_angle: 1.0, weight: 1.0 };
        world.spawn((AnimationPlayer::new(0, 1.0, 60), library(&chain(60), &[]), stack(bad)));
    }
    let warned = warnings::count_of("on joint 57:", || {
        for _ in 0..20 {
            world.run_system_once(procedural_animation_system).expect("the system runs");
        }
    });
    assert_eq!(warned, 1);
}

/// Layers with state are updated once a frame.
#[test]
fn updates_are_once_a_frame() {
    #[derive(Clone)]
    struct Clock(Arc<AtomicUsize>);
    impl ProceduralLayer for Clock {
        fn evaluate(&self, _: &ProceduralContext) -> JointPose {
            (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE)
        }
        fn target_joint(&self) -> u16 {
            0
        }
        fn weight(&self) -> f32 {
            1.0
        }
        fn update(&mut self, _: &ProceduralContext) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let (mut world, mut schedule, entity) = world();
    let count = Arc::new(AtomicUsize::new(0));
    world.entity_mut(entity).insert(stack(Clock(Arc::clone(&count))));
    (0..7).for_each(|_| frame(&mut world, &mut schedule));
    assert_eq!(count.load(Ordering::Relaxed), 7);
}

/// Layers hear which clips are shown, of a player and of a character, whose blend spaces and fades are several.
#[test]
fn layers_are_told_which_clips_are_shown() {
    #[derive(Clone)]
    struct Listener(Arc<std::sync::Mutex<Vec<ShownClip>>>);
    impl ProceduralLayer for Listener {
        fn evaluate(&self, _: &ProceduralContext) -> JointPose {
            (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE)
        }
        fn target_joint(&self) -> u16 {
            0
        }
        fn weight(&self) -> f32 {
            1.0
        }
        fn modify(&mut self, _: &ProceduralContext, pose: &mut ModelPose<'_>) {
            assert!(pose.library().is_some());
            *self.0.lock().expect("nobody panics") = pose.shown().to_vec();
        }
    }
    let heard = Arc::default();
    let listener = Listener(Arc::clone(&heard));
    let (mut world, mut schedule, entity) = world();
    world.entity_mut(entity).insert(stack(listener.clone()));
    frame(&mut world, &mut schedule);
    assert_eq!(*heard.lock().expect("nobody panics"), [ShownClip::alone(0, 1.0 / 60.0)]);
    world.despawn(entity);

    let mut character = Character::of(library(&chain(2), &[slide(0, 1.0), slide(1, 2.0)]));
    character.mixer.play(0, 0.0).expect("there is one");
    character.add_layer(listener);
    let entity = world.spawn(character).id();
    frame(&mut world, &mut schedule);
    assert_eq!(*heard.lock().expect("nobody panics"), [ShownClip::alone(0, 1.0 / 60.0)]);
    let mut character = world.get_mut::<Character>(entity).expect("it is one");
    character.mixer.play(1, 0.1).expect("there is one");
    frame(&mut world, &mut schedule);
    let shown = heard.lock().expect("nobody panics").clone();
    let [old, new] = shown.as_slice() else { panic!("a fade shows two: {shown:?}") };
    assert_eq!((old.clip.index(), new.clip.index(), old.time, new.time), (0, 1, 2.0 / 60.0, 1.0 / 60.0));
    assert!((new.weight - 1.0 / 6.0).abs() < 1e-6 && (old.weight - 5.0 / 6.0).abs() < 1e-6, "{shown:?}");
}
