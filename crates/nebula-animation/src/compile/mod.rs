//! Clips in a form that is fast to evaluate: tracks grouped by timeline, constants folded, blocks of eight.

mod arcs;
mod bind;
mod build;
mod clip_id;
mod clips;
mod compress;
mod contacts;
mod file;
mod fingerprint;
mod library;
mod loose;
mod moves;
mod options;
mod packed;
mod root;
mod sampling;
mod timeline;
mod tracks;
mod weights;

use std::sync::Arc;

use crate::clip::AnimationClip;
use crate::math::lanes::dispatch;
use crate::rig::Rig;
use crate::rig::block::{Blocks, LANES, PoseBlock};
use crate::sample::sample_pose;
use crate::skeleton::{JointPose, Skeleton};
use loose::LooseTracks;
use packed::PackedTracks;
use sampling::{Sample, SampleEight};
use tracks::SharedTracks;

pub use crate::math::isa::Isa;
pub(crate) use arcs::Arcs;
pub use build::{CompileReport, GroupReport, TrackPath};
pub use clip_id::ClipId;
pub use clips::Clips;
pub use compress::{ClipErrors, Compression, Uncompressed};
pub use contacts::ContactTrack;
pub use file::ClipFileError;
pub use library::{AnimationClipLibrary, LibraryClip, UnknownClip};
pub(crate) use moves::Moves;
pub use options::LibraryOptions;
pub use root::{RootDelta, RootMotionOptions, RootTrack, extract_root_motion};
pub use weights::CompiledWeights;

/// A clip compiled for a [`Rig`]: immutable, shared by any number of characters, and sampled at any time at the same
/// cost.
///
/// Its poses match those of the authored clip (see [`CompiledClip::worst_error`]), with the same bits on every machine.
/// Later changes of the authored clip have no effect.
///
/// ```
/// use nebula_animation::{AnimationClip, Rig, Skeleton, compile::CompiledClip};
///
/// let rig = Rig::new(&Skeleton::default());
/// let clip = CompiledClip::new(&rig, &AnimationClip { name: "rest".into(), duration: 2.0, ..Default::default() });
/// assert_eq!(clip.duration(), 2.0);
/// assert_eq!(clip.report().groups.len(), 0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledClip {
    name: String,
    duration: f32,
    /// The fingerprint of the rig that the clip was compiled for, and how many joints it has.
    fingerprint: u64,
    joint_count: usize,
    /// The pose of all that does not move: rest poses and constant tracks. That of the rig itself where it is the same.
    pub(crate) still: Arc<[PoseBlock]>,
    rotations: Vec<SharedTracks<4>>,
    vectors: Vec<SharedTracks<3>>,
    /// For each of these, whether its keys are at the same times as those of the first rotations.
    in_step: Vec<bool>,
    loose_rotations: Vec<LooseTracks<4>>,
    loose_vectors: Vec<LooseTracks<3>>,
    /// The tracks of a compressed clip, beside those that are kept as they are.
    packed: Option<Box<PackedTracks>>,
    /// Whether no joint is ever scaled.
    pub(crate) is_unscaled: bool,
    /// Whether every pose is finite, at all times.
    pub(crate) is_finite: bool,
    /// Whether one group of tracks turns every joint.
    turns_all: bool,
    /// Whether the poses are in the rig's bind space.
    pub(crate) is_in_bind_space: bool,
    /// For each block of joints, what is not at rest.
    pub(crate) moves: Box<[Moves]>,
    report: CompileReport,
}

impl CompiledClip {
    /// Compiles a clip for a rig.
    ///
    /// Channels without keyframes, or for joints that the rig does not have, are dropped. If a property of a joint has
    /// several channels, the last one counts. Rotations are normalized.
    #[must_use]
    pub fn new(rig: &Rig, clip: &AnimationClip) -> Self {
        build::compile(rig, &rig.rest, clip, false)
    }

    /// Like [`CompiledClip::new`], for characters that only need their palette. If the skeleton is rigid and the clip
    /// scales no joint, palettes are about a third faster, and local poses slower; otherwise there is no difference.
    ///
    /// Its palettes differ from those of [`CompiledClip::new`] by rounding.
    #[must_use]
    pub fn for_palettes(rig: &Rig, clip: &AnimationClip) -> Self {
        let mapped = rig.bind_space.as_ref().and_then(|space| Some((space, bind::clip_in_bind_space(space, clip)?)));
        match mapped {
            Some((space, mapped)) => Self { is_in_bind_space: true, ..build::compile(rig, &space.rest, &mapped, true) },
            None => Self::new(rig, clip),
        }
    }

    /// Compiles a clip into a fraction of the memory, with a bounded error: see [`Compression`]. If that is impossible
    /// or gains nothing, the result is that of [`CompiledClip::new`], and its [report](CompiledClip::report) says why.
    ///
    /// Linear channels with evenly spaced keys, or a subset of them, are packed; others are stored as they are.
    #[must_use]
    pub fn compressed(rig: &Rig, clip: &AnimationClip, compression: &Compression) -> Self {
        Self::smaller_of(Self::new(rig, clip), compress::compress(rig, clip, None, compression))
    }

    /// Like [`CompiledClip::compressed`], for characters that only need their palette: see
    /// [`CompiledClip::for_palettes`].
    #[must_use]
    pub fn compressed_for_palettes(rig: &Rig, clip: &AnimationClip, compression: &Compression) -> Self {
        let plain = Self::for_palettes(rig, clip);
        let space = rig.bind_space.as_ref().filter(|_| plain.is_in_bind_space);
        let packed = compress::compress(rig, clip, space, compression);
        Self::smaller_of(plain, packed)
    }

    /// The compressed clip if it is smaller; else the plain one, which says why.
    fn smaller_of(mut plain: Self, packed: Result<Self, Uncompressed>) -> Self {
        let why = match packed {
            Ok(packed) if packed.report.bytes < plain.report.bytes => return packed,
            Ok(_) => Uncompressed::NoGain,
            Err(why) => why,
        };
        // What gains nothing needs no word; the others cost memory that somebody counted on.
        if why != Uncompressed::NoGain {
            log::warn!("clip {:?} is not compressed: {why}", plain.name);
        }
        plain.report.uncompressed = Some(why);
        plain
    }

    /// `true` if tracks are packed.
    #[must_use]
    pub fn is_compressed(&self) -> bool {
        self.packed.is_some()
    }

    /// The tracks of a compressed clip.
    fn packed_tracks(&self) -> Option<&PackedTracks> {
        self.packed.as_deref()
    }

    /// Whether this is a rig that the clip was compiled for, or the same in every number.
    #[inline]
    pub(crate) fn is_for(&self, rig: &Rig) -> bool {
        self.fingerprint == rig.fingerprint && self.joint_count == rig.joint_count()
    }

    /// Name of the clip.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Duration in seconds.
    #[must_use]
    pub fn duration(&self) -> f32 {
        self.duration
    }

    /// The compile report.
    #[must_use]
    pub fn report(&self) -> &CompileReport {
        &self.report
    }

    /// The largest difference from the authored clip in any component of any joint's local pose, at the keys and
    /// between them: absolute for rotations, relative to the value (or to 1, whichever is larger) for the rest.
    ///
    /// Compares up to `time_count` times. Intended for tools and tests; it allocates.
    #[must_use]
    pub fn worst_error(&self, skeleton: &Skeleton, rig: &Rig, authored: &AnimationClip, time_count: u16) -> f32 {
        let mut plain = skeleton.bind_pose();
        let mut blocks = rig.rest.to_vec();
        let mut fast = plain.clone();
        let mut worst = 0.0_f32;
        for step in 0..=time_count {
            let time = self.duration * (f32::from(step) / f32::from(time_count.max(1)));
            sample_pose(authored, skeleton, time, &mut plain);
            if self.is_for(rig) {
                self.sample(Isa::best(), time, true, &mut blocks);
                if let Some(space) = rig.bind_space.as_ref().filter(|_| self.is_in_bind_space) {
                    rig.leave_bind_space(space, &mut blocks);
                }
            }
            rig.write_pose(&blocks, &mut fast);
            for (plain, fast) in plain.iter().zip(&fast) {
                worst = worst.max(difference(plain, fast));
            }
        }
        worst
    }

    /// Writes the rig's morph weights at `time` seconds, clamped to the clip, in the slots that [`Rig::morphs`]
    /// defines; weights that the clip does not animate have their default. Does nothing if the clip belongs to a
    /// different rig. Intended for tools, as it allocates: everything that plays clips provides the weights anyway
    /// ([`Frame::morph_weights`](crate::Frame::morph_weights)).
    ///
    /// ```
    /// use nebula_animation::clip::MorphLayout;
    /// use nebula_animation::compile::CompiledClip;
    /// use nebula_animation::rig::RigOptions;
    /// use nebula_animation::{AnimationClip, Rig, Skeleton};
    ///
    /// let smile = AnimationClip::of_morph_weight("smile", 1, &[(0.0, 0.0), (1.0, 1.0)]);
    /// let options = RigOptions { morphs: MorphLayout::of_clips(&[smile.clone()]), ..RigOptions::default() };
    /// let rig = Rig::with_options(Skeleton::default(), options);
    /// let mut weights = [0.0; 3];
    /// CompiledClip::new(&rig, &smile).morph_weights(&rig, 0.5, &mut weights);
    /// assert_eq!(weights, [0.0, 0.5, 0.0]);
    /// ```
    pub fn morph_weights(&self, rig: &Rig, time: f32, weights: &mut [f32]) {
        if self.is_for(rig) {
            let mut pose = rig.rest.to_vec();
            self.sample(Isa::best(), time, false, &mut pose);
            rig.write_morphs(&pose, weights);
        }
    }

    /// Writes the pose at a time. `pose` has as many blocks as the rig. Scales may be left as they
    /// are where the clip has none and nobody wants them.
    pub(crate) fn sample(&self, isa: Isa, time: f32, wants_scale: bool, pose: &mut [PoseBlock]) {
        let (moving, wanted) = (&self.moves, Blocks::ALL);
        dispatch(isa, Sample::<true> { clip: self, time, wants_scale, moving, wanted, pose });
    }

    /// As [`CompiledClip::sample`], of some blocks; others may be left as they are.
    pub(crate) fn sample_some(&self, isa: Isa, time: f32, wanted: Blocks, pose: &mut [PoseBlock]) {
        dispatch(isa, Sample::<true> { clip: self, time, wants_scale: true, moving: &self.moves, wanted, pose });
    }

    /// As [`CompiledClip::sample`]; what does not move, block by block, is left as it is. At least what moves in this clip does.
    pub(crate) fn sample_moving(
        &self,
        isa: Isa,
        time: f32,
        wants_scale: bool,
        moving: &[Moves],
        pose: &mut [PoseBlock],
    ) {
        dispatch(isa, Sample::<false> { clip: self, time, wants_scale, moving, wanted: Blocks::ALL, pose });
    }

    /// As [`CompiledClip::sample_moving`] at eight times, into poses one after the other, each of as many blocks as `moving`, but for
    /// rotations: those go to `turned`, joint by joint, lanes being times. It has more blocks than the rig has lanes. Whether the clip
    /// is compressed, and so has something that is read once for all of them; if not, nothing was done.
    pub(crate) fn sample_eight(
        &self,
        isa: Isa,
        times: [f32; LANES],
        wants_scale: bool,
        moving: &[Moves],
        poses: &mut [PoseBlock],
        turned: &mut [PoseBlock],
    ) -> bool {
        let Some(packed) = self.packed_tracks() else { return false };
        dispatch(isa, SampleEight { clip: self, packed, times, wants_scale, moving, poses, turned });
        true
    }

    /// As [`CompiledClip::sample_some`], without what is at rest.
    pub(crate) fn sample_some_moving(&self, isa: Isa, time: f32, wanted: Blocks, pose: &mut [PoseBlock]) {
        dispatch(isa, Sample::<false> { clip: self, time, wants_scale: true, moving: &self.moves, wanted, pose });
    }
}

/// The largest difference of two poses' components; rotations up to their sign.
fn difference(a: &JointPose, b: &JointPose) -> f32 {
    let relative = |a: glam::Vec3, b: glam::Vec3| (a - b).abs().max_element() / a.abs().max_element().max(1.0);
    let (p, q) = (glam::Vec4::from(a.1), glam::Vec4::from(b.1));
    let rotation = (p - q).abs().max_element().min((p + q).abs().max_element());
    relative(a.0, b.0).max(rotation).max(relative(a.2, b.2))
}
