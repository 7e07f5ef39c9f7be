use glam::Vec2;

use super::Change;
#[cfg(feature = "serde")]
use super::serial;
use crate::skeleton::JointPose;

/// What the mixer made of clips, for one joint.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MixerPart {
    /// The rest pose, on which the base layer stands.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::pose"))]
    pub rest: JointPose,
    /// The layers, from the base layer up.
    pub layers: Vec<LayerPart>,
    /// What inertialised fades have left.
    pub inertia: Option<InertiaPart>,
    /// What differs because something was changed since the last update, or because a number was not finite; `None` otherwise.
    pub since: Option<Change>,
    /// What it comes to.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::pose"))]
    pub pose: JointPose,
}

/// A layer of the mixer.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LayerPart {
    /// The layer, counted from the base layer.
    pub layer: usize,
    /// Its name.
    pub name: String,
    /// Whether it is added to what is below; otherwise it replaces that.
    pub is_additive: bool,
    /// Its weight, from 0 to 1.
    pub weight: f32,
    /// How much its mask lets the joint take part, from 0 to 1; `None` where there is no mask.
    pub mask: Option<f32>,
    /// How opaque its levels are together, from 0 to 1: actions have weights, and above the base layer nothing plays where they end.
    pub opacity: f32,
    /// How far it takes the joint from what is below to its own pose: weight times mask times opacity.
    pub fraction: f32,
    /// What is shown in it, the oldest first: each takes over from those before it. Empty where nothing plays or the weight is 0.
    pub levels: Vec<LevelPart>,
    /// The pose of its levels together; of an additive layer, a difference.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::pose"))]
    pub own: JointPose,
    /// How it changes what is below it.
    pub change: Change,
    /// The pose with this layer on top.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::pose"))]
    pub pose: JointPose,
}

/// What a layer shows, or showed before it began to fade to something else.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LevelPart {
    /// What it is.
    pub source: LevelSource,
    /// The fade into it; `None` for the lowest one, which has nothing to take over from.
    pub fade: Option<FadePart>,
    /// How far it takes the joint from the levels below to its own pose, from 0 to 1: along the arc, in the half of its quaternion.
    pub fraction: f32,
    /// Its share of the layer, from 0 to 1.
    pub share: f32,
    /// Its pose. The quaternion is the one of the two along which it is blended.
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
    /// A pose that stands still: what was left of fades that were interrupted too often.
    Standing,
    /// An action.
    Action(Box<ActionPart>),
}

/// An action of the mixer, and its clock.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ActionPart {
    /// Its number in the layer.
    pub id: u64,
    /// Its weight, from 0 to 1.
    pub weight: f32,
    /// Seconds of its clock since it was started; passes of a blend space.
    pub total_time: f64,
    /// Where in the pass it is, in seconds of the clip, or from 0 to 1 in a blend space.
    pub time: f32,
    /// Number of the pass, from 0.
    pub pass: i64,
    /// Seconds of the clip per second.
    pub speed: f32,
    /// Whether time passes in it.
    pub is_playing: bool,
    /// The blend space, by its number in the mixer, and where that is looked at; `None` for a single clip.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::place"))]
    pub space: Option<(usize, Vec2)>,
    /// The clips that it shows, with weights that add up to 1: their weighted mean is its pose.
    pub clips: Vec<ClipPart>,
}

/// A clip that an action shows.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ClipPart {
    /// The clip, by its index in the library.
    pub clip: usize,
    /// Its name.
    pub name: String,
    /// The time that is shown, in seconds of the clip.
    pub time: f32,
    /// Its weight in the action, from 0 to 1.
    pub weight: f32,
    /// The pose that it has for the joint.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::pose"))]
    pub pose: JointPose,
}

/// A fade.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FadePart {
    /// `linear`, `smooth` or `inertialised`.
    pub curve: String,
    /// How long it takes.
    pub seconds: f32,
    /// How far it is, as time goes: from 0 to 1.
    pub progress: f32,
}

/// A difference that dies away.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct InertiaPart {
    /// What is left of it.
    pub change: Change,
    /// How far its fade is, from 0 to 1.
    pub progress: f32,
    /// Seconds until it is gone.
    pub seconds_left: f32,
}
