//! Cases built for a cause: the explanation names it.

use std::path::Path;

use glam::{Affine3A, Vec3};
use nebula_animation::{
    AimLayer, Character, Fade, GroundPoint, JointMask, LookAtLayer, StateMachine, StateMachinePlayer, Surroundings,
    TargetId,
    explain::{Explanation, LevelSource, LimitKind, Outcome},
    load_skeleton_and_clips,
    mixer::{MachineDocument, ParameterValue, StateDocument, TransitionDocument},
    procedural::{
        ik::TwoBoneIk,
        springs::{SpringChain, SpringCollider, SpringSettings},
    },
};

const FRAME: f64 = 1.0 / 60.0;

fn hero() -> Character {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    let (skeleton, clips) = load_skeleton_and_clips(&path).expect("the humanoid loads");
    let mut hero = Character::new(skeleton, &clips);
    hero.set_traced(true);
    hero
}

fn run(hero: &mut Character, frames: u32, surroundings: &Surroundings<'_>) {
    (0..frames).for_each(|_| hero.update(FRAME, surroundings));
}

fn limits(why: &Explanation, layer: &str) -> Vec<(LimitKind, String)> {
    let parts = why.changes.iter().filter(|part| part.layer.contains(layer));
    let limits = parts.flat_map(|part| &part.reasons).flat_map(|reason| &reason.limits);
    limits.map(|limit| (limit.by, limit.setting.clone())).collect()
}

#[test]
fn a_mask_keeps_a_joint_out() {
    let mut hero = hero();
    let rig = hero.rig().clone();
    let mask = JointMask::none(&rig).with_subtree(&rig, "RightArm", 0.75).expect("an arm");
    let arm = hero.mixer.add_masked_layer("arm", mask);
    hero.mixer.play_on(arm, "wave", 0.0).expect("a clip");
    run(&mut hero, 20, &Surroundings::default());
    let inside = hero.explain("RightForeArm").expect("a joint");
    let layer = &inside.mixer.layers[1];
    assert_eq!((layer.mask, layer.fraction), (Some(0.75), 0.75));
    assert!(layer.change.degrees() > 5.0, "{inside}");
    let outside = hero.explain("LeftForeArm").expect("a joint");
    let layer = &outside.mixer.layers[1];
    assert_eq!((layer.mask, layer.fraction, layer.change.degrees()), (Some(0.0), 0.0, 0.0));
    assert!(outside.to_string().contains("its mask leaves this joint out"), "{outside}");
    assert!(!inside.to_string().contains("leaves this joint out"));
}

#[test]
fn a_fade_and_its_clock_are_told() {
    let mut hero = hero();
    run(&mut hero, 30, &Surroundings::default());
    hero.mixer.play("run", Fade::linear(0.5)).expect("a clip").speed = 2.0;
    hero.update(0.2, &Surroundings::default());
    let why = hero.explain("LeftUpLeg").expect("a joint");
    let [below, above] = &why.mixer.layers[0].levels[..] else { panic!("{why}") };
    let fade = above.fade.as_ref().expect("it fades in");
    assert_eq!((fade.seconds, fade.curve.as_str(), below.fade.as_ref()), (0.5, "linear", None));
    assert!((fade.progress - 0.4).abs() < 1e-6 && (above.share - 0.4).abs() < 1e-6 && (below.share - 0.6).abs() < 1e-6);
    let LevelSource::Action(run) = &above.source else { panic!("{why}") };
    assert_eq!((run.clips[0].name.as_str(), run.speed, run.pass), ("run", 2.0, 0));
    assert!((run.total_time - 0.4).abs() < 1e-6 && (run.clips[0].time - 0.4).abs() < 1e-6, "{why}");
    let LevelSource::Action(idle) = &below.source else { panic!("{why}") };
    assert!((idle.total_time - 0.7).abs() < 1e-6, "{why}");
    assert!(why.to_string().contains("linear fade of 0.500 s, 40 % through"), "{why}");
}

#[test]
fn an_inertialised_fade_leaves_a_difference() {
    let mut hero = hero();
    hero.mixer.play("wave", 0.0).expect("a clip");
    run(&mut hero, 40, &Surroundings::default());
    hero.mixer.play("idle", Fade::inertialised(0.4)).expect("a clip");
    hero.update(0.1, &Surroundings::default());
    let why = hero.explain("RightArm").expect("a joint");
    let inertia = why.mixer.inertia.as_ref().expect("a difference");
    assert!(inertia.change.degrees() > 5.0 && (inertia.seconds_left - 0.3).abs() < 1e-3, "{why}");
    assert_eq!(why.mixer.layers[0].levels.len(), 1, "only the new action runs");
    run(&mut hero, 30, &Surroundings::default());
    assert_eq!(hero.explain("RightArm").expect("a joint").mixer.inertia, None);
}

#[test]
fn what_is_changed_after_the_update_is_told_apart() {
    let mut hero = hero();
    run(&mut hero, 10, &Surroundings::default());
    assert_eq!(hero.explain("Head").expect("a joint").mixer.since, None);
    hero.mixer.weight = 0.0;
    let why = hero.explain("LeftArm").expect("a joint");
    assert!(why.mixer.since.is_some_and(|since| since.degrees() > 1.0), "{why}");
    assert!(why.to_string().contains("changed since the last update"));
}

#[test]
fn a_cone_holds_the_head() {
    let mut hero = hero();
    let rig = hero.rig().clone();
    let mut aim = rig.humanoid().aim(&rig, Vec3::new(3.0, 1.6, 1.0)).expect("a head");
    for joint in aim.chain_mut() {
        joint.limit = 10_f32.to_radians();
    }
    hero.add_layer(aim);
    run(&mut hero, 240, &Surroundings::default());
    let why = hero.explain("Head").expect("a joint");
    let found = limits(&why, "AimLayer");
    assert!(found.contains(&(LimitKind::Cone, "limit of the joint".into())), "{why}");
    assert!(why.to_string().contains("limited by a cone of 10.0° (limit of the joint), "), "{why}");
    // Ahead, nothing holds it.
    hero.layer_mut::<AimLayer>().expect("it was added").target = Vec3::new(0.1, 1.6, 9.0);
    run(&mut hero, 240, &Surroundings::default());
    let why = hero.explain("Head").expect("a joint");
    assert_eq!(limits(&why, "AimLayer"), [], "{why}");
}

#[test]
fn a_greatest_angle_holds_a_look() {
    let mut hero = hero();
    let head = hero.rig().joint_by_name("Head").expect("a head");
    let target = Vec3::new(9.0, 1.6, 0.0);
    hero.add_layer(LookAtLayer { joint_index: head, target, max_angle: 0.5, weight: 0.5 });
    run(&mut hero, 1, &Surroundings::default());
    let why = hero.explain("Head").expect("a joint");
    let part = &why.changes[0];
    assert!((part.change.degrees() - 0.25_f32.to_degrees()).abs() < 0.05, "half of its angle, by its weight: {why}");
    let limit = &part.reasons[0].limits[0];
    assert_eq!((limit.by, limit.setting.as_str()), (LimitKind::Cone, "max_angle"));
    assert!((limit.allowed - 28.648).abs() < 0.01 && limit.wanted > 80.0, "{why}");
}

#[test]
fn a_limb_is_too_short() {
    let mut hero = hero();
    let rig = hero.rig().clone();
    let leg = rig.feet().expect("legs").legs()[0];
    let foot = rig.joints[usize::from(leg.foot)].name.clone();
    let far = rig.position(leg.foot) - Vec3::Y * 0.4;
    hero.add_layer(TwoBoneIk::new(&rig, [leg.thigh, leg.shin, leg.foot], far));
    run(&mut hero, 1, &Surroundings::default());
    let why = hero.explain(&foot).expect("a joint");
    assert_eq!(limits(&why, "TwoBoneIk").first(), Some(&(LimitKind::Reach, "length of the limb".into())), "{why}");
    let limit = &why.changes[0].reasons[0].limits[0];
    assert!(limit.wanted > limit.allowed + 0.2, "{why}");
    hero.layer_mut::<TwoBoneIk>().expect("it was added").target = rig.position(leg.foot) + Vec3::Y * 0.2;
    run(&mut hero, 1, &Surroundings::default());
    let why = hero.explain(&foot).expect("a joint");
    assert_eq!(limits(&why, "TwoBoneIk"), [], "{why}");
    assert!(why.changes[0].moved.length() > 0.1, "{why}");
}

/// One foot over a pit that is deeper than the pelvis may go: that leg is over-stretched.
#[test]
fn an_over_stretched_leg_is_named() {
    let mut hero = hero();
    let rig = hero.rig().clone();
    let legs: Vec<_> = rig.feet().expect("legs").legs().to_vec();
    let mut feet = rig.humanoid().foot_placement(&rig).expect("legs");
    (feet.settings.max_drop, feet.settings.max_step) = (0.05, 5.0);
    hero.add_layer(feet);
    let side = rig.position(legs[0].foot).x.signum();
    let pit = move |place: Vec3| Some(GroundPoint::level(if place.x * side > 0.0 { -0.25 } else { 0.0 }));
    let surroundings = Surroundings { ground: Some(&pit), ..Surroundings::at(Affine3A::IDENTITY) };
    run(&mut hero, 120, &surroundings);
    let name = |joint: u16| rig.joints[usize::from(joint)].name.clone();
    let why = hero.explain(&name(legs[0].foot)).expect("a joint");
    let found = limits(&why, "FootPlacement");
    assert!(found.contains(&(LimitKind::Reach, "length of the leg".into())), "{why}");
    assert!(found.contains(&(LimitKind::Budget, "max_drop".into())), "the pelvis is at its limit too: {why}");
    let why = hero.explain(&name(legs[1].foot)).expect("a joint");
    let reach = limits(&why, "FootPlacement").into_iter().find(|(kind, _)| *kind == LimitKind::Reach);
    assert_eq!(reach, None, "the other one stands: {why}");
}

#[test]
fn conditions_that_were_met_and_those_that_were_not() {
    let mut hero = hero();
    let document = MachineDocument::new("standing")
        .with_parameter("speed", ParameterValue::Float(0.0))
        .with_parameter("jump", ParameterValue::Trigger(false))
        .with_state(StateDocument::clip("standing", "idle"))
        .with_state(StateDocument::clip("walking", "walk"))
        .with_state(StateDocument::clip("jumping", "jump").once())
        .with_transition(TransitionDocument::new("standing", "walking").when("speed > 0.5"))
        .with_transition(TransitionDocument::new("walking", "standing").when("speed <= 0.5"))
        .with_transition(TransitionDocument::new("walking", "jumping").when("jump").when("speed > 2").after(0.5));
    let clips = hero.mixer.clips().clone();
    let machine = StateMachine::new(&document, &clips, clips.markers()).expect("a sound machine");
    hero.machines.push(StateMachinePlayer::new(machine));
    run(&mut hero, 2, &Surroundings::default());
    let speed = hero.machines[0].parameter("speed").expect("a parameter");
    hero.machines[0].set_float(speed, 1.5).expect("a number");
    run(&mut hero, 5, &Surroundings::default());
    let why = hero.explain("Hips").expect("a joint");
    let machine = &why.machines[0];
    assert_eq!(machine.states, ["walking"]);
    let taken = machine.taken.as_ref().expect("a transition was taken");
    assert_eq!((taken.from.as_str(), taken.to.as_str()), ("standing", "walking"));
    assert_eq!(taken.conditions[0].text, "speed > 0.5");
    let [stand, jump] = &machine.exits[..] else { panic!("{why}") };
    assert!(!stand.is_open() && !jump.is_open());
    assert_eq!(stand.conditions.iter().map(|condition| condition.holds).collect::<Vec<_>>(), [false]);
    let unmet: Vec<_> = jump.conditions.iter().map(|condition| (condition.text.as_str(), condition.holds)).collect();
    assert_eq!(unmet, [("jump", false), ("speed > 2", false)]);
    assert!(jump.exit.as_ref().is_some_and(|exit| !exit.holds && exit.after == 0.5), "{why}");
    let text = why.to_string();
    assert!(text.contains("because of: speed > 0.5"), "{text}");
    assert!(text.contains("walking -> jumping waits for: jump (it is not set), speed > 2 (it is 1.5)"), "{text}");
    assert_eq!((taken.conditions[0].value.as_str(), taken.conditions[0].holds), ("1.5", true));
    // A fade that nothing may interrupt is a reason of its own.
    hero.machines[0].set_float(speed, 3.0).expect("a number");
    run(&mut hero, 1, &Surroundings::default());
    let why = hero.explain("Hips").expect("a joint");
    assert!(why.machines[0].exits[1].conditions[1].holds, "{why}");
}

#[test]
fn layers_without_weight_and_layers_that_are_refused() {
    let mut hero = hero();
    let head = hero.rig().joint_by_name("Head").expect("a head");
    let look = |target, weight| LookAtLayer { joint_index: head, target, max_angle: 1.0, weight };
    hero.add_layer(look(Vec3::ONE, 0.0));
    hero.add_layer(look(Vec3::NAN, 1.0));
    hero.add_layer(look(Vec3::new(1.0, 1.6, 3.0), 1.0));
    run(&mut hero, 1, &Surroundings::default());
    let why = hero.explain("Head").expect("a joint");
    let outcomes: Vec<_> = why.changes.iter().map(|part| part.outcome).collect();
    assert_eq!(outcomes, [Outcome::NoWeight, Outcome::Rejected, Outcome::Applied], "{why}");
}

/// A target that nobody knows is told apart from one that cannot be reached.
#[test]
fn a_target_that_is_not_there_is_named() {
    let mut hero = hero();
    let rig = hero.rig().clone();
    let leg = rig.feet().expect("legs").legs()[0];
    let mut limb = TwoBoneIk::new(&rig, [leg.thigh, leg.shin, leg.foot], Vec3::ZERO);
    limb.follows = Some(TargetId(3));
    hero.add_layer(limb);
    hero.add_layer(rig.humanoid().aim(&rig, Vec3::Z).expect("a head").following(TargetId(3)));
    let is_there = |_| Some(rig.position(leg.foot) + Vec3::new(0.0, 0.2, 0.1));
    run(&mut hero, 3, &Surroundings { targets: Some(&is_there), ..Surroundings::default() });
    let text = |joint: &str| hero.explain(joint).expect("a joint").to_string();
    assert!(
        text("LeftFoot").contains("LeftUpLeg, LeftLeg, LeftFoot: wanted to bring LeftFoot to"),
        "{}",
        text("LeftFoot")
    );
    assert!(!text("LeftFoot").contains("there is no target") && !text("Head").contains("there is no target"));
    run(&mut hero, 3, &Surroundings { targets: Some(&|_: TargetId| None), ..Surroundings::default() });
    for joint in ["LeftFoot", "Head"] {
        let why = hero.explain(joint).expect("a joint");
        assert!(why.to_string().contains("there is no target"), "{why}");
        assert_eq!(why.changes.iter().flat_map(|part| &part.reasons).flat_map(|reason| &reason.limits).count(), 0);
    }
}

#[test]
fn what_is_in_the_way_of_a_spring_is_named() {
    let mut hero = hero();
    let rig = hero.rig().clone();
    let joint = |name: &str| rig.require_joint(name).expect("a joint");
    let arm = vec![joint("LeftArm"), joint("LeftForeArm"), joint("LeftHand")];
    // It falls to the side of the body, and a ball is there.
    let settings = SpringSettings { stiffness: 1.0, ..SpringSettings::default() };
    let free = SpringChain::new(arm).with_settings(settings);
    let ball = SpringCollider::sphere(joint("Hips"), Vec3::ZERO, 0.45);
    hero.add_layer(free.clone().with_colliders([ball]));
    run(&mut hero, 240, &Surroundings::default());
    let why = hero.explain("LeftHand").expect("a joint");
    assert!(limits(&why, "SpringChain").contains(&(LimitKind::Collider, "at Hips".into())), "{why}");
    hero.layers.layers.clear();
    hero.add_layer(free);
    run(&mut hero, 240, &Surroundings::default());
    let why = hero.explain("LeftHand").expect("a joint");
    assert_eq!(limits(&why, "SpringChain"), [], "{why}");
    assert!(why.to_string().contains("mm from where the animation has it"), "{why}");
}

#[test]
fn unknown_joints_are_told_with_near_names() {
    let error = hero().explain("LeftForarm").expect_err("misspelt");
    assert!(error.near.iter().any(|name| name == "LeftForeArm"), "{error}");
    assert_eq!(hero().explain_joint(9999), None);
}

/// Tracing changes nothing, and without it the layers are told of together.
#[test]
fn tracing_has_the_same_bits() {
    let (mut traced, mut plain) = (hero(), hero());
    plain.set_traced(false);
    for hero in [&mut traced, &mut plain] {
        let rig = hero.rig().clone();
        hero.add_layer(rig.humanoid().breathing().expect("a chest"));
        hero.add_layer(rig.humanoid().aim(&rig, Vec3::new(2.0, 1.0, 3.0)).expect("a head"));
        hero.add_layer(rig.humanoid().foot_placement(&rig).expect("legs"));
        hero.mixer.play("walk", 0.2).expect("a clip");
    }
    let hills = |place: Vec3| Some(GroundPoint::level(0.1 * place.z.sin()));
    for frame in 0..200 {
        let place = Affine3A::from_translation(Vec3::Z * (0.02 * frame as f32));
        let surroundings = Surroundings { ground: Some(&hills), ..Surroundings::at(place) };
        traced.update(FRAME, &surroundings);
        plain.update(FRAME, &surroundings);
        let bits = |hero: &Character| -> Vec<u32> {
            hero.palette().iter().flat_map(|matrix| matrix.to_cols_array()).map(f32::to_bits).collect()
        };
        assert_eq!(bits(&traced), bits(&plain), "frame {frame}");
    }
    let (told, untold) = (traced.explain("Head").expect("a joint"), plain.explain("Head").expect("a joint"));
    assert_eq!((told.changes.len(), told.untold, untold.changes.len()), (3, None, 0));
    assert!(untold.untold.is_some_and(|change| change.degrees() > 1.0), "{untold}");
    assert!(told.changes[1].turned > 1.0);
}
