use glam::{Mat3A, Quat, Vec3, Vec3A};

use super::foot::Surroundings;
use super::ground::GroundPoint;
use super::rig::{Leg, Sole};
use crate::procedural::ik::direction;
use crate::procedural::turn::{arc, rotated};

/// A footprint: a place on the ground, and which place of the clip's floor it stands for.
///
/// The foot is put into the world as it lies on the clip's floor: what is at `spot` there comes to `place`, and what is level
/// there follows the ground's slope. So a foot that rolls from heel to toes over the floor does the same on a hill.
#[derive(Debug, Clone, Copy)]
pub(super) struct Print {
    /// In the world.
    pub place: Vec3,
    /// The ground's normal there; unit length.
    pub normal: Vec3,
    /// The same place on the clip's floor, in model space.
    pub spot: Vec3,
    /// How far the clip has turned the foot on its floor since it was locked.
    pub turn: Quat,
    /// Takes directions of model space to the world, tilted by the ground; with the scale, and without.
    pub linear: Mat3A,
    pub rotation: Quat,
    /// Whether there is ground that a foot can stand on.
    pub is_good: bool,
}

impl Default for Print {
    fn default() -> Self {
        Self {
            place: Vec3::ZERO,
            normal: Vec3::Y,
            spot: Vec3::ZERO,
            turn: Quat::IDENTITY,
            linear: Mat3A::IDENTITY,
            rotation: Quat::IDENTITY,
            is_good: false,
        }
    }
}

/// Makes the footprint that the foot would make now, moved along the ground by an offset. A foot that swings, whose footprint was at
/// `before` a frame ago, looks ahead for edges that it could hit.
#[inline]
pub(super) fn print_below(
    print: &mut Print,
    leg: &Leg,
    sole: &Sole,
    offset: Vec3,
    before: Option<Vec3>,
    around: &Surroundings<'_>,
) {
    let (stand, settings) = (around.stand, around.settings);
    let middle = sole.footprint(leg, sole.ball_share(leg, stand.floor));
    let half = sole.forwards() * (0.5 * leg.sole_length);
    let linear = &stand.world_from_model.matrix3;
    let along = Vec3::from(linear.x_axis * half.x + linear.z_axis * half.y);
    let place = stand.point(Vec3::new(middle.x, stand.floor, middle.y)) + offset;
    let (back, front) = (place - along, place + along);
    let length = leg.length * stand.scale;
    let is_walkable = |height: f32, normal: Vec3| {
        normal.y >= around.steepest && (height - place.y).abs() <= settings.max_step * length
    };
    let plane = match (ask(back, around), ask(front, around)) {
        (Some(behind), Some(ahead)) => plane_of(back, behind, front, ahead),
        (Some(one), None) | (None, Some(one)) => Some((one.height, one.normal)),
        (None, None) => None,
    };
    let (height, normal, is_good) = match plane {
        Some((height, normal)) if is_walkable(height, normal) => (height, normal, true),
        // The foot is let go: it goes on as the clip has it, which the fade hides.
        _ => (place.y, stand.up, false),
    };
    let mut height = height;
    if let Some(before) = before.filter(|_| is_good && around.dt > 0.0) {
        let moved = place - before;
        let ahead = Vec3::new(moved.x, 0.0, moved.z) * (AHEAD / around.dt);
        let next = front + ahead.clamp_length_max(1.5 * leg.sole_length * stand.scale);
        let away = next - place;
        let expected = height - (normal.x * away.x + normal.z * away.z) / normal.y;
        let highest = expected + EDGE * leg.sole_length * stand.scale;
        let is_edge = |edge: &GroundPoint| edge.height > highest;
        if let Some(edge) = around.ground.ground(next).filter(is_edge).and_then(sensible)
            && is_walkable(edge.height, edge.normal)
        {
            height = height.max(edge.height);
        }
    }
    let tilt = arc(stand.up, normal);
    print.place = Vec3::new(place.x, height, place.z);
    print.normal = normal;
    print.spot = Vec3::new(middle.x, stand.floor, middle.y);
    print.turn = Quat::IDENTITY;
    print.linear = turned(tilt, linear);
    print.rotation = tilt * stand.rotation;
    print.is_good = is_good;
}

/// A rise that the ground's own slope does not explain, in lengths of the sole: a stair, a kerb.
const EDGE: f32 = 0.35;
/// How far a foot looks ahead, in seconds: as long as it takes to rise.
const AHEAD: f32 = 0.1;

/// Height in the middle and normal of the plane on which a sole lies, from the ground at its back and front.
fn plane_of(back: Vec3, behind: GroundPoint, front: Vec3, ahead: GroundPoint) -> Option<(f32, Vec3)> {
    let (across, rise) = (front - back, ahead.height - behind.height);
    let mean = behind.normal + ahead.normal;
    let level = Vec3::new(across.x, 0.0, across.z);
    let unexplained = rise + mean.dot(level) / mean.y;
    if unexplained * unexplained > EDGE * EDGE * level.length_squared() {
        // The sole rests on the upper side of an edge, and the rest of it is in the air.
        return Some(if rise > 0.0 { (ahead.height, ahead.normal) } else { (behind.height, behind.normal) });
    }
    // The slope along the foot is that from heel to ball, the one across it that of the ground's normals.
    let along = level + Vec3::Y * rise;
    let normal = direction(mean - along * (mean.dot(along) / along.length_squared()))?;
    Some((0.5 * (behind.height + ahead.height), normal))
}

/// The ground at a place; none where the answer makes no sense.
#[inline]
fn ask(place: Vec3, around: &Surroundings<'_>) -> Option<GroundPoint> {
    around.ground.ground(place).and_then(sensible)
}

#[inline]
fn sensible(point: GroundPoint) -> Option<GroundPoint> {
    let normal = direction(point.normal).filter(|normal| normal.y > 0.0)?;
    point.height.is_finite().then_some(GroundPoint { height: point.height, normal })
}

/// The matrix followed by a turn.
#[inline]
pub(super) fn turned(turn: Quat, linear: &Mat3A) -> Mat3A {
    Mat3A::from_cols(rotated(turn, linear.x_axis), rotated(turn, linear.y_axis), rotated(turn, linear.z_axis))
}

/// The turn of an axis times the tangent of half the angle.
pub(super) fn turn_of(half_tangent: Vec3A) -> Quat {
    let scale = (1.0 + half_tangent.length_squared()).sqrt().recip();
    Quat::from_vec4((half_tangent * scale).extend(scale))
}

/// The axis of a turn times the tangent of half the angle; turns of more than about 150 degrees count as that.
pub(super) fn half_tangent(turn: Quat) -> Vec3A {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    Vec3A::from_vec4(turn.into()) / turn.w.max(0.25)
}
