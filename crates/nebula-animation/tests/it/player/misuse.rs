//! What should not happen, happens: each row is defined, finite, and no panic.

use glam::{Quat, Vec3};
use nebula_animation::{AnimationClip, AnimationClipLibrary, Character, Interpolation, JointPose, Skeleton};

use super::rig::{chain, slide};
use super::warnings;

/// A title, what is done to a healthy character of three joints, the length of the palette afterwards, and how many
/// warnings a hundred frames log.
type Row = (&'static str, fn(&mut Character), usize, usize);

const TABLE: [Row; 14] = [
    ("nothing", |_| {}, 3, 0),
    ("clip index out of range", |character| character.player.clip_index = 7, 3, 1),
    ("clip index of the largest number", |character| character.player.play(usize::MAX), 3, 1),
    ("no clips at all", |character| character.clips = AnimationClipLibrary::default(), 3, 1),
    ("other clips, shorter", |character| character.clips = vec![slide(0, 0.1)].into(), 3, 0),
    ("a zero-length clip", |character| character.clips = vec![AnimationClip::default()].into(), 3, 1),
    ("clips for more joints than there are", |character| character.clips = vec![slide(40, 1.0)].into(), 3, 0),
    ("a larger skeleton", |character| character.skeleton = chain(9).into(), 9, 0),
    ("a smaller skeleton", |character| character.skeleton = chain(1).into(), 1, 0),
    ("an empty skeleton", |character| character.skeleton = Skeleton::default().into(), 0, 0),
    (
        "buffers that somebody emptied",
        |character| {
            character.player.local_poses.clear();
            character.player.joint_matrices.clear();
        },
        3,
        0,
    ),
    (
        "a skeleton whose parents come later",
        |character| {
            let mut skeleton = chain(3);
            skeleton.joints[0].parent = Some(2);
            skeleton.joints[2].parent = Some(900);
            character.skeleton = skeleton.into();
        },
        3,
        0,
    ),
    (
        "keyframes that are not finite",
        |character| {
            let mut clip = slide(1, 1.0);
            clip.translation_channels[0].keyframes[1].value.y = f32::NAN;
            character.clips = vec![clip].into();
        },
        3,
        1,
    ),
    (
        "a bind pose that is not finite either",
        |character| {
            let mut skeleton = chain(3);
            skeleton.joints[2].bind_rotation = Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0);
            skeleton.joints[2].bind_translation = Vec3::splat(f32::INFINITY);
            character.skeleton = skeleton.into();
        },
        3,
        1,
    ),
];

#[test]
fn misuse_is_defined_finite_and_said_once() {
    for (title, misuse, palette_length, warning_count) in TABLE {
        for looping in [true, false] {
            let mut character = Character::new(chain(3), vec![slide(0, 1.0), slide(2, 2.0)]);
            character.player.looping = looping;
            character.update(0.7);
            misuse(&mut character);
            let warned = warnings::count(|| {
                for _ in 0..100 {
                    character.update(0.05);
                    assert!(character.player.time.is_finite(), "{title}");
                    assert_eq!(character.player.local_poses.len(), palette_length, "{title}");
                    assert_eq!(character.palette().len(), palette_length, "{title}");
                    assert!(character.palette().iter().all(|matrix| matrix.is_finite()), "{title}");
                }
            });
            assert_eq!(warned, warning_count, "{title}");

            // Put right, it plays on.
            character.skeleton = chain(3).into();
            character.clips = vec![slide(0, 1.0)].into();
            character.player.play(0);
            character.update(0.25);
            assert_eq!((character.player.time, character.palette()[0].w_axis.x), (0.25, 0.25), "{title}");
        }
    }
}

#[test]
fn a_library_that_loses_and_regains_a_clip_shows_the_bind_pose_meanwhile() {
    let both: AnimationClipLibrary = vec![slide(0, 1.0), slide(1, 1.0)].into();
    let mut character = Character::new(chain(2), both.clone());
    character.player.play(1);
    character.update(0.5);
    character.clips = vec![slide(0, 1.0)].into();
    character.update(0.25);
    assert_eq!(character.player.local_poses, character.skeleton.bind_pose());
    character.clips = both;
    character.update(0.25);
    assert_eq!(character.player.local_poses[1].0.x, 0.75, "no time passed without the clip");
}

/// Symptom: a rotation that is not a number. Cause: of compiled clips only the values of keys were looked at, to find out whether poses need
/// repair, and a time that is no number between two that are gives no pose either. Three keys, because the ends of a
/// clip are looked for first.
#[test]
fn times_that_are_no_numbers_or_fall_leave_the_pose_finite() {
    for time in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -3.0, 9.0, 0.0, f32::MAX] {
        let mut clip = super::rig::turn(1, 5, 0.4);
        for channel in &mut clip.rotation_channels {
            channel.keyframes[2].time = time;
        }
        for channel in &mut clip.scale_channels {
            channel.keyframes[2].time = time;
        }
        clip.translation_channels = slide(1, 1.2).translation_channels;
        clip.translation_channels[0].keyframes[1].time = time;
        for interpolation in [Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline] {
            clip.rotation_channels[0].interpolation = interpolation;
            let mut character = Character::new(chain(3), vec![clip.clone()]);
            for _ in 0..40 {
                character.update(0.07);
                let is_finite = |pose: &JointPose| pose.0.is_finite() && pose.1.is_finite() && pose.2.is_finite();
                assert!(character.player.local_poses.iter().all(is_finite), "{time}, {interpolation:?}");
            }
        }
    }
}
