use std::collections::BTreeMap;

use glam::DVec3;

/// A closed surface: vertices with outward unit normals, and triangles that wind counter-clockwise seen from outside.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    pub positions: Vec<DVec3>,
    pub normals: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// The grid that a field is sampled on: planes across X, Y and Z, in rising order, in metres. The first and the last plane
/// of each axis lie outside of the solid. Planes may crowd where a limb bends and thin out where it is straight.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub planes: [Vec<f64>; 3],
}

impl Grid {
    /// Evenly spaced planes from `low` to `high`; the cells shrink a little so that a whole number of them fits.
    pub fn even(low: DVec3, high: DVec3, cell: DVec3) -> Self {
        Self { planes: [0, 1, 2].map(|axis| even_planes(low[axis], high[axis], cell[axis])) }
    }
}

/// Evenly spaced planes of one axis.
fn even_planes(low: f64, high: f64, cell: f64) -> Vec<f64> {
    // Rounding must not turn a whole number of cells into one more.
    let cells = ((high - low) / cell - 1e-6).ceil();
    (0..=cells as usize).map(|i| low + (high - low) * (i as f64 / cells)).collect()
}

/// Planes of one axis with a spacing of their own in each stretch: `(start, cell)` for each, then the end of the last.
pub(super) fn planes_in_stretches(stretches: &[(f64, f64)], end: f64) -> Vec<f64> {
    let mut planes = vec![stretches[0].0];
    for (i, &(start, cell)) in stretches.iter().enumerate() {
        let stop = stretches.get(i + 1).map_or(end, |next| next.0);
        planes.extend_from_slice(&even_planes(start, stop, cell)[1..]);
    }
    planes
}

/// Turns the zero level of `field` into triangles with the surface-nets method: one vertex in each cell that the
/// surface crosses, one quad around each grid edge that it crosses. A vertex settles where the tangent planes of its
/// cell's crossings meet, which keeps edges sharp, and is then drawn onto the surface itself: the grid leaves no steps.
pub(super) fn polygonise(grid: &Grid, field: &dyn Fn(DVec3) -> f64) -> Surface {
    let lattice = Lattice::sample(grid, field);
    let mut surface = Surface::default();
    let mut vertex_of_cell = BTreeMap::new();
    for cell in lattice.cells() {
        let crossings = lattice.crossings(cell);
        if !crossings.is_empty() {
            vertex_of_cell.insert(cell, surface.positions.len() as u32);
            let settled = settled_between(&crossings, field);
            let inside = settled.clamp(lattice.position(cell), lattice.position(add(cell, [1, 1, 1])));
            let size = lattice.position(add(cell, [1, 1, 1])) - lattice.position(cell);
            let position = drawn_to_surface(inside, field, size.min_element());
            surface.positions.push(position);
            surface.normals.push(gradient(position, field).try_normalize().unwrap_or(DVec3::Y));
        }
    }
    for point in lattice.points() {
        for axis in 0..3 {
            if let Some(cells) = lattice.cells_around_crossing(point, axis) {
                let quad = cells.map(|cell| vertex_of_cell.get(&cell).copied());
                if let [Some(a), Some(b), Some(c), Some(d)] = quad {
                    push_quad(&mut surface, [a, b, c, d]);
                }
            }
        }
    }
    surface
}

/// Splits a quad along its shorter diagonal, which follows the curvature better.
fn push_quad(surface: &mut Surface, [a, b, c, d]: [u32; 4]) {
    let at = |index: u32| surface.positions[index as usize];
    let halves = if at(a).distance_squared(at(c)) <= at(b).distance_squared(at(d)) {
        [[a, b, c], [a, c, d]]
    } else {
        [[a, b, d], [b, c, d]]
    };
    surface.triangles.extend(halves);
}

/// The point nearest to the tangent planes through all crossings, approached from their mean.
fn settled_between(crossings: &[DVec3], field: &dyn Fn(DVec3) -> f64) -> DVec3 {
    let share = 1.0 / crossings.len() as f64;
    let planes = crossings.iter().map(|&at| (at, gradient(at, field).normalize_or_zero())).collect::<Vec<_>>();
    let mut p = crossings.iter().sum::<DVec3>() * share;
    for _ in 0..60 {
        p += planes.iter().map(|&(at, normal)| normal * normal.dot(at - p)).sum::<DVec3>() * share;
    }
    p
}

/// A few steps of Newton's method along the gradient. Steps are bounded so that a vertex never leaves its
/// neighbourhood where two surfaces come close.
fn drawn_to_surface(start: DVec3, field: &dyn Fn(DVec3) -> f64, cell: f64) -> DVec3 {
    let mut p = start;
    for _ in 0..4 {
        let slope = gradient(p, field);
        let steepness = slope.length_squared();
        if steepness < 1e-6 {
            break;
        }
        let step = slope * (field(p) / steepness);
        p -= step.clamp_length_max(0.25 * cell);
    }
    p
}

/// The direction in which the field grows, by central differences.
fn gradient(p: DVec3, field: &dyn Fn(DVec3) -> f64) -> DVec3 {
    const STEP: f64 = 1e-5;
    let along = |axis: DVec3| (field(p + axis * STEP) - field(p - axis * STEP)) / (2.0 * STEP);
    DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z))
}

type Index = [usize; 3];

/// The field's values on the corners of the grid.
struct Lattice<'a> {
    grid: &'a Grid,
    /// The number of cells along each axis.
    cells: Index,
    values: Vec<f64>,
}

impl<'a> Lattice<'a> {
    fn sample(grid: &'a Grid, field: &dyn Fn(DVec3) -> f64) -> Self {
        let cells = [0, 1, 2].map(|axis| grid.planes[axis].len() - 1);
        let mut lattice = Self { grid, cells, values: Vec::new() };
        lattice.values = lattice.points().map(|point| field(lattice.position(point))).collect();
        let outside = |point: Index| !lattice.at_the_border(point) || lattice.value(point) > 0.0;
        debug_assert!(lattice.points().all(outside), "{grid:?} is too small for its solid");
        lattice
    }

    /// All cells in a fixed order, so that the mesh is the same on every run.
    fn cells(&self) -> impl Iterator<Item = Index> + use<> {
        every_index(self.cells)
    }

    fn points(&self) -> impl Iterator<Item = Index> + use<> {
        every_index(self.cells.map(|count| count + 1))
    }

    fn position(&self, point: Index) -> DVec3 {
        DVec3::from_array([0, 1, 2].map(|axis| self.grid.planes[axis][point[axis]]))
    }

    fn at_the_border(&self, point: Index) -> bool {
        (0..3).any(|axis| point[axis] == 0 || point[axis] == self.cells[axis])
    }

    fn value(&self, [x, y, z]: Index) -> f64 {
        self.values[(z * (self.cells[1] + 1) + y) * (self.cells[0] + 1) + x]
    }

    /// The points where the cell's twelve edges cross the surface.
    fn crossings(&self, cell: Index) -> Vec<DVec3> {
        let mut crossings = Vec::new();
        for corner in every_index([2, 2, 2]) {
            let a = add(cell, corner);
            for axis in (0..3).filter(|&axis| corner[axis] == 0) {
                let b = add(a, unit(axis));
                let (value_a, value_b) = (self.value(a), self.value(b));
                if (value_a < 0.0) != (value_b < 0.0) {
                    crossings.push(self.position(a).lerp(self.position(b), value_a / (value_a - value_b)));
                }
            }
        }
        crossings
    }

    /// The four cells around the grid edge that leaves `point` along `axis`, in the order that winds outwards, if the
    /// surface crosses that edge.
    fn cells_around_crossing(&self, point: Index, axis: usize) -> Option<[Index; 4]> {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let inside_the_grid = point[axis] < self.cells[axis] && point[u] > 0 && point[v] > 0;
        if !inside_the_grid || point[u] >= self.cells[u] || point[v] >= self.cells[v] {
            return None;
        }
        let leaves_solid = self.value(point) < 0.0;
        if leaves_solid == (self.value(add(point, unit(axis))) < 0.0) {
            return None;
        }
        let back = |du: usize, dv: usize| {
            let mut cell = point;
            cell[u] -= du;
            cell[v] -= dv;
            cell
        };
        let around = [back(1, 1), back(0, 1), back(0, 0), back(1, 0)];
        Some(if leaves_solid { around } else { [around[3], around[2], around[1], around[0]] })
    }
}

/// Every index below `counts`, X fastest.
fn every_index([nx, ny, nz]: Index) -> impl Iterator<Item = Index> {
    (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])))
}

fn add(a: Index, b: Index) -> Index {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn unit(axis: usize) -> Index {
    let mut index = [0; 3];
    index[axis] = 1;
    index
}
