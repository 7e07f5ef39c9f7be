//! Detects a character's forward and up directions from its rest pose.

use glam::Vec3;

use crate::skeleton::HumanoidJoint as J;
use crate::skeleton::{Evidence, HumanoidMap, Side};

/// Directions this close to an axis of model space (cosine of 25 degrees) are meant to be it.
const NEAR_AXIS: f32 = 0.906;

/// The back of an upright body continues the legs, at less than 50 degrees (this is the cosine).
const LEVEL_BACK: f32 = 0.643;

/// The up and forward directions, if the rest pose tells: from hips to head, and from toes or from left and right.
pub(super) fn find(map: &HumanoidMap, position: impl Fn(u16) -> Vec3) -> (Vec3, Option<Vec3>) {
    let place = |joint: J| map.get(joint).map(&position);
    let spine = place(J::Hips).zip(place(J::Head)).map(|(hips, head)| head - hips);
    let height = spine.map_or(0.0, Vec3::length);
    let by_spine = spine.and_then(Vec3::try_normalize);
    // Legs tell who has a level back: the way from feet to hips is up for foxes too.
    let feet = place(J::Foot(Side::Left)).zip(place(J::Foot(Side::Right))).map(|(left, right)| left.midpoint(right));
    let legs = place(J::Hips).zip(feet).and_then(|(hips, feet)| (hips - feet).try_normalize());
    let is_level = |spine: &Vec3| match legs {
        Some(legs) => spine.dot(legs) < LEVEL_BACK,
        // A human's that is known by no legs stands at least as steep as this.
        None => spine.y.abs() < 0.8,
    };
    let level_back = by_spine.filter(is_level);
    let up = match level_back {
        Some(_) => snap(legs.unwrap_or(Vec3::Y)),
        None => by_spine.map_or(Vec3::Y, snap),
    };
    let level = |vector: Vec3| vector - up * vector.dot(up);

    let pair = |joint: fn(Side) -> J| place(joint(Side::Left)).zip(place(joint(Side::Right)));
    let across = |pairs: &[fn(Side) -> J]| {
        let pairs = pairs.iter().filter_map(|joint| pair(*joint));
        let to_left: Vec3 = pairs.map(|(left, right)| level(left - right)).sum();
        (to_left.length() > 0.05 * height).then(|| to_left.cross(up).try_normalize()).flatten()
    };
    // Hips and shoulders lie across the body also where it rests in the middle of a stride.
    let by_sides = across(&[J::UpperLeg, J::UpperArm, J::Eye]).or_else(|| across(&[J::Foot, J::Hand]));

    let foot = |side| place(J::Foot(side)).zip(place(J::Toes(side))).map(|(foot, toes)| level(toes - foot));
    // One foot alone may point anywhere.
    let toes = foot(Side::Left).zip(foot(Side::Right)).map(|(left, right)| left + right);
    let by_toes = toes.filter(|toes| toes.length() > 0.05 * height).and_then(Vec3::try_normalize);

    // VRM lays down which axes avatars stand along. Files of clips rest in any pose, which then tells only left from right.
    let is_said = map.evidence(J::Hips) == Some(Evidence::File);
    if is_said && up.abs().max_element() < 1.0 {
        let to_left = pair(J::UpperLeg).map_or(Vec3::X, |(left, right)| left - right);
        return (Vec3::Y, Some(if to_left.x < 0.0 { Vec3::NEG_Z } else { Vec3::Z }));
    }

    let front = match (by_sides, by_toes) {
        // Sides are the more precise, but names may have been mirrored.
        (Some(sides), Some(toes)) if sides.dot(toes) < -0.5 => Some(-sides),
        // The head of whoever has a level back is at its front.
        (sides, toes) => sides.or(toes).or_else(|| level_back.and_then(|back| level(back).try_normalize())),
    };
    (up, front.filter(|front| front.is_finite()).map(snap))
}

/// The axis of model space that a unit vector is close to, or the vector itself.
pub(crate) fn snap(direction: Vec3) -> Vec3 {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let axis = axes.into_iter().find(|axis| axis.dot(direction).abs() > NEAR_AXIS);
    axis.map_or(direction, |axis| axis * axis.dot(direction).signum())
}
