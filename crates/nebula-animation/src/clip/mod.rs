//! Animation as authored: keyframes in channels, channels in clips; and the clocks that play them.

mod clock;
mod course;
mod entry;
mod marker_table;
mod markers;
mod merge;
mod morph_layout;
mod morphs;
mod playhead;
mod position;
mod trip;

use glam::{Quat, Vec3};

pub use clock::{Clock, ClockState};
pub(crate) use course::Course;
pub use entry::{ClipEntry, ClipEntryError};
pub use marker_table::ClipMarkers;
pub use markers::{Marker, MarkerHit, MarkersBetween};
pub use morph_layout::{MorphLayout, MorphMesh, UnknownMorphTarget};
pub(crate) use morphs::WEIGHTS_PER_JOINT;
#[cfg(feature = "gltf")]
pub(crate) use morphs::weight_channels;
pub use morphs::{FIRST_MORPH_JOINT, MOST_MORPH_SLOTS, MorphKeysError, is_morph_joint, morph_joint};
pub(crate) use playhead::{PlayRules, Playhead};
pub(crate) use position::{Moved, Position, SentTo};
pub(crate) use trip::{Span, Trip, before};

/// How values between two keyframes are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// Linear interpolation for translation and scale, the shorter arc (slerp) for rotation.
    Linear,
    /// The earlier keyframe's value until the next keyframe is reached.
    Step,
    /// A Hermite spline through the keyframes, with each keyframe's tangents.
    CubicSpline,
}

/// A single keyframe for one property of one joint.
#[derive(Debug, Clone, PartialEq)]
pub struct Keyframe<T: Clone> {
    /// Time in seconds from the start of the clip; finite and not negative.
    pub time: f32,
    /// The value at that time.
    pub value: T,
    /// In-tangent and out-tangent per second, for [`Interpolation::CubicSpline`] only.
    pub tangents: Option<(T, T)>,
}

/// The keyframes of one transform property of one joint.
///
/// 1. `keyframes` is sorted by time; equal times are legal and make the value step.
/// 2. Before the first and after the last keyframe, the value of that keyframe applies.
/// 3. An empty channel is ignored. The loader never creates one.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel<T: Clone> {
    /// Index of the animated joint in [`Skeleton::joints`](crate::Skeleton::joints).
    pub joint_index: u16,
    /// How values between keyframes are computed.
    pub interpolation: Interpolation,
    /// The keyframes, by ascending time.
    pub keyframes: Vec<Keyframe<T>>,
}

/// A complete animation: the motion of each joint from 0 to [`AnimationClip::duration`] seconds.
///
/// ```
/// use glam::Vec3;
/// use nebula_animation::{AnimationClip, Channel, Interpolation, Keyframe};
///
/// let slide = AnimationClip {
///     name: "slide".into(),
///     duration: 1.0,
///     translation_channels: vec![Channel {
///         joint_index: 0,
///         interpolation: Interpolation::Linear,
///         keyframes: vec![
///             Keyframe { time: 0.0, value: Vec3::ZERO, tangents: None },
///             Keyframe { time: 1.0, value: Vec3::X, tangents: None },
///         ],
///     }],
///     rotation_channels: vec![],
///     scale_channels: vec![],
/// };
/// assert_eq!(nebula_animation::sample_channel(&slide.translation_channels[0], 0.5).x, 0.5);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AnimationClip {
    /// Name of the clip; need not be unique.
    pub name: String,
    /// Length in seconds: the largest time of any keyframe of the animation.
    pub duration: f32,
    /// Translations relative to the joint's parent, in the file's unit (metres). If a joint has several channels, the
    /// last one counts.
    ///
    /// Morph weights are stored here too, three in one channel: see [`morph_joint`] and
    /// [`AnimationClip::set_morph_weights`].
    pub translation_channels: Vec<Channel<Vec3>>,
    /// Rotations relative to the joint's parent, as unit quaternions.
    pub rotation_channels: Vec<Channel<Quat>>,
    /// Scales relative to the joint's parent: a factor per axis, 1 for none.
    pub scale_channels: Vec<Channel<Vec3>>,
}
