//! Hands that keep their place relative to the body or to each other.

use glam::{DMat3, DMat4, DQuat, DVec3, Quat};

use super::bake::{Figure, Moved};
use super::options::HandPlaces;
use super::rest::Rest;
use super::transfer::ratio;
use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe};
use crate::skeleton::HumanoidJoint as J;
use crate::skeleton::{HumanoidMap, Side};

/// Arms are stretched to this share of their length at most: an elbow that is straight has lost its direction.
const STRAIGHTEST: f64 = 0.999;

/// The arms of two bodies.
#[derive(Debug, Clone)]
pub(super) struct Hands {
    places: HandPlaces,
    /// Upper arm, lower arm, hand of left and right, of source and target.
    arms: [[[usize; 3]; 2]; 2],
    /// The size of the target in sizes of the source.
    size: f64,
}

impl Hands {
    /// `None` where hands are free, or an arm is not known.
    pub fn new(maps: [&HumanoidMap; 2], rests: [&Rest; 2], proportion: f64, places: HandPlaces) -> Option<Self> {
        if places == HandPlaces::Free {
            return None;
        }
        let arm = |map: &HumanoidMap, side| {
            let [upper, lower, hand] =
                [J::UpperArm(side), J::LowerArm(side), J::Hand(side)].map(|joint| map.get(joint));
            Some([upper?.into(), lower?.into(), hand?.into()])
        };
        let arms = |map: &HumanoidMap| Some([arm(map, Side::Left)?, arm(map, Side::Right)?]);
        let [source, target] = maps;
        let arms = [arms(source)?, arms(target)?];
        // Each part of an arm has to hang from the one before it.
        let hangs =
            |rest: &Rest, [upper, lower, hand]: [usize; 3]| rest.is_within(hand, lower) && rest.is_within(lower, upper);
        if !arms[1].iter().all(|arm| hangs(rests[1], *arm)) {
            return None;
        }
        let length = |rest: &Rest, arms: [[usize; 3]; 2]| {
            let bone = |a: usize, b: usize| rest.positions[a].distance(rest.positions[b]);
            arms.iter().map(|[upper, lower, hand]| bone(*upper, *lower) + bone(*lower, *hand)).sum::<f64>()
        };
        let chest_height = |rest: &Rest, map: &HumanoidMap, arms: [[usize; 3]; 2]| {
            let shoulders = rest.positions[arms[0][0]].midpoint(rest.positions[arms[1][0]]);
            map.get(J::Hips).map_or(0.0, |hips| shoulders.distance(rest.positions[usize::from(hips)]))
        };
        let size = match places {
            HandPlaces::Together => ratio(length(rests[1], arms[1]), length(rests[0], arms[0]), proportion),
            _ => ratio(chest_height(rests[1], target, arms[1]), chest_height(rests[0], source, arms[0]), proportion),
        };
        Some(Self { places, arms, size })
    }

    /// Bends the arms of a clip that was made.
    pub fn place(&self, clip: &AnimationClip, made: &mut AnimationClip, [source, target]: [&Figure; 2], facing: DQuat) {
        let moved = Moved::of(made, target.skeleton.joints.len());
        let ends = self.arms[1].map(|arm| arm[2]);
        let mut times = moved.times(made, |joint| ends.iter().any(|end| target.rest.is_within(*end, joint)));
        if times.is_empty() {
            times.push(0.0);
        }
        let mut poses = [source.skeleton.bind_pose(), target.skeleton.bind_pose()];
        let mut keys: [[Vec<Keyframe<Quat>>; 3]; 2] = Default::default();
        for &time in &times {
            let from = source.models_at(clip, time, &mut poses[0]);
            let mut to = target.models_at(made, time, &mut poses[1]);
            let goals = self.goals(&from, &to, facing);
            for (side, goal) in goals.into_iter().enumerate() {
                let arm = self.arms[1][side];
                let hand = rotation(&to[arm[2]]);
                let turned = reach(arm.map(|joint| to[joint].w_axis.truncate()), goal);
                let before = arm.map(|joint| rotation(&to[joint]));
                for (place, joint) in arm.into_iter().enumerate() {
                    let wanted = if place == 2 { hand } else { turned[place] * before[place] };
                    // What hangs above has been turned already.
                    let outer = target.rest.parent(joint).map_or(DQuat::IDENTITY, |parent| rotation(&to[parent]));
                    let mut value = (outer.inverse() * wanted).as_quat();
                    let own = &mut keys[side][place];
                    if own.last().is_some_and(|last| last.value.dot(value) < 0.0) {
                        value = -value;
                    }
                    own.push(Keyframe { time, value, tangents: None });
                    poses[1][joint].1 = value;
                    to = super::rest::model_matrices(target.rest.parents(), poses[1].iter().copied());
                }
            }
        }
        for (arm, keys) in self.arms[1].iter().zip(keys) {
            for (joint, keyframes) in arm.iter().zip(keys) {
                let joint_index = *joint as u16;
                made.rotation_channels.retain(|channel| channel.joint_index != joint_index);
                made.rotation_channels.push(Channel { joint_index, interpolation: Interpolation::Linear, keyframes });
            }
        }
    }

    /// Where the hands should be in model space, left and right.
    fn goals(&self, from: &[DMat4], to: &[DMat4], facing: DQuat) -> [DVec3; 2] {
        let at = |models: &[DMat4], joint: usize| models[joint].w_axis.truncate();
        let hands = |side: usize, models: &[DMat4]| self.arms[side].map(|arm| at(models, arm[2]));
        let (own, others) = (hands(0, from), hands(1, to));
        if self.places == HandPlaces::Together {
            let middle = others[0].midpoint(others[1]);
            let half = facing * (own[0] - own[1]) * (0.5 * self.size);
            return [middle + half, middle - half];
        }
        // About the middle of the shoulders, which turns with the chest in both.
        let shoulders = |side: usize, models: &[DMat4]| {
            let [left, right] = self.arms[side].map(|arm| at(models, arm[0]));
            left.midpoint(right)
        };
        let (from_middle, to_middle) = (shoulders(0, from), shoulders(1, to));
        own.map(|hand| to_middle + facing * (hand - from_middle) * self.size)
    }
}

fn rotation(model: &DMat4) -> DQuat {
    let [x, y, z] = [model.x_axis, model.y_axis, model.z_axis].map(|axis| axis.truncate().normalize_or_zero());
    let turn = DQuat::from_mat3(&DMat3::from_cols(x, y, z));
    if turn.is_finite() && turn.length_squared() > 0.5 { turn.normalize() } else { DQuat::IDENTITY }
}

/// The rotations in model space of upper and lower arm that bring the hand to a target, with the elbow in the same
/// plane.
fn reach([shoulder, elbow, hand]: [DVec3; 3], goal: DVec3) -> [DQuat; 2] {
    let (upper, lower) = (shoulder.distance(elbow), elbow.distance(hand));
    let way = goal - shoulder;
    let nearest = (upper - lower).abs() * 1.001;
    let distance = way.length().clamp(nearest, ((upper + lower) * STRAIGHTEST).max(nearest));
    let (Some(line), Some(own_line)) = (way.try_normalize(), (hand - shoulder).try_normalize()) else {
        return [DQuat::IDENTITY; 2];
    };
    if !(upper > 0.0 && lower > 0.0 && distance > 0.0) {
        return [DQuat::IDENTITY; 2];
    }
    // The elbow is carried along to the new line, and then as far beside it as the bones need.
    let swing = DQuat::from_rotation_arc(own_line, line);
    let beside = (swing * (elbow - shoulder)).reject_from_normalized(line);
    let side = beside.try_normalize().unwrap_or_else(|| line.any_orthonormal_vector());
    let along = (distance * distance + upper * upper - lower * lower) / (2.0 * distance);
    let off = (upper * upper - along * along).max(0.0).sqrt();
    let new_elbow = shoulder + line * along + side * off;
    let new_hand = shoulder + line * distance;
    let turn = |bone: DVec3, wanted: DVec3| match (bone.try_normalize(), wanted.try_normalize()) {
        (Some(bone), Some(wanted)) => DQuat::from_rotation_arc(bone, wanted),
        _ => DQuat::IDENTITY,
    };
    [turn(elbow - shoulder, new_elbow - shoulder), turn(hand - elbow, new_hand - new_elbow)]
}
