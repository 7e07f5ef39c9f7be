mod advance;
mod saved;

use super::fade::Fade;
use super::motion::{Motion, MotionClock};
use super::space::Place;
use crate::clip::{Clock, Moved, PlayRules, Playhead, Position, SentTo, Span, Trip};
use crate::math::clean_weight;

/// A motion that plays in a mixer: what, from where, how fast, how often, and with what weight.
///
/// [`play`](super::MixerLayer::play) creates one and returns it for you to adjust. You can write every public field at
/// any time; the change takes effect in the next update. Like a player's, its clock has 106 bits of precision.
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
    /// The time of the motion that is shown, in clip seconds; finite and inside the clip after an update. Writing it
    /// scrubs: the next update goes there and reports the markers in between. [`seek`](AnimationAction::seek) jumps
    /// without reporting any.
    pub time: f32,
    /// Clip seconds per second; default 1. Negative plays backwards, 0 freezes. A number that is not finite freezes
    /// too.
    pub speed: f32,
    /// Whether the motion repeats for ever (the default).
    pub looping: bool,
    /// How often the motion plays if it does not loop; default 1. The pass that is running is always completed.
    pub repetitions: i32,
    /// Ping-pong: every second pass runs in the opposite direction; default false.
    pub back_and_forth: bool,
    /// Whether time passes; default true. Cleared when an action that does not loop reaches its end; it then shows its
    /// last pose.
    pub playing: bool,
    /// Weight of the action, from 0 to 1 (clamped; NaN counts as 0); default 1. The remainder shows what is below: the
    /// layers below, or the rest pose.
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

    /// What is playing.
    #[must_use]
    pub fn motion(&self) -> Motion {
        self.motion
    }

    /// The clip that is playing, as an index into the library; `None` if the motion is not a single clip.
    #[must_use]
    pub fn clip(&self) -> Option<usize> {
        match self.motion {
            Motion::Clip(index) => Some(index),
            Motion::Space(_) => None,
        }
    }

    /// A number that no other action of the mixer has. (Two actions may play the same clip.)
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Plays the motion with its own clock, from the clock's beginning: part of a clip, a number of passes with pauses,
    /// a `KHR_animation_clip` entry.
    ///
    /// `looping`, `repetitions` and `back_and_forth` are set to those of the clock. `speed`, which multiplies the
    /// clock's own, is set to 1.
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

    /// Starts again at once: from the beginning, or from the end if `speed` is negative. The pose jumps;
    /// [`MixerLayer::restart`](super::MixerLayer::restart) fades instead.
    pub fn restart(&mut self) {
        self.playing = true;
        self.playhead.send(SentTo::Start);
    }

    /// Jumps to `seconds` of the clip in the next update, without reporting the markers in between. Does not resume an
    /// action that is paused or finished. A number that is not finite is ignored.
    pub fn seek(&mut self, seconds: f64) {
        self.playhead.send(SentTo::Time(seconds));
    }

    /// `true` if the action reached its end in the last update and stopped there.
    #[must_use]
    pub fn has_just_finished(&self) -> bool {
        self.last_step.is_at_end
    }

    /// How many times a pass ended and another began in the last update.
    #[must_use]
    pub fn passes(&self) -> u32 {
        self.last_step.passes
    }

    /// Number of the current pass, from 0; negative if a looping action runs backwards.
    #[must_use]
    pub fn pass(&self) -> i64 {
        self.playhead.pass()
    }

    /// Duration of a pass in clip seconds.
    #[must_use]
    pub fn duration(&self) -> f32 {
        self.playhead.length()
    }

    /// The clock that the action plays by. Its total time is [`total_time`](AnimationAction::total_time).
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.playhead.clock(&self.rules())
    }

    /// Seconds of the action's clock since its start; negative if a looping action was rewound past its start.
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

    /// The time of the motion `ahead` seconds from now, in whichever pass that is.
    pub(in crate::mixer) fn time_ahead(&self, ahead: f64) -> f64 {
        let ahead = if self.playing { ahead } else { 0.0 };
        if ahead == 0.0 { self.time_after(0.0) } else { self.playhead.seconds_ahead(&self.rules(), ahead) }
    }

    /// The same of a clip, in its seconds.
    pub(super) fn seconds_after(&self, ahead: f64) -> f32 {
        if ahead == 0.0 { self.playhead.time() } else { self.time_after(ahead) as f32 }
    }

    /// The position on a plain loop that nobody has changed, and the rate, in units of the clock per second.
    pub(super) fn on_plain_loop(&self) -> Option<(Position, f64)> {
        let is_plain = self.playing && self.hand_back.is_none();
        let position = self.playhead.on_plain_loop(&self.rules(), self.time).filter(|_| is_plain)?;
        Some((position, self.rules().rate()))
    }

    /// Goes on from a position later in the same pass, on the way to which nothing was to be reported.
    pub(super) fn resume(&mut self, position: Position) {
        self.playhead.go_on_from(position, &mut self.trip);
        self.time = self.playhead.time();
        self.last_step = Moved::default();
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

    /// Seconds until the action reaches its end, and the seconds of the whole pass; `None` if it never reaches its end.
    pub(super) fn seconds_left(&self) -> Option<(f64, f64)> {
        // What somebody has paused does not go on to its end; what is there has stopped too.
        self.playhead.seconds_left(&self.rules()).filter(|(left, _)| self.playing || *left == 0.0)
    }
}
