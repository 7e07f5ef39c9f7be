use glam::Mat4;

use super::warnings::Trouble;
use super::{Advance, AnimationPlayer, IDENTITY_POSE, Sources, advance_time, morphs};
#[cfg(feature = "ecs")]
use crate::compile::AnimationClipLibrary;
use crate::compile::Clips;
#[cfg(feature = "ecs")]
use crate::palette::{ClipAt, PlayerOut};
use crate::palette::{model_matrices, skinning_matrices, with_evaluator};
#[cfg(feature = "ecs")]
use crate::rig::block::LANES;
use crate::sample::{bind_pose_into, sample_pose};
use crate::skeleton::{JointPose, Skeleton};

/// Samples the player's clip at its time into [`local_poses`](AnimationPlayer::local_poses) and
/// [`morph_weights`](AnimationPlayer::morph_weights).
///
/// Joints that the clip does not move are in their rest pose, as are all joints if the clip does not exist, and joints
/// whose keyframes are not finite. The player's buffers adapt to the skeleton; nothing is allocated after that. Clips
/// of a library are sampled in compiled form, which is several times faster and agrees to 1e-5; those of a slice as
/// authored.
///
/// ```
/// use nebula_animation::{AnimationClip, AnimationPlayer, Skeleton, sample_clip};
///
/// let (skeleton, clips) = (Skeleton::default(), [AnimationClip { duration: 1.0, ..Default::default() }]);
/// let mut player = AnimationPlayer::new(0, clips[0].duration, skeleton.joints.len());
/// player.time = 0.5;
/// sample_clip(&mut player, &skeleton, &clips);
/// assert_eq!(player.local_poses, skeleton.bind_pose());
/// ```
pub fn sample_clip(player: &mut AnimationPlayer, skeleton: &Skeleton, clips: &(impl Clips + ?Sized)) {
    sample(player, skeleton, clips, false);
}

/// [`sample_clip`] and [`compute_world_matrices`] at once, which is faster.
#[cfg(feature = "ecs")]
pub(crate) fn sample_with_palette(player: &mut AnimationPlayer, skeleton: &Skeleton, clips: &(impl Clips + ?Sized)) {
    sample(player, skeleton, clips, true);
}

/// As [`sample_with_palette`] for eight players and the library of each, with the same bits: in less time where they are of one rig.
#[cfg(feature = "ecs")]
pub(crate) fn sample_eight_with_palettes(mut players: [(&mut AnimationPlayer, &AnimationClipLibrary); LANES]) {
    let rig = players[0].1.rig();
    for (player, library) in &mut players {
        prepare(player, library.rig(), *library);
        player.morph_weights.resize(library.rig().morph_slots(), 0.0);
    }
    let is_usual = |(player, library): &(&mut AnimationPlayer, &AnimationClipLibrary)| {
        library.rig().id() == rig.id() && library.get(player.clip_index).is_some_and(|clip| clip.is_finite)
    };
    let mut is_done = false;
    if players.iter().all(is_usual) {
        let out = players.each_mut().map(|(player, library)| {
            let AnimationPlayer { clip_index, time, local_poses, joint_matrices, morph_weights, .. } = &mut **player;
            let shown = ClipAt { clip: &library[*clip_index], time: *time };
            PlayerOut { shown, pose: local_poses, palette: joint_matrices, morph_weights }
        });
        with_evaluator(|evaluator| is_done = evaluator.poses_and_palettes_of_eight(rig, out));
    }
    for (player, library) in players {
        if is_done {
            player.has_palette = true;
        } else {
            sample_with_palette(player, library.rig(), library);
        }
    }
}

/// Brings the buffers and the clock up to date.
fn prepare(player: &mut AnimationPlayer, skeleton: &Skeleton, clips: &(impl Clips + ?Sized)) {
    fit_buffers(player, skeleton);
    player.sync(clips);
    player.sources = Sources::of(skeleton, clips);
    player.is_stale = false;
}

fn sample(player: &mut AnimationPlayer, skeleton: &Skeleton, clips: &(impl Clips + ?Sized), with_palette: bool) {
    prepare(player, skeleton, clips);
    player.has_palette = with_palette;
    if clips.library().is_some_and(|library| library.rig().joint_count() != skeleton.joints.len())
        && player.warnings.is_first(Trouble::OtherRig)
    {
        log::error!(
            "the clips were compiled for a different rig than this skeleton of {} joints",
            skeleton.joints.len()
        );
    }
    let AnimationPlayer { clip_index, time, local_poses, joint_matrices, morph_weights, .. } = player;
    let library = clips.library().filter(|library| library.rig().joint_count() == skeleton.joints.len());
    let rig = library.map(|library| &**library.rig());
    let compiled = rig.zip(library.and_then(|library| library.get(*clip_index)));
    match (compiled, clips.authored(*clip_index)) {
        (Some((rig, clip)), _) => {
            let has_palette = with_palette && clip.is_finite;
            morph_weights.resize(rig.morph_slots(), 0.0);
            with_evaluator(|evaluator| {
                if has_palette {
                    evaluator.pose_and_palette(rig, clip, *time, local_poses, joint_matrices);
                } else {
                    evaluator.pose(rig, clip, *time, local_poses);
                }
                evaluator.last_morphs(rig, morph_weights);
            });
            if !clip.is_finite {
                morphs::repair(rig, morph_weights);
                repair_pose(player, skeleton);
            }
            if has_palette {
                return;
            }
        }
        (None, Some(clip)) => {
            sample_pose(clip, skeleton, *time, local_poses);
            morphs::sample_authored(clip, skeleton.joints.len(), *time, morph_weights);
            repair_pose(player, skeleton);
        }
        (None, None) => {
            bind_pose_into(skeleton, local_poses);
            morphs::rest(rig, morph_weights);
            repair_pose(player, skeleton);
        }
    }
    if with_palette {
        compute_world_matrices(player, skeleton);
    }
}

/// Computes the palette, [`joint_matrices`](AnimationPlayer::joint_matrices), from the player's local poses: one pass
/// over the joints, without allocation.
///
/// ```
/// use nebula_animation::{AnimationClip, AnimationPlayer, Skeleton, compute_world_matrices, sample_clip};
///
/// let (skeleton, clips) = (Skeleton::default(), [AnimationClip { duration: 1.0, ..Default::default() }]);
/// let mut player = AnimationPlayer::new(0, clips[0].duration, skeleton.joints.len());
/// player.time = 0.5;
/// sample_clip(&mut player, &skeleton, &clips);
/// compute_world_matrices(&mut player, &skeleton);
/// assert_eq!(player.joint_matrices.len(), skeleton.joints.len());
/// ```
pub fn compute_world_matrices(player: &mut AnimationPlayer, skeleton: &Skeleton) {
    fit_buffers(player, skeleton);
    let AnimationPlayer { local_poses, joint_matrices, .. } = player;
    model_matrices(skeleton, local_poses, joint_matrices);
    skinning_matrices(skeleton, joint_matrices);
}

/// The first stage of a frame: [`advance_time`], then [`sample_clip`] if the pose has changed.
///
/// On a player that is paused or finished, poses that you write yourself stay until its time or clip changes, or until
/// [`mark_pose_stale`](AnimationPlayer::mark_pose_stale).
///
/// ```
/// use nebula_animation::{
///     AnimationClip, AnimationPlayer, Skeleton, compute_world_matrices, player::advance_and_sample,
/// };
///
/// let (skeleton, clips) = (Skeleton::default(), [AnimationClip { duration: 1.0, ..Default::default() }]);
/// let mut player = AnimationPlayer::new(0, clips[0].duration, skeleton.joints.len());
/// advance_and_sample(&mut player, &skeleton, &clips, 1.0 / 60.0);
/// // Bend `player.local_poses` here.
/// compute_world_matrices(&mut player, &skeleton);
/// ```
pub fn advance_and_sample(
    player: &mut AnimationPlayer,
    skeleton: &Skeleton,
    clips: &(impl Clips + ?Sized),
    dt: impl Into<f64>,
) -> Advance {
    let advance = advance_time(player, clips, dt);
    if player.needs_sampling(skeleton, clips) {
        sample_clip(player, skeleton, clips);
    }
    advance
}

/// Gives the buffers one entry per joint; new ones begin in the bind pose.
fn fit_buffers(player: &mut AnimationPlayer, skeleton: &Skeleton) {
    let count = skeleton.joints.len();
    let had = player.local_poses.len();
    if had != count {
        player.local_poses.resize(count, IDENTITY_POSE);
        for (pose, joint) in player.local_poses.iter_mut().zip(&skeleton.joints).skip(had) {
            *pose = joint.bind_pose();
        }
    }
    player.joint_matrices.resize(count, Mat4::IDENTITY);
}

/// Puts joints whose pose is not finite into their bind pose, or none where that is not finite either.
fn repair_pose(player: &mut AnimationPlayer, skeleton: &Skeleton) {
    for (pose, joint) in player.local_poses.iter_mut().zip(&skeleton.joints) {
        if is_finite(pose) {
            continue;
        }
        let bind_pose = joint.bind_pose();
        *pose = if is_finite(&bind_pose) { bind_pose } else { IDENTITY_POSE };
        if player.warnings.is_first(Trouble::Pose) {
            let name = joint.name.escape_debug();
            log::warn!(
                "clip {}, joint {} \"{name}\" at {} s: the pose is not finite, the bind pose is shown",
                player.clip_index,
                joint.index,
                player.time
            );
        }
    }
}

fn is_finite((translation, rotation, scale): &JointPose) -> bool {
    translation.is_finite() && rotation.is_finite() && scale.is_finite()
}
