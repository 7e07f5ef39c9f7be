use glam::{Affine3A, Quat, Vec3};

use super::layer::Path;
use super::strand::nlerp;
use super::why;
use crate::explain::Reason;
use crate::procedural::layer::has_gap;
use crate::procedural::turn::arc;
use crate::procedural::{ModelPose, ProceduralContext, ProceduralLayer};
use crate::rig::avatar::{JointCollider, JointColliderShape, SpringJointChain};
use crate::skeleton::JointPose;
use crate::state::stateful;

/// A layer of spring bones as VRM specifies them, with settings per joint.
///
/// As the specification says, they return to their rest rotations: animation of the bones themselves has no effect, but
/// animation of their ancestors does. For hair that a clip animates, use [`SpringChain`](super::SpringChain).
///
/// Time is divided into steps of 1/60 s, for which such settings are made, and the body is interpolated at each of
/// them, so the result hardly depends on the frame rate. The remainder of a frame is extrapolated for display, but not
/// kept. [`SpringChain`](super::SpringChain) has settings in physical units.
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
    /// Blend weight, from 0 to 1. At weight zero they rest, and then start afresh from the pose.
    pub weight: f32,
    chain: SpringJointChain,
    /// Ends of bones now and a step ago, in the space of the centre.
    tails: Vec<[Vec3; 2]>,
    /// The joints at rest, while steps rotate them.
    kept: Vec<JointPose>,
    left_over: f32,
    frames_missed: u32,
    elapsed: f32,
    /// The body of the frame before, which steps within a frame begin at, and that of this one.
    before: Body,
    now: Body,
    path: Path,
}

/// What of the body moves a chain, in the world.
#[derive(Debug, Clone, Default)]
struct Body {
    /// Where the first joint is, and how the axes of its parent lie.
    head: Vec3,
    parent: Quat,
    /// The space in which motion counts.
    center: Placed,
    /// The ends of capsules; of planes a point, and where their normal ends.
    colliders: Vec<[Vec3; 2]>,
}

stateful!(Body { head, parent, center, colliders });

/// A transform in parts that can be between two others.
#[derive(Debug, Clone, Copy, Default)]
struct Placed {
    place: Vec3,
    turn: Quat,
    scale: Vec3,
}

stateful!(Placed { place, turn, scale });

impl Body {
    fn is_finite(&self) -> bool {
        let Placed { place, turn, scale } = self.center;
        let is_placed = place.is_finite() && turn.is_finite() && scale.is_finite() && self.head.is_finite();
        is_placed && self.parent.is_finite() && self.colliders.iter().flatten().all(|end| end.is_finite())
    }

    /// As if there had been no frame, with the same buffers.
    fn clear(&mut self) {
        (self.head, self.parent, self.center) = (Vec3::ZERO, Quat::IDENTITY, Placed::default());
        self.colliders.clear();
    }

    /// The same buffers for another frame.
    fn copy_from(&mut self, other: &Self) {
        (self.head, self.parent, self.center) = (other.head, other.parent, other.center);
        self.colliders.clone_from(&other.colliders);
    }
}

impl Placed {
    fn new(transform: &Affine3A) -> Self {
        let (scale, turn, place) = transform.to_scale_rotation_translation();
        Self { place, turn, scale }
    }

    fn between(&self, other: &Self, amount: f32) -> Affine3A {
        let (scale, turn) = (self.scale.lerp(other.scale, amount), nlerp(self.turn, other.turn, amount));
        Affine3A::from_scale_rotation_translation(scale, turn, self.place.lerp(other.place, amount))
    }
}

/// The body at one step: its position between two frames, from 0 to 1, and the transform from this frame's world.
struct Moment {
    amount: f32,
    then_from_now: Affine3A,
    world_from_center: Affine3A,
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
            before: Body::default(),
            now: Body::default(),
            path: Path::default(),
        }
    }

    /// The bones and their settings.
    #[must_use]
    pub fn chain(&self) -> &SpringJointChain {
        &self.chain
    }

    /// Lets everything hang as in the next frame's pose, without motion.
    pub fn reset(&mut self) {
        self.frames_missed = 2;
    }

    /// One step of all bones, or a fraction `share` of one for display only; rotates the joints if `shows` is set.
    fn step(&mut self, pose: &mut ModelPose<'_>, moment: &Moment, share: f32, keeps: bool, shows: bool) {
        let world_from_center = moment.world_from_center;
        let center_from_world = world_from_center.inverse();
        let world = moment.then_from_now * *pose.world_from_model();
        let model_from_world = *pose.model_from_world() * moment.then_from_now.inverse();
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
                if usize::from(collider.joint) >= pose.joint_count() {
                    continue;
                }
                let mut ends = ends(&collider, pose);
                if moment.amount < 1.0 {
                    let before = self.before.colliders[at];
                    ends = std::array::from_fn(|end| before[end].lerp(ends[end], moment.amount));
                }
                if let Some(pushed) = pushed(&collider.shape, ends, bone.radius.max(0.0), next) {
                    next = along(pushed);
                }
            }
            if keeps {
                self.tails[index] = [center_from_world.transform_point3(next), self.tails[index][0]];
            }
            if shows || index + 1 < self.chain.bones.len() {
                let to = model_from_world.transform_vector3(next - head);
                let from = model_from_world.transform_vector3(way);
                if let (Some(from), Some(to)) = (from.try_normalize(), to.try_normalize()) {
                    pose.rotate_in_model(bone.joint, arc(from, to));
                }
            }
        }
    }

    /// Looks at the body of this frame.
    fn look(&mut self, pose: &mut ModelPose<'_>, first: u16) {
        let world = *pose.world_from_model();
        let (_, parent, _) = (world * pose.parent_model(first)).to_scale_rotation_translation();
        self.now.head = pose.world_position(first);
        self.now.parent = if parent.is_finite() { parent } else { Quat::IDENTITY };
        let center = self.chain.center.filter(|center| usize::from(*center) < pose.joint_count());
        let center = center.map_or(Affine3A::IDENTITY, |center| world * pose.model(center));
        self.now.center = Placed::new(&center);
    }

    /// Rotates the joints to their rest poses, and keeps those while steps rotate them.
    fn rest(&mut self, pose: &mut ModelPose<'_>) {
        self.kept.clear();
        for bone in &self.chain.bones {
            let (translation, turn, scale) = pose.local(bone.joint);
            let rest = pose.rig().joints[usize::from(bone.joint)].bind_rotation;
            if turn != rest {
                pose.set_local(bone.joint, (translation, rest, scale));
            }
            self.kept.push((translation, rest, scale));
        }
    }

    /// Notes the colliders as they are.
    fn look_at_colliders(&mut self, pose: &mut ModelPose<'_>) {
        self.now.colliders.clear();
        for collider in &self.chain.colliders {
            self.now.colliders.push(ends(collider, pose));
        }
    }

    /// The body at a part of this frame.
    fn moment(&self, amount: f32, curve: Vec3, world_from_center: Affine3A) -> Moment {
        let (from, to) = (&self.before, &self.now);
        if !(amount < 1.0) {
            return Moment { amount: 1.0, then_from_now: Affine3A::IDENTITY, world_from_center };
        }
        let turn = nlerp(from.parent, to.parent, amount) * to.parent.conjugate();
        let head = from.head.lerp(to.head, amount) + curve * (0.5 * amount * (amount - 1.0));
        Moment {
            amount,
            then_from_now: Affine3A::from_rotation_translation(turn, head - turn * to.head),
            world_from_center: match self.chain.center {
                Some(_) => from.center.between(&to.center, amount),
                None => world_from_center,
            },
        }
    }
}

/// The ends of a capsule in the world; of a plane a point, and where its normal ends. Zero of a joint that does not exist.
pub(super) fn ends(collider: &JointCollider, pose: &mut ModelPose<'_>) -> [Vec3; 2] {
    let ends = match collider.shape {
        JointColliderShape::Capsule { ends, .. } => ends,
        JointColliderShape::Plane { point, normal } => [point, point + normal],
    };
    let model = *pose.world_from_model() * pose.model(collider.joint);
    ends.map(|end| model.transform_point3(end))
}

/// Where a collider with these ends pushes the end of a bone; `None` if it does not touch it.
pub(super) fn pushed(shape: &JointColliderShape, [start, end]: [Vec3; 2], own: f32, tail: Vec3) -> Option<Vec3> {
    let axis = end - start;
    match *shape {
        JointColliderShape::Capsule { radius, is_inside, .. } => {
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
        JointColliderShape::Plane { .. } => {
            let normal = axis.try_normalize()?;
            let deep = (tail - start).dot(normal) - own;
            (deep < 0.0).then(|| tail - normal * deep)
        }
    }
}

impl ProceduralLayer for SpringJoints {
    stateful!(given { weight, elapsed } kept { tails, left_over, frames_missed, before, path });

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
        self.rest(pose);
        self.look(pose, first);
        let world = *pose.world_from_model();
        let center = self.chain.center.filter(|center| usize::from(*center) < pose.joint_count());
        let world_from_center = center.map_or(Affine3A::IDENTITY, |center| world * pose.model(center));
        let mut dt = if context.dt > 0.0 && context.dt.is_finite() { context.dt } else { 0.0 };
        let is_teleport = center.is_none() && self.now.head.distance(self.before.head) > 2.0 + 50.0 * dt;
        let is_stall = dt > STEP * MOST_STEPS as f32;
        let is_known =
            self.tails.len() == self.chain.bones.len() && self.before.colliders.len() == self.chain.colliders.len();
        let has_state = is_known && self.frames_missed <= 1;
        if !has_state || is_teleport || is_stall || has_gap(self.elapsed, context.elapsed, context.dt) {
            let center_from_world = world_from_center.inverse();
            self.tails.clear();
            for bone in &self.chain.bones {
                let tail = (world * pose.model(bone.joint)).transform_point3(bone.tail);
                self.tails.push([center_from_world.transform_point3(tail); 2]);
            }
            self.look_at_colliders(pose);
            self.before.copy_from(&self.now);
            (self.left_over, self.path) = (0.0, Path::default());
            // Nothing has moved yet: time begins here.
            dt = 0.0;
        }
        (self.frames_missed, self.elapsed) = (0, context.elapsed);
        // Where motion counts against the body, the way of both is taken to be straight.
        let curve = self.path.curve(self.before.head, self.now.head, dt);
        let curve = if center.is_none() { curve } else { Vec3::ZERO };
        let before = self.left_over;
        let total = before + dt;
        // Frames that take as long as a step are one, whatever rounding makes of it.
        let count = ((total / STEP + 1e-3) as u32).min(MOST_STEPS);
        self.left_over = (total - count as f32 * STEP).clamp(0.0, STEP);
        let is_whole = self.left_over < 1e-3 * STEP;
        for step in 0..count {
            let is_last = step + 1 == count && is_whole;
            let amount = ((step + 1) as f32 * STEP - before) / dt.max(f32::MIN_POSITIVE);
            let amount = if is_last || amount > 1.0 - 1e-3 { 1.0 } else { amount.max(0.0) };
            let moment = self.moment(amount, curve, world_from_center);
            self.step(pose, &moment, 1.0, true, is_last);
            if !is_last {
                self.restore(pose);
            }
        }
        if count == 0 || !is_whole {
            let moment = self.moment(1.0, curve, world_from_center);
            self.step(pose, &moment, self.left_over / STEP, false, true);
        }
        self.look_at_colliders(pose);
        self.before.copy_from(&self.now);
        if self.tails.iter().flatten().any(|tail| !tail.is_finite()) || !self.before.is_finite() {
            self.reset();
            self.before.clear();
            self.tails.clear();
            self.path = Path::default();
            pose.reject();
        }
    }

    fn explain(&self, _context: &ProceduralContext, pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
        why::joint_reasons(&self.chain, pose, reasons);
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
