//! Playing one clip on one skeleton: the clock of a character, its pose and its palette.
//!
//! The stages are functions: [`advance_time`] moves the clock, [`sample_clip`] finds the pose, [`compute_world_matrices`]
//! makes the palette of it. A [`Character`](crate::Character) does more than one clip at a time.

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
/// The clock behind it is kept to 106 bits; [`time`](AnimationPlayer::time) mirrors it. Every public field may be written
/// at any time: writing `time` seeks, writing `clip_index` goes on in another clip at the same time, writing `playing`
/// pauses and resumes. [`play`](AnimationPlayer::play) starts a clip from its beginning. The change shows with the next
/// call of a stage, also on a player that is paused.
///
/// Where the clip does not exist, the bind pose is shown. Numbers that are not finite are ignored. Each kind of trouble
/// is logged once a player.
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
    /// Time of the clip that is shown, in seconds; always finite and in `[0, duration]` after a stage. Writing it seeks:
    /// a looping player takes a time beyond the clip to be one of another pass, others stop at the nearer end.
    /// [`seconds`](AnimationPlayer::seconds) is the same in `f64`.
    pub time: f32,
    /// Seconds of the clip per second: 1.0 = normal (the default), 0.5 = half speed, -1.0 = reverse, 0 stands still. Any
    /// finite number.
    pub speed: f32,
    /// Whether the clip starts over when it reaches the end (the default); else it stops there. May be switched while it
    /// plays: the pass that is running is then the last one.
    pub looping: bool,
    /// Whether time passes; default true. A player that is not looping clears it on reaching the end that it moves
    /// towards, and keeps its last pose.
    pub playing: bool,
    /// Local poses of the current frame (translation, rotation, scale per joint), one per joint of the skeleton.
    pub local_poses: Vec<(Vec3, Quat, Vec3)>,
    /// The skinning matrix palette, ready for the GPU: `model_from_joint * inverse_bind_matrix` of each joint. Identities,
    /// which leave a mesh in its bind pose, until the first stage has run.
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
    /// Whether somebody bends the poses between the stages, as seen in the last frame.
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
    /// A player at the start of a clip of `duration` seconds, for a skeleton of `joint_count` joints: looping, playing, at
    /// normal speed.
    ///
    /// The duration counts until the player meets its clips; the buffers fit themselves to another skeleton. They begin with at most
    /// 65,536 joints.
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
