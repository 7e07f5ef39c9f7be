//! BVH: a hierarchy of joints, then the channels of all joints frame by frame, as text.

mod clip;
mod error;
mod parse;
mod pose;
mod rest;

use nebula_animation::{AnimationClip, Asset, Skeleton};

use crate::gltf::{GltfDocument, GltfError};

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
    /// Joints with the names of the file. Bound as they rest, Y up: without rotations, as the format has it, or in a frame.
    pub skeleton: Skeleton,
    /// What they do, with linear channels for every joint that has any in the file.
    pub clip: AnimationClip,
    /// Metres per unit of the file, as told or guessed.
    pub unit: f32,
    /// Frames per second, after [`BvhOptions::every`].
    pub rate: f64,
    /// The axis that is up in the file, as told or found; Y is up in the skeleton and the clip.
    pub up: UpAxis,
    /// The frame of the file, from 0, whose rotations are those of the rest pose; `None` where it has none.
    pub rest_frame: Option<usize>,
    /// What was guessed or repaired.
    pub notes: Vec<String>,
}

/// The axis that is up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpAxis {
    /// As in glTF.
    #[default]
    Y,
    /// The files of Blender, 3ds Max and others may be like this.
    Z,
}

/// The pose that a skeleton rests in, by which others know which way its bones point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BvhRest {
    /// That without rotations where it is one of a human; else that of the first frame in which one stands, and where there is none such
    /// that without rotations all the same. Files of which all bones lie along one axis need it.
    #[default]
    Automatic,
    /// That without rotations, as the format has it.
    Zero,
    /// That of a frame of the file, from 0; the last one where there are fewer. It stands above the origin and faces +Z.
    Frame(usize),
}

/// How a file is read.
#[derive(Debug, Clone, PartialEq)]
pub struct BvhOptions {
    /// Metres per unit of the file; `None`, the default, takes the one of metres, feet, inches, centimetres, millimetres and the 5.64 cm
    /// of the CMU database with which the skeleton is about as large as a human.
    pub unit: Option<f32>,
    /// The axis that is up; `None`, the default, takes the one along which a human stands in the file, Y where that cannot be told.
    pub up: Option<UpAxis>,
    /// The pose that the skeleton rests in.
    pub rest: BvhRest,
    /// Whether the first frame is left out, which in many databases is a T-pose. Default false.
    pub drops_first_frame: bool,
    /// Take every so manieth frame only; 1, the default, and 0 take all.
    pub every: usize,
    /// Name of the clip; default "motion".
    pub name: String,
}

impl Default for BvhOptions {
    fn default() -> Self {
        let rest = BvhRest::Automatic;
        Self { unit: None, up: None, rest, drops_first_frame: false, every: 1, name: "motion".into() }
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

    /// Whether the first frame is a T-pose or another pose that was put before the recording: joints turn by far more from it to the next frame
    /// than in any of the thirty after that, or most of them are not turned at all in it and hardly any in the next one.
    #[must_use]
    pub fn begins_with_rest(&self) -> bool {
        let turned = |frame: usize| {
            let pairs = self.clip.rotation_channels.iter();
            let pairs = pairs.filter_map(|channel| channel.keyframes.get(frame).zip(channel.keyframes.get(frame + 1)));
            // One minus the cosine of half the turn.
            pairs.fold(0.0_f32, |most, (a, b)| most.max(1.0 - a.value.dot(b.value).abs()))
        };
        let frames = self.clip.rotation_channels.iter().map(|channel| channel.keyframes.len()).max().unwrap_or(0);
        let later = (1..frames.saturating_sub(1).min(31)).map(turned).fold(0.0, f32::max);
        let unturned = |frame: usize| {
            let keys = self.clip.rotation_channels.iter().filter_map(|channel| channel.keyframes.get(frame));
            let still = keys.filter(|key| 1.0 - key.value.w.abs() < 1e-7).count();
            still as f32 / self.clip.rotation_channels.len().max(1) as f32
        };
        // Recordings with faults jump too: what nobody turned is no recording.
        let is_zero = self.rest_frame.is_none() && unturned(0) > 0.6 && unturned(1) < 0.3;
        // Ten degrees at least, and three times as far as anything after it.
        frames > 3 && turned(0) > 4e-3 && (is_zero || turned(0) > 9.0 * later)
    }

    /// The skeleton and the clip as a glTF document: a skin with all joints, no mesh.
    ///
    /// # Errors
    /// None that a file could cause.
    pub fn document(&self) -> Result<GltfDocument, GltfError> {
        let asset = Asset { skeleton: self.skeleton.clone(), ..Asset::default() };
        let mut document = GltfDocument::of_asset(&asset)?;
        document.add_clips(std::slice::from_ref(&self.clip))?;
        Ok(document)
    }
}
