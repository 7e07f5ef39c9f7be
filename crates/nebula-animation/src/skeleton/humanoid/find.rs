//! Finds joints by their names and their place in the hierarchy.
//!
//! Names decide about the head and the limbs. The hips are where the paths from the head and the legs meet; the back is
//! between the hips and the joint where the arms begin. This works even if those joints have misleading names.

use super::words::{Meaning, Word, meaning, own_words};
use super::{Evidence, HumanoidJoint as J, HumanoidMap, Side, fingers};
use crate::skeleton::Skeleton;

pub(super) fn find(skeleton: &Skeleton) -> HumanoidMap {
    let words = own_words(skeleton.joints.iter().map(|joint| joint.name.as_str()));
    let names = Names {
        parents: (0..=u16::MAX)
            .zip(&skeleton.joints)
            .map(|(index, joint)| joint.parent.filter(|&up| up < index))
            .collect(),
        meanings: words.iter().map(|words| meaning(words)).collect(),
    };
    let mut map = HumanoidMap::default();
    let mut set = |joint: J, index: Option<u16>| {
        if let Some(index) = index {
            let is_named = names.meanings[usize::from(index)].is_some_and(|meaning| meaning.word.says(joint));
            map.set(joint, index, if is_named { Evidence::Name } else { Evidence::Hierarchy });
        }
    };
    let arms = Side::BOTH.map(|side| names.arm(side));
    let legs = Side::BOTH.map(|side| names.leg(side));
    for (index, side) in Side::BOTH.into_iter().enumerate() {
        let ([shoulder, upper_arm, lower_arm, hand], [upper_leg, lower_leg, foot, toes]) = (arms[index], legs[index]);
        set(J::Shoulder(side), shoulder);
        set(J::UpperArm(side), upper_arm);
        set(J::LowerArm(side), lower_arm);
        set(J::Hand(side), hand);
        set(J::UpperLeg(side), upper_leg);
        set(J::LowerLeg(side), lower_leg);
        set(J::Foot(side), foot);
        set(J::Toes(side), toes);
        set(J::Eye(side), names.first(Word::Eye, Some(side), None));
    }
    let [_, left_arm, ..] = arms[0];
    let [_, right_arm, ..] = arms[1];
    let arms_meet = left_arm.zip(right_arm).and_then(|(left, right)| names.meet(left, right));
    let head = names.head(arms_meet);
    let hips = names.hips(head, [legs[0][0], legs[1][0]]);
    set(J::Head, head);
    set(J::Hips, hips);
    set(J::Jaw, names.first(Word::Jaw, None, head));
    if let (Some(hips), Some(head)) = (hips, head) {
        let [spine, chest, upper_chest, neck] = names.back(hips, head, arms_meet);
        set(J::Spine, spine);
        set(J::Chest, chest);
        set(J::UpperChest, upper_chest);
        set(J::Neck, neck);
    }
    for (index, side) in Side::BOTH.into_iter().enumerate() {
        let [.., lower_arm, hand] = arms[index];
        if let Some(arm) = lower_arm.or(hand) {
            fingers::find(&mut map, side, &words, |joint, above| names.is_below(joint, above), arm);
        }
    }
    map
}

/// Joints of the same name that are looked at: more are nobody's rig.
const MOST: usize = 64;

struct Names {
    parents: Vec<Option<u16>>,
    meanings: Vec<Option<Meaning>>,
}

impl Names {
    /// The joints of a word, best ones first, and parents before children among equals.
    fn all(&self, word: Word, side: Option<Side>) -> Vec<u16> {
        let mut found: Vec<(u8, bool, u16)> = (0..=u16::MAX)
            .zip(&self.meanings)
            .filter_map(|(index, meaning)| Some((index, (*meaning)?)))
            .filter(|(_, meaning)| meaning.word == word && meaning.side == side)
            .map(|(index, meaning)| (2 - meaning.rank, meaning.is_weak, index))
            .collect();
        found.sort_unstable();
        found.into_iter().take(MOST).map(|(.., index)| index).collect()
    }

    /// The first joint with a word, below another one if possible.
    fn first(&self, word: Word, side: Option<Side>, above: Option<u16>) -> Option<u16> {
        let all = self.all(word, side);
        let below = above.and_then(|above| all.iter().copied().find(|&joint| self.is_below(joint, above)));
        below.or_else(|| all.first().copied())
    }

    /// Shoulder, upper arm, lower arm, hand.
    fn arm(&self, side: Side) -> [Option<u16>; 4] {
        let side = Some(side);
        let shoulder = self.first(Word::Shoulder, side, None);
        let pieces = self.all(Word::Arm, side);
        let elbow = self.first(Word::LowerArm, side, None);
        let upper =
            self.first(Word::UpperArm, side, None).or(pieces.first().copied()).or(shoulder.filter(|_| elbow.is_some()));
        let clavicle = self.first(Word::Clavicle, side, None).or(shoulder).filter(|joint| Some(*joint) != upper);
        let lower = self.first(Word::LowerArm, side, upper).or(self.piece(&pieces, upper));
        let hand = self
            .first(Word::Wrist, side, lower)
            .or_else(|| self.first(Word::Hand, side, lower))
            .or_else(|| self.piece(&pieces, lower));
        [clavicle, upper, lower, hand]
    }

    /// Upper leg, lower leg, foot, toes.
    fn leg(&self, side: Side) -> [Option<u16>; 4] {
        let side = Some(side);
        let pieces = self.all(Word::Leg, side);
        let knee = self.first(Word::LowerLeg, side, None);
        let first_piece = pieces.first().copied().filter(|_| knee.is_some() || pieces.len() > 1);
        let upper = self.first(Word::UpperLeg, side, None).or(first_piece);
        let lower = self.first(Word::LowerLeg, side, upper).or_else(|| self.piece(&pieces, upper));
        let foot = self
            .first(Word::Ankle, side, lower)
            .or_else(|| self.first(Word::Foot, side, lower))
            .or_else(|| self.piece(&pieces, lower));
        let toes = self
            .first(Word::Ball, side, foot)
            .or_else(|| self.first(Word::Toes, side, foot))
            // What is called a foot below an ankle or another foot is its front.
            .or_else(|| self.piece(&self.all(Word::Foot, side), foot))
            .or_else(|| self.piece(&pieces, foot));
        [upper, lower, foot, toes]
    }

    /// The first of some pieces of a limb below a joint.
    fn piece(&self, pieces: &[u16], above: Option<u16>) -> Option<u16> {
        let above = above?;
        pieces.iter().copied().find(|&joint| joint != above && self.is_below(joint, above))
    }

    /// The head by name, or the last joint of neck or back beyond the arms.
    fn head(&self, arms_meet: Option<u16>) -> Option<u16> {
        if let Some(head) = self.first(Word::Head, None, arms_meet) {
            return Some(head);
        }
        let chest = arms_meet?;
        let last =
            |word| self.all(word, None).into_iter().rfind(|&joint| joint != chest && self.is_below(joint, chest));
        last(Word::Neck).or_else(|| last(Word::Spine))
    }

    /// The joint of that name that carries head and legs, or the one where they meet.
    fn hips(&self, head: Option<u16>, legs: [Option<u16>; 2]) -> Option<u16> {
        let named = self.all(Word::Hips, None);
        let [Some(head), Some(left), Some(right)] = [head, legs[0], legs[1]] else { return named.first().copied() };
        let meeting = self.meet(left, right).and_then(|pelvis| self.meet(pelvis, head));
        named.into_iter().rfind(|&joint| [head, left, right].iter().all(|&end| self.is_below(end, joint))).or(meeting)
    }

    /// Spine, chest, upper chest, neck, of the joints between hips and head.
    fn back(&self, hips: u16, head: u16, arms_meet: Option<u16>) -> [Option<u16>; 4] {
        let mut way: Vec<u16> = self.up_from(head).skip(1).take_while(|&joint| joint != hips).collect();
        way.reverse();
        let is_neck = |joint: u16| self.meanings[usize::from(joint)].is_some_and(|meaning| meaning.word == Word::Neck);
        let by_arms = arms_meet.and_then(|chest| way.iter().position(|&joint| joint == chest)).map(|chest| chest + 1);
        let by_name = way.iter().position(|&joint| is_neck(joint));
        let split = by_name.or(by_arms).unwrap_or(way.len());
        let (back, neck) = way.split_at(split);
        let chest = (back.len() >= 2).then(|| back[back.len() / 2]);
        let upper_chest = (back.len() >= 3).then(|| back[back.len() - 1]);
        [back.first().copied(), chest, upper_chest, neck.first().copied()]
    }

    /// A joint, its parent, and so on to the root.
    fn up_from(&self, joint: u16) -> impl Iterator<Item = u16> {
        std::iter::successors(Some(joint), |&joint| self.parents[usize::from(joint)])
    }

    /// Whether a joint is another one or below it.
    fn is_below(&self, joint: u16, above: u16) -> bool {
        self.up_from(joint).take_while(|&ancestor| ancestor >= above).any(|ancestor| ancestor == above)
    }

    /// The lowest joint above both, or one of them if it is above the other.
    fn meet(&self, mut first: u16, mut second: u16) -> Option<u16> {
        // Parents come before children: whoever comes later is not above the other.
        while first != second {
            let later = if first > second { &mut first } else { &mut second };
            *later = self.parents[usize::from(*later)]?;
        }
        Some(first)
    }
}
