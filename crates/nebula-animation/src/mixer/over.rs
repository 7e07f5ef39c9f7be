//! A layer with a mask that shows one clip, on top of what is below it: sampled as it is put there.

use super::action::AnimationAction;
use super::blend::BlendMode;
use super::evaluate::Moment;
use super::layer::MixerLayer;
use super::motion::Motion;
use crate::compile::CompiledClip;
use crate::math::lanes::{Kernel, Lanes, dispatch, load4, store_all};
use crate::math::slerp::{Warp, combine_shorter};
use crate::palette::mix;
use crate::rig::block::{Blocks, Component, LANES, PoseBlock};

impl MixerLayer {
    /// Puts what the layer shows on top of `pose`, in these blocks at least, where that is one clip with arcs: the bits are those that
    /// `Toward` makes of a sample. False where it is something else, and nothing has been done. `own` is scratch memory.
    pub(super) fn show_clip_over(
        &self,
        moment: &Moment,
        wanted: Blocks,
        pose: &mut [PoseBlock],
        own: &mut [PoseBlock],
    ) -> bool {
        let library = moment.context.library;
        let clip_of = |action: &AnimationAction| match action.motion() {
            Motion::Clip(clip) => library.get(clip).filter(|clip| clip.has_arcs()),
            Motion::Space(_) => None,
        };
        let Some(Some(action)) = self.only_action() else { return false };
        let (Some(clip), Some((mask, kinds))) = (clip_of(action), self.memory.mask_in_blocks()) else { return false };
        if self.mode != BlendMode::Override || self.awaits_capture() {
            return false;
        }
        let fraction = self.clean_weight() * action.clean_weight();
        if fraction > 0.0 {
            let time = moment.seconds_of(action);
            // By a part of it, no block is taken over as it is.
            let kinds = if fraction == 1.0 { kinds } else { [Blocks::NONE; 2] };
            dispatch(moment.isa, Over { clip, time, fraction, mask, kinds, wanted, pose, own });
        }
        true
    }
}

/// Puts a clip on top of a pose.
pub(super) struct Over<'a> {
    pub clip: &'a CompiledClip,
    pub time: f32,
    /// From 0 to 1.
    pub fraction: f32,
    /// Multiplies the fraction, joint by joint.
    pub mask: &'a [Component],
    /// Blocks of which the clip is all there is to see, and those of which it is so joint by joint, or not at all.
    pub kinds: [Blocks; 2],
    /// Not those of which nothing is seen.
    pub wanted: Blocks,
    pub pose: &'a mut [PoseBlock],
    /// Memory for translations and scales.
    pub own: &'a mut [PoseBlock],
}

impl Kernel for Over<'_> {
    type Output = ();
    const NEEDS_REGISTERS: bool = true;
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { clip, time, fraction, mask, kinds: [whole, crisp], wanted, pose, own } = self;
        let arcs = clip.sample_vectors::<L>(time, wanted, own);
        let (shared, one) = (L::splat(fraction), L::splat(1.0));
        for index in wanted.stretches(pose.len().min(mask.len())).flatten() {
            let (pose, mask, moves, still) = (&mut pose[index], &mask[index], clip.moves[index], &clip.still[index]);
            let translation = if moves.translation { &own[index].translation } else { &still.translation };
            let scale = if moves.scale { &own[index].scale } else { &still.scale };
            let is_whole = whole.has(index);
            if is_whole {
                pose.translation = *translation;
                pose.scale = *scale;
            }
            for lane in (0..LANES).step_by(L::WIDTH) {
                let turns = arcs.turns(index, lane);
                if is_whole {
                    if let Some(turns) = turns {
                        store_all(turns, &mut pose.rotation, lane);
                    }
                    continue;
                }
                let fraction = shared.mul(L::load(&mask[lane..]));
                let rest = one.sub(fraction);
                if let Some(turns) = turns {
                    let before = load4(&pose.rotation, lane);
                    let turned = if crisp.has(index) {
                        // What comes of the arc where nothing lies between its ends.
                        combine_shorter(before, rest, turns, fraction)
                    } else {
                        Warp::new(fraction).slerp_shorter(before, turns)
                    };
                    store_all(turned, &mut pose.rotation, lane);
                }
                mix(&mut pose.translation, translation, lane, rest, fraction);
                mix(&mut pose.scale, scale, lane, rest, fraction);
            }
        }
    }
}
