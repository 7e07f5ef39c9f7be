//! What is worked out in one pass has the bits of what is sampled, written down and blended.

use glam::{Mat4, Quat, Vec3};

use super::blend::mask_lanes;
use super::mean::{Mean, MeanOfArcs, Part};
use super::over::Over;
use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe};
use crate::compile::{CompiledClip, Isa};
use crate::math::lanes::dispatch;
use crate::palette::Toward;
use crate::rig::Rig;
use crate::rig::block::{Blocks, LANES, PoseBlock};
use crate::skeleton::{Joint, JointMask, Skeleton};

const ISAS: [Isa; 6] = [Isa::Scalar, Isa::Sse2, Isa::Avx2, Isa::Avx512, Isa::Neon, Isa::Simd128];

/// So many joints, each on the one before it.
fn chain(joints: u16) -> Skeleton {
    let joint = |index: u16| Joint {
        index,
        parent: index.checked_sub(1),
        inverse_bind_matrix: Mat4::IDENTITY,
        name: format!("joint {index}"),
        bind_translation: Vec3::new(0.1, 0.2 * f32::from(index % 3), -0.0),
        bind_rotation: Quat::from_rotation_x(0.1 * f32::from(index)),
        bind_scale: Vec3::ONE,
    };
    Skeleton { joints: (0..joints).map(joint).collect() }
}

/// A clip that turns all joints, up to so far from key to key, moves one in five, and scales one.
fn swing(joints: u16, duration: f32, step: f32) -> AnimationClip {
    let times = (0..=12_u8).map(|key| (f32::from(key), duration * f32::from(key) / 12.0));
    fn channel<T: Clone>(joint: u16, keys: impl Iterator<Item = (f32, T)>) -> Channel<T> {
        let keyframes = keys.map(|(time, value)| Keyframe { time, value, tangents: None }).collect();
        Channel { joint_index: joint, interpolation: Interpolation::Linear, keyframes }
    }
    let turn = |joint: u16, key: f32| {
        let axis = Vec3::new(1.0, f32::from(joint % 4), -0.5).try_normalize().unwrap_or(Vec3::X);
        Quat::from_axis_angle(axis, step * (key + f32::from(joint)).sin() + f32::from(joint))
    };
    let place = |joint: u16, key: f32| Vec3::new(0.3 * (key + f32::from(joint)).cos(), 0.2, 0.1 * key);
    AnimationClip {
        name: format!("swing {step}"),
        duration,
        rotation_channels: (0..joints)
            .map(|joint| channel(joint, times.clone().map(|(key, time)| (time, turn(joint, key)))))
            .collect(),
        translation_channels: (0..joints)
            .step_by(5)
            .map(|joint| channel(joint, times.clone().map(|(key, time)| (time, place(joint, key)))))
            .collect(),
        scale_channels: vec![channel(3, times.clone().map(|(key, time)| (time, Vec3::splat(1.0 + 0.01 * key))))],
    }
}

fn bits(pose: &[PoseBlock]) -> Vec<u32> {
    let numbers = pose.iter().flat_map(|block| block.translation.iter().chain(&block.rotation).chain(&block.scale));
    numbers.flatten().map(|number| number.to_bits()).collect()
}

/// Of each kind of arc, with a last block that is whole and with one that is not.
fn cast(joints: u16) -> (Skeleton, std::sync::Arc<Rig>, [CompiledClip; 3]) {
    let skeleton = chain(joints);
    let rig = Rig::new(&skeleton);
    let clips = [(1.0, 0.1), (1.4, 0.6), (0.8, 2.0)]
        .map(|(duration, step)| CompiledClip::new(&rig, &swing(joints, duration, step)));
    assert!(clips.iter().all(CompiledClip::has_arcs));
    (skeleton, rig, clips)
}

#[test]
fn means_of_arcs_have_the_bits_of_means() {
    for joints in [16, 21] {
        let (_, rig, clips) = cast(joints);
        let blocks = rig.rest.len();
        for isa in ISAS {
            for (count, time) in [(2, 0.0), (2, 0.37), (3, 0.61), (3, 2.0)] {
                let parts: [Part; 3] = std::array::from_fn(|number| {
                    (&clips[(number + count) % 3], time * (1.0 + 0.1 * number as f32), 0.2 + 0.3 * number as f32)
                });
                let parts = &parts[..count];
                let mut samples = vec![PoseBlock::IDENTITY; 3 * blocks];
                let (mut expected, mut found) = (rig.rest.to_vec(), rig.rest.to_vec());
                for ((clip, time, _), sample) in parts.iter().zip(samples.chunks_exact_mut(blocks)) {
                    clip.sample_some_moving(isa, *time, Blocks::ALL, sample);
                }
                let (rest, wanted) = (&rig.rest[..], Blocks::ALL);
                dispatch(isa, Mean { samples: &samples, parts, rest, wanted, pose: &mut expected });
                let mut samples = vec![PoseBlock::IDENTITY; 3 * blocks];
                dispatch(isa, MeanOfArcs { samples: &mut samples, parts, rest, wanted, pose: &mut found });
                assert_eq!(bits(&expected), bits(&found), "{count} clips at {time} s on {isa}");
            }
        }
    }
}

/// Masks of zeros, ones, both in one block, and parts; all of a layer and a part of it.
#[test]
fn clips_over_a_pose_have_the_bits_of_samples_over_it() {
    let joints = 37;
    let (skeleton, rig, clips) = cast(joints);
    let mut mask = JointMask::none(&skeleton);
    for (joint, weight) in [(8, 1.0), (10, 1.0), (15, 1.0), (24, 0.25), (25, 1.0), (30, 0.5), (36, 1.0)] {
        mask.set(joint, weight);
    }
    (16..24).for_each(|joint| mask.set(joint, 1.0));
    let blocks = rig.rest.len();
    let mut lanes = vec![[0.0; LANES]; blocks];
    let mask = mask_lanes(&rig, &mask, &mut lanes);
    let whole = Blocks::which(mask, |block| *block == [1.0; LANES]);
    let crisp = Blocks::which(mask, |block| block.iter().all(|weight| [0.0, 1.0].contains(weight)));
    assert!(whole.has(2) && crisp.has(1) && !crisp.has(3), "there is something of each");
    let wanted = Blocks::ALL.without(Blocks::which(mask, |block| *block == [0.0; LANES]));
    for isa in ISAS {
        for (below, clip) in [(0, 1), (1, 2), (2, 0)] {
            for fraction in [1.0, 0.4] {
                let time = 0.3 + 0.1 * fraction;
                let mut expected = rig.rest.to_vec();
                clips[below].sample(isa, 0.7, true, &mut expected);
                let mut found = expected.clone();
                let mut own = vec![PoseBlock::IDENTITY; blocks];
                clips[clip].sample_some(isa, time, wanted, &mut own);
                let (mask, pose) = (Some(mask), &mut expected[..]);
                dispatch(isa, Toward { pose, other: &own, fraction, mask, has_scale: true, moves: None });
                let mut own = vec![PoseBlock::IDENTITY; blocks];
                let kinds = if fraction == 1.0 { [whole, crisp] } else { [Blocks::NONE; 2] };
                let (clip, mask, own) = (&clips[clip], mask.unwrap_or_default(), &mut own[..]);
                dispatch(isa, Over { clip, time, fraction, mask, kinds, wanted, pose: &mut found, own });
                assert_eq!(bits(&expected), bits(&found), "{fraction} of {} on {isa}", clip.name());
            }
        }
    }
}
