//! Recognizes a human by its shape: two legs below, two arms at the sides, a head above. Also recognizes what is not
//! human.

use glam::DVec3;

use super::body::{Body, LONGEST, MOST_CHILDREN};
use super::{Evidence, HumanoidJoint as J, HumanoidMap, NotHuman, Side};

/// Back and legs of a body that stands on two legs meet at less than this many degrees.
const MOST_BENT: f64 = 50.0;
/// The least length of arms, as a share of the legs'.
const SHORTEST_ARMS: f64 = 0.35;

/// The joints of a human, as far as the rest pose shows; `None` if it does not have two legs, two arms and a head
/// above.
pub(super) fn find(body: &Body) -> Option<HumanoidMap> {
    let (height, floor) = body.height();
    if !(height > 0.0 && height.is_finite()) {
        return None;
    }
    let joints = 0..=u16::MAX;
    let found = joints.zip(&body.children).filter(|(_, children)| children.len() >= 2).find_map(|(pelvis, _)| {
        let is_leg = |chain: &[u16]| {
            let lowest = chain.iter().map(|joint| body.at(*joint).y).fold(f64::INFINITY, f64::min);
            lowest - floor < 0.15 * height && body.at(pelvis).y - lowest > 0.2 * height
        };
        let legs = pair(body, pelvis, height, &[], is_leg)?;
        // The back begins at the joint of the legs, or beside it.
        let parents = std::iter::successors(Some(pelvis), |joint| body.parents[usize::from(*joint)]);
        parents.take(3).find_map(|hips| {
            let taken: Vec<u16> = if hips == pelvis { legs.iter().map(|leg| leg[0]).collect() } else { vec![pelvis] };
            let (back, arms, head) = upper_body(body, hips, &taken, height)?;
            let (legs, arms) = (legs.each_ref().map(|leg| limb(body, leg)), arms.map(|arm| limb(body, &arm)));
            let is_body = is_mirrored(body, [&legs, &arms], head[0], height);
            is_body.then_some((hips, legs, (back, arms, head)))
        })
    });
    let (hips, legs, (back, arms, head)) = found?;
    // Feet point ahead; without toes, glTF's front is taken for theirs.
    let [first, second] = &legs;
    let toes = [first, second].map(|leg| match leg.beyond {
        Some(toes) => level(body.at(toes) - body.at(leg.joints[2])),
        None => DVec3::ZERO,
    });
    let front = (toes[0] + toes[1]).try_normalize().unwrap_or(DVec3::Z);
    let to_left = DVec3::Y.cross(front);
    let is_left = |limbs: &[Limb; 2]| {
        (body.at(limbs[0].joints[0]) - body.at(limbs[1].joints[0])).dot(to_left)
            + (body.at(limbs[0].joints[2]) - body.at(limbs[1].joints[2])).dot(to_left)
            > 0.0
    };
    let mut map = HumanoidMap::default();
    let mut set = |joint: J, index: u16| map.set(joint, index, Evidence::Shape);
    for (limbs, names) in [
        (&arms, [J::UpperArm as fn(Side) -> J, J::LowerArm, J::Hand]),
        (&legs, [J::UpperLeg as fn(Side) -> J, J::LowerLeg, J::Foot]),
    ] {
        let sides = if is_left(limbs) { Side::BOTH } else { [Side::Right, Side::Left] };
        for (limb, side) in limbs.iter().zip(sides) {
            limb.joints.into_iter().zip(names).for_each(|(index, name)| set(name(side), index));
            match (names[0](side), limb.before, limb.beyond) {
                (J::UpperArm(side), Some(clavicle), _) => set(J::Shoulder(side), clavicle),
                (J::UpperLeg(side), _, Some(toes)) => set(J::Toes(side), toes),
                _ => {}
            }
        }
    }
    set(J::Hips, hips);
    set(J::Spine, back[0]);
    if back.len() >= 2 {
        set(J::Chest, back[back.len() / 2]);
    }
    if back.len() >= 3 {
        set(J::UpperChest, back[back.len() - 1]);
    }
    // A head carries eyes, jaw and hair, or else the end of itself.
    let branches = head.iter().position(|joint| body.children(*joint).len() >= 2);
    let at = branches.unwrap_or(if head.len() >= 3 { head.len() - 2 } else { head.len() - 1 });
    set(J::Head, head[at]);
    if at > 0 {
        set(J::Neck, head[0]);
    }
    unlike(&map, body).is_empty().then_some(map)
}

/// The two longest bones of a limb that follow each other.
struct Limb {
    before: Option<u16>,
    joints: [u16; 3],
    beyond: Option<u16>,
}

fn limb(body: &Body, chain: &[u16]) -> Limb {
    let length = |at: usize| body.at(chain[at]).distance(body.at(chain[at + 1]));
    let both = |at: &usize| length(*at).min(length(*at + 1));
    let start = (0..chain.len() - 2).max_by(|a, b| both(a).total_cmp(&both(b)).then(b.cmp(a))).unwrap_or_default();
    Limb {
        before: start.checked_sub(1).map(|before| chain[before]),
        joints: [chain[start], chain[start + 1], chain[start + 2]],
        beyond: chain.get(start + 3).copied(),
    }
}

/// The first two chains below a joint that mirror each other, with at least three joints.
fn pair(
    body: &Body,
    joint: u16,
    height: f64,
    taken: &[u16],
    is_meant: impl Fn(&[u16]) -> bool,
) -> Option<[Vec<u16>; 2]> {
    let children = body.children(joint).iter().filter(|child| !taken.contains(child)).take(MOST_CHILDREN);
    let chains: Vec<Vec<u16>> =
        children.map(|child| body.chain(*child)).filter(|chain| chain.len() >= 3 && is_meant(chain)).collect();
    for (index, chain) in chains.iter().enumerate() {
        let mirrored = chains[index + 1..].iter().find(|other| {
            let [a, b] = [chain, *other].map(|chain| body.length(chain));
            let is_as_long = (a - b).abs() < 0.15 * a.max(b) && a.min(b) > 0.1 * height;
            let ends = [chain, *other].map(|chain| limb(body, chain).joints.map(|joint| body.at(joint)));
            let is_level = (0..3).all(|at| (ends[0][at].y - ends[1][at].y).abs() < 0.08 * height);
            let apart = |at: usize| level(ends[0][at] - ends[1][at]);
            is_as_long && is_level && apart(0).length() > 0.02 * height && apart(2).dot(apart(0)) > 0.0
        });
        if let Some(other) = mirrored {
            return Some([chain.clone(), other.clone()]);
        }
    }
    None
}

/// Whether left and right of a body mirror each other, legs more than arms, with the head between them.
fn is_mirrored(body: &Body, limbs: [&[Limb; 2]; 2], head: u16, height: f64) -> bool {
    let [legs, _] = limbs;
    let hips = legs.each_ref().map(|leg| body.at(leg.joints[0]));
    let Some(across) = level(hips[0] - hips[1]).try_normalize() else { return false };
    let beside = |at: DVec3| (at - hips[0].midpoint(hips[1])).dot(across).abs();
    let is_pair = |[left, right]: &[Limb; 2], slack: f64| {
        left.joints.iter().zip(&right.joints).all(|(left, right)| {
            let (left, right) = (body.at(*left), body.at(*right));
            let skew = level(left - right).reject_from_normalized(across).length();
            beside(left.midpoint(right)) < slack * height && skew < 2.0 * slack * height
        })
    };
    is_pair(limbs[0], 0.04) && is_pair(limbs[1], 0.1) && beside(body.at(head)) < 0.06 * height
}

type UpperBody = (Vec<u16>, [Vec<u16>; 2], Vec<u16>);

/// The back without the hips, two arms, and the chain from the neck to the end of the head.
fn upper_body(body: &Body, hips: u16, legs: &[u16], height: f64) -> Option<UpperBody> {
    let highest = |joint: u16, taken: &[u16]| {
        let children = body.children(joint).iter().copied().filter(|child| !taken.contains(child)).take(MOST_CHILDREN);
        children.max_by(|a, b| body.top(*a).total_cmp(&body.top(*b)).then(b.cmp(a)))
    };
    let mut back = Vec::new();
    let mut next = highest(hips, legs);
    while let Some(joint) = next.filter(|_| back.len() < LONGEST) {
        back.push(joint);
        if let Some(arms) = pair(body, joint, height, &[], |_| true) {
            let taken = arms.each_ref().map(|arm| arm[0]);
            let neck = highest(joint, &taken)?;
            // What does not reach above a joint is worn there, such as a helmet, and not the rest of a head.
            let above = |joint: &u16| highest(*joint, &[]).filter(|next| body.top(*next) > body.at(*joint).y);
            let head: Vec<u16> = std::iter::successors(Some(neck), above).take(16).collect();
            let is_above = body.top(neck) > body.at(joint).y && body.at(joint).y > body.at(hips).y;
            return is_above.then_some((back, arms, head));
        }
        next = highest(joint, &[]);
    }
    None
}

fn level(vector: DVec3) -> DVec3 {
    vector.with_y(0.0)
}

/// What suggests that it is not a human. Empty if joints are missing, or if the rest pose is degenerate, with left at
/// the same place as right.
pub(super) fn unlike(map: &HumanoidMap, body: &Body) -> Vec<NotHuman> {
    let place =
        |joint: J| map.get(joint).filter(|joint| usize::from(*joint) < body.positions.len()).map(|it| body.at(it));
    let mean = |joint: fn(Side) -> J| {
        let [left, right] = Side::BOTH.map(|side| place(joint(side)));
        left.zip(right).map(|(left, right)| (left + right) / 2.0)
    };
    let (height, floor) = body.height();
    let apart = |joint: fn(Side) -> J| {
        let [left, right] = Side::BOTH.map(|side| place(joint(side)));
        left.zip(right).is_some_and(|(left, right)| left.distance(right) > 0.01 * height)
    };
    let has_sides = [J::UpperLeg as fn(Side) -> J, J::UpperArm, J::Foot, J::Hand].into_iter().any(apart);
    let mut unlike = Vec::new();
    let (Some(hips), Some(head)) = (place(J::Hips), place(J::Head)) else { return unlike };
    let back = head - hips;
    let feet = mean(J::Toes).or_else(|| mean(J::Foot));
    if !has_sides && feet.is_some() {
        return unlike;
    }
    // An animal whose legs are called something else stands on its lowest joints.
    let lowest = || {
        let low: Vec<DVec3> = body.positions.iter().copied().filter(|at| at.y - floor < 0.1 * height).collect();
        low.iter().sum::<DVec3>() / low.len().max(1) as f64
    };
    let is_half = feet.is_none() && mean(J::UpperArm).is_some();
    let legs = hips - feet.unwrap_or_else(lowest);
    let degrees = back.angle_between(legs).to_degrees();
    // A body without legs stands on nothing.
    if !is_half && degrees > MOST_BENT && degrees.is_finite() {
        unlike.push(NotHuman::BackAcrossLegs { degrees: degrees.round() as u16 });
    }
    if let (Some(hands), Some(feet)) = (mean(J::Hand), feet)
        && let Some(up) = legs.try_normalize()
        && (hands - feet).dot(up) < 0.12 * (head - feet).dot(up)
    {
        unlike.push(NotHuman::HandsOnGround);
    }
    let length = |joints: [J; 3]| {
        let [a, b, c] = joints.map(place);
        Some(a?.distance(b?) + b?.distance(c?))
    };
    let arms = Side::BOTH.map(|side| length([J::UpperArm(side), J::LowerArm(side), J::Hand(side)]));
    let legs = Side::BOTH.map(|side| length([J::UpperLeg(side), J::LowerLeg(side), J::Foot(side)]));
    if let ([Some(left), Some(right)], [Some(left_leg), Some(right_leg)]) = (arms, legs) {
        let share = (left + right) / (left_leg + right_leg);
        if share < SHORTEST_ARMS {
            unlike.push(NotHuman::ShortArms { percent: (100.0 * share).round() as u16 });
        }
    }
    unlike
}
