use glam::{Affine3A, Quat, Vec3};

use crate::explain::Reason;
use crate::procedural::layer::has_gap;
use crate::procedural::turn::arc;
use crate::procedural::{ModelPose, ProceduralContext, ProceduralLayer};
use crate::rig::avatar::{JointCollider, JointColliderShape, SpringJoint, SpringJointChain};
use crate::skeleton::JointPose;
use crate::state::stateful;

/// A layer that lets joints swing as VRM's specification has it, with settings of their own for each joint.
///
/// Time is cut into steps of 1/60 s, for which such settings are made: the result does not depend on the frame rate. What is left of a frame
/// is looked at, but not kept. [`SpringChain`](super::SpringChain) is the layer for settings in physical units.
///
/// ```no_run
/// use nebula_animation::procedural::springs::SpringJoints;
/// use nebula_animation::{Asset, ProceduralAnimationStack};
///
/// # fn main() -> Result<(), nebula_animation::AnimationLoadError> {
/// let avatar = Asset::load("avatar.vrm")?.avatar.expect("a VRM file");
/// let mut stack = ProceduralAnimationStack::default();
/// for chain in avatar.springs {
///     stack.push(SpringJoints::new(chain));
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct SpringJoints {
    /// Blend weight, from 0 to 1. At weight zero they rest, and start anew from the pose.
    pub weight: f32,
    chain: SpringJointChain,
    /// Ends of bones now and a step ago, in the space of the centre.
    tails: Vec<[Vec3; 2]>,
    /// The joints as the pose has them, while steps turn them.
    kept: Vec<JointPose>,
    left_over: f32,
    frames_missed: u32,
    elapsed: f32,
    head: Vec3,
}

const STEP: f32 = 1.0 / 60.0;
/// The most steps in a frame; a longer one is a stall.
const MOST_STEPS: u32 = 15;

impl SpringJoints {
    /// A layer of full weight.
    #[must_use]
    pub fn new(chain: SpringJointChain) -> Self {
        Self {
            weight: 1.0,
            chain,
            tails: Vec::new(),
            kept: Vec::new(),
            left_over: 0.0,
            frames_missed: 2,
            elapsed: 0.0,
            head: Vec3::ZERO,
        }
    }

    /// What swings, and by which settings.
    #[must_use]
    pub fn chain(&self) -> &SpringJointChain {
        &self.chain
    }

    /// Lets everything hang as the pose of the next frame has it, without any motion.
    pub fn reset(&mut self) {
        self.frames_missed = 2;
    }

    /// One step of all bones, or the part `share` of one that is looked at only; turns the joints where `shows` says so.
    fn step(&mut self, pose: &mut ModelPose<'_>, world_from_center: &Affine3A, share: f32, keeps: bool, shows: bool) {
        let center_from_world = world_from_center.inverse();
        let world = *pose.world_from_model();
        // Joints are turned one after the other, so that each sees how those above it hang.
        for index in 0..self.chain.bones.len() {
            let bone = self.chain.bones[index];
            let model = world * pose.model(bone.joint);
            let head = Vec3::from(model.translation);
            let rest = model.transform_point3(bone.tail);
            let length = rest.distance(head);
            let Some(way) = (rest - head).try_normalize() else { continue };
            let [now, before] = self.tails[index].map(|tail| world_from_center.transform_point3(tail));
            let inertia = (now - before) * (1.0 - bone.drag.clamp(0.0, 1.0)) * share;
            let seconds = STEP * share;
            let pull = way * (bone.stiffness.max(0.0) * seconds);
            let fall = bone.gravity * (bone.gravity_power * seconds);
            let along = |tail: Vec3| (tail - head).try_normalize().map_or(rest, |way| head + way * length);
            let mut next = along(now + inertia + pull + fall);
            for at in 0..self.chain.colliders.len() {
                let collider = self.chain.colliders[at];
                if let Some(pushed) = pushed(&collider, &bone, pose, &world, next) {
                    next = along(pushed);
                }
            }
            if keeps {
                self.tails[index] = [center_from_world.transform_point3(next), self.tails[index][0]];
            }
            if shows || index + 1 < self.chain.bones.len() {
                let to = pose.model_from_world().transform_vector3(next - head);
                let from = pose.model_from_world().transform_vector3(way);
                if let (Some(from), Some(to)) = (from.try_normalize(), to.try_normalize()) {
                    pose.rotate_in_model(bone.joint, arc(from, to));
                }
            }
        }
    }
}

/// Where a collider pushes the end of a bone; `None` where it does not touch it.
fn pushed(
    collider: &JointCollider,
    bone: &SpringJoint,
    pose: &mut ModelPose<'_>,
    world: &Affine3A,
    tail: Vec3,
) -> Option<Vec3> {
    if usize::from(collider.joint) >= pose.joint_count() {
        return None;
    }
    let model = *world * pose.model(collider.joint);
    let own = bone.radius.max(0.0);
    match collider.shape {
        JointColliderShape::Capsule { ends, radius, is_inside } => {
            let [start, end] = ends.map(|end| model.transform_point3(end));
            let axis = end - start;
            let along = (tail - start).dot(axis) / axis.length_squared();
            // Not a number for a ball, whose axis has no length.
            let nearest = if along > 0.0 { start + axis * along.min(1.0) } else { start };
            let away = tail - nearest;
            let distance = away.length();
            let deep = if is_inside { radius - own - distance } else { distance - radius - own };
            if !(deep < 0.0) {
                return None;
            }
            let way = away.try_normalize()?;
            Some(if is_inside { tail + way * deep } else { tail - way * deep })
        }
        JointColliderShape::Plane { point, normal } => {
            let normal = model.transform_vector3(normal).try_normalize()?;
            let deep = (tail - model.transform_point3(point)).dot(normal) - own;
            (deep < 0.0).then(|| tail - normal * deep)
        }
    }
}

impl ProceduralLayer for SpringJoints {
    stateful!(given { weight, elapsed } kept { tails, left_over, frames_missed, head });

    fn evaluate(&self, _context: &ProceduralContext) -> JointPose {
        (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE)
    }

    fn target_joint(&self) -> u16 {
        self.chain.bones.first().map_or(0, |bone| bone.joint)
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    fn update(&mut self, _context: &ProceduralContext) {
        self.frames_missed = self.frames_missed.saturating_add(1);
    }

    fn modify(&mut self, context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        if self.chain.bones.iter().any(|bone| usize::from(bone.joint) >= pose.joint_count()) {
            return pose.reject();
        }
        let Some(first) = self.chain.bones.first().map(|bone| bone.joint) else { return };
        let world = *pose.world_from_model();
        let center = self.chain.center.filter(|center| usize::from(*center) < pose.joint_count());
        let world_from_center = center.map_or(Affine3A::IDENTITY, |center| world * pose.model(center));
        let head = pose.world_position(first);
        let dt = if context.dt > 0.0 && context.dt.is_finite() { context.dt } else { 0.0 };
        let is_teleport = center.is_none() && head.distance(self.head) > 2.0 + 50.0 * dt;
        let is_stall = dt > STEP * MOST_STEPS as f32;
        let has_state = self.tails.len() == self.chain.bones.len() && self.frames_missed <= 1;
        if !has_state || is_teleport || is_stall || has_gap(self.elapsed, context.elapsed, context.dt) {
            let center_from_world = world_from_center.inverse();
            self.tails.clear();
            for bone in &self.chain.bones {
                let tail = (world * pose.model(bone.joint)).transform_point3(bone.tail);
                self.tails.push([center_from_world.transform_point3(tail); 2]);
            }
            self.left_over = 0.0;
        }
        (self.frames_missed, self.elapsed, self.head) = (0, context.elapsed, head);
        let total = self.left_over + dt;
        // Frames that take as long as a step are one, whatever rounding makes of it.
        let count = ((total / STEP + 1e-3) as u32).min(MOST_STEPS);
        self.left_over = (total - count as f32 * STEP).clamp(0.0, STEP);
        self.kept.clear();
        self.kept.extend(self.chain.bones.iter().map(|bone| pose.local(bone.joint)));
        let is_whole = self.left_over < 1e-3 * STEP;
        for step in 0..count {
            let is_last = step + 1 == count && is_whole;
            self.step(pose, &world_from_center, 1.0, true, is_last);
            if !is_last {
                self.restore(pose);
            }
        }
        if count == 0 || !is_whole {
            self.step(pose, &world_from_center, self.left_over / STEP, false, true);
        }
        if self.tails.iter().flatten().any(|tail| !tail.is_finite()) {
            self.reset();
            pose.reject();
        }
    }

    fn explain(&self, _context: &ProceduralContext, _pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
        reasons.extend(self.chain.bones.iter().map(|bone| {
            let SpringJoint { stiffness, drag, gravity_power, .. } = bone;
            let text = format!("swing (VRM: stiffness {stiffness}, drag {drag}, gravity {gravity_power})");
            Reason::new(bone.joint, text)
        }));
    }
}

impl SpringJoints {
    /// The pose as it was before a step.
    fn restore(&self, pose: &mut ModelPose<'_>) {
        for (bone, kept) in self.chain.bones.iter().zip(&self.kept) {
            pose.set_local(bone.joint, *kept);
        }
    }
}
