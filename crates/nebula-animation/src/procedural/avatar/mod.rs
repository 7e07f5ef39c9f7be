//! Layers for what a file says of its avatar: constraints, the gaze of its eyes, springs.

mod constraints;
mod gaze;

pub use constraints::JointConstraints;
pub use gaze::EyeGazeLayer;

use super::ProceduralLayer;
use super::springs::SpringJoints;
use crate::rig::avatar::{Avatar, EyeGazeKind};

/// The layers of an avatar in the order in which they belong behind a pose: the gaze, where eyes are joints, then what follows other joints, then what
/// swings. The eyes stay as the pose has them until the gaze is told a target: [`EyeGazeLayer::target`].
///
/// ```
/// use nebula_animation::ProceduralAnimationStack;
/// use nebula_animation::procedural::avatar;
/// use nebula_animation::rig::avatar::Avatar;
///
/// let mut stack = ProceduralAnimationStack::default();
/// stack.layers.extend(avatar::layers(&Avatar::default()));
/// ```
#[must_use]
pub fn layers(avatar: &Avatar) -> Vec<Box<dyn ProceduralLayer>> {
    let mut layers: Vec<Box<dyn ProceduralLayer>> = Vec::new();
    if let Some(gaze) = avatar.gaze.filter(|gaze| gaze.kind == EyeGazeKind::Joints) {
        layers.push(Box::new(EyeGazeLayer::new(gaze)));
    }
    if !avatar.constraints.is_empty() {
        layers.push(Box::new(JointConstraints::new(avatar.constraints.clone())));
    }
    for chain in &avatar.springs {
        layers.push(Box::new(SpringJoints::new(chain.clone())));
    }
    layers
}
