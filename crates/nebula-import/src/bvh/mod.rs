//! BVH: a hierarchy of joints, then the channels of all joints frame by frame, as text.

mod clip;
mod error;
mod parse;

use nebula_animation::{AnimationClip, Skeleton};

pub use error::{BvhError, BvhFault};

/// A BVH file: its skeleton at rest, without end sites, and its one clip.
///
/// ```
/// use nebula_import::bvh::{Bvh, BvhOptions};
///
/// let text = "HIERARCHY
/// ROOT Hips { OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
///   JOINT Head { OFFSET 0 70 0 CHANNELS 3 Zrotation Yrotation Xrotation
///     End Site { OFFSET 0 20 0 } } }
/// MOTION
/// Frames: 2
/// Frame Time: 0.04
/// 0 90 0 0 0 0 0 0 0
/// 0 90 0 0 0 0 0 45 0";
/// let bvh = Bvh::read(text, &BvhOptions { unit: Some(0.01), ..BvhOptions::default() })?;
/// assert_eq!(bvh.skeleton.joints.len(), 2);
/// assert_eq!(bvh.clip.duration, 0.04);
/// assert_eq!(bvh.clip.translation_channels[0].keyframes[0].value.y, 0.9);
/// # Ok::<(), nebula_import::bvh::BvhError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Bvh {
    /// Joints with the names of the file; rotations at rest are none, as the format has it. Bound as they rest.
    pub skeleton: Skeleton,
    /// What they do, with linear channels for every joint that has any in the file.
    pub clip: AnimationClip,
    /// Metres per unit of the file, as told or guessed.
    pub unit: f32,
    /// Frames per second, after [`BvhOptions::every`].
    pub rate: f64,
}

/// How a file is read.
#[derive(Debug, Clone, PartialEq)]
pub struct BvhOptions {
    /// Metres per unit of the file; `None`, the default, takes the one of metres, feet, inches, centimetres, millimetres and the 5.64 cm
    /// of the CMU database with which the skeleton is about as large as a human.
    pub unit: Option<f32>,
    /// Whether the first frame is left out, which in many databases is a T-pose. Default false.
    pub drops_first_frame: bool,
    /// Take every so manieth frame only; 1, the default, and 0 take all.
    pub every: usize,
    /// Name of the clip; default "motion".
    pub name: String,
}

impl Default for BvhOptions {
    fn default() -> Self {
        Self { unit: None, drops_first_frame: false, every: 1, name: "motion".into() }
    }
}

impl Bvh {
    /// Reads the text of a file.
    ///
    /// Channels may come in any order; rotations are applied in theirs. A position replaces the joint's offset.
    ///
    /// # Errors
    /// Where the text is no BVH: the line, the joint and what was expected.
    pub fn read(text: &str, options: &BvhOptions) -> Result<Self, BvhError> {
        let file = parse::parse(text)?;
        clip::convert(&file, options)
    }
}
