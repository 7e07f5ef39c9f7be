//! A plane that tilts, for feet to stand on.

use glam::{Vec3, Vec4};
use nebula_animation::{GroundPoint, GroundQuery};

use crate::show::shot::Terrain;

/// Cells along a side of the plane.
const CELLS: i32 = 24;

/// Colours of the cells, in turn, linear.
const COLORS: [Vec4; 2] = [Vec4::new(0.36, 0.38, 0.40, 1.0), Vec4::new(0.27, 0.29, 0.32, 1.0)];

/// A plane through the origin: how much it rises along x and z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slope(pub [f32; 2]);

impl Slope {
    /// The tilt at a time, for a steepest angle in degrees: it goes round slowly.
    pub fn at(time: f32, degrees: f32) -> Self {
        let steepest = degrees.clamp(0.0, 40.0).to_radians().tan();
        let (sin, cos) = (time * 0.5).sin_cos();
        Self([steepest * sin, steepest * cos])
    }

    fn height(&self, x: f32, z: f32) -> f32 {
        self.0[0] * x + self.0[1] * z
    }

    fn normal(&self) -> Vec3 {
        Vec3::new(-self.0[0], 1.0, -self.0[1]).try_normalize().unwrap_or(Vec3::Y)
    }
}

impl GroundQuery for Slope {
    fn ground(&self, place: Vec3) -> Option<GroundPoint> {
        Some(GroundPoint::new(self.height(place.x, place.z), self.normal()))
    }
}

/// The plane as squares of two colours, for a model of this size.
pub fn plane(slope: Slope, size: f32) -> Terrain {
    let (cell, normal) = (size * 0.25, slope.normal());
    let mut terrain = Terrain { fog: cell * CELLS as f32 * 4.0, ..Terrain::default() };
    for row in -CELLS / 2..CELLS / 2 {
        for column in -CELLS / 2..CELLS / 2 {
            let first = terrain.positions.len() as u32;
            for (dx, dz) in [(0, 0), (0, 1), (1, 1), (1, 0)] {
                let (x, z) = ((column + dx) as f32 * cell, (row + dz) as f32 * cell);
                terrain.positions.push(Vec3::new(x, slope.height(x, z), z));
                terrain.normals.push(normal);
                terrain.colors.push(COLORS[(row + column).rem_euclid(2) as usize]);
            }
            terrain.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
        }
    }
    terrain
}
