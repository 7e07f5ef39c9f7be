//! Computes the pose of a layer from its levels, and the pose of the mixer from its layers.

use super::action::AnimationAction;
use super::blend::{AddOn, BlendMode, Blender, Input};
use super::crossfade::{CrossFade, Follow};
use super::fade::FadeIn;
use super::layer::{MixerLayer, OLDER};
use super::memory::LayerMemory;
use super::motion::{Motion, MotionContext};
use crate::math::isa::Isa;
use crate::math::lanes::dispatch;
use crate::palette::Toward;
use crate::rig::block::{Blocks, PoseBlock};

/// Which moment is evaluated, and of what.
#[derive(Clone, Copy)]
pub(super) struct Moment<'a> {
    pub isa: Isa,
    pub context: MotionContext<'a>,
    /// Seconds from now. Actions are looked at without leaving the pass that is running, unless the view is [`View::Ahead`].
    pub ahead: f64,
    pub view: View,
}

/// What is looked at where an inertialised fade has just begun; elsewhere there is no difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// What was shown until now.
    Old,
    /// What is shown from now on.
    New,
    /// The same at a later moment: actions go on into their next pass.
    Ahead,
}

/// Memory for one evaluation, shared by all mixers of a thread.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub blender: Blender,
    pub inputs: Vec<Input>,
    pub sample: Vec<PoseBlock>,
    pub layer: Vec<PoseBlock>,
    /// What is shown and will be, for inertialised fades: the old, now and at two moments a little later; the same of the
    /// new.
    pub moments: [Vec<PoseBlock>; 6],
}

impl Scratch {
    pub fn fit(&mut self, blocks: usize) {
        if self.sample.len() < blocks {
            for pose in [&mut self.sample, &mut self.layer].into_iter().chain(&mut self.moments) {
                pose.resize(blocks, PoseBlock::IDENTITY);
            }
        }
    }
}

impl MixerLayer {
    /// Puts the layer's pose on top of `pose`, in these blocks at least; the base layer overwrites it.
    pub(super) fn show(&mut self, moment: &Moment, scratch: &mut Scratch, wanted: Blocks, pose: &mut [PoseBlock]) {
        let Scratch { blender, inputs, sample, layer, .. } = scratch;
        let (rig, blocks) = (&**moment.context.library.rig(), pose.len());
        let (sample, own) = (&mut sample[..blocks], &mut layer[..blocks]);
        if let Some(mask) = &self.mask {
            self.memory.mask_lanes(rig, mask);
        }
        // What fades remembers the way round of every joint, also of those that nobody sees.
        let wanted = match self.only_action() {
            Some(_) if !self.is_base && self.mode == BlendMode::Override => {
                wanted.without(self.memory.mask_blocks()[0])
            }
            Some(_) => wanted,
            None => Blocks::ALL,
        };
        if !self.is_base && self.mask.is_some() && self.show_clip_over(moment, wanted, pose, own) {
            return;
        }
        let mut sampler = Sampler { moment, blender, inputs, sample, wanted };
        let levels = self.levels(moment.view);
        let weight = self.clean_weight();
        let is_empty = self.current_action.is_none() && self.fading.is_none();
        if self.is_base {
            let alpha = weight * self.chain(levels, &mut sampler, pose);
            if alpha < 1.0 || self.mask.is_some() {
                own.copy_from_slice(pose);
                pose.copy_from_slice(&rig.rest);
                let mask = self.mask.as_ref().map(|mask| self.memory.mask_lanes(rig, mask));
                dispatch(moment.isa, Toward { pose, other: own, fraction: alpha, mask, has_scale: true, moves: None });
            }
        } else if weight > 0.0 && !is_empty {
            let alpha = weight * self.chain(levels, &mut sampler, own);
            let mask = self.mask.as_ref().map(|mask| self.memory.mask_lanes(rig, mask));
            match self.mode {
                _ if !(alpha > 0.0) => {}
                BlendMode::Override => {
                    dispatch(
                        moment.isa,
                        Toward { pose, other: own, fraction: alpha, mask, has_scale: true, moves: None },
                    );
                }
                BlendMode::Additive => dispatch(moment.isa, AddOn { pose, delta: own, weight: alpha, mask }),
            }
        }
    }

    /// Blocks of which nothing is seen that is below the layer.
    pub(super) fn covers(&self) -> Blocks {
        let is_full = self.mode == BlendMode::Override && self.mask.is_some() && self.clean_weight() == 1.0;
        match self.only_action() {
            Some(Some(action)) if is_full && action.clean_weight() == 1.0 => self.memory.mask_blocks()[1],
            _ => Blocks::NONE,
        }
    }

    /// Freezes the oldest levels into a pose, if there are too many.
    pub(super) fn fold(&mut self, moment: &Moment, scratch: &mut Scratch) {
        let Some(count) = self.older.len().checked_sub(OLDER).filter(|count| *count > 0) else { return };
        let Scratch { blender, inputs, sample, layer, .. } = scratch;
        let blocks = moment.context.library.rig().rest.len();
        let (sample, own) = (&mut sample[..blocks], &mut layer[..blocks]);
        let mut sampler = Sampler { moment, blender, inputs, sample, wanted: Blocks::ALL };
        let alpha = self.chain((0, count), &mut sampler, own);
        self.memory.snapshot.take(blocks).copy_from_slice(own);
        (self.memory.snapshot_alpha, self.memory.has_snapshot) = (alpha, true);
        self.older.drain(..count);
    }

    /// The levels that a view shows: the first, and the end.
    fn levels(&self, view: View) -> (usize, usize) {
        let count = self.older.len() + usize::from(self.fading.is_some()) + 1;
        match view {
            View::Old if self.awaits_capture() => (0, count - 1),
            View::New | View::Ahead if self.awaits_capture() => (count - 1, count),
            _ => (0, count),
        }
    }

    fn level(&self, index: usize) -> (Option<&AnimationAction>, FadeIn) {
        match (self.older.get(index), self.fading) {
            (Some(level), _) => (level.action.as_ref(), level.fade),
            (None, Some(fade)) if index == self.older.len() => (self.fading_action.as_ref(), fade),
            _ => (self.current_action.as_ref(), self.current_fade()),
        }
    }

    /// The memory that follows a level's signs, and whether it is new.
    fn track_of(&mut self, index: usize) -> (u8, bool) {
        if let Some(track) = self.level(index).1.track {
            return (track, false);
        }
        let older = self.older.iter().map(|level| level.fade.track);
        let track = LayerMemory::free_track(older.chain([self.fading.and_then(|fade| fade.track), self.track]));
        let count = self.older.len();
        match (self.older.get_mut(index), &mut self.fading) {
            (Some(level), _) => level.fade.track = Some(track),
            (None, Some(fade)) if index == count => fade.track = Some(track),
            _ => self.track = Some(track),
        }
        (track, true)
    }

    /// Finds the pose of levels, each taking over from those before it, and how opaque it is: from 0 to 1.
    fn chain(&mut self, (first, end): (usize, usize), sampler: &mut Sampler, pose: &mut [PoseBlock]) -> f32 {
        let (isa, ahead) = (sampler.moment.isa, sampler.moment.ahead);
        let rest = &sampler.moment.context.library.rig().rest;
        let has_snapshot = self.memory.has_snapshot && first == 0 && self.memory.snapshot.get().len() == pose.len();
        let is_alone = !has_snapshot && end == first + 1;
        let mut alpha = 0.0;
        if has_snapshot {
            pose.copy_from_slice(self.memory.snapshot.get());
            alpha = self.memory.snapshot_alpha;
        }
        for index in first..end {
            let is_lowest = index == first && !has_snapshot;
            let (action, fade) = self.level(index);
            let fraction = if is_lowest { 1.0 } else { fade.weight(ahead) };
            if !(fraction > 0.0) {
                continue;
            }
            let opacity = match action {
                Some(action) => action.clean_weight(),
                None => f32::from(self.is_base),
            };
            if is_lowest {
                match action {
                    Some(action) => sampler.sample_into(action, pose),
                    None => pose.copy_from_slice(rest),
                }
                if !is_alone && action.is_some() {
                    let (track, is_new) = self.track_of(index);
                    let track = self.memory.track(track, pose.len());
                    dispatch(isa, Follow { pose, track, is_new });
                }
                alpha = opacity;
                continue;
            }
            let total = (1.0 - fraction) * alpha + fraction * opacity;
            if !(opacity > 0.0) {
                alpha = total;
                continue;
            }
            match action {
                Some(action) => sampler.sample(action),
                None => sampler.sample.copy_from_slice(rest),
            }
            let (track, is_new) = self.track_of(index);
            let (track, other) = (self.memory.track(track, pose.len()), &*sampler.sample);
            dispatch(isa, CrossFade { pose, other, track, is_new, fraction: fraction * opacity / total });
            alpha = total;
        }
        alpha
    }
}

/// Finds the poses of actions.
struct Sampler<'a> {
    moment: &'a Moment<'a>,
    blender: &'a mut Blender,
    inputs: &'a mut Vec<Input>,
    sample: &'a mut [PoseBlock],
    wanted: Blocks,
}

impl Sampler<'_> {
    fn sample_into(&mut self, action: &AnimationAction, pose: &mut [PoseBlock]) {
        let Self { moment, blender, inputs, wanted, .. } = self;
        moment.sample(action, blender, inputs, *wanted, pose);
    }

    fn sample(&mut self, action: &AnimationAction) {
        let Self { moment, blender, inputs, sample, wanted } = self;
        moment.sample(action, blender, inputs, *wanted, sample);
    }
}

impl Moment<'_> {
    /// The time of an action's motion.
    fn time_of(&self, action: &AnimationAction) -> f64 {
        if self.view == View::Ahead { action.time_ahead(self.ahead) } else { action.time_after(self.ahead) }
    }

    /// The same of a clip, in its seconds.
    pub(super) fn seconds_of(&self, action: &AnimationAction) -> f32 {
        let is_ahead = self.view == View::Ahead && self.ahead != 0.0;
        if is_ahead { action.time_ahead(self.ahead) as f32 } else { action.seconds_after(self.ahead) }
    }

    pub(super) fn sample(
        &self,
        action: &AnimationAction,
        blender: &mut Blender,
        inputs: &mut Vec<Input>,
        wanted: Blocks,
        pose: &mut [PoseBlock],
    ) {
        let library = self.context.library;
        match action.motion() {
            Motion::Clip(clip) if clip < library.len() => {
                library[clip].sample_some(self.isa, self.seconds_of(action), wanted, pose);
            }
            motion => {
                inputs.clear();
                motion.expand(&self.context, self.time_of(action), inputs);
                blender.blend_clips(library, inputs, wanted, pose);
            }
        }
    }
}
