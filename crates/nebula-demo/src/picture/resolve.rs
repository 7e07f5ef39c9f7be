//! Resolves samples into pixels.

use glam::{Vec2, Vec3A};

use super::camera::View;
use super::color::TABLES;
use super::face::Face;
use super::ground::{Backdrop, haze};
use super::raster::{NOBODY, Raster, places};
use super::shade::Lamps;
use super::shadow::Shadow;
use super::surface::Point;
use super::walk::{Area, SAMPLES};
use super::{Canvas, Mesh, Scene};

/// Lights and mixes every pixel of the canvas.
pub(super) fn resolve(
    scene: &Scene,
    view: &View,
    raster: &Raster,
    shadow: &Shadow,
    backdrop: &Backdrop,
    canvas: &mut Canvas,
) {
    let frame = Frame { meshes: scene.meshes, view, raster, shadow, lamps: Lamps::new(&scene.light), fog: scene.fog };
    let tables = &*TABLES;
    let width = canvas.width as usize;
    let shaded = scene.ground.map_or(Area::default(), |ground| shadow.area(ground.height, view));
    for (y, row) in canvas.pixels.chunks_exact_mut(width).enumerate() {
        row.copy_from_slice(backdrop.row(y, width));
        let y = y as i32;
        if (shaded.top..shaded.bottom).contains(&y) {
            backdrop.shade(shaded.left, shaded.right, y, shadow, row);
        }
        let (left, owners) = raster.row(y);
        for (x, owners) in (left..).zip(owners) {
            if *owners != [NOBODY; SAMPLES] {
                row[x as usize] = tables.encode(frame.mix(x, y, owners, || backdrop.color(x, y, shadow)));
            }
        }
    }
}

struct Frame<'a> {
    meshes: &'a [Mesh<'a>],
    view: &'a View,
    raster: &'a Raster,
    shadow: &'a Shadow,
    lamps: Lamps,
    fog: Option<f32>,
}

impl Frame<'_> {
    /// The mix of all that is seen in a pixel.
    fn mix(&self, x: i32, y: i32, owners: &[u32; SAMPLES], behind: impl Fn() -> Vec3A) -> Vec3A {
        let mut color = Vec3A::ZERO;
        let mut open = [true; SAMPLES];
        let sample_places = places();
        for sample in 0..SAMPLES {
            if !open[sample] {
                continue;
            }
            let owner = owners[sample];
            let (mut count, mut sum) = (0.0, Vec2::ZERO);
            for other in sample..SAMPLES {
                if owners[other] == owner {
                    open[other] = false;
                    count += 1.0;
                    sum += sample_places[other];
                }
            }
            let part = if owner == NOBODY {
                behind()
            } else {
                // In the middle of the samples that the triangle owns: the middle of the pixel may lie outside it.
                let place = sum / count;
                self.light(self.raster.face(owner), x as f32 + place.x, y as f32 + place.y)
            };
            color += part * (count / SAMPLES as f32);
        }
        color
    }

    /// The colour of a triangle at a point of the picture.
    fn light(&self, face: &Face, x: f32, y: f32) -> Vec3A {
        let mesh = &self.meshes[face.mesh as usize];
        let spot = face.spot(x, y);
        let ray = self.view.ray(x, y);
        let to_eye = -ray * ray.length_recip();
        let point = self.view.eye + ray * spot.depth;
        let seen = Point { mesh, face, spot, to_eye };
        let normal = seen.normal();
        let color = if mesh.is_terrain {
            let albedo = Vec3A::from_vec4(face.base_color(mesh, &spot)).max(Vec3A::ZERO);
            self.lamps.matt(normal, to_eye, albedo, self.shadow.on_terrain(point))
        } else {
            seen.shade(&self.lamps, normal, || self.shadow.on_surface(point, normal))
        };
        match self.fog {
            Some(fog) => haze(color, ray, spot.depth, fog),
            None => color,
        }
    }
}
