use glam::{Quat, Vec3};

use super::fabrik::{ChainSettings, solve_chain};
use super::why;
use crate::explain::Reason;
use crate::math::direction::direction;
use crate::procedural::turn::arc;
use crate::procedural::{ModelPose, ProceduralContext, ProceduralLayer};
use crate::skeleton::JointPose;
use crate::state::stateful;

/// A layer that moves the end of a chain of joints to a position in the world: tails, tentacles, necks, spines.
///
/// Each bone takes the shortest rotation to its new direction. A target that is not finite, or a joint that does not
/// exist, is logged once, and the chain stays as it is.
///
/// ```
/// use glam::Vec3;
/// use nebula_animation::ProceduralAnimationStack;
/// use nebula_animation::procedural::ik::ChainIk;
///
/// let mut stack = ProceduralAnimationStack::default();
/// stack.push(ChainIk::new(vec![12, 13, 14, 15], Vec3::new(0.0, 0.5, -1.0)));
/// ```
#[derive(Debug, Clone)]
pub struct ChainIk {
    /// The target of the chain's end, in world space.
    pub target: Vec3,
    /// Accuracy, and limits of the joints.
    pub settings: ChainSettings,
    /// Blend weight, from 0 to 1.
    pub weight: f32,
    joints: Vec<u16>,
    /// The joints' places, and how far they are apart: memory for one frame.
    points: Vec<Vec3>,
    lengths: Vec<f32>,
    has_warned: bool,
}

impl ChainIk {
    /// A layer of full weight for these joints, from the fixed one to the one that reaches, each a descendant of the
    /// previous one. The target is in world space.
    #[must_use]
    pub fn new(joints: Vec<u16>, target: Vec3) -> Self {
        let count = joints.len();
        Self {
            target,
            settings: ChainSettings::default(),
            weight: 1.0,
            joints,
            points: Vec::with_capacity(count),
            lengths: Vec::with_capacity(count),
            has_warned: false,
        }
    }

    /// The joints, from the fixed one to the one that reaches.
    #[must_use]
    pub fn joints(&self) -> &[u16] {
        &self.joints
    }

    fn warn(&mut self, what: &str) {
        if !self.has_warned {
            self.has_warned = true;
            log::warn!("chain layer on joints {:?}: {what}, the chain stays as it is", self.joints);
        }
    }
}

impl ProceduralLayer for ChainIk {
    stateful!(given { target, settings, weight } kept {});

    fn evaluate(&self, _context: &ProceduralContext) -> JointPose {
        (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE)
    }

    fn target_joint(&self) -> u16 {
        self.joints.first().copied().unwrap_or(0)
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    fn modify(&mut self, _context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        if self.joints.len() < 2 || self.joints.iter().any(|&joint| usize::from(joint) >= pose.joint_count()) {
            return self.warn("a chain needs two joints that exist");
        }
        if !self.target.is_finite() {
            return self.warn("the target is not finite");
        }
        let target = pose.model_from_world().transform_point3(self.target);
        self.points.clear();
        self.points.extend(self.joints.iter().map(|&joint| pose.position(joint)));
        self.lengths.clear();
        self.lengths.extend(self.points.windows(2).map(|pair| pair[0].distance(pair[1])));
        if !solve_chain(&mut self.points, &self.lengths, target, &self.settings).is_finite() {
            return self.warn("its bones have no length");
        }
        for (pair, new) in self.joints.windows(2).zip(self.points.windows(2)) {
            let bone = pose.position(pair[1]) - pose.position(pair[0]);
            if let (Some(from), Some(to)) = (direction(bone), direction(new[1] - new[0])) {
                pose.rotate_in_model(pair[0], arc(from, to));
            }
        }
    }

    fn explain(&self, _context: &ProceduralContext, pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
        why::reasons(pose, &self.joints, self.target, reasons);
    }
}
