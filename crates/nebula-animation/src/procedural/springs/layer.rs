use glam::{Affine3A, Quat, Vec3};

use super::collider::{Capsule, SpringCollider};
use super::strand::{Bone, Guide, Point, SpringSettings, nlerp, step};
use super::why;
use crate::explain::Reason;
use crate::math::direction::direction;
use crate::procedural::layer::has_gap;
use crate::procedural::turn::arc;
use crate::procedural::{ModelPose, ProceduralContext, ProceduralLayer};
use crate::skeleton::JointPose;
use crate::state::stateful;

/// A layer that lets a chain of joints swing: a ponytail, a tail, a strip of cloth.
///
/// The first joint stays in place and rotates; the others follow. Motion is simulated in world space, so that the chain
/// lags behind a character that starts to walk. The result does not depend on the frame rate: time is divided into
/// steps of 1/120 s, and the remainder of a frame is extrapolated for display, but not kept.
///
/// A pause keeps the swing. After a stall of more than a quarter of a second, or a jump too large to be motion (a
/// teleport), the chain is carried along.
///
/// ```
/// use nebula_animation::ProceduralAnimationStack;
/// use nebula_animation::procedural::springs::{SpringChain, SpringSettings};
///
/// let tail = SpringSettings { stiffness: 120.0, ..SpringSettings::default() };
/// let mut stack = ProceduralAnimationStack::default();
/// stack.push(SpringChain::new(vec![12, 13, 14, 15]).with_settings(tail));
/// ```
#[derive(Debug, Clone)]
pub struct SpringChain {
    /// Stiffness, damping, gravity.
    pub settings: SpringSettings,
    /// What keeps the chain outside.
    pub colliders: Vec<SpringCollider>,
    /// The end of the last joint's bone, in its own space. `None` (the default): as far as the joint is from the
    /// previous one.
    pub tip: Option<Vec3>,
    /// Blend weight, from 0 to 1. A chain at weight zero rests, and then starts afresh from the pose.
    pub weight: f32,
    joints: Vec<u16>,
    points: Vec<Point>,
    /// The points at the end of the frame, a part of a step further on.
    pub(super) shown: Vec<Point>,
    /// The pose of this frame and the one before.
    pub(super) guide: Guide,
    guide_before: Guide,
    path: Path,
    /// Seconds of the frames so far that no whole step has used up.
    left_over: f32,
    /// Frames since the layer was applied last; the state is of use after one only.
    frames_missed: u32,
    /// The time of the frame before.
    elapsed: f32,
    has_warned: bool,
}

/// Seconds of a step.
const STEP: f32 = 1.0 / 120.0;
/// The most steps in a frame: a quarter of a second.
const MOST_STEPS: u32 = 30;

impl SpringChain {
    /// A layer of full weight for these joints, starting with the one nearest to the body, each a descendant of the
    /// previous one.
    #[must_use]
    pub fn new(joints: Vec<u16>) -> Self {
        Self {
            settings: SpringSettings::default(),
            colliders: Vec::new(),
            tip: None,
            weight: 1.0,
            joints,
            points: Vec::new(),
            shown: Vec::new(),
            guide: Guide::default(),
            guide_before: Guide::default(),
            path: Path::default(),
            left_over: 0.0,
            frames_missed: 2,
            elapsed: 0.0,
            has_warned: false,
        }
    }

    /// The same, with other settings.
    #[must_use]
    pub fn with_settings(mut self, settings: SpringSettings) -> Self {
        self.settings = settings;
        self
    }

    /// The same, with these colliders.
    #[must_use]
    pub fn with_colliders(mut self, colliders: impl IntoIterator<Item = SpringCollider>) -> Self {
        self.colliders = colliders.into_iter().collect();
        self
    }

    /// The joints, starting with the one nearest to the body.
    #[must_use]
    pub fn joints(&self) -> &[u16] {
        &self.joints
    }

    /// Lets the chain hang as in the next frame's pose, without motion.
    pub fn reset(&mut self) {
        self.frames_missed = 2;
    }

    fn warn(&mut self, what: &str) {
        if !self.has_warned {
            self.has_warned = true;
            log::warn!("springs on joints {:?}: {what}", self.joints);
        }
    }

    /// Reads the pose into `guide`. False where a number is not finite.
    fn read(&mut self, pose: &mut ModelPose<'_>) -> bool {
        let world = *pose.world_from_model();
        let Some(&first) = self.joints.first() else { return false };
        self.guide.head = pose.world_position(first);
        self.guide.parent = rotation(&(world * pose.parent_model(first)));
        self.guide.bones.clear();
        let (mut rotation_before, mut length_before) = (self.guide.parent, 0.0);
        for (index, &joint) in self.joints.iter().enumerate() {
            let model = world * pose.model(joint);
            let own = rotation(&model);
            let head = Vec3::from(model.translation);
            let bone = match (self.joints.get(index + 1), self.tip) {
                (Some(&next), _) => pose.world_position(next) - head,
                (None, Some(tip)) => model.transform_vector3(tip),
                // As far as the bone before, the same way as that one in the rest pose of most rigs.
                (None, None) => self.last_way(pose, own) * length_before,
            };
            let length = bone.length();
            length_before = length;
            let way = direction(bone).map_or(Vec3::ZERO, |way| own.conjugate() * way);
            self.guide.bones.push(Bone { local: rotation_before.conjugate() * own, way, length });
            rotation_before = own;
        }
        self.guide.capsules.clear();
        for collider in &self.colliders {
            if usize::from(collider.joint) < pose.joint_count() {
                let model = world * pose.model(collider.joint);
                let ends = collider.ends.map(|end| model.transform_point3(end));
                let is_near = |end: &Vec3| end.abs().max_element() < 1e9;
                let is_sound = ends.iter().all(is_near) && collider.radius.abs() < 1e9;
                // Who is nowhere is in nobody's way, and spoils no state.
                let capsule = Capsule { ends, radius: collider.radius };
                self.guide.capsules.push(if is_sound { capsule } else { Capsule::default() });
            }
        }
        let is_sound = |bone: &Bone| bone.local.is_finite() && bone.way.is_finite() && bone.length < 1e9;
        self.guide.head.is_finite() && self.guide.parent.is_finite() && self.guide.bones.iter().all(is_sound)
    }

    /// The direction of the last joint's bone, in world space: that of the rest pose's last bone.
    fn last_way(&self, pose: &ModelPose<'_>, own: Quat) -> Vec3 {
        let [.., before, last] = self.joints[..] else { return Vec3::ZERO };
        let rig = pose.rig();
        let bone = rig.position(last) - rig.position(before);
        let in_joint = rig.model_from_joint(last).inverse().transform_vector3(bone);
        direction(in_joint).map_or(Vec3::ZERO, |way| own * way)
    }

    /// Lets the frame's time pass.
    fn simulate(&mut self, dt: f32) {
        let settings = self.settings.checked();
        let dt = if dt > 0.0 && dt.is_finite() { dt } else { 0.0 };
        let simulated = dt.min(STEP * MOST_STEPS as f32);
        let is_teleport = self.guide.head.distance(self.guide_before.head) > 2.0 + 50.0 * dt;
        // What time or plausibility does not cover is no motion: the chain is carried along.
        let carried = if is_teleport { 1.0 } else { 1.0 - simulated / dt.max(f32::MIN_POSITIVE) };
        if carried > 0.0 && (dt > 0.0 || is_teleport) {
            self.carry(carried.clamp(0.0, 1.0));
            self.path = Path::default();
        }
        self.guide.curve = self.path.curve(self.guide_before.head, self.guide.head, simulated);
        let guides = [&self.guide_before, &self.guide];
        let before = self.left_over.min(STEP);
        let total = before + simulated;
        let count = ((total / STEP) as u32).min(MOST_STEPS + 1);
        for index in 1..=count {
            let amount = (index as f32 * STEP - before) / simulated.max(f32::MIN_POSITIVE);
            step(&mut self.points, guides, amount.clamp(0.0, 1.0), STEP, &settings);
        }
        self.left_over = (total - count as f32 * STEP).max(0.0);
        self.shown.clone_from(&self.points);
        step(&mut self.shown, guides, 1.0, self.left_over, &settings);
    }

    /// Moves the chain as if it were stiff, by this part of the frame's way; the guide of the frame before moves as well.
    fn carry(&mut self, amount: f32) {
        let (from, to) = (&self.guide_before, &self.guide);
        let head = from.head.lerp(to.head, amount);
        let parent = nlerp(from.parent, to.parent, amount);
        let turn = parent * from.parent.conjugate();
        for point in &mut self.points {
            point.place = head + turn * (point.place - from.head);
            point.velocity = turn * point.velocity;
        }
        self.guide_before.head = head;
        self.guide_before.parent = parent;
        if amount >= 1.0 {
            self.guide_before.copy_from(&self.guide);
        }
    }
}

/// How the head has moved lately, to tell how it moves within a frame.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Path {
    velocity: Vec3,
    acceleration: Vec3,
    seconds: f32,
}

stateful!(Path { velocity, acceleration, seconds });

impl Path {
    /// The curvature of the path from one frame to the next. At a low frame rate, straight lines would jolt the chain
    /// at each frame; but a motion that begins or ends abruptly is straight.
    pub fn curve(&mut self, from: Vec3, to: Vec3, dt: f32) -> Vec3 {
        if !(dt > 0.0) {
            return Vec3::ZERO;
        }
        let velocity = (to - from) / dt;
        let has_past = self.seconds > 0.0;
        let acceleration = (velocity - self.velocity) * (2.0 / (dt + self.seconds));
        let before = std::mem::replace(self, Self { velocity, acceleration, seconds: dt });
        if !has_past {
            self.acceleration = Vec3::ZERO;
            return Vec3::ZERO;
        }
        // The smaller one where both have the same sign.
        let agree = |a: f32, b: f32| if a * b > 0.0 { a.abs().min(b.abs()).copysign(a) } else { 0.0 };
        let (a, b) = (acceleration, before.acceleration);
        Vec3::new(agree(a.x, b.x), agree(a.y, b.y), agree(a.z, b.z)) * (dt * dt)
    }
}

impl ProceduralLayer for SpringChain {
    stateful!(given { settings, colliders, tip, weight, elapsed } kept { points, guide_before, path, left_over, frames_missed });

    fn evaluate(&self, _context: &ProceduralContext) -> JointPose {
        (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE)
    }

    fn target_joint(&self) -> u16 {
        self.joints.first().copied().unwrap_or(0)
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    fn update(&mut self, _context: &ProceduralContext) {
        self.frames_missed = self.frames_missed.saturating_add(1);
    }

    fn modify(&mut self, context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        if self.joints.is_empty() || self.joints.iter().any(|&joint| usize::from(joint) >= pose.joint_count()) {
            return self.warn("a joint does not exist, they are left out");
        }
        if !self.read(pose) {
            return self.warn("the pose is not finite, they are left out");
        }
        let has_state =
            self.points.len() == self.joints.len() && self.guide_before.capsules.len() == self.guide.capsules.len();
        if self.frames_missed > 1 || !has_state || has_gap(self.elapsed, context.elapsed, context.dt) {
            self.points.resize(self.joints.len(), Point::default());
            self.guide.settle(&mut self.points);
            self.guide_before.copy_from(&self.guide);
            self.path = Path::default();
            self.left_over = 0.0;
        }
        self.frames_missed = 0;
        self.elapsed = context.elapsed;
        self.simulate(context.dt);
        if self.shown.iter().any(|point| !point.place.is_finite()) {
            self.reset();
            return self.warn("they are not finite any more, and start anew");
        }
        self.guide_before.copy_from(&self.guide);

        let model_from_world = *pose.model_from_world();
        let mut head = pose.position(self.joints[0]);
        for index in 0..self.joints.len() {
            let joint = self.joints[index];
            let model = pose.model(joint);
            let tail = model_from_world.transform_point3(self.shown[index].place);
            let way_in_world = rotation(&(*pose.world_from_model() * model)) * self.guide.bones[index].way;
            let from = direction(model_from_world.transform_vector3(way_in_world));
            if let (Some(from), Some(to)) = (from, direction(tail - head)) {
                pose.rotate_in_model(joint, arc(from, to));
            }
            head = tail;
        }
    }

    fn explain(&self, _context: &ProceduralContext, pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
        why::reasons(self, pose, reasons);
    }
}

/// The rotation of a transform, its scale left out.
fn rotation(transform: &Affine3A) -> Quat {
    let (_, rotation, _) = transform.to_scale_rotation_translation();
    if rotation.is_finite() { rotation } else { Quat::IDENTITY }
}
