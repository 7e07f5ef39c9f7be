use glam::{DMat3, DQuat, DVec3};

use super::rig::Rig;

/// A pose while it is being authored.
///
/// Every rotation is given in the *model's* axes, relative to the parent, with the rest pose as zero: a rig whose joints
/// point along X is posed by the same numbers as one whose joints rest parallel to the model.
#[derive(Clone, Debug)]
pub(super) struct Pose {
    /// Rotation of each joint against its parent.
    pub turns: Vec<DQuat>,
    /// Displacement of each joint from its rest place, in the parent's turned frame, in metres.
    pub shifts: Vec<DVec3>,
}

/// Where each joint of a [`Pose`] is in model space.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub positions: Vec<DVec3>,
    /// Rotation of each joint against its own rest pose, in the model's axes.
    pub turns: Vec<DQuat>,
}

/// The joints of a limb that bends in the middle: thigh, shin and foot, or upper arm, forearm and hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limb {
    pub upper: usize,
    pub lower: usize,
    pub end: usize,
    /// The rest direction about which the lower part bends, in the model's axes; a positive turn bends it.
    pub hinge: DVec3,
}

impl Pose {
    /// The rest pose of `rig`.
    pub fn rest(rig: &Rig) -> Self {
        let count = rig.joints.len();
        Self { turns: vec![DQuat::IDENTITY; count], shifts: vec![DVec3::ZERO; count] }
    }

    /// Forward kinematics.
    pub fn placed(&self, rig: &Rig) -> Placed {
        let mut placed = Placed { positions: Vec::new(), turns: Vec::new() };
        for (index, joint) in rig.joints.iter().enumerate() {
            let (origin, turn) = match joint.parent {
                Some(parent) => (placed.positions[parent], placed.turns[parent]),
                None => (DVec3::ZERO, DQuat::IDENTITY),
            };
            placed.positions.push(origin + turn * (rig.offset(index) + self.shifts[index]));
            placed.turns.push((turn * self.turns[index]).normalize());
        }
        placed
    }

    /// The joint's translation and rotation in its parent's frame, as glTF stores them.
    pub fn local(&self, rig: &Rig, joint: usize) -> (DVec3, DQuat) {
        let from_model = rig.parent_axes(joint).inverse();
        let translation = from_model * (rig.offset(joint) + self.shifts[joint]);
        (translation, (from_model * self.turns[joint] * rig.joints[joint].axes).normalize())
    }

    /// Bends a limb so that its end joint reaches `target` and the middle joint lies towards `pole` from the straight
    /// line, then gives the end joint the model-space turn `end_turn`. A target out of reach is approached as far as
    /// the limb goes.
    pub fn reach(&mut self, rig: &Rig, limb: &Limb, target: DVec3, pole: DVec3, end_turn: DQuat) {
        let placed = self.placed(rig);
        let parent_turn = rig.joints[limb.upper].parent.map_or(DQuat::IDENTITY, |parent| placed.turns[parent]);
        let start = placed.positions[limb.upper];
        let (upper_rest, lower_rest) = (rig.offset(limb.lower), rig.offset(limb.end));
        let (upper_length, lower_length) = (upper_rest.length(), lower_rest.length());

        let towards = (target - start).try_normalize().unwrap_or(DVec3::NEG_Y);
        let shortest = (upper_length - lower_length).abs() + 1e-6;
        let distance = start.distance(target).clamp(shortest, (upper_length + lower_length) * (1.0 - 1e-9));
        let along =
            (distance * distance + upper_length * upper_length - lower_length * lower_length) / (2.0 * distance);
        let aside = (upper_length * upper_length - along * along).max(0.0).sqrt();
        let bend = (pole - towards * pole.dot(towards)).try_normalize().unwrap_or(DVec3::Z);
        let middle = start + towards * along + bend * aside;
        let end = start + towards * distance;
        // A lower part that folds away from the pole turns about this axis by the right-hand rule.
        let hinge = bend.cross(towards);

        let upper_turn = frame(middle - start, hinge) * frame(upper_rest, limb.hinge).transpose();
        let lower_turn = frame(end - middle, hinge) * frame(lower_rest, limb.hinge).transpose();
        let (upper_turn, lower_turn) = (DQuat::from_mat3(&upper_turn), DQuat::from_mat3(&lower_turn));
        self.turns[limb.upper] = (parent_turn.inverse() * upper_turn).normalize();
        self.turns[limb.lower] = (upper_turn.inverse() * lower_turn).normalize();
        self.turns[limb.end] = (lower_turn.inverse() * end_turn).normalize();
    }
}

/// The right-handed frame whose first axis is `along` and whose second lies as close to `across` as it can.
fn frame(along: DVec3, across: DVec3) -> DMat3 {
    let x = along.try_normalize().unwrap_or(DVec3::X);
    let y = (across - x * across.dot(x)).try_normalize().unwrap_or_else(|| x.any_orthonormal_vector());
    DMat3::from_cols(x, y, x.cross(y))
}
