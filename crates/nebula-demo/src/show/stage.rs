//! Places camera and floor, and draws one picture of a figure.

use glam::Vec3;

use super::figure::{Figure, Frame};
use super::renderer::Renderer;
use super::shot::{Floor, Shot};
use crate::picture::{Camera, Canvas, Ground, Light};

/// A camera and a floor.
#[derive(Debug, Clone, Copy)]
pub struct Stage {
    /// Where the picture is taken from.
    pub camera: Camera,
    /// The floor.
    pub ground: Ground,
    /// The light.
    pub light: Light,
}

/// From the figure towards a camera that shows its front, its side, or both.
pub const FRONT: Vec3 = Vec3::new(0.0, 0.16, 1.0);
/// The figure's left side: one that faces +Z walks to the left.
pub const SIDE: Vec3 = Vec3::new(1.0, 0.16, 0.0);
/// Between the two.
pub const THREE_QUARTER: Vec3 = Vec3::new(0.50, 0.30, 0.84);

impl Stage {
    /// Shows a box from a side, as large as it fits into a picture of this shape (width divided by height). The light is that of one
    /// who is seen from +Z.
    pub fn around([min, max]: [Vec3; 2], direction: Vec3, aspect: f32) -> Self {
        let camera = Camera::framing_from(direction, min, max, aspect);
        Self { camera, ground: Ground::below(min, max), light: Light::default() }
    }

    /// The same with the light of one who is seen from another side.
    pub fn lit_for(mut self, side: Vec3) -> Self {
        self.light = self.light.seen_from(side);
        self
    }

    /// The same with the camera elsewhere: it goes along with whoever travels over the floor.
    pub fn moved(mut self, by: Vec3) -> Self {
        self.camera.eye += by;
        self.camera.target += by;
        self
    }

    /// Draws a figure, with its skeleton on top if `is_skeleton_shown`.
    ///
    /// # Errors
    /// One line: the renderer has given up.
    pub fn draw(
        &self,
        figure: &Figure,
        is_skeleton_shown: bool,
        renderer: &mut Renderer,
        canvas: &mut Canvas,
    ) -> Result<(), String> {
        let lines = if is_skeleton_shown { figure.skeleton(canvas.height()) } else { Vec::new() };
        let (light, floor) = (self.light, Floor::Grid(self.ground));
        let shot = Shot { camera: self.camera, light, floor, bodies: &[figure.body()], lines: &lines };
        renderer.draw(&shot, canvas)
    }
}

/// Where the floor lies below a figure in all of some poses: below its soles, if it ever stands on them. A sword that points down, or a large
/// head that bows, is in the floor, instead of the floor below it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Standing {
    /// The lowest that soles ever are.
    soles: Option<f32>,
    stands: bool,
}

impl Standing {
    /// Looks at a pose with this box around it.
    pub fn see(&mut self, figure: &Figure, [min, max]: [Vec3; 2]) {
        if let Some(soles) = figure.soles() {
            self.soles = Some(self.soles.map_or(soles, |lowest| lowest.min(soles)));
            self.stands |= soles - min.y < 0.05 * (max.y - min.y);
        }
    }

    /// The floor for poses of which this is the lowest point.
    pub fn floor(&self, low: f32) -> f32 {
        self.soles.filter(|_| self.stands).map_or(low, |soles| soles.max(low))
    }
}

/// The box around a figure in all of some poses, from the floor on; none if it never shows anything.
pub fn bounds_over(figure: &mut Figure, frames: impl IntoIterator<Item = Frame>) -> Option<[Vec3; 2]> {
    let mut all: Option<[Vec3; 2]> = None;
    let mut standing = Standing::default();
    for frame in frames {
        figure.take(frame);
        let Some([low, high]) = figure.bounds() else { continue };
        standing.see(figure, [low, high]);
        all = Some(all.map_or([low, high], |[min, max]| [min.min(low), max.max(high)]));
    }
    all.map(|[min, max]| [min.with_y(standing.floor(min.y)), max])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::model::Model;
    use crate::show::renderer::Choice;

    /// Soles tell where the floor is, not what hangs lower; who never stands lies on the floor.
    #[test]
    fn floors_are_below_soles() {
        let bytes = include_bytes!("../../../nebula-animation/test_assets/simple_humanoid.glb");
        let model = Model::from_bytes("character", bytes).unwrap();
        let mut figure = Figure::new(&model);
        let [low, high] = figure.bounds().unwrap();
        let soles = figure.soles().unwrap();
        assert!((soles - low.y).abs() < 0.02, "{soles} {low}");
        let mut standing = Standing::default();
        assert_eq!(standing.floor(-1.0), -1.0, "nobody was seen");
        standing.see(&figure, [low, high]);
        assert_eq!(standing.floor(-1.0), soles, "a sword below the soles");
        let mut lying = Standing::default();
        lying.see(&figure, [low.with_y(low.y - 1.0), high]);
        assert_eq!(lying.floor(low.y - 1.0), low.y - 1.0);
    }

    /// Rows of a sheet are lit from the side that they show, whichever way the character faces: the arm that is in front of the chest from the
    /// side is somewhat darker than the chest.
    #[test]
    fn every_side_is_lit() {
        let bytes = include_bytes!("../../../nebula-animation/test_assets/simple_humanoid.glb");
        let model = Model::from_bytes("character", bytes).unwrap();
        let mut figure = Figure::new(&model);
        let bounds = figure.bounds().unwrap();
        let mut renderer = Renderer::new(Choice::Cpu).unwrap();
        let mut brightness = |side: Vec3, is_lit: bool| {
            let stage = Stage::around(bounds, side, 0.5);
            let stage = if is_lit { stage.lit_for(side) } else { stage };
            let mut canvas = Canvas::new(100, 200);
            stage.draw(&figure, false, &mut renderer, &mut canvas).unwrap();
            // The middle of the chest.
            let chest = (60..80).flat_map(|y| (44..56).map(move |x| y * 100 + x));
            chest.map(|pixel| canvas.pixels()[pixel][1] as u32).sum::<u32>() as f32 / 240.0
        };
        let [front, side, back] = [FRONT, SIDE, -FRONT * Vec3::new(1.0, -1.0, 1.0)].map(|side| brightness(side, true));
        let [unlit_side, unlit_back] = [SIDE, -FRONT * Vec3::new(1.0, -1.0, 1.0)].map(|side| brightness(side, false));
        assert!(side > front * 0.65 && back > front * 0.8, "{front} {side} {back}");
        assert!(unlit_side < side && unlit_back < back * 0.9, "{unlit_side} {side}, {unlit_back} {back}");
    }
}
