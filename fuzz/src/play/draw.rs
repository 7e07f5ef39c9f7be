//! Numbers and choices out of the bytes of an input.

use arbitrary::Unstructured;
use glam::{Quat, Vec2, Vec3};
use nebula_animation::{Clock, Fade, ProceduralContext, mixer::FadeCurve};

/// The bytes that are left. When there are none, every choice is the first one.
pub struct Draw<'a> {
    bytes: Unstructured<'a>,
    /// Whether numbers of skeletons and clips are such as files may hold; numbers given to calls are any.
    pub is_tame: bool,
}

/// Numbers at which something may break.
const HARD: [f32; 16] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    -0.0,
    0.0,
    1e-45,
    1e-38,
    1e-7,
    1e7,
    1e15,
    -1e15,
    1e30,
    -1e30,
    f32::MAX,
    f32::MIN,
    -1.0,
];

impl<'a> Draw<'a> {
    pub fn new(input: &'a [u8]) -> Self {
        Self { bytes: Unstructured::new(input), is_tame: true }
    }

    pub fn is_over(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        self.bytes.arbitrary().unwrap_or_default()
    }

    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end.max(1)
    }

    pub fn yes(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// From -8 to 8.
    pub fn sane(&mut self) -> f32 {
        f32::from(self.bytes.arbitrary::<i16>().unwrap_or_default()) / 4096.0
    }

    /// Mostly sane, sometimes anything.
    pub fn wild(&mut self) -> f32 {
        match self.below(8) {
            6 => self.pick(&HARD),
            7 => f32::from_bits(self.bytes.arbitrary().unwrap_or_default()),
            _ => self.sane(),
        }
    }

    /// A number of a skeleton or a clip.
    pub fn number(&mut self) -> f32 {
        if self.is_tame { self.sane() } else { self.wild() }
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    /// A scale that does not grow beyond all bounds along a chain.
    pub fn scale(&mut self) -> Vec3 {
        if self.yes() { Vec3::ONE } else { self.vector() * 0.25 }
    }

    pub fn rotation(&mut self) -> Quat {
        if self.yes() {
            return Quat::IDENTITY;
        }
        let turn = Quat::from_xyzw(self.number(), self.number(), self.number(), self.number());
        let is_good = self.is_tame || !self.one_in(4);
        if is_good { turn_or_none(turn) } else { turn }
    }

    pub fn wild_vector(&mut self) -> Vec3 {
        Vec3::new(self.wild(), self.wild(), self.wild())
    }

    pub fn place(&mut self) -> Vec2 {
        Vec2::new(self.wild(), self.wild())
    }

    /// Seconds of a frame: mostly such as games have.
    pub fn step(&mut self) -> f64 {
        match self.below(8) {
            0..=4 => f64::from(self.byte()) / 4096.0,
            5 => f64::from(self.sane()),
            _ => f64::from(self.wild()),
        }
    }

    pub fn index(&mut self) -> usize {
        match self.below(16) {
            15 => usize::MAX,
            14 => 65_536,
            small => small / 2,
        }
    }

    pub fn joint(&mut self) -> u16 {
        match self.below(16) {
            15 => u16::MAX,
            small => small as u16,
        }
    }

    pub fn fade(&mut self) -> Fade {
        let curve = self.pick(&[FadeCurve::Linear, FadeCurve::Smooth, FadeCurve::Inertialised]);
        Fade { seconds: if self.yes() { f32::from(self.byte()) / 256.0 } else { self.wild() }, curve }
    }

    pub fn clock(&mut self) -> Clock {
        Clock {
            start: f64::from(self.wild()),
            end: self.yes().then(|| f64::from(self.wild())),
            offset: f64::from(self.wild()),
            speed: f64::from(self.wild()),
            repetitions: self.below(5) as i32 - 2,
            reverse: self.yes(),
            hold: if self.yes() { 0.0 } else { f64::from(self.wild()) },
            restarts_at_end: self.yes(),
        }
    }

    pub fn context(&mut self) -> ProceduralContext {
        ProceduralContext {
            dt: self.step() as f32,
            elapsed: self.wild(),
            entity_position: self.wild_vector(),
            entity_forward: self.pick(&[Vec3::NEG_Z, Vec3::Z, Vec3::ZERO, Vec3::NAN, Vec3::X, Vec3::Y]),
            velocity: self.wild_vector(),
        }
    }
}

/// The quaternion at unit length.
fn turn_or_none(turn: Quat) -> Quat {
    let length = turn.length();
    if length > 1e-3 && length.is_finite() { turn / length } else { Quat::IDENTITY }
}
