//! Rasterizer: finds the nearest triangle at every sample.

use glam::{DVec3, IVec2, Vec2, Vec3, Vec3A, Vec4};

use super::camera::View;
use super::clip::clip;
use super::face::Face;
use super::walk::{Area, Cell, SAMPLES, UNITS, UNITS_LOG2, to_units, walk};
use super::{Alpha, Mesh, Scene};

/// A pixel. Its samples are on no common row or column, so that almost level and almost upright edges, where steps
/// are seen best, get as many shades as there are samples.
pub(super) const PIXEL: Cell = Cell {
    size_log2: UNITS_LOG2,
    samples: [IVec2::new(24, 8), IVec2::new(56, 24), IVec2::new(8, 40), IVec2::new(40, 56)],
};

/// Samples that no triangle owns.
pub(super) const NOBODY: u32 = u32::MAX;

/// The triangles of a frame and the samples that they own.
#[derive(Debug, Default)]
pub(super) struct Raster {
    faces: Vec<Face>,
    /// Screen triangles of the faces: mostly one for each, several where it was clipped.
    pieces: Vec<Piece>,
    /// The pixels that triangles may own; the buffers hold these only.
    area: Area,
    depths: Vec<Vec4>,
    owners: Vec<[u32; SAMPLES]>,
    /// Projected vertices of the mesh at hand.
    projected: Vec<Vec3A>,
}

#[derive(Debug, Clone, Copy)]
struct Piece {
    face: u32,
    corners: [IVec2; 3],
}

impl Raster {
    /// Finds the owners of all samples.
    pub(super) fn draw(&mut self, scene: &Scene, view: &View) {
        self.faces.clear();
        self.pieces.clear();
        self.area = Area::default();
        for (index, mesh) in scene.meshes.iter().enumerate() {
            self.collect(index as u32, mesh, view);
        }
        self.clear(scene, view);
        for piece in &self.pieces {
            let face = &self.faces[piece.face as usize];
            let mesh = &scene.meshes[face.mesh as usize];
            let target = Target { area: self.area, depths: &mut self.depths, owners: &mut self.owners };
            fill(piece, face, mesh, target);
        }
    }

    /// The first pixel in a row that a triangle may own, and the owners of the samples from there on.
    pub(super) fn row(&self, y: i32) -> (i32, &[[u32; SAMPLES]]) {
        if !(self.area.top..self.area.bottom).contains(&y) {
            return (0, &[]);
        }
        let start = index_in(self.area, self.area.left, y);
        (self.area.left, &self.owners[start..start + self.area.width()])
    }

    /// The triangle with this number.
    pub(super) fn face(&self, owner: u32) -> &Face {
        &self.faces[owner as usize]
    }

    /// Projects and clips the triangles of a mesh.
    fn collect(&mut self, index: u32, mesh: &Mesh, view: &View) {
        let screen = view.area();
        self.projected.clear();
        self.projected.extend(mesh.positions.iter().map(|&position| view.project(position)));
        for corners in mesh.indices.as_chunks::<3>().0 {
            let corners = corners.map(|corner| corner as usize);
            if corners.iter().any(|&corner| corner >= mesh.positions.len()) {
                continue;
            }
            let triangle = corners.map(|corner| self.projected[corner]);
            if !triangle.iter().all(|corner| corner.is_finite()) || triangle.iter().all(|corner| corner.z < view.near) {
                continue;
            }
            if is_beside(&triangle, view) {
                continue;
            }
            let triangle = triangle.map(|corner| DVec3::from(Vec3::from(corner)));
            let facing = facing(mesh, corners, Vec3::from(view.eye));
            if facing.winding_away != mesh.is_mirrored && !mesh.double_sided {
                continue;
            }
            let Some(face) = Face::new(index, corners, facing.normals_away, triangle, view.near) else { continue };
            let number = self.faces.len() as u32;
            let mut seen = false;
            let polygon = clip(triangle, view);
            let points = polygon.corners();
            let to_screen = |point: DVec3| to_units(point.truncate() / point.z);
            for last in 2..points.len() {
                let corners = [to_screen(points[0]), to_screen(points[last - 1]), to_screen(points[last])];
                let area = Area::around(&corners, &PIXEL).intersection(screen);
                if !area.is_empty() {
                    self.area = self.area.union(area);
                    self.pieces.push(Piece { face: number, corners });
                    seen = true;
                }
            }
            if seen {
                self.faces.push(face);
            }
        }
    }

    /// Gives all samples to nobody, as deep as the floor.
    fn clear(&mut self, scene: &Scene, view: &View) {
        let area = self.area;
        self.owners.clear();
        self.owners.resize(area.width() * area.height(), [NOBODY; SAMPLES]);
        self.depths.clear();
        let eye_height = scene.ground.map_or(0.0, |ground| view.eye.y - ground.obstacle_height());
        if eye_height <= 0.0 {
            self.depths.resize(area.width() * area.height(), Vec4::ZERO);
            return;
        }
        let step = view.ray_step_x.y / -eye_height;
        let samples =
            Vec4::from(places().map(|place| (view.ray_step_x.y * place.x + view.ray_step_y.y * place.y) / -eye_height));
        for y in area.top..area.bottom {
            let row = view.ray(0.0, y as f32).y / -eye_height;
            let pixels = (area.left..area.right).map(|x| (samples + (row + step * x as f32)).max(Vec4::ZERO));
            self.depths.extend(pixels);
        }
    }
}

/// Whether a triangle lies on the outer side of an edge of the picture, all of it.
fn is_beside(triangle: &[Vec3A; 3], view: &View) -> bool {
    let (width, height) = (view.width as f32, view.height as f32);
    let all = |is_out: &dyn Fn(&Vec3A) -> bool| triangle.iter().all(is_out);
    all(&|corner| corner.x < 0.0)
        || all(&|corner| corner.x > width * corner.z)
        || all(&|corner| corner.y < 0.0)
        || all(&|corner| corner.y > height * corner.z)
}

/// Places of the samples in a pixel, as parts of it.
pub(super) fn places() -> [Vec2; SAMPLES] {
    PIXEL.samples.map(|sample| sample.as_vec2() / UNITS as f32)
}

/// Where a triangle's samples go.
struct Target<'a> {
    area: Area,
    depths: &'a mut [Vec4],
    owners: &'a mut [[u32; SAMPLES]],
}

/// Gives a screen triangle the samples where it is nearest.
fn fill(piece: &Piece, face: &Face, mesh: &Mesh, target: Target) {
    let places = places();
    let depth = face.inverse_depth();
    let at_samples = Vec4::from(places.map(|place| depth.step_x * place.x + depth.step_y * place.y));
    walk(piece.corners, &PIXEL, target.area, |x, y, covered| {
        let index = index_in(target.area, x, y);
        let before = &mut target.depths[index];
        let depths = depth.bounded(at_samples + depth.at(x as f32, y as f32));
        let mut shown = covered & depths.cmpgt(*before).bitmask();
        if mesh.alpha != Alpha::Opaque {
            shown &= not_clear(face, mesh, x, y, shown);
        }
        for sample in 0..SAMPLES {
            if shown >> sample & 1 == 1 {
                before[sample] = depths[sample];
                target.owners[index][sample] = piece.face;
            }
        }
    });
}

/// The samples that a surface's alpha lets it cover, of those that it would.
fn not_clear(face: &Face, mesh: &Mesh, x: i32, y: i32, samples: u32) -> u32 {
    let mut shown = samples;
    for (sample, place) in places().into_iter().enumerate() {
        if samples >> sample & 1 == 1 {
            let alpha = face.base_color(mesh, &face.spot(x as f32 + place.x, y as f32 + place.y)).w;
            let clear = match mesh.alpha {
                Alpha::Opaque => false,
                Alpha::Mask(cutoff) => alpha < cutoff,
                Alpha::Blend => alpha <= threshold(x, y, sample),
            };
            shown &= !(u32::from(clear) << sample);
        }
    }
    shown
}

/// The alpha from which a sample is covered: sixteen values that repeat every two pixels.
fn threshold(x: i32, y: i32, sample: usize) -> f32 {
    let pixel = [0, 2, 3, 1][(x & 1 | (y & 1) << 1) as usize];
    let sample = [0, 2, 3, 1][(sample + pixel) % SAMPLES];
    (sample as f32 + (pixel as f32 + 0.5) / 4.0) / SAMPLES as f32
}

fn index_in(area: Area, x: i32, y: i32) -> usize {
    (y - area.top) as usize * area.width() + (x - area.left) as usize
}

/// Which sides of a triangle the camera sees.
struct Facing {
    /// The side that its winding makes the back.
    winding_away: bool,
    /// The side that its normals point away from. Not always the same: a mirrored mesh has the wrong winding.
    normals_away: bool,
}

fn facing(mesh: &Mesh, corners: [usize; 3], eye: Vec3) -> Facing {
    let [a, b, c] = corners.map(|corner| mesh.positions[corner]);
    let normal = (b - a).cross(c - a);
    let winding_away = normal.dot(eye - a) < 0.0;
    let mut normals_away = winding_away;
    if mesh.normals.len() >= mesh.positions.len() {
        let [a, b, c] = corners.map(|corner| mesh.normals[corner]);
        normals_away ^= normal.dot(a + b + c) < 0.0;
    }
    Facing { winding_away, normals_away }
}
