//! Records the answers to ground and target queries, and replays them.

use std::cell::{Cell, RefCell};

use super::op;

use glam::Vec3;

use crate::frame::{GroundPoint, GroundQuery, Surroundings, TargetId, TargetQuery};

/// There is nothing at that place.
const NOTHING: u32 = 0;
/// Where a target is: three numbers.
const TARGET: u32 = 1;
/// Level ground that does not move: its height.
const LEVEL: u32 = 2;
/// Ground of any kind: height, normal, velocity, spin.
const GROUND: u32 = 3;
/// Ground that leans and moves as in the answer before for ground: its height.
const HEIGHT: u32 = 4;
/// The position of the previous answer's target. Layers that are computed again ask again.
const AGAIN: u32 = 5;

/// Asks the world, and writes down what it says.
pub(super) struct Asking<'a> {
    ground: Option<&'a dyn GroundQuery>,
    targets: Option<&'a dyn TargetQuery>,
    notes: RefCell<Notes<'a>>,
}

/// Words that a usual frame has at most: place, velocity, and answers.
pub(super) const ROOM: usize = 48;

/// The second half of a frame. Its words are noted in memory that is at hand, and copied to the tape when all of them are known.
pub(super) struct Notes<'a> {
    tape: &'a mut Vec<u32>,
    /// How long the tape was before.
    before: usize,
    words: &'a mut [u32; ROOM],
    used: usize,
    /// Where in the frame the number of words of answers is.
    at: usize,
    flags: u32,
    /// The ground of the last answer for it: normal, velocity and spin, in bits, for two numbers that are equal may differ in them.
    ground: Option<[u32; 7]>,
    /// Where among the words the place of the target of the last answer for one is; 0 if nowhere.
    target: usize,
}

impl<'a> Notes<'a> {
    /// Notes for a frame of which the first words are known, and its flags.
    #[inline]
    pub fn new(tape: &'a mut Vec<u32>, words: &'a mut [u32; ROOM], known: usize, flags: u32) -> Self {
        let before = tape.len();
        // A word is left for the number of answers.
        Self { tape, before, words, used: known + 1, at: known, flags, ground: None, target: 0 }
    }

    /// Adds words, and returns where they are.
    #[inline(always)]
    fn push<const N: usize>(&mut self, words: [u32; N]) -> usize {
        let at = if self.used <= ROOM - N { self.used } else { self.make_room() };
        self.words[at..at + N].copy_from_slice(&words);
        self.used = at + N;
        at
    }

    /// Writes what has been noted to the tape. Notes begin at 0 then.
    #[cold]
    fn make_room(&mut self) -> usize {
        self.tape.extend_from_slice(&self.words[..self.used]);
        self.target = 0;
        0
    }

    /// Writes the frame to the tape.
    #[inline]
    fn finish(&mut self) {
        let Self { tape, before, words, used, at, flags, .. } = self;
        let is_whole = tape.len() == *before;
        let count = tape.len() - *before + *used - *at - 1;
        let flags = *flags | if count > 0 { op::HAS_ANSWERS } else { 0 };
        if is_whole && let Some(number) = words.get_mut(*at) {
            *number = count as u32;
            words[0] = flags;
            tape.extend_from_slice(&words[..*used - usize::from(count == 0)]);
        } else {
            tape.extend_from_slice(&words[..*used]);
            tape[*before] = flags;
            tape[*before + *at] = count as u32;
        }
    }
}

impl<'a> Asking<'a> {
    #[inline]
    pub fn new(surroundings: &Surroundings<'a>, notes: Notes<'a>) -> Self {
        Self { ground: surroundings.ground, targets: surroundings.targets, notes: RefCell::new(notes) }
    }

    /// The same surroundings, with answers that are written down.
    #[inline]
    pub fn around<'s>(&'s self, surroundings: &Surroundings<'s>) -> Surroundings<'s> {
        Surroundings {
            ground: self.ground.map(|_| self as &dyn GroundQuery),
            targets: self.targets.map(|_| self as &dyn TargetQuery),
            ..*surroundings
        }
    }

    /// Writes the frame to the tape.
    #[inline]
    pub fn finish(&mut self) {
        self.notes.get_mut().finish();
    }
}

impl GroundQuery for Asking<'_> {
    fn ground(&self, place: Vec3) -> Option<GroundPoint> {
        let answer = self.ground.and_then(|ground| ground.ground(place));
        self.notes.borrow_mut().note_ground(answer.as_ref());
        answer
    }
}

impl TargetQuery for Asking<'_> {
    fn position(&self, target: TargetId) -> Option<Vec3> {
        let answer = self.targets.and_then(|targets| targets.position(target));
        self.notes.borrow_mut().note_target(answer);
        answer
    }
}

impl Notes<'_> {
    fn note_ground(&mut self, answer: Option<&GroundPoint>) {
        let Some(GroundPoint { height, normal, velocity, spin }) = answer else {
            self.push([NOTHING]);
            self.ground = None;
            return;
        };
        let [a, b, c] = normal.to_array();
        let [d, e, f] = velocity.to_array();
        let height = height.to_bits();
        let how = [a, b, c, d, e, f, *spin].map(f32::to_bits);
        if self.ground == Some(how) {
            self.push([HEIGHT, height]);
        } else if how == PLAIN {
            self.push([LEVEL, height]);
        } else {
            let [a, b, c, d, e, f, g] = how;
            self.push([GROUND, height, a, b, c, d, e, f, g]);
        }
        self.ground = Some(how);
    }

    /// The numbers are read one by one: what has just been written as three is not at hand as a whole.
    #[inline]
    fn note_target(&mut self, answer: Option<Vec3>) {
        let Some(place) = answer else {
            self.push([NOTHING]);
            self.target = 0;
            return;
        };
        let (x, y, z) = (place.x.to_bits(), place.y.to_bits(), place.z.to_bits());
        if let Some(&[a, b, c]) = self.words[self.target.min(ROOM - 3)..].first_chunk()
            && self.target > 0
            && (a ^ x) | (b ^ y) | (c ^ z) == 0
        {
            self.push([AGAIN]);
            return;
        }
        self.target = self.push([TARGET, x, y, z]) + 1;
    }
}

/// Normal, velocity and spin of level ground that does not move.
const PLAIN: [u32; 7] = [0, 1.0_f32.to_bits(), 0, 0, 0, 0, 0];

/// Tells again what was answered, in the same order. Whoever asks more, or for something else, as in a branch, gets the last answer of its
/// kind.
pub(super) struct Telling<'a> {
    answers: Cell<&'a [u32]>,
    ground: Cell<Option<GroundPoint>>,
    target: Cell<Option<Vec3>>,
}

/// An answer.
enum Answer {
    Nothing,
    Target(Vec3),
    Again,
    Ground(GroundPoint),
    Height(f32),
}

impl<'a> Telling<'a> {
    pub fn new(answers: &'a [u32]) -> Self {
        Self { answers: Cell::new(answers), ground: Cell::new(None), target: Cell::new(None) }
    }

    /// The next answer.
    fn next(&self) -> Option<Answer> {
        let (answer, rest) = split(self.answers.get())?;
        self.answers.set(rest);
        Some(answer)
    }
}

/// The first answer, and the others; `None` if there is none, or it is incomplete.
fn split(answers: &[u32]) -> Option<(Answer, &[u32])> {
    let (&kind, rest) = answers.split_first()?;
    let number = |index: usize| Some(f32::from_bits(*rest.get(index)?));
    let vector = |index: usize| Some(Vec3::new(number(index)?, number(index + 1)?, number(index + 2)?));
    let (answer, length) = match kind {
        NOTHING => (Answer::Nothing, 0),
        TARGET => (Answer::Target(vector(0)?), 3),
        AGAIN => (Answer::Again, 0),
        HEIGHT => (Answer::Height(number(0)?), 1),
        LEVEL => (Answer::Ground(GroundPoint::level(number(0)?)), 1),
        GROUND => {
            let point = GroundPoint { height: number(0)?, normal: vector(1)?, velocity: vector(4)?, spin: number(7)? };
            (Answer::Ground(point), 8)
        }
        _ => return None,
    };
    Some((answer, &rest[length..]))
}

/// Whether these are answers, all of them.
pub(super) fn are_whole(mut answers: &[u32]) -> bool {
    while let Some((_, rest)) = split(answers) {
        answers = rest;
    }
    answers.is_empty()
}

impl GroundQuery for Telling<'_> {
    fn ground(&self, _place: Vec3) -> Option<GroundPoint> {
        match self.next() {
            Some(Answer::Ground(point)) => self.ground.set(Some(point)),
            Some(Answer::Height(height)) => {
                self.ground.set(self.ground.get().map(|last| GroundPoint { height, ..last }));
            }
            Some(Answer::Nothing) => self.ground.set(None),
            Some(Answer::Target(_) | Answer::Again) | None => {}
        }
        self.ground.get()
    }
}

impl TargetQuery for Telling<'_> {
    fn position(&self, _target: TargetId) -> Option<Vec3> {
        match self.next() {
            Some(Answer::Target(place)) => self.target.set(Some(place)),
            Some(Answer::Nothing) => self.target.set(None),
            Some(Answer::Ground(_) | Answer::Height(_) | Answer::Again) | None => {}
        }
        self.target.get()
    }
}
