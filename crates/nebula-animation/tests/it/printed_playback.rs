//! The unit tests that the playback document prints, word for word.

use nebula_animation::*;

#[rustfmt::skip]
#[allow(clippy::uninlined_format_args)]
#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec3, Quat, Mat4};

    /// Helper: create a minimal skeleton with 3 joints (root -> spine -> head)
    /// and a 1-second clip with linear translation keyframes.
    fn create_test_rig() -> (Skeleton, AnimationClip) {
        let skeleton = Skeleton {
            joints: vec![
                Joint {
                    index: 0, parent: None,
                    inverse_bind_matrix: Mat4::IDENTITY,
                    name: "Root".into(),
                    bind_translation: Vec3::ZERO, bind_rotation: Quat::IDENTITY, bind_scale: Vec3::ONE,
                },
                Joint {
                    index: 1, parent: Some(0),
                    inverse_bind_matrix: Mat4::from_translation(Vec3::new(0.0, -1.0, 0.0)),
                    name: "Spine".into(),
                    bind_translation: Vec3::new(0.0, 1.0, 0.0), bind_rotation: Quat::IDENTITY, bind_scale: Vec3::ONE,
                },
                Joint {
                    index: 2, parent: Some(1),
                    inverse_bind_matrix: Mat4::from_translation(Vec3::new(0.0, -2.0, 0.0)),
                    name: "Head".into(),
                    bind_translation: Vec3::new(0.0, 1.0, 0.0), bind_rotation: Quat::IDENTITY, bind_scale: Vec3::ONE,
                },
            ],
        };
        let clip = AnimationClip {
            name: "test_anim".into(),
            duration: 1.0,
            translation_channels: vec![
                Channel {
                    joint_index: 0,
                    interpolation: Interpolation::Linear,
                    keyframes: vec![
                        Keyframe { time: 0.0, value: Vec3::ZERO, tangents: None },
                        Keyframe { time: 1.0, value: Vec3::new(2.0, 0.0, 0.0), tangents: None },
                    ],
                },
            ],
            rotation_channels: vec![],
            scale_channels: vec![],
        };
        (skeleton, clip)
    }

    /// Verify that playback time advances by delta_time * speed.
    #[test]
    fn test_playback_advances_time() {
        let (_, clip) = create_test_rig();
        let mut player = AnimationPlayer::new(0, clip.duration, 3);
        player.speed = 1.0;
        player.playing = true;
        player.looping = false;

        let dt = 0.1;
        advance_time(&mut player, &[clip], dt);
        assert!(
            (player.time - 0.1).abs() < 1e-6,
            "time should be 0.1 after one 0.1s step, got {}",
            player.time
        );
    }

    /// Verify that looping wraps time around to the beginning of the clip.
    #[test]
    fn test_looping_wraps_around() {
        let (_, clip) = create_test_rig();
        let mut player = AnimationPlayer::new(0, clip.duration, 3);
        player.time = 0.9;
        player.speed = 1.0;
        player.looping = true;

        advance_time(&mut player, &[clip], 0.2); // 0.9 + 0.2 = 1.1 -> wraps to 0.1
        assert!(
            (player.time - 0.1).abs() < 1e-4,
            "looping time should wrap to ~0.1, got {}",
            player.time
        );
    }

    /// Verify that the speed multiplier scales time advancement.
    #[test]
    fn test_speed_multiplier_works() {
        let (_, clip) = create_test_rig();
        let mut player = AnimationPlayer::new(0, clip.duration, 3);
        player.speed = 2.0;
        player.looping = false;

        advance_time(&mut player, &[clip], 0.1); // 0.0 + 0.1 * 2.0 = 0.2
        assert!(
            (player.time - 0.2).abs() < 1e-6,
            "time should be 0.2 with speed=2.0 after 0.1s, got {}",
            player.time
        );
    }

    /// Verify that linear interpolation at t=0.5 produces a midpoint value.
    #[test]
    fn test_interpolation_produces_smooth_values() {
        let channel = Channel {
            joint_index: 0,
            interpolation: Interpolation::Linear,
            keyframes: vec![
                Keyframe { time: 0.0, value: Vec3::ZERO, tangents: None },
                Keyframe { time: 1.0, value: Vec3::new(4.0, 0.0, 0.0), tangents: None },
            ],
        };

        let result = sample_channel(&channel, 0.5);
        assert!(
            (result.x - 2.0).abs() < 1e-5,
            "linear interp at t=0.5 should give x=2.0, got {}",
            result.x
        );
        assert!(result.y.abs() < 1e-5);
        assert!(result.z.abs() < 1e-5);
    }

    /// Verify that joint matrices are correct for bind pose (time = 0, identity animation).
    /// In bind pose, world_transform * inverse_bind_matrix == IDENTITY for every joint.
    #[test]
    fn test_joint_matrices_correct_for_bind_pose() {
        let (skeleton, _) = create_test_rig();
        let mut player = AnimationPlayer::new(0, 1.0, skeleton.joints.len());

        // Set local poses to bind pose.
        for (i, joint) in skeleton.joints.iter().enumerate() {
            player.local_poses[i] = (joint.bind_translation, joint.bind_rotation, joint.bind_scale);
        }

        compute_world_matrices(&mut player, &skeleton);

        // In bind pose, each joint_matrix should be (close to) identity.
        for (i, mat) in player.joint_matrices.iter().enumerate() {
            let diff = (*mat - Mat4::IDENTITY).abs_diff_eq(Mat4::ZERO, 1e-5);
            assert!(
                diff,
                "joint_matrix[{}] ('{}') should be identity in bind pose, got {:?}",
                i, skeleton.joints[i].name, mat
            );
        }
    }
}
