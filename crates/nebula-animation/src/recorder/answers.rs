//! What the world answered when layers asked for the ground and for targets: written down, and told again.

use std::cell::{Cell, RefCell};

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

/// Asks the world, and writes down what it says.
pub(super) struct Asking<'a> {
    ground: Option<&'a dyn GroundQuery>,
    targets: Option<&'a dyn TargetQuery>,
    words: RefCell<&'a mut Vec<u32>>,
}

impl<'a> Asking<'a> {
    pub fn new(surroundings: &Surroundings<'a>, words: &'a mut Vec<u32>) -> Self {
        Self { ground: surroundings.ground, targets: surroundings.targets, words: RefCell::new(words) }
    }

    /// The same surroundings, with answers that are written down.
    pub fn around<'s>(&'s self, surroundings: &Surroundings<'s>) -> Surroundings<'s> {
        Surroundings {
            ground: self.ground.map(|_| self as &dyn GroundQuery),
            targets: self.targets.map(|_| self as &dyn TargetQuery),
            ..*surroundings
        }
    }
}

impl GroundQuery for Asking<'_> {
    fn ground(&self, place: Vec3) -> Option<GroundPoint> {
        let answer = self.ground.and_then(|ground| ground.ground(place));
        let mut words = self.words.borrow_mut();
        match &answer {
            None => words.push(NOTHING),
            Some(point) if is_plain(point) => words.extend_from_slice(&[LEVEL, point.height.to_bits()]),
            Some(GroundPoint { height, normal, velocity, spin }) => {
                let [nx, ny, nz] = normal.to_array().map(f32::to_bits);
                let [vx, vy, vz] = velocity.to_array().map(f32::to_bits);
                words.extend_from_slice(&[GROUND, height.to_bits(), nx, ny, nz, vx, vy, vz, spin.to_bits()]);
            }
        }
        answer
    }
}

/// Whether all but the height is as in level ground that does not move, bit by bit.
fn is_plain(point: &GroundPoint) -> bool {
    let numbers = [point.normal.x, point.normal.z, point.velocity.x, point.velocity.y, point.velocity.z, point.spin];
    point.normal.y == 1.0 && numbers.iter().all(|number| number.to_bits() == 0)
}

impl TargetQuery for Asking<'_> {
    fn position(&self, target: TargetId) -> Option<Vec3> {
        let answer = self.targets.and_then(|targets| targets.position(target));
        let mut words = self.words.borrow_mut();
        match answer {
            None => words.push(NOTHING),
            Some(Vec3 { x, y, z }) => words.extend_from_slice(&[TARGET, x.to_bits(), y.to_bits(), z.to_bits()]),
        }
        answer
    }
}

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
    Ground(GroundPoint),
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

/// The first answer, and the others; `None` where there is none, or none that is whole.
fn split(answers: &[u32]) -> Option<(Answer, &[u32])> {
    let (&kind, rest) = answers.split_first()?;
    let number = |index: usize| Some(f32::from_bits(*rest.get(index)?));
    let vector = |index: usize| Some(Vec3::new(number(index)?, number(index + 1)?, number(index + 2)?));
    let (answer, length) = match kind {
        NOTHING => (Answer::Nothing, 0),
        TARGET => (Answer::Target(vector(0)?), 3),
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
            Some(Answer::Nothing) => self.ground.set(None),
            Some(Answer::Target(_)) | None => {}
        }
        self.ground.get()
    }
}

impl TargetQuery for Telling<'_> {
    fn position(&self, _target: TargetId) -> Option<Vec3> {
        match self.next() {
            Some(Answer::Target(place)) => self.target.set(Some(place)),
            Some(Answer::Nothing) => self.target.set(None),
            Some(Answer::Ground(_)) | None => {}
        }
        self.target.get()
    }
}
