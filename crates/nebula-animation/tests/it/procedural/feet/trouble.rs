//! Arguments that make no sense.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use glam::Vec3;
use nebula_animation::frame::ShownClip;
use nebula_animation::procedural::feet::FootSettings;
use nebula_animation::rig::{FeetRig, LegJoints};
use nebula_animation::{
    BreathingLayer, FootPlacement, GroundPoint, ModelPose, ProceduralAnimationStack, ProceduralContext, Surroundings,
};

use super::walker::{Frames, Humanoid, shown};

const CONTEXT: ProceduralContext = ProceduralContext {
    dt: 1.0 / 60.0,
    elapsed: 1.0,
    entity_position: Vec3::ZERO,
    entity_forward: Vec3::Z,
    velocity: Vec3::ZERO,
};

#[test]
fn grounds_that_make_no_sense_are_no_ground() {
    let humanoid = Humanoid::load();
    let grounds: [fn(Vec3) -> Option<GroundPoint>; 7] = [
        |_| Some(GroundPoint::new(f32::NAN, Vec3::Y)),
        |_| Some(GroundPoint::new(f32::INFINITY, Vec3::Y)),
        |_| Some(GroundPoint::new(0.0, Vec3::NAN)),
        |_| Some(GroundPoint::new(0.0, Vec3::ZERO)),
        |_| Some(GroundPoint::new(0.0, Vec3::NEG_Y)),
        |_| Some(GroundPoint::new(1e30, Vec3::Y)),
        |_| None,
    ];
    let walk = humanoid.clip("stroll");
    for ground in grounds {
        let mut stack = ProceduralAnimationStack::default();
        stack.push(FootPlacement::new(humanoid.feet.clone()));
        let mut frames = Frames::new(&humanoid, stack, ground);
        let mut clip_pose = humanoid.skeleton.bind_pose();
        for step in 0..90 {
            let time = step as f32 / 60.0;
            frames.frame(1.0 / 60.0, &[ShownClip::alone(walk, time)], Vec3::Z * 0.6 * time, 0.0, true);
            nebula_animation::sample_pose(&humanoid.clips[walk], &humanoid.skeleton, time, &mut clip_pose);
            for (bent, clip) in frames.pose.iter().zip(&clip_pose) {
                assert!(bent.1.angle_between(clip.1) < 2e-3 && bent.0.distance(clip.0) < 1e-4, "the clip alone");
            }
        }
    }
}

#[test]
fn settings_and_frames_that_make_no_sense_stay_finite() {
    let humanoid = Humanoid::load();
    let walk = humanoid.clip("stroll");
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.0, 1e30] {
        let settings = FootSettings {
            max_slope: odd,
            max_step: odd,
            max_drop: odd,
            max_slide: odd,
            max_twist: odd,
            fade_secs: odd,
            pelvis_rate: odd,
            max_stretch: odd,
        };
        let hill = |place: Vec3| Some(GroundPoint::new(0.3 * place.z.sin(), Vec3::new(0.0, 1.0, -0.3 * place.z.cos())));
        let mut layer = FootPlacement::new(humanoid.feet.clone());
        layer.settings = settings;
        let mut stack = ProceduralAnimationStack::default();
        stack.push(layer);
        let mut frames = Frames::new(&humanoid, stack, hill);
        for step in 0..120 {
            let time = step as f32 / 60.0;
            let dt = if step % 3 == 0 { odd } else { 1.0 / 60.0 };
            let weight = if step % 5 == 0 { odd } else { 1.0 };
            // `frame` asserts that the pose is finite.
            frames.frame(dt, &[ShownClip::alone(walk, time)], Vec3::Z * 0.6 * time, 0.0, true);
            frames.bend(dt, &[shown(walk, odd, weight)], Vec3::Z * 0.6 * time, 0.0);
        }
    }
}

#[test]
fn joints_that_do_not_exist_leave_the_pose_and_the_other_layers_alone() {
    let humanoid = Humanoid::load();
    let ground = |_: Vec3| Some(GroundPoint::new(0.5, Vec3::Y));
    let surroundings = Surroundings { ground: Some(&ground), ..Surroundings::default() };
    let missing = LegJoints { thigh: 17, shin: 18, foot: 500, toes: None };
    let rig = &humanoid.rig;
    for feet in [FeetRig::new(rig, 1, &[missing]), FeetRig::new(rig, 1, &[]), FeetRig::new(rig, 999, &[])] {
        let mut stack = ProceduralAnimationStack::default();
        stack.push(FootPlacement::new(feet));
        stack.push(BreathingLayer::new(4));
        let mut poses = humanoid.skeleton.bind_pose();
        let mut alone = poses.clone();
        let mut pose = ModelPose::new(&humanoid.rig, &mut poses, glam::Affine3A::IDENTITY).within(&surroundings);
        stack.apply_in_model(&CONTEXT, &mut pose);
        drop(pose);
        let mut others = ProceduralAnimationStack::default();
        others.push(BreathingLayer::new(4));
        let mut pose = ModelPose::new(&humanoid.rig, &mut alone, glam::Affine3A::IDENTITY);
        others.apply_in_model(&CONTEXT, &mut pose);
        drop(pose);
        assert_eq!(poses, alone);
    }
}

#[test]
fn entities_without_a_size_or_a_place_are_survived() {
    let humanoid = Humanoid::load();
    for world in [
        glam::Affine3A::from_scale(Vec3::ZERO),
        glam::Affine3A::from_translation(Vec3::NAN),
        glam::Affine3A::from_scale(Vec3::splat(1e-30)),
        glam::Affine3A::from_translation(Vec3::splat(1e30)),
        glam::Affine3A::from_scale(Vec3::new(1.0, -1.0, 1.0)),
    ] {
        let mut stack = ProceduralAnimationStack::default();
        stack.push(FootPlacement::new(humanoid.feet.clone()));
        let ground = |place: Vec3| Some(GroundPoint::new(0.1 * place.x, Vec3::new(-0.1, 1.0, 0.0)));
        let surroundings = Surroundings { ground: Some(&ground), ..Surroundings::at(world) };
        for _ in 0..5 {
            let mut poses = humanoid.skeleton.bind_pose();
            let mut pose = ModelPose::new(&humanoid.rig, &mut poses, world).within(&surroundings);
            stack.apply_in_model(&CONTEXT, &mut pose);
            drop(pose);
            assert!(poses.iter().all(|(t, r, s)| t.is_finite() && r.is_finite() && s.is_finite()), "{world:?}");
        }
    }
}

/// A layer of weight zero asks nothing and changes nothing; it begins anew when it comes back.
#[test]
fn without_weight_nothing_is_asked() {
    let humanoid = Humanoid::load();
    let walk = humanoid.clip("stroll");
    let asked = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&asked);
    let ground = move |_: Vec3| {
        counter.fetch_add(1, Ordering::Relaxed);
        Some(GroundPoint::new(0.0, Vec3::Y))
    };
    let mut layer = FootPlacement::new(humanoid.feet.clone());
    layer.weight = 0.0;
    let mut stack = ProceduralAnimationStack::default();
    stack.push(layer);
    let mut frames = Frames::new(&humanoid, stack, ground);
    let frame = |frames: &mut Frames<'_>, step: usize| {
        let time = step as f32 / 60.0;
        frames.frame(1.0 / 60.0, &[ShownClip::alone(walk, time % 2.0)], Vec3::Z * 0.6 * time, 0.0, true);
    };
    (0..60).for_each(|step| frame(&mut frames, step));
    assert_eq!(asked.load(Ordering::Relaxed), 0);
    frames.stack.layer_mut::<FootPlacement>().expect("the layer").weight = 1.0;
    (60..70).for_each(|step| frame(&mut frames, step));
    let with_weight = asked.load(Ordering::Relaxed);
    assert!((10..=80).contains(&with_weight), "a few times a frame: {with_weight}");
}
