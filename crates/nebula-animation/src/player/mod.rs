//! Playing one clip on one skeleton: a clock, a pose and a palette.
//!
//! The stages are functions: [`advance_time`] advances the clock, [`sample_clip`] samples the pose,
//! [`compute_world_matrices`] computes the palette. For more than one clip at a time, use a
//! [`Character`](crate::Character).

mod advance;
mod controls;
mod morphs;
mod stages;
mod sync;
mod warnings;

use glam::{Mat4, Quat, Vec3};

use crate::clip::Playhead;
use crate::compile::Clips;
use crate::math::clean_seconds;
use crate::skeleton::{JointPose, Skeleton};
use warnings::Warnings;

pub use advance::{Advance, advance_time};
pub use stages::{advance_and_sample, compute_world_matrices, sample_clip};
#[cfg(feature = "ecs")]
pub(crate) use stages::{sample_eight_with_palettes, sample_with_palette};

/// Playback state for a single animation clip on a skeletal mesh entity.
///
/// Its clock has 106 bits of precision; [`time`](AnimationPlayer::time) mirrors it. You can write every public field at
/// any time: writing `time` seeks, writing `clip_index` continues in another clip at the same time, writing `playing`
/// pauses and resumes. [`play`](AnimationPlayer::play) starts a clip from its beginning. Changes take effect with the
/// next call of a stage, even on a paused player.
///
/// If the clip does not exist, the rest pose is shown. Numbers that are not finite are ignored. Each kind of problem is
/// logged once per player.
///
/// ```
/// use nebula_animation::{AnimationClip, AnimationPlayer, advance_time};
///
/// let clips = [AnimationClip { duration: 1.0, ..Default::default() }];
/// let mut player = AnimationPlayer::new(0, clips[0].duration, 3);
/// advance_time(&mut player, &clips, 1.25);
/// assert_eq!(player.time, 0.25);
/// ```
#[derive(Debug, Clone)]
pub struct AnimationPlayer {
    /// Index into the entity's animation clip library.
    pub clip_index: usize,
    /// The clip time that is shown, in seconds; always finite and in `[0, duration]` after a stage. Writing it seeks:
    /// for a looping player, a time beyond the clip wraps into another pass; otherwise it is clamped.
    /// [`seconds`](AnimationPlayer::seconds) is the same in `f64`.
    pub time: f32,
    /// Clip seconds per second: 1.0 = normal (the default), 0.5 = half speed, -1.0 = reverse, 0 freezes. Any finite
    /// number.
    pub speed: f32,
    /// Whether the clip repeats when it reaches the end (the default) instead of stopping there. You can change it
    /// during playback: the current pass is then the last one.
    pub looping: bool,
    /// Whether time passes; default true. Cleared when a player that is not looping reaches its end; it keeps its last
    /// pose.
    pub playing: bool,
    /// Local poses of the current frame (translation, rotation, scale per joint), one per joint of the skeleton.
    pub local_poses: Vec<(Vec3, Quat, Vec3)>,
    /// The skinning matrices, ready for the GPU: `model_from_joint * inverse_bind_matrix` of each joint. Until the
    /// first stage has run, they are identities, which leave a mesh in its bind pose.
    pub joint_matrices: Vec<Mat4>,

    /// The weights of the morph targets, at the time of `local_poses`.
    morph_weights: Vec<f32>,
    /// The truth behind `time`.
    playhead: Playhead,
    /// The clip that `playhead` belongs to: another value in `clip_index` was written by the user.
    active_clip: usize,
    last_advance: Advance,
    /// Whether `local_poses` is not the clip's pose at `time`.
    is_stale: bool,
    /// What `local_poses` was sampled from.
    sources: Sources,
    /// Whether `joint_matrices` was made together with `local_poses`.
    #[cfg_attr(not(feature = "ecs"), allow(dead_code, reason = "only systems ask"))]
    pub(crate) has_palette: bool,
    /// Whether something modifies the poses between the stages, as seen in the last frame.
    #[cfg_attr(not(feature = "ecs"), allow(dead_code, reason = "only systems ask"))]
    pub(crate) is_bent: bool,
    warnings: Warnings,
}

/// What poses were sampled from: a library, by its number, or as many authored clips on as many joints.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Sources {
    #[default]
    None,
    Library(u64),
    // No more than 2^32, which keeps players small.
    Authored {
        joints: u32,
        clips: u32,
    },
}

impl Sources {
    fn of(skeleton: &Skeleton, clips: &(impl Clips + ?Sized)) -> Self {
        match clips.library() {
            Some(library) => Self::Library(library.id()),
            None => {
                let [joints, clips] =
                    [skeleton.joints.len(), clips.clip_count()].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
                Self::Authored { joints, clips }
            }
        }
    }
}

/// The pose of a joint that stays where its parent is.
const IDENTITY_POSE: JointPose = (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE);

impl AnimationPlayer {
    /// Creates a player at the start of a clip of `duration` seconds, for a skeleton of `joint_count` joints: looping,
    /// playing, at normal speed.
    ///
    /// The duration is only used until the player sees its clips, and the buffers adapt to the skeleton. Initially they
    /// hold at most 65,536 joints.
    #[must_use]
    pub fn new(clip_index: usize, duration: f32, joint_count: usize) -> Self {
        // A number from a stranger must not take the memory.
        let joint_count = joint_count.min(1 << 16);
        Self {
            clip_index,
            time: 0.0,
            speed: 1.0,
            looping: true,
            playing: true,
            local_poses: vec![IDENTITY_POSE; joint_count],
            joint_matrices: vec![Mat4::IDENTITY; joint_count],
            morph_weights: Vec::new(),
            playhead: Playhead::new(clean_seconds(duration) as f32),
            active_clip: clip_index,
            last_advance: Advance::default(),
            is_stale: true,
            sources: Sources::None,
            has_palette: false,
            is_bent: false,
            warnings: Warnings::default(),
        }
    }
}
