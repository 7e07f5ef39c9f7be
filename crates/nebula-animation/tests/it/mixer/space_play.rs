use glam::Vec2;
use nebula_animation::{
    AnimationClip, AnimationMixer, BlendSpace, JointPose, Skeleton, mixer::Motion, palette::model_matrices,
};

use super::cast::mixer_of;
use crate::characters::Random;
use crate::support::humanoid::{humanoid, humanoid_markers};

fn gait(clips: &[AnimationClip]) -> BlendSpace {
    let index = |name: &str| clips.iter().position(|clip| clip.name == name).expect("a clip");
    let samples = [(0.0, index("idle")), (0.6, index("stroll")), (2.43, index("run"))];
    BlendSpace::line(clips, &samples)
        .and_then(|space| space.synchronised(clips, &humanoid_markers(), &["left_down", "right_down"]))
        .expect("a gait")
}

fn pose(mixer: &AnimationMixer, skeleton: &Skeleton) -> Vec<JointPose> {
    let mut pose = skeleton.bind_pose();
    mixer.write_pose(&mut pose);
    pose
}

fn places(skeleton: &Skeleton, pose: &[JointPose]) -> Vec<glam::Vec3> {
    let mut models = vec![glam::Mat4::IDENTITY; pose.len()];
    model_matrices(skeleton, pose, &mut models);
    models.iter().map(|model| model.w_axis.truncate()).collect()
}

#[test]
fn at_a_sample_the_pose_is_the_clips_own() {
    let (skeleton, clips) = humanoid();
    let space = gait(&clips);
    for sample in space.samples().to_vec() {
        let mut blended = mixer_of(&skeleton, &clips);
        let motion = blended.add_blend_space(space.clone());
        blended.set_blend_position(motion, sample.position).expect("a space");
        blended.play(motion, 0.0).expect("it is there");
        let mut plain = mixer_of(&skeleton, &clips);
        plain.play(sample.clip, 0.0).expect("it is there");
        let mut random = Random::new(3);
        for _ in 0..200 {
            let dt = random.between(0.0, 0.3);
            blended.update(dt);
            plain.update(dt);
            let (a, b) = (pose(&blended, &skeleton), pose(&plain, &skeleton));
            for (a, b) in places(&skeleton, &a).into_iter().zip(places(&skeleton, &b)) {
                assert!(a.abs_diff_eq(b, 1e-5), "clip {}: {a} against {b}", sample.clip);
            }
        }
    }
}

#[test]
fn the_pose_follows_the_position_without_a_jump() {
    let (skeleton, clips) = humanoid();
    let mut mixer = mixer_of(&skeleton, &clips);
    let motion = mixer.add_blend_space(gait(&clips));
    mixer.play(motion, 0.0).expect("it is there");
    let mut random = Random::new(5);
    let (mut x, mut target) = (0.0_f32, 1.0);
    let mut before: Option<Vec<glam::Vec3>> = None;
    let mut worst = 0.0_f32;
    for frame in 0..20_000 {
        if frame % 40 == 0 {
            target = random.between(-0.5, 3.0);
        }
        // Two units a second: from standing to running in one.
        x += (target - x).clamp(-2.0 / 240.0, 2.0 / 240.0);
        mixer.set_blend_position(motion, Vec2::new(x, 0.0)).expect("a space");
        mixer.update(1.0 / 240.0);
        let now = places(&skeleton, &pose(&mixer, &skeleton));
        if let Some(before) = before {
            worst = now.iter().zip(&before).map(|(a, b)| a.distance(*b)).fold(worst, f32::max);
        }
        before = Some(now);
    }
    // A running foot makes 6 m/s; the blend adds at most what two poses differ by, a metre, in a second or so.
    assert!(worst < 9.0 / 240.0, "{} m/s", worst * 240.0);
}

#[test]
fn odd_calls_are_answered() {
    let (skeleton, clips) = humanoid();
    let mut mixer = mixer_of(&skeleton, &clips);
    let error = mixer.play(Motion::Space(0), 0.2).expect_err("there is none");
    assert_eq!(error.to_string(), "there is no blend space 0: the mixer has 0");
    let motion = mixer.add_blend_space(gait(&clips));
    let layer = mixer.add_layer("above");
    assert!(mixer.play(motion, 0.2).is_ok());
    assert!(mixer.layer_mut(layer).expect("it is there").play(motion, 0.2).is_ok());
    let error = mixer.set_blend_position(Motion::Clip(0), Vec2::ONE).expect_err("a clip");
    assert_eq!(error.to_string(), "Clip(0) is not a blend space: it has no position");
    let error = mixer.set_blend_position(Motion::Space(9), Vec2::ONE).expect_err("there is none");
    assert_eq!(error.to_string(), "there is no blend space 9: the mixer has 1");
    assert_eq!((mixer.blend_position(Motion::Space(9)), mixer.blend_position(Motion::Clip(0))), (None, None));
    for position in [Vec2::NAN, Vec2::INFINITY, Vec2::NEG_INFINITY, Vec2::new(f32::NAN, 1e30)] {
        mixer.set_blend_position(motion, position).expect("a space");
        mixer.update(0.3);
        assert!(pose(&mixer, &skeleton).iter().all(|(t, r, s)| t.is_finite() && r.is_finite() && s.is_finite()));
    }
    // Clips of no length.
    let still = vec![AnimationClip { name: "still".into(), ..Default::default() }];
    let mut mixer = mixer_of(&Skeleton::default(), &still);
    let motion = mixer.add_blend_space(BlendSpace::line(&still, &[(0.0, 0)]).expect("one"));
    mixer.play(motion, 0.0).expect("it is there");
    mixer.update(0.3);
    assert_eq!(mixer.current_action.as_ref().map(|action| action.time), Some(0.0));
}
