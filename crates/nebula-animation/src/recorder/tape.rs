use std::collections::VecDeque;
use std::ops::Range;

use super::answers::{Asking, Notes, ROOM};
use super::error::{RecordingError, RecordingProblem};
use super::input::Input;
use super::op::{self, Last, Words};
use super::playback::Playback;
use crate::character::Character;
use crate::frame::Surroundings;
use crate::math::lanes::prefetch;
use crate::state::StateWriter;

/// The inputs of a character in the last seconds, starting from a full state, as written by a
/// [`Recorder`](super::Recorder).
///
/// Frames are numbered from 0 at the start of the recording; the oldest ones are dropped.
#[derive(Debug, Clone, PartialEq)]
pub struct Tape {
    /// Fingerprint of the character's rig.
    pub(super) rig: u64,
    /// How many seconds are kept at least.
    pub(super) seconds: f64,
    /// Segments that are over, the oldest first.
    older: VecDeque<Segment>,
    /// The one that is written to: at hand, without going through memory that is cold by now. It has no words before the first frame.
    current: Segment,
    last: Last,
    states_every: u32,
    /// Memory of segments that were forgotten.
    spare: Vec<u32>,
}

/// A state, and what came after it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Segment {
    /// Number of its first frame.
    pub first: u64,
    pub frames: u32,
    /// How long they take together.
    pub seconds: f64,
    pub words: Vec<u32>,
}

/// Frames from one whole state to the next.
const STATES_EVERY: u32 = 600;
/// Words that a usual frame has: time, place, velocity, and a few answers.
const FRAME: usize = 32;

impl Tape {
    pub(super) fn new(rig: u64, seconds: f64) -> Self {
        let seconds = if seconds > 0.0 { seconds } else { 0.0 };
        let (older, current, spare) = (VecDeque::new(), Segment::default(), Vec::new());
        Self { rig, seconds, older, current, last: Last::default(), states_every: STATES_EVERY, spare }
    }

    pub(super) fn set_states_every(&mut self, frames: u32) {
        self.states_every = frames.max(1);
    }

    pub(super) fn clear(&mut self) {
        self.older.clear();
        self.current = Segment::default();
        self.last = Last::default();
    }

    /// All segments, the oldest first.
    pub(super) fn segments(&self) -> impl DoubleEndedIterator<Item = &Segment> {
        self.older.iter().chain(Some(&self.current).filter(|current| !current.words.is_empty()))
    }

    /// A segment, counted from the oldest one.
    pub(super) fn segment(&self, index: usize) -> Option<&Segment> {
        match index.checked_sub(self.older.len()) {
            None => self.older.get(index),
            Some(0) => Some(&self.current).filter(|current| !current.words.is_empty()),
            Some(_) => None,
        }
    }

    /// Appends a segment that has words.
    pub(super) fn push(&mut self, segment: Segment) {
        let before = std::mem::replace(&mut self.current, segment);
        if !before.words.is_empty() {
            self.older.push_back(before);
        }
    }

    /// The numbers of the frames that can be restored.
    ///
    /// ```
    /// use nebula_animation::{AnimationClipLibrary, Character, Surroundings, recorder::Recorder};
    ///
    /// let mut hero = Recorder::new(Character::of(AnimationClipLibrary::default()), 10.0);
    /// hero.update(1.0 / 60.0, &Surroundings::default());
    /// hero.update(1.0 / 60.0, &Surroundings::default());
    /// assert_eq!(hero.tape().frames(), 0..2);
    /// assert!(hero.tape().bytes() < 1000);
    /// ```
    #[must_use]
    pub fn frames(&self) -> Range<u64> {
        let first = self.older.front().unwrap_or(&self.current).first;
        first..self.current.first + u64::from(self.current.frames)
    }

    /// Its size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.segments().map(|segment| 4 * segment.words.len() + size_of::<Segment>()).sum()
    }

    /// The total time of its frames, in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.segments().map(|segment| segment.seconds).sum()
    }

    /// Restores a frame into a character, with the same bits as it had then: from the nearest state before it, by
    /// replaying the inputs since. The character must be built like the recorded one, from the same files, with the
    /// layers, state machines and attachments that it had in that frame; otherwise the error says what was added or
    /// removed. If the character is [traced](Character::set_traced), you can then ask it to
    /// [explain](Character::explain) the frame.
    ///
    /// # Errors
    /// There is no such frame, or the character differs; it is unchanged then.
    pub fn restore(&self, frame: u64, character: &mut Character) -> Result<(), RecordingError> {
        let mut copy = character.clone();
        let mut playback = self.playback(frame)?;
        while playback.next_frame() <= frame {
            if !playback.step(&mut copy)? {
                return Err(self.no_such(frame));
            }
        }
        *character = copy;
        Ok(())
    }

    /// Plays the tape from the state before a frame: the first steps may be those of earlier frames.
    ///
    /// # Errors
    /// There is no such frame.
    pub fn playback(&self, frame: u64) -> Result<Playback<'_>, RecordingError> {
        if !self.frames().contains(&frame) {
            return Err(self.no_such(frame));
        }
        let after = self.older.partition_point(|segment| segment.first <= frame);
        let is_last = self.current.first <= frame;
        let segment = if is_last { self.older.len() } else { after.saturating_sub(1) };
        Ok(Playback::new(self, segment, frame))
    }

    fn no_such(&self, frame: u64) -> RecordingError {
        let Range { start, end } = self.frames();
        RecordingProblem::NoSuchFrame { frame, first: start, count: end - start }.into()
    }

    /// Whether it is time for another state.
    #[inline]
    pub(super) fn is_due(&self) -> bool {
        self.current.frames >= self.states_every || self.current.words.is_empty()
    }

    /// Begins another segment, and forgets those that are too old.
    #[cold]
    pub(super) fn begin(&mut self, character: &Character, is_change: bool) {
        let first = self.frames().end;
        let mut kept = self.seconds();
        while let Some(oldest) = self.older.front().filter(|oldest| kept - oldest.seconds >= self.seconds) {
            kept -= oldest.seconds;
            if let Some(oldest) = self.older.pop_front() {
                self.spare = oldest.words;
            }
        }
        let mut words = std::mem::take(&mut self.spare);
        words.clear();
        // It is going to be about as long as the one before.
        let likely = self.current.words.len();
        words.reserve(likely + likely / 8);
        self.push(Segment { first, frames: 0, seconds: 0.0, words });
        self.last = Last::default();
        self.state(character, is_change);
    }

    /// Writes that somebody has changed something.
    #[cold]
    pub(super) fn changed(&mut self, character: &Character) {
        match self.current.words.is_empty() {
            true => self.begin(character, true),
            false => self.state(character, true),
        }
    }

    fn state(&mut self, character: &Character, is_change: bool) {
        let mut writer = StateWriter::after(std::mem::take(&mut self.current.words));
        writer.word(op::STATE | if is_change { op::IS_CHANGE } else { 0 });
        writer.part(|writer| character.write(writer));
        self.current.words = writer.into_words();
    }

    pub(super) fn input(&mut self, input: &Input) {
        input.write(&mut self.current.words);
    }

    #[inline]
    pub(super) fn advance(&mut self, dt: f64) {
        let segment = &mut self.current;
        segment.seconds += if dt.is_finite() { dt.abs() } else { 0.0 };
        if self.last.step == Some(dt.to_bits()) {
            segment.words.push(op::ADVANCE | op::SAME_STEP);
        } else {
            let [low, high] = op::of_double(dt);
            segment.words.extend_from_slice(&[op::ADVANCE, low, high]);
            self.last.step = Some(dt.to_bits());
        }
    }

    /// Calls `finish` with surroundings whose answers are written down.
    #[inline]
    pub(super) fn finish(&mut self, surroundings: &Surroundings<'_>, finish: impl FnOnce(&Surroundings<'_>)) {
        let mut room = [0; ROOM];
        let mut asking = self.ask(surroundings, &mut room);
        finish(&asking.around(surroundings));
        asking.finish();
        self.end_frame();
    }

    /// Notes where a character stands. Whoever asks the world through the answer has its answers noted too.
    #[inline]
    pub(super) fn ask<'a>(&'a mut self, surroundings: &Surroundings<'a>, room: &'a mut [u32; ROOM]) -> Asking<'a> {
        let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
        let mut words = Words { room, used: 1 };
        let others = self.last.write_others(&surroundings.world_from_model, surroundings.velocity, &mut words);
        let flags = op::FINISH
            | flag(surroundings.is_grounded, op::IS_GROUNDED)
            | flag(surroundings.ground.is_some(), op::HAS_GROUND)
            | flag(surroundings.targets.is_some(), op::HAS_TARGETS)
            | others << op::IS_OTHER;
        let Words { room, used } = words;
        Asking::new(surroundings, Notes::new(&mut self.current.words, room, used, flags))
    }

    /// Counts a frame that has been written, and asks for the memory of the next one, which is cold: nobody has read it since it was last
    /// on the tape, or ever.
    #[inline]
    pub(super) fn end_frame(&mut self) {
        self.current.frames += 1;
        if let Some(next) = self.current.words.spare_capacity_mut().get(..FRAME) {
            prefetch(next);
        }
    }

    /// Forgets what came after a frame that there is.
    pub(super) fn cut_after(&mut self, frame: u64) {
        while self.current.first > frame
            && let Some(before) = self.older.pop_back()
        {
            self.current = before;
        }
        let segment = &mut self.current;
        let mut reader = op::Reader::new(&segment.words);
        let (mut frames, mut seconds) = (0, 0.0);
        while segment.first + u64::from(frames) <= frame {
            match reader.next() {
                Ok(Some(op::Op::Advance(dt))) => seconds += if dt.is_finite() { dt.abs() } else { 0.0 },
                Ok(Some(op::Op::Finish { .. })) => frames += 1,
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => break,
            }
        }
        let kept = segment.words.len() - reader.remaining();
        let last = reader.last();
        segment.words.truncate(kept);
        (segment.frames, segment.seconds, self.last) = (frames, seconds, last);
    }
}
