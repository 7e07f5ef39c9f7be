mod advance;
mod saved;

use super::fade::Fade;
use super::motion::{Motion, MotionClock};
use super::space::Place;
use crate::clip::{Clock, Moved, PlayRules, Playhead, SentTo, Span, Trip};
use crate::math::clean_weight;

/// A motion that a mixer plays: what, from where, how fast, how often, and with which weight.
///
/// [`play`](super::MixerLayer::play) makes one and gives it out for changes. Every public field may be written at any time;
/// the change shows with the next update. The clock behind it is kept to 106 bits, as that of a player.
///
/// ```
/// use nebula_animation::{AnimationClip, AnimationClipLibrary, AnimationMixer, Rig, Skeleton};
///
/// # fn main() -> Result<(), nebula_animation::PlayError> {
/// let jump = AnimationClip { name: "jump".into(), duration: 1.0, ..Default::default() };
/// let mut mixer = AnimationMixer::new(AnimationClipLibrary::new(&Rig::new(Skeleton::default()), &[jump]));
/// let jump = mixer.play("jump", 0.1)?;
/// jump.looping = false;
/// jump.speed = 1.5;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct AnimationAction {
    /// Time of the motion that is shown, in seconds of the clip; finite and inside the clip after an update. Writing it
    /// scrubs: the next update goes there and reports the markers that lie between. [`seek`](AnimationAction::seek) jumps
    /// without a report.
    pub time: f32,
    /// Seconds of the clip per second; default 1. Negative plays backwards, 0 stands still. A number that is not finite
    /// lets the action stand.
    pub speed: f32,
    /// Whether the motion starts over without end (the default).
    pub looping: bool,
    /// How often the motion is played where it is not looping; default 1. The pass that is running is always finished.
    pub repetitions: i32,
    /// Whether every second pass runs in the opposite direction; default false.
    pub back_and_forth: bool,
    /// Whether time passes; default true. Cleared when an action that does not loop reaches the end that it moves
    /// towards; it then shows its last pose.
    pub playing: bool,
    /// Share of the action, from 0 to 1 (clamped; 0 where it is not a number); default 1. What is missing to 1 shows what
    /// is below: the layers below, or the rest pose.
    pub weight: f32,

    motion: Motion,
    id: u64,
    /// The truth behind `time`.
    playhead: Playhead,
    /// Of the motion's clock, as it was last seen.
    unit_rate: f64,
    /// What the last update went through.
    trip: Trip,
    last_step: Moved,
    has_warned: bool,
    /// The mean share of the layer during the last update.
    pub(super) mean_share: f64,
    /// Where the last update ended, in total time and in the cycle of a blend space.
    pub(super) last_place: Option<(f64, Place)>,
    /// How the layer is left at the end; `None` stays there.
    pub(super) hand_back: Option<Fade>,
}

impl AnimationAction {
    pub(super) fn new(motion: Motion, id: u64, motion_clock: MotionClock) -> Self {
        let mut playhead = Playhead::new(motion_clock.length);
        playhead.send(SentTo::Start);
        Self {
            time: 0.0,
            speed: 1.0,
            looping: true,
            repetitions: 1,
            back_and_forth: false,
            playing: true,
            weight: 1.0,
            motion,
            id,
            playhead,
            unit_rate: motion_clock.rate,
            trip: Trip::default(),
            last_step: Moved::default(),
            has_warned: false,
            mean_share: 0.0,
            last_place: None,
            hand_back: None,
        }
    }

    /// What is played.
    #[must_use]
    pub fn motion(&self) -> Motion {
        self.motion
    }

    /// The clip that is played, by its index in the library; `None` where the motion is not a single clip.
    #[must_use]
    pub fn clip(&self) -> Option<usize> {
        match self.motion {
            Motion::Clip(index) => Some(index),
            Motion::Space(_) => None,
        }
    }

    /// A number that no other action of the mixer has: two actions may play the same clip.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Plays the motion by a clock of its own, from the clock's beginning: part of a clip, a number of passes with pauses,
    /// an entry of `KHR_animation_clip`.
    ///
    /// `looping`, `repetitions` and `back_and_forth` become those of the clock, and `speed`, which multiplies the clock's
    /// own, 1.
    pub fn play_by(&mut self, clock: Clock) -> &mut Self {
        self.looping = clock.repetitions < 0 && clock.end.is_some();
        // Without an end there is one pass, whatever the clock says.
        self.repetitions = if clock.end.is_none() { i32::from(clock.repetitions != 0) } else { clock.repetitions };
        self.back_and_forth = clock.reverse;
        self.speed = 1.0;
        self.playhead.set_range(Some(clock));
        self.restart();
        self
    }

    /// Plays on from the beginning, or from the end where `speed` is negative, at once. The pose jumps there:
    /// [`MixerLayer::restart`](super::MixerLayer::restart) fades.
    pub fn restart(&mut self) {
        self.playing = true;
        self.playhead.send(SentTo::Start);
    }

    /// Shows the time stamp `seconds` of the clip from the next update on, without a report of the markers between. Does not
    /// resume an action that is paused or has finished. A number that is not finite is ignored.
    pub fn seek(&mut self, seconds: f64) {
        self.playhead.send(SentTo::Time(seconds));
    }

    /// Whether the action came to its end in the last update, and stopped there.
    #[must_use]
    pub fn has_just_finished(&self) -> bool {
        self.last_step.is_at_end
    }

    /// How many times a pass ended and another began in the last update.
    #[must_use]
    pub fn passes(&self) -> u32 {
        self.last_step.passes
    }

    /// Number of the pass that is running, from 0; negative where a looping action runs backwards.
    #[must_use]
    pub fn pass(&self) -> i64 {
        self.playhead.pass()
    }

    /// Length of a pass of the motion in seconds of the clip.
    #[must_use]
    pub fn duration(&self) -> f32 {
        self.playhead.length()
    }

    /// The clock by which the action is played now; its total time is [`total_time`](AnimationAction::total_time).
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.playhead.clock(&self.rules())
    }

    /// Seconds of the action's clock since it was started; negative where an endless one was turned back to before its
    /// start.
    #[must_use]
    pub fn total_time(&self) -> f64 {
        self.playhead.total_time(&self.rules())
    }

    /// What the last update went through: by scrubbing, then by the passing of time. Spans join, so that every moment lies in
    /// exactly one of them.
    pub(crate) fn spans(&self) -> [Span; 2] {
        self.trip.spans()
    }

    /// The weight, made safe.
    pub(super) fn clean_weight(&self) -> f32 {
        clean_weight(self.weight)
    }

    /// The time of the motion `ahead` seconds from now, without leaving the pass that is running.
    pub(crate) fn time_after(&self, ahead: f64) -> f64 {
        self.playhead.seconds_after(&self.rules(), if self.playing { ahead } else { 0.0 })
    }

    /// The same of a clip, in its seconds.
    pub(super) fn seconds_after(&self, ahead: f64) -> f32 {
        if ahead == 0.0 { self.playhead.time() } else { self.time_after(ahead) as f32 }
    }

    /// How the public fields say that the motion is played.
    fn rules(&self) -> PlayRules {
        PlayRules {
            looping: self.looping,
            repetitions: self.repetitions.max(0),
            back_and_forth: self.back_and_forth,
            speed: self.speed,
            unit_rate: self.unit_rate,
        }
    }

    /// Seconds until the action comes to the end that it moves towards, and those that it takes in all; `None` where it does
    /// not come there.
    pub(super) fn seconds_left(&self) -> Option<(f64, f64)> {
        // What somebody has paused does not go on to its end; what is there has stopped too.
        self.playhead.seconds_left(&self.rules()).filter(|(left, _)| self.playing || *left == 0.0)
    }
}
