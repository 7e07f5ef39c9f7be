use super::CrowdClipId;
use crate::clip::{Course, Position, Span, before};

/// What one character of a crowd plays: a clip and its clock, and perhaps a second clip on top. At most 64 bytes.
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
    /// Seconds from the clip's start; kept within the clip. Writing it seeks: a looping character takes a time beyond the
    /// clip to be one of another pass, others stop at the nearer end.
    pub time: f64,
    /// Seconds of the clip per second; negative plays backwards; default 1. Ignored while not finite.
    pub speed: f32,
    /// Whether the clip starts over at its end; otherwise it stays there; default true.
    pub looping: bool,
    /// A second clip that is blended in.
    pub second: Option<SecondClip>,
    /// How far the clock has come, as the crowd keeps it.
    pub progress: CrowdProgress,
}

/// A second clip, blended over the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SecondClip {
    /// The clip.
    pub clip: CrowdClipId,
    /// Seconds from the clip's start; advanced with the character's speed and looping.
    pub time: f64,
    /// How much of it is seen: 0 (only the first clip) to 1 (only this one); clamped.
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
    /// Whether a marker at exactly `to` has not been told yet.
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

    /// Number of the pass that is running, from 0; negative where a looping character runs backwards. Stops counting at the
    /// ends of `i32`.
    #[must_use]
    pub fn pass(&self) -> i64 {
        i64::from(self.progress.pass)
    }

    /// Seconds of the clip since it was started, at the end of the last advance: all its passes together. What was written
    /// since then counts from the next one on.
    #[must_use]
    pub fn total_time(&self) -> f64 {
        self.progress.to
    }

    /// The total times between which the last advance went: after the first, up to the second, which is smaller where it
    /// went backwards, and the same where nothing moved. The spans of successive frames join; after a seek, a new one begins.
    ///
    /// They are total times of [`Clock::looping`](crate::Clock::looping) or [`Clock::once`](crate::Clock::once) with the
    /// clip's duration, and find the markers that were met.
    #[must_use]
    pub fn travelled(&self) -> (f64, f64) {
        let CrowdProgress { from, to, .. } = self.progress;
        // Backwards, the first moment of all is come by on arrival.
        (from, if !self.looping && to < from && to == 0.0 { before(to) } else { to })
    }

    /// Advances both clocks by `seconds` of real time.
    pub(super) fn advance(&mut self, seconds: f64, duration: impl Fn(CrowdClipId) -> Option<f32>) {
        self.progress.from = self.progress.to;
        let step = seconds * f64::from(self.speed);
        if !step.is_finite() {
            return;
        }
        if let Some(duration) = duration(self.clip) {
            self.advance_first(step, f64::from(duration));
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

    fn advance_first(&mut self, step: f64, duration: f64) {
        if !is_usable(self.time, duration) {
            (self.time, self.progress) = (0.0, CrowdProgress::default());
            return;
        }
        let CrowdProgress { mut to, mut pass, mut is_fresh, .. } = self.progress;
        // A time, or a clip, that somebody has written since.
        let is_sought = total_time(pass, self.time, duration) != to || !(0.0..=duration).contains(&self.time);
        if !self.looping && pass != 0 {
            // What ceases to loop has one pass.
            (pass, to) = (0, self.time);
        }
        if is_sought {
            self.time = sought(self.time, duration, self.looping);
            (to, is_fresh) = (total_time(pass, self.time, duration), true);
        }
        (pass, self.time) = advanced(pass, self.time, step, duration, self.looping);
        let span = Span::new(to, is_fresh, total_time(pass, self.time, duration));
        // One that was turned back to its start begins there again.
        let is_at_start = !self.looping && span.to == 0.0 && span.to < to;
        let is_fresh = is_at_start || (is_fresh && span.to == to);
        self.progress = CrowdProgress { from: span.from, to: span.to, pass, is_fresh };
    }
}

/// Whether a clock can go on from a time in a clip. What cannot starts over.
fn is_usable(time: f64, duration: f64) -> bool {
    duration > 0.0 && time.is_finite()
}

/// The total time of a moment, rounded once in the first 2^29 passes: the same as that of a [`Clock`](crate::Clock).
fn total_time(pass: i32, time: f64, duration: f64) -> f64 {
    f64::from(pass) * duration + time
}

/// The time inside the clip that another one is taken for.
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
