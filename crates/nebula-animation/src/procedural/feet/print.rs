use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

use super::step::Surroundings;
use crate::frame::GroundPoint;
use crate::math::direction::direction_of;
use crate::procedural::turn::{arc, rotated};
use crate::rig::{Leg, Sole};
use crate::state::stateful;

/// A footprint: a position on the ground, and the corresponding position on the clip's floor.
///
/// The foot is put into the world as it lies on the clip's floor: what is at `spot` there comes to `place`, and what is level
/// there follows the ground's slope. So a foot that rolls from heel to toes over the floor does the same on a hill.
#[derive(Debug, Clone, Copy)]
pub(super) struct Print {
    /// In the world.
    pub place: Vec3A,
    /// The ground's normal there; unit length.
    pub normal: Vec3A,
    /// How the ground moves there, in metres per second.
    pub velocity: Vec3A,
    /// The same place on the clip's floor, in model space.
    pub spot: Vec3A,
    /// How far the clip has rotated the foot on its floor since it was locked.
    pub turn: Quat,
    /// Takes directions of model space to the world on level ground.
    pub linear: Mat3A,
    /// How the ground tilts what stands on it.
    pub tilt: Quat,
    /// The orientation in the world of something without a rotation of its own: by the entity, then by the ground.
    pub rotation: Quat,
    /// Which part of the sole is over that ground, where the rest is beyond an edge: from and to, along the foot from its middle on, in lengths of
    /// the sole.
    pub over: [f32; 2],
    /// Whether there is ground that a foot can stand on.
    pub is_good: bool,
}

stateful!(Print { place, velocity, spot, turn, linear, tilt, over, is_good } then derive);

impl Default for Print {
    fn default() -> Self {
        Self {
            place: Vec3A::ZERO,
            normal: Vec3A::Y,
            velocity: Vec3A::ZERO,
            spot: Vec3A::ZERO,
            turn: Quat::IDENTITY,
            linear: Mat3A::IDENTITY,
            tilt: Quat::IDENTITY,
            rotation: Quat::IDENTITY,
            over: ALL,
            is_good: false,
        }
    }
}

impl Print {
    /// Works out what follows from the other fields, which is no part of a state.
    pub fn derive(&mut self) {
        let level = Affine3A { matrix3: self.linear, translation: Vec3A::ZERO };
        self.lie(level.to_scale_rotation_translation().1);
    }

    /// The same, given that orientation on level ground.
    #[inline]
    fn lie(&mut self, level: Quat) {
        self.rotation = self.tilt * level;
        self.normal = rotated(self.rotation, Vec3A::Y);
    }

    /// Takes a direction of model space to the world, tilted by the ground.
    #[inline]
    pub fn vector(&self, vector: Vec3A) -> Vec3A {
        rotated(self.tilt, self.linear * vector)
    }
}

/// Makes the footprint that the foot would make now, moved along the ground by an offset. A foot that swings looks ahead for edges that it
/// could hit: its footprint was at the first place `before`, a frame ago, and is not going beyond the second one.
#[inline]
pub(super) fn print_below(
    print: &mut Print,
    leg: &Leg,
    sole: &Sole,
    offset: Vec3A,
    before: Option<(Vec3A, Option<Vec3A>)>,
    around: &Surroundings<'_>,
) {
    let stand = around.stand;
    let half = sole.forwards() * (0.5 * leg.sole_length);
    let middle = sole.footprint(half, sole.ball_share(leg, stand.floor), stand.floor);
    let linear = &stand.world_from_model.matrix3;
    let place = stand.point(middle) + offset;
    let level = (stand.point(Vec3A::Y * stand.floor), around.settings.max_step * leg.length * stand.scale);
    let below = ground_below(place, leg, sole, level, if before.is_none() { 5 } else { 0 }, around);
    let (mut height, normal) = (below.height, below.normal);
    if let Some((before, end)) = before.filter(|_| below.is_good && around.dt > 0.0) {
        let front = place + linear.x_axis * half.x + linear.z_axis * half.z;
        let ahead = (place - before).with_y(0.0) * (AHEAD * around.rate);
        let longest = 1.5 * leg.sole_length * stand.scale;
        let longest = end.map_or(longest, |end| longest.min((end - place).with_y(0.0).length()));
        let next = front + ahead.clamp_length_max(longest);
        let away = next - place;
        // Above the plane on which the sole lies, times how steep that is.
        let highest = EDGE * leg.sole_length * stand.scale * normal.y - (normal.x * away.x + normal.z * away.z);
        let is_edge = |edge: &GroundPoint| (edge.height - height) * normal.y > highest;
        if let Some(edge) = around.ground.ground(next.into()).filter(is_edge).and_then(sensible)
            && is_walkable(&edge, next, level.0, level.1, around)
        {
            height = height.max(edge.height);
        }
    }
    let tilt = arc(stand.up, normal);
    print.place = place.with_y(height);
    print.velocity = below.velocity;
    print.spot = middle;
    print.turn = Quat::IDENTITY;
    print.linear = *linear;
    print.tilt = tilt;
    print.lie(stand.rotation);
    print.over = below.over;
    print.is_good = below.is_good;
}

/// The ground on which a sole comes to lie.
#[derive(Clone, Copy)]
pub(super) struct Bed {
    pub height: f32,
    pub normal: Vec3A,
    pub velocity: Vec3A,
    /// As in [`Print`].
    pub over: [f32; 2],
    /// Whether a foot can stand there. Where it cannot, the others are as if there were level ground.
    pub is_good: bool,
}

/// The ground below a sole with its middle at a position in world space, for a character on a level that can step this
/// far up and down. Edges are located by this many bisections of the sole.
#[inline]
pub(super) fn ground_below(
    place: Vec3A,
    leg: &Leg,
    sole: &Sole,
    (level, most): (Vec3A, f32),
    halvings: u8,
    around: &Surroundings<'_>,
) -> Bed {
    let stand = around.stand;
    let linear = &stand.world_from_model.matrix3;
    let forwards = sole.forwards();
    let along = (linear.x_axis * forwards.x + linear.z_axis * forwards.z) * leg.sole_length;
    let at = |end: f32| place + along * end;
    let (back, front) = (at(-0.5), at(0.5));
    // Both are asked before either answer is looked at, so that neither has to wait for the other.
    let (behind, ahead) = (around.ground.ground(back.into()), around.ground.ground(front.into()));
    let ends = leg.sole_ends();
    let mut over = ALL;
    let mut find_edge = |ends: [f32; 2], upper: Surface, rise: f32| {
        if halvings > 0 {
            over = over_edge(ends, rise, halvings, |end| {
                let ground = around.ground.ground(at(end).into());
                ground.is_some_and(|ground| ground.height > upper.height - 0.5 * rise.abs())
            });
        }
        Some(upper)
    };
    let length = leg.sole_length * stand.scale;
    let mut is_edge = false;
    let plane = match (behind.and_then(sensible), ahead.and_then(sensible)) {
        (Some(behind), Some(ahead)) => match upper_of(back, &behind, front, &ahead) {
            Some((upper, rise)) => {
                is_edge = true;
                find_edge([ends[0].min(0.0), 0.5], upper, rise)
            }
            None => plane_of(back, &behind, front, &ahead),
        },
        (behind, ahead) => behind.or(ahead),
    };
    // Toes over the next stair rest on it.
    let tip = at(ends[1]);
    let beyond = if leg.toe_length > 0.0 { around.ground.ground(tip.into()).and_then(sensible) } else { None };
    let plane = match (plane, beyond) {
        (Some(below), Some(upper)) => {
            let away = tip - place;
            let rise =
                upper.height - below.height + (below.normal.x * away.x + below.normal.z * away.z) / below.normal.y;
            if rise > EDGE * length && is_walkable(&upper, tip, level, most, around) {
                find_edge([0.5, ends[1]], upper, rise)
            } else if rise < -EDGE * length && !is_edge {
                find_edge([0.5, ends[1]], below, rise)
            } else {
                Some(below)
            }
        }
        (plane, _) => plane,
    };
    let velocity = velocity_of(behind, ahead);
    match plane {
        Some(Surface { height, normal }) if is_walkable(&Surface { height, normal }, place, level, most, around) => {
            Bed { height, normal, velocity, over, is_good: true }
        }
        // The foot is let go: it goes on as the clip has it, which the fade hides.
        _ => Bed { height: level.y, normal: stand.up, velocity, over: ALL, is_good: false },
    }
}

/// All of a sole.
pub(super) const ALL: [f32; 2] = [-1e3, 1e3];

/// Which part of a sole is on the upper side of an edge between its ends, which rises from the first to the second by so much.
fn over_edge(ends: [f32; 2], rise: f32, halvings: u8, is_upper: impl Fn(f32) -> bool) -> [f32; 2] {
    let (mut upper, mut lower) = if rise > 0.0 { (ends[1], ends[0]) } else { (ends[0], ends[1]) };
    for _ in 0..halvings {
        let middle = 0.5 * (upper + lower);
        if is_upper(middle) { upper = middle } else { lower = middle }
    }
    let edge = 0.5 * (upper + lower);
    if rise > 0.0 { [edge, ALL[1]] } else { [ALL[0], edge] }
}

/// Whether a foot can stand on a surface: it is not too steep, and within the given distance of a level, apart from its
/// own slope.
#[inline]
fn is_walkable(surface: &Surface, place: Vec3A, level: Vec3A, most: f32, around: &Surroundings<'_>) -> bool {
    let Surface { height, normal } = *surface;
    let away = place - level;
    // Times the steepness, which is above zero.
    let step = (height - level.y) * normal.y + normal.x * away.x + normal.z * away.z;
    // Stairs are a slope too, though none of them is.
    let stairs = (height - level.y).abs() - STAIRS * away.with_y(0.0).length();
    normal.y >= around.steepest && (step.abs() <= most * normal.y || stairs <= most)
}

/// How steep stairs are at most.
const STAIRS: f32 = 0.6;
/// A rise that the ground's own slope does not explain, in lengths of the sole: a stair, a kerb.
pub(super) const EDGE: f32 = 0.35;
/// How far a foot looks ahead, in seconds: as long as it takes to rise.
const AHEAD: f32 = 0.1;

/// A [`GroundPoint`] that makes sense: finite, and its normal of unit length.
#[derive(Debug, Clone, Copy)]
struct Surface {
    height: f32,
    normal: Vec3A,
}

/// The upper side of an edge between the ground at the back and at the front of a sole, and its rise; `None` if there
/// is no edge.
#[inline(always)]
fn upper_of(back: Vec3A, behind: &Surface, front: Vec3A, ahead: &Surface) -> Option<(Surface, f32)> {
    let rise = ahead.height - behind.height;
    let mean = behind.normal + ahead.normal;
    let level = (front - back).with_y(0.0);
    // Times the steepness of the mean, which is above zero.
    let unexplained = rise * mean.y + mean.dot(level);
    // The sole rests on the upper side of an edge, and the rest of it is in the air.
    let is_edge = unexplained * unexplained > EDGE * EDGE * level.length_squared() * (mean.y * mean.y);
    is_edge.then_some((if rise > 0.0 { *ahead } else { *behind }, rise))
}

/// Height in the middle and normal of the plane on which a sole lies, from the ground at its back and front.
#[inline(always)]
fn plane_of(back: Vec3A, behind: &Surface, front: Vec3A, ahead: &Surface) -> Option<Surface> {
    let rise = ahead.height - behind.height;
    let mean = behind.normal + ahead.normal;
    // The slope along the foot is that from heel to ball, the one across it that of the ground's normals.
    let along = (front - back).with_y(rise);
    let normal = direction_of(mean * along.length_squared() - along * mean.dot(along))?;
    Some(Surface { height: 0.5 * (behind.height + ahead.height), normal })
}

/// How the ground moves between two answers.
#[inline]
fn velocity_of(behind: Option<GroundPoint>, ahead: Option<GroundPoint>) -> Vec3A {
    let velocity = match (behind, ahead) {
        (Some(behind), Some(ahead)) => 0.5 * (behind.velocity + ahead.velocity),
        (behind, ahead) => behind.or(ahead).map_or(Vec3::ZERO, |ground| ground.velocity),
    };
    if velocity.is_finite() { velocity.into() } else { Vec3A::ZERO }
}

/// A validated answer; `None` if it makes no sense.
#[inline]
fn sensible(point: GroundPoint) -> Option<Surface> {
    let GroundPoint { height, normal, .. } = point;
    if !height.is_finite() || !(normal.y > 0.0) {
        return None;
    }
    Some(Surface { height, normal: direction_of(normal.into())? })
}

/// The rotation for an axis times the tangent of half the angle.
pub(super) fn turn_of(half_tangent: Vec3A) -> Quat {
    let scale = (1.0 + half_tangent.length_squared()).sqrt().recip();
    Quat::from_vec4((half_tangent * scale).extend(scale))
}

/// The axis of a rotation times the tangent of half the angle. Rotations of more than about 150 degrees count as that;
/// NaN, as records from elsewhere may contain, counts as no rotation.
pub(super) fn half_tangent(turn: Quat) -> Vec3A {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let tangent = Vec3A::from_vec4(turn.into()) / turn.w.max(0.25);
    if tangent.is_finite() { tangent } else { Vec3A::ZERO }
}
