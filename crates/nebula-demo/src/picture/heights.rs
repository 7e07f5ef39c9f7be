//! A height map: the triangles of a scene, drawn onto a level plane.

use glam::{DVec2, IVec2, Vec2, Vec3, Vec3A};

use super::Mesh;
use super::walk::{Area, Cell, SAMPLES, UNITS, UNITS_LOG2, to_units, walk};

/// A map of heights along one direction.
#[derive(Debug, Default)]
pub(super) struct Heights {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Size of a texel in the world.
    pub(super) texel: f32,
    /// The rectangle around all that was drawn, in world x and z.
    pub(super) bounds: [Vec2; 2],
    /// World x and z of the corner.
    origin: Vec2,
    /// World y of the plane.
    plane: f32,
    /// How far x and z move with each unit of height, along the direction.
    slope: Vec2,
    /// One if the highest heights are kept, minus one if the lowest are, which are stored with the sign changed.
    sign: f32,
    /// The largest value that was drawn, `EMPTY` where nothing was.
    values: Vec<f32>,
    projected: Vec<Vec3>,
}

/// A texel without a triangle.
pub(super) const EMPTY: f32 = f32::NEG_INFINITY;

/// The corner of the map moves in steps of so many texels, so that maps of half, a quarter and an eighth of its size
/// move in whole texels too. Otherwise the edges of a shadow would shimmer while a figure moves.
pub(super) const SNAP: i32 = 16;

/// Four texels with a sample in the middle of each.
const BLOCK: Cell = Cell {
    size_log2: UNITS_LOG2 + 1,
    samples: [
        IVec2::new(UNITS / 2, UNITS / 2),
        IVec2::new(UNITS * 3 / 2, UNITS / 2),
        IVec2::new(UNITS / 2, UNITS * 3 / 2),
        IVec2::new(UNITS * 3 / 2, UNITS * 3 / 2),
    ],
};

/// Size and place of a map's texels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placement {
    /// Size of a texel in the world.
    pub(crate) texel: f32,
    /// World x and z of the corner.
    pub(crate) origin: Vec2,
    /// Texels; up to two steps of [`SNAP`] more than the resolution.
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl Placement {
    /// A map around a rectangle of the plane; none where that has no size.
    pub(crate) fn new(min: Vec2, max: Vec2, resolution: i32) -> Option<Self> {
        let extent = (max - min).max_element();
        if !(extent.is_finite() && extent > 0.0) {
            return None;
        }
        // In steps of a quarter of an octave: while a figure moves, the texels mostly keep their size.
        let texel = extent / (resolution - 3 * SNAP) as f32;
        let texel = ((texel.log2() * 4.0).ceil() / 4.0).exp2();
        let snap = texel * SNAP as f32;
        let origin = ((min / snap).floor() - 1.0) * snap;
        // The cast bounds what numbers far from the origin cannot resolve.
        let size = |end: f32| (((end / snap) as i32).clamp(0, resolution / SNAP) as usize + 2) * SNAP as usize;
        let end = max - origin;
        Some(Self { texel, origin, width: size(end.x), height: size(end.y) })
    }
}

/// Which heights a map keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// The highest.
    Highest,
    /// The lowest, with the sign changed.
    Lowest,
}

impl Heights {
    /// Draws all triangles but the terrain's. The map has up to `resolution` texels in each direction.
    pub(super) fn draw(&mut self, meshes: &[Mesh], plane: f32, slope: Vec2, resolution: i32, keep: Keep) {
        (self.plane, self.slope) = (plane, slope);
        self.sign = if keep == Keep::Lowest { -1.0 } else { 1.0 };
        self.projected.clear();
        let (mut min, mut max) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        let casters = || meshes.iter().filter(|mesh| !mesh.is_terrain && !mesh.is_shadowless);
        for position in casters().flat_map(|mesh| mesh.positions) {
            let point = self.project(Vec3A::from(*position));
            if point.is_finite() {
                (min, max) = (min.min(point.truncate()), max.max(point.truncate()));
            }
            self.projected.push(point.truncate().extend(point.z * self.sign));
        }
        self.bounds = [min, max];
        self.place(min, max, resolution);
        self.values.clear();
        self.values.resize(self.width * self.height, EMPTY);
        if self.width == 0 {
            return;
        }
        let mut first = 0;
        for mesh in casters() {
            for corners in mesh.indices.as_chunks::<3>().0 {
                let corners = corners.map(|corner| corner as usize);
                if corners.iter().all(|&corner| corner < mesh.positions.len()) {
                    let triangle = corners.map(|corner| self.projected[first + corner]);
                    // What lies below the plane casts no shadow on it.
                    if triangle.iter().any(|corner| corner.z * self.sign >= 0.0) {
                        self.fill(triangle, |value, height| *value = value.max(height));
                    }
                }
            }
            first += mesh.positions.len();
        }
    }

    /// Makes lowest heights above the plane to heights above a terrain: each of its places has one height.
    pub(super) fn lift_from(&mut self, terrain: &Mesh) {
        let [min, max] = self.bounds;
        for corners in terrain.indices.as_chunks::<3>().0 {
            let places = corners.map(|corner| terrain.positions.get(corner as usize).copied().unwrap_or(Vec3::NAN));
            let triangle = places.map(|place| self.project(place.into()));
            let (low, high) =
                (triangle[0].min(triangle[1]).min(triangle[2]), triangle[0].max(triangle[1]).max(triangle[2]));
            if low.truncate().cmple(max).all() && high.truncate().cmpge(min).all() {
                self.fill(triangle, |value, height| *value += height);
            }
        }
    }

    /// World x and z of a point's shadow on the plane, and the point's height above the plane.
    pub(super) fn project(&self, point: Vec3A) -> Vec3 {
        let height = point.y - self.plane;
        (Vec2::new(point.x, point.z) - self.slope * height).extend(height)
    }

    /// Place in the map, in texels, of a place on the plane.
    pub(super) fn to_texels(&self, place: Vec2) -> Vec2 {
        (place - self.origin) / self.texel
    }

    /// The texels, row by row.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.values.chunks_exact(self.width.max(1))
    }

    /// The value of a texel; outside the map it is empty.
    pub(super) fn value(&self, x: i32, y: i32) -> f32 {
        let inside = |value: i32, size: usize| usize::try_from(value).ok().filter(|&value| value < size);
        match (inside(x, self.width), inside(y, self.height)) {
            (Some(x), Some(y)) => self.values[y * self.width + x],
            _ => EMPTY,
        }
    }

    /// Chooses size and place of the texels.
    fn place(&mut self, min: Vec2, max: Vec2, resolution: i32) {
        let Some(Placement { texel, origin, width, height }) = Placement::new(min, max, resolution) else {
            (self.width, self.height, self.texel, self.origin) = (0, 0, 1.0, Vec2::ZERO);
            return;
        };
        (self.width, self.height, self.texel, self.origin) = (width, height, texel, origin);
    }

    /// Calls `put` with the value of each texel below a triangle and the triangle's height there.
    fn fill(&mut self, triangle: [Vec3; 3], put: impl Fn(&mut f32, f32)) {
        if !triangle.iter().all(|corner| corner.is_finite()) {
            return;
        }
        let [a, b, c] = triangle.map(|corner| self.to_texels(corner.truncate()).extend(corner.z));
        let (first, second) = (b - a, c - a);
        let inverse = 1.0 / first.truncate().perp_dot(second.truncate());
        if !inverse.is_finite() {
            return;
        }
        let step_x = (first.z * second.y - second.z * first.y) * inverse;
        let step_y = (second.z * first.x - first.z * second.x) * inverse;
        let (lowest, highest) = (a.z.min(b.z).min(c.z), a.z.max(b.z).max(c.z));
        let corners = [a, b, c].map(|corner| to_units(DVec2::from(corner.truncate())));
        let area = Area { left: 0, top: 0, right: self.width as i32 / 2, bottom: self.height as i32 / 2 };
        walk(corners, &BLOCK, area, |x, y, covered| {
            for sample in 0..SAMPLES {
                if covered >> sample & 1 == 1 {
                    let (x, y) = (x as usize * 2 + sample % 2, y as usize * 2 + sample / 2);
                    let height = a.z + step_x * (x as f32 + 0.5 - a.x) + step_y * (y as f32 + 0.5 - a.y);
                    put(&mut self.values[y * self.width + x], height.clamp(lowest, highest));
                }
            }
        });
    }
}
