//! What should not happen, happens: each row is defined, finite, and no panic.

use glam::{Quat, Vec3};
use nebula_animation::{AnimationClip, Interpolation, JointPose, Rig, Skeleton};

use super::rig::{Puppet, chain, slide};
use super::warnings;

/// A title, what is done to a healthy character of three joints, the length of the palette afterwards, and how many
/// warnings a hundred frames log.
type Row = (&'static str, fn(&mut Puppet), usize, usize);

const TABLE: [Row; 14] = [
    ("nothing", |_| {}, 3, 0),
    ("clip index out of range", |puppet| puppet.player.clip_index = 7, 3, 1),
    ("clip index of the largest number", |puppet| puppet.player.play(usize::MAX), 3, 1),
    ("no clips at all", |puppet| puppet.set_clips(Vec::new()), 3, 1),
    ("other clips, shorter", |puppet| puppet.set_clips(vec![slide(0, 0.1)]), 3, 0),
    ("a zero-length clip", |puppet| puppet.set_clips(vec![AnimationClip::default()]), 3, 1),
    ("clips for more joints than there are", |puppet| puppet.set_clips(vec![slide(40, 1.0)]), 3, 0),
    ("a larger skeleton", |puppet| puppet.set_skeleton(chain(9)), 9, 0),
    ("a smaller skeleton", |puppet| puppet.set_skeleton(chain(1)), 1, 0),
    ("an empty skeleton", |puppet| puppet.set_skeleton(Skeleton::default()), 0, 0),
    (
        "buffers that somebody emptied",
        |puppet| {
            puppet.player.local_poses.clear();
            puppet.player.joint_matrices.clear();
        },
        3,
        0,
    ),
    (
        "a skeleton whose parents come later",
        |puppet| {
            let mut skeleton = chain(3);
            skeleton.joints[0].parent = Some(2);
            skeleton.joints[2].parent = Some(900);
            puppet.set_skeleton(skeleton);
        },
        3,
        0,
    ),
    (
        "keyframes that are not finite",
        |puppet| {
            let mut clip = slide(1, 1.0);
            clip.translation_channels[0].keyframes[1].value.y = f32::NAN;
            puppet.set_clips(vec![clip]);
        },
        3,
        1,
    ),
    (
        "a bind pose that is not finite either",
        |puppet| {
            let mut skeleton = chain(3);
            skeleton.joints[2].bind_rotation = Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0);
            skeleton.joints[2].bind_translation = Vec3::splat(f32::INFINITY);
            puppet.set_skeleton(skeleton);
        },
        3,
        1,
    ),
];

#[test]
fn misuse_is_defined_finite_and_said_once() {
    for (title, misuse, palette_length, warning_count) in TABLE {
        for looping in [true, false] {
            let mut puppet = Puppet::new(chain(3), vec![slide(0, 1.0), slide(2, 2.0)]);
            puppet.player.looping = looping;
            puppet.update(0.7);
            misuse(&mut puppet);
            let warned = warnings::count(|| {
                for _ in 0..100 {
                    puppet.update(0.05);
                    assert!(puppet.player.time.is_finite(), "{title}");
                    assert_eq!(puppet.player.local_poses.len(), palette_length, "{title}");
                    assert_eq!(puppet.palette().len(), palette_length, "{title}");
                    assert!(puppet.palette().iter().all(|matrix| matrix.is_finite()), "{title}");
                }
            });
            assert_eq!(warned, warning_count, "{title}");

            // Put right, it plays on.
            puppet.set_skeleton(chain(3));
            puppet.set_clips(vec![slide(0, 1.0)]);
            puppet.player.play(0);
            puppet.update(0.25);
            assert_eq!((puppet.player.time, puppet.palette()[0].w_axis.x), (0.25, 0.25), "{title}");
        }
    }
}

#[test]
fn a_library_that_loses_and_regains_a_clip_shows_the_bind_pose_meanwhile() {
    let both = vec![slide(0, 1.0), slide(1, 1.0)];
    let mut puppet = Puppet::new(chain(2), both.clone());
    puppet.player.play(1);
    puppet.update(0.5);
    puppet.set_clips(vec![slide(0, 1.0)]);
    puppet.update(0.25);
    assert_eq!(puppet.player.local_poses, puppet.rig.bind_pose());
    puppet.set_clips(both);
    puppet.update(0.25);
    assert_eq!(puppet.player.local_poses[1].0.x, 0.75, "no time passed without the clip");
}

/// Clips of one rig do not fit another: the bind pose of that one is shown, which one line in the log tells.
#[test]
fn clips_of_another_rig_show_the_bind_pose_and_are_told_once() {
    for joints in [9, 1, 0] {
        let mut puppet = Puppet::new(chain(3), vec![slide(0, 1.0)]);
        let mine = puppet.rig.clone();
        puppet.rig = Rig::new(chain(joints));
        let told = warnings::count_errors(|| {
            for _ in 0..100 {
                puppet.update(0.05);
                assert_eq!(puppet.player.local_poses, puppet.rig.bind_pose(), "{joints} joints");
            }
        });
        assert_eq!((told, puppet.palette().len()), (1, usize::from(joints)));
        puppet.rig = mine;
        puppet.player.seek(0.25);
        puppet.update(0.0);
        assert_eq!(puppet.palette()[0].w_axis.x, 0.25, "put right, it plays on");
    }
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
            let mut puppet = Puppet::new(chain(3), vec![clip.clone()]);
            for _ in 0..40 {
                puppet.update(0.07);
                let is_finite = |pose: &JointPose| pose.0.is_finite() && pose.1.is_finite() && pose.2.is_finite();
                assert!(puppet.player.local_poses.iter().all(is_finite), "{time}, {interpolation:?}");
            }
        }
    }
}
