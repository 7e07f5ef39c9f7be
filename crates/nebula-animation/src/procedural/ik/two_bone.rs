//! Two bones and a hinge, legs and arms, solved in closed form.

use glam::{Quat, Vec3, Vec3A};

use crate::math::direction::{ORDINARY, direction_of};
use crate::math::trig::sin_cos;
use crate::procedural::turn::arc;
use crate::state::stateful;

/// Limits of the middle joint of a limb.
///
/// ```
/// use nebula_animation::procedural::ik::TwoBoneLimits;
///
/// // A knee that never locks, and that folds up to 150 degrees.
/// let knee = TwoBoneLimits { min_bend: 0.05, max_bend: 2.6, softness: 0.02 };
/// assert!(knee.min_bend < knee.max_bend);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoBoneLimits {
    /// The smallest bend in radians: 0 (the default) lets the limb become straight.
    pub min_bend: f32,
    /// The largest bend in radians: π (the default) lets it fold flat.
    pub max_bend: f32,
    /// The last part of the reach over which the limb eases out, as a fraction of its length from 0 to 0.5. The end
    /// falls behind the target there, so that the middle joint does not snap as it straightens.
    ///
    /// 0 (the default) is exact: the end is on every target within reach, and the limb points straight at every other.
    pub softness: f32,
}

stateful!(TwoBoneLimits { min_bend, max_bend, softness });

impl Default for TwoBoneLimits {
    fn default() -> Self {
        Self { min_bend: 0.0, max_bend: std::f32::consts::PI, softness: 0.0 }
    }
}

/// A limb before it is bent: positions and directions in one space of your choice, lengths in its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoBoneLimb {
    /// Where the limb begins: the hip, the shoulder.
    pub start: Vec3,
    /// Where it bends: the knee, the elbow.
    pub middle: Vec3,
    /// Where it ends: the ankle, the wrist.
    pub end: Vec3,
    /// The axis of the hinge, of any length: a positive rotation about it bends the lower bone. It need not be
    /// perpendicular to the bones. It defines what "backwards" means: a limb that is bent the wrong way comes out bent
    /// the right way.
    pub hinge: Vec3,
}

/// How to rotate the two bones, in the space of the [`TwoBoneLimb`]. Rotations are of unit length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoBoneSolution {
    /// Rotates the upper bone, with everything below it, about the start.
    pub upper_turn: Quat,
    /// Rotates the lower bone from its original orientation, about the middle. It replaces `upper_turn` for that bone;
    /// it is not applied on top of it.
    pub lower_turn: Quat,
    /// The new position of the middle.
    pub middle: Vec3,
    /// The new position of the end.
    pub end: Vec3,
}

/// Bends a limb so that its end reaches `target`, or comes as close as its bones and limits allow.
///
/// `pole` is the direction in which the middle joint points, seen from the line between start and target. Without one,
/// or if it is parallel to that line, the limb keeps the plane in which it is bent.
///
/// `None` for a limb that cannot be bent: a bone without length, or a number that is not finite.
///
/// ```
/// use glam::Vec3;
/// use nebula_animation::procedural::ik::{TwoBoneLimb, TwoBoneLimits, solve_two_bone};
///
/// let leg = TwoBoneLimb { start: Vec3::Y, middle: Vec3::Y * 0.5, end: Vec3::ZERO, hinge: Vec3::X };
/// let step = Vec3::new(0.0, 0.2, 0.1);
/// let bent = solve_two_bone(&leg, step, Some(Vec3::Z), &TwoBoneLimits::default()).unwrap();
/// assert!(bent.end.distance(step) < 1e-6);
/// assert!(bent.middle.z > 0.1, "the knee points forwards");
/// ```
#[must_use]
pub fn solve_two_bone(
    limb: &TwoBoneLimb,
    target: Vec3,
    pole: Option<Vec3>,
    limits: &TwoBoneLimits,
) -> Option<TwoBoneSolution> {
    let bones =
        Bones { start: limb.start.into(), middle: limb.middle.into(), end: limb.end.into(), hinge: limb.hinge.into() };
    let bent = bones.solve(target.into(), pole.map(Vec3A::from), limits)?;
    let Bent { upper_turn, lower_turn, middle, end, .. } = bent;
    Some(TwoBoneSolution { upper_turn, lower_turn, middle: middle.into(), end: end.into() })
}

/// As [`TwoBoneLimb`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Bones {
    pub start: Vec3A,
    pub middle: Vec3A,
    pub end: Vec3A,
    pub hinge: Vec3A,
}

/// As [`TwoBoneSolution`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Bent {
    pub upper_turn: Quat,
    pub lower_turn: Quat,
    pub middle: Vec3A,
    pub end: Vec3A,
    /// Both bones together.
    pub length: f32,
}

impl Bones {
    /// As [`solve_two_bone`].
    pub fn solve(&self, target: Vec3A, pole: Option<Vec3A>, limits: &TwoBoneLimits) -> Option<Bent> {
        let Self { start, middle, end, hinge } = *self;
        let (upper, lower) = (middle - start, end - middle);
        let (upper_length, lower_length) = (upper.length(), lower.length());
        let to_target = target - start;
        let target_squared = to_target.length_squared();
        let is_ordinary = ORDINARY.contains(&target_squared);
        let is_limb = upper_length > 0.0 && lower_length > 0.0 && upper_length + lower_length < 1e18;
        if !is_limb || !(is_ordinary || to_target.is_finite()) {
            return None;
        }
        let (upper_way, lower_way) = (upper / upper_length, lower / lower_length);
        let hinge = plane_of(upper_way, lower_way, hinge);
        // A target at the start has no direction: the limb keeps its own.
        let reached = (end - start).try_normalize().unwrap_or(upper_way);
        let (towards, wanted) = if is_ordinary {
            let wanted = target_squared.sqrt();
            (to_target / wanted, wanted)
        } else {
            (direction_of(to_target).unwrap_or(reached), length(to_target))
        };
        let shape = triangle(upper_length, lower_length, wanted, limits);
        let by_pole = pole.filter(|pole| pole.is_finite()).and_then(|pole| square_to(pole, towards));
        // The plane of the limb, carried along by the shortest turn to the new direction.
        let aside_way =
            by_pole.or_else(|| aside_of(reached, towards, hinge)).unwrap_or_else(|| towards.any_orthonormal_vector());
        let new_upper = towards * shape.upper[0] + aside_way * shape.upper[1];
        let new_lower = towards * shape.lower[0] + aside_way * shape.lower[1];
        let new_hinge = aside_way.cross(towards);
        let upper_turn = turn_between(upper_way, hinge, new_upper, new_hinge);
        let lower_turn = turn_between(lower_way, hinge, new_lower, new_hinge);
        let (middle, end) = (start + new_upper * upper_length, start + towards * shape.distance);
        Some(Bent { upper_turn, lower_turn, middle, end, length: upper_length + lower_length })
    }
}

/// The normal of the plane in which the bones lie, on the hinge's side, of ordinary length; the hinge itself where they are
/// straight or bent the wrong way. The change from one to the other is gradual, so that a limb which straightens does not twist.
#[inline]
fn plane_of(upper_way: Vec3A, lower_way: Vec3A, hinge: Vec3A) -> Vec3A {
    /// The sine of the bend at which bones and hinge have equal weight.
    const NEARLY_STRAIGHT: f32 = 0.03;
    let across = upper_way.cross(lower_way);
    match square_to(hinge, upper_way) {
        Some(hinge) if across.dot(hinge) > 0.0 => across + hinge * NEARLY_STRAIGHT,
        Some(hinge) => hinge,
        None => across.try_normalize().unwrap_or_else(|| upper_way.any_orthonormal_vector()),
    }
}

/// The side to which a limb bends whose hinge follows the shortest rotation from one direction to another:
/// perpendicular to the new one, unit length.
#[inline]
fn aside_of(from: Vec3A, to: Vec3A, hinge: Vec3A) -> Option<Vec3A> {
    let real = 1.0 + from.dot(to);
    if real > 0.1 {
        // The turn takes `v` to `v - (from + to) (from + to).v / real + 2 to from.v`, of which nothing along `to` counts. All of it times
        // `real`, which saves the division.
        let aside = to.cross(hinge * real - from * (from + to).dot(hinge));
        let length_squared = aside.length_squared();
        if length_squared > 0.01 * (real * real) * hinge.length_squared() && ORDINARY.contains(&length_squared) {
            return Some(aside / length_squared.sqrt());
        }
    }
    square_to(to.cross(arc(from, to) * hinge), to)
}

/// The triangle of a limb that is bent.
struct Triangle {
    /// How far a bone goes along the line to the target, and how far aside: parts of its length.
    upper: [f32; 2],
    lower: [f32; 2],
    /// From start to end.
    distance: f32,
}

/// The triangle of the limb that reaches the wanted distance, or as close to it as possible.
#[inline]
fn triangle(upper: f32, lower: f32, wanted: f32, limits: &TwoBoneLimits) -> Triangle {
    // In `f64`, because the square of the height is a small difference of large numbers in a limb that is nearly straight.
    let (upper, lower, wanted) = (f64::from(upper), f64::from(lower), f64::from(wanted));
    let span = |bend: f32, default: f32| {
        let bend = if bend.is_finite() { bend.clamp(0.0, std::f32::consts::PI) } else { default };
        // Of the supplement for a bend beyond a right angle, so that a straight or folded limb is exact.
        let (sin, cos) = sin_cos(bend * 0.5);
        let (sin, cos) = (f64::from(sin), f64::from(cos));
        ((upper + lower).powi(2) * cos * cos + (upper - lower).powi(2) * sin * sin).sqrt()
    };
    let longest = if limits.min_bend > 0.0 { span(limits.min_bend, 0.0) } else { upper + lower };
    let shortest = if limits.max_bend < std::f32::consts::PI {
        span(limits.max_bend, std::f32::consts::PI)
    } else {
        (upper - lower).abs()
    };
    let distance = soften(wanted, longest, limits.softness).clamp(shortest.min(longest), longest);
    if distance <= (upper + lower) * 1e-9 {
        return Triangle { upper: [0.0, 1.0], lower: [0.0, -1.0], distance: 0.0 };
    }
    let along = ((distance * distance + (upper - lower) * (upper + lower)) / (2.0 * distance)).clamp(-upper, upper);
    let aside = ((upper - along) * (upper + along)).max(0.0).sqrt();
    Triangle {
        upper: [(along / upper) as f32, (aside / upper) as f32],
        lower: [((distance - along) / lower) as f32, (-aside / lower) as f32],
        distance: distance as f32,
    }
}

/// Eases a distance out before it comes to the longest one: the same value and slope where the easing begins, and the
/// longest distance only at infinity.
fn soften(wanted: f64, longest: f64, softness: f32) -> f64 {
    let ease = longest * f64::from(if softness > 0.0 { softness.min(0.5) } else { 0.0 });
    let beyond = wanted - (longest - ease);
    if ease <= 0.0 || beyond <= 0.0 {
        return wanted;
    }
    // A hyperbola has the wanted shape, and needs no exponential.
    longest - ease * ease / (ease + beyond)
}

/// The length, of vectors whose squares leave the range of `f32` too.
fn length(vector: Vec3A) -> f32 {
    Vec3::from(vector).as_dvec3().length() as f32
}

/// The sine of about a twentieth of a degree: below it, rounding has too much of a say in a direction.
const LEAST: f32 = 1e-3;

/// The part of a vector of any length that is square to a unit vector, of unit length; none where too little of it is left.
#[inline]
fn square_to(vector: Vec3A, unit: Vec3A) -> Option<Vec3A> {
    let part = vector - unit * vector.dot(unit);
    let (whole, left) = (vector.length_squared(), part.length_squared());
    if ORDINARY.contains(&whole) && left > 0.01 * whole {
        return Some(part / left.sqrt());
    }
    little_square_to(direction_of(vector)?, unit)
}

/// The same of a unit vector, for one of which little is left.
#[cold]
fn little_square_to(vector: Vec3A, unit: Vec3A) -> Option<Vec3A> {
    let part = vector - unit * vector.dot(unit);
    let length = part.length();
    if length > LEAST {
        // Once more, because what was left is small.
        let part = part / length;
        (part - unit * part.dot(unit)).try_normalize()
    } else {
        None
    }
}

/// The rotation that takes a bone and its hinge to a new bone and a new, perpendicular hinge. All but the old hinge
/// have unit length.
#[inline]
fn turn_between(bone: Vec3A, hinge: Vec3A, new_bone: Vec3A, new_hinge: Vec3A) -> Quat {
    let real = 1.0 + bone.dot(new_bone);
    if !(real > 0.5) {
        return turn_back_between(bone, hinge, new_bone, new_hinge);
    }
    // First the shortest turn of the bone, which takes the hinge along, then one about the bone. The hinge is square to the bone,
    // but for what a limb that is not quite flat makes of it: what is not square to it has no part in sine and cosine. Both are
    // those times `real`, which saves a division.
    let both = bone + new_bone;
    let carried = hinge * real - bone * both.dot(hinge);
    let (cosine, sine) = (carried.dot(new_hinge), carried.dot(new_hinge.cross(new_bone)));
    let squared = cosine * cosine + sine * sine;
    let [about_real, about] = if squared > LEAST * LEAST * (real * real) * hinge.length_squared() {
        half_angle(squared.sqrt(), cosine, sine)
    } else {
        [1.0, 0.0]
    };
    // The product of both, the axis of the first being square to the bone.
    let turn = (bone.cross(new_bone) * about_real + both * about).extend(real * about_real);
    Quat::from_vec4(turn * turn.length_recip())
}

/// The same for a bone that is nearly reversed.
#[cold]
fn turn_back_between(bone: Vec3A, hinge: Vec3A, new_bone: Vec3A, new_hinge: Vec3A) -> Quat {
    let swing = swing_back(bone, hinge, new_bone);
    let carried = swing * hinge;
    let (cosine, sine) = (carried.dot(new_hinge), carried.cross(new_hinge).dot(new_bone));
    let squared = cosine * cosine + sine * sine;
    if !(squared > LEAST * LEAST * carried.length_squared()) {
        return swing * swing.length_recip();
    }
    let [real, about] = half_angle(squared.sqrt(), cosine, sine);
    let turn = Quat::from_vec4((new_bone * about).extend(real)) * swing;
    turn * turn.length_recip()
}

/// The rotation of a bone that is nearly reversed. The shortest one has no reliable axis: half a turn about the hinge
/// comes first.
fn swing_back(bone: Vec3A, hinge: Vec3A, new_bone: Vec3A) -> Quat {
    let axis = square_to(hinge, bone).unwrap_or_else(|| bone.any_orthonormal_vector());
    arc(-bone, new_bone) * Quat::from_vec4(axis.extend(0.0))
}

/// Cosine and sine of half an angle, of which these are cosine and sine, all times `length`; the halves are of some other length.
#[inline]
fn half_angle(length: f32, cosine: f32, sine: f32) -> [f32; 2] {
    // The angle's half is that of the sum of its direction and the direction of no turn; or square to the difference, where that
    // is the longer one.
    if cosine >= 0.0 { [length + cosine, sine] } else { [sine.abs(), (length - cosine).copysign(sine)] }
}
