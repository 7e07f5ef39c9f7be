use super::action::AnimationAction;
use super::blend::BlendMode;
use super::error::{Cue, PlayError, unknown_clip};
use super::fade::{Fade, FadeCurve, FadeIn};
use super::levels::Levels;
use super::memory::LayerMemory;
use super::motion::{Motion, MotionClock};
use crate::compile::AnimationClipLibrary;
use crate::math::clean_weight;
use crate::skeleton::JointMask;

/// One layer of an [`AnimationMixer`](super::AnimationMixer): an action, the action that it fades from, and how the
/// result is combined with the layers below.
///
/// The base layer falls back to the rest pose. A higher layer without an action shows what is below it.
///
/// ```
/// # use nebula_animation::Joint;
/// use nebula_animation::{AnimationClip, AnimationClipLibrary, AnimationMixer, JointMask, Rig};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let skeleton = nebula_animation::Skeleton { joints: vec![Joint {
/// #     index: 0, parent: None, name: "RightArm".into(), inverse_bind_matrix: glam::Mat4::IDENTITY,
/// #     bind_translation: glam::Vec3::Y, bind_rotation: glam::Quat::IDENTITY, bind_scale: glam::Vec3::ONE,
/// # }] };
/// # let clip = |name: &str| AnimationClip { name: name.into(), duration: 1.0, ..Default::default() };
/// let mut mixer = AnimationMixer::new(AnimationClipLibrary::new(&Rig::new(&skeleton), &[clip("walk"), clip("wave")]));
/// mixer.play("walk", 0.3)?;
/// let arm = mixer.add_layer("right arm");
/// let layer = mixer.layer_mut(arm).expect("just added");
/// layer.set_mask(JointMask::none(&skeleton).with_subtree(&skeleton, "RightArm", 1.0)?);
/// layer.play("wave", 0.2)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct MixerLayer {
    /// A name for people; it need not be unique.
    pub name: String,
    /// Whether the layer replaces what is below (the default) or is added to it. The clips of an additive layer hold
    /// differences, as made by [`additive_clip`](crate::sample::additive_clip).
    pub mode: BlendMode,
    /// Weight of the layer, from 0 to 1 (clamped; NaN counts as 0); default 1.
    pub weight: f32,
    /// The action that plays; `None` if nothing does.
    pub current_action: Option<AnimationAction>,
    /// The action that the current one fades from, while both are shown. Interrupted fades keep more actions running
    /// behind it.
    pub fading_action: Option<AnimationAction>,
    /// Progress of the current fade in time, from 0 to 1. The curve of the fade is applied to this.
    pub fade_progress: f32,
    /// Length of the current fade in seconds.
    pub fade_duration: f32,

    pub(super) clips: AnimationClipLibrary,
    pub(super) mask: Option<JointMask>,
    /// Curve of the fade into the current action.
    pub(super) curve: FadeCurve,
    pub(super) track: Option<u8>,
    /// The fade into the level that the current one fades from, if there is one.
    pub(super) fading: Option<FadeIn>,
    /// Levels below that one, the oldest first.
    pub(super) older: Levels,
    /// Whether an update has shown this layer.
    pub(super) is_shown: bool,
    /// Whether the current action has begun to fade in since the last update.
    pub(super) is_unshown_fade: bool,
    /// Whether the difference that dies away is to be forgotten, because the pose is meant to jump.
    pub(super) is_cut: bool,
    /// Whether what plays came to its end in the last update.
    pub(super) has_just_finished: bool,
    /// Whether an action is gone before its end in the step that is about to be made.
    pub(super) gives_way: bool,
    pub(super) is_base: bool,
    pub(super) memory: LayerMemory,
    pub(super) next_id: u64,
    /// How many blend spaces the mixer has.
    pub(super) space_count: usize,
}

/// An action that was interrupted, and the fade into it.
#[derive(Debug, Clone)]
pub(super) struct Level {
    pub action: Option<AnimationAction>,
    pub fade: FadeIn,
}

/// How many levels there may be below the one that is fading before the oldest are frozen into a pose.
pub(super) const OLDER: usize = 2;

impl MixerLayer {
    pub(super) fn new(name: String, clips: AnimationClipLibrary, is_base: bool) -> Self {
        Self {
            name,
            mode: BlendMode::Override,
            weight: 1.0,
            current_action: None,
            fading_action: None,
            fade_progress: 1.0,
            fade_duration: 0.0,
            clips,
            mask: None,
            curve: FadeCurve::Linear,
            track: None,
            fading: None,
            older: Levels::default(),
            is_shown: false,
            is_unshown_fade: false,
            is_cut: false,
            has_just_finished: false,
            gives_way: false,
            is_base,
            memory: LayerMemory::default(),
            next_id: 0,
            space_count: 0,
        }
    }

    /// Plays a clip (by name or index) or any motion from its start. `fade` says how it takes over: a number of seconds
    /// for a linear cross-fade, 0 to switch at once. You can interrupt a fade at any time with another one; the pose
    /// stays continuous.
    ///
    /// If that motion already plays, it continues and nothing changes; see [`restart`](MixerLayer::restart). An action
    /// that is [played once](MixerLayer::play_once) is replaced. The first action of a mixer appears at once.
    ///
    /// # Errors
    /// There is no such motion; what was playing continues.
    pub fn play<'a>(
        &mut self,
        motion: impl Into<Cue<'a>>,
        fade: impl Into<Fade>,
    ) -> Result<&mut AnimationAction, PlayError> {
        let (motion, clock) = self.find(motion.into())?;
        let goes_on = |action: &AnimationAction| action.motion() == motion && action.hand_back.is_none();
        let is_playing = self.current_action.as_ref().is_some_and(goes_on);
        if !is_playing {
            self.begin(fade.into(), true);
        }
        let id = self.new_id();
        Ok(self.current_action.get_or_insert_with(|| AnimationAction::new(motion, id, clock)))
    }

    /// Like [`play`](MixerLayer::play), but if the motion already plays, it cross-fades with itself.
    ///
    /// # Errors
    /// There is no such motion; what was playing continues.
    pub fn restart<'a>(
        &mut self,
        motion: impl Into<Cue<'a>>,
        fade: impl Into<Fade>,
    ) -> Result<&mut AnimationAction, PlayError> {
        let (motion, clock) = self.find(motion.into())?;
        self.begin(fade.into(), true);
        let id = self.new_id();
        Ok(self.current_action.insert(AnimationAction::new(motion, id, clock)))
    }

    /// Fades out the current action: the base layer to the rest pose, other layers to what is below them.
    #[doc(alias = "fade_out")]
    pub fn stop(&mut self, fade: impl Into<Fade>) {
        if self.current_action.is_some() {
            self.begin(fade.into(), false);
        }
    }

    /// Pauses the current action; fades continue.
    pub fn pause(&mut self) {
        if let Some(action) = &mut self.current_action {
            action.playing = false;
        }
    }

    /// Resumes the current action.
    pub fn resume(&mut self) {
        if let Some(action) = &mut self.current_action {
            action.playing = true;
        }
    }

    /// Restricts the layer to some joints, with a weight for each.
    pub fn set_mask(&mut self, mask: impl Into<Option<JointMask>>) {
        self.mask = mask.into();
        self.memory.forget_mask();
    }

    /// The weight of each joint; `None` means all joints at full weight.
    #[must_use]
    pub fn mask(&self) -> Option<&JointMask> {
        self.mask.as_ref()
    }

    /// How much a joint takes part. Where the mask is in blocks already, they are at hand.
    pub(super) fn mask_weight(&self, joint: usize) -> f32 {
        let in_blocks = self.memory.mask_weight(joint);
        in_blocks.unwrap_or_else(|| self.mask.as_ref().map_or(1.0, |mask| mask.weight(joint)))
    }

    /// `true` while one action fades into another.
    #[must_use]
    pub fn is_fading(&self) -> bool {
        self.fade_progress < 1.0
    }

    /// The actions that are shown, oldest first, each with its share of the layer: from 0 to 1, after fades and its own
    /// weight. The rest of the layer is a frozen pose, or nothing.
    pub fn actions(&self) -> impl Iterator<Item = (&AnimationAction, f32)> {
        self.actions_ahead(0.0)
    }

    /// The same, `ahead` seconds from now.
    pub(super) fn actions_ahead(&self, ahead: f64) -> impl Iterator<Item = (&AnimationAction, f32)> {
        let mut found = [None; OLDER + 3];
        if let Some(only) = self.only_action() {
            found[0] = only.map(|action| (action, action.clean_weight()));
            return found.into_iter().flatten();
        }
        let mut shares = 1.0;
        let levels = self.older.iter().map(|level| (level.action.as_ref(), level.fade));
        let fading = self.fading.map(|fade| (self.fading_action.as_ref(), fade));
        let current = (self.current_action.as_ref(), self.current_fade());
        let levels: [Option<(Option<&AnimationAction>, FadeIn)>; OLDER + 3] = {
            let mut all = [None; OLDER + 3];
            let found = levels.chain(fading).chain([current]);
            for (slot, level) in all.iter_mut().zip(found) {
                *slot = Some(level);
            }
            all
        };
        for (index, (action, fade)) in levels.into_iter().enumerate().rev().filter_map(|(i, level)| Some((i, level?))) {
            // The lowest level has nothing to take over from.
            let weight = if index == 0 && !self.memory.has_snapshot { 1.0 } else { fade.weight(ahead) };
            found[index] = action.map(|action| (action, shares * weight * action.clean_weight()));
            shares *= 1.0 - weight;
        }
        found.into_iter().flatten()
    }

    /// The only action, if there is any, of a layer in which nothing takes over from anything; `None` elsewhere.
    #[inline]
    pub(super) fn only_action(&self) -> Option<Option<&AnimationAction>> {
        let is_alone = self.fading.is_none() && self.older.is_empty() && !self.memory.has_snapshot;
        is_alone.then_some(self.current_action.as_ref())
    }

    pub(super) fn current_fade(&self) -> FadeIn {
        FadeIn { curve: self.curve, seconds: self.fade_duration, progress: self.fade_progress, track: self.track }
    }

    /// Whether an inertialised fade has begun whose difference is not known yet.
    pub(super) fn awaits_capture(&self) -> bool {
        self.is_unshown_fade && self.curve == FadeCurve::Inertialised
    }

    pub(super) fn clean_weight(&self) -> f32 {
        clean_weight(self.weight)
    }

    /// The motion that a cue names.
    fn find(&self, cue: Cue) -> Result<(Motion, MotionClock), PlayError> {
        let motion = match cue {
            Cue::Name(name) => Motion::Clip(self.clips.index_of(name).ok_or_else(|| unknown_clip(name, &self.clips))?),
            Cue::Motion(motion) => motion,
        };
        match motion {
            Motion::Clip(index) => {
                let count = self.clips.len();
                let clip = self.clips.get(index).ok_or(PlayError::NoSuchClip { index, count })?;
                Ok((motion, MotionClock::of_clip(clip.duration())))
            }
            Motion::Space(index) if index < self.space_count => Ok((motion, MotionClock { length: 1.0, rate: 1.0 })),
            Motion::Space(index) => Err(PlayError::NoSuchSpace { index, count: self.space_count }),
        }
    }

    fn new_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    /// Makes room for another current action, or for none: what is shown continues below it for the duration of the
    /// fade.
    fn begin(&mut self, fade: Fade, plays: bool) {
        let seconds = fade.clean_seconds();
        let is_first = plays && !self.is_shown && self.current_action.is_none() && self.fading.is_none();
        if seconds == 0.0 || is_first {
            self.drop_below();
            self.current_action = None;
            (self.curve, self.fade_duration, self.fade_progress) = (FadeCurve::Linear, seconds, 1.0);
            (self.track, self.is_unshown_fade, self.is_cut) = (None, false, true);
            return;
        }
        if !self.is_unshown_fade {
            // What has not been shown yet is not missed; all else goes on below.
            if let Some(fade) = self.fading.take() {
                self.older.push(Level { action: self.fading_action.take(), fade });
            }
            self.fading = Some(self.current_fade());
            self.fading_action = self.current_action.take();
        }
        self.current_action = None;
        (self.curve, self.fade_duration, self.fade_progress) = (fade.curve, seconds, 0.0);
        (self.track, self.is_unshown_fade) = (None, true);
    }

    /// Forgets all levels below the current one.
    pub(super) fn drop_below(&mut self) {
        self.older.clear();
        (self.fading, self.fading_action, self.memory.has_snapshot) = (None, None, false);
    }

    /// Advances fades.
    pub(super) fn advance_fades(&mut self, dt: f64) {
        self.fade_progress = self.current_fade().progress_after(dt);
        if let Some(fade) = &mut self.fading {
            fade.progress = fade.progress_after(dt);
        }
        for level in &mut self.older {
            level.fade.progress = level.fade.progress_after(dt);
        }
    }

    /// Drops the levels that nothing is seen of any more.
    pub(super) fn drop_hidden(&mut self) {
        if self.only_action().is_some()
            && self.fading_action.is_none()
            && self.memory.is_free()
            && self.older.is_returned()
            && !(self.fade_progress < 1.0)
        {
            // Nothing is left of the last fade.
            self.track = None;
            return;
        }
        if self.current_fade().is_done() || self.curve == FadeCurve::Inertialised {
            self.drop_below();
            self.track = None;
        } else if self.fading.is_none_or(|fade| fade.is_done()) {
            self.older.clear();
            self.memory.has_snapshot = false;
        } else if let Some(done) = self.older.iter().rposition(|level| level.fade.is_done()) {
            self.older.drain(..done);
            self.memory.has_snapshot = false;
        }
        self.older.give_back();
        let older = self.older.iter().map(|level| level.fade.track);
        self.memory.give_back(older.chain([self.fading.and_then(|fade| fade.track), self.track]));
    }

    /// The actions that are shown, oldest first, to modify; includes those that an interrupted fade keeps running below
    /// [`fading_action`](MixerLayer::fading_action).
    pub fn actions_mut(&mut self) -> impl Iterator<Item = &mut AnimationAction> {
        let older = self.older.iter_mut().filter_map(|level| level.action.as_mut());
        older.chain(&mut self.fading_action).chain(&mut self.current_action)
    }
}
