//! Sources of poses: a clip, two clips, or a given pose.

use super::toward::Toward;
use crate::compile::{CompiledClip, Moves};
use crate::math::clean_weight;
use crate::math::isa::Isa;
use crate::math::lanes::dispatch;
use crate::rig::Rig;
use crate::rig::block::{LANES, PoseBlock};
use crate::skeleton::JointPose;

/// A clip and a time.
#[derive(Debug, Clone, Copy)]
pub struct ClipAt<'a> {
    /// The clip; one that was compiled for another rig shows the rest pose.
    pub clip: &'a CompiledClip,
    /// Seconds from the clip's start; clamped to the clip.
    pub time: f32,
}

/// Where a pose comes from.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    Clip(ClipAt<'a>),
    Blend { from: ClipAt<'a>, to: ClipAt<'a>, weight: f32 },
    Pose(&'a [JointPose]),
}

impl Source<'_> {
    /// Whether a clip of the right rig yields poses in bind space.
    pub fn is_in_bind_space(&self) -> bool {
        match self {
            Self::Clip(shown) => shown.clip.is_in_bind_space,
            Self::Blend { from, to, .. } => from.clip.is_in_bind_space && to.clip.is_in_bind_space,
            Self::Pose(_) => false,
        }
    }

    /// Whether no scale is ever another than in the rest pose of a rig.
    pub fn rests_in_scale(&self, rig: &Rig) -> bool {
        let rests = |shown: &ClipAt| !shown.clip.is_for(rig) || shown.clip.moves.iter().all(|moves| !moves.scale);
        match self {
            Self::Clip(shown) => rests(shown),
            Self::Blend { from, to, .. } => rests(from) && rests(to),
            Self::Pose(_) => false,
        }
    }

    /// The time of a single clip.
    fn time(&self) -> f32 {
        match self {
            Self::Clip(shown) => shown.time,
            Self::Blend { .. } | Self::Pose(_) => 0.0,
        }
    }

    /// Whether a clip of the right rig never scales a joint.
    pub fn is_unscaled(&self) -> bool {
        match self {
            Self::Clip(shown) => shown.clip.is_unscaled,
            Self::Blend { from, to, .. } => from.clip.is_unscaled && to.clip.is_unscaled,
            Self::Pose(_) => false,
        }
    }
}

/// Finds the pose of a source; `other` is scratch memory.
pub(super) fn sample_source(
    isa: Isa,
    rig: &Rig,
    source: Source,
    wants_scale: bool,
    pose: &mut [PoseBlock],
    other: &mut [PoseBlock],
) -> PoseForm {
    sample_moving_source(isa, rig, source, wants_scale, None, pose, other)
}

/// As [`sample_source`]; what does not move, if that is told, is left as it is. At least what moves in a clip of the source must be told
/// to.
fn sample_moving_source(
    isa: Isa,
    rig: &Rig,
    source: Source,
    wants_scale: bool,
    moving: Option<&[Moves]>,
    pose: &mut [PoseBlock],
    other: &mut [PoseBlock],
) -> PoseForm {
    match source {
        Source::Clip(shown) => sample_clip_at(isa, rig, shown, wants_scale, moving, pose),
        Source::Blend { from, to, weight } => {
            // In bind space, and for clips of other rigs, the rig's own scales count.
            let keeps_rest = rig.is_unscaled || (from.clip.is_in_bind_space && to.clip.is_in_bind_space);
            let has_scale = wants_scale || !(keeps_rest && from.clip.is_unscaled && to.clip.is_unscaled);
            let mut form = sample_clip_at(isa, rig, from, has_scale, moving, pose);
            let mut other_form = sample_clip_at(isa, rig, to, has_scale, moving, other);
            let is_one_space = form.is_in_bind_space == other_form.is_in_bind_space;
            if !is_one_space {
                form.leave_bind_space(rig, pose);
                other_form.leave_bind_space(rig, other);
            }
            // Both at rest is at rest, to the bit.
            let are_of_rig = from.clip.is_for(rig) && to.clip.is_for(rig);
            let moves = (is_one_space && are_of_rig).then_some([&*from.clip.moves, &*to.clip.moves]);
            dispatch(isa, Toward { pose, other, fraction: clean_weight(weight), mask: None, has_scale, moves });
            PoseForm { is_unscaled: form.is_unscaled && other_form.is_unscaled, ..form }
        }
        Source::Pose(local) => {
            rig.read_pose(local, pose);
            PoseForm { is_unscaled: false, is_in_bind_space: false }
        }
    }
}

/// What is known of a sampled pose.
#[derive(Clone, Copy)]
pub(super) struct PoseForm {
    pub is_unscaled: bool,
    pub is_in_bind_space: bool,
}

impl PoseForm {
    /// Makes a pose a local one.
    pub fn leave_bind_space(&mut self, rig: &Rig, pose: &mut [PoseBlock]) {
        if let Some(space) = rig.bind_space.as_ref().filter(|_| self.is_in_bind_space) {
            rig.leave_bind_space(space, pose);
            *self = Self { is_unscaled: rig.is_unscaled, is_in_bind_space: false };
        }
    }
}

#[inline(always)]
fn sample_clip_at(
    isa: Isa,
    rig: &Rig,
    shown: ClipAt,
    wants_scale: bool,
    moving: Option<&[Moves]>,
    pose: &mut [PoseBlock],
) -> PoseForm {
    if !shown.clip.is_for(rig) {
        pose.copy_from_slice(&rig.rest);
        return PoseForm { is_unscaled: rig.is_unscaled, is_in_bind_space: false };
    }
    match moving {
        Some(moving) => shown.clip.sample_moving(isa, shown.time, wants_scale, moving, pose),
        None => shown.clip.sample(isa, shown.time, wants_scale, pose),
    }
    PoseForm { is_unscaled: shown.clip.is_unscaled, is_in_bind_space: shown.clip.is_in_bind_space }
}

/// What [`sample_eight`] found out.
pub(super) struct Sampled {
    /// Whether `moves` tells what none of the characters moves.
    pub knows_moves: bool,
    /// Whether rotations are not in the poses, but in `turned`: joint by joint, lanes being characters.
    pub is_turned: bool,
}

/// Where [`sample_eight`] puts poses.
pub(super) struct EightPoses<'a> {
    /// One after the other.
    pub poses: &'a mut [PoseBlock],
    /// More blocks than the rig has lanes.
    pub turned: &'a mut [PoseBlock],
    /// Scratch memory, of one pose.
    pub other: &'a mut [PoseBlock],
}

/// Finds the poses of at most eight characters of a rig, all of which are of one form; `are_one_clip` if there are eight that play the
/// same one, each at a time of its own. What none of them moves is left as it is.
pub(super) fn sample_eight(
    isa: Isa,
    rig: &Rig,
    (sources, are_one_clip): (&[Source], bool),
    form: PoseForm,
    moves: &mut [Moves],
    EightPoses { poses, turned, other }: EightPoses,
) -> Sampled {
    // What is at rest in all of them is the same for all of them. Morph weights are read from the poses.
    let (of_joints, of_morphs) = moves.split_at_mut(rig.joint_count().div_ceil(LANES));
    of_joints.fill(Moves::default());
    of_morphs.fill(Moves::ALL);
    let knows_moves = form.is_in_bind_space && note_moves(rig, sources, of_joints);
    let (moving, wants_scale) = (knows_moves.then_some(&*moves), !form.is_unscaled);
    if let (Some(eight), Some(moving)) = (sources.as_array::<LANES>().filter(|_| are_one_clip), moving)
        && let Source::Clip(ClipAt { clip, .. }) = eight[0]
        && clip.sample_eight(isa, eight.map(|source| source.time()), wants_scale, moving, poses, turned)
    {
        return Sampled { knows_moves, is_turned: true };
    }
    for (pose, source) in poses.chunks_exact_mut(rig.rest.len().max(1)).zip(sources) {
        sample_moving_source(isa, rig, *source, wants_scale, moving, pose, other);
    }
    Sampled { knows_moves, is_turned: false }
}

/// Notes what of each block of joints moves in any of some sources, which are in bind space. Whether that is known: of clips of this
/// rig.
fn note_moves(rig: &Rig, sources: &[Source], moves: &mut [Moves]) -> bool {
    sources.iter().all(|source| {
        let clips = match source {
            Source::Clip(shown) => [Some(shown.clip), None],
            Source::Blend { from, to, .. } => [Some(from.clip), Some(to.clip)],
            Source::Pose(_) => return false,
        };
        clips.iter().flatten().all(|clip| {
            for (moves, more) in moves.iter_mut().zip(&clip.moves) {
                *moves = *moves | *more;
            }
            clip.is_for(rig)
        })
    })
}
