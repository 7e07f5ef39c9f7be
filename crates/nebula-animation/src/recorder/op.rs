//! What is on a tape, in words of 32 bits: one thing after the other that a character was told.
//!
//! Each begins with a word whose lower eight bits are its kind; the others are flags. What is as it was in the frame before is left out.

use glam::{Affine3A, Vec3};

use super::error::RecordingProblem;

/// The whole state: a length in words, and the words.
pub(super) const STATE: u32 = 1;
/// Time passes.
pub(super) const ADVANCE: u32 = 2;
/// The rest of an update, with surroundings.
pub(super) const FINISH: u32 = 3;
/// A change that a game made: see [`Input`](super::Input).
pub(super) const INPUT: u32 = 4;

/// Whether a state holds a change that somebody made, and not only what follows from the words before it.
pub(super) const IS_CHANGE: u32 = 1 << 8;
/// Of time: the same step as before.
pub(super) const SAME_STEP: u32 = 1 << 8;
/// Of surroundings.
pub(super) const SAME_PLACE: u32 = 1 << 8;
pub(super) const SAME_VELOCITY: u32 = 1 << 9;
pub(super) const IS_GROUNDED: u32 = 1 << 10;
pub(super) const HAS_GROUND: u32 = 1 << 11;
pub(super) const HAS_TARGETS: u32 = 1 << 12;
/// Whether a word follows that says how many words of answers there are, and those.
pub(super) const HAS_ANSWERS: u32 = 1 << 13;

/// Where on a tape what was told last can be read, so that it need not be told again.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Last {
    /// The bits of the step itself, which is told once for many frames; 0 before that.
    pub step: u64,
    /// The words of a place begin there; 0, which is where a state is, before the first one.
    pub place: u32,
    /// And those of a velocity.
    pub velocity: u32,
}

/// Whether the same bits were told before, at a place of the tape: two numbers that are equal may differ in them.
#[inline]
pub(super) fn is_told<const N: usize>(words: &[u32], at: u32, numbers: &[u32; N]) -> bool {
    at != 0 && words.get(at as usize..).and_then(<[u32]>::first_chunk) == Some(numbers)
}

/// Where the next word of a tape goes; a tape as long as that tells everything anew.
#[inline]
pub(super) fn end(words: &[u32]) -> u32 {
    u32::try_from(words.len()).unwrap_or(0)
}

/// One thing on a tape.
#[derive(Debug, Clone, Copy)]
pub(super) enum Op<'a> {
    State { words: &'a [u32], is_change: bool },
    Advance(f64),
    Finish { place: Affine3A, velocity: Vec3, flags: u32, answers: &'a [u32] },
    Input { flags: u32, words: &'a [u32] },
}

/// Reads what is on a tape.
#[derive(Debug, Clone)]
pub(super) struct Reader<'a> {
    all: &'a [u32],
    /// Those that are not read yet.
    words: &'a [u32],
    step: Option<u64>,
    last: Last,
}

impl<'a> Reader<'a> {
    pub fn new(words: &'a [u32]) -> Self {
        Self { all: words, words, step: None, last: Last::default() }
    }

    /// How many words are left.
    pub fn remaining(&self) -> usize {
        self.words.len()
    }

    /// What was told last.
    pub fn last(&self) -> Last {
        Last { step: self.step.unwrap_or(0), ..self.last }
    }

    /// The next thing; `None` at the end.
    pub fn next(&mut self) -> Result<Option<Op<'a>>, RecordingProblem> {
        let Some((&head, rest)) = self.words.split_first() else { return Ok(None) };
        self.words = rest;
        let (kind, flags) = (head & 0xff, head & !0xff);
        let known = match kind {
            STATE => IS_CHANGE,
            ADVANCE => SAME_STEP,
            FINISH => SAME_PLACE | SAME_VELOCITY | IS_GROUNDED | HAS_GROUND | HAS_TARGETS | HAS_ANSWERS,
            INPUT => u32::MAX,
            _ => return Err(RecordingProblem::Damaged("there is something on the tape that no recorder writes")),
        };
        if flags & !known != 0 {
            return Err(RecordingProblem::Damaged("there are flags that no recorder sets"));
        }
        Ok(Some(match kind {
            STATE => Op::State { words: self.part()?, is_change: flags & IS_CHANGE != 0 },
            ADVANCE => Op::Advance(self.step(flags)?),
            FINISH => self.surroundings(flags)?,
            _ => Op::Input { flags, words: self.part()? },
        }))
    }

    fn take<const N: usize>(&mut self) -> Result<[u32; N], RecordingProblem> {
        let (taken, rest) = self.words.split_first_chunk().ok_or(RecordingProblem::TooShort)?;
        self.words = rest;
        Ok(*taken)
    }

    /// Numbers that follow, or the same ones as before; `at` is where they are.
    fn numbers<const N: usize>(&mut self, is_same: bool, at: &mut u32) -> Result<[f32; N], RecordingProblem> {
        let words = if is_same {
            *self.all.get(*at as usize..).and_then(<[u32]>::first_chunk).filter(|_| *at != 0).ok_or(UNTOLD)?
        } else {
            *at = end(&self.all[..self.all.len() - self.words.len()]);
            self.take()?
        };
        Ok(words.map(f32::from_bits))
    }

    /// A length, and so many words.
    fn part(&mut self) -> Result<&'a [u32], RecordingProblem> {
        let [length] = self.take()?;
        let length = usize::try_from(length).ok().filter(|length| *length <= self.words.len());
        let (part, rest) = self.words.split_at(length.ok_or(RecordingProblem::TooShort)?);
        self.words = rest;
        Ok(part)
    }

    fn step(&mut self, flags: u32) -> Result<f64, RecordingProblem> {
        if flags & SAME_STEP == 0 {
            let [low, high] = self.take()?;
            self.step = Some(u64::from(high) << 32 | u64::from(low));
        }
        self.step.map(f64::from_bits).ok_or(UNTOLD)
    }

    fn surroundings(&mut self, flags: u32) -> Result<Op<'a>, RecordingProblem> {
        let mut last = self.last;
        let place = self.numbers(flags & SAME_PLACE != 0, &mut last.place)?;
        let velocity = self.numbers(flags & SAME_VELOCITY != 0, &mut last.velocity)?;
        self.last = last;
        let answers = if flags & HAS_ANSWERS == 0 { &[] } else { self.part()? };
        Ok(Op::Finish { place: Affine3A::from_cols_array(&place), velocity: velocity.into(), flags, answers })
    }
}

const UNTOLD: RecordingProblem = RecordingProblem::Damaged("the tape refers to what it has not told yet");

/// The numbers of a step.
pub(super) fn of_double(value: f64) -> [u32; 2] {
    let bits = value.to_bits();
    [bits as u32, (bits >> 32) as u32]
}
