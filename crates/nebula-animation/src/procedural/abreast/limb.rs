//! Limbs of characters side by side: two bones and a hinge, in the usual case that nothing is folded, straight against its hinge or turned
//! round. The same steps as those of [`solve_two_bone`](crate::procedural::ik::solve_two_bone).

use std::f32::consts::PI;

use glam::Vec3A;

use super::math::{
    Odd, Turn, Vector, add, cross, dot, length_squared_of, load, product, quotient, rotated, scale, set, store, sub,
    unit,
};
use super::table::{PlacedLanes, Table};
use super::{Member, Outcome, place_above};
use crate::math::isa::Isa;
use crate::math::lanes::{Kernel, Lanes, dispatch};
use crate::math::trig::sin_cos;
use crate::procedural::ik::{TwoBoneIk, TwoBoneLimits};
use crate::rig::Rig;
use crate::rig::block::{Component, LANES};

/// What limbs are to do, in lanes.
#[derive(Debug, Default)]
pub(super) struct Limbs {
    target: [Component; 3],
    /// Where middle joints are to point at.
    pole: [Component; 3],
    hinge: [Component; 3],
    /// Cosine and sine of half the least and of half the greatest bend, and the softness.
    limits: [Component; 5],
    /// How the middle joints come to lie, and where.
    rotation: [Component; 4],
    origin: [Component; 3],
    odd: Component,
}

/// Bends the limbs of some characters, by their layers with this index.
pub(super) fn apply(
    members: &mut [Member<'_, '_>],
    index: usize,
    table: &mut Table,
    limbs: &mut Limbs,
) -> [Outcome; LANES] {
    let mut outcomes = [Outcome::Odd; LANES];
    let rig = members[0].pose.rig();
    let Some((layer, ..)) = members[0].layer::<TwoBoneIk>(index) else { return outcomes };
    let (joints, has_pole) = (layer.joints, layer.pole.is_some());
    let last = members.len() - 1;
    for (number, member) in members.iter_mut().enumerate() {
        let (Some((layer, _, pose)), is_last) = (member.layer::<TwoBoneIk>(index), number == last) else { continue };
        let goal = layer.goal(pose);
        outcomes[number] = match goal {
            Some(Some(_)) => Outcome::Turns,
            Some(None) => Outcome::Done,
            None => Outcome::Odd,
        };
        let pole = layer.pole.map_or(Vec3A::ZERO, |pole| pose.model_from_world().transform_point3a(pole.into()));
        set(&mut limbs.target, number, is_last, goal.flatten().unwrap_or_default().to_array());
        if has_pole {
            set(&mut limbs.pole, number, is_last, pole.to_array());
        }
        set(&mut limbs.hinge, number, is_last, layer.hinge.to_array());
        set(&mut limbs.limits, number, is_last, numbers_of(&layer.limits));
    }
    limbs.odd = [0.0; LANES];
    for joint in joints {
        table.fetch(members, rig.links(), joint);
    }
    if table.is_all_odd() {
        return [Outcome::Odd; LANES];
    }
    dispatch(Isa::best(), Bend { table, rig, joints, has_pole, limbs });
    for (number, member) in members.iter_mut().enumerate() {
        let is_bent = outcomes[number] == Outcome::Turns && limbs.odd[number] == 0.0 && table.odd[number] == 0.0;
        if is_bent {
            for joint in [joints[0], joints[1]] {
                member.pose.put_rotation(joint, table.local_rotation(joint, number));
            }
            outcomes[number] = Outcome::Done;
        } else {
            // The table has them bent.
            table.is_stale = true;
            if outcomes[number] == Outcome::Turns {
                outcomes[number] = Outcome::Odd;
            }
        }
    }
    outcomes
}

/// Cosine and sine of half the least and of half the greatest bend, and the softness.
fn numbers_of(limits: &TwoBoneLimits) -> [f32; 5] {
    let half = |bend: f32| sin_cos(bend.clamp(0.0, PI) * 0.5);
    let (least_sine, least_cosine) = if limits.min_bend > 0.0 { half(limits.min_bend) } else { (0.0, 1.0) };
    let (most_sine, most_cosine) = if limits.max_bend < PI { half(limits.max_bend) } else { (1.0, 0.0) };
    let softness = if limits.softness > 0.0 { limits.softness.min(0.5) } else { 0.0 };
    [least_cosine, least_sine, most_cosine, most_sine, softness]
}

/// Bends limbs.
struct Bend<'a> {
    table: &'a mut Table,
    rig: &'a Rig,
    joints: [u16; 3],
    has_pole: bool,
    limbs: &'a mut Limbs,
}

impl Kernel for Bend<'_> {
    type Output = ();
    const NEEDS_REGISTERS: bool = true;
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { table, rig, joints: [start, middle, end], has_pole, limbs } = self;
        let links = rig.links();
        table.place::<L>(links, start);
        table.place::<L>(links, middle);
        place_above::<L>(table, links, end);
        for lane in (0..table.width).step_by(L::WIDTH) {
            let mut odd = Odd(L::load(&limbs.odd[lane..]));
            let (upper, lower) = (table.placed::<L>(start, lane), table.placed::<L>(middle, lane));
            let bones = Bones {
                start: upper.origin,
                middle: lower.origin,
                end: table.above::<L>(links, end, lane).point(table.local::<L>(end, lane).origin),
                hinge: rotated(lower.rotation, load(&limbs.hinge, lane)),
            };
            let pole = has_pole.then_some(sub(load(&limbs.pole, lane), upper.origin));
            let bent = bones.solve(load(&limbs.target, lane), pole, load(&limbs.limits, lane), &mut odd);
            let rotation = product(bent.upper_turn, upper.rotation);
            let local = unit(quotient(table.above::<L>(links, start, lane).rotation, rotation));
            check(local, &mut odd);
            table.turn(start, local, PlacedLanes { rotation, ..upper }, lane);
            store(product(bent.lower_turn, lower.rotation), &mut limbs.rotation, lane);
            store(bent.middle, &mut limbs.origin, lane);
            odd.0.store(&mut limbs.odd[lane..]);
        }
        table.settle(links, start);
        place_above::<L>(table, links, middle);
        for lane in (0..table.width).step_by(L::WIDTH) {
            let mut odd = Odd(L::load(&limbs.odd[lane..]));
            let above = table.above::<L>(links, middle, lane);
            let rotation = load(&limbs.rotation, lane);
            let local = unit(quotient(above.rotation, rotation));
            check(local, &mut odd);
            let size = above.scale.mul(table.local::<L>(middle, lane).scale);
            let placed = PlacedLanes { rotation, origin: load(&limbs.origin, lane), scale: size };
            table.turn(middle, local, placed, lane);
            odd.0.store(&mut limbs.odd[lane..]);
        }
        table.settle(links, middle);
    }
}

/// Whether a rotation is one.
#[inline(always)]
fn check<L: Lanes>(rotation: Turn<L>, odd: &mut Odd<L>) {
    let squared = length_squared_of(rotation);
    odd.unless_above(squared, L::splat(0.5));
    odd.unless_above(L::splat(2.0), squared);
}

/// Limbs before they are bent.
struct Bones<L> {
    start: Vector<L>,
    middle: Vector<L>,
    end: Vector<L>,
    hinge: Vector<L>,
}

/// How to turn the bones.
struct Bent<L> {
    upper_turn: Turn<L>,
    lower_turn: Turn<L>,
    middle: Vector<L>,
}

/// The sine of about a twentieth of a degree: below it, rounding has too much of a say in a direction.
const LEAST: f32 = 1e-3;

impl<L: Lanes> Bones<L> {
    #[inline(always)]
    fn solve(&self, target: Vector<L>, pole: Option<Vector<L>>, limits: [L; 5], odd: &mut Odd<L>) -> Bent<L> {
        let Self { start, middle, end, hinge } = *self;
        let one = L::splat(1.0);
        let (upper, lower) = (sub(middle, start), sub(end, middle));
        let (upper_length, lower_length) = (dot(upper, upper).sqrt(), dot(lower, lower).sqrt());
        let (upper_way, lower_way) = (scale(upper, one.div(upper_length)), scale(lower, one.div(lower_length)));
        let to_target = sub(target, start);
        let squared = dot(to_target, to_target);
        for length in [upper_length, lower_length] {
            odd.unless_above(length, L::splat(1e-12));
            odd.unless_above(L::splat(1e12), length);
        }
        odd.unless_above(squared, L::splat(1e-24));
        odd.unless_above(L::splat(1e24), squared);
        let wanted = squared.sqrt();
        let towards = scale(to_target, one.div(wanted));
        let hinge = plane_of(upper_way, lower_way, hinge, odd);
        let shape = triangle(upper_length, lower_length, wanted, limits, odd);
        let aside_way = match pole {
            Some(pole) => square_to(pole, towards, odd),
            None => {
                let reached = sub(end, start);
                let length_squared = dot(reached, reached);
                odd.unless_above(length_squared, L::splat(1e-24));
                aside_of(scale(reached, one.div(length_squared.sqrt())), towards, hinge, odd)
            }
        };
        let new_upper = add(scale(towards, shape.upper[0]), scale(aside_way, shape.upper[1]));
        let new_lower = add(scale(towards, shape.lower[0]), scale(aside_way, shape.lower[1]));
        let new_hinge = cross(aside_way, towards);
        Bent {
            upper_turn: turn_between(upper_way, hinge, new_upper, new_hinge, odd),
            lower_turn: turn_between(lower_way, hinge, new_lower, new_hinge, odd),
            middle: add(start, scale(new_upper, upper_length)),
        }
    }
}

/// The normal of the plane in which the bones lie, on the hinge's side; see `ik/two_bone`.
#[inline(always)]
fn plane_of<L: Lanes>(upper_way: Vector<L>, lower_way: Vector<L>, hinge: Vector<L>, odd: &mut Odd<L>) -> Vector<L> {
    const NEARLY_STRAIGHT: f32 = 0.03;
    let across = cross(upper_way, lower_way);
    let hinge = square_to(hinge, upper_way, odd);
    let (side, both) = (dot(across, hinge), add(across, scale(hinge, L::splat(NEARLY_STRAIGHT))));
    let mut plane = hinge;
    for (plane, both) in plane.iter_mut().zip(both) {
        *plane = side.select_above(L::splat(0.0), both, *plane);
    }
    plane
}

/// The part of a vector that is square to a unit vector, of unit length.
#[inline(always)]
fn square_to<L: Lanes>(vector: Vector<L>, unit: Vector<L>, odd: &mut Odd<L>) -> Vector<L> {
    let part = sub(vector, scale(unit, dot(vector, unit)));
    let (whole, left) = (dot(vector, vector), dot(part, part));
    odd.unless_above(whole, L::splat(1e-24));
    odd.unless_above(L::splat(1e24), whole);
    odd.unless_above(left, whole.mul(L::splat(0.01)));
    scale(part, L::splat(1.0).div(left.sqrt()))
}

/// The side to which a limb bends whose hinge goes along as it turns by the shortest way.
#[inline(always)]
fn aside_of<L: Lanes>(from: Vector<L>, to: Vector<L>, hinge: Vector<L>, odd: &mut Odd<L>) -> Vector<L> {
    let real = L::splat(1.0).add(dot(from, to));
    odd.unless_above(real, L::splat(0.1));
    let aside = cross(to, sub(scale(hinge, real), scale(from, dot(add(from, to), hinge))));
    let length_squared = dot(aside, aside);
    odd.unless_above(length_squared, L::splat(0.01).mul(real.mul(real)).mul(dot(hinge, hinge)));
    odd.unless_above(length_squared, L::splat(1e-24));
    scale(aside, L::splat(1.0).div(length_squared.sqrt()))
}

/// How far bones go along the line to the target, and how far aside: parts of their lengths.
struct Triangle<L> {
    upper: [L; 2],
    lower: [L; 2],
}

#[inline(always)]
fn triangle<L: Lanes>(upper: L, lower: L, wanted: L, limits: [L; 5], odd: &mut Odd<L>) -> Triangle<L> {
    let [least_cosine, least_sine, most_cosine, most_sine, softness] = limits;
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let (sum, apart) = (upper.add(lower), upper.sub(lower));
    // With a cosine of 1 and a sine of 0 the sum, to the bit, and the other way round the difference.
    let long = sum.mul(sum).mul(least_cosine.mul(least_cosine));
    let longest = long.add(apart.mul(apart).mul(least_sine.mul(least_sine))).sqrt();
    let short = sum.mul(sum).mul(most_cosine.mul(most_cosine));
    let shortest = short.add(apart.mul(apart).mul(most_sine.mul(most_sine))).sqrt();
    let ease = longest.mul(softness);
    let beyond = wanted.sub(longest.sub(ease));
    let eased = longest.sub(ease.mul(ease).div(ease.add(beyond)));
    let distance = ease.select_above(zero, beyond.select_above(zero, eased, wanted), wanted);
    let shortest = shortest.select_above(longest, longest, shortest);
    let distance = distance.select_above(shortest, distance, shortest);
    let distance = distance.select_above(longest, longest, distance);
    odd.unless_above(distance, sum.mul(L::splat(1e-4)));
    let half = one.div(distance.add(distance));
    let along = distance.mul(distance).add(apart.mul(sum)).mul(half);
    // The height by Heron's formula, in an order in which nothing is lost of small differences.
    let narrow = lower.sub(distance.sub(upper)).mul(sum.add(distance));
    let wide = distance.sub(apart).mul(distance.add(apart));
    let squared = narrow.mul(wide);
    let height = squared.select_above(zero, squared, zero).sqrt().mul(half);
    // At full length there is none, whatever rounding has left.
    let aside = sum.select_above(distance, height, zero);
    let (per_upper, per_lower) = (one.div(upper), one.div(lower));
    Triangle {
        upper: [along.mul(per_upper), aside.mul(per_upper)],
        lower: [distance.sub(along).mul(per_lower), zero.sub(aside.mul(per_lower))],
    }
}

/// The turn that takes a bone and its hinge to a new bone and a new hinge, which is square to it.
#[inline(always)]
fn turn_between<L: Lanes>(
    bone: Vector<L>,
    hinge: Vector<L>,
    new_bone: Vector<L>,
    new_hinge: Vector<L>,
    odd: &mut Odd<L>,
) -> Turn<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let real = one.add(dot(bone, new_bone));
    odd.unless_above(real, L::splat(0.5));
    let both = add(bone, new_bone);
    let carried = sub(scale(hinge, real), scale(bone, dot(both, hinge)));
    let (cosine, sine) = (dot(carried, new_hinge), dot(carried, cross(new_hinge, new_bone)));
    let squared = cosine.mul(cosine).add(sine.mul(sine));
    odd.unless_above(squared, L::splat(LEAST * LEAST).mul(real.mul(real)).mul(dot(hinge, hinge)));
    let length = squared.sqrt();
    // Half of the angle, as `ik/two_bone` finds it.
    let (ahead, back) = (length.add(cosine), length.sub(cosine));
    let about_real = zero.select_above(cosine, sine.copy_sign_flip(sine), ahead);
    let about = zero.select_above(cosine, back.copy_sign_flip(sine), sine);
    let [x, y, z] = add(scale(cross(bone, new_bone), about_real), scale(both, about));
    let turn = [x, y, z, real.mul(about_real)];
    scale(turn, one.div(length_squared_of(turn).sqrt()))
}
