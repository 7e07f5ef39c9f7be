//! Explains why a joint is where it is: the result of [`Character::explain`](crate::Character::explain), as data and as
//! text.
//!
//! An [`Explanation`](crate::explain::Explanation) has everything that contributed to the pose of one joint, in order:
//! the rest pose, the layers of the mixer with their clips, what remains of inertialised fades, and what each
//! procedural layer changed. Combined, these parts give the pose. None of it is stored in advance: clips and fades are
//! recomputed, and only a [traced](crate::Character::set_traced) character records what its procedural layers do.

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

/// Everything that contributed to the pose of one joint in the last update. See
/// [`Character::explain`](crate::Character::explain).
///
/// Its text (`Display`) is for people. With the feature `serde` it can be serialized.
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
    /// Names of its ancestors, from parent to root: their poses determine its position in model space.
    pub parents: Vec<String>,
    /// Seconds since the character was created, scaled by its mixer's time scale.
    pub elapsed: f64,
    /// Time scale of the mixer.
    pub time_scale: f32,
    /// The state machines that decide what plays.
    pub machines: Vec<MachinePart>,
    /// The contribution of the mixer.
    pub mixer: MixerPart,
    /// What each procedural layer did, in order; empty if there are none, or if the character was not
    /// [traced](crate::Character::set_traced).
    pub changes: Vec<ProceduralPart>,
    /// The combined change of the procedural layers, for a character that is not traced.
    pub untold: Option<Change>,
    /// The pose of the joint relative to its parent, as in the frame: the result of all the above.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::pose"))]
    pub pose: JointPose,
    /// The joint's position in model space.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::vector"))]
    pub position: Vec3,
    /// The joint's rotation in model space.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::rotation"))]
    pub rotation: Quat,
}
