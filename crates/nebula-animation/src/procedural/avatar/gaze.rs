use glam::{Quat, Vec3};

use crate::explain::{Limit, LimitKind, LimitUnit, Reason};
use crate::math::trig::atan2;
use crate::procedural::turn::about;
use crate::procedural::{ModelPose, ProceduralContext, ProceduralLayer};
use crate::rig::avatar::{EyeGaze, EyeRange};
use crate::skeleton::JointPose;
use crate::state::stateful;

/// A layer that rotates the eyes of an avatar towards a target, within the limits of its file. The head does not move:
/// use [`AimLayer`](crate::procedural::AimLayer) for head and chest.
///
/// For avatars whose eyes are textures or morph targets, [`EyeGazeLayer::angles`] returns the angles to the target, and
/// [`EyeGaze::strengths`] which expressions to show.
#[derive(Debug, Clone)]
pub struct EyeGazeLayer {
    /// World-space point to look at; `None`, the default, leaves the eyes as they are in the pose.
    pub target: Option<Vec3>,
    /// Blend weight, from 0 to 1.
    pub weight: f32,
    gaze: EyeGaze,
}

impl EyeGazeLayer {
    /// A layer of full weight without a target.
    #[must_use]
    pub fn new(gaze: EyeGaze) -> Self {
        Self { target: None, weight: 1.0, gaze }
    }

    /// The angles, in degrees to the left of where the head looks and downwards, of a target in world space.
    #[must_use]
    pub fn angles(&self, pose: &mut ModelPose<'_>, target: Vec3) -> (f32, f32) {
        let (delta, front, left) = self.axes(pose);
        let eye = pose.model(self.gaze.head).transform_point3(self.gaze.offset);
        let way = delta.conjugate() * (pose.model_from_world().transform_point3(target) - eye);
        let up = front.cross(left);
        let ahead = way.dot(front);
        let aside = way.dot(left);
        let level = (ahead * ahead + aside * aside).sqrt();
        (atan2(aside, ahead).to_degrees(), atan2(-way.dot(up), level).to_degrees())
    }

    /// The rotation of the head since the rest pose, and front and left of the rest pose.
    fn axes(&self, pose: &mut ModelPose<'_>) -> (Quat, Vec3, Vec3) {
        let head = self.gaze.head;
        let rest = pose.rig().model_from_joint(head).to_scale_rotation_translation().1;
        let front = pose.front();
        let left = pose.rig().up().cross(front).try_normalize().unwrap_or(Vec3::X);
        (pose.rotation(head) * rest.conjugate(), front, left)
    }
}

impl ProceduralLayer for EyeGazeLayer {
    stateful!(given { target, weight } kept {});

    fn evaluate(&self, _context: &ProceduralContext) -> JointPose {
        (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE)
    }

    fn target_joint(&self) -> u16 {
        self.gaze.head
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    fn modify(&mut self, _context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        let Some(target) = self.target else { return };
        if !target.is_finite() || usize::from(self.gaze.head) >= pose.joint_count() {
            return pose.reject();
        }
        let (to_left, down) = self.angles(pose, target);
        let (delta, front, left) = self.axes(pose);
        let up = front.cross(left);
        for (eye, (to_left, down)) in self.gaze.eyes.into_iter().zip(self.gaze.eye_angles(to_left, down)) {
            let Some(eye) = eye.filter(|eye| usize::from(*eye) < pose.joint_count()) else { continue };
            let turn = about(up, to_left.to_radians()) * about(left, down.to_radians());
            let rest = pose.rig().model_from_joint(eye).to_scale_rotation_translation().1;
            pose.set_rotation(eye, delta * turn * rest);
        }
    }

    fn explain(&self, _context: &ProceduralContext, pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
        let Some(target) = self.target else { return };
        let (to_left, down) = self.angles(pose, target);
        let angles = self.gaze.eye_angles(to_left, down);
        let side = |left: f32| if left < 0.0 { "to the right" } else { "to the left" };
        let height = |down: f32| if down < 0.0 { "up" } else { "down" };
        let EyeGaze { inner, outer, down: below, up, .. } = &self.gaze;
        let (inner, outer) = (("inner range", inner), ("outer range", outer));
        let sides = if to_left > 0.0 { [outer, inner] } else { [inner, outer] };
        let height_range = if down > 0.0 { ("down range", below) } else { ("up range", up) };
        // Beyond the end of a range the eye goes no further.
        let limit = |(name, range): (&str, &EyeRange), wanted: f32| {
            let is_beyond = wanted.abs() > range.most.max(0.0);
            is_beyond.then(|| Limit::new(LimitKind::Cone, name, range.most.max(0.0), wanted.abs(), LimitUnit::Degrees))
        };
        for ((eye, side_range), (own, low)) in self.gaze.eyes.into_iter().zip(sides).zip(angles) {
            let Some(eye) = eye else { continue };
            let text = format!(
                "look {:.1}° {} and {:.1}° {}; the file lets this eye go {:.1}° and {:.1}°",
                to_left.abs(),
                side(to_left),
                down.abs(),
                height(down),
                own.abs(),
                low.abs()
            );
            let reason = Reason::new(eye, text).limited(limit(side_range, to_left)).limited(limit(height_range, down));
            reasons.push(reason);
        }
    }
}
