use std::sync::Arc;

use glam::{Vec3, Vec3A};

use super::legs::check;
use super::limb::Limb;
use super::{LegError, Rig, SolePoint};
use crate::math::direction::direction;
use crate::skeleton::{HumanoidJoint as J, HumanoidMap, Side};

/// Points of a sole that are looked at, at most.
const MOST_POINTS: usize = 24;

/// The joints of one leg, from the hip down, as indices into the skeleton.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LegJoints {
    /// The hip.
    pub thigh: u16,
    /// The knee.
    pub shin: u16,
    /// The ankle.
    pub foot: u16,
    /// The ball of the foot, about which the foot rolls while the toes stay down; `None` if the rig has no such joint.
    pub toes: Option<u16>,
}

/// The legs of a character and the pelvis that they carry. Cheap to clone, because clones share the data.
///
/// ```
/// use nebula_animation::{Rig, Skeleton, rig::{FeetRig, LegJoints}};
///
/// let rig = Rig::new(Skeleton::default()); // Of a character of yours.
/// let left = LegJoints { thigh: 17, shin: 18, foot: 19, toes: Some(20) };
/// let right = LegJoints { thigh: 21, shin: 22, foot: 23, toes: Some(24) };
/// let feet = FeetRig::new(&rig, 1, &[left, right]);
/// assert_eq!(feet.legs().len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FeetRig {
    pub(crate) pelvis: u16,
    pub(crate) legs: Arc<[Leg]>,
    /// The highest joint that must exist.
    pub(crate) highest_joint: u16,
    /// Whether the legs are those of a human, by its map.
    pub(crate) is_human: bool,
    joints: Arc<[LegJoints]>,
}

/// A leg as it was modelled. Lengths are in the units of model space.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leg {
    pub limb: Limb,
    /// The joint that carries the ball: the toes, or the foot.
    pub ball_joint: u16,
    /// Where the heel touches the ground, in the foot's own frame.
    pub heel: Vec3A,
    /// The ball, in the frame of the joint that carries it.
    pub ball: Vec3A,
    /// Where the tip of the toes touches the ground, in the same frame; below the ball where the rig has no toes.
    pub tip: Vec3A,
    /// How high the ball is while the sole is flat on the ground.
    pub ball_height: f32,
    /// The direction across the foot, in its own frame: it stays level as the foot rolls from heel to toes.
    pub side: Vec3A,
    /// From heel to ball along the ground.
    pub sole_length: f32,
    /// From there on to the tip of the toes.
    pub toe_length: f32,
    /// From the heel to where the sole begins, along the foot; negative behind the heel.
    pub heel_inset: f32,
    /// Thigh and shin together.
    pub length: f32,
    /// How short the leg can be folded, as a part of its length.
    pub folded: f32,
    /// By how much more the ball carries the foot for a unit that the heel is higher.
    pub rolling: f32,
    /// Points that must not sink into the ground, each with the joint that carries it.
    pub outline: Vec<SolePoint>,
    /// Whether the foot is below the shin in the hierarchy. Rigs that were animated with a target for each foot have it
    /// next to the leg.
    pub is_chained: bool,
}

/// The parts of a leg that meet the ground, in model space.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Sole {
    pub heel: Vec3A,
    pub ball: Vec3A,
    /// Across the foot on the floor; level, unit length.
    pub side: Vec3A,
}

impl FeetRig {
    /// Legs below a pelvis, measured in the rest pose. They stand on the model's y = 0, or where the feet are.
    ///
    /// If a joint does not exist, foot placement logs it once and does nothing.
    #[must_use]
    pub fn new(rig: &Rig, pelvis: u16, legs: &[LegJoints]) -> Self {
        let joints = legs.into();
        let legs: Arc<[Leg]> = legs.iter().map(|leg| Leg::of(rig, leg)).collect();
        let of_leg = |leg: &Leg| leg.limb.joints.into_iter().fold(leg.ball_joint, u16::max);
        let highest_joint = legs.iter().map(of_leg).fold(pelvis, u16::max);
        Self { pelvis, legs, highest_joint, is_human: false, joints }
    }

    /// The legs of a humanoid, if feet can be placed with them.
    pub(crate) fn of_humanoid(rig: &Rig, map: &HumanoidMap) -> Result<Self, LegError> {
        let pelvis = map.require(J::Hips)?;
        let leg = |side| {
            let (thigh, shin, foot) =
                (map.require(J::UpperLeg(side))?, map.require(J::LowerLeg(side))?, map.require(J::Foot(side))?);
            // A joint at the ankle moves no toes, whatever its name: a mesh may hang there.
            let shortest = 0.05 * rig.position(thigh).distance(rig.position(foot));
            let is_ahead = |&toes: &u16| rig.position(toes).distance(rig.position(foot)) > shortest;
            let leg = LegJoints { thigh, shin, foot, toes: map.get(J::Toes(side)).filter(is_ahead) };
            check(rig, pelvis, &leg).map(|()| leg)
        };
        let [left, right] = Side::BOTH.map(leg);
        Ok(Self { is_human: true, ..Self::new(rig, pelvis, &[left?, right?]) })
    }

    /// The joints of each leg.
    #[must_use]
    pub fn legs(&self) -> &[LegJoints] {
        &self.joints
    }

    /// The joint that is lowered.
    #[must_use]
    pub fn pelvis(&self) -> u16 {
        self.pelvis
    }
}

impl Leg {
    fn of(rig: &Rig, joints: &LegJoints) -> Self {
        let limb = Limb::of(rig, [joints.thigh, joints.shin, joints.foot]);
        let [hip, knee, ankle] = limb.joints.map(|joint| rig.position(joint));
        let (thigh, shin) = (hip.distance(knee), knee.distance(ankle));
        let length = thigh + shin;
        // No leg folds flat.
        let folded = ((thigh - shin).abs() / length.max(1e-6)).max(0.25) * 1.1;
        let toes = joints.toes.map(|toes| rig.position(toes));
        let lowest = toes.map_or(ankle.y, |toes| toes.y.min(ankle.y));
        // Models stand on their origin, as glTF's do; one whose feet are far from it was made about another point.
        let floor = if (-0.1 * length..0.35 * length).contains(&lowest) { 0.0 } else { lowest - 0.03 * length };
        let height = (ankle.y - floor).max(0.02 * length);
        let level = |vector: Vec3| direction(Vec3::new(vector.x, 0.0, vector.z));
        let front = rig.front().and_then(level).unwrap_or(Vec3::Z);
        let forwards = toes.and_then(|toes| level(toes - ankle)).unwrap_or(front);
        let is_own = |sole: &&SolePoint| sole.joint == joints.foot || rig.is_below(sole.joint, joints.foot);
        let mut outline: Vec<SolePoint> = rig.soles().iter().filter(is_own).take(MOST_POINTS).copied().collect();
        // Feet are built alike: the heel reaches back by about two thirds of the ankle's height, and the ball is one and a
        // half of it ahead. A foot that is all of one piece ends where its mesh does.
        let guess = [-0.65 * height, 1.5 * height];
        let [back, ahead] = match joints.toes {
            None => extent(rig, &outline, ankle, forwards, 0.02 * length).unwrap_or(guess),
            Some(_) => guess,
        };
        // Of an animal that walks on its toes, the heel is high above the ground: what stands there begins at the toes.
        let on_toes = toes.filter(|toes| ankle.y - toes.y > 1.2 * (*toes - ankle).dot(forwards).abs());
        let back = on_toes.map_or(back, |toes| (toes - ankle).dot(forwards) - 0.08 * length);
        let heel = ankle + forwards * back + Vec3::Y * (floor - ankle.y);
        let (ball_joint, ball) = match (joints.toes, toes) {
            (Some(joint), Some(toes)) => (joint, toes),
            _ => (joints.foot, ankle + forwards * ahead + Vec3::Y * (floor - ankle.y)),
        };
        let into_foot = rig.model_from_joint(joints.foot).inverse();
        let into_toes = rig.model_from_joint(ball_joint).inverse();
        let sole_length = (ball - heel).dot(forwards).max(0.05 * length);
        // Toes are about four tenths as long as the rest of the sole.
        let toes_length = if joints.toes.is_some() { 0.4 * sole_length } else { 0.0 };
        let tip = ball + forwards * toes_length + Vec3::Y * (floor - ball.y);
        if outline.is_empty() {
            let under_ball = ball + Vec3::Y * (floor - ball.y);
            outline.extend([
                SolePoint { joint: joints.foot, point: into_foot.transform_point3(heel), blend: None },
                SolePoint { joint: ball_joint, point: into_toes.transform_point3(under_ball), blend: None },
                SolePoint { joint: ball_joint, point: into_toes.transform_point3(tip), blend: None },
            ]);
        }
        let places = || outline.iter().map(|sole| rig.model_from_joint(sole.joint).transform_point3(sole.point));
        let toe_length = places().map(|place| (place - ball).dot(forwards)).fold(0.0, f32::max).min(sole_length);
        let heel_inset = places().map(|place| (place - heel).dot(forwards)).fold(f32::INFINITY, f32::min);
        Self {
            limb,
            ball_joint,
            heel: into_foot.transform_point3a(heel.into()),
            ball: into_toes.transform_point3a(ball.into()),
            tip: into_toes.transform_point3a(tip.into()),
            ball_height: ball.y - floor,
            side: into_foot.transform_vector3a(Vec3::Y.cross(forwards).into()),
            sole_length,
            toe_length: if toe_length > 0.02 * length { toe_length } else { 0.0 },
            heel_inset: heel_inset.max(-0.5 * sole_length).min(0.5 * sole_length),
            length,
            folded,
            // Over about two centimetres of an adult.
            rolling: 1.0 / (0.025 * length),
            outline,
            is_chained: rig.is_below(joints.foot, joints.shin),
        }
    }
}

impl Leg {
    /// Where the sole begins and ends, along the foot from the middle between heel and ball on, in lengths of the sole.
    pub fn sole_ends(&self) -> [f32; 2] {
        [-0.5 + self.heel_inset / self.sole_length, 0.5 + self.toe_length / self.sole_length]
    }
}

/// How far the sole on the ground reaches from below the ankle, backwards and forwards: negative and positive. `None` where no points tell.
fn extent(rig: &Rig, outline: &[SolePoint], ankle: Vec3, forwards: Vec3, thickness: f32) -> Option<[f32; 2]> {
    let places = || outline.iter().map(|sole| rig.model_from_joint(sole.joint).transform_point3(sole.point));
    let lowest = places().map(|place| place.y).fold(f32::INFINITY, f32::min);
    let ground = places().filter(|place| place.y <= lowest + thickness);
    let along = ground.map(|place| (place - ankle).dot(forwards));
    let [back, ahead] = along.fold([0.0_f32, 0.0], |[back, ahead], along| [back.min(along), ahead.max(along)]);
    (ahead > back && (ahead - back).is_finite()).then_some([back, ahead])
}

impl Sole {
    /// Where heel and ball are in a pose, and where the foot's side points.
    #[inline]
    pub fn new(heel: Vec3A, ball: Vec3A, side: Vec3A) -> Self {
        Self { heel, ball, side: side.with_y(0.0).try_normalize().unwrap_or(Vec3A::X) }
    }

    /// How high heel and ball are above the ground.
    pub fn heights(&self, leg: &Leg, floor: f32) -> [f32; 2] {
        [self.heel.y - floor, self.ball.y - floor - leg.ball_height]
    }

    /// Which part carries the foot: 0 the heel, 1 the ball. Heels do not snap to balls, so neither does this.
    pub fn ball_share(&self, leg: &Leg, floor: f32) -> f32 {
        let [heel, ball] = self.heights(leg, floor);
        (0.5 + (heel - ball) * leg.rolling).clamp(0.0, 1.0)
    }

    /// The middle of the footprint on the floor, if the foot rotates flat about the part that carries it, given half of
    /// the sole.
    pub fn footprint(&self, half: Vec3A, share: f32, floor: f32) -> Vec3A {
        (self.heel + half).lerp(self.ball - half, share).with_y(floor)
    }

    /// Along the foot on the floor; level, unit length.
    pub fn forwards(&self) -> Vec3A {
        forwards(self.side)
    }
}

/// The direction along a foot on the floor, given that of its side: the side is up × forwards.
pub(crate) fn forwards(side: Vec3A) -> Vec3A {
    Vec3A::new(-side.z, 0.0, side.x)
}
