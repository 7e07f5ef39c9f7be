//! What gazes follow, side by side, where they go on as they did: the steps of `aim/tracker`, with the same bits. Who begins, has lost its
//! target, or comes to the limits of a neck is left to that.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec2, Vec3, Vec3A};

use super::math::{Odd, Vector, add, dot, load, scale, splat, store, sub};
use super::plane::{Axes, Point, absolute, choose, clamped, divided, dot2, greatest, least, length, most};
use crate::math::lanes::{Kernel, Lanes};
use crate::math::trig::{atan2_of, decay_of};
use crate::procedural::aim::Course;
use crate::procedural::aim::axes::left_of_way;
use crate::procedural::aim::tracker::{
    AT_EASE, BRAKES, EASE_RATE, KEPT, LONGEST, ON_THE_WAY, SETTLED, Tracked, steps_of,
};
use crate::rig::block::{Component, LANES};

/// Numbers of what is followed: eight at a time of each member, to be turned over into lanes.
#[derive(Debug, Default)]
pub(super) struct Looks {
    /// By what they are, then by member.
    rows: [[Component; LANES]; GROUPS],
    /// The same, then by number.
    lanes: [[Component; LANES]; GROUPS],
    /// Whether axes of anybody are turned.
    has_turned: bool,
    /// Whether members are not on the usual course.
    odd: Component,
    carried: [Option<Quat>; LANES],
    pace: Pace,
}

/// A frame, what it leaves of the way back to axes, and how many small steps it has: mostly the same for all.
#[derive(Debug, Default, Clone, Copy)]
struct Pace {
    dt: f32,
    left_of_way: f32,
    steps: f32,
}

/// Where gazes are on their way: two numbers each for place, speed, goal and speed of the goal.
const GAZE: usize = 0;
/// The target, the front seen from above, one by the distance, the heading, seconds of the frame.
const GIVEN: usize = 1;
/// How axes were turned, and how they are.
const TURNS: usize = 2;
/// Limit, hysteresis, seconds to follow in, greatest speed and acceleration; small steps; whether axes are turned, and whether a member is here
/// at all: 1 or 0.
const BOUNDS: usize = 3;
const GROUPS: usize = 4;
/// Places in these groups.
const NEAR: usize = 5;
const HEADING: usize = 6;
const IS_HERE: usize = 7;

impl Looks {
    /// Nobody looks at anything yet.
    pub fn begin(&mut self) {
        self.rows[BOUNDS].iter_mut().for_each(|row| row[IS_HERE] = 0.0);
        self.has_turned = false;
    }

    /// Whether anybody does.
    pub fn is_begun(&self) -> bool {
        self.rows[BOUNDS].iter().any(|row| row[IS_HERE] > 0.0)
    }

    /// Takes a member in.
    pub fn put(&mut self, number: usize, course: &Course, [x, y, z]: [f32; 3], front: Vec3, dt: f32) {
        let Course { tracked, carried, turns, bounds: [limit, hysteresis, seconds, fastest, push] } = *course;
        let Tracked { at, speed, goal, goal_speed, near, heading } = tracked;
        self.rows[GAZE][number] = [at.x, at.y, speed.x, speed.y, goal.x, goal.y, goal_speed.x, goal_speed.y];
        self.rows[GIVEN][number] = [x, y, z, front.x, front.z, near, heading, dt];
        if let Some([before, now]) = turns {
            let ([a, b, c, d], [x, y, z, w]) = (before.to_array(), now.to_array());
            self.rows[TURNS][number] = [a, b, c, d, x, y, z, w];
            self.has_turned = true;
        }
        let (steps, is_turned) = (self.pace(dt).steps, f32::from(turns.is_some()));
        self.rows[BOUNDS][number] = [limit, hysteresis, seconds, fastest, push, steps, is_turned, 1.0];
        self.carried[number] = carried;
    }

    /// What a frame leaves of the way back to axes.
    pub fn left_of_way(&mut self, dt: f32) -> f32 {
        self.pace(dt).left_of_way
    }

    fn pace(&mut self, dt: f32) -> Pace {
        if self.pace.dt != dt {
            self.pace = Pace { dt, left_of_way: left_of_way(dt), steps: steps_of(dt.min(LONGEST)) };
        }
        self.pace
    }

    /// What has become of a member, if it was on the usual course.
    pub fn get(&self, number: usize) -> Option<(Tracked, Option<Quat>)> {
        let [a, b, c, d, e, f, g, h] = self.rows[GAZE][number];
        let [at, speed, goal, goal_speed] = [Vec2::new(a, b), Vec2::new(c, d), Vec2::new(e, f), Vec2::new(g, h)];
        let [near, heading] = [NEAR, HEADING].map(|index| self.lanes[GIVEN][index][number]);
        let is_usual = self.rows[BOUNDS][number][IS_HERE] > 0.0 && self.odd[number] == 0.0;
        is_usual.then_some((Tracked { at, speed, goal, goal_speed, near, heading }, self.carried[number]))
    }
}

/// Follows targets for a frame.
pub(super) struct Follow<'a> {
    pub looks: &'a mut Looks,
    /// How many lanes there are characters in.
    pub width: usize,
    /// Front, left and up of the model.
    pub own: [Vec3A; 3],
    /// How much of the way from the front to the target is the chain's.
    pub part: f32,
    pub eye: &'a [Component; 3],
    /// Points to look at, of those who are on the usual course.
    pub of_face: &'a mut [Component; 3],
    pub of_eyes: &'a mut [Component; 3],
}

impl Kernel for Follow<'_> {
    type Output = ();
    const NEEDS_REGISTERS: bool = true;
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { looks, width, own, part, eye, of_face, of_eyes } = self;
        let own = Axes { front: splat(own[0]), left: splat(own[1]), up: splat(own[2]) };
        let Looks { rows, lanes, has_turned, odd: odds, .. } = looks;
        for (rows, lanes) in rows.iter().zip(&mut *lanes) {
            L::transpose(rows.each_ref(), &mut lanes.each_mut());
        }
        let [kept, given, turns, bounds] = lanes;
        for lane in (0..width).step_by(L::WIDTH) {
            let mut odd = Odd(L::splat(0.0));
            let [a, b, c, d, e, f, g, h] = load::<L, 8>(kept, lane);
            let mut gaze = Gaze { at: [a, b], speed: [c, d], goal: [e, f], goal_speed: [g, h] };
            let [x, y, z, aside, ahead, near, heading, dt] = load::<L, 8>(given, lane);
            let [limit, hysteresis, follow_secs, fastest, push, steps, is_turned, is_here] = load::<L, 8>(bounds, lane);
            let mut axes = own;
            if *has_turned {
                let [a, b, c, d, x, y, z, w] = load::<L, 8>(turns, lane);
                axes = own.turned([x, y, z, w]);
                gaze.change_axes(&own.turned([a, b, c, d]), &axes, limit, is_turned, &mut odd);
                axes = axes.or(&own, is_turned);
            }
            let new_heading = atan2_of(aside, ahead);
            let turned = absolute(new_heading.sub(heading));
            odd.unless_above(L::splat(1e3), turned);
            let max_speed = beside_turning(fastest, turned, dt);
            let bounds = Bounds { limit, hysteresis, follow_secs, max_speed, max_acceleration: push, steps };
            let eye = load(eye, lane);
            let to_target = sub([x, y, z], eye);
            let squared = dot(to_target, to_target);
            odd.unless_above(squared, L::splat(1e-24));
            odd.unless_above(L::splat(1e24), squared);
            gaze.follow(&bounds, &axes, to_target, dt, &mut odd);
            let target_near = L::splat(1.0).div(most(squared.sqrt(), L::splat(1e-6)));
            let left = decay_of(L::splat(SETTLED).div(follow_secs).mul(dt));
            odd.unless_above(near, L::splat(0.0));
            let near = target_near.add(near.sub(target_near).mul(left));
            let on_the_way = L::splat(ON_THE_WAY).mul(dot2(gaze.speed, gaze.speed));
            let distance = L::splat(1.0).add(on_the_way).div(near);
            odd.unless_above(L::splat(1e12), distance);
            let face = axes.direction(scale(gaze.at, L::splat(part)), &mut odd);
            let eyes = axes.direction(gaze.at, &mut odd);
            for (out, way) in [(&mut *of_face, face), (&mut *of_eyes, eyes)] {
                let (old, new) = (load::<L, 3>(out, lane), add(eye, scale(way, distance)));
                store(choose(is_here, odd.0, new, old), out, lane);
            }
            let Gaze { at: [a, b], speed: [c, d], goal: [e, f], goal_speed: [g, h] } = gaze;
            store([a, b, c, d, e, f, g, h], kept, lane);
            near.store(&mut given[NEAR][lane..]);
            new_heading.store(&mut given[HEADING][lane..]);
            odd.0.store(&mut odds[lane..]);
        }
        L::transpose(lanes[GAZE].each_ref(), &mut rows[GAZE].each_mut());
    }
}

/// How far and how fast to follow.
struct Bounds<L> {
    limit: L,
    hysteresis: L,
    follow_secs: L,
    max_speed: L,
    max_acceleration: L,
    /// How many small steps a frame has.
    steps: L,
}

/// How fast gazes may be beside entities that have turned.
#[inline(always)]
fn beside_turning<L: Lanes>(fastest: L, turned: L, dt: L) -> L {
    let turning = least(turned, L::splat(TAU).sub(turned)).div(dt);
    least(most(L::splat(1.3).mul(fastest).sub(turning), L::splat(0.5).mul(fastest)), fastest)
}

impl<L: Lanes> Bounds<L> {
    /// Where to look for targets at points of the plane.
    #[inline(always)]
    fn within(&self, wanted: Point<L>) -> Point<L> {
        let (zero, one, half_turn) = (L::splat(0.0), L::splat(1.0), L::splat(PI));
        let (limit, angle) = (self.limit, length(wanted));
        let end = most(half_turn.sub(self.hysteresis), L::splat(0.5).mul(limit.add(half_turn)));
        let t = angle.sub(limit).div(end.sub(limit));
        let t = least(most(t, zero), one);
        let let_go = t.mul(t).mul(L::splat(3.0).sub(L::splat(2.0).mul(t)));
        let factor = limit.mul(one.sub(L::splat(1.0 - KEPT).mul(let_go))).div(angle);
        let [x, y] = scale(wanted, factor);
        choose(angle, limit, [x, y.mul(one.sub(let_go))], wanted)
    }
}

/// Where gazes are on their way.
struct Gaze<L> {
    at: Point<L>,
    speed: Point<L>,
    goal: Point<L>,
    goal_speed: Point<L>,
}

impl<L: Lanes> Gaze<L> {
    /// Says the same in other axes, where they have changed.
    #[inline(always)]
    fn change_axes(&mut self, before: &Axes<L>, axes: &Axes<L>, limit: L, is_turned: L, odd: &mut Odd<L>) {
        let zero = L::splat(0.0);
        let furthest = most(limit, length(self.at));
        // What is odd about axes that others do not have does not count.
        let mut strange = Odd(zero);
        let at = clamped(axes.point_of(before, self.at, &mut strange), furthest);
        let goal = axes.point_of(before, self.goal, &mut strange);
        self.at = choose(is_turned, zero, at, self.at);
        self.goal = choose(is_turned, zero, goal, self.goal);
        odd.0 = odd.0.add(strange.0.mul(is_turned));
    }

    #[inline(always)]
    fn follow(&mut self, bounds: &Bounds<L>, axes: &Axes<L>, to_target: Vector<L>, dt: L, odd: &mut Odd<L>) {
        let (nearer, farther, angle) = axes.points(to_target, odd);
        let goal = {
            // On the side that they were on, up to the hysteresis: beyond it, the limit is no longer above.
            let side = choose(dot2(farther, self.goal), dot2(nearer, self.goal), farther, nearer);
            let beyond = L::splat(TAU).sub(angle);
            bounds.within(choose(beyond, L::splat(PI).add(bounds.hysteresis), nearer, side))
        };
        let goal = {
            let beside = sub(self.goal, goal);
            let ease = L::splat(AT_EASE);
            let eased = add(goal, clamped(scale(beside, decay_of(L::splat(EASE_RATE).mul(dt))), ease));
            choose(length(beside), bounds.max_speed.mul(dt).add(ease), goal, eased)
        };
        let before = self.at;
        let slope = divided(sub(goal, self.goal), dt);
        let ride = self.ride(slope, bounds, dt);
        (self.goal, self.goal_speed) = (goal, ride);
        self.approach(bounds, dt);
        self.at = clamped(self.at, most(bounds.limit, length(before)));
    }

    /// How fast to go along with goals that move.
    #[inline(always)]
    fn ride(&mut self, slope: Point<L>, bounds: &Bounds<L>, dt: L) -> Point<L> {
        let half = L::splat(0.5).mul(bounds.max_speed);
        let (speed, two) = (length(slope), L::splat(2.0));
        let fast = scale(slope, two.sub(speed.div(half)));
        let ride = choose(speed, half, fast, slope);
        let ride = choose(two.mul(half), speed, ride, scale(self.goal_speed, L::splat(0.5)));
        let change = clamped(sub(ride, self.goal_speed), bounds.max_acceleration.mul(dt));
        self.speed = add(self.speed, change);
        ride
    }

    /// Goes on in closed form; in small steps where speed or acceleration could come to their limits.
    #[inline(always)]
    fn approach(&mut self, bounds: &Bounds<L>, dt: L) {
        let (zero, one, half) = (L::splat(0.0), L::splat(1.0), L::splat(0.5));
        let (fastest, push) = (bounds.max_speed, bounds.max_acceleration);
        let rate = least(L::splat(SETTLED).div(bounds.follow_secs), L::splat(BRAKES).mul(push).div(fastest));
        let dt = least(dt, L::splat(LONGEST));
        let mut away = add(sub(self.at, self.goal), scale(self.goal_speed, dt));
        let mut speed = sub(self.speed, self.goal_speed);
        let (far, fast) = (rate.mul(length(away)), length(speed));
        let speeds = length(self.goal_speed).add(L::splat(1.4).mul(fast)).add(L::splat(0.4).mul(far));
        let pushes = rate.mul(L::splat(2.2).mul(far).add(L::splat(3.2).mul(fast)));
        let is_held = speeds.select_above(fastest, one, pushes.select_above(push, one, zero));
        let steps = is_held.select_above(zero, bounds.steps, one);
        let step = dt.div(steps);
        let left = decay_of(rate.mul(step));
        let (most_steps, is_any_held) = (greatest(steps), greatest(is_held) > 0.0);
        let mut number = 0.0;
        while number < most_steps {
            let pull = scale(add(speed, scale(away, rate)), step);
            let next = scale(add(away, pull), left);
            let wanted = scale(sub(speed, scale(pull, rate)), left);
            if !is_any_held {
                (away, speed) = (next, wanted);
                break;
            }
            let change = sub(wanted, speed);
            let is_pushed = dot2(change, change);
            let most_pushed = push.mul(push).mul(step).mul(step);
            let held = choose(is_pushed, most_pushed, add(speed, clamped(change, push.mul(step))), wanted);
            let both = add(self.goal_speed, held);
            let held =
                choose(dot2(both, both), fastest.mul(fastest), sub(clamped(both, fastest), self.goal_speed), held);
            let between = add(away, scale(add(speed, held), half.mul(step)));
            // The closed form where nothing is held.
            let off = most(absolute(held[0].sub(wanted[0])), absolute(held[1].sub(wanted[1])));
            let held_away = choose(off, zero, between, next);
            let (next, wanted) = (choose(is_held, zero, held_away, next), choose(is_held, zero, held, wanted));
            // Some have made all of theirs.
            let is_left = steps.sub(L::splat(number));
            away = choose(is_left, zero, next, away);
            speed = choose(is_left, zero, wanted, speed);
            number += 1.0;
        }
        self.at = add(self.goal, away);
        self.speed = add(self.goal_speed, speed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::isa::Isa;
    use crate::math::lanes::dispatch;
    use crate::math::trig::sin_cos;
    use crate::procedural::aim::{AimJoint, Look};
    use crate::procedural::{AimLayer, ModelPose, ProceduralContext};
    use crate::rig::Rig;
    use crate::skeleton::{Joint, Skeleton};

    /// Eight gazes for a minute: targets that go round and jump, bodies that turn away, frames of any length.
    #[test]
    fn lanes_have_the_bits_of_trackers() {
        let joint = Joint {
            index: 0,
            parent: None,
            inverse_bind_matrix: glam::Mat4::IDENTITY,
            name: "head".into(),
            bind_translation: Vec3::ZERO,
            bind_rotation: Quat::IDENTITY,
            bind_scale: Vec3::ONE,
        };
        let rig = Rig::new(Skeleton { joints: vec![joint] });
        for isa in [Isa::Scalar, Isa::Sse2, Isa::best()] {
            let mut layers: [_; LANES] = std::array::from_fn(|_| AimLayer::new([AimJoint::new(0)], Vec3::Z));
            let (mut looks, mut usual) = (Looks::default(), 0);
            for frame in 0..3_600 {
                let dt = [1.0 / 60.0, 1.0 / 60.0, 0.05, 0.004][frame / 7 % 4];
                let wave = |number: usize, pace: f32| sin_cos(frame as f32 * 0.01 * pace + number as f32);
                let mut local = rig.bind_pose();
                let place = glam::Affine3A::from_quat(Quat::from_rotation_y(wave(1, 2.3).0));
                let pose = ModelPose::new(&rig, &mut local, place);
                let (elapsed, still) = (0.0, Vec3::ZERO);
                let context =
                    ProceduralContext { dt, elapsed, entity_position: still, entity_forward: Vec3::Z, velocity: still };
                let given: [_; LANES] = std::array::from_fn(|number| {
                    let (sine, cosine) = wave(number + frame / 500, 1.0 + number as f32);
                    let target = Vec3A::new(3.0 * sine, 1.5 + wave(3, 0.7).0, 3.0 * cosine);
                    let body = Quat::from_rotation_y(wave(number, 1.7).0 * 0.2 * number as f32);
                    (target, Vec3A::new(0.1 * cosine, 1.6, 0.02 * sine), Some(body))
                });
                let mut eye = [[0.0; LANES]; 3];
                looks.begin();
                for (number, (target, from, body)) in given.into_iter().enumerate() {
                    super::super::math::set(&mut eye, number, false, from.to_array());
                    if let Some(course) = layers[number].course(body, || looks.left_of_way(dt)) {
                        let front = pose.world_from_model().transform_vector3(pose.front());
                        looks.put(number, &course, target.to_array(), front, dt);
                    }
                }
                let (mut of_face, mut of_eyes) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
                let (own, part) = (layers[0].own_axes(&pose), 0.7);
                let (face, eyes) = (&mut of_face, &mut of_eyes);
                dispatch(
                    isa,
                    Follow { looks: &mut looks, width: LANES, own, part, eye: &eye, of_face: face, of_eyes: eyes },
                );
                for (number, (target, from, body)) in given.into_iter().enumerate() {
                    let look = layers[number].look(&context, &pose, Some(target), (from, Vec3A::Z), body);
                    let Some((tracked, carried)) = looks.get(number) else { continue };
                    let expected = layers[number].course(None, || 1.0).unwrap();
                    let expected = format!("{:?} {:?}", expected.tracked, expected.carried);
                    assert_eq!(format!("{tracked:?} {carried:?}"), expected, "{number} in frame {frame} on {isa}");
                    let Look::At(_, expected) = look else { panic!("{look:?}") };
                    assert_eq!(of_eyes.map(|values| values[number]), expected.to_array());
                    usual += 1;
                }
            }
            assert!(usual > 3_600 * LANES * 9 / 10, "most of them are on the usual course: {usual}");
        }
    }
}
