use glam::{Quat, Vec3};

use super::collider::Capsule;
use crate::math::direction::direction;
use crate::procedural::turn::arc;
use crate::state::stateful;

/// Settings of a chain of springs. Numbers that are not finite, and negative ones that make no sense, count as zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpringSettings {
    /// How strongly a bone is pulled to its position in the pose, in 1/s²: the acceleration in metres per second² for
    /// each metre of distance. A free bone swings `sqrt(stiffness) / 2π` times per second. Default 80.
    pub stiffness: f32,
    /// How fast motion in world space decays, in 1/s: by a factor of e in `1 / damping` seconds. Default 5.
    pub damping: f32,
    /// Gravity in world space, in m/s²; default 9.81 down.
    pub gravity: Vec3,
    /// Radius of the bones' ends in metres, for collisions; default 0.01.
    pub radius: f32,
}

stateful!(SpringSettings { stiffness, damping, gravity, radius });

impl Default for SpringSettings {
    fn default() -> Self {
        Self { stiffness: 80.0, damping: 5.0, gravity: Vec3::new(0.0, -9.81, 0.0), radius: 0.01 }
    }
}

impl SpringSettings {
    /// The same with every number finite and in its range.
    pub(super) fn checked(&self) -> Self {
        let positive = |value: f32| if value > 0.0 { value.min(1e9) } else { 0.0 };
        Self {
            stiffness: positive(self.stiffness),
            damping: positive(self.damping),
            gravity: if self.gravity.is_finite() { self.gravity.clamp_length_max(1e6) } else { Vec3::ZERO },
            radius: positive(self.radius),
        }
    }
}

/// The pose of a chain in one frame: what the springs are pulled to.
#[derive(Debug, Clone, Default)]
pub(super) struct Guide {
    /// Where the first bone begins, and how its parent's axes lie; in the world.
    pub head: Vec3,
    pub parent: Quat,
    /// The curvature of the head's path since the previous frame: its acceleration times the square of the frame's
    /// time.
    pub curve: Vec3,
    pub bones: Vec<Bone>,
    pub capsules: Vec<Capsule>,
}

stateful!(Guide { head, parent, curve, bones, capsules });

/// One bone of a guide.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bone {
    /// The joint's rotation against the bone before it.
    pub local: Quat,
    /// The direction of the bone in the joint's own axes; unit length, or zero for a bone without length.
    pub way: Vec3,
    /// Its length in metres.
    pub length: f32,
}

stateful!(Bone { local, way, length });

/// The far end of a bone.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Point {
    pub place: Vec3,
    pub velocity: Vec3,
}

stateful!(Point { place, velocity });

impl Guide {
    /// The same buffers for another frame.
    pub fn copy_from(&mut self, other: &Self) {
        self.head = other.head;
        self.parent = other.parent;
        self.curve = other.curve;
        self.bones.clone_from(&other.bones);
        self.capsules.clone_from(&other.capsules);
    }

    /// Where the bones' ends are in the pose.
    pub fn settle(&self, points: &mut [Point]) {
        let (mut head, mut rotation) = (self.head, self.parent);
        for (bone, point) in self.bones.iter().zip(points) {
            rotation *= bone.local;
            head += rotation * bone.way * bone.length;
            *point = Point { place: head, velocity: Vec3::ZERO };
        }
    }
}

/// Lets `seconds` pass: a short time, the same one every time. The pose is between two guides, at `amount` from 0 to 1.
///
/// The spring and the brake act by their value at the end of the step, which cannot overshoot whatever their strength; then the
/// bone is brought back to its length and out of the colliders, and the velocity is what all of that came to.
pub(super) fn step(
    points: &mut [Point],
    [from, to]: [&Guide; 2],
    amount: f32,
    seconds: f32,
    settings: &SpringSettings,
) {
    if !(seconds > 0.0) {
        return;
    }
    let mut head = from.head.lerp(to.head, amount) + to.curve * (0.5 * amount * (amount - 1.0));
    let mut rotation = nlerp(from.parent, to.parent, amount);
    let yielding = 1.0 + seconds * settings.damping + seconds * seconds * settings.stiffness;
    for (index, point) in points.iter_mut().enumerate() {
        let (Some(before), Some(bone)) = (from.bones.get(index), to.bones.get(index)) else { return };
        rotation *= nlerp(before.local, bone.local, amount);
        let rest_way = rotation * bone.way;
        let goal = head + rest_way * bone.length;
        let pull = settings.gravity + (goal - point.place) * settings.stiffness;
        let velocity = (point.velocity + pull * seconds) / yielding;
        let place = point.place + velocity * seconds;
        let mut way = direction(place - head).unwrap_or(rest_way);
        way = out_of_capsules(way, head, bone.length, [from, to], amount, settings.radius);
        let place = head + way * bone.length;
        *point = Point { velocity: (place - point.place) / seconds, place };
        if bone.length > 0.0 {
            rotation = arc(rest_way, way) * rotation;
        }
        head = place;
    }
}

/// The direction of a bone of this length that keeps its end outside the colliders, as far as its length allows.
fn out_of_capsules(mut way: Vec3, head: Vec3, length: f32, [from, to]: [&Guide; 2], amount: f32, radius: f32) -> Vec3 {
    /// Pushing out and keeping the length disturb each other; both are right after a few rounds, if they can be.
    const ROUNDS: usize = 4;
    for _ in 0..ROUNDS {
        let mut is_free = true;
        for (before, now) in from.capsules.iter().zip(&to.capsules) {
            if let Some(place) = before.lerp(now, amount).push_out(head + way * length, radius) {
                is_free = false;
                way = direction(place - head).unwrap_or(way);
            }
        }
        if is_free {
            break;
        }
    }
    way
}

/// The rotation between two that are near each other.
pub(super) fn nlerp(from: Quat, to: Quat, amount: f32) -> Quat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    let mixed = from * (1.0 - amount) + to * amount;
    let length = mixed.length();
    if length > 1e-6 { mixed / length } else { to }
}
