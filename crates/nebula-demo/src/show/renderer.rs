//! Renderers: GPU or CPU.

use std::io::Write;

use clap::ValueEnum;
use glam::{Mat4, Vec3};

use super::shot::{Body, Floor, Shot};
use super::surfaces::Surfaces;
#[cfg(feature = "gpu")]
use crate::gpu;
use crate::picture::{self, Camera, Canvas, Line, Mesh, Scene};

/// What the command line asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Choice {
    /// The GPU if there is one, otherwise the CPU.
    #[default]
    Auto,
    /// The GPU, or an error.
    Gpu,
    /// The CPU, which produces the same bytes on every machine.
    Cpu,
}

/// Draws shots.
pub enum Renderer {
    /// Without a GPU.
    Cpu(Box<CpuRenderer>),
    /// With one.
    #[cfg(feature = "gpu")]
    Gpu(Box<gpu::Renderer>),
}

impl Renderer {
    /// A renderer of the kind that was asked for.
    ///
    /// # Errors
    /// One line: there is no such renderer.
    pub fn new(choice: Choice) -> Result<Self, String> {
        match choice {
            Choice::Cpu => Ok(Self::Cpu(Box::default())),
            Choice::Gpu => Self::gpu(),
            Choice::Auto => Ok(Self::gpu().unwrap_or_else(|problem| {
                if cfg!(feature = "gpu") {
                    let _ = writeln!(std::io::stderr(), "note: drawing with the CPU, {problem}");
                }
                Self::Cpu(Box::default())
            })),
        }
    }

    #[cfg(feature = "gpu")]
    fn gpu() -> Result<Self, String> {
        let renderer = gpu::Renderer::new().map_err(|problem| format!("{problem}; {}", gpu::DRIVER_HINT))?;
        Ok(Self::Gpu(Box::new(renderer)))
    }

    #[cfg(not(feature = "gpu"))]
    fn gpu() -> Result<Self, String> {
        Err("this build draws without a GPU: take --renderer cpu".into())
    }

    /// Draws a shot over the whole canvas.
    ///
    /// # Errors
    /// One line: the GPU has given up.
    pub fn draw(&mut self, shot: &Shot, canvas: &mut Canvas) -> Result<(), String> {
        match self {
            Self::Cpu(renderer) => {
                renderer.draw(shot, canvas);
                Ok(())
            }
            #[cfg(feature = "gpu")]
            Self::Gpu(renderer) => renderer.render(shot, &gpu::Look::default(), canvas),
        }
    }
}

/// Skins with the library, and draws with [`picture`]. The same shot gives the same bytes.
#[derive(Debug, Default)]
pub struct CpuRenderer {
    renderer: picture::Renderer,
    /// The vertices of each body that may be seen.
    surfaces: Vec<Surfaces>,
}

/// Fewer bodies than this many are not worth asking whether they are in the picture.
pub(crate) const FEW: usize = 8;

impl CpuRenderer {
    /// Draws a shot over the whole canvas.
    pub fn draw(&mut self, shot: &Shot, canvas: &mut Canvas) {
        let aspect = canvas.width() as f32 / canvas.height().max(1) as f32;
        let is_seen = |body: &&Body| shot.bodies.len() < FEW || may_be_seen(body, &shot.camera, aspect);
        let seen: Vec<&Body> = shot.bodies.iter().filter(is_seen).collect();
        if self.surfaces.len() < seen.len() {
            self.surfaces.resize_with(seen.len(), Surfaces::default);
        }
        let (mut meshes, mut lines): (Vec<Mesh>, Vec<Line>) = (Vec::new(), Vec::new());
        for (body, surfaces) in seen.iter().zip(&mut self.surfaces) {
            surfaces.deform(body);
            surfaces.add_lines(body.model, (canvas.height() as f32 / 180.0).max(1.0), &mut lines);
        }
        for (body, surfaces) in seen.iter().zip(&self.surfaces) {
            surfaces.add_meshes(body.model, &mut meshes);
        }
        lines.extend_from_slice(shot.lines);
        let mut scene = Scene { light: shot.light, ..Scene::default() };
        match shot.floor {
            Floor::None => {}
            Floor::Grid(ground) => scene.ground = Some(ground),
            Floor::Terrain(terrain) => {
                scene.fog = Some(terrain.fog);
                meshes.push(Mesh {
                    positions: &terrain.positions,
                    normals: &terrain.normals,
                    colors: &terrain.colors,
                    indices: &terrain.indices,
                    double_sided: false,
                    is_terrain: true,
                    ..Mesh::default()
                });
            }
        }
        self.renderer.render(&Scene { meshes: &meshes, lines: &lines, ..scene }, &shot.camera, canvas);
    }
}

/// Whether a body or its shadow may be in the picture; rather once too often.
pub(crate) fn may_be_seen(body: &Body, camera: &Camera, aspect: f32) -> bool {
    let joints = body.palette.iter().enumerate();
    let places = joints.map(|(joint, matrix)| (*matrix * body.model.bind_matrix(joint)).w_axis.truncate());
    let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for place in places.filter(|place| place.is_finite()) {
        (min, max) = (min.min(place), max.max(place));
    }
    if min.x > max.x {
        return true;
    }
    let (middle, radius) = ((min + max) * 0.5, (max - min).length());
    let view = Mat4::look_at_rh(camera.eye, camera.target, camera.up);
    let local = view.transform_point3(middle);
    let (depth, tan_y) = (-local.z, (camera.vertical_fov_radians * 0.5).tan());
    // Twice the radius makes room for the shadow, and for what is far from any joint.
    let room = |tan: f32| depth * tan + 2.0 * radius * (1.0 + tan * tan).sqrt();
    depth > -2.0 * radius && local.x.abs() < room(tan_y * aspect) && local.y.abs() < room(tan_y)
}
