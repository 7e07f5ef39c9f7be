//! Which samples lie inside a triangle, exactly: in integers, so that two triangles which share an edge neither
//! overlap nor leave a gap.

use glam::{DVec2, IVec2, Vec4};

/// Parts of a pixel that coordinates are rounded to.
pub(super) const UNITS: i32 = 1 << UNITS_LOG2;
pub(super) const UNITS_LOG2: u32 = 6;

/// Samples that are tested together.
pub(super) const SAMPLES: usize = 4;

/// A square that repeats all over the picture, and the samples in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    /// Binary logarithm of its size in units.
    pub(super) size_log2: u32,
    /// Places of the samples, in units.
    pub(super) samples: [IVec2; SAMPLES],
}

impl Cell {
    fn size(&self) -> i32 {
        1 << self.size_log2
    }
}

/// Pixels, or other cells, from `left` and `top` up to, but without, `right` and `bottom`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Area {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
}

impl Area {
    /// The cells that a triangle may touch.
    pub(super) fn around(corners: &[IVec2; 3], cell: &Cell) -> Self {
        let min = corners[0].min(corners[1]).min(corners[2]) >> cell.size_log2;
        let max = corners[0].max(corners[1]).max(corners[2]) >> cell.size_log2;
        Self { left: min.x, top: min.y, right: max.x + 1, bottom: max.y + 1 }
    }

    pub(super) fn intersection(self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// The smallest area around both; an empty one counts for nothing.
    pub(super) fn union(self, other: Self) -> Self {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => other,
            (_, true) => self,
            _ => Self {
                left: self.left.min(other.left),
                top: self.top.min(other.top),
                right: self.right.max(other.right),
                bottom: self.bottom.max(other.bottom),
            },
        }
    }

    pub(super) fn is_empty(self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }

    pub(super) fn width(self) -> usize {
        usize::try_from(self.right - self.left).unwrap_or(0)
    }

    pub(super) fn height(self) -> usize {
        usize::try_from(self.bottom - self.top).unwrap_or(0)
    }
}

/// A point rounded to the grid. The caller keeps it within a few ten thousand pixels.
pub(super) fn to_units(point: DVec2) -> IVec2 {
    // The cast cuts off; made positive first, that is rounding down, without a call into the mathematics library.
    let shifted = point * f64::from(UNITS) + (f64::from(1 << 30) + 0.5);
    IVec2::new(shifted.x as i32, shifted.y as i32) - (1 << 30)
}

/// Triangles in a rectangle up to this size, in units, are tested in `f32`: its double, the largest value of an edge
/// function, is below 2^24, and so everything is exact.
const SMALL: i64 = (1 << 23) - 1;

/// Calls `visit` with x, y and a bit for each covered sample, for every cell of `area` that has one.
///
/// A sample on an edge belongs to the triangle whose upper or left edge it is.
pub(super) fn walk(mut corners: [IVec2; 3], cell: &Cell, area: Area, visit: impl FnMut(i32, i32, u32)) {
    let around = Area::around(&corners, cell);
    let area = area.intersection(around);
    if area.is_empty() {
        return;
    }
    let [a, b, c] = corners.map(|corner| corner.as_i64vec2());
    let doubled = (b - a).perp_dot(c - a);
    if doubled == 0 {
        return;
    }
    if doubled < 0 {
        corners.swap(1, 2);
    }
    let start = IVec2::new(area.left, area.top) * cell.size();
    let edges = [0, 1, 2].map(|index| Edge::new(corners[index], corners[(index + 1) % 3], start));
    let size = IVec2::new(around.right - around.left, around.bottom - around.top) * cell.size();
    if i64::from(size.x) * i64::from(size.y) <= SMALL {
        walk_small(&edges, cell, area, visit);
    } else {
        walk_large(&edges, cell, area, visit);
    }
}

fn walk_small(edges: &[Edge; 3], cell: &Cell, area: Area, mut visit: impl FnMut(i32, i32, u32)) {
    let step = |by: IVec2| edges.map(|edge| Vec4::splat(edge.step(by) as f32));
    let (step_x, step_y) = (step(IVec2::new(cell.size(), 0)), step(IVec2::new(0, cell.size())));
    let mut row = edges.map(|edge| Vec4::from(cell.samples.map(|sample| (edge.value + edge.step(sample)) as f32)));
    for y in area.top..area.bottom {
        let mut value = row;
        for x in area.left..area.right {
            let covered = value[0].min(value[1]).min(value[2]).cmpge(Vec4::ZERO).bitmask();
            if covered != 0 {
                visit(x, y, covered);
            }
            for edge in 0..3 {
                value[edge] += step_x[edge];
            }
        }
        for edge in 0..3 {
            row[edge] += step_y[edge];
        }
    }
}

fn walk_large(edges: &[Edge; 3], cell: &Cell, area: Area, mut visit: impl FnMut(i32, i32, u32)) {
    let at_samples = cell.samples.map(|sample| edges.map(|edge| edge.step(sample)));
    let step = |by: IVec2| edges.map(|edge| edge.step(by));
    let (step_x, step_y) = (step(IVec2::new(cell.size(), 0)), step(IVec2::new(0, cell.size())));
    let mut row = edges.map(|edge| edge.value);
    for y in area.top..area.bottom {
        let mut value = row;
        for x in area.left..area.right {
            let mut covered = 0;
            for (sample, at_sample) in at_samples.iter().enumerate() {
                let inside = (0..3).all(|edge| value[edge] + at_sample[edge] >= 0);
                covered |= u32::from(inside) << sample;
            }
            if covered != 0 {
                visit(x, y, covered);
            }
            for edge in 0..3 {
                value[edge] += step_x[edge];
            }
        }
        for edge in 0..3 {
            row[edge] += step_y[edge];
        }
    }
}

/// A function that is zero or above on the inner side of an edge.
#[derive(Debug, Clone, Copy)]
struct Edge {
    dx: i64,
    dy: i64,
    /// Its value at the start.
    value: i64,
}

impl Edge {
    fn new(from: IVec2, to: IVec2, start: IVec2) -> Self {
        let (dx, dy) = (i64::from(to.x - from.x), i64::from(to.y - from.y));
        let upper_or_left = dy < 0 || (dy == 0 && dx > 0);
        let edge = Self { dx, dy, value: 0 };
        Self { value: edge.step(start - from) - i64::from(!upper_or_left), ..edge }
    }

    /// How the value changes over a distance.
    fn step(&self, by: IVec2) -> i64 {
        self.dx * i64::from(by.y) - self.dy * i64::from(by.x)
    }
}
