//! Local poses and palettes of eight players side by side.

use glam::Mat4;

use super::eight::{ComposeEight, EightPalettes};
use super::evaluator::Evaluator;
use super::rows::IntoBind;
use super::source::{ClipAt, Source, sample_source};
use crate::compile::Moves;
use crate::math::lanes::dispatch;
use crate::rig::Rig;
use crate::rig::block::LANES;
use crate::skeleton::JointPose;

/// A clip at a time, and where a player wants its local pose, its palette and its morph weights.
pub(crate) struct PlayerOut<'a> {
    pub shown: ClipAt<'a>,
    pub pose: &'a mut [JointPose],
    pub palette: &'a mut [Mat4],
    pub morph_weights: &'a mut [f32],
}

impl Evaluator {
    /// As [`Evaluator::pose_and_palette`] and [`Evaluator::last_morphs`] for each of eight players of one rig, with the same bits. False where
    /// that cannot be done side by side: nothing has been written then.
    pub(crate) fn poses_and_palettes_of_eight(&mut self, rig: &Rig, mut players: [PlayerOut<'_>; LANES]) -> bool {
        let Some(space) = &rig.bind_space else { return false };
        let is_usual = |player: &PlayerOut| {
            let is_local = player.shown.clip.is_for(rig) && !player.shown.clip.is_in_bind_space;
            let fits = player.palette.len() == rig.joint_count();
            is_local && fits && Source::Clip(player.shown).rests_in_scale(rig)
        };
        if !players.iter().all(is_usual) {
            return false;
        }
        self.fit_eight(rig);
        let (isa, blocks) = (self.isa, rig.rest.len());
        let moves_in_any = |block: usize| players.iter().any(|player| player.shown.clip.moves[block].translation);
        // What does not move is at rest, to the bit.
        let still =
            (0..blocks.min(64)).filter(|block| !moves_in_any(*block)).fold(0, |still, block| still | 1 << block);
        let (local, bound) = (&mut self.other_pose[..blocks], &mut self.poses[..LANES * blocks]);
        for (player, bound) in players.iter_mut().zip(bound.chunks_exact_mut(blocks.max(1))) {
            sample_source(isa, rig, Source::Clip(player.shown), true, local, &mut []);
            rig.write_pose(local, player.pose);
            rig.write_morphs(local, player.morph_weights);
            dispatch(isa, IntoBind { pose: local, space, still, bound });
        }
        let out = EightPalettes(players.map(|player| player.palette));
        let (poses, slots, turned) = (&*bound, &mut self.slots[..], &mut self.turned[..]);
        let (space, moves, is_turned) = (Some(space), None::<&[Moves]>, false);
        dispatch(
            isa,
            ComposeEight { rig, is_unscaled: true, space, moves, still, poses, slots, turned, is_turned, out },
        );
        true
    }
}
