//! What two bodies have in common, and how each of them faces.

use glam::{DMat3, DQuat, Vec3};

use super::align::Posture;
use super::report::RetargetError;
use super::rest::Rest;
use crate::rig::{Rig, snap};
use crate::skeleton::HumanoidJoint as J;
use crate::skeleton::{HumanoidMap, Side};

/// The maps of two humans, or of what is no less one for being without legs; `None` where neither is a human.
pub(super) fn human_maps<'a>(source: &'a Rig, target: &'a Rig) -> Result<Option<[&'a HumanoidMap; 2]>, RetargetError> {
    let maps = [source, target].map(Rig::humanoid);
    let checks = [source, target].map(|rig| rig.humanoid().check(rig.skeleton()));
    match checks {
        [Ok(()), Err(why)] if !why.unlike.is_empty() => Err(RetargetError::NotHuman { which: "target", why }),
        [Err(why), Ok(())] if !why.unlike.is_empty() => Err(RetargetError::NotHuman { which: "source", why }),
        [Err(one), Err(other)] if !(one.unlike.is_empty() && other.unlike.is_empty()) => Ok(None),
        _ => Ok(maps.iter().all(|map| map.iter().next().is_some()).then_some(maps)),
    }
}

/// The rotation from one front to the other.
pub(super) fn facing(rigs: [&Rig; 2], rests: [&Rest; 2], maps: Option<[&HumanoidMap; 2]>) -> DQuat {
    let frame = |body: usize| {
        let rig = rigs[body];
        let posture = maps.map(|maps| Posture { rest: rests[body], map: maps[body], facing: DQuat::IDENTITY });
        let is_along_axis = rig.up().abs().max_element() > 1.0 - 1e-6;
        // Whoever rests lying or bent may face anywhere in it: it is glTF's front that its clips are made for.
        if !is_along_axis && posture.is_some_and(|posture| !posture.is_raised()) {
            return Some(DMat3::IDENTITY);
        }
        // What stands along another axis of model space has another idea of up; what leans does not.
        let up = if is_along_axis { rig.up() } else { Vec3::Y };
        let front = snap(rig.front()?.reject_from_normalized(up).try_normalize()?).as_dvec3();
        let left = up.as_dvec3().cross(front).try_normalize()?;
        Some(DMat3::from_cols(left, front.cross(left), front))
    };
    match (frame(0), frame(1)) {
        (Some(from), Some(to)) => DQuat::from_mat3(&(to * from.transpose())).normalize(),
        _ => DQuat::IDENTITY,
    }
}

/// For upper arms and thighs of the source, the distance of the target's as a multiple of the source's. In one body
/// they are attached to the chest and in another to a short collar bone, so that the bone above them says nothing about
/// how far they are moved.
pub(super) fn widths(maps: [&HumanoidMap; 2], rests: [&Rest; 2]) -> Vec<(usize, f64)> {
    let mut widths = Vec::new();
    for joint in [J::UpperArm, J::UpperLeg] {
        let pair = |body: usize| {
            let [left, right] = Side::BOTH.map(|side| maps[body].get(joint(side)).map(usize::from));
            Some([left?, right?])
        };
        let apart =
            |body: usize, [left, right]: [usize; 2]| rests[body].positions[left].distance(rests[body].positions[right]);
        if let (Some(own), Some(others)) = (pair(0), pair(1)) {
            let width = apart(1, others) / apart(0, own);
            widths.extend(own.into_iter().filter(|_| width > 0.0 && width.is_finite()).map(|joint| (joint, width)));
        }
    }
    widths
}

/// Joints of limbs that are not attached to the bone before them, unless the source's are not either.
pub(super) fn loose([source, target]: [&HumanoidMap; 2], [from, to]: [&Rest; 2]) -> Vec<(usize, usize)> {
    let mut loose = Vec::new();
    for side in Side::BOTH {
        for (joint, above) in [
            (J::LowerLeg(side), J::UpperLeg(side)),
            (J::Foot(side), J::LowerLeg(side)),
            (J::Toes(side), J::Foot(side)),
            (J::LowerArm(side), J::UpperArm(side)),
            (J::Hand(side), J::LowerArm(side)),
        ] {
            let both = |map: &HumanoidMap| Some((usize::from(map.get(joint)?), usize::from(map.get(above)?)));
            let hangs = |rest: &Rest, (joint, above): (usize, usize)| rest.is_within(joint, above);
            if let (Some(own), Some(others)) = (both(source), both(target))
                && !hangs(to, others)
                && hangs(from, own)
            {
                loose.push(others);
            }
        }
    }
    loose
}
