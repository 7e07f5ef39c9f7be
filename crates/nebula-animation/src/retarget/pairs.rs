//! Pairs the joints of two skeletons: by role, then by name.

use std::collections::HashMap;

use super::names::{partners, plain_name};
use super::report::{JointPair, PairedBy, Unpaired, WhyUnpaired};
use super::rest::Rest;
use crate::rig::Rig;
use crate::skeleton::HumanoidJoint as J;
use crate::skeleton::{Finger, HumanoidMap, Side};

/// The partners of two skeletons.
pub(super) struct Pairs {
    pub list: Vec<JointPair>,
    /// For each joint of the target, the joint of the source whose rotation it copies.
    pub sources: Vec<Option<usize>>,
    /// For each joint of the source, the first one of the target that it moves.
    pub targets: Vec<Option<usize>>,
    pub missing_in_target: Vec<Unpaired>,
    pub missing_in_source: Vec<Unpaired>,
}

impl Pairs {
    /// `maps` are those of source and target, where both are humans or parts of one.
    pub fn find(source: &Rig, target: &Rig, to: &Rest, maps: Option<[&HumanoidMap; 2]>) -> Self {
        let mut sources: Vec<Option<usize>> = vec![None; target.joints.len()];
        let mut targets: Vec<Option<usize>> = vec![None; source.joints.len()];
        let mut list = Vec::new();
        let mut pair = |from: usize, to: usize, by: PairedBy| {
            let is_free =
                sources.get(to).is_some_and(Option::is_none) && targets.get(from).is_some_and(Option::is_none);
            if is_free {
                (sources[to], targets[from]) = (Some(from), Some(to));
                list.push(JointPair { source: from as u16, target: to as u16, by });
            }
        };
        let meanings = maps.map(|maps| maps.map(meanings));
        let named = partners(source.skeleton(), target.skeleton());
        let named = || named.iter().enumerate().filter_map(|(from, to)| Some((from, usize::from((*to)?))));
        if let (Some([source_map, target_map]), Some([own, others])) = (maps, &meanings) {
            // Backs have any number of joints. Where there are as many, they go in their order; else equal names tell more.
            let is_back = |joint: &J| matches!(joint, J::Spine | J::Chest | J::UpperChest);
            let backs = |map: &HumanoidMap| map.iter().map(|(joint, _)| joint).filter(is_back).collect::<Vec<J>>();
            let has_other_back = backs(source_map) != backs(target_map);
            for (from, to) in named().filter(|_| has_other_back) {
                if let (Some(PairedBy::Meaning(a)), Some(PairedBy::Meaning(b))) = (own.get(&from), others.get(&to))
                    && is_back(a)
                    && is_back(b)
                {
                    pair(from, to, PairedBy::Meaning(*b));
                }
            }
            for joint in J::ALL {
                if let (Some(from), Some(to)) = (source_map.get(joint), target_map.get(joint)) {
                    pair(from.into(), to.into(), PairedBy::Meaning(joint));
                }
            }
            for side in Side::BOTH {
                for finger in Finger::ALL {
                    let joints = source_map.finger(side, finger).into_iter().zip(target_map.finger(side, finger));
                    for (place, (from, to)) in (0..).zip(joints) {
                        if let (Some(from), Some(to)) = (from, to) {
                            pair(from.into(), to.into(), PairedBy::Finger(side, finger, place));
                        }
                    }
                }
            }
        }
        // Where meanings are known, equal names of joints with different ones are an accident.
        let is_accident = |from: usize, to: usize| {
            meanings.as_ref().is_some_and(|[own, others]| own.contains_key(&from) || others.contains_key(&to))
        };
        named().filter(|(from, to)| !is_accident(*from, *to)).for_each(|(from, to)| pair(from, to, PairedBy::Name));
        let twins: Vec<JointPair> = twins(target, to, &sources).collect();
        for twin in twins {
            sources[usize::from(twin.target)] = Some(usize::from(twin.source));
            list.push(twin);
        }
        list.sort_by_key(|pair| pair.target);
        if let Some([source_map, target_map]) = maps {
            share_ribcage(source_map, target_map, &mut sources, &targets);
        }
        let why = |joint: usize, side: usize| match meanings.as_ref().and_then(|meanings| meanings[side].get(&joint)) {
            Some(PairedBy::Meaning(joint)) => WhyUnpaired::NoSuchJoint(*joint),
            _ => WhyUnpaired::NoSuchName,
        };
        let missing = |partners: &[Option<usize>], side: usize| -> Vec<Unpaired> {
            let alone = partners.iter().enumerate().filter(|(_, partner)| partner.is_none());
            alone.map(|(joint, _)| Unpaired { joint: joint as u16, why: why(joint, side) }).collect()
        };
        Self {
            missing_in_target: missing(&targets, 0),
            missing_in_source: missing(&sources, 1),
            list,
            sources,
            targets,
        }
    }
}

/// What the joints of a humanoid are for.
fn meanings(map: &HumanoidMap) -> HashMap<usize, PairedBy> {
    let mut all: HashMap<usize, PairedBy> =
        map.iter().map(|(joint, index)| (usize::from(index), PairedBy::Meaning(joint))).collect();
    for side in Side::BOTH {
        for finger in Finger::ALL {
            for (place, joint) in (0..).zip(map.finger(side, finger)) {
                if let Some(joint) = joint {
                    all.entry(joint.into()).or_insert(PairedBy::Finger(side, finger, place));
                }
            }
        }
    }
    all
}

/// Joints of the target that lie where a paired one lies, below the same joint, and are called the same but for a number.
fn twins(target: &Rig, to: &Rest, sources: &[Option<usize>]) -> impl Iterator<Item = JointPair> {
    let letters = |joint: usize| plain_name(&target.joints[joint].name).replace(|it: char| it.is_ascii_digit(), "");
    let near = 1e-3 * to.height();
    let alone = (0..sources.len()).filter(|joint| sources[*joint].is_none());
    alone.filter_map(move |joint| {
        let siblings = target.children(to.parent(joint)? as u16).iter().map(|child| usize::from(*child));
        let mut paired = siblings.filter_map(|twin| Some((twin, sources[twin]?)));
        let is_twin =
            |twin: usize| to.positions[twin].distance(to.positions[joint]) <= near && letters(twin) == letters(joint);
        let (_, source) = paired.find(|(twin, _)| is_twin(*twin))?;
        Some(JointPair { source: source as u16, target: joint as u16, by: PairedBy::Twin })
    })
}

/// The highest joint of the target's back copies that of the source, whichever of the two has more joints below it:
/// arms and neck are attached to it.
fn share_ribcage(source: &HumanoidMap, target: &HumanoidMap, sources: &mut [Option<usize>], targets: &[Option<usize>]) {
    if let (Some(from), Some(to)) = (source.ribcage().map(usize::from), target.ribcage().map(usize::from))
        && targets.get(from).is_some_and(Option::is_none)
        && sources.get(to).is_some_and(Option::is_some)
    {
        sources[to] = Some(from);
    }
}
