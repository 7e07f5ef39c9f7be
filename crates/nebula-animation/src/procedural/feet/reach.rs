//! Legs that are nearly straight: the heel rises, and then the foot comes off the ground.

use glam::{Quat, Vec3A};

use super::foot::ease;
use super::settings::FootSettings;
use super::step::{Step, Target};
use super::swing::{Swing, soft_max};
use crate::procedural::turn::{arc, rotated};
use crate::rig::{Leg, forwards};

/// From where a leg stretches as far as it may until it is as straight as it gets, in lengths of the leg: knees slow down over this.
const SOFT: f32 = 0.015;

/// The cosine of how far a heel rises at most because the leg does not reach: half a right angle.
const STEEPEST_HEEL: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// Brings a foot to where its leg reaches from a hip in model space, and away from where it does not fold.
pub(super) fn within_reach(
    leg: &Leg,
    step: &Step,
    swing: Option<&Swing>,
    hip: Vec3A,
    target: &mut Target,
    settings: &FootSettings,
) {
    let span = step.hip.distance(step.ankle);
    let stretch = if settings.max_stretch > 0.0 { settings.max_stretch.min(1.0) } else { 1.0 };
    let (free, soft) = (span.max(stretch * step.length), SOFT * step.length);
    let distance = hip.distance(target.ankle);
    let reached = if distance > free { free + soft * (distance - free) / (soft + distance - free) } else { distance };
    if reached < distance {
        let lifting = swing.map_or(1.0, Swing::skimming);
        if lifting > 0.0 {
            lift_heel(leg, step, hip, target, distance + (reached - distance) * lifting);
        }
    }
    let away = target.ankle - hip;
    let distance = away.length();
    let folded = match swing {
        Some(swing) => {
            let soft = 0.2 * leg.folded * step.length;
            let nearest = (span - soft).min(leg.folded * step.length);
            distance + swing.held() * (soft_max(distance, nearest, soft) - distance)
        }
        None => distance,
    };
    let reached = if distance > free { reached } else { folded };
    if reached != distance && distance > 1e-6 * step.length {
        target.ankle = hip + away * (reached / distance);
    }
}

/// Rotates a foot about the tip of its toes until its ankle is so far from the hip, as people do whose leg is too short for a slope.
fn lift_heel(leg: &Leg, step: &Step, hip: Vec3A, target: &mut Target, wanted: f32) {
    let Some(side) = rotated(target.rotation, leg.side).try_normalize() else { return };
    let level = side.with_y(0.0);
    let ahead = forwards(level);
    let points = step.points.iter().map(|point| rotated(target.rotation, *point));
    let Some(tip) = points.max_by(|a, b| a.dot(ahead).total_cmp(&b.dot(ahead))) else { return };
    // In the plane across the axis: the ankle and the hip from the tip.
    let (ankle, hip) = (-tip, hip - target.ankle - tip);
    let beside = (hip - ankle).dot(side);
    let (ankle, hip) = (ankle - side * ankle.dot(side), hip - side * hip.dot(side));
    let (near, far) = (ankle.length(), hip.length());
    if !(near > 1e-6 * step.length && far > near) {
        return;
    }
    let (ankle_way, hip_way) = (ankle / near, hip / far);
    let cosine = (beside * beside + near * near + far * far - wanted * wanted) / (2.0 * near * far);
    // The heel rises, towards the hip, or stays.
    let across = ankle_way - hip_way * ankle_way.dot(hip_way);
    let Some(across) = across.try_normalize() else { return };
    if ankle_way.dot(hip_way) >= cosine || ankle_way.cross(hip_way).dot(side) < 0.0 {
        return;
    }
    let cosine = cosine.min(1.0);
    let lifted = hip_way * cosine + across * (1.0 - cosine * cosine).max(0.0).sqrt();
    let most = ankle_way * STEEPEST_HEEL
        + (lifted - ankle_way * lifted.dot(ankle_way)).normalize_or_zero()
            * (1.0 - STEEPEST_HEEL * STEEPEST_HEEL).sqrt();
    let turn: Quat = arc(ankle_way, if lifted.dot(ankle_way) < STEEPEST_HEEL { most } else { lifted });
    target.ankle += tip + rotated(turn, -tip);
    target.rotation = turn * target.rotation;
}

impl Swing {
    /// How near the foot is to the floor of its clip, from 1 to 0 where it is clearly above.
    fn skimming(&self) -> f32 {
        1.0 - self.held()
    }

    /// How clearly the foot is above the floor of its clip, from 0 to 1.
    fn held(&self) -> f32 {
        ease((self.height / LOW).min(1.0))
    }
}

/// How high above the floor a foot is that is about to land, in lengths of the leg.
const LOW: f32 = 0.1;
