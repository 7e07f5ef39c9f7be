use super::CrowdClipId;
use crate::clip::{Course, Position, Span, before};

/// What one character of a crowd plays: a clip with its clock, and optionally a second clip blended over it. At most 64
/// bytes.
///
/// ```
/// use nebula_animation::{AnimationClip, AnimationClipLibrary, Crowd, Rig, Skeleton};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let walk = AnimationClip { name: "walk".into(), duration: 1.0, ..Default::default() };
/// let library = AnimationClipLibrary::new(&Rig::new(Skeleton::default()), &[walk]);
/// let mut crowd = Crowd::new();
/// let walk = crowd.add_clip(&library, library.find("walk")?)?;
/// let walker = crowd.spawn(walk)?;
///
/// crowd.advance(1.25);
/// let walker = crowd.character(walker).ok_or("nobody has removed it")?;
/// assert_eq!((walker.time, walker.pass(), walker.total_time()), (0.25, 1, 1.25));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrowdCharacter {
    /// The clip.
    pub clip: CrowdClipId,
    /// Seconds from the clip's start; kept within the clip. Writing it seeks: for a looping character, a time beyond
    /// the clip wraps into another pass; otherwise it is clamped.
    pub time: f64,
    /// Clip seconds per second; negative plays backwards; default 1. Ignored while not finite.
    pub speed: f32,
    /// Whether the clip repeats at its end instead of stopping there; default true.
    pub looping: bool,
    /// A second clip that is blended in.
    pub second: Option<SecondClip>,
    /// How far the clock has come, maintained by the crowd.
    pub progress: CrowdProgress,
}

/// A second clip, blended over the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SecondClip {
    /// The clip.
    pub clip: CrowdClipId,
    /// Seconds from the clip's start; advanced with the character's speed and looping.
    pub time: f64,
    /// Its weight: 0 (only the first clip) to 1 (only this one); clamped.
    pub weight: f32,
}

/// How far a character's clock has come: what [`CrowdCharacter::pass`], [`total_time`](CrowdCharacter::total_time) and
/// [`travelled`](CrowdCharacter::travelled) tell. The default is the beginning.
// Packed, so that a character fits into one line of the cache.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(Rust, packed)]
pub struct CrowdProgress {
    /// What the last advance went through.
    from: f64,
    to: f64,
    pass: i32,
    /// Whether a marker at exactly `to` has not been reported yet.
    is_fresh: bool,
}

impl Default for CrowdProgress {
    fn default() -> Self {
        Self { from: 0.0, to: 0.0, pass: 0, is_fresh: true }
    }
}

impl CrowdCharacter {
    pub(super) fn new(clip: CrowdClipId) -> Self {
        Self { clip, time: 0.0, speed: 1.0, looping: true, second: None, progress: CrowdProgress::default() }
    }

    /// Number of the current pass, from 0; negative if a looping character runs backwards. Saturates at the limits of
    /// `i32`.
    #[must_use]
    pub fn pass(&self) -> i64 {
        i64::from(self.progress.pass)
    }

    /// Clip seconds since the start, over all passes, at the end of the last advance. What was written since then
    /// counts from the next one on.
    #[must_use]
    pub fn total_time(&self) -> f64 {
        self.progress.to
    }

    /// The span of total time of the last advance: from the first, exclusive, to the second, inclusive. The second is
    /// smaller if it went backwards, and the same if nothing moved. The spans of successive frames are adjacent; after
    /// a seek, a new one begins.
    ///
    /// They are total times of [`Clock::looping`](crate::Clock::looping) or [`Clock::once`](crate::Clock::once) with
    /// the clip's duration, which find the markers that were passed.
    #[must_use]
    pub fn travelled(&self) -> (f64, f64) {
        let Span { from, to } = self.progress.travelled(self.looping);
        (from, to)
    }

    /// Advances both clocks by `seconds` of real time.
    pub(super) fn advance(&mut self, seconds: f64, duration: impl Fn(CrowdClipId) -> Option<f32>) {
        self.progress.from = self.progress.to;
        let step = seconds * f64::from(self.speed);
        if !step.is_finite() {
            return;
        }
        if let Some(duration) = duration(self.clip) {
            self.progress.advance(&mut self.time, step, f64::from(duration), self.looping);
        }
        if let Some(second) = &mut self.second
            && let Some(duration) = duration(second.clip)
        {
            let duration = f64::from(duration);
            second.time = match is_usable(second.time, duration) {
                true => advanced(0, sought(second.time, duration, self.looping), step, duration, self.looping).1,
                false => 0.0,
            };
        }
    }

    /// As [`CrowdCharacter::advance`], and keeps what the second clip goes through too.
    pub(super) fn advance_and_tell(
        &mut self,
        told: &mut SecondProgress,
        seconds: f64,
        duration: impl Fn(CrowdClipId) -> Option<f32>,
    ) {
        let duration = |clip| duration(clip).map(f64::from);
        let is_at = |progress: CrowdProgress, clip: CrowdClipId, time: f64| {
            duration(clip).is_some_and(|duration| progress.is_at(time, duration))
        };
        // A clip that was the second and is the first now, or the other way round, goes on: no moment is met twice.
        let first = self.progress;
        let is_other = !is_at(first, self.clip, self.time);
        if is_other && told.clip == Some(self.clip) && is_at(told.progress, self.clip, self.time) {
            self.progress = told.progress;
        }
        if let Some(SecondClip { clip, time, .. }) = self.second.filter(|second| told.clip != Some(second.clip)) {
            told.progress = if is_other && is_at(first, clip, time) { first } else { CrowdProgress::default() };
        }
        told.clip = self.second.map(|second| second.clip);
        self.progress.from = self.progress.to;
        told.progress.from = told.progress.to;
        let step = seconds * f64::from(self.speed);
        if !step.is_finite() {
            return;
        }
        if let Some(duration) = duration(self.clip) {
            self.progress.advance(&mut self.time, step, duration, self.looping);
        }
        if let Some(second) = &mut self.second
            && let Some(duration) = duration(second.clip)
        {
            told.progress.advance(&mut second.time, step, duration, self.looping);
        }
    }
}

/// How far the clock of a character's second clip has come, where somebody may want to know.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SecondProgress {
    clip: Option<CrowdClipId>,
    pub progress: CrowdProgress,
}

impl CrowdProgress {
    /// The total times between which the last advance went: see [`CrowdCharacter::travelled`].
    pub(super) fn travelled(self, looping: bool) -> Span {
        let Self { from, to, .. } = self;
        // Backwards, the first moment of all is reached on arrival.
        Span { from, to: if !looping && to < from && to == 0.0 { before(to) } else { to } }
    }

    /// Whether this is where a clock stands, in the pass that is running.
    fn is_at(self, time: f64, duration: f64) -> bool {
        total_time(self.pass, time, duration) == self.to
    }

    /// Moves a clock by a step of its clip.
    #[inline(always)]
    fn advance(&mut self, time: &mut f64, step: f64, duration: f64, looping: bool) {
        let moved = *time + step;
        // What follows comes to this where a clock runs on in its pass, and nobody has written its time.
        if looping && !self.is_fresh && *time >= 0.0 && step > 0.0 && moved < duration && self.is_at(*time, duration) {
            (self.from, self.to, *time) = (self.to, total_time(self.pass, moved, duration), moved);
            return;
        }
        if !is_usable(*time, duration) {
            (*time, *self) = (0.0, Self::default());
            return;
        }
        let Self { mut to, mut pass, mut is_fresh, .. } = *self;
        // A time, or a clip, that somebody has written since.
        let is_sought = !self.is_at(*time, duration) || !(0.0..=duration).contains(time);
        if !looping && pass != 0 {
            // What ceases to loop has one pass.
            (pass, to) = (0, *time);
        }
        if is_sought {
            *time = sought(*time, duration, looping);
            (to, is_fresh) = (total_time(pass, *time, duration), true);
        }
        (pass, *time) = advanced(pass, *time, step, duration, looping);
        let span = Span::new(to, is_fresh, total_time(pass, *time, duration));
        // One that was turned back to its start begins there again.
        let is_at_start = !looping && span.to == 0.0 && span.to < to;
        let is_fresh = is_at_start || (is_fresh && span.to == to);
        *self = Self { from: span.from, to: span.to, pass, is_fresh };
    }
}

/// Whether a clock can continue from a time in a clip. If not, it starts over.
fn is_usable(time: f64, duration: f64) -> bool {
    duration > 0.0 && time.is_finite()
}

/// The total time of a moment, rounded once in the first 2^29 passes: the same as that of a [`Clock`](crate::Clock).
fn total_time(pass: i32, time: f64, duration: f64) -> f64 {
    f64::from(pass) * duration + time
}

/// The clip time to which another time is mapped.
fn sought(time: f64, duration: f64, looping: bool) -> f64 {
    if (0.0..=duration).contains(&time) {
        return time;
    }
    let course = course(duration, looping);
    course.within(0, course.wrap(time))
}

/// A pass and the time in it, moved by a step.
fn advanced(pass: i32, time: f64, step: f64, duration: f64, looping: bool) -> (i32, f64) {
    let moved = time + step;
    // The common case stays in its pass.
    if moved > 0.0 && moved < duration {
        return (pass, moved);
    }
    let mut position = Position::new(i64::from(pass), time);
    position.advance(&course(duration, looping), step, step);
    (position.pass.clamp(i32::MIN.into(), i32::MAX.into()) as i32, position.way().clamp(0.0, duration))
}

fn course(duration: f64, looping: bool) -> Course {
    if looping { Course::looping(duration) } else { Course::once(duration) }
}
