//! Which clips a mixer shows, and with what weight.

use super::AnimationMixer;
use super::action::AnimationAction;
use super::blend::BlendMode;
use super::layer::{MixerLayer, OLDER};
use super::motion::MotionContext;
use super::space::SpaceSlot;
use crate::compile::ClipId;
use crate::frame::{LayerId, ShownClip};

impl AnimationMixer {
    /// Appends the clips that the last update shows, layer by layer, blend spaces expanded; or those `ahead` seconds later.
    pub(super) fn show_clips(&self, ahead: f64, shown: &mut Vec<ShownClip>) {
        let context = MotionContext { library: &self.clips, spaces: &self.spaces };
        for (index, layer) in self.layers().enumerate() {
            let first = shown.len();
            let mut opacity = 0.0;
            let mut push = |share: f32, clip: usize, time: f32, weight: f32| {
                let weight = share * weight;
                let (layer, clip) = (LayerId::new(index), ClipId::new(clip));
                shown.push(ShownClip { layer, clip, time, weight, feet_weight: weight });
            };
            let mut show = |action: &AnimationAction, share: f32| {
                if share > 0.0 {
                    opacity += share;
                    action.motion().visit(&context, action.time_ahead(ahead), |clip, time, weight| {
                        push(share, clip, time, weight);
                    });
                }
            };
            match layer.only_action() {
                Some(only) => only.into_iter().for_each(|action| show(action, action.clean_weight())),
                None => layer.actions_ahead(ahead).for_each(|(action, share)| show(action, share)),
            }
            self.cover(layer, opacity, shown, first);
        }
    }

    /// Computes how much a layer, whose clips begin at `first`, leaves of those below it for the feet.
    fn cover(&self, layer: &MixerLayer, opacity: f32, shown: &mut [ShownClip], first: usize) {
        let mask = self.rig().feet().map_or(1.0, |feet| {
            let sum: f32 = feet.legs().iter().map(|leg| layer.mask_weight(usize::from(leg.foot))).sum();
            sum / feet.legs().len().max(1) as f32
        });
        let part = if layer.mode == BlendMode::Additive { 0.0 } else { layer.clean_weight() * mask };
        let (below, own) = shown.split_at_mut(first);
        own.iter_mut().for_each(|clip| clip.feet_weight *= part);
        let left = (1.0 - part * opacity).max(0.0);
        below.iter_mut().for_each(|clip| clip.feet_weight *= left);
    }

    /// The most clips that can be shown at once.
    pub(crate) fn most_shown(&self) -> usize {
        // Neighbours on a line, corners of a triangle.
        let of_space = |slot: &SpaceSlot| if slot.space.is_plane() { 3 } else { 2 };
        let clips_per_action = self.spaces.iter().map(of_space).max().unwrap_or(1);
        clips_per_action * (OLDER + 2) * (self.layers.len() + 1)
    }
}
