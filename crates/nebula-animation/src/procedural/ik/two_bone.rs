//! Two bones and a hinge: legs and arms, in closed form.

use glam::{Quat, Vec3};

use crate::math::trig::sin_cos;
use crate::procedural::turn::arc;

/// What the middle joint of a limb may do.
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
    /// The least bend in radians: 0 (the default) lets the limb become straight.
    pub min_bend: f32,
    /// The greatest bend in radians: π (the default) lets it fold flat.
    pub max_bend: f32,
    /// The last part of the way to full reach, as a fraction of the limb's length from 0 to 0.5, over which the limb eases
    /// out: the end falls behind the target there, and the middle joint does not snap as it becomes straight.
    ///
    /// 0 (the default) is exact: the end is on every target within reach, and the limb is straight towards every other.
    pub softness: f32,
}

impl Default for TwoBoneLimits {
    fn default() -> Self {
        Self { min_bend: 0.0, max_bend: std::f32::consts::PI, softness: 0.0 }
    }
}

/// A limb before it is bent: places and directions in one space of your choice, lengths in its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoBoneLimb {
    /// Where the limb begins: the hip, the shoulder.
    pub start: Vec3,
    /// Where it bends: the knee, the elbow.
    pub middle: Vec3,
    /// Where it ends: the ankle, the wrist.
    pub end: Vec3,
    /// The axis of the hinge, of any length: a positive turn about it bends the lower bone. It need not be square to
    /// the bones, and settles what "backwards" means: a limb that is bent against it comes out bent with it.
    pub hinge: Vec3,
}

/// How to turn the two bones, in the space of the [`TwoBoneLimb`]. Rotations are of unit length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoBoneSolution {
    /// Turns the upper bone, and with it all that hangs on it, about the start.
    pub upper_turn: Quat,
    /// Turns the lower bone from where it was before, about the middle. Not on top of `upper_turn`: instead of it.
    pub lower_turn: Quat,
    /// The new place of the middle.
    pub middle: Vec3,
    /// The new place of the end.
    pub end: Vec3,
}

/// Bends a limb so that its end comes to `target`, or as near as its bones and limits let it.
///
/// `pole` is the direction in which the middle joint points, as seen from the line between start and target. Without one,
/// or where it lies along that line, the limb keeps the plane in which it is bent.
///
/// None for a limb that cannot be bent: a bone without length, or a number that is not finite.
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
    let (upper, lower) = (limb.middle - limb.start, limb.end - limb.middle);
    let (upper_length, lower_length) = (upper.length(), lower.length());
    let to_target = target - limb.start;
    if !(upper_length > 0.0 && lower_length > 0.0 && upper_length + lower_length < 1e18 && to_target.is_finite()) {
        return None;
    }
    let (upper_way, lower_way) = (upper / upper_length, lower / lower_length);
    let hinge = plane_of(upper_way, lower_way, limb.hinge)?;

    // A target at the start has no direction: the limb keeps its own.
    let reached = (limb.end - limb.start).try_normalize().unwrap_or(upper_way);
    let towards = direction(to_target).unwrap_or(reached);
    let (along, aside, distance) = triangle(upper_length, lower_length, length(to_target), limits);

    let by_pole = pole.filter(|pole| pole.is_finite()).and_then(|pole| {
        let pole = direction(pole)?;
        square_to(pole, towards)
    });
    // The plane of the limb, carried along by the shortest turn to the new direction.
    let aside_way = by_pole
        .or_else(|| square_to(towards.cross(arc(reached, towards) * hinge), towards))
        .unwrap_or_else(|| towards.any_orthonormal_vector());

    let (new_upper, new_lower) =
        (towards * along + aside_way * aside, towards * (distance - along) - aside_way * aside);
    let new_hinge = aside_way.cross(towards);
    let upper_turn = turn_between(upper_way, hinge, direction(new_upper)?, new_hinge);
    let lower_turn = turn_between(lower_way, hinge, direction(new_lower)?, new_hinge);
    let end = limb.start + towards * distance;
    Some(TwoBoneSolution { upper_turn, lower_turn, middle: limb.start + new_upper, end })
}

/// The normal of the plane in which the bones lie, on the hinge's side; the hinge itself where they are straight or bent
/// the wrong way. The change from one to the other is gradual, so that a limb which straightens does not twist.
fn plane_of(upper_way: Vec3, lower_way: Vec3, hinge: Vec3) -> Option<Vec3> {
    /// The sine of the bend at which bones and hinge have an equal say.
    const NEARLY_STRAIGHT: f32 = 0.03;
    let across = upper_way.cross(lower_way);
    let hinge = direction(hinge).and_then(|hinge| square_to(hinge, upper_way));
    match hinge {
        Some(hinge) if across.dot(hinge) > 0.0 => (across + hinge * NEARLY_STRAIGHT).try_normalize(),
        Some(hinge) => Some(hinge),
        None => across.try_normalize().or_else(|| Some(upper_way.any_orthonormal_vector())),
    }
}

/// The triangle of the limb: how far along the line to the target and how far aside the middle is, and how far the end.
fn triangle(upper: f32, lower: f32, wanted: f32, limits: &TwoBoneLimits) -> (f32, f32, f32) {
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
        return (0.0, upper as f32, 0.0);
    }
    let along = ((distance * distance + (upper - lower) * (upper + lower)) / (2.0 * distance)).clamp(-upper, upper);
    let aside = ((upper - along) * (upper + along)).max(0.0).sqrt();
    (along as f32, aside as f32, distance as f32)
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

/// The unit vector, of vectors of any finite length.
pub(crate) fn direction(vector: Vec3) -> Option<Vec3> {
    vector.try_normalize().or_else(|| {
        let largest = vector.abs().max_element();
        if largest > 0.0 && largest.is_finite() { (vector / largest).try_normalize() } else { None }
    })
}

/// The length, of vectors whose squares leave the range of `f32` too.
fn length(vector: Vec3) -> f32 {
    vector.as_dvec3().length() as f32
}

/// The part of `vector` that is square to a unit vector, of unit length; none where too little of it is left.
fn square_to(vector: Vec3, unit: Vec3) -> Option<Vec3> {
    /// About a twentieth of a degree: below it, rounding has too much of a say in the direction.
    const LEAST: f32 = 1e-3;
    let part = vector - unit * vector.dot(unit);
    let length = part.length();
    if length > 0.1 {
        Some(part / length)
    } else if length > LEAST {
        // Once more, because what was left is small.
        let part = part / length;
        (part - unit * part.dot(unit)).try_normalize()
    } else {
        None
    }
}

/// The turn that takes a bone and its hinge to a new bone and a new hinge, which is square to it. All have unit length.
fn turn_between(bone: Vec3, hinge: Vec3, new_bone: Vec3, new_hinge: Vec3) -> Quat {
    let swing = if bone.dot(new_bone) > -0.5 {
        arc(bone, new_bone)
    } else {
        // The shortest turn of a bone that is nearly reversed has no sure axis: half a turn about the hinge comes first.
        let axis = square_to(hinge, bone).unwrap_or_else(|| bone.any_orthonormal_vector());
        arc(-bone, new_bone) * Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0)
    };
    // The hinge is square to the bone, but for what a limb that is not quite flat makes of it.
    match square_to(swing * hinge, new_bone) {
        Some(carried) => {
            let sine = carried.cross(new_hinge).dot(new_bone);
            turn_about(new_bone, carried.dot(new_hinge), sine) * swing
        }
        None => swing,
    }
}

/// The turn about a unit vector by an angle of this cosine and sine.
fn turn_about(axis: Vec3, cosine: f32, sine: f32) -> Quat {
    // Half angles, from the larger of the two so that nothing is divided by a small number.
    let (real, imaginary) = if cosine >= 0.0 {
        let real = (0.5 + 0.5 * cosine).sqrt();
        (real, 0.5 * sine / real)
    } else {
        let imaginary = (0.5 - 0.5 * cosine).sqrt().copysign(sine);
        (0.5 * sine / imaginary, imaginary)
    };
    let scale = (real * real + imaginary * imaginary).sqrt().recip();
    let part = axis * (imaginary * scale);
    Quat::from_xyzw(part.x, part.y, part.z, real * scale)
}
