//! Why a joint is where it is: what [`Character::explain`](crate::Character::explain) tells, as data and as text.
//!
//! An [`Explanation`](crate::explain::Explanation) has everything that made the pose of one joint, in the order in which it was put together: the rest pose, the layers of
//! the mixer with their clips, what is left of inertialised fades, and what each procedural layer changed. Put together again, these parts
//! are the pose. Nothing of it is kept while nobody asks: clips and fades are worked out again, and only a
//! [traced](crate::Character::set_traced) character writes down what its procedural layers do.

mod change;
mod machine;
mod mixer;
mod procedural;
#[cfg(feature = "serde")]
mod serial;
mod text;

use glam::{Quat, Vec3};

use crate::skeleton::JointPose;

pub use change::Change;
pub use machine::{ConditionPart, ExitPart, MachinePart, TransitionPart};
pub use mixer::{ActionPart, ClipPart, FadePart, InertiaPart, LayerPart, LevelPart, LevelSource, MixerPart};
pub use procedural::{Limit, LimitKind, LimitUnit, Outcome, ProceduralPart, Reason};

/// Everything that made the pose of one joint in the last update: see [`Character::explain`](crate::Character::explain).
///
/// Its text (`Display`) is for people. With the feature `serde` it can be written into documents.
///
/// ```
/// use nebula_animation::{Character, Surroundings, load_skeleton_and_clips};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (skeleton, clips) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref())?;
/// let mut hero = Character::new(skeleton, &clips);
/// hero.mixer.play("wave", 0.5)?;
/// hero.update(0.25, &Surroundings::default());
/// let why = hero.explain("RightForeArm")?;
/// let base = &why.mixer.layers[0];
/// assert_eq!(base.levels.len(), 2); // What was shown before, and half way to it, the wave.
/// assert_eq!(base.levels[1].fraction, 0.5);
/// println!("{why}");
///
/// let error = hero.explain("RightForearm").unwrap_err();
/// assert!(error.to_string().contains("RightForeArm"), "near names are told");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Explanation {
    /// Index of the joint.
    pub joint: u16,
    /// Its name.
    pub name: String,
    /// Names of the joints above it, from its parent to the root: where they are decides where it is in model space.
    pub parents: Vec<String>,
    /// Seconds since the character was made, as its mixer counts them.
    pub elapsed: f64,
    /// Seconds of the mixer per second.
    pub time_scale: f32,
    /// The state machines that decide what plays.
    pub machines: Vec<MachinePart>,
    /// What the mixer made of clips.
    pub mixer: MixerPart,
    /// What each procedural layer did, in order; empty where there are none, and where the character was not
    /// [traced](crate::Character::set_traced).
    pub changes: Vec<ProceduralPart>,
    /// What the procedural layers of a character that is not traced did together.
    pub untold: Option<Change>,
    /// The pose of the joint relative to its parent, as the frame has it: what all of the above comes to.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::pose"))]
    pub pose: JointPose,
    /// Where the joint is in model space.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::vector"))]
    pub position: Vec3,
    /// How its axes lie in model space.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::rotation"))]
    pub rotation: Quat,
}
