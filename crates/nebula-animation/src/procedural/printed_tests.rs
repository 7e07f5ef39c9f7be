//! The unit tests printed in the procedural document, verbatim, in the crate that they address.

use crate::*;

#[rustfmt::skip]
#[allow(clippy::uninlined_format_args, unused_variables)]
#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec3, Quat};
    use std::f32::consts::PI;

    fn base_context() -> ProceduralContext {
        ProceduralContext {
            dt: 0.016,
            elapsed: 0.0,
            entity_position: Vec3::ZERO,
            entity_forward: Vec3::NEG_Z,
            velocity: Vec3::ZERO,
        }
    }

    /// Verify that the look-at layer rotates the head joint toward the target.
    #[test]
    fn test_look_at_rotates_head_toward_target() {
        let layer = LookAtLayer {
            joint_index: 2,
            target: Vec3::new(5.0, 0.0, 0.0), // target is to the right
            max_angle: PI / 2.0,
            weight: 1.0,
        };

        let ctx = base_context();
        let (_, rotation, _) = layer.evaluate(&ctx);

        // The rotation should turn from -Z toward +X.
        let rotated_forward = rotation * Vec3::NEG_Z;
        assert!(
            rotated_forward.x > 0.5,
            "look-at should rotate toward +X, got forward: {:?}",
            rotated_forward
        );
    }

    /// Verify that the lean layer tilts with lateral movement.
    #[test]
    fn test_lean_tilts_with_movement() {
        let layer = LeanLayer {
            joint_index: 1,
            max_lean_angle: PI / 6.0,
            responsiveness: 10.0,
            current_lean: 0.0,
            weight: 1.0,
        };

        let mut ctx = base_context();
        ctx.velocity = Vec3::new(3.0, 0.0, 0.0); // moving right

        let (_, rotation, _) = layer.evaluate(&ctx);

        // Rotation should be a non-identity Z-axis rotation.
        let (axis, angle) = rotation.to_axis_angle();
        assert!(
            angle.abs() > 0.01,
            "lean should produce a non-zero rotation, got angle {}",
            angle
        );
    }

    /// Verify that the breathing layer oscillates periodically.
    #[test]
    fn test_breathing_oscillates_periodically() {
        let layer = BreathingLayer {
            joint_index: 1,
            frequency: 0.25,
            amplitude: 0.02,
            weight: 1.0,
        };

        // Sample at two different phases of the breath cycle.
        let mut ctx1 = base_context();
        ctx1.elapsed = 0.0; // sin(0) = 0
        let (t1, _, s1) = layer.evaluate(&ctx1);

        let mut ctx2 = base_context();
        ctx2.elapsed = 1.0; // sin(TAU * 0.25 * 1.0) = sin(PI/2) = 1.0
        let (t2, _, s2) = layer.evaluate(&ctx2);

        // At elapsed=0, breathing should be at neutral (sin(0)=0).
        assert!(
            t1.y.abs() < 0.001,
            "breathing at t=0 should be neutral, got y={}",
            t1.y
        );

        // At elapsed=1.0 with freq=0.25, sin(PI/2)=1, so scale should be > 1.
        assert!(
            s2.x > 1.0,
            "breathing at peak inhale should expand, got scale.x={}",
            s2.x
        );
    }

    /// Verify that additive blending combines a procedural layer with a base clip pose.
    #[test]
    fn test_additive_blending_combines_with_base_clip() {
        let layer = BreathingLayer {
            joint_index: 0,
            frequency: 0.25,
            amplitude: 0.02,
            weight: 1.0,
        };

        let stack = ProceduralAnimationStack {
            layers: vec![Box::new(layer)],
        };

        // Base pose: joint 0 at translation (1, 2, 3), identity rotation, unit scale.
        let mut poses: Vec<JointPose> = vec![
            (Vec3::new(1.0, 2.0, 3.0), Quat::IDENTITY, Vec3::ONE),
        ];

        let mut ctx = base_context();
        ctx.elapsed = 1.0; // peak inhale

        let original_y = poses[0].0.y;
        stack.apply(&ctx, &mut poses);

        // Translation should have been modified (additive breathing offset).
        assert!(
            (poses[0].0.y - original_y).abs() > 1e-5,
            "additive blending should modify translation, but y is unchanged"
        );

        // Original x and z should be preserved (breathing only affects y).
        assert!(
            (poses[0].0.x - 1.0).abs() < 1e-5,
            "x translation should be preserved"
        );
    }

    /// Verify that a layer with weight=0.0 has absolutely no effect on the pose.
    #[test]
    fn test_zero_weight_has_no_effect() {
        let layer = LookAtLayer {
            joint_index: 0,
            target: Vec3::new(100.0, 0.0, 0.0),
            max_angle: PI,
            weight: 0.0, // zero weight — should be skipped
        };

        let stack = ProceduralAnimationStack {
            layers: vec![Box::new(layer)],
        };

        let original_pose: JointPose = (Vec3::new(1.0, 2.0, 3.0), Quat::IDENTITY, Vec3::ONE);
        let mut poses = vec![original_pose];

        let ctx = base_context();
        stack.apply(&ctx, &mut poses);

        assert_eq!(poses[0].0, original_pose.0, "translation should be unchanged with weight=0");
        assert_eq!(poses[0].1, original_pose.1, "rotation should be unchanged with weight=0");
        assert_eq!(poses[0].2, original_pose.2, "scale should be unchanged with weight=0");
    }
}
