//! What characters do, by Bevy's components.

use bevy::mesh::morph::MorphWeights;
use bevy::prelude::*;
use nebula_animation::HumanoidJoint;
use nebula_animation::mixer::ParameterValue;
use nebula_bevy::{
    AnimatedJoint, AttachedTo, CharacterAsset, CharacterSettings, FeetOnGround, GazeAt, Ground, GroundPlugin,
    GroundPoint, GroundQuery, GroundSource, NebulaCharacter, RootMotion,
};

use crate::fixture;
use crate::stage::{DT, Stage, corpora, own};

#[test]
fn a_fade_and_a_masked_layer_move_the_joints_they_should() {
    let mut stage = Stage::new(&own());
    let handle = stage.load("simple_humanoid.glb");
    let entity = stage.spawn(NebulaCharacter::new(handle).playing("idle"));
    stage.frames(2);
    let hand = stage.animator(entity).joint_entity("RightHand").expect("a hand");
    let foot = stage.animator(entity).joint_entity("LeftFoot").expect("a foot");
    let (hand_before, foot_before) = (stage.place(hand).w_axis.y, stage.place(foot).w_axis);
    let mut animator = stage.animator_mut(entity);
    let mask = animator.rig().upper_body().expect("a body");
    let arms = animator.mixer.add_masked_layer("arms", mask);
    animator.mixer.play_on(arms, "wave", 0.2).expect("a wave");
    stage.frames(60);
    assert!(stage.place(hand).w_axis.y > hand_before + 0.3, "the hand is up");
    assert!(stage.place(foot).w_axis.distance(foot_before) < 0.05, "the foot stays");
}

#[test]
fn joints_that_do_not_move_count_as_unchanged() {
    #[derive(Resource, Default)]
    struct Moved(usize);
    let count = |moved: Query<(), (Changed<Transform>, With<AnimatedJoint>)>, mut total: ResMut<Moved>| {
        total.0 = moved.iter().count();
    };
    let mut stage = Stage::with(&own(), |app| {
        app.init_resource::<Moved>().add_systems(Last, count);
    });
    let entity = stage.character("simple_humanoid.glb");
    stage.frames(5);
    assert!(stage.app.world().resource::<Moved>().0 > 10);
    let spec = stage.app.world_mut().get_mut::<NebulaCharacter>(entity);
    spec.expect("it is there").speed = 0.0;
    stage.frames(3);
    assert_eq!(stage.app.world().resource::<Moved>().0, 0, "a pause moves nothing");
}

#[test]
fn a_hidden_character_keeps_its_clock_and_is_posed_when_it_is_seen() {
    let mut stage = Stage::new(&own());
    let entity = stage.character("simple_humanoid.glb");
    stage.frames(2);
    let foot = stage.animator(entity).joint_entity("LeftFoot").expect("a foot");
    stage.app.world_mut().entity_mut(entity).insert(Visibility::Hidden);
    stage.frames(1);
    let (before, time) = (stage.place(foot), stage.animator(entity).elapsed());
    stage.frames(20);
    assert_eq!(stage.place(foot), before);
    assert!((stage.animator(entity).elapsed() - time - 20.0 * f64::from(DT)).abs() < 1e-3);
    stage.app.world_mut().entity_mut(entity).insert(Visibility::Inherited);
    stage.frames(1);
    let animator = stage.animator(entity);
    let joint = animator.rig().joint_by_name("LeftFoot").expect("a foot");
    assert!(stage.place(foot).abs_diff_eq(animator.frame().model_matrix(joint), 1e-5));
    assert_ne!(stage.place(foot), before);
}

#[test]
fn root_motion_moves_the_entity_as_far_as_the_clip_goes() {
    let mut stage = Stage::new(&own());
    let change = |settings: &mut CharacterSettings| settings.root_motion = true;
    let server = stage.app.world().resource::<AssetServer>();
    let handle: Handle<CharacterAsset> = server.load_builder().with_settings(change).load("simple_humanoid.glb");
    // Turned to the left, and twice as large.
    let place =
        Transform::from_rotation(Quat::from_rotation_y(std::f32::consts::FRAC_PI_2)).with_scale(Vec3::splat(2.0));
    let spec = NebulaCharacter::new(handle.clone()).playing("walk_root_motion");
    let entity = stage.spawn((spec, RootMotion::default(), place));
    let start = stage.app.world().get::<Transform>(entity).expect("a place").translation;
    let asset = stage.app.world().resource::<Assets<CharacterAsset>>().get(&handle).expect("loaded");
    let clip = asset.clips.iter().find(|clip| clip.name == "walk_root_motion").expect("it is there");
    let keys = &clip.translation_channels.iter().find(|channel| channel.joint_index == 0).expect("a way").keyframes;
    let speed = (keys[keys.len() - 1].value - keys[0].value) / clip.duration;
    stage.frames(120);
    let end = stage.app.world().get::<Transform>(entity).expect("a place").translation;
    let expected = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2) * speed * 2.0 * 120.0 * DT;
    assert!((end - start).distance(expected) < 0.05 * expected.length(), "{} is not {expected}", end - start);
    assert!(stage.said().is_empty());
}

#[test]
fn a_gaze_follows_an_entity_that_moves_and_goes_when_it_is_taken_away() {
    let mut stage = Stage::new(&own());
    let target = stage.app.world_mut().spawn(Transform::from_xyz(1.5, 1.5, 4.0)).id();
    let handle = stage.load("simple_humanoid.glb");
    let entity = stage.spawn((NebulaCharacter::new(handle).playing("idle"), GazeAt(target)));
    let gaze = |stage: &Stage| {
        let rig = stage.animator(entity).rig();
        let head = rig.humanoid().require(HumanoidJoint::Head).expect("a head");
        let place = stage.place(stage.animator(entity).entity_of(head).expect("it is shown"));
        place.transform_vector3(rig.in_joint(head, Vec3::Z)).normalize_or_zero()
    };
    stage.frames(120);
    assert!(gaze(&stage).x > 0.2, "to the right of the picture: {}", gaze(&stage));
    stage.app.world_mut().entity_mut(target).insert(Transform::from_xyz(-1.5, 1.5, 4.0));
    stage.frames(120);
    assert!(gaze(&stage).x < -0.2, "to the other side: {}", gaze(&stage));
    stage.app.world_mut().entity_mut(entity).remove::<GazeAt>();
    stage.frames(60);
    assert!(gaze(&stage).x.abs() < 0.1, "ahead: {}", gaze(&stage));
    // It looks again, at something that goes without a word.
    stage.app.world_mut().entity_mut(entity).insert(GazeAt(target));
    stage.frames(120);
    assert!(gaze(&stage).x < -0.2, "{}", gaze(&stage));
    stage.app.world_mut().entity_mut(target).despawn();
    stage.frames(120);
    assert!(gaze(&stage).x.abs() < 0.1, "ahead: {}", gaze(&stage));
    assert!(stage.said().is_empty(), "{:?}", stage.said());
}

/// How high the lowest toe or foot is.
fn lowest_foot(stage: &Stage, entity: Entity) -> f32 {
    let feet = ["LeftToeBase", "RightToeBase"].map(|name| stage.animator(entity).joint_entity(name).expect("a foot"));
    feet.map(|foot| stage.place(foot).w_axis.y).into_iter().fold(f32::MAX, f32::min)
}

#[test]
fn feet_stand_on_a_ground_that_is_a_resource() {
    let mut stage = Stage::new(&own());
    // A step below the left foot alone.
    let ground = |place: Vec3| Some(GroundPoint::level(if place.x > 0.0 { 0.12 } else { 0.0 }));
    stage.app.insert_resource(Ground::new(ground));
    let handle = stage.load("simple_humanoid.glb");
    let entity = stage.spawn((NebulaCharacter::new(handle).playing("idle"), FeetOnGround));
    stage.frames(120);
    let heights = ["LeftToeBase", "RightToeBase"].map(|name| {
        let foot = stage.animator(entity).joint_entity(name).expect("a foot");
        stage.place(foot).w_axis.y
    });
    assert!((heights[0] - heights[1]).abs() > 0.09, "one foot is on the step: {heights:?}");
    assert!(stage.said().is_empty(), "{:?}", stage.said());
}

#[derive(Component)]
struct Floor;

#[derive(bevy::ecs::system::SystemParam)]
struct Floors<'w, 's> {
    floors: Query<'w, 's, &'static Transform, With<Floor>>,
}

impl GroundQuery for Floors<'_, '_> {
    fn ground(&self, _: Vec3) -> Option<GroundPoint> {
        self.floors.iter().next().map(|floor| GroundPoint::level(floor.translation.y))
    }
}

impl GroundSource for Floors<'_, '_> {
    fn query(&self) -> Option<&dyn GroundQuery> {
        Some(self)
    }
}

#[test]
fn feet_stand_on_a_ground_that_is_a_system_parameter() {
    let mut stage = Stage::with(&own(), |app| {
        app.add_plugins(GroundPlugin::<Floors>::default());
    });
    stage.app.world_mut().spawn((Floor, Transform::from_xyz(0.0, -0.1, 0.0)));
    let handle = stage.load("simple_humanoid.glb");
    let entity = stage.spawn((NebulaCharacter::new(handle.clone()).playing("idle"), FeetOnGround));
    stage.frames(120);
    let low = lowest_foot(&stage, entity);
    let other = stage.spawn(NebulaCharacter::new(handle).playing("idle"));
    stage.frames(2);
    let high = lowest_foot(&stage, other);
    assert!((high - low - 0.1).abs() < 0.03, "{low} is a tenth of a metre below {high}");
    assert!(stage.said().is_empty(), "{:?}", stage.said());
}

#[test]
fn a_sword_hangs_on_a_hand_and_goes_along() {
    let mut stage = Stage::new(&own());
    let handle = stage.load("simple_humanoid.glb");
    // The sword is there before the character is.
    let entity = stage.app.world_mut().spawn(NebulaCharacter::new(handle).playing("wave")).id();
    let sword =
        stage.app.world_mut().spawn((AttachedTo::new(entity, "RightHand"), Transform::from_xyz(0.0, 0.1, 0.0))).id();
    stage.until(|world| world.get::<ChildOf>(sword).is_some());
    stage.frames(30);
    let hand = stage.animator(entity).joint_entity("RightHand").expect("a hand");
    assert_eq!(stage.app.world().get::<ChildOf>(sword).map(ChildOf::parent), Some(hand));
    let expected = stage.place(hand) * Mat4::from_translation(Vec3::Y * 0.1);
    assert!(stage.place(sword).abs_diff_eq(expected, 1e-5));
    // It is dropped: it stays where it is in the world, and the hand goes on.
    let dropped = stage.place(sword);
    stage.app.world_mut().entity_mut(sword).remove::<AttachedTo>();
    stage.frames(20);
    assert!(stage.app.world().get::<ChildOf>(sword).is_none());
    assert!(stage.place(sword).abs_diff_eq(dropped, 1e-5), "{} is not {dropped}", stage.place(sword));
    assert!(!(stage.place(hand) * Mat4::from_translation(Vec3::Y * 0.1)).abs_diff_eq(dropped, 1e-2));
    // And taken up again.
    let taken = (AttachedTo::new(entity, "RightHand"), Transform::from_xyz(0.0, 0.1, 0.0));
    stage.app.world_mut().entity_mut(sword).insert(taken);
    stage.frames(2);
    assert_eq!(stage.app.world().get::<ChildOf>(sword).map(ChildOf::parent), Some(hand));
    stage.app.world_mut().entity_mut(entity).despawn();
    stage.frames(2);
    assert!(stage.app.world().get_entity(sword).is_err(), "children go with their parents");
}

#[test]
fn morph_weights_reach_the_mesh() {
    let folder = tempfile::tempdir().expect("a folder");
    fixture::write_face(folder.path());
    let mut stage = Stage::new(folder.path());
    let entity = stage.character("face.gltf");
    stage.pace(0.0);
    stage.animator_mut(entity).mixer.play("smile", 0.0).expect("it is there").seek(0.25);
    stage.frames(1);
    let mut weights = stage.app.world_mut().query::<&MorphWeights>();
    let shown: Vec<_> = weights.iter(stage.app.world()).map(|weights| weights.weights().to_vec()).collect();
    assert_eq!(shown, [[0.25]]);
}

#[test]
fn clips_of_another_body_are_carried_over() {
    let Some(folder) = corpora("clips_of_another_body_are_carried_over") else { return };
    let mut stage = Stage::new(&folder.join("characters"));
    let (knight, sophia) = (stage.load("kaykit-knight.glb"), stage.load("m2m-human-sophia.glb"));
    let spec = NebulaCharacter::new(sophia).with_clips_from(knight).playing("Running_A");
    let entity = stage.spawn(spec);
    assert!(stage.said().is_empty(), "{:?}", stage.said());
    let rig = stage.animator(entity).rig().clone();
    let foot = rig.humanoid().require(HumanoidJoint::Foot(nebula_animation::skeleton::Side::Left)).expect("a foot");
    let foot = stage.animator(entity).entity_of(foot).expect("it is shown");
    let mut span = (f32::MAX, f32::MIN);
    for _ in 0..60 {
        stage.frames(1);
        let z = stage.place(foot).w_axis.z;
        span = (span.0.min(z), span.1.max(z));
    }
    assert!(span.1 - span.0 > 0.3, "legs run: {span:?}");
}

#[test]
fn own_clips_of_another_file_are_carried_over() {
    let mut stage = Stage::new(&own());
    let (humanoid, robot) = (stage.load("simple_humanoid.glb"), stage.load("robot.glb"));
    let entity = stage.spawn(NebulaCharacter::new(robot).with_clips_from(humanoid).playing("wave"));
    assert!(stage.said().is_empty(), "{:?}", stage.said());
    assert_eq!(stage.animator(entity).mixer.clips().ids().len(), 16);
    stage.frames(30);
    let gripper = stage.animator(entity).joint_entity("gripper.R").expect("a hand");
    assert!(stage.place(gripper).w_axis.y > 1.0, "the robot waves: {}", stage.place(gripper).w_axis);
}

const MACHINE: &str = r#"{
    "parameters": { "speed": 0.0 },
    "start": "stand",
    "states": [{ "name": "stand", "clip": "idle" }, { "name": "go", "clip": "walk" }],
    "transitions": [{ "from": "stand", "to": "go", "when": ["speed > 0.5"], "fade": 0.1 }]
}"#;

#[test]
fn a_state_machine_from_a_file_decides_and_is_loaded_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let machine = folder.path().join("hero.machine.json");
    std::fs::write(&machine, MACHINE).expect("written");
    std::fs::copy(own().join("simple_humanoid.glb"), folder.path().join("hero.glb")).expect("copied");
    let mut stage = Stage::new(folder.path());
    let server = stage.app.world().resource::<AssetServer>();
    let spec = NebulaCharacter::new(server.load("hero.glb")).with_machine(server.load("hero.machine.json"));
    let entity = stage.spawn(spec);
    stage.frames(3);
    assert_eq!(stage.animator(entity).machines[0].state_name(), "stand");
    stage.animator_mut(entity).set_parameter("speed", ParameterValue::Float(1.0)).expect("it has one");
    stage.frames(2);
    assert_eq!(stage.animator(entity).machines[0].state_name(), "go");
    let unknown = stage.animator_mut(entity).set_parameter("sped", ParameterValue::Float(1.0));
    assert!(unknown.is_err_and(|error| error.to_string().contains("speed")));

    std::fs::write(&machine, MACHINE.replace("\"start\": \"stand\"", "\"start\": \"go\"")).expect("written");
    stage.app.world().resource::<AssetServer>().reload("hero.machine.json");
    stage.until(|world| {
        world.get::<nebula_bevy::Animator>(entity).is_some_and(|animator| {
            animator
                .machines
                .first()
                .is_some_and(|machine| machine.transitions_taken() == 0 && machine.state_name() == "go")
        })
    });
}
