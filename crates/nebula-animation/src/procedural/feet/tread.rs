//! Stairs: where a sole finds room on one of them.

use glam::Vec3A;

use super::step::Surroundings;
use crate::rig::{Leg, Sole};

/// How many places are looked at in either direction, and how often the distance of two of them is halved for an edge between them.
const LOOKS: u8 = 5;
const HALVINGS: u8 = 4;
/// How far a foot lands from where its clip has it land, at most, in lengths of the leg.
const FARTHEST: f32 = 0.2;
/// What ground rises by between two places without a slope that explains it to be an edge, in lengths of the leg.
const EDGE: f32 = 0.04;
/// How far a sole may be beyond an edge where the ground falls, in lengths of itself.
const OVERHANG: f32 = 0.1;
/// How far it stays away from one where the ground rises: shoes are longer than their soles.
const WALL: f32 = 0.08;

/// How far to move a sole along the level ground, forwards or backwards, from a place of the world that its middle was to be on, so that all of it
/// is on one tread. Where the tread is too short, neither toes nor heel get into the next one.
pub(super) fn tread_near(place: Vec3A, leg: &Leg, sole: &Sole, around: &Surroundings<'_>) -> Vec3A {
    let stand = around.stand;
    let linear = &stand.world_from_model.matrix3;
    let forwards = sole.forwards();
    let along = (linear.x_axis * forwards.x + linear.z_axis * forwards.z) * leg.sole_length;
    let size = along.length();
    if !(size > 1e-6) {
        return Vec3A::ZERO;
    }
    let length = leg.length * stand.scale;
    let (farthest, edge) = (FARTHEST * length / size, EDGE * length);
    // In lengths of the sole from here on.
    let [back, front] = leg.sole_ends();
    let look = |at: f32| {
        let ground = around.ground.ground((place + along * at).into())?;
        let is_sound = ground.height.is_finite() && ground.normal.y > 0.1 && ground.normal.is_finite();
        is_sound.then(|| (ground.height, -Vec3A::from(ground.normal).dot(along) / ground.normal.y))
    };
    // How much the ground rises without a slope from one place to another.
    let rise = |(from, low): (f32, (f32, f32)), (to, high): (f32, (f32, f32))| {
        high.0 - low.0 - 0.5 * (low.1 + high.1) * (to - from)
    };
    let Some(middle) = look(0.0) else { return Vec3A::ZERO };
    // The first edge in a direction, and by how much the ground beyond is higher.
    let find = |end: f32| {
        let mut last = (0.0, middle);
        for count in 1..=LOOKS {
            let at = end * f32::from(count) / f32::from(LOOKS);
            let Some(ground) = look(at) else { return (last.0, f32::NEG_INFINITY) };
            let beyond = rise(last, (at, ground));
            if beyond.abs() > edge {
                let (mut near, mut far) = (last, at);
                for _ in 0..HALVINGS {
                    let middle = 0.5 * (near.0 + far);
                    match look(middle) {
                        Some(ground) if rise(near, (middle, ground)).abs() <= edge => near = (middle, ground),
                        _ => far = middle,
                    }
                }
                return (near.0, beyond);
            }
            last = (at, ground);
        }
        (end + end.signum(), 0.0)
    };
    let (behind, ahead) = (find(back - farthest), find(front + farthest));
    let margin = |(_, rise): (f32, f32)| if rise > 0.0 { WALL } else { -OVERHANG };
    let (least, most) = (behind.0 + margin(behind) - back, ahead.0 - margin(ahead) - front);
    let moved = if least <= most {
        0.0_f32.clamp(least, most)
    } else if ahead.1 > 0.0 {
        most.min(0.0)
    } else if behind.1 > 0.0 {
        least.max(0.0)
    } else {
        0.5 * (least + most)
    };
    (along * moved.clamp(-farthest, farthest)).with_y(0.0)
}
