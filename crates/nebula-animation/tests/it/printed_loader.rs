//! The unit tests that the loader's design document prints, word for word. Run from the crate's folder, as cargo does.

use nebula_animation::{AnimationClip, Skeleton, load_skeleton_and_clips};

#[rustfmt::skip]
#[allow(clippy::uninlined_format_args)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// Helper: load the test fixture "simple_humanoid.glb" which contains
    /// a 25-joint humanoid skeleton with a 2-second walk cycle.
    fn load_test_skeleton() -> (Skeleton, Vec<AnimationClip>) {
        load_skeleton_and_clips(Path::new("test_assets/simple_humanoid.glb"))
            .expect("test asset should load without error")
    }

    /// Verify that the skeleton loads with the expected number of joints.
    #[test]
    fn test_skeleton_loads_correct_joint_count() {
        let (skeleton, _) = load_test_skeleton();
        assert_eq!(skeleton.joints.len(), 25, "humanoid skeleton should have 25 joints");
    }

    /// Verify that every inverse bind matrix has a non-zero determinant
    /// (i.e., it is invertible and not degenerate).
    #[test]
    fn test_inverse_bind_matrices_are_valid() {
        let (skeleton, _) = load_test_skeleton();
        for joint in &skeleton.joints {
            let det = joint.inverse_bind_matrix.determinant();
            assert!(
                det.abs() > f32::EPSILON,
                "joint '{}' has degenerate inverse bind matrix (det = {})",
                joint.name, det
            );
            assert!(
                !det.is_nan(),
                "joint '{}' has NaN in inverse bind matrix determinant",
                joint.name
            );
        }
    }

    /// Verify that the animation clip has the expected duration.
    #[test]
    fn test_animation_clip_has_expected_duration() {
        let (_, clips) = load_test_skeleton();
        assert!(!clips.is_empty(), "should have at least one animation clip");
        let walk = &clips[0];
        assert!(
            (walk.duration - 2.0).abs() < 0.01,
            "walk cycle should be ~2.0 seconds, got {}",
            walk.duration
        );
    }

    /// Verify that keyframes in every channel are sorted by ascending time.
    #[test]
    fn test_keyframes_are_sorted_by_time() {
        let (_, clips) = load_test_skeleton();
        for clip in &clips {
            for channel in &clip.translation_channels {
                for window in channel.keyframes.windows(2) {
                    assert!(
                        window[0].time <= window[1].time,
                        "translation keyframes out of order: {} > {}",
                        window[0].time, window[1].time
                    );
                }
            }
            for channel in &clip.rotation_channels {
                for window in channel.keyframes.windows(2) {
                    assert!(
                        window[0].time <= window[1].time,
                        "rotation keyframes out of order: {} > {}",
                        window[0].time, window[1].time
                    );
                }
            }
            for channel in &clip.scale_channels {
                for window in channel.keyframes.windows(2) {
                    assert!(
                        window[0].time <= window[1].time,
                        "scale keyframes out of order: {} > {}",
                        window[0].time, window[1].time
                    );
                }
            }
        }
    }

    /// Verify that the joint hierarchy is a valid tree: every parent index
    /// is less than the child's index (topological ordering) and exactly
    /// one root exists (parent == None).
    #[test]
    fn test_joint_hierarchy_is_valid_tree() {
        let (skeleton, _) = load_test_skeleton();
        let root_count = skeleton.joints.iter().filter(|j| j.parent.is_none()).count();
        assert!(root_count >= 1, "skeleton must have at least one root joint");

        for (i, joint) in skeleton.joints.iter().enumerate() {
            assert_eq!(joint.index as usize, i, "joint index must match array position");
            if let Some(parent) = joint.parent {
                assert!(
                    (parent as usize) < i,
                    "parent index {} must be less than child index {} for topological order",
                    parent, i
                );
            }
        }
    }
}
