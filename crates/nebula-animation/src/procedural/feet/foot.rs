use glam::{Quat, Vec2, Vec3A, Vec4};

use super::damped::Damped;
use super::print::{ALL, Print, half_tangent, print_below, turn_of};
use super::step::{Stand, Step, Surroundings, Target};
use super::stride::Stride;
use crate::math::trig::sin_cos;
use crate::procedural::turn::{arc, rotated, rotated_back};
use crate::rig::{Leg, forwards};
use crate::state::{Stateful, stateful};

/// How much lower the pelvis may be because a foot stays behind where the clip has it, in lengths of the leg: about twelve centimetres
/// of an adult.
const MAX_LUNGE: f32 = 0.15;

/// What ground rises by to be a stair, in lengths of the leg: about three centimetres of an adult, and from twice that on entirely.
const LOWEST_STAIR: f32 = 0.035;

/// What is kept of one foot from frame to frame.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Foot {
    /// The footprint: that of the ground below while the foot swings, the one that it was put in while it stands.
    print: Print,
    pub is_planted: bool,
    /// The lock was given up in this contact, and the foot is on its way to where the clip has it.
    has_let_go: bool,
    /// What is left of a jump, in the world; the foot is moved by it, and it dies down. The part along the ground is in
    /// the place of the footprint already.
    offset: Damped<Vec3A>,
    /// The same for a rotation: axis times the tangent of half the angle.
    twist: Damped<Vec3A>,
    /// How far the foot follows the ground: 0 the clip alone, 1 entirely. Before easing.
    hold: f32,
    /// The foot's side in the clip, in the frame before: level, unit length.
    side: Vec3A,
    /// The point of the sole that was the lowest in the clip then, and its position in model space: it carries a
    /// standing foot.
    carried_by: u8,
    carrier: Vec3A,
    /// The way from the last footprint to the next one.
    pub stride: Stride,
    /// How far the foot has come down to it, from 0 to 1.
    landing: f32,
    /// How far the foot has come down because only a part of its sole is over the ground, in metres.
    drop: Damped<f32>,
    /// How much higher the pelvis could be for this leg in the frame before because of the ground, in model space.
    pub room: f32,
}

impl Stateful for Foot {
    stateful!(flags { is_planted, has_let_go } given {} kept {
        print, offset, twist, hold, side, carried_by, carrier, stride, drop, room,
    } then clean);
}

impl Foot {
    /// Lets a frame pass. The foot's place in the world, as if nothing but the ground mattered.
    pub fn advance(&mut self, leg: &Leg, step: &Step, around: &Surroundings<'_>) -> Target {
        let stand = around.stand;
        self.landing = 0.0;
        if around.is_fresh {
            *self = Self { side: step.sole.side, hold: 1.0, ..Self::default() };
        }
        if self.is_planted {
            self.ride(around);
            self.roll(step, stand.floor);
            if !step.is_down || !self.is_within_limits(leg, step, around) {
                self.has_let_go = step.is_down;
                self.is_planted = false;
                let locked = self.print;
                self.free(leg, step, around);
                self.keep_place(&locked, leg, step, stand);
            }
        } else {
            let (place, normal, offset) = (self.print.place, self.print.normal, self.offset.value);
            self.free(leg, step, around);
            if !around.is_fresh {
                let height = step.height(stand.floor).max(0.0);
                match self.stride.guide(leg, step, &self.print, height, offset, around) {
                    Some(guided) if step.is_down => {
                        // It lands on the stair that it was going to.
                        self.print.place.y = guided.height;
                        self.print.over = guided.over;
                        self.print.is_good = guided.is_good;
                    }
                    Some(guided) => {
                        self.offset.value.y -= guided.jump;
                        if let Some(from) = guided.from {
                            self.offset.value.y += place.y - from;
                        }
                        self.print.place.y = guided.height;
                        self.print.over = guided.over;
                        self.landing = guided.landing;
                        self.print.is_good = guided.is_good;
                    }
                    None => self.smooth_edge(place, normal, leg, around),
                }
                self.smooth_tilt(normal, around);
            }
        }
        self.side = step.sole.side;
        (self.carried_by, self.carrier) = (step.lowest, step.point(step.lowest.into()));
        self.settle(leg, step, around);
        self.target(step)
    }

    /// Brings what was read into its range.
    fn clean(&mut self) {
        self.hold = self.hold.clamp(0.0, 1.0);
    }

    /// How deep the sole would be in the ground, in world space, with the foot at this position in model space;
    /// negative above it, and very much so if there is no ground.
    pub fn depth(&self, leg: &Leg, step: &Step, target: &Target, stand: &Stand) -> f32 {
        let print = &self.print;
        let forwards = stand.world_from_model.transform_vector3a(forwards(self.side));
        let along = forwards / (leg.sole_length * stand.scale * stand.scale);
        let deepest = |point: &Vec3A| {
            let away = stand.point(target.ankle + rotated(target.rotation, *point)) - print.place;
            let at = away.dot(along);
            // Beyond an edge there is room below the sole.
            if at < print.over[0] || at > print.over[1] { f32::MIN } else { -away.dot(print.normal) }
        };
        let depth = step.points.iter().map(deepest).fold(f32::MIN, f32::max);
        // Ground that has just risen below the foot, a stair, is made up for in the next frames.
        let risen = self.offset.value.y.min(0.0);
        let stair = risen * ease((-risen / (leg.length * stand.scale * LOWEST_STAIR) - 1.0).clamp(0.0, 1.0));
        let depth = depth / print.normal.y.max(0.1) + stair;
        if print.is_good || self.is_planted { depth } else { f32::MIN }
    }

    /// How far to lower the foot, in the world, because the part of its sole that carries it in the clip is beyond an edge: the edge carries it.
    pub fn lower(&mut self, leg: &Leg, step: &Step, around: &Surroundings<'_>) -> f32 {
        let [from, to] = self.print.over;
        let [heel, ball] = step.sole.heights(leg, around.stand.floor);
        let landing = if self.is_planted { 1.0 } else { self.landing };
        let at = |along: f32| (heel + (ball - heel) * (along + 0.5)).max(0.0) * around.stand.scale * landing;
        let wanted = match (from > ALL[0], to < ALL[1]) {
            (true, _) if heel < ball => at(from),
            (_, true) if heel > ball => at(to),
            _ => 0.0,
        };
        self.drop.follow(wanted, around.paces.rising);
        self.drop.value
    }

    /// How fast the ground below the foot goes up, in metres per second.
    pub fn ground_climbs(&self) -> f32 {
        self.print.velocity.y
    }

    /// How steep the ground is along the foot, upwards or downwards: the tangent of the angle.
    pub fn rise(&self) -> f32 {
        let way = self.print.vector(forwards(self.side));
        way.y.abs() / way.with_y(0.0).length().max(1e-6)
    }

    /// The place of the foot in its footprint.
    fn target(&self, step: &Step) -> Target {
        let print = &self.print;
        // A foot that swings is not turned against its print.
        let in_print = if self.is_planted { print.turn.conjugate() * step.rotation } else { step.rotation };
        let rotation = print.rotation * in_print;
        Target { ankle: self.ankle(step), rotation: self.twisted(rotation), hold: ease(self.hold) }
    }

    #[inline]
    fn ankle(&self, step: &Step) -> Vec3A {
        let print = &self.print;
        let in_print = step.ankle - print.spot;
        let in_print = if self.is_planted { rotated_back(print.turn, in_print) } else { in_print };
        let from_print = print.vector(in_print);
        let from_print = if self.is_twisted() { rotated(turn_of(self.twist.value), from_print) } else { from_print };
        print.place + from_print + Vec3A::Y * self.offset.value.y
    }

    #[inline]
    fn twisted(&self, rotation: Quat) -> Quat {
        if self.is_twisted() { turn_of(self.twist.value) * rotation } else { rotation }
    }

    /// Whether there is a twist that makes a difference.
    #[inline]
    fn is_twisted(&self) -> bool {
        !(self.twist.value.length_squared() < 1e-16)
    }

    /// Carries the footprint along with ground that moves.
    fn ride(&mut self, around: &Surroundings<'_>) {
        let Some(ground) = around.ground.ground(self.print.place.into()) else { return };
        let (before, now) = (self.print.velocity, Vec3A::from(ground.velocity));
        if (before == Vec3A::ZERO && now == Vec3A::ZERO) || !now.is_finite() || !ground.height.is_finite() {
            return;
        }
        let place = self.print.place;
        let way = if ground.spin != 0.0 && ground.spin.is_finite() {
            // Along the chord of the arc, and not along its tangent away from the axis.
            let half = Quat::from_vec4(half_turn(0.5 * ground.spin * around.dt));
            let turn = half * half;
            self.print.tilt = turn * self.print.tilt;
            self.print.derive();
            rotated(half, now) * around.dt
        } else {
            // The velocity at the end of the frame alone would be ahead of ground that sets out.
            (before + now) * (0.5 * around.dt)
        };
        self.print.place = (place + way).with_y(ground.height);
        self.stride.ride(self.print.place - place);
        self.print.velocity = now;
    }

    /// Carries the footprint along in model space as the clip's foot moves over its floor: the point of the sole that carries the foot
    /// stays in its place of the print, and so does the direction of the foot. What is left is rolling from heel to toes.
    fn roll(&mut self, step: &Step, floor: f32) {
        let turn = arc(self.side, step.sole.side);
        let (before, now) = (self.carrier, step.point(usize::from(self.carried_by)));
        self.print.spot = now.with_y(floor) + rotated(turn, self.print.spot - before.with_y(floor));
        self.print.turn = turn * self.print.turn;
    }

    /// Whether the foot may stay locked.
    fn is_within_limits(&self, leg: &Leg, step: &Step, around: &Surroundings<'_>) -> bool {
        let (stand, settings) = (around.stand, around.settings);
        let length = leg.length * stand.scale;
        let away = stand.point(self.print.spot) - self.print.place;
        let slid_squared = away.x * away.x + away.z * away.z;
        let level = |way: Vec3A| Vec2::new(way.x, way.z).try_normalize().unwrap_or(Vec2::X);
        let locked = level(self.print.vector(Vec3A::X));
        let twisted = level(stand.world_from_model.matrix3 * (self.print.turn * Vec3A::X));
        let target = self.ankle(step);
        let hip = stand.point(step.hip);
        let reach_squared = squared(0.98 * step.length * stand.scale);
        // How high the hip may be for an ankle at the height of the locked one.
        let room = |ankle: Vec3A| {
            let aside = ankle - hip;
            target.y - hip.y + (reach_squared - aside.x * aside.x - aside.z * aside.z).max(0.0).sqrt()
        };
        let aside = target - hip;
        let aside_squared = aside.x * aside.x + aside.z * aside.z;
        let lunge = room(stand.point(step.ankle)).min(0.0) - room(target);
        slid_squared <= squared(settings.max_slide * length)
            && locked.dot(twisted) >= around.most_twisted
            && aside_squared <= reach_squared
            && lunge <= MAX_LUNGE * length
            && away.y.abs() <= settings.max_step * length
    }

    /// Puts the footprint below the foot.
    fn free(&mut self, leg: &Leg, step: &Step, around: &Surroundings<'_>) {
        let offset = self.offset.value.with_y(0.0);
        let before = (!around.is_fresh && !step.is_down).then_some((self.print.place, self.stride.end()));
        print_below(&mut self.print, leg, &step.sole, offset, before, around);
    }

    /// After a change of the footprint: keeps the foot where it is for now.
    fn keep_place(&mut self, before: &Print, leg: &Leg, step: &Step, stand: &Stand) {
        // Where the lock has the middle of the new print.
        let spot = before.place + before.vector(rotated_back(before.turn, self.print.spot - before.spot));
        let meant = stand.point(self.print.spot);
        let (x, z) = (spot.x - meant.x, spot.z - meant.z);
        let twist =
            turn_of(self.twist.value) * before.rotation * before.turn.conjugate() * self.print.rotation.conjugate();
        self.twist = Damped::at(half_tangent(twist));
        if step.is_down {
            self.stride.forget();
        } else {
            // A change of the clip's floor is none of the ground.
            let floor = before.vector(Vec3A::Y * (self.print.spot.y - before.spot.y));
            self.stride.lift_off(spot - floor, self.print.spot, leg, step);
        }
        let y = self.offset.value.y + spot.y - self.print.place.y;
        self.offset = Damped::at(Vec3A::new(x, y, z));
        self.print.place = spot.with_y(self.print.place.y);
    }

    /// Takes what no slope explains, an edge or a stair, out of this frame and spreads it over the next ones.
    fn smooth_edge(&mut self, place_before: Vec3A, slope: Vec3A, leg: &Leg, around: &Surroundings<'_>) {
        let now = &self.print;
        // Ground that moves is no edge.
        let moved = now.place - place_before - self.print.velocity * around.dt;
        // How far the ground is below the plane through the place before, times its steepness: divisions are for jumps.
        let steepness = slope.y.max(0.1);
        let jump = -moved.y * steepness - (slope.x * moved.x + slope.z * moved.z);
        if jump.abs() > leg.length * around.stand.scale * (0.004 + 0.6 * around.dt) * steepness {
            self.offset.value.y += jump / steepness;
        }
    }

    /// The same for a rotation of the ground.
    fn smooth_tilt(&mut self, slope: Vec3A, around: &Surroundings<'_>) {
        let now = &self.print;
        /// Turns of the ground faster than this, in radians per second, are edges.
        const FASTEST: f32 = 7.0;
        // The sine is as good as the angle for small ones.
        if slope.cross(now.normal).length_squared() > squared(0.03 + FASTEST * around.dt) {
            let turn = turn_of(self.twist.value) * arc(now.normal, slope);
            self.twist.value = half_tangent(turn);
        }
    }

    /// Lets what is left of jumps die down, follows the limits, and locks a foot that has landed.
    fn settle(&mut self, leg: &Leg, step: &Step, around: &Surroundings<'_>) {
        let is_good = self.is_planted || self.print.is_good;
        self.hold = if around.is_fresh {
            f32::from(u8::from(is_good))
        } else if is_good {
            (self.hold + around.fading).min(1.0)
        } else {
            (self.hold - around.fading).max(0.0)
        };
        let length = leg.length * around.stand.scale;
        let is_near = || {
            let away = Vec2::new(self.offset.value.x, self.offset.value.z);
            away.length() < 0.02 * length && self.twist.value.length() < 0.05
        };
        if self.has_let_go && (!step.is_down || is_near()) {
            self.has_let_go = false;
        }
        if step.is_down && !self.is_planted && !self.has_let_go && is_good && self.hold >= 1.0 {
            self.plant(step);
        }
        let paces = around.paces;
        let pace = match self.offset.value.y < 0.0 {
            true => paces.rising,
            false if self.is_planted => paces.settling,
            false => paces.falling,
        };
        let before = self.offset;
        let mut height = Damped { value: before.value.y, velocity: before.velocity.y };
        height.follow(0.0, pace);
        match self.stride.aside().filter(|_| !self.is_planted) {
            Some((aside, secs)) => {
                self.offset.arrive(aside, secs, around.dt);
                if height.value > 0.0 {
                    height = Damped { value: before.value.y, velocity: before.velocity.y };
                    height.arrive(0.0, secs, around.dt);
                }
            }
            None => self.offset.follow(Vec3A::ZERO, paces.settling),
        }
        (self.offset.value.y, self.offset.velocity.y) = (height.value, height.velocity);
        self.twist.follow(Vec3A::ZERO, paces.settling);
    }

    /// Locks the foot in place.
    fn plant(&mut self, step: &Step) {
        self.is_planted = true;
        self.stride.land(&self.print, step);
        self.offset = Damped { value: Vec3A::Y * self.offset.value.y, velocity: Vec3A::Y * self.offset.velocity.y };
        // A foot that stands does not swivel: the part of the twist about the ground's normal stays as it is.
        let normal = self.print.normal;
        let swivel = normal * self.twist.value.dot(normal);
        self.twist = Damped { value: self.twist.value - swivel, velocity: Vec3A::ZERO };
        let swivel = turn_of(swivel);
        self.print.tilt = swivel * self.print.tilt;
        self.print.derive();
    }
}

/// A rotation about the vertical.
fn half_turn(angle: f32) -> Vec4 {
    let (sin, cos) = sin_cos(0.5 * angle.clamp(-3.0, 3.0));
    Vec4::new(0.0, sin, 0.0, cos)
}

/// The square of a limit; of one below zero, which nothing keeps, still below zero.
#[inline]
fn squared(limit: f32) -> f32 {
    limit * limit.abs()
}

/// From 0 to 1 without a kink at either end.
pub(super) fn ease(amount: f32) -> f32 {
    amount * amount * (3.0 - 2.0 * amount)
}
