//! Changes of a pose that the layers of this crate make through internal calls, and other layers through the public
//! API.

use glam::{Quat, Vec3, Vec3A};

use super::ModelPose;
use super::placed::Even;
use super::scratch::squares;
use super::turn::{arc_between, rotated};
use crate::skeleton::JointPose;

impl ModelPose<'_> {
    /// Changes a joint that is remembered, and forgets where those below it are. The change returns the sum of the squares of what it
    /// has written.
    #[inline(always)]
    pub(super) fn change(&mut self, joint: u16, change: impl FnOnce(&mut JointPose) -> f32) {
        let Some(mut pose) = self.local.find(joint) else { return };
        self.scratch.remember(joint, &pose);
        self.scratch.note(change(&mut pose));
        self.local.set(usize::from(joint), pose);
        self.scratch.forget(self.rig.links()[usize::from(joint)]);
    }

    /// Turns a joint by a rotation in its parent's space.
    pub(super) fn turn(&mut self, joint: u16, delta: Quat) {
        let Some((_, rotation, _)) = self.local.find(joint) else { return };
        self.set_local_rotation(joint, delta * rotation);
    }

    /// Sets the rotation of a joint relative to its parent.
    #[inline]
    pub(super) fn set_local_rotation(&mut self, joint: u16, rotation: Quat) {
        let Some(mut pose) = self.local.find(joint) else { return };
        self.scratch.remember(joint, &pose);
        self.scratch.note(set_unit(&mut pose.1, rotation));
        self.local.set_rotation(usize::from(joint), pose.1);
        self.scratch.forget(self.rig.links()[usize::from(joint)]);
    }

    /// Sets the rotation of a joint that exists, which is of unit length, and keeps no record of it.
    #[inline]
    pub(super) fn put_rotation(&mut self, joint: u16, rotation: Quat) {
        self.local.set_rotation(usize::from(joint), rotation);
        self.scratch.forget_if_known(self.rig.links()[usize::from(joint)]);
    }

    /// Sets the rotation of a joint that exists, whose local pose is known, and its origin in model space, as is where its parent is.
    #[inline]
    pub(super) fn set_turned(&mut self, joint: u16, mut pose: JointPose, rotation: Quat, origin: Vec3A) {
        self.scratch.remember(joint, &pose);
        self.scratch.note(set_unit(&mut pose.1, rotation));
        self.local.set_rotation(usize::from(joint), pose.1);
        let link = self.rig.links()[usize::from(joint)];
        let above = self.scratch.known(link.above);
        match above.and_then(|above| above.even().of_child_at(origin, pose.1, &pose.2)) {
            Some(even) => self.scratch.put(link, even),
            None => self.scratch.forget(link),
        }
    }

    /// Sets a joint's rotation in model space. It is even, and the new position of its origin is known.
    #[inline]
    pub(super) fn set_placed(&mut self, joint: u16, rotation: Quat, origin: Vec3A, scale: f32) {
        let above = self.above(joint).rotation();
        let Some(mut pose) = self.local.find(joint) else { return };
        self.scratch.remember(joint, &pose);
        self.scratch.note(set_unit(&mut pose.1, above.conjugate() * rotation));
        self.local.set_rotation(usize::from(joint), pose.1);
        self.scratch.put(self.rig.links()[usize::from(joint)], Even { rotation, translation: origin, scale });
    }

    /// As [`point`](ModelPose::point).
    pub(super) fn point_at(&mut self, joint: u16, axis_in_joint: Vec3A, direction: Vec3A) {
        if !axis_in_joint.is_finite() || !direction.is_finite() {
            return self.reject();
        }
        let (_, rotation, scale) = self.local(joint);
        let wanted = self.above(joint).way_from_model(direction);
        let current = rotated(rotation, Vec3A::from(scale) * axis_in_joint);
        if let Some(turn) = arc_between(current, wanted) {
            self.turn(joint, turn);
        }
    }

    /// Rotates a joint by a rotation in model space, exactly so that a direction in its own space ends up pointing
    /// along a direction in model space. If the rotation is the shortest one, as it always is except for half turns,
    /// pointing is all it takes.
    pub(super) fn turn_and_point(&mut self, joint: u16, turn: Quat, axis_in_joint: Vec3A, direction: Vec3A) {
        if turn.w.abs() < 0.05 {
            self.rotate_in_model(joint, turn);
        }
        self.point_at(joint, axis_in_joint, direction);
    }

    /// Multiplies the scale of a joint.
    pub(super) fn grow(&mut self, joint: u16, factor: f32) {
        self.change(joint, |pose| {
            pose.2 *= factor;
            pose.2.length_squared()
        });
    }

    /// Moves and rotates a joint in model space, and multiplies its scale: that of the third axis by its own factor.
    /// The offset and the rotation are finite.
    pub(super) fn move_and_grow(&mut self, joint: u16, offset: Vec3A, turn: Quat, [factor, third]: [f32; 2]) {
        let above = self.above(joint);
        let (offset, turn) = (Vec3::from(above.vector_from_model(offset)), above.turn_from_model(turn));
        self.change(joint, |pose| {
            if offset.is_finite() {
                pose.0 += offset;
            }
            if let Some(turn) = turn {
                let turned = turn * pose.1;
                set_unit(&mut pose.1, turned);
            }
            pose.2 *= Vec3::new(factor, factor, third);
            squares(pose)
        });
    }
}

/// The rotation brought to unit length, and the square of the length that it has then. Rotations that are of unit length but for
/// rounding stay as they are.
#[inline]
pub(super) fn unit(rotation: Quat) -> (Quat, f32) {
    let length_squared = rotation.length_squared();
    let is_unit = (length_squared - 1.0).abs() < 1e-6;
    if is_unit { (rotation, length_squared) } else { shortened(rotation, length_squared) }
}

#[inline(never)]
fn shortened(rotation: Quat, length_squared: f32) -> (Quat, f32) {
    let rotation = rotation * length_squared.sqrt().recip();
    (rotation, rotation.length_squared())
}

/// Writes a rotation of unit length. The sum of the squares of what was written.
#[inline(always)]
fn set_unit(kept: &mut Quat, rotation: Quat) -> f32 {
    let (rotation, length_squared) = unit(rotation);
    *kept = rotation;
    length_squared
}
