use glam::Vec2;

use super::Change;
#[cfg(feature = "serde")]
use super::serial;
use crate::skeleton::JointPose;

/// The contribution of the mixer to the pose of one joint.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MixerPart {
    /// The rest pose, which the base layer falls back to.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::pose"))]
    pub rest: JointPose,
    /// The layers, from the base layer up.
    pub layers: Vec<LayerPart>,
    /// What remains of inertialised fades.
    pub inertia: Option<InertiaPart>,
    /// The difference due to changes since the last update, or to a number that was not finite; `None` otherwise.
    pub since: Option<Change>,
    /// The result.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::pose"))]
    pub pose: JointPose,
}

/// A layer of the mixer.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LayerPart {
    /// The layer, by index from the base layer.
    pub layer: usize,
    /// Its name.
    pub name: String,
    /// Whether it is added to what is below instead of replacing it.
    pub is_additive: bool,
    /// Its weight, from 0 to 1.
    pub weight: f32,
    /// The mask's weight for the joint, from 0 to 1; `None` without a mask.
    pub mask: Option<f32>,
    /// The combined opacity of its levels, from 0 to 1: actions have weights, and a higher layer is transparent where
    /// nothing plays.
    pub opacity: f32,
    /// The weight of its pose against what is below: weight times mask times opacity.
    pub fraction: f32,
    /// Its actions and poses, oldest first: each fades from those before it. Empty if nothing plays or the weight is 0.
    pub levels: Vec<LevelPart>,
    /// The combined pose of its levels; for an additive layer, a difference.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::pose"))]
    pub own: JointPose,
    /// How it changes what is below.
    pub change: Change,
    /// The pose with this layer on top.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::pose"))]
    pub pose: JointPose,
}

/// One level of a layer: what it shows, or what it showed before a fade to something else.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LevelPart {
    /// Where its pose comes from.
    pub source: LevelSource,
    /// The fade into it; `None` for the lowest level, which has nothing to fade from.
    pub fade: Option<FadePart>,
    /// The weight of its pose against the levels below, from 0 to 1: along the arc, for its choice of quaternion sign.
    pub fraction: f32,
    /// Its share of the layer, from 0 to 1.
    pub share: f32,
    /// Its pose. Of the two quaternions for the rotation, the one that is blended.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::pose"))]
    pub pose: JointPose,
}

/// Where the pose of a level comes from.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum LevelSource {
    /// The rest pose: nothing plays in the base layer.
    Rest,
    /// A frozen pose: the remainder of fades that were interrupted too often.
    Standing,
    /// An action.
    Action(Box<ActionPart>),
}

/// An action of the mixer, and its clock.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ActionPart {
    /// Its id in the layer.
    pub id: u64,
    /// Its weight, from 0 to 1.
    pub weight: f32,
    /// Seconds of its clock since its start; passes for a blend space.
    pub total_time: f64,
    /// Its position in the pass, in clip seconds, or from 0 to 1 for a blend space.
    pub time: f32,
    /// Number of the pass, from 0.
    pub pass: i64,
    /// Clip seconds per second.
    pub speed: f32,
    /// Whether time passes in it.
    pub is_playing: bool,
    /// The blend space, by its number in the mixer, and its blend position; `None` for a single clip.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::place"))]
    pub space: Option<(usize, Vec2)>,
    /// The clips that it shows, with weights that sum to 1: their weighted mean is its pose.
    pub clips: Vec<ClipPart>,
}

/// A clip that an action shows.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ClipPart {
    /// The clip, by index in the library.
    pub clip: usize,
    /// Its name.
    pub name: String,
    /// The clip time that is shown, in seconds.
    pub time: f32,
    /// Its weight in the action, from 0 to 1.
    pub weight: f32,
    /// Its pose for the joint.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::pose"))]
    pub pose: JointPose,
}

/// A fade.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FadePart {
    /// `linear`, `smooth` or `inertialised`.
    pub curve: String,
    /// Its duration.
    pub seconds: f32,
    /// Progress in time, from 0 to 1.
    pub progress: f32,
}

/// A decaying difference.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct InertiaPart {
    /// What remains of it.
    pub change: Change,
    /// Progress of its fade, from 0 to 1.
    pub progress: f32,
    /// Seconds until it is gone.
    pub seconds_left: f32,
}
