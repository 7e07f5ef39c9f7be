//! Aligns rest poses: A-poses, T-poses and bent limbs become comparable.

use glam::{DMat3, DQuat, DVec3};

use super::rest::Rest;
use super::trunk;
use crate::skeleton::HumanoidJoint as J;
use crate::skeleton::{Finger, HumanoidMap, Side};

/// Joints of the back and the neck point elsewhere in every body. Only what is bent by more than this many radians is a pose.
const BENT_BACK: f64 = 0.8;
/// A body leans if its neck is off the vertical above the hips by more than this (the cosine of 12 degrees).
const LEANING: f64 = 0.978;
/// How far, in radians, the line from hips to shoulders may lean away from the source's: 3 degrees of it are build.
const OTHER_BUILD: f64 = 0.052;
/// How much the plane in which a limb is modelled to bend counts against the usual one, by the elbow's distance from
/// the straight line, in limb lengths.
const USUAL_PLANE: f64 = 0.1;

/// A body in its rest pose; `facing` rotates its motion to the target's front.
pub(super) struct Posture<'a> {
    pub rest: &'a Rest,
    pub map: &'a HumanoidMap,
    pub facing: DQuat,
}

/// For each joint of the target, the rotation in model space from its rest pose to the source's.
pub(super) fn alignments(
    [from, to]: [&Rest; 2],
    facing: DQuat,
    maps: Option<[&HumanoidMap; 2]>,
    sources: &[Option<usize>],
    beyond: f64,
) -> Vec<DQuat> {
    let is_never = !beyond.is_finite();
    let mut known: Vec<Option<DQuat>> = vec![None; sources.len()];
    if let Some([source, target]) = maps.filter(|_| !is_never) {
        let bodies =
            [Posture { rest: from, map: source, facing }, Posture { rest: to, map: target, facing: DQuat::IDENTITY }];
        align_humans(&bodies, beyond, &mut known);
    }
    let mut turns: Vec<DQuat> = Vec::with_capacity(sources.len());
    for joint in 0..sources.len() {
        let outer = to.parent(joint).map_or(DQuat::IDENTITY, |parent| turns[parent]);
        if let Some(turn) = known[joint].filter(|_| sources[joint].is_some()) {
            turns.push(turn);
            continue;
        }
        // A bone points at the only child that both skeletons have. Where there are several or none, the joint goes with
        // the bone above it.
        let mut children =
            (joint + 1..sources.len()).filter(|child| to.parent(*child) == Some(joint) && sources[*child].is_some());
        let only_child = children.next().filter(|_| children.next().is_none() && !is_never);
        let directions = only_child.zip(sources[joint]).and_then(|(child, source)| {
            let direction = to.positions[child] - to.positions[joint];
            let source_direction = facing * (from.positions[sources[child]?] - from.positions[source]);
            Some(((outer * direction).try_normalize()?, source_direction.try_normalize()?))
        });
        turns.push(match directions {
            Some((direction, wanted)) if direction.angle_between(wanted) > beyond => {
                DQuat::from_rotation_arc(direction, wanted) * outer
            }
            _ => outer,
        });
    }
    turns
}

fn align_humans(bodies: &[Posture; 2], beyond: f64, known: &mut [Option<DQuat>]) {
    let [from, to] = bodies;
    let mut set = |joint: J, turn: DQuat| {
        if let Some(known) = to.map.get(joint).and_then(|index| known.get_mut(usize::from(index))) {
            *known = Some(turn);
        }
    };
    let is_upright = from.is_upright() && to.is_upright();
    let is_standing = from.is_standing() && to.is_standing();
    let between = |source: DMat3, target: DMat3| DQuat::from_mat3(&(source * target.transpose()));
    // Smaller turns of what is no limb are anatomy.
    let posed = |turn: DQuat, otherwise: DQuat| if turn.angle_between(otherwise) > beyond { turn } else { otherwise };
    let (Some(source_pelvis), Some(target_pelvis)) = (from.pelvis(), to.pelvis()) else { return };
    let (Some(source_chest), Some(target_chest)) = (from.chest(), to.chest()) else { return };
    let (hips, chest) = (between(source_pelvis, target_pelvis), between(source_chest, target_chest));
    // What is left and right of whoever stands upright is exact.
    let hips = if is_upright { hips } else { posed(hips, DQuat::IDENTITY) };
    let chest = if is_upright { chest } else { posed(chest, hips) };
    set(J::Hips, hips);
    let lean = if is_upright { upright_lean(bodies, hips, chest) } else { DQuat::IDENTITY };
    let (chest, neck) = (lean * chest, chest);
    let backs = [J::Spine, J::Chest, J::UpperChest, J::Neck, J::Head];
    for (place, joint) in backs.into_iter().enumerate() {
        let next = backs[place + 1..].iter().copied().find(|next| from.has(*next) && to.has(*next));
        // Necks and heads point where the source's do, however the body below them leans.
        let chest = if matches!(joint, J::Neck | J::Head) { neck } else { chest };
        let bones = next.and_then(|next| Some([from.bone(joint, next)?, chest * to.bone(joint, next)?]));
        set(
            joint,
            match bones {
                Some([wanted, bone]) if bone.angle_between(wanted) > beyond.max(BENT_BACK) => {
                    DQuat::from_rotation_arc(bone, wanted) * chest
                }
                // Heads look ahead.
                _ if joint == J::Head && is_upright => DQuat::IDENTITY,
                _ => chest,
            },
        );
    }
    for side in Side::BOTH {
        set(J::Shoulder(side), chest);
        let arm = [J::UpperArm(side), J::LowerArm(side), J::Hand(side)];
        let leg = [J::UpperLeg(side), J::LowerLeg(side), J::Foot(side)];
        for (limb, is_leg) in [(arm, false), (leg, true)] {
            let carriers = if is_leg { [source_pelvis, target_pelvis] } else { [source_chest, target_chest] };
            let frames = [0, 1].map(|body: usize| bodies[body].limb(limb, carriers[body], is_leg));
            let [Some(source), Some(target)] = frames else { continue };
            let turns = [between(source[0], target[0]), between(source[1], target[1])];
            set(limb[0], turns[0]);
            set(limb[1], turns[1]);
            if is_leg {
                let flat = || flat_foot(bodies, side, beyond);
                set(limb[2], if is_standing { flat() } else { foot(bodies, side, turns[1], beyond) });
            } else {
                let hands = [from, to].map(|body| body.hand(side));
                let by_fingers = match hands {
                    [Some(source), Some(target)] => Some(between(source, target)),
                    _ => None,
                };
                let is_other = |turn: &DQuat| turn.angle_between(turns[1]) > beyond;
                set(limb[2], by_fingers.filter(is_other).unwrap_or(turns[1]));
            }
        }
    }
}

/// The rotation of the target's back that brings its shoulders as far in front of the hips as the source's are, apart
/// from [`OTHER_BUILD`].
fn upright_lean([from, to]: &[Posture; 2], hips: DQuat, chest: DQuat) -> DQuat {
    let middle = |body: &Posture, joint: fn(Side) -> J| {
        let [left, right] = Side::BOTH.map(|side| body.at(joint(side)));
        Some(left?.midpoint(right?))
    };
    let ends = |body: &Posture| Some((middle(body, J::UpperLeg)?, middle(body, J::UpperArm)?));
    let bent = [J::Spine, J::Chest, J::UpperChest].into_iter().find(|joint| from.has(*joint) && to.has(*joint));
    let (Some((legs, arms)), Some((own_legs, own_arms)), Some(bend)) =
        (ends(from), ends(to), bent.and_then(|joint| to.at(joint)))
    else {
        return DQuat::IDENTITY;
    };
    let ways = [hips * (bend - own_legs), chest * (own_arms - bend)];
    trunk::lean(ways, arms - legs, |angle| (angle - OTHER_BUILD).max(0.0))
}

/// A foot that rests flat on the ground in both bodies: it may point elsewhere, by more than feet do.
fn flat_foot([from, to]: &[Posture; 2], side: Side, beyond: f64) -> DQuat {
    let level = |body: &Posture| body.bone(J::Foot(side), J::Toes(side))?.with_y(0.0).try_normalize();
    match (level(from), level(to)) {
        (Some(wanted), Some(bone)) if bone.angle_between(wanted) > beyond => DQuat::from_rotation_arc(bone, wanted),
        _ => DQuat::IDENTITY,
    }
}

/// A foot that does not rest flat on the ground, in one of the bodies at least.
fn foot([from, to]: &[Posture; 2], side: Side, shin: DQuat, beyond: f64) -> DQuat {
    let bone = |body: &Posture| body.bone(J::Foot(side), J::Toes(side));
    match (bone(from), bone(to).map(|bone| shin * bone)) {
        (Some(wanted), Some(bone)) if bone.angle_between(wanted) > beyond => {
            DQuat::from_rotation_arc(bone, wanted) * shin
        }
        _ => shin,
    }
}

impl Posture<'_> {
    fn has(&self, joint: J) -> bool {
        self.map.get(joint).is_some()
    }

    fn at(&self, joint: J) -> Option<DVec3> {
        self.rest.positions.get(usize::from(self.map.get(joint)?)).map(|at| self.facing * *at)
    }

    /// From one joint to another; unit length.
    fn bone(&self, joint: J, next: J) -> Option<DVec3> {
        (self.at(next)? - self.at(joint)?).try_normalize()
    }

    /// From the hips to the neck.
    fn back(&self) -> Option<DVec3> {
        (self.at(J::Neck).or_else(|| self.at(J::Head))? - self.at(J::Hips)?).try_normalize()
    }

    /// Left, up and forward of the hips. In an upright body they do not depend on its joints; in another rest pose,
    /// what hangs from the hips determines them: the back begins above the legs.
    fn pelvis(&self) -> Option<DMat3> {
        let left = self.across(J::UpperLeg)?;
        if self.is_upright() {
            return frame(left, DVec3::Y);
        }
        let up = || (self.at(J::Spine)? - self.at(J::Hips)?).try_normalize();
        frame(left, up().or_else(|| self.back())?)
    }

    /// The same of the ribcage, by the collar bones or the arms, and by the neck.
    fn chest(&self) -> Option<DMat3> {
        let is_wide = |left: &DVec3| left.length() > 0.05 * self.rest.height();
        let left = self.across(J::Shoulder).filter(is_wide).or_else(|| self.across(J::UpperArm))?;
        if self.is_upright() {
            // Where necks are before or behind hips is anatomy, up to a point.
            let back = self.back().filter(|back| back.y < LEANING);
            return frame(left, back.unwrap_or(DVec3::Y));
        }
        let ribcage = [J::UpperChest, J::Chest, J::Spine].into_iter().find_map(|joint| self.at(joint));
        let up = || (self.at(J::Neck).or_else(|| self.at(J::Head))? - ribcage?).try_normalize();
        frame(left, up().or_else(|| self.back())?)
    }

    fn across(&self, joint: fn(Side) -> J) -> Option<DVec3> {
        Some(self.at(joint(Side::Left))? - self.at(joint(Side::Right))?)
    }

    /// For each of the two bones of a limb its direction, where its elbow or knee points, and across.
    fn limb(&self, joints: [J; 3], trunk: DMat3, is_leg: bool) -> Option<[DMat3; 2]> {
        let [start, middle, end] = joints.map(|joint| self.at(joint));
        let (start, middle, end) = (start?, middle?, end?);
        let length = start.distance(middle) + middle.distance(end);
        let line = (end - start).try_normalize()?;
        let beside = (middle - start).reject_from_normalized(line) / length;
        // Knees bend forwards, elbows backwards; of arms that are stretched out ahead they point down.
        let usual = if is_leg { trunk.z_axis } else { -trunk.z_axis };
        let usual = usual.reject_from_normalized(line);
        let usual = if usual.length() > 0.3 { usual.normalize() } else { (-trunk.y_axis).reject_from_normalized(line) };
        let pole = beside + USUAL_PLANE * usual;
        let frame = |bone: DVec3| {
            let bone = bone.try_normalize()?;
            let across = bone.cross(pole).try_normalize()?;
            Some(DMat3::from_cols(bone, across.cross(bone), across))
        };
        Some([frame(middle - start)?, frame(end - middle)?])
    }

    /// The direction of the fingers, the direction from the index finger to the others, and that of the palm.
    fn hand(&self, side: Side) -> Option<DMat3> {
        let wrist = self.at(J::Hand(side))?;
        let knuckle = |finger: Finger| {
            let joint = self.map.finger(side, finger)[0]?;
            Some(self.facing * *self.rest.positions.get(usize::from(joint))?)
        };
        let index = knuckle(Finger::Index)?;
        let last = knuckle(Finger::Little).or_else(|| knuckle(Finger::Ring))?;
        let along = (knuckle(Finger::Middle).unwrap_or_else(|| index.midpoint(last)) - wrist).try_normalize()?;
        let across = (last - index).reject_from_normalized(along).try_normalize()?;
        Some(DMat3::from_cols(along, across, along.cross(across)))
    }

    /// Whether the body rests upright: it may lean by up to 30 degrees.
    pub fn is_upright(&self) -> bool {
        self.back().is_some_and(|back| back.y > 0.85)
    }

    /// Whether the head is further above the hips than to the side of them.
    pub fn is_raised(&self) -> bool {
        self.back().is_some_and(|back| back.y > 0.6)
    }

    /// Whether the body rests upright with both feet on the ground, so that its soles are flat.
    pub fn is_standing(&self) -> bool {
        let height = self.rest.height();
        let level = |joint: fn(Side) -> J| {
            let [left, right] = Side::BOTH.map(|side| self.at(joint(side)));
            left.zip(right).is_none_or(|(left, right)| (left.y - right.y).abs() < 0.04 * height)
        };
        let is_down = |side| {
            let [hip, knee, foot] = [J::UpperLeg(side), J::LowerLeg(side), J::Foot(side)].map(|joint| self.at(joint));
            hip.zip(knee).zip(foot).is_none_or(|((hip, knee), foot)| hip.y > knee.y && knee.y > foot.y)
        };
        self.is_upright() && level(J::Foot) && level(J::Toes) && Side::BOTH.into_iter().all(is_down)
    }
}

/// Axes to the left, up and ahead.
fn frame(left: DVec3, up: DVec3) -> Option<DMat3> {
    let left = left.try_normalize()?;
    let up = up.reject_from_normalized(left).try_normalize()?;
    Some(DMat3::from_cols(left, up, left.cross(up)))
}
