//! Twist joints that only the target has: they share the twist of the limb that they lie in.

use glam::{DQuat, DVec3};

use super::bake::{Figure, key_times};
use super::report::{Unpaired, WhyUnpaired};
use super::rest::{Rest, unit};
use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe};
use crate::rig::Rig;
use crate::sample::sample_pose;
use crate::skeleton::HumanoidJoint as J;
use crate::skeleton::{HumanoidMap, Side};

/// A joint that lies in a bone and helps its skin to twist.
#[derive(Debug, Clone)]
pub(super) struct Twist {
    joint: usize,
    /// The joint whose twist is shared: the bone's own for upper arms and thighs, the hand's or foot's for lower ones.
    told: usize,
    is_upper: bool,
    /// Along the bone, in its own space.
    axis: DVec3,
    /// How much of the twist: from 0 at the shoulder to 1 at the hand.
    share: f64,
}

/// A joint that both sides have.
type OfSide = fn(Side) -> J;

/// The twist joints of a target, of which the source has none: by their names, hanging from a bone of a limb, between its ends.
pub(super) fn twists(target: &Rig, map: &HumanoidMap, to: &Rest, sources: &[Option<usize>]) -> Vec<Twist> {
    let mut twists = Vec::new();
    let limbs: [(OfSide, OfSide, bool); 4] = [
        (J::UpperArm, J::LowerArm, true),
        (J::LowerArm, J::Hand, false),
        (J::UpperLeg, J::LowerLeg, true),
        (J::LowerLeg, J::Foot, false),
    ];
    for (start, end, is_upper) in limbs {
        for side in Side::BOTH {
            let both = map.get(start(side)).zip(map.get(end(side)));
            let Some((bone, end)) = both.map(|(bone, end)| (usize::from(bone), usize::from(end))) else { continue };
            let way = to.positions[end] - to.positions[bone];
            let (Some(along), true) = (way.try_normalize(), to.parent(end) == Some(bone)) else { continue };
            for joint in (bone + 1..sources.len()).filter(|joint| to.parent(*joint) == Some(bone)) {
                let name = target.joints[joint].name.to_lowercase();
                let is_named = ["twist", "roll"].iter().any(|word| name.contains(word));
                let is_alone = (joint..sources.len()).all(|it| sources[it].is_none() || !to.is_within(it, joint));
                let place = (to.positions[joint] - to.positions[bone]).dot(along) / way.length();
                if is_named && is_alone && (-0.01..=1.01).contains(&place) {
                    twists.push(Twist {
                        joint,
                        told: if is_upper { bone } else { end },
                        is_upper,
                        axis: to.rotations[bone].inverse() * along,
                        share: place.clamp(0.0, 1.0),
                    });
                }
            }
        }
    }
    twists
}

/// Tells of joints without a partner which of them share a twist.
pub(super) fn tell(twists: &[Twist], unpaired: &mut [Unpaired]) {
    let is_twist = |joint: u16| twists.iter().any(|twist| twist.joint == usize::from(joint));
    for unpaired in unpaired.iter_mut().filter(|unpaired| is_twist(unpaired.joint)) {
        unpaired.why = WhyUnpaired::SharesTwist;
    }
}

impl Twist {
    /// Gives the joint its share of the twist.
    pub fn spread(&self, target: &Figure, made: &mut AnimationClip) {
        let channels = made.rotation_channels.iter().filter(|channel| usize::from(channel.joint_index) == self.told);
        let times = key_times(channels.flat_map(|channel| &channel.keyframes).map(|key| key.time));
        let rest = |joint: usize| unit(target.skeleton.joints[joint].bind_rotation.as_dquat());
        // Whatever the whole turn of an upper arm is, its skin does not twist at the shoulder.
        let share = if self.is_upper { self.share - 1.0 } else { self.share };
        let mut pose = target.skeleton.bind_pose();
        let mut keyframes = Vec::with_capacity(times.len());
        let mut last = 0.0_f64;
        for time in times {
            sample_pose(made, &target.skeleton, time, &mut pose);
            let turned = unit(pose[self.told].1.as_dquat());
            let turn =
                if self.is_upper { rest(self.told).inverse() * turned } else { turned * rest(self.told).inverse() };
            let angle = 2.0 * turn.xyz().dot(self.axis).atan2(turn.w);
            // The same twist a whole turn on may be the nearer one.
            last += (angle - last + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI;
            let value = (DQuat::from_axis_angle(self.axis, share * last) * rest(self.joint)).as_quat();
            keyframes.push(Keyframe { time, value, tangents: None });
        }
        if !keyframes.is_empty() {
            let joint_index = self.joint as u16;
            made.rotation_channels.push(Channel { joint_index, interpolation: Interpolation::Linear, keyframes });
        }
    }
}
