//! Hills in closed form: as high and as steep at every place as the sum of a few waves, so that feet, cameras and the mesh
//! agree to the last bit.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3, Vec4};
use nebula_animation::{GroundPoint, GroundQuery};

use crate::picture::srgb;
use crate::show::shot::Terrain;

/// Smooth hills that repeat along z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hills {
    /// Metres along z after which everything is the same again.
    period: f32,
    waves: [Wave; 4],
}

/// One wave of the ground.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Wave {
    /// Height of its crests above the mean, in metres.
    height: f32,
    /// Radians per metre along x and z.
    rate: Vec2,
    /// Radians at the origin.
    phase: f32,
}

impl Hills {
    /// The hills of the whole demo: slopes up to about 16 degrees along the way.
    #[must_use]
    pub fn rolling(period: f32) -> Self {
        Self::new(period, [[0.33, 0.0, 1.0, -2.2], [0.05, 0.3, 2.0, 0.4], [0.5, 0.2, 0.0, 2.3], [1.1, 0.07, 0.0, 1.9]])
    }

    /// A long climb and a long descent, up to about 20 degrees.
    #[must_use]
    pub fn steep(period: f32) -> Self {
        Self::new(period, [[0.31, 0.0, 1.0, -1.2], [0.02, 0.5, 2.0, 0.4], [0.5, 0.17, 0.0, 2.4], [0.9, 0.06, 0.0, 1.9]])
    }

    /// The side of a valley: the same all along z, so that every stride finds the same ground.
    #[must_use]
    pub fn valley(period: f32) -> Self {
        Self::new(period, [[0.55, 0.33, 0.0, 2.4], [0.25, 0.71, 0.0, 1.2], [0.5, 0.11, 0.0, 0.9], [0.0; 4]])
    }

    /// Wide, low hills, for many.
    #[must_use]
    pub fn wide() -> Self {
        Self::new(60.0, [[0.9, 0.07, 1.0, 0.3], [0.3, 0.16, 2.0, 1.7], [0.8, 0.055, 0.0, 2.0], [0.0; 4]])
    }

    /// Waves as height, radians per metre along x, waves in a period along z, and phase. The origin has the height zero.
    fn new(period: f32, waves: [[f32; 4]; 4]) -> Self {
        let wave = |[height, x, z, phase]: [f32; 4]| Wave { height, rate: Vec2::new(x, z * TAU / period), phase };
        Self { period, waves: waves.map(wave) }
    }

    /// Metres along z after which everything is the same again.
    #[must_use]
    pub fn period(&self) -> f32 {
        self.period
    }

    /// Size of the squares of the ground: so that an even number of them fits into a period.
    fn square(&self) -> f32 {
        0.5 * self.period / (0.5 * self.period / SQUARE).round().max(1.0)
    }

    /// World y of the ground at a place, given as x and z.
    #[must_use]
    pub fn height(&self, place: Vec2) -> f32 {
        // After any number of periods the same bits: whole ones are taken off first.
        let place = Vec2::new(place.x, place.y - (place.y / self.period).floor() * self.period);
        let at = |place: Vec2| {
            self.waves.iter().map(|wave| wave.height * (wave.rate.dot(place) + wave.phase).sin()).sum::<f32>()
        };
        at(place) - at(Vec2::ZERO)
    }

    /// How much the ground rises for each metre along x and z.
    #[must_use]
    pub fn slope(&self, place: Vec2) -> Vec2 {
        let place = Vec2::new(place.x, place.y - (place.y / self.period).floor() * self.period);
        let of = |wave: &Wave| wave.rate * (wave.height * (wave.rate.dot(place) + wave.phase).cos());
        self.waves.iter().map(of).sum()
    }

    /// Unit normal at a place, given as x and z.
    #[must_use]
    pub fn normal(&self, place: Vec2) -> Vec3 {
        let slope = self.slope(place);
        Vec3::new(-slope.x, 1.0, -slope.y).normalize_or(Vec3::Y)
    }

    /// The place with the height of the ground.
    #[must_use]
    pub fn on(&self, place: Vec2) -> Vec3 {
        Vec3::new(place.x, self.height(place), place.y)
    }

    /// A point that is at least so many metres above the ground: the nearest, straight up.
    #[must_use]
    pub fn lifted(&self, point: Vec3, least: f32) -> Vec3 {
        point.with_y(point.y.max(self.height(Vec2::new(point.x, point.z)) + least))
    }

    /// Triangles around a place, up to where the fog hides everything: small ones up to `near` metres away, where feet are seen
    /// on them, then ever larger ones.
    #[must_use]
    pub fn mesh(&self, middle: Vec2, near: f32, fog: f32) -> Terrain {
        let cell = self.square() / CELLS;
        let lines = lines(cell, near, fog);
        let middle = (middle / cell).round() * cell;
        let (mut terrain, side) = (Terrain { fog, ..Terrain::default() }, lines.len() as u32);
        for (row, z) in (0..).zip(&lines) {
            for (column, x) in (0..).zip(&lines) {
                let place = middle + Vec2::new(*x, *z);
                terrain.positions.push(self.on(place));
                terrain.normals.push(self.normal(place));
                terrain.colors.push(self.color(place));
                if row + 1 < side && column + 1 < side {
                    let first = row * side + column;
                    let [a, b, c, d] = [first, first + side, first + side + 1, first + 1];
                    terrain.indices.extend([a, b, c, a, c, d]);
                }
            }
        }
        terrain
    }

    /// Meadow in the valleys and dry grass on the crests, in squares that show the slope and the speed.
    fn color(&self, place: Vec2) -> Vec4 {
        let (low, high) = (srgb(104, 128, 84), srgb(182, 168, 116));
        let high_up = (self.height(place) * 0.45 + 0.5).clamp(0.0, 1.0);
        // Vertices lie on the edges of the squares; half a cell takes them off, whatever the rounding.
        let square = ((place + 0.5 * self.square() / CELLS) / self.square()).floor();
        let squares = (square.x + square.y).rem_euclid(2.0);
        let color = low.lerp(high, high_up) * (0.86 + 0.14 * squares);
        color.truncate().extend(1.0)
    }
}

/// What feet ask for.
impl GroundQuery for Hills {
    fn ground(&self, place: Vec3) -> Option<GroundPoint> {
        let place = Vec2::new(place.x, place.z);
        Some(GroundPoint::new(self.height(place), self.normal(place)))
    }
}

/// Vertices along a side of a square, so that there are triangles of about 20 cm: on a slope that changes by a sixth in a metre, the
/// closed form and the triangles differ by a millimetre or two.
const CELLS: f32 = 3.0;

/// About the size of the squares in metres. A walking cycle of 1.2 m passes two.
const SQUARE: f32 = 0.6;

/// Coordinates of the grid: evenly near the middle, then each further by an eighth, symmetric.
fn lines(cell: f32, near: f32, far: f32) -> Vec<f32> {
    let mut half = vec![0.0_f32];
    let (mut at, mut step) = (0.0, cell);
    while at < far {
        if at >= near {
            step *= 1.125;
        }
        at += step;
        half.push(at);
    }
    let mirrored = half.iter().skip(1).rev().map(|at| -at);
    mirrored.chain(half.iter().copied()).collect()
}
