//! Gazes of characters side by side: where eyes are and look, and turning heads that come to no limit.

use std::f32::consts::PI;

use glam::Vec3A;

use super::look::{Follow, Looks};
use super::math::{
    Odd, Turn, Vector, add, arc, dot, length_squared_of, load, part_of, product, quotient, rotated, rotated_back,
    scale, set, splat, store, sub, unit, vector_of,
};
use super::table::{PlacedLanes, Table};
use super::{Member, Outcome, place_above};
use crate::math::isa::Isa;
use crate::math::lanes::{Kernel, Lanes, dispatch};
use crate::procedural::AimLayer;
use crate::procedural::aim::{AimJoint, Cone, Look};
use crate::rig::block::{Component, LANES};
use crate::rig::{Link, Rig};

/// Numbers of a gaze, in lanes.
#[derive(Debug, Default)]
pub(super) struct Gaze {
    /// The joints of the chain and of the eyes, and what belongs to them: the same for all.
    chain: Vec<AimJoint>,
    eyeballs: Vec<AimJoint>,
    cones: Vec<Cone>,
    /// Where eyes are in the space of the last joint.
    in_head: [Component; 3],
    /// Where eyes are, and where they look, of any length.
    eye: [Component; 3],
    way: [Component; 3],
    /// What faces and eyes are to look at.
    of_face: [Component; 3],
    of_eyes: [Component; 3],
    odd: Component,
    looks: Looks,
}

/// Lets the gazes of some characters, the layers with this index, follow their targets and turn heads.
pub(super) fn apply(
    members: &mut [Member<'_, '_>],
    index: usize,
    table: &mut Table,
    gaze: &mut Gaze,
) -> [Outcome; LANES] {
    let mut outcomes = [Outcome::Odd; LANES];
    let (isa, rig) = (Isa::best(), members[0].pose.rig());
    if !gaze.take_shape(members, index) {
        return outcomes;
    }
    let Some(last) = gaze.chain.last().map(|last| last.joint) else { return outcomes };
    table.fetch(members, rig.links(), last);
    for eyeball in &gaze.eyeballs {
        table.fetch(members, rig.links(), eyeball.joint);
    }
    if table.is_all_odd() {
        return [Outcome::Odd; LANES];
    }
    dispatch(isa, Find { table, rig, last, gaze });
    look(members, index, table, gaze, &mut outcomes);
    dispatch(isa, Solve { table, rig, gaze });
    for (number, member) in members.iter_mut().enumerate() {
        if outcomes[number] != Outcome::Turns {
            // The table has it turned to somewhere.
            table.is_stale = true;
            continue;
        }
        outcomes[number] = Outcome::Done;
        if gaze.odd[number] == 0.0 && table.odd[number] == 0.0 {
            for joint in gaze.chain.iter().chain(&gaze.eyeballs) {
                member.pose.put_rotation(joint.joint, table.local_rotation(joint.joint, number));
            }
            continue;
        }
        // Where a joint comes to its limit, or has to turn round, one character after the other.
        let Some((layer, _, pose)) = member.layer::<AimLayer>(index) else { continue };
        pose.begin_layer(1.0);
        layer.turn(pose, vector_of(&gaze.of_face, number), vector_of(&gaze.of_eyes, number));
        if !pose.end_layer() {
            outcomes[number] = Outcome::Rejected;
        }
        table.is_stale = true;
    }
    outcomes
}

/// Lets gazes follow their targets: side by side those that go on as they did, then all others one by one.
fn look(members: &mut [Member<'_, '_>], index: usize, table: &Table, gaze: &mut Gaze, outcomes: &mut [Outcome; LANES]) {
    let (rig, count, first) = (members[0].pose.rig(), members.len(), gaze.chain[0].joint);
    let at_rest = rig.parent(first).and_then(|parent| rig.turn_at_rest(parent));
    gaze.looks.begin();
    let (mut sights, mut bodies) = ([None; LANES], [None; LANES]);
    for (number, member) in members.iter_mut().enumerate().filter(|(number, _)| table.odd[*number] == 0.0) {
        let Some((layer, context, pose)) = member.layer::<AimLayer>(index) else { continue };
        let body = table.rotation_above(rig, first, number).zip(at_rest);
        bodies[number] = body.map(|(above, at_rest)| above * at_rest.conjugate());
        sights[number] = layer.sight(pose);
        let Some(Some(target)) = sights[number].filter(|_| context.dt > 0.0) else { continue };
        let looks = &mut gaze.looks;
        if let Some(course) = layer.course(bodies[number], || looks.left_of_way(context.dt)) {
            let front = pose.world_from_model().transform_vector3(pose.front());
            looks.put(number, &course, target.to_array(), front, context.dt);
        }
    }
    if gaze.looks.is_begun()
        && let Some((layer, _, pose)) = members[0].layer::<AimLayer>(index)
    {
        let (own, part, width) = (layer.own_axes(pose), layer.part_of_chain(), table.width);
        let Gaze { looks, eye, of_face, of_eyes, .. } = gaze;
        dispatch(Isa::best(), Follow { looks, width, own, part, eye, of_face, of_eyes });
    }
    for (number, member) in members.iter_mut().enumerate().filter(|(number, _)| table.odd[*number] == 0.0) {
        let Some((layer, context, pose)) = member.layer::<AimLayer>(index) else { continue };
        if let Some((tracked, carried)) = gaze.looks.get(number) {
            layer.settle(&tracked, carried);
            outcomes[number] = Outcome::Turns;
            continue;
        }
        let eye_and_way = (vector_of(&gaze.eye, number), vector_of(&gaze.way, number));
        let look = sights[number]
            .map_or(Look::Rejected, |sight| layer.look(context, pose, sight, eye_and_way, bodies[number]));
        outcomes[number] = match look {
            Look::Nowhere => Outcome::Done,
            Look::Rejected => Outcome::Rejected,
            Look::At(of_face, of_eyes) => {
                // Lanes after the last have something to look at already.
                set(&mut gaze.of_face, number, count == 1, of_face.to_array());
                set(&mut gaze.of_eyes, number, count == 1, of_eyes.to_array());
                Outcome::Turns
            }
        };
    }
}

impl Gaze {
    /// Takes over what the layers have in common. Whether there is anything to be done.
    fn take_shape(&mut self, members: &mut [Member<'_, '_>], index: usize) -> bool {
        let last = members.len() - 1;
        for (number, member) in members.iter_mut().enumerate() {
            let Some((layer, ..)) = member.layer::<AimLayer>(index) else { return false };
            set(&mut self.in_head, number, number == last, layer.eye.to_array());
            if number == 0 {
                let (chain, eyeballs, cones) = layer.parts();
                self.chain.clear();
                self.chain.extend_from_slice(chain);
                self.eyeballs.clear();
                self.eyeballs.extend_from_slice(eyeballs);
                self.cones.clear();
                self.cones.extend_from_slice(cones);
            }
        }
        self.odd = [0.0; LANES];
        true
    }
}

/// Finds where eyes are and look.
struct Find<'a> {
    table: &'a mut Table,
    rig: &'a Rig,
    last: u16,
    gaze: &'a mut Gaze,
}

impl Kernel for Find<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { table, rig, last, gaze } = self;
        table.place::<L>(rig.links(), last);
        let [axis, _] = fronts(rig, last);
        for lane in (0..table.width).step_by(L::WIDTH) {
            let head = table.placed::<L>(last, lane);
            let (eye, way) = (head.point(load(&gaze.in_head, lane)), rotated(head.rotation, splat(axis)));
            store(eye, &mut gaze.eye, lane);
            store(way, &mut gaze.way, lane);
            // For lanes that look nowhere.
            store(add(eye, way), &mut gaze.of_face, lane);
            store(add(eye, way), &mut gaze.of_eyes, lane);
        }
    }
}

/// Turns the joints of the chain, then the eyes.
struct Solve<'a> {
    table: &'a mut Table,
    rig: &'a Rig,
    gaze: &'a mut Gaze,
}

impl Kernel for Solve<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { table, rig, gaze } = self;
        let links = rig.links();
        let Gaze { chain, eyeballs, cones, in_head, eye, way, of_face, of_eyes, odd, .. } = gaze;
        let last = chain.len() - 1;
        let mut sight = Sight { eye, way, target: of_face };
        for (index, (joint, cone)) in chain.iter().zip(&*cones).enumerate() {
            place_above::<L>(table, links, joint.joint);
            let bounds = Limits::<L>::of(rig, joint, cone);
            for lane in (0..table.width).step_by(L::WIDTH) {
                let mut strange = Odd(L::load(&odd[lane..]));
                if index < last {
                    take_share(table, links, joint.joint, &bounds, &mut sight, &mut strange, lane);
                } else {
                    aim_last(
                        table,
                        links,
                        joint.joint,
                        &bounds,
                        load(in_head, lane),
                        load(of_face, lane),
                        &mut strange,
                        lane,
                    );
                }
                strange.0.store(&mut odd[lane..]);
            }
            table.settle(links, joint.joint);
        }
        for (eyeball, cone) in eyeballs.iter().zip(&cones[chain.len()..]) {
            place_above::<L>(table, links, eyeball.joint);
            let bounds = Limits::<L>::of(rig, eyeball, cone);
            for lane in (0..table.width).step_by(L::WIDTH) {
                let mut strange = Odd(L::load(&odd[lane..]));
                aim_eyeball(table, links, eyeball.joint, &bounds, load(of_eyes, lane), &mut strange, lane);
                strange.0.store(&mut odd[lane..]);
            }
            table.settle(links, eyeball.joint);
        }
    }
}

/// Where eyes are and look while joints are turned, and what at.
struct Sight<'a> {
    eye: &'a mut [Component; 3],
    way: &'a mut [Component; 3],
    target: &'a [Component; 3],
}

/// What a joint is bound to.
struct Limits<L> {
    /// Its front in its own space, and in the parent's as the rest pose has it.
    axis: Vector<L>,
    center: Vector<L>,
    /// Of the angle between them; -2 where there is no limit.
    cosine: L,
    warp: crate::math::slerp::Warp<L>,
}

impl<L: Lanes> Limits<L> {
    #[inline(always)]
    fn of(rig: &Rig, joint: &AimJoint, cone: &Cone) -> Self {
        let [axis, center] = fronts(rig, joint.joint);
        let cosine = L::splat(if joint.limit >= PI { -2.0 } else { cone.cosine });
        Self { axis: splat(axis), center: splat(center), cosine, warp: cone.warp.in_lanes() }
    }

    /// Whether a joint with this rotation is within its limit, and the rotation a number.
    #[inline(always)]
    fn check(&self, rotation: Turn<L>, odd: &mut Odd<L>) {
        let squared = length_squared_of(rotation);
        odd.unless_above(squared, L::splat(0.5));
        odd.unless_above(L::splat(2.0), squared);
        odd.unless_above(dot(self.center, rotated(rotation, self.axis)), self.cosine);
    }
}

/// A joint takes its share of the turn that is left, and the eye goes along.
#[inline(always)]
fn take_share<L: Lanes>(
    table: &mut Table,
    links: &[Link],
    joint: u16,
    limits: &Limits<L>,
    sight: &mut Sight<'_>,
    odd: &mut Odd<L>,
    lane: usize,
) {
    let (above, local) = (table.above::<L>(links, joint, lane), table.local::<L>(joint, lane));
    let pivot = above.point(local.origin);
    let (eye, way) = (load(sight.eye, lane), load(sight.way, lane));
    let turn = arc(way, sub(load(sight.target, lane), eye), odd);
    let share = part_of(&limits.warp, turn);
    let [x, y, z] = rotated_back(above.rotation, [share[0], share[1], share[2]]);
    let after = unit(product([x, y, z, share[3]], local.rotation));
    limits.check(after, odd);
    let rotation = product(above.rotation, after);
    table.turn(joint, after, PlacedLanes { rotation, origin: pivot, scale: above.scale.mul(local.scale) }, lane);
    store(add(pivot, rotated(share, sub(eye, pivot))), sight.eye, lane);
    store(rotated(share, way), sight.way, lane);
}

/// Turns a joint so that its front, beginning at an eye that turns with it, goes through the target.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "what a kernel works on is at hand or in memory")]
fn aim_last<L: Lanes>(
    table: &mut Table,
    links: &[Link],
    joint: u16,
    limits: &Limits<L>,
    in_head: Vector<L>,
    target: Vector<L>,
    odd: &mut Odd<L>,
    lane: usize,
) {
    let (above, local) = (table.above::<L>(links, joint, lane), table.local::<L>(joint, lane));
    let (origin, size) = (above.point(local.origin), above.scale.mul(local.scale));
    let before = product(above.rotation, unit(local.rotation));
    let to_target = sub(target, origin);
    let (gaze, beside) = (rotated(before, limits.axis), scale(rotated(before, in_head), size));
    // The point of the line of sight that is as far from the joint as the target: it comes to lie on the target.
    let ahead = dot(beside, gaze);
    let squared = dot(to_target, to_target);
    let square = ahead.mul(ahead).sub(dot(beside, beside)).add(squared);
    odd.unless_above(square, L::splat(0.0));
    let line = add(beside, scale(gaze, square.sqrt().sub(ahead)));
    odd.unless_above(dot(line, to_target), squared.mul(L::splat(-0.5)));
    let rotation = product(arc(line, to_target, odd), before);
    let after = unit(quotient(above.rotation, rotation));
    limits.check(after, odd);
    table.turn(joint, after, PlacedLanes { rotation, origin, scale: size }, lane);
}

/// Turns a joint so that its front, beginning at the joint, goes through the target.
#[inline(always)]
fn aim_eyeball<L: Lanes>(
    table: &mut Table,
    links: &[Link],
    joint: u16,
    limits: &Limits<L>,
    target: Vector<L>,
    odd: &mut Odd<L>,
    lane: usize,
) {
    let (above, local) = (table.above::<L>(links, joint, lane), table.local::<L>(joint, lane));
    let origin = above.point(local.origin);
    let (current, wanted) = (rotated(local.rotation, limits.axis), rotated_back(above.rotation, sub(target, origin)));
    let after = unit(product(arc(current, wanted, odd), local.rotation));
    limits.check(after, odd);
    let rotation = product(above.rotation, after);
    table.turn(joint, after, PlacedLanes { rotation, origin, scale: above.scale.mul(local.scale) }, lane);
}

/// The front of a joint in its own space and in its parent's; no direction where there is none.
#[inline(always)]
fn fronts(rig: &Rig, joint: u16) -> [Vec3A; 2] {
    rig.fronts(joint).unwrap_or_default()
}
