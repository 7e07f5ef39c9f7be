//! The contents of a tape as 32-bit words: one operation after the other.
//!
//! Each begins with a word whose lower eight bits are its kind; the others are flags. Values that are the same as in
//! the previous frame are left out.

use glam::{Affine3A, Vec3};

use super::answers::ROOM;
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
pub(super) const IS_GROUNDED: u32 = 1 << 10;
pub(super) const HAS_GROUND: u32 = 1 << 11;
pub(super) const HAS_TARGETS: u32 = 1 << 12;
/// Whether a word follows that says how many words of answers there are, and those.
pub(super) const HAS_ANSWERS: u32 = 1 << 13;

/// From this bit on, one for each number of a place and a velocity that is not as it was before, and follows.
pub(super) const IS_OTHER: u32 = 14;
/// Numbers of a place, and of a velocity.
pub(super) const NUMBERS: usize = 15;
const ALL_NUMBERS: u32 = (1 << NUMBERS) - 1;

/// The last values written, so that they need not be repeated: bits, because equal numbers may differ in them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Last {
    pub step: Option<u64>,
    /// Place and velocity.
    pub around: Option<[u32; NUMBERS]>,
}

/// Words that are written one after the other, of which there is room for all.
pub(super) struct Words<'a> {
    pub room: &'a mut [u32; ROOM],
    pub used: usize,
}

impl Last {
    /// Writes the numbers of a transform and a velocity that have changed, and returns a bit mask of which. Those of a rotation go
    /// together, and so do those of a position and a velocity: they mostly change as a whole, and two comparisons are less work than
    /// fifteen.
    #[inline]
    pub fn write_others(&mut self, place: &Affine3A, velocity: Vec3, words: &mut Words<'_>) -> u32 {
        let is_first = self.around.is_none();
        let last = self.around.get_or_insert([0; NUMBERS]);
        let ([x, y, z], way) = ([place.matrix3.x_axis, place.matrix3.y_axis, place.matrix3.z_axis], place.translation);
        let turn = [x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z];
        let way = [way.x, way.y, way.z, velocity.x, velocity.y, velocity.z];
        write::<0, 9>(last, turn, is_first, words) | write::<9, 6>(last, way, is_first, words)
    }
}

/// Writes numbers, if one of them has changed or they are the first ones. They are looked at one by one: what has just been written as
/// single numbers is not at hand as a vector.
#[inline(always)]
fn write<const FIRST: usize, const N: usize>(
    last: &mut [u32; NUMBERS],
    now: [f32; N],
    is_first: bool,
    words: &mut Words<'_>,
) -> u32 {
    let mut differ = u32::from(is_first);
    for (last, now) in last[FIRST..FIRST + N].iter().zip(&now) {
        differ |= last ^ now.to_bits();
    }
    if differ == 0 {
        return 0;
    }
    let at = words.used.min(ROOM - N);
    for (index, now) in now.iter().enumerate() {
        last[FIRST + index] = now.to_bits();
        words.room[at + index] = now.to_bits();
    }
    words.used = at + N;
    ((1 << N) - 1) << FIRST
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
    words: &'a [u32],
    last: Last,
}

impl<'a> Reader<'a> {
    pub fn new(words: &'a [u32]) -> Self {
        Self { words, last: Last::default() }
    }

    /// How many words are left.
    pub fn remaining(&self) -> usize {
        self.words.len()
    }

    /// The last values read.
    pub fn last(&self) -> Last {
        self.last
    }

    /// The next thing; `None` at the end.
    pub fn next(&mut self) -> Result<Option<Op<'a>>, RecordingProblem> {
        let Some((&head, rest)) = self.words.split_first() else { return Ok(None) };
        self.words = rest;
        let (kind, flags) = (head & 0xff, head & !0xff);
        let known = match kind {
            STATE => IS_CHANGE,
            ADVANCE => SAME_STEP,
            FINISH => IS_GROUNDED | HAS_GROUND | HAS_TARGETS | HAS_ANSWERS | ALL_NUMBERS << IS_OTHER,
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

    /// A length, and that many words.
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
            self.last.step = Some(u64::from(high) << 32 | u64::from(low));
        }
        self.last.step.map(f64::from_bits).ok_or(UNTOLD)
    }

    fn surroundings(&mut self, flags: u32) -> Result<Op<'a>, RecordingProblem> {
        let which = flags >> IS_OTHER & ALL_NUMBERS;
        let mut around = match self.last.around {
            Some(around) => around,
            None if which == ALL_NUMBERS => [0; NUMBERS],
            None => return Err(UNTOLD),
        };
        for (bit, number) in around.iter_mut().enumerate() {
            if which >> bit & 1 == 1 {
                [*number] = self.take()?;
            }
        }
        self.last.around = Some(around);
        let answers = if flags & HAS_ANSWERS == 0 { &[] } else { self.part()? };
        let [place @ .., x, y, z] = around.map(f32::from_bits);
        Ok(Op::Finish { place: Affine3A::from_cols_array(&place), velocity: Vec3::new(x, y, z), flags, answers })
    }
}

const UNTOLD: RecordingProblem = RecordingProblem::Damaged("the tape refers to what it has not told yet");

/// The numbers of a step.
pub(super) fn of_double(value: f64) -> [u32; 2] {
    let bits = value.to_bits();
    [bits as u32, (bits >> 32) as u32]
}
