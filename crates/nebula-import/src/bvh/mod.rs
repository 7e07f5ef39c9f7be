//! BVH: a text file with a joint hierarchy, followed by the channels of all joints, frame by frame.

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
    /// Joints with the names of the file, Y up. Their bind pose is the rest pose: without rotations, as BVH defines it,
    /// or that of a frame.
    pub skeleton: Skeleton,
    /// The motion, with linear channels for every joint that has any in the file.
    pub clip: AnimationClip,
    /// Metres per unit of the file, as given or detected.
    pub unit: f32,
    /// Frames per second, after [`BvhOptions::every`].
    pub rate: f64,
    /// The up axis of the file, as given or detected; Y is up in the skeleton and the clip.
    pub up: UpAxis,
    /// The frame of the file, from 0, whose rotations define the rest pose; `None` if there is none.
    pub rest_frame: Option<usize>,
    /// What was detected or repaired.
    pub notes: Vec<String>,
}

/// The up axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpAxis {
    /// As in glTF.
    #[default]
    Y,
    /// Files from Blender, 3ds Max and others may use this.
    Z,
}

/// The rest pose of a skeleton, which defines the directions of its bones for retargeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BvhRest {
    /// The pose without rotations, if it is that of a human; otherwise that of the first frame in which a human stands;
    /// and if there is none, the pose without rotations after all. Files in which all bones lie along one axis need
    /// this.
    #[default]
    Automatic,
    /// The pose without rotations, as BVH defines it.
    Zero,
    /// That of a frame of the file, from 0; the last one if there are fewer. It stands above the origin and faces +Z.
    Frame(usize),
}

/// How to read a file.
#[derive(Debug, Clone, PartialEq)]
pub struct BvhOptions {
    /// Metres per unit of the file; `None`, the default, chooses among metres, feet, inches, centimetres, millimetres
    /// and the 5.64 cm of the CMU database so that the skeleton is about human-sized.
    pub unit: Option<f32>,
    /// The up axis; `None`, the default, uses the axis along which a human stands in the file, or Y if that cannot be
    /// determined.
    pub up: Option<UpAxis>,
    /// The rest pose of the skeleton.
    pub rest: BvhRest,
    /// Whether to drop the first frame, which is a T-pose in many databases. Default false.
    pub drops_first_frame: bool,
    /// Use every n-th frame only; 1, the default, and 0 use all.
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
    /// Channels may come in any order; rotations are applied in that order. A position replaces the joint's offset.
    ///
    /// # Errors
    /// The text is not valid BVH: the error has the line, the joint and what was expected.
    pub fn read(text: &str, options: &BvhOptions) -> Result<Self, BvhError> {
        let file = parse::parse(text)?;
        clip::convert(&file, options)
    }

    /// `true` if the first frame is a T-pose or another pose that was inserted before the recording: joints rotate far
    /// more from it to the next frame than in any of the thirty frames after that, or most of them are not rotated at
    /// all in it and hardly any are in the next one.
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

    /// The skeleton and the clip as a glTF document: a skin with all joints, without a mesh.
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
