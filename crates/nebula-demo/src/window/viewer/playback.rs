//! Playback controls: keys, buttons and the timeline.

use nebula_animation::{AnimationAction, Fade, mixer::FadeCurve};

use super::Viewer;

/// How clips are played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Playback {
    pub(super) is_playing: bool,
    pub(super) speed: f32,
    pub(super) repeat: Repeat,
    pub(super) fade_secs: f32,
    pub(super) fade_curve: FadeCurve,
    /// Whether the timeline is being dragged.
    pub(super) is_scrubbing: bool,
}

impl Default for Playback {
    fn default() -> Self {
        Self {
            is_playing: true,
            speed: 1.0,
            repeat: Repeat::Loop,
            fade_secs: Fade::DEFAULT_SECONDS,
            fade_curve: FadeCurve::Smooth,
            is_scrubbing: false,
        }
    }
}

/// What happens at the end of a clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeat {
    Once,
    Loop,
    BackAndForth,
}

/// The step of the arrow keys, in seconds.
pub(super) const STEP: f32 = 1.0 / 30.0;

impl Viewer {
    pub(super) fn play(&mut self, clip: usize) {
        self.inspector.stop_machine(&mut self.puppet.character);
        let Playback { fade_secs, fade_curve, .. } = self.playback;
        self.playback.is_playing = true;
        let fade = Fade { seconds: fade_secs, curve: fade_curve };
        let has_ended = self.puppet.action().is_some_and(|action| action.clip() == Some(clip) && !action.playing);
        if has_ended {
            let _ = self.puppet.character.mixer.restart(clip, fade);
        }
        self.puppet.play(clip, fade);
        self.course = self.puppet.course(clip);
        self.apply_playback();
    }

    pub(super) fn play_beside(&mut self, step: isize) {
        let count = self.puppet.clips().count();
        let current = self.puppet.action().and_then(|action| action.clip()).unwrap_or(0);
        if count > 0 {
            self.play((current as isize + step).rem_euclid(count as isize) as usize);
        }
    }

    /// Hands speed and the rest to what plays.
    pub(super) fn apply_playback(&mut self) {
        let Playback { is_playing, speed, repeat, is_scrubbing, .. } = self.playback;
        if self.inspector.has_machine() {
            // The machine's clips are its own; their time is everyone's.
            let scale = if is_playing { speed.max(0.0) } else { 0.0 };
            if self.puppet.character.mixer.time_scale != scale {
                self.puppet.character.mixer.time_scale = scale;
            }
            return;
        }
        let wanted = (speed, repeat != Repeat::Once, repeat == Repeat::BackAndForth, is_playing && !is_scrubbing);
        let is_other =
            |action: &AnimationAction| wanted != (action.speed, action.looping, action.back_and_forth, action.playing);
        // Only where something changes: a recorder takes whatever is touched for a change.
        if self.puppet.action().is_some_and(is_other)
            && let Some(action) = self.puppet.action_mut()
        {
            (action.speed, action.looping, action.back_and_forth, action.playing) = wanted;
        }
    }

    pub(super) fn toggle_playing(&mut self) {
        self.playback.is_playing = !self.playback.is_playing;
        let (duration, speed) = (self.duration(), self.playback.speed);
        let is_once = self.playback.repeat == Repeat::Once;
        if let Some(action) = self.puppet.action_mut().filter(|_| self.playback.is_playing && is_once) {
            // At the end of a clip that does not repeat, playing begins anew.
            let end = if speed < 0.0 { 0.0 } else { duration };
            if (action.time - end).abs() < 1e-3 {
                action.seek(0.0);
            }
        }
    }

    pub(super) fn step(&mut self, by: f32) {
        self.playback.is_playing = false;
        let duration = self.duration();
        if let Some(action) = self.puppet.action_mut() {
            action.time = (action.time + by).clamp(0.0, duration);
        }
    }

    pub(super) fn scrub(&mut self, time: f32) {
        let duration = self.duration();
        if let Some(action) = self.puppet.action_mut() {
            action.time = time.clamp(0.0, duration);
        }
    }

    pub(super) fn time(&self) -> f32 {
        self.puppet.character.mixer.current_action.as_ref().map_or(0.0, |action| action.time)
    }

    pub(super) fn duration(&self) -> f32 {
        self.puppet.character.mixer.current_action.as_ref().map_or(0.0, |action| action.duration())
    }
}
