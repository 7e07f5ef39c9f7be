//! Numeric checks of the renderer, without stored pictures: expectations follow from the scene.

mod drawing;
mod files;
mod robustness;

use glam::{Vec3, Vec4};

use super::*;

/// A camera at the origin that looks along -Z, with a right angle from the lower to the upper edge: at a distance of
/// one, the edges are one away from the middle.
const CAMERA: Camera =
    Camera { eye: Vec3::ZERO, target: Vec3::NEG_Z, up: Vec3::Y, vertical_fov_radians: std::f32::consts::FRAC_PI_2 };

const RED: Vec4 = Vec4::new(0.8, 0.0, 0.0, 1.0);
const GREEN: Vec4 = Vec4::new(0.0, 0.8, 0.0, 1.0);

/// Both triangles of a rectangle with the corners in order.
const RECTANGLE: [u32; 6] = [0, 1, 2, 0, 2, 3];

/// Corners of a rectangle that faces +Z.
fn rectangle(left: f32, bottom: f32, right: f32, top: f32, z: f32) -> [Vec3; 4] {
    [(left, bottom), (right, bottom), (right, top), (left, top)].map(|(x, y)| Vec3::new(x, y, z))
}

fn mesh<'a>(positions: &'a [Vec3], indices: &'a [u32], base_color: Vec4) -> Mesh<'a> {
    Mesh { positions, indices, looks: Looks { base_color, ..Looks::default() }, ..Mesh::default() }
}

fn draw(meshes: &[Mesh], camera: &Camera, width: u32, height: u32) -> Canvas {
    render(&Scene { meshes, ..Scene::default() }, camera, width, height)
}

fn pixel(canvas: &Canvas, x: u32, y: u32) -> [u8; 4] {
    canvas.pixels()[(y * canvas.width() + x) as usize]
}

fn is_red(pixel: [u8; 4]) -> bool {
    pixel[0] / 2 > pixel[1].max(pixel[2])
}

fn is_green(pixel: [u8; 4]) -> bool {
    pixel[1] / 2 > pixel[0].max(pixel[2])
}

/// Random numbers that are the same on every run.
struct Random(u64);

impl Random {
    /// A number from zero to one.
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }

    fn between(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * self.unit()
    }

    fn vector(&mut self, from: f32, to: f32) -> Vec3 {
        Vec3::new(self.between(from, to), self.between(from, to), self.between(from, to))
    }
}
