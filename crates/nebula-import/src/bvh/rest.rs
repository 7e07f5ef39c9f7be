//! Detects the axes of a file, and its rest pose.

use glam::{DQuat, DVec3};
use nebula_animation::skeleton::Side;
use nebula_animation::{HumanoidJoint as J, HumanoidMap, Rig, Skeleton};

use super::pose::{Body, Place};
use super::{BvhRest, UpAxis};

/// Frames that are looked at for which axis is up, and for a human that names do not tell.
const LOOKS: usize = 64;
/// Joints of all frames that are looked at for one that stands.
const MOST_LOOKS: usize = 1 << 22;
/// Who leans by no more than so many degrees, back and legs, stands.
const STANDING: f64 = 12.0;
/// Who leans by more than so many degrees does not stand at all.
const LEANING: f64 = 40.0;

/// The places that tell how a body stands: hips, head, and the feet.
struct Ends {
    hips: usize,
    head: usize,
    feet: [Option<usize>; 2],
}

impl Ends {
    fn of(map: &HumanoidMap) -> Option<Self> {
        let get = |joint: J| map.get(joint).map(usize::from);
        Some(Self { hips: get(J::Hips)?, head: get(J::Head)?, feet: Side::BOTH.map(|side| get(J::Foot(side))) })
    }

    /// From the feet, or from the hips, to the head.
    fn up(&self, globals: &[Place]) -> DVec3 {
        let feet = self.feet.iter().flatten().map(|foot| globals[*foot].0);
        let (count, sum) = feet.fold((0.0, DVec3::ZERO), |(count, sum), foot| (count + 1.0, sum + foot));
        let low = if count > 0.0 { sum / count } else { globals[self.hips].0 };
        (globals[self.head].0 - low).normalize_or_zero()
    }

    /// Degrees by which back or legs are off upright, the farthest of them.
    fn lean(&self, globals: &[Place]) -> f64 {
        let hips = globals[self.hips].0;
        let legs = self.feet.iter().flatten().map(|foot| hips - globals[*foot].0);
        let ways = legs.chain([globals[self.head].0 - hips]);
        // What has no length leans by nothing.
        let lean = |way: DVec3| way.try_normalize().map_or(0.0, |way| way.y.clamp(-1.0, 1.0).acos().to_degrees());
        ways.map(lean).fold(0.0, f64::max)
    }
}

/// The axis that is up, by the body at rest and in the frames. A body that does not stand along either axis says nothing.
pub(super) fn up(body: &Body, frames: &[&[f64]]) -> UpAxis {
    let rest = body.locals(None);
    let Some(ends) = Ends::of(&HumanoidMap::find_some(&body.skeleton(&rest, 1.0))) else { return UpAxis::Y };
    let axis = |way: DVec3| {
        let least = 0.85;
        if way.z > least { Some(UpAxis::Z) } else { (way.y > least).then_some(UpAxis::Y) }
    };
    let looks = frames.iter().step_by(frames.len().div_ceil(LOOKS).max(1));
    let sum: DVec3 = looks.map(|frame| ends.up(&body.globals(&body.locals(Some(frame))))).sum();
    // Who lies all along a recording rests upright.
    let is_human = HumanoidMap::find(&body.skeleton(&rest, 1.0)).is_ok();
    let resting = if is_human { axis(ends.up(&body.globals(&rest))) } else { None };
    let moving = axis(sum.normalize_or_zero());
    match (resting, moving) {
        (Some(UpAxis::Y), _) | (_, Some(UpAxis::Y)) => UpAxis::Y,
        (resting, moving) => resting.or(moving).unwrap_or(UpAxis::Y),
    }
}

/// The pose that the body rests in, and which of the frames it is of.
pub(super) fn rest(body: &Body, frames: &[&[f64]], how: BvhRest) -> (Vec<Place>, Option<usize>) {
    let zero = body.locals(None);
    let frame = match how {
        BvhRest::Zero => None,
        BvhRest::Frame(frame) => Some(frame.min(frames.len() - 1)),
        BvhRest::Automatic if HumanoidMap::find(&body.skeleton(&zero, 1.0)).is_ok() => None,
        BvhRest::Automatic => standing(body, &zero, frames),
    };
    match frame {
        Some(frame) => (centred(body, body.locals(Some(frames[frame]))), Some(frame)),
        None => (zero, None),
    }
}

/// The first frame in which a human stands; where none stands straight, the one that does best.
fn standing(body: &Body, zero: &[Place], frames: &[&[f64]]) -> Option<usize> {
    let named = HumanoidMap::find_some(&body.skeleton(zero, 1.0));
    let is_human = |map: &HumanoidMap, skeleton: &Skeleton| map.check(skeleton).is_ok();
    let required = [J::UpperLeg as fn(Side) -> J, J::Foot, J::UpperArm, J::Hand];
    let is_whole =
        required.into_iter().all(|joint| Side::BOTH.into_iter().all(|side| named.get(joint(side)).is_some()));
    let ends = Ends::of(&named).filter(|_| is_whole);
    let mut best: Option<(f64, usize)> = None;
    // Names are looked up once; shapes are another matter.
    let (step, most) = match ends {
        Some(_) => (1, MOST_LOOKS / body.file.joints.len().max(1)),
        None => (frames.len().div_ceil(LOOKS).max(1), LOOKS),
    };
    for (index, frame) in frames.iter().enumerate().step_by(step).take(most) {
        let locals = body.locals(Some(frame));
        let globals = body.globals(&locals);
        let lean = match &ends {
            Some(ends) => ends.lean(&globals),
            None => {
                let map = HumanoidMap::find_some(&body.skeleton(&locals, 1.0));
                Ends::of(&map).map_or(f64::MAX, |ends| ends.lean(&globals))
            }
        };
        if lean > LEANING || best.is_some_and(|(least, _)| least <= lean) {
            continue;
        }
        let skeleton = body.skeleton(&locals, 1.0);
        let is_one = if ends.is_some() { is_human(&named, &skeleton) } else { HumanoidMap::find(&skeleton).is_ok() };
        if is_one {
            best = Some((lean, index));
        }
        if is_one && lean <= STANDING {
            break;
        }
    }
    best.map(|(_, index)| index)
}

/// The pose above the origin, and facing glTF's front: where a recording happens to stand is nothing that a body rests in.
fn centred(body: &Body, mut locals: Vec<Place>) -> Vec<Place> {
    let roots: Vec<usize> = (0..locals.len()).filter(|joint| body.file.joints[*joint].parent.is_none()).collect();
    let Some(middle) = roots.first().map(|root| locals[*root].0.with_y(0.0)) else { return locals };
    let front = front(body, &locals);
    let back = DQuat::from_rotation_y(-front.x.atan2(front.z));
    for root in roots {
        let (place, turn) = locals[root];
        locals[root] = (back * (place - middle), back * turn);
    }
    locals
}

/// Ahead of whoever stands like this, square to what is left and right.
fn front(body: &Body, locals: &[Place]) -> DVec3 {
    let rig = Rig::new(body.skeleton(locals, 1.0));
    let globals = body.globals(locals);
    let across = [J::UpperLeg as fn(Side) -> J, J::UpperArm].into_iter().filter_map(|joint| {
        let [left, right] = Side::BOTH.map(|side| rig.humanoid().get(joint(side)).map(usize::from));
        Some((globals[left?].0 - globals[right?].0).with_y(0.0))
    });
    let sides = across.sum::<DVec3>().cross(DVec3::Y).normalize_or_zero();
    // The rig knows it to the next axis only, but also where sides have each other's names.
    match rig.front().map(|front| front.as_dvec3()) {
        Some(front) if front.dot(sides) < 0.0 => -sides,
        Some(front) if sides == DVec3::ZERO => front,
        _ => sides,
    }
}
