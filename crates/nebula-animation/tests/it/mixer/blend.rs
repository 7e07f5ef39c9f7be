//! Any number of clips as one pose.

use std::sync::Arc;

use nebula_animation::{
    JointMask, JointPose, Rig,
    compile::{CompiledClip, Isa},
    mixer::{BlendInput, BlendMode, Blender, blend_poses},
    sample::{additive_clip, additive_clip_from_frame},
    sample_pose,
};
use proptest::prelude::*;

use super::cast::{Cast, distance, humanoid};

struct Compiled {
    cast: Cast,
    rig: Arc<Rig>,
    clips: Vec<CompiledClip>,
}

fn compiled() -> Compiled {
    let cast = humanoid();
    let rig = Rig::new(&cast.skeleton);
    let clips = cast.clips.iter().map(|clip| CompiledClip::new(&rig, clip)).collect();
    Compiled { cast, rig, clips }
}

impl Compiled {
    fn input(&self, clip: usize, time: f32, weight: f32) -> BlendInput<'_> {
        BlendInput { clip: &self.clips[clip], time, weight, mask: None, mode: BlendMode::Override }
    }

    fn blend(&self, inputs: &[BlendInput]) -> Vec<JointPose> {
        let mut pose = self.cast.skeleton.bind_pose();
        Blender::new().blend(&self.rig, inputs, &mut pose);
        pose
    }

    fn plain(&self, clip: usize, time: f32) -> Vec<JointPose> {
        let mut pose = self.cast.skeleton.bind_pose();
        sample_pose(&self.cast.clips[clip], &self.cast.skeleton, time, &mut pose);
        pose
    }
}

#[track_caller]
fn assert_near(a: &[JointPose], b: &[JointPose], limit: f64) {
    for (joint, (a, b)) in a.iter().zip(b).enumerate() {
        let [angle, length] = distance(a, b);
        assert!(angle <= limit && length <= limit && a.2.distance(b.2) <= 1e-5, "joint {joint}: {angle} {length}");
    }
}

#[test]
fn nothing_gives_the_rest_pose_and_one_its_own() {
    let compiled = compiled();
    let rest = compiled.cast.skeleton.bind_pose();
    assert_eq!(compiled.blend(&[]), rest);
    for weight in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert_eq!(compiled.blend(&[compiled.input(0, 0.5, weight)]), rest);
    }
    for weight in [0.002, 1.0, 1e6] {
        let inputs = [compiled.input(0, 0.5, weight), compiled.input(2, 0.5, 0.0)];
        assert_near(&compiled.blend(&inputs), &compiled.plain(0, 0.5), 1e-5);
    }
}

/// Also as the last weight goes to zero.
#[test]
fn the_rest_pose_is_reached_without_a_jump() {
    let compiled = compiled();
    let mut before = compiled.blend(&[compiled.input(2, 0.3, 1.0)]);
    for step in (0..1000_u16).rev() {
        let after = compiled.blend(&[compiled.input(2, 0.3, f32::from(step) * 2e-6)]);
        for (before, after) in before.iter().zip(&after) {
            assert!(distance(before, after)[0] < 0.02);
        }
        before = after;
    }
    assert_eq!(before, compiled.cast.skeleton.bind_pose());
}

/// The arc is that of slerp; only the speed along it differs, and not in the middle.
#[test]
fn two_equal_weights_meet_in_the_middle() {
    let compiled = compiled();
    let mut middle = compiled.cast.skeleton.bind_pose();
    blend_poses(&compiled.plain(0, 0.4), &compiled.plain(2, 0.2), 0.5, &mut middle);
    assert_near(&compiled.blend(&[compiled.input(0, 0.4, 3.0), compiled.input(2, 0.2, 3.0)]), &middle, 1e-4);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn order_and_scale_of_weights_do_not_matter(
        chosen in prop::collection::vec((0..10_usize, 0.0..2.0_f32, 0.01..1.0_f32), 1..7),
        turns in 0..7_usize,
    ) {
        let compiled = compiled();
        let inputs: Vec<_> = chosen.iter().map(|&(clip, time, weight)| compiled.input(clip, time, weight)).collect();
        let mut others = inputs.clone();
        others.rotate_left(turns % inputs.len());
        others.reverse();
        let pose = compiled.blend(&inputs);
        prop_assert_eq!(&pose, &compiled.blend(&others), "to the bit");
        let scaled: Vec<_> = inputs.iter().map(|input| BlendInput { weight: input.weight * 4.0, ..*input }).collect();
        for (a, b) in pose.iter().zip(&compiled.blend(&scaled)) {
            prop_assert!(distance(a, b)[0] < 1e-5 && distance(a, b)[1] < 1e-5);
        }
        for isa in [Isa::Scalar, Isa::Sse2, Isa::Avx2] {
            let mut same = pose.clone();
            Blender::with_isa(isa).blend(&compiled.rig, &inputs, &mut same);
            prop_assert_eq!(&pose, &same, "{} gives the same bits", isa);
        }
        // Every joint lies between its inputs.
        for (joint, blended) in pose.iter().enumerate() {
            prop_assert!((blended.1.length() - 1.0).abs() < 1e-5);
            let low = chosen.iter().map(|&(clip, time, _)| compiled.plain(clip, time)[joint].0.y).fold(f32::MAX, f32::min);
            let high = chosen.iter().map(|&(clip, time, _)| compiled.plain(clip, time)[joint].0.y).fold(f32::MIN, f32::max);
            prop_assert!(blended.0.y >= low - 1e-5 && blended.0.y <= high + 1e-5);
        }
    }
}

#[test]
fn masks_choose_by_joint() {
    let compiled = compiled();
    let skeleton = &compiled.cast.skeleton;
    let upper = JointMask::none(skeleton).with_subtree(skeleton, "Spine", 1.0).expect("a joint");
    assert!(upper.weights().iter().sum::<f32>() > 3.0, "the character has a spine");
    let lower = upper.clone().inverted();
    let inputs = [
        BlendInput { mask: Some(&lower), ..compiled.input(0, 0.4, 1.0) },
        BlendInput { mask: Some(&upper), ..compiled.input(2, 0.2, 0.25) },
    ];
    let pose = compiled.blend(&inputs);
    let (walk, run, rest) = (compiled.plain(0, 0.4), compiled.plain(2, 0.2), skeleton.bind_pose());
    for joint in 0..pose.len() {
        let own = if upper.weight(joint) > 0.0 { &run } else { &walk };
        assert_near(&pose[joint..=joint], &own[joint..=joint], 1e-5);
    }
    // Joints that nobody gives a weight are at rest.
    let pose = compiled.blend(&inputs[1..]);
    for joint in (0..pose.len()).filter(|&joint| upper.weight(joint) == 0.0) {
        assert_near(&pose[joint..=joint], &rest[joint..=joint], 1e-6);
    }
}

#[test]
fn an_additive_clip_on_its_reference_is_the_clip() {
    let compiled = compiled();
    let skeleton = &compiled.cast.skeleton;
    for clip in 0..compiled.clips.len() {
        let authored = &compiled.cast.clips[clip];
        for is_frame in [false, true] {
            let (additive, reference) = if is_frame {
                (additive_clip_from_frame(authored, skeleton, 0.3), compiled.plain(clip, 0.3))
            } else {
                (additive_clip(authored, skeleton, &compiled.plain(1, 1.0)), compiled.plain(1, 1.0))
            };
            let additive = CompiledClip::new(&compiled.rig, &additive);
            let base = if is_frame { compiled.input(clip, 0.3, 1.0) } else { compiled.input(1, 1.0, 1.0) };
            for time in [0.0, 0.11, 0.5, 1.3] {
                let on_top =
                    |weight| BlendInput { clip: &additive, time, weight, mask: None, mode: BlendMode::Additive };
                assert_near(&compiled.blend(&[base, on_top(1.0)]), &compiled.plain(clip, time), 2e-4);
                assert_near(&compiled.blend(&[on_top(0.0), base]), &reference, 1e-5);
                let mut half = reference.clone();
                blend_poses(&reference, &compiled.plain(clip, time), 0.5, &mut half);
                assert_near(&compiled.blend(&[base, on_top(0.5)]), &half, 1e-3);
            }
        }
    }
}

/// Symptom: an infinite pose. Cause: weights near the end of `f32` were added up and multiplied as they are. Found with an additive clip;
/// two overriding ones of `f32::MAX` have an infinite sum too.
#[test]
fn weights_of_any_size_give_finite_poses_and_keep_their_ratio() {
    let skeleton = crate::player::rig::chain(3);
    let rig = Rig::new(&skeleton);
    let clips = [0.5, 3.5].map(|duration| CompiledClip::new(&rig, &crate::player::rig::slide(1, duration)));
    let blend = |weights: [f32; 2], mode| {
        let inputs =
            [0, 1].map(|index| BlendInput { clip: &clips[index], time: 9.0, weight: weights[index], mask: None, mode });
        let mut pose = skeleton.bind_pose();
        Blender::new().blend(&rig, &inputs, &mut pose);
        pose
    };
    for weight in [1e30, f32::MAX] {
        assert_eq!(blend([weight, weight], BlendMode::Override), blend([1e9, 1e9], BlendMode::Override));
        assert_eq!(blend([weight, weight], BlendMode::Override)[1].0.x, 2.0, "halfway");
        let added = blend([weight, weight], BlendMode::Additive);
        assert!(added.iter().all(|pose| pose.0.is_finite() && pose.1.is_finite() && pose.2.is_finite()), "{added:?}");
    }
}
