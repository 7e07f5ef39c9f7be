//! Layers for VRM avatars: constraints, gaze, spring bones.

mod constraints;
mod gaze;

pub use constraints::JointConstraints;
pub use gaze::EyeGazeLayer;

use super::ProceduralLayer;
use super::springs::SpringJoints;
use crate::rig::avatar::{Avatar, EyeGazeKind};

/// The layers of an avatar, in the order in which they are applied: gaze, if the eyes are joints; then joints that
/// follow others; then springs. The eyes stay as they are in the pose until you set [`EyeGazeLayer::target`].
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
