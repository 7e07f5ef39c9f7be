use glam::{Mat3A, Quat, Vec3, Vec3A};

use super::foot::Surroundings;
use crate::frame::GroundPoint;
use crate::math::direction::direction_of;
use crate::procedural::turn::{arc, rotated};
use crate::rig::{Leg, Sole};
use crate::state::stateful;

/// A footprint: a place on the ground, and which place of the clip's floor it stands for.
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
    /// How far the clip has turned the foot on its floor since it was locked.
    pub turn: Quat,
    /// Takes directions of model space to the world on level ground.
    pub linear: Mat3A,
    /// How the ground turns what stands on it.
    pub tilt: Quat,
    /// How what has no turn of its own lies in the world: by the entity, then by the ground.
    pub rotation: Quat,
    /// Whether there is ground that a foot can stand on.
    pub is_good: bool,
}

stateful!(Print { place, normal, velocity, spot, turn, linear, tilt, rotation, is_good });

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
            is_good: false,
        }
    }
}

impl Print {
    /// Takes a direction of model space to the world, tilted by the ground.
    #[inline]
    pub fn vector(&self, vector: Vec3A) -> Vec3A {
        rotated(self.tilt, self.linear * vector)
    }
}

/// Makes the footprint that the foot would make now, moved along the ground by an offset. A foot that swings, whose footprint was at
/// `before` a frame ago, looks ahead for edges that it could hit.
#[inline]
pub(super) fn print_below(
    print: &mut Print,
    leg: &Leg,
    sole: &Sole,
    offset: Vec3A,
    before: Option<Vec3A>,
    around: &Surroundings<'_>,
) {
    let (stand, settings) = (around.stand, around.settings);
    let half = sole.forwards() * (0.5 * leg.sole_length);
    let middle = sole.footprint(half, sole.ball_share(leg, stand.floor), stand.floor);
    let linear = &stand.world_from_model.matrix3;
    let along = linear.x_axis * half.x + linear.z_axis * half.z;
    let place = stand.point(middle) + offset;
    let (back, front) = (place - along, place + along);
    let length = leg.length * stand.scale;
    let is_walkable = |surface: &Surface| {
        surface.normal.y >= around.steepest && (surface.height - place.y).abs() <= settings.max_step * length
    };
    // Both are asked before either answer is looked at, so that neither has to wait for the other.
    let (behind, ahead) = (around.ground.ground(back.into()), around.ground.ground(front.into()));
    let plane = match (behind.and_then(sensible), ahead.and_then(sensible)) {
        (Some(behind), Some(ahead)) => plane_of(back, &behind, front, &ahead),
        (behind, ahead) => behind.or(ahead),
    };
    let (mut height, normal, is_good) = match plane {
        Some(plane) if is_walkable(&plane) => (plane.height, plane.normal, true),
        // The foot is let go: it goes on as the clip has it, which the fade hides.
        _ => (place.y, stand.up, false),
    };
    if let Some(before) = before.filter(|_| is_good && around.dt > 0.0) {
        let ahead = (place - before).with_y(0.0) * (AHEAD * around.rate);
        let next = front + ahead.clamp_length_max(1.5 * leg.sole_length * stand.scale);
        let away = next - place;
        // Above the plane on which the sole lies, times how steep that is.
        let highest = EDGE * leg.sole_length * stand.scale * normal.y - (normal.x * away.x + normal.z * away.z);
        let is_edge = |edge: &GroundPoint| (edge.height - height) * normal.y > highest;
        if let Some(edge) = around.ground.ground(next.into()).filter(is_edge).and_then(sensible)
            && is_walkable(&edge)
        {
            height = height.max(edge.height);
        }
    }
    let tilt = arc(stand.up, normal);
    print.place = place.with_y(height);
    print.normal = normal;
    print.velocity = velocity_of(behind, ahead);
    print.spot = middle;
    print.turn = Quat::IDENTITY;
    print.linear = *linear;
    print.tilt = tilt;
    print.rotation = tilt * stand.rotation;
    print.is_good = is_good;
}

/// A rise that the ground's own slope does not explain, in lengths of the sole: a stair, a kerb.
const EDGE: f32 = 0.35;
/// How far a foot looks ahead, in seconds: as long as it takes to rise.
const AHEAD: f32 = 0.1;

/// A [`GroundPoint`] that makes sense: finite, and its normal of unit length.
#[derive(Debug, Clone, Copy)]
struct Surface {
    height: f32,
    normal: Vec3A,
}

/// Height in the middle and normal of the plane on which a sole lies, from the ground at its back and front.
#[inline(always)]
fn plane_of(back: Vec3A, behind: &Surface, front: Vec3A, ahead: &Surface) -> Option<Surface> {
    let rise = ahead.height - behind.height;
    let mean = behind.normal + ahead.normal;
    let level = (front - back).with_y(0.0);
    // Times the steepness of the mean, which is above zero.
    let unexplained = rise * mean.y + mean.dot(level);
    if unexplained * unexplained > EDGE * EDGE * level.length_squared() * (mean.y * mean.y) {
        // The sole rests on the upper side of an edge, and the rest of it is in the air.
        return Some(if rise > 0.0 { *ahead } else { *behind });
    }
    // The slope along the foot is that from heel to ball, the one across it that of the ground's normals.
    let along = level.with_y(rise);
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

/// What an answer comes to; none where it makes no sense.
#[inline]
fn sensible(point: GroundPoint) -> Option<Surface> {
    let GroundPoint { height, normal, .. } = point;
    if !height.is_finite() || !(normal.y > 0.0) {
        return None;
    }
    Some(Surface { height, normal: direction_of(normal.into())? })
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
