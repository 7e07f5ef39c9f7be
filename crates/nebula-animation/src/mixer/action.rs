use super::motion::{Motion, MotionClock, MotionContext};
use crate::clip::{Clock, Course};
use crate::player::position::{Position, SentTo};

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
            course: Course::of(&Clock::looping(motion_clock.length)),
            course_key: CourseKey::default(),
            motion_clock,
            position: Position::default(),
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
        let course = &self.course;
        let step = ahead * self.rate() * course.rate;
        let mut way = self.position.way();
        if self.playing && step.is_finite() && step != 0.0 {
            way = (way + step).clamp(0.0, course.length.max(way));
        }
        course.state(self.position.pass, way).time.min(self.motion_clock.length)
    }

    /// Units of the action's clock per second.
    fn rate(&self) -> f64 {
        f64::from(self.speed) * self.motion_clock.rate
    }

    /// Follows changes of the fields that make the clock.
    fn update_course(&mut self) {
        let key = self.key();
        if key != self.course_key {
            self.course = Course::of(&self.clock());
            self.course_key = key;
        }
    }

    fn key(&self) -> CourseKey {
        CourseKey {
            looping: self.looping,
            back_and_forth: self.back_and_forth,
            repetitions: self.repetitions,
            length: self.motion_clock.length.to_bits(),
            pass: if self.looping { 0 } else { self.position.pass },
            is_known: true,
        }
    }

    /// The total time of the course that is known.
    fn here(&self) -> f64 {
        self.course.total_time(self.position.pass, self.position.way())
    }

    /// Takes over what was written into the public fields, and what has become of the motion.
    pub(super) fn sync(&mut self, context: &MotionContext) {
        if let Some(motion_clock) = self.motion.clock(context) {
            let is_other_length = motion_clock.length != self.motion_clock.length;
            self.motion_clock = motion_clock;
            if is_other_length && self.range.is_none() {
                self.position.fit(&Course::of(&self.clock()));
            }
        }
        self.settle_passes();
        self.update_course();
        let here = self.here();
        if here != self.last_total {
            // The clock's own fields were changed, so that this moment has another name.
            (self.reported, self.is_fresh) = (here, false);
        }
        match std::mem::take(&mut self.sent_to) {
            SentTo::Nowhere => {}
            place => self.jump(place),
        }
        self.spans = [Span { from: self.reported, to: self.reported }; 2];
        if self.time.to_bits() != self.mirrored_time.to_bits() && self.time.is_finite() {
            let place = SentTo::Time(f64::from(self.time));
            // Before it has ever moved, this is where it begins.
            if self.has_started {
                self.go_to(place);
                self.spans[0] = self.travel(self.here());
            } else {
                self.jump(place);
            }
        }
        self.end_step();
    }

    /// Goes to another place without coming by what lies between.
    fn jump(&mut self, place: SentTo) {
        self.go_to(place);
        (self.reported, self.is_fresh) = (self.here(), true);
    }

    /// The span from where the last one ended.
    fn travel(&mut self, to: f64) -> Span {
        let is_forward = to > self.reported;
        let from = if self.is_fresh && is_forward { before(self.reported) } else { self.reported };
        self.is_fresh &= to == self.reported;
        self.reported = to;
        Span { from, to }
    }

    /// Keeps what the next step is compared with.
    fn end_step(&mut self) {
        self.update_course();
        self.last_total = self.here();
        let time = self.time_after(0.0) as f32;
        (self.time, self.mirrored_time) = (time, time);
    }

    /// An action that does not loop has passes from 0 on: those that an endless one came by are forgotten.
    fn settle_passes(&mut self) {
        if !self.looping && self.position.pass < 0 {
            self.position.pass = if self.back_and_forth { self.position.pass & 1 } else { 0 };
        }
    }

    fn go_to(&mut self, place: SentTo) {
        if let SentTo::Start = place {
            self.position = Position::default();
            self.update_course();
        }
        let course = self.course;
        let pass = self.position.pass;
        match place {
            SentTo::Nowhere => {}
            SentTo::Start if self.speed < 0.0 && self.range.is_none() => {
                self.position = Position::new(0, course.length);
            }
            SentTo::Start => {
                let (pass, way) = course.split(course.origin);
                self.position = Position::new(pass, way);
            }
            SentTo::Time(time) => self.position = Position::new(pass, course.within(pass, course.wrap(time))),
            SentTo::Total(total_time) => {
                let (pass, way) = course.split(course.way_at(total_time));
                self.position = Position::new(pass, way);
            }
        }
        self.update_course();
    }

    /// Lets `dt` seconds pass.
    pub(super) fn advance(&mut self, dt: f64) {
        (self.passes, self.is_finished) = (0, false);
        if !self.playing {
            return;
        }
        let course = self.course;
        let rate = self.rate();
        let step = dt * rate * course.rate;
        if !step.is_finite() {
            if !std::mem::replace(&mut self.has_warned, true) {
                log::warn!("a step of {dt} s at speed {} is not finite: ignored, as all later ones", self.speed);
            }
            return;
        }
        let moved = self.position.advance(&course, step, rate);
        self.update_course();
        let here = self.here();
        // Backwards, the first moment of all is come by on arrival.
        let is_at_start = moved.is_at_end && step < 0.0;
        if step != 0.0 {
            self.spans[1] = self.travel(if is_at_start { before(here) } else { here });
        }
        self.has_started = true;
        self.passes = u32::try_from(moved.passes).unwrap_or(u32::MAX);
        self.is_finished = moved.is_at_end;
        if moved.is_at_end {
            self.playing = false;
        }
        self.end_step();
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

/// A total time just before another one.
fn before(total_time: f64) -> f64 {
    if total_time == 0.0 { -f64::MIN_POSITIVE } else { total_time.next_down() }
}
