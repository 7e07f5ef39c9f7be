//! Where camera and floor go, and one picture of a figure.

use glam::Vec3;

use super::figure::{Figure, Frame};
use crate::picture::{Camera, Canvas, Ground, Renderer, Scene};

/// A camera and a floor.
#[derive(Debug, Clone, Copy)]
pub struct Stage {
    /// Where the picture is taken from.
    pub camera: Camera,
    /// The floor.
    pub ground: Ground,
}

/// From the figure towards a camera that shows its front, its side, or both.
pub const FRONT: Vec3 = Vec3::new(0.0, 0.16, 1.0);
/// The figure's left side: one that faces +Z walks to the left.
pub const SIDE: Vec3 = Vec3::new(1.0, 0.16, 0.0);
/// Between the two.
pub const THREE_QUARTER: Vec3 = Vec3::new(0.50, 0.30, 0.84);

impl Stage {
    /// Shows a box from a side, as large as it fits into a picture of this shape (width divided by height).
    pub fn around([min, max]: [Vec3; 2], direction: Vec3, aspect: f32) -> Self {
        Self { camera: Camera::framing_from(direction, min, max, aspect), ground: Ground::below(min, max) }
    }

    /// The same stage with the camera moved along the floor.
    pub fn moved(mut self, offset: Vec3) -> Self {
        self.camera.eye += offset;
        self.camera.target += offset;
        self
    }

    /// Draws a figure, with its skeleton on top if `is_skeleton_shown`.
    pub fn draw(&self, figure: &Figure, is_skeleton_shown: bool, renderer: &mut Renderer, canvas: &mut Canvas) {
        let mut lines = figure.lines((canvas.height() as f32 / 180.0).max(1.0));
        if is_skeleton_shown {
            lines.extend(figure.skeleton(canvas.height()));
        }
        let scene = Scene { meshes: &figure.meshes(), lines: &lines, ground: Some(self.ground), ..Scene::default() };
        renderer.render(&scene, &self.camera, canvas);
    }
}

/// The box around a figure in all of some poses; none if it never shows anything.
pub fn bounds_over(figure: &mut Figure, frames: impl IntoIterator<Item = Frame>) -> Option<[Vec3; 2]> {
    let mut all: Option<[Vec3; 2]> = None;
    for frame in frames {
        figure.take(frame);
        all = match (all, figure.bounds()) {
            (Some([min, max]), Some([low, high])) => Some([min.min(low), max.max(high)]),
            (before, bounds) => before.or(bounds),
        };
    }
    all
}
