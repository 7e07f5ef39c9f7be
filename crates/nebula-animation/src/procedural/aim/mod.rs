//! Aiming: a chain of joints, from the spine to the eyes, shares the rotation towards a target.

pub(super) mod axes;
mod chain;
mod solve;
pub(super) mod tracker;
pub(super) mod why;

use std::f32::consts::PI;
use std::sync::Arc;

use glam::{Quat, Vec3, Vec3A};

use super::{ModelPose, ProceduralContext, ProceduralLayer};
use crate::explain::Reason;
use crate::frame::TargetId;
use crate::skeleton::JointPose;
use crate::state::stateful;
use axes::Axes;
use chain::Chain;
use solve::Solver;
use tracker::{Bounds, Sight, Tracked, Tracker};

pub(super) use solve::Cone;

/// One joint of an aim.
///
/// ```
/// use nebula_animation::procedural::AimJoint;
///
/// let neck = AimJoint { share: 0.3, limit: 40_f32.to_radians(), ..AimJoint::new(5) };
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AimJoint {
    /// Index of the joint.
    pub joint: u16,
    /// How much of the rotation it takes, relative to the others; default 1. When a joint reaches its limit, the others
    /// take the rest. 0 or less takes nothing.
    pub share: f32,
    /// Half angle of the cone, in radians, in which its front stays, around the joint's rest direction relative to its
    /// current parent. Default pi, which is no limit. An animation may leave the cone by itself.
    pub limit: f32,
    /// The front direction in the joint's own space. By default, the front of the character in the rest pose.
    pub axis: Option<Vec3>,
}

impl AimJoint {
    /// A joint with a share of 1 and no limit.
    #[must_use]
    pub fn new(joint: u16) -> Self {
        Self { joint, share: 1.0, limit: PI, axis: None }
    }
}

/// Rotates a chain of joints so that the eyes look at a target.
///
/// Each joint of the chain takes a share of the rotation, within its cone; the last one takes what is left. The eye is
/// aimed, not the joint: [`eye`](AimLayer::eye) is its position. Eyeball joints come after the chain, and each looks at
/// the target from its own position.
///
/// The aim follows its target smoothly and converges, at any frame rate. It works in the axes of the entity, so a torso
/// that swings below moves neither head nor gaze. It tracks a target that moves. When a target appears or jumps, it
/// turns there within [`max_speed`](AimLayer::max_speed) and [`max_acceleration`](AimLayer::max_acceleration), which
/// default to those of a neck.
///
/// A target that circles the character is followed up to [`limit`](AimLayer::limit) and released behind its back; the
/// head keeps looking slightly to that side. Once the other side is nearer by [`hysteresis`](AimLayer::hysteresis), the
/// character looks around to the other side, past the front, and picks up the target when it is within reach.
///
/// ```
/// use glam::Vec3;
/// use nebula_animation::{AimLayer, ProceduralAnimationStack, Rig, load_skeleton_and_clips};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = std::path::Path::new("test_assets/simple_humanoid.glb");
/// let (skeleton, _) = load_skeleton_and_clips(path)?;
/// let mut stack = ProceduralAnimationStack::default();
/// let rig = Rig::new(skeleton);
/// stack.push(rig.humanoid().aim(&rig, Vec3::new(2.0, 1.0, 3.0))?);
///
/// // Whenever the target moves:
/// if let Some(aim) = stack.layer_mut::<AimLayer>() {
///     aim.target = Vec3::new(2.0, 1.2, 3.0);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct AimLayer {
    /// World-space position to look at, in metres.
    pub target: Vec3,
    /// A target to resolve through the [`Surroundings`](crate::Surroundings); default `None`. While its position is
    /// unknown, the animation is left as it is.
    pub follows: Option<TargetId>,
    /// Blend weight in `[0, 1]`; default 1.
    pub weight: f32,
    /// Seconds until 99 % of a sudden change has been followed; default 0.5. Large changes take longer because of the
    /// two limits below. 0 or less follows at once and ignores them.
    pub follow_secs: f32,
    /// Maximum angular speed of the gaze relative to the entity, in radians per second; default 240 degrees per second.
    /// While the entity itself rotates, the speed is reduced, down to half, to keep their sum within 1.3 times this
    /// value if possible. A target that moves at up to half this speed is tracked within one degree. Infinity means no
    /// limit; 0 or less never turns.
    pub max_speed: f32,
    /// Maximum angular acceleration of the gaze, in radians per second squared; default 3000 degrees per second
    /// squared. Infinity means no limit; 0 or less never turns. If [`follow_secs`](AimLayer::follow_secs) is too short
    /// to brake within this limit, it is extended.
    pub max_acceleration: f32,
    /// Half angle of the cone, in radians, around the character's front, in which targets are followed. Default 110
    /// degrees. From pi on there is no limit and no preferred side. The front is that of the entity; if the body faces
    /// more than 45 degrees away from it, as in a clip that lies down or turns around, the front follows the body.
    pub limit: f32,
    /// How far past straight behind, in radians, a target must go before the aim changes sides; default 25 degrees.
    pub hysteresis: f32,
    /// The position of the eye, in the space of the chain's last joint; default its origin.
    pub eye: Vec3,
    /// Clones share what is the same for all of them.
    chain: Chain,
    eyeballs: Arc<[AimJoint]>,
    /// Of the chain, then of the eyeballs.
    cones: Arc<[Cone]>,
    tracker: Tracker,
}

impl AimLayer {
    /// An aim of a chain of joints, each a descendant of the previous one, at a target in world space.
    ///
    /// Joints without a share, and those that are not descendants of the previous one, are left out.
    #[must_use]
    pub fn new(chain: impl IntoIterator<Item = AimJoint>, target: Vec3) -> Self {
        let mut kept: Vec<AimJoint> = Vec::new();
        for joint in chain {
            if joint.share > 0.0 && kept.last().is_none_or(|last| last.joint < joint.joint) {
                kept.push(joint);
            }
        }
        Self {
            target,
            follows: None,
            cones: Cone::of_all(&kept, &[]),
            weight: 1.0,
            follow_secs: 0.5,
            max_speed: 240_f32.to_radians(),
            max_acceleration: 3000_f32.to_radians(),
            limit: 110_f32.to_radians(),
            hysteresis: 25_f32.to_radians(),
            eye: Vec3::ZERO,
            chain: Chain::new(kept),
            eyeballs: Arc::default(),
            tracker: Tracker::default(),
        }
    }

    /// The same, with joints that look at the target after the chain, each by itself: eyeballs, or the barrels of a
    /// turret. The chain leaves the largest of their shares to them, as a fraction of the rotation from front to
    /// target.
    #[must_use]
    pub fn with_eyeballs(mut self, eyeballs: impl IntoIterator<Item = AimJoint>) -> Self {
        self.eyeballs = eyeballs.into_iter().collect();
        self.cones = Cone::of_all(&self.chain, &self.eyeballs);
        self
    }

    /// The same, for a target that the [`Surroundings`](crate::Surroundings) resolve by this id.
    #[must_use]
    pub fn following(mut self, target: TargetId) -> Self {
        self.follows = Some(target);
        self
    }

    /// The joints of the chain, from its root.
    #[must_use]
    pub fn chain(&self) -> &[AimJoint] {
        &self.chain
    }

    /// The joints of the chain, to modify shares and limits.
    pub fn chain_mut(&mut self) -> &mut [AimJoint] {
        Cone::forget_all(&mut self.cones);
        self.chain.joints_mut()
    }

    /// What follows from shares and limits, after they were read.
    fn know_cones(&mut self) {
        self.cones = Cone::of_all(&self.chain, &self.eyeballs);
    }

    /// Forgets the tracked direction: the next frame starts from where the animation looks. Call it after a teleport,
    /// for instance.
    pub fn reset(&mut self) {
        self.tracker = Tracker::default();
    }
}

impl ProceduralLayer for AimLayer {
    stateful!(given {
        target, follows, weight, follow_secs, max_speed, max_acceleration, limit, hysteresis, eye, chain
    } kept { tracker } then know_cones);

    /// No change: an aim needs the rig.
    fn evaluate(&self, _context: &ProceduralContext) -> JointPose {
        (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE)
    }

    fn target_joint(&self) -> u16 {
        self.chain.first().map_or(0, |first| first.joint)
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    fn modify(&mut self, context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        let Some(sight) = self.sight(pose) else { return pose.reject() };
        let Some(gaze) = self.solver().gaze(pose) else { return };
        let body = axes::turn_of_body(pose, self.target_joint());
        match self.look(context, pose, sight, gaze, body) {
            Look::Nowhere => {}
            Look::Rejected => pose.reject(),
            Look::At(of_face, of_eyes) => self.solver().solve(pose, gaze, of_face, of_eyes),
        }
    }

    fn explain(&self, _context: &ProceduralContext, pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
        self.reasons(pose, reasons);
    }
}

/// The state from which a gaze continues.
#[derive(Debug, Clone, Copy)]
pub(super) struct Course {
    pub tracked: Tracked,
    /// What the body carries the axes to.
    pub carried: Option<Quat>,
    /// The rotation of the axes in the last frame and now, if they are not the model's own.
    pub turns: Option<[Quat; 2]>,
    /// Limit, hysteresis, seconds to follow in, greatest speed and acceleration.
    pub bounds: [f32; 5],
}

/// Where a layer looks in a frame.
#[derive(Debug, Clone, Copy)]
pub(super) enum Look {
    /// Where the animation does.
    Nowhere,
    /// Its numbers are no good.
    Rejected,
    /// The points for the face and for the eyes, in model space.
    At(Vec3A, Vec3A),
}

impl AimLayer {
    /// Whether it takes the fronts of the joints of a rig that has one, each below the one before it, by which it can be applied side by
    /// side with others.
    pub(super) fn is_usual(&self, pose: &ModelPose<'_>) -> bool {
        let (rig, joint_count) = (pose.rig(), pose.rig().joint_count());
        let is_usual = |joint: &AimJoint| joint.axis.is_none() && usize::from(joint.joint) < joint_count;
        let above = self.chain.first().and_then(|first| rig.parent(first.joint));
        pose.joint_count() == joint_count
            && rig.front().is_some()
            && !self.chain.is_empty()
            && above.is_none_or(|above| rig.turn_at_rest(above).is_some())
            && self.chain.iter().chain(&*self.eyeballs).all(is_usual)
            && self.chain.windows(2).all(|pair| rig.is_below(pair[1].joint, pair[0].joint))
    }

    /// Whether it is made for the same joints as another one, with the same limits.
    pub(super) fn is_shaped_like(&self, other: &Self) -> bool {
        self.chain == other.chain && self.eyeballs == other.eyeballs
    }

    /// The joints of the chain and of the eyes, and what follows from their limits.
    pub(super) fn parts(&mut self) -> (&[AimJoint], &[AimJoint], &[Cone]) {
        Cone::update_all(&mut self.cones, &self.chain, &self.eyeballs);
        (&self.chain, &self.eyeballs, &self.cones)
    }

    fn solver(&self) -> Solver<'_> {
        Solver { chain: &self.chain, eye: self.eye.into(), eyeballs: &self.eyeballs, cones: &self.cones }
    }

    /// Turns the joints to points in model space.
    pub(super) fn turn(&self, pose: &mut ModelPose<'_>, of_face: Vec3A, of_eyes: Vec3A) {
        let solver = self.solver();
        if let Some(gaze) = solver.gaze(pose) {
            solver.solve(pose, gaze, of_face, of_eyes);
        }
    }

    /// The target in model space, or that it is lost. `None` if something is not finite, or missing.
    pub(super) fn sight(&mut self, pose: &ModelPose<'_>) -> Option<Option<Vec3A>> {
        let followed = self.follows.map(|id| pose.surroundings().targets.and_then(|targets| targets.position(id)));
        let is_lost = followed == Some(None);
        if let Some(Some(position)) = followed {
            self.target = position;
        }
        let target = pose.model_from_world().transform_point3a(self.target.into());
        let is_there = |joint: &AimJoint| usize::from(joint.joint) < pose.joint_count();
        let is_whole = self.chain.last().is_some_and(is_there) && self.eyeballs.iter().all(is_there);
        let has_bounds = !(self.limit.is_nan() || self.max_speed.is_nan() || self.max_acceleration.is_nan());
        if !is_whole || !(is_lost || target.is_finite()) || !self.eye.is_finite() || !has_bounds {
            return None;
        }
        Cone::update_all(&mut self.cones, &self.chain, &self.eyeballs);
        Some((!is_lost).then_some(target))
    }

    /// The state to continue from while it follows its target as in the last frame, which is the common case.
    pub(super) fn course(&self, body: Option<Quat>, left_of_way: impl FnOnce() -> f32) -> Option<Course> {
        let tracked = self.tracker.tracked()?;
        let is_bound = self.limit < PI && self.follow_secs > 0.0 && self.max_speed > 0.0 && self.max_acceleration > 0.0;
        if !is_bound {
            return None;
        }
        let mut carried = self.tracker.carried;
        let turns = axes::carry(body, &mut carried, left_of_way);
        let Self { limit, hysteresis, follow_secs, max_speed, max_acceleration, .. } = *self;
        let bounds = [limit.max(0.0), hysteresis.max(0.0), follow_secs.max(1e-6), max_speed, max_acceleration];
        Some(Course { tracked, carried, turns, bounds })
    }

    /// Stores the new state.
    pub(super) fn settle(&mut self, tracked: &Tracked, carried: Option<Quat>) {
        self.tracker.set_tracked(tracked, carried);
    }

    /// Front, left and up of the model.
    pub(super) fn own_axes(&self, pose: &ModelPose<'_>) -> [Vec3A; 3] {
        Axes::own(pose).directions()
    }

    /// The chain's fraction of the rotation from the front to the target.
    pub(super) fn part_of_chain(&self) -> f32 {
        self.solver().part_of_chain()
    }

    /// Follows the target for a frame, given the position and direction of the eye, and the rotation of the body above
    /// the chain relative to its rest pose.
    pub(super) fn look(
        &mut self,
        context: &ProceduralContext,
        pose: &ModelPose<'_>,
        target: Option<Vec3A>,
        (eye, gaze): (Vec3A, Vec3A),
        body: Option<Quat>,
    ) -> Look {
        let (axes, before) = axes::axes(Axes::own(pose), body, &mut self.tracker.carried, context.dt);
        if let Some(before) = before {
            self.tracker.change_axes(&before, &axes, self.limit);
        }
        let front = pose.world_from_model().transform_vector3(pose.front());
        let bounds = Bounds {
            limit: self.limit,
            hysteresis: self.hysteresis,
            follow_secs: self.follow_secs,
            max_speed: self.tracker.speed_beside_turning(self.max_speed, front, context.dt),
            max_acceleration: self.max_acceleration,
        };
        let to_target = target.map(|target| target - eye);
        let distance = to_target.map_or(0.0, Vec3A::length);
        let has_direction = distance > 0.0 && distance.is_finite();
        let sight = match to_target {
            None => Sight::Lost,
            Some(to_target) if has_direction => Sight::Target(to_target),
            Some(_) => Sight::Here,
        };
        let Some(point) = self.tracker.follow(&bounds, &axes, gaze, sight, context.dt) else { return Look::Nowhere };
        // A target that is the eye is as good as any other in that direction.
        let distance = if has_direction { distance.max(1e-6) } else { 1.0 };
        let distance = self.tracker.distance(distance, &bounds, context.dt);
        if !(point.is_finite() && distance.is_finite()) {
            // Of numbers that are too large: in the next frame it begins anew.
            self.reset();
            return Look::Rejected;
        }
        let [of_face, of_eyes] =
            [point * self.solver().part_of_chain(), point].map(|point| eye + axes.direction(point) * distance);
        Look::At(of_face, of_eyes)
    }
}
