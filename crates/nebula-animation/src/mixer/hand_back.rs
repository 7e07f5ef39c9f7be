//! Actions that leave their layer when they end.

use super::action::AnimationAction;
use super::error::{Cue, PlayError};
use super::fade::{Fade, FadeCurve};
use super::layer::MixerLayer;

impl MixerLayer {
    /// Plays a motion once, from its start, and then hands back: it fades out to the rest pose on the base layer, or to
    /// what is below on other layers. After that, nothing plays in the layer.
    ///
    /// `fade_out` ends together with the motion; if the motion is shorter, it starts when the motion ends. It follows
    /// the action's clock, so you can change speed, direction and repetitions at any time; a paused action waits.
    /// [`play`](MixerLayer::play), [`restart`](MixerLayer::restart) and [`stop`](MixerLayer::stop) take over as usual.
    /// If that motion already plays, it cross-fades with itself.
    ///
    /// ```
    /// use nebula_animation::{AnimationClip, AnimationClipLibrary, AnimationMixer, Rig, Skeleton};
    ///
    /// # fn main() -> Result<(), nebula_animation::PlayError> {
    /// # let clip = |name: &str| AnimationClip { name: name.into(), duration: 1.0, ..Default::default() };
    /// let rig = Rig::new(Skeleton::default());
    /// let mut mixer = AnimationMixer::new(AnimationClipLibrary::new(&rig, &[clip("walk"), clip("wave")]));
    /// mixer.play("walk", 0.3)?;
    /// let arm = mixer.add_layer("arm");
    /// mixer.layer_mut(arm).expect("just added").play_once("wave", 0.2, 0.2)?;
    /// mixer.update(0.9);
    /// assert_eq!(mixer.layer(arm).expect("there").fade_progress, 0.5, "half way out");
    /// mixer.update(0.1);
    /// assert_eq!(mixer.layer(arm).expect("there").actions().count(), 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// There is no such motion; what was playing continues.
    #[doc(alias = "one shot")]
    pub fn play_once<'a>(
        &mut self,
        motion: impl Into<Cue<'a>>,
        fade_in: impl Into<Fade>,
        fade_out: impl Into<Fade>,
    ) -> Result<&mut AnimationAction, PlayError> {
        let action = self.restart(motion, fade_in)?;
        (action.looping, action.hand_back) = (false, Some(fade_out.into()));
        Ok(action)
    }

    /// `true` if the layer's motion ended in the last update: its current action, or one that was [played
    /// once](MixerLayer::play_once) and is handing back. With an inertialised fade-out, it ends when that begins.
    ///
    /// ```
    /// # use nebula_animation::{AnimationClip, AnimationClipLibrary, AnimationMixer, Rig, Skeleton};
    /// # fn main() -> Result<(), nebula_animation::PlayError> {
    /// # let wave = AnimationClip { name: "wave".into(), duration: 1.0, ..Default::default() };
    /// let mut mixer = AnimationMixer::new(AnimationClipLibrary::new(&Rig::new(Skeleton::default()), &[wave]));
    /// mixer.play_once("wave", 0.2, 0.2)?;
    /// mixer.update(0.9);
    /// assert!(!mixer.has_just_finished());
    /// mixer.update(0.1);
    /// assert!(mixer.has_just_finished());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn has_just_finished(&self) -> bool {
        self.has_just_finished
    }

    /// Looks whether what plays has come to its end in a step.
    pub(super) fn note_end(&mut self) {
        let playing = self.current_action.as_ref();
        let leaving = self.fading_action.as_ref().filter(|action| action.hand_back.is_some());
        let ends = playing.or(leaving).is_some_and(AnimationAction::has_just_finished);
        self.has_just_finished = ends || std::mem::take(&mut self.gives_way);
    }

    /// Begins to fade out an action that hands back, where that has to begin within the step of `dt` seconds that is about
    /// to be made.
    pub(super) fn hand_back(&mut self, dt: f64) {
        let Some(action) = &self.current_action else { return };
        let Some(fade) = action.hand_back else { return };
        let Some((left, total)) = action.seconds_left().filter(|_| dt >= 0.0) else { return };
        let seconds = f64::from(fade.clean_seconds());
        // Seconds until the fade has to begin.
        let wait = if total < seconds { left } else { (left - seconds).max(0.0) };
        let is_inertialised = fade.curve == FadeCurve::Inertialised;
        // What goes at once, and what is seen no more once its fade has begun, comes to the end first.
        let is_whole = seconds == 0.0 || (is_inertialised && total < seconds);
        // Only what has been shown has a pose and a velocity to go on from.
        let is_too_early = self.is_unshown_fade && (is_inertialised || self.curve == FadeCurve::Inertialised);
        if is_too_early || if is_whole { left > 0.0 } else { wait > 0.0 && wait >= dt } {
            return;
        }
        // It was played, if only within this step: it is not to be forgotten.
        self.is_unshown_fade = false;
        if is_inertialised {
            // Begins with the step, and ends when it should.
            self.stop(Fade { seconds: (seconds + wait) as f32, ..fade });
            // Nothing is seen of it any more, and it does not go on; unless it has come to its end already.
            self.gives_way = left > 0.0;
        } else {
            self.stop(fade);
            if seconds > 0.0 {
                self.fade_progress = -(wait / seconds) as f32;
            }
        }
    }
}
