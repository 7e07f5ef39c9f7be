mod advance;

use super::fade::Fade;
use super::motion::{Motion, MotionClock};
use super::space::Place;
use crate::clip::{Clock, Course};
use crate::player::position::{Position, SentTo};

pub(super) use advance::before;

/// A motion that a mixer plays: what, from where, how fast, how often, and with which weight.
///
/// [`play`](super::MixerLayer::play) makes one and gives it out for changes. Every public field may be written at any time;
/// the change shows with the next update. The clock behind it is kept to 106 bits, as that of a player.
///
/// ```
/// use nebula_animation::{AnimationClip, AnimationClipLibrary, AnimationMixer};
///
/// # fn main() -> Result<(), nebula_animation::PlayError> {
/// let clips = vec![AnimationClip { name: "jump".into(), duration: 1.0, ..Default::default() }];
/// let mut mixer = AnimationMixer::new(AnimationClipLibrary::from(clips));
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
    /// How the motion is played, if not as the public fields say.
    range: Option<Clock>,
    /// What the clock comes to, and what of it was in the public fields when that was worked out.
    course: Course,
    course_key: CourseKey,
    /// Of the motion, as it was last seen.
    motion_clock: MotionClock,
    position: Position,
    /// The time that is shown, to the last bit, and what of it was written to `time`.
    shown: f64,
    mirrored_time: f32,
    sent_to: SentTo,
    /// Whether an update has moved it.
    has_started: bool,
    /// What the last update went through: by scrubbing, then by the passing of time.
    spans: [Span; 2],
    /// The total time up to which markers have been reported.
    reported: f64,
    /// Whether a marker at exactly that time has not been reported yet.
    is_fresh: bool,
    /// The total time at the end of the last update.
    last_total: f64,
    passes: u32,
    is_finished: bool,
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
        let mut action = Self {
            time: 0.0,
            speed: 1.0,
            looping: true,
            repetitions: 1,
            back_and_forth: false,
            playing: true,
            weight: 1.0,
            motion,
            id,
            range: None,
            course: Course::looping(motion_clock.length),
            course_key: CourseKey::default(),
            motion_clock,
            position: Position::default(),
            shown: 0.0,
            mirrored_time: 0.0,
            sent_to: SentTo::Start,
            has_started: false,
            spans: [Span::default(); 2],
            reported: 0.0,
            is_fresh: true,
            last_total: 0.0,
            passes: 0,
            is_finished: false,
            has_warned: false,
            mean_share: 0.0,
            last_place: None,
            hand_back: None,
        };
        action.update_course();
        action
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
        self.repetitions = clock.repetitions;
        self.back_and_forth = clock.reverse;
        self.speed = 1.0;
        self.range = Some(clock);
        self.course = Course::of(&self.clock());
        self.course_key = self.key();
        self.restart();
        self
    }

    /// Plays on from the beginning, or from the end where `speed` is negative, at once. The pose jumps there:
    /// [`MixerLayer::restart`](super::MixerLayer::restart) fades.
    pub fn restart(&mut self) {
        self.playing = true;
        self.sent_to = SentTo::Start;
    }

    /// Shows the time stamp `seconds` of the clip from the next update on, without a report of the markers between. Does not
    /// resume an action that is paused or has finished. A number that is not finite is ignored.
    pub fn seek(&mut self, seconds: f64) {
        if seconds.is_finite() {
            self.sent_to = SentTo::Time(seconds);
        }
    }

    /// Whether the action came to its end in the last update, and stopped there.
    #[must_use]
    pub fn has_just_finished(&self) -> bool {
        self.is_finished
    }

    /// How many times a pass ended and another began in the last update.
    #[must_use]
    pub fn passes(&self) -> u32 {
        self.passes
    }

    /// Number of the pass that is running, from 0; negative where a looping action runs backwards.
    #[must_use]
    pub fn pass(&self) -> i64 {
        self.position.pass
    }

    /// Length of a pass of the motion in seconds of the clip.
    #[must_use]
    pub fn duration(&self) -> f32 {
        self.motion_clock.length as f32
    }

    /// The clock by which the action is played now; its total time is [`total_time`](AnimationAction::total_time).
    #[must_use]
    pub fn clock(&self) -> Clock {
        let mut clock = self.range.unwrap_or_else(|| Clock::looping(self.motion_clock.length));
        clock.reverse = self.back_and_forth;
        clock.restarts_at_end &= !self.back_and_forth;
        clock.repetitions = if self.looping {
            -1
        } else if self.repetitions <= 0 {
            self.repetitions.max(0)
        } else {
            // An action that ceases to loop finishes the pass that is running.
            let running = i32::try_from(self.position.pass.saturating_add(1)).unwrap_or(i32::MAX);
            self.repetitions.max(running)
        };
        clock
    }

    /// Seconds of the action's clock since it was started; negative where an endless one was turned back to before its
    /// start.
    #[must_use]
    pub fn total_time(&self) -> f64 {
        Course::of(&self.clock()).total_time(self.position.pass, self.position.way())
    }

    /// What the last update went through: by scrubbing, then by the passing of time. Spans join, so that every moment lies in
    /// exactly one of them.
    pub(crate) fn spans(&self) -> [Span; 2] {
        self.spans
    }

    /// The weight, made safe.
    pub(super) fn clean_weight(&self) -> f32 {
        if self.weight > 0.0 { self.weight.min(1.0) } else { 0.0 }
    }

    /// The time of the motion `ahead` seconds from now, without leaving the pass that is running.
    pub(crate) fn time_after(&self, ahead: f64) -> f64 {
        let step = ahead * self.rate() * self.course.rate;
        if self.playing && step.is_finite() && step != 0.0 {
            let way = self.position.way();
            self.time_at((way + step).clamp(0.0, self.course.length.max(way)))
        } else {
            self.shown
        }
    }

    /// Seconds until the action comes to the end that it moves towards, and those that it takes in all; `None` where it does
    /// not come there.
    pub(super) fn seconds_left(&self) -> Option<(f64, f64)> {
        let rate = self.rate() * self.course.rate;
        let (course, last) = (&self.course, self.course.last_way()?);
        let here = self.position.pass as f64 * course.period + self.position.way();
        let left = match rate {
            _ if rate > 0.0 => last - here,
            // As far back as a clock can be turned.
            _ if rate < 0.0 => here - if here < course.origin { 0.0 } else { course.origin },
            _ => return None,
        };
        let left = left.max(0.0);
        // What somebody has paused does not go on to its end; what is there has stopped too.
        let comes = self.playing || left == 0.0;
        let seconds = [left, last].map(|way| way / rate.abs());
        (comes && seconds[1].is_finite()).then_some((seconds[0], seconds[1]))
    }

    /// The time of the motion so much way after the pass that is running began.
    fn time_at(&self, way: f64) -> f64 {
        self.course.state(self.position.pass, way).time.min(self.motion_clock.length)
    }
}

/// What a course was made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct CourseKey {
    looping: bool,
    back_and_forth: bool,
    repetitions: i32,
    /// As bits.
    length: u64,
    /// Of the position, where that decides how many passes there are.
    pass: i64,
    is_known: bool,
}

/// Total times that an action went through, in seconds: after `from`, up to `to`; `to` may be the smaller one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Span {
    pub from: f64,
    pub to: f64,
}
