use glam::{Mat4, Quat, Vec3};
use nebula_animation::{AnimationClip, Channel, Keyframe, Skeleton, retarget::Mirror};

use super::bodies::{Body, humanoid};

/// The largest difference of the keys of two clips that have the same channels.
fn difference(a: &AnimationClip, b: &AnimationClip) -> f32 {
    fn channels<T: Clone>(a: &[Channel<T>], b: &[Channel<T>], distance: impl Fn(&T, &T) -> f32) -> f32 {
        assert_eq!(a.len(), b.len());
        let mut worst = 0.0_f32;
        for (a, b) in a.iter().zip(b) {
            assert_eq!(
                (a.joint_index, a.interpolation, a.keyframes.len()),
                (b.joint_index, b.interpolation, b.keyframes.len())
            );
            for (a, b) in a.keyframes.iter().zip(&b.keyframes) {
                let Keyframe { time, value, tangents } = a;
                assert_eq!((*time, tangents.is_some()), (b.time, b.tangents.is_some()));
                worst = worst.max(distance(value, &b.value));
                if let (Some(a), Some(b)) = (tangents, &b.tangents) {
                    worst = worst.max(distance(&a.0, &b.0)).max(distance(&a.1, &b.1));
                }
            }
        }
        worst
    }
    let vectors = |a: &Vec3, b: &Vec3| (*a - *b).abs().max_element();
    let rotations = |a: &Quat, b: &Quat| glam::Vec4::from(*a - *b).abs().max_element();
    channels(&a.translation_channels, &b.translation_channels, vectors)
        .max(channels(&a.rotation_channels, &b.rotation_channels, rotations))
        .max(channels(&a.scale_channels, &b.scale_channels, vectors))
}

fn bodies() -> Vec<Body> {
    vec![humanoid(), humanoid().with_other_axes(3), humanoid().with_other_axes(4).enlarged(100.0)]
}

#[test]
fn mirrored_twice_a_clip_is_itself() {
    for body in bodies() {
        let mirror = Mirror::new(&body.skeleton);
        assert!(mirror.unpaired().is_empty());
        let size = body.skeleton.joints[1].bind_translation.length();
        for clip in &body.clips {
            let mirrored = mirror.clip(clip);
            assert!(difference(&mirrored, &mirror.clip(&mirror.clip(&mirrored))) < 2e-6 * size.max(1.0));
            let twice = mirror.clip(&mirrored);
            assert!(difference(clip, &twice) < 2e-6 * size.max(1.0), "{}: {}", clip.name, difference(clip, &twice));
            assert_eq!(twice.name, clip.name);
        }
        // The test could fail: once is something else.
        let walk = body.clip("walk");
        let mirrored = mirror.clip(walk);
        let seconds = walk.duration * 0.3;
        assert!(!body.models(walk, seconds)[5].abs_diff_eq(body.models(&mirrored, seconds)[5], 1e-3 * size));
    }
}

#[test]
fn the_mirrored_motion_is_the_mirror_image_in_model_space() {
    for body in bodies() {
        let mirror = Mirror::new(&body.skeleton);
        assert!(mirror.normal().abs_diff_eq(Vec3::X, 1e-6), "the humanoid looks along Z");
        let image = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        let size = body.skeleton.joints[1].bind_translation.length().max(1.0);
        for name in ["walk", "run", "wave", "idle", "turn_left_root_motion", "jump_root_motion"] {
            let clip = body.clip(name);
            let mirrored = mirror.clip(clip);
            for step in 0..=40_u8 {
                let time = clip.duration * f32::from(step) / 40.0;
                // How a joint has moved away from rest does not depend on its axes.
                let (plain, made) = (body.deltas(clip, time), body.deltas(&mirrored, time));
                for (joint, delta) in plain.iter().enumerate() {
                    let expected = image * *delta * image;
                    let partner = usize::from(mirror.partners()[joint]);
                    assert!(
                        made[partner].abs_diff_eq(expected, 2e-5 * size),
                        "{name} at {time}: {}: {} against {expected}",
                        body.skeleton.joints[joint].name,
                        made[partner],
                    );
                }
            }
        }
    }
}

#[test]
fn the_plane_follows_the_body() {
    // A character that looks along X, because of the joint above its hips.
    let mut body = humanoid();
    let turn = Quat::from_rotation_y(0.5);
    let root = &mut body.skeleton.joints[0];
    root.bind_rotation = turn * root.bind_rotation;
    let mirror = Mirror::new(&body.skeleton);
    assert!(mirror.normal().cross(turn * Vec3::X).length() < 1e-6, "{}", mirror.normal());
}

#[test]
fn odd_skeletons_are_mirrored_in_place() {
    assert!(Mirror::new(&Skeleton::default()).clip(&humanoid().clips[0]).rotation_channels.is_empty());

    let mut body = humanoid();
    let arm = body.joint("RightArm");
    body.skeleton.joints[arm].name = "Tentacle".into();
    let mirror = Mirror::new(&body.skeleton);
    assert_eq!(mirror.unpaired(), [body.joint("LeftArm") as u16]);
    assert_eq!(usize::from(mirror.partners()[arm]), arm);

    // By hand, the pair is back.
    let left = body.joint("LeftArm") as u16;
    let mut pairs: Vec<(u16, u16)> =
        (0..).zip(mirror.partners()).filter(|(a, b)| a < *b).map(|(a, b)| (a, *b)).collect();
    pairs.push((left, arm as u16));
    pairs.push((9999, 0));
    let by_hand = Mirror::from_pairs(&body.skeleton, &pairs);
    assert_eq!(by_hand.partners(), Mirror::new(&humanoid().skeleton).partners());

    // Names that occur twice, numbers that are none.
    for joint in &mut body.skeleton.joints {
        joint.name = if joint.index % 2 == 0 { "left".into() } else { "right".into() };
        joint.bind_translation.x = f32::NAN;
        joint.bind_rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    }
    let mirror = Mirror::new(&body.skeleton);
    assert!(mirror.normal().is_finite());
    let _ = mirror.clip(&body.clips[0]);
}
