//! What the parts of an explanation come to, in `f64` and by formulas of its own: none of the library's code.

use glam::{DQuat, DVec3};
use nebula_animation::JointPose;
use nebula_animation::explain::{Change, Explanation, LayerPart, LevelPart, LevelSource};

#[derive(Debug, Clone, Copy)]
pub struct Wide {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
}

impl Wide {
    pub fn of((translation, rotation, scale): JointPose) -> Self {
        let rotation = DQuat::from_array(rotation.to_array().map(f64::from));
        Self { translation: translation.as_dvec3(), rotation, scale: scale.as_dvec3() }
    }

    fn changed(self, change: &Change) -> Self {
        let turn = DQuat::from_array(change.turn.to_array().map(f64::from));
        Self {
            translation: self.translation + change.offset.as_dvec3(),
            rotation: turn * self.rotation,
            scale: self.scale + change.growth.as_dvec3(),
        }
    }

    /// The largest difference of any number, quaternions of either sign; lengths relative to those beyond one.
    pub fn difference(self, other: Self) -> f64 {
        let of = |a: DVec3, b: DVec3| (a - b).abs().max_element() / a.abs().max_element().max(1.0);
        let parts = |a: DQuat, b: DQuat| (0..4).map(|i| (a.to_array()[i] - b.to_array()[i]).abs()).fold(0.0, f64::max);
        let turn = parts(self.rotation, other.rotation).min(parts(self.rotation, -other.rotation));
        turn.max(of(self.translation, other.translation)).max(of(self.scale, other.scale))
    }
}

/// The arc from one quaternion to another: by sines where it is at most a right angle. Beyond that, as the documentation of cross-fades has
/// it, along the chord at the pace of a right angle.
fn arc(from: DQuat, to: DQuat, fraction: f64) -> DQuat {
    let angle = from.dot(to).clamp(-1.0, 1.0).acos();
    if angle < 1e-6 {
        return (from * (1.0 - fraction) + to * fraction).normalize();
    }
    let angle = angle.min(std::f64::consts::FRAC_PI_2);
    let part = 0.5 + ((fraction - 0.5) * angle).tan() / (2.0 * (0.5 * angle).tan());
    (from * (1.0 - part) + to * part).normalize()
}

fn shorter(from: DQuat, to: DQuat, fraction: f64) -> DQuat {
    arc(from, if from.dot(to) < 0.0 { -to } else { to }, fraction)
}

fn mixed(from: Wide, to: Wide, rotation: DQuat, fraction: f64) -> Wide {
    Wide {
        translation: from.translation.lerp(to.translation, fraction),
        rotation,
        scale: from.scale.lerp(to.scale, fraction),
    }
}

/// The pose of a level: the weighted mean of its clips, in the half of the quaternion that it says.
fn level(level: &LevelPart) -> Wide {
    let told = Wide::of(level.pose);
    let LevelSource::Action(action) = &level.source else { return told };
    let total: f64 = action.clips.iter().map(|clip| f64::from(clip.weight)).sum();
    assert!((total - 1.0).abs() < 1e-5, "weights add up to {total}");
    let mut sum = Wide { translation: DVec3::ZERO, rotation: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), scale: DVec3::ZERO };
    for clip in &action.clips {
        let (pose, weight) = (Wide::of(clip.pose), f64::from(clip.weight) / total);
        sum.translation += pose.translation * weight;
        sum.rotation += pose.rotation * weight;
        sum.scale += pose.scale * weight;
    }
    sum.rotation = sum.rotation.normalize();
    if sum.rotation.dot(told.rotation) < 0.0 {
        sum.rotation = -sum.rotation;
    }
    sum
}

fn layer(part: &LayerPart, below: Wide) -> Wide {
    let mut own: Option<Wide> = None;
    for part in &part.levels {
        let next = level(part);
        let fraction = f64::from(part.fraction);
        own = Some(own.map_or(next, |own| mixed(own, next, arc(own.rotation, next.rotation, fraction), fraction)));
    }
    let Some(own) = own else { return below };
    let fraction = f64::from(part.weight) * f64::from(part.mask.unwrap_or(1.0)) * f64::from(part.opacity);
    if part.is_additive {
        let identity = DQuat::IDENTITY;
        return Wide {
            translation: below.translation + own.translation * fraction,
            rotation: shorter(identity, own.rotation, fraction.min(1.0)) * below.rotation,
            scale: below.scale * (DVec3::ONE + (own.scale - DVec3::ONE) * fraction),
        };
    }
    mixed(below, own, shorter(below.rotation, own.rotation, fraction), fraction)
}

/// What the mixer's parts come to.
pub fn mixer(why: &Explanation) -> Wide {
    let mut pose = Wide::of(why.mixer.rest);
    for part in &why.mixer.layers {
        pose = layer(part, pose);
    }
    if let Some(inertia) = &why.mixer.inertia {
        pose = pose.changed(&inertia.change);
    }
    if let Some(since) = &why.mixer.since {
        pose = pose.changed(since);
    }
    pose
}

/// What all parts come to.
pub fn all(why: &Explanation) -> Wide {
    let mut pose = mixer(why);
    for part in &why.changes {
        pose = pose.changed(&part.change);
    }
    if let Some(untold) = &why.untold {
        pose = pose.changed(untold);
    }
    pose
}
