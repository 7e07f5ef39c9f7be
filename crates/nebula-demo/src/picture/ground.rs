//! The background: sky and floor.

use glam::{Vec2, Vec3A, Vec4};

use super::camera::View;
use super::color::TABLES;
use super::shade::Lamps;
use super::shadow::{Reach, Shadow};
use super::{Ground, Scene};

/// Sky and floor for one camera. Without shadows they stay the same until the camera moves, and are kept.
#[derive(Debug, Default)]
pub(super) struct Backdrop {
    plan: Option<Plan>,
    pixels: Vec<[u8; 4]>,
}

/// All that the backdrop depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Plan {
    view: View,
    lamps: Lamps,
    floor: Option<Floor>,
    /// Whether what is below the horizon has faded into it.
    is_hazy: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Floor {
    /// Height of the camera above the floor.
    below_eye: f32,
    /// Distance of the grid lines.
    cell: f32,
    /// One divided by the square of the distance from the camera's target at which half of the floor is haze.
    fade: f32,
    /// Colour of the floor under light from all around, and what the directional light adds.
    ambient: Vec3A,
    key: Vec3A,
}

/// The floor in four neighbouring pixels of a row; four at a time, because processors compute so.
#[derive(Debug, Clone, Copy)]
struct Strip {
    /// World x and z.
    x: Vec4,
    z: Vec4,
    /// How much of the floor is left in the haze; zero where there is none.
    presence: Vec4,
    /// How much of the floor grid lines cover.
    grid: Vec4,
}

/// Number of pixels in a strip.
const STRIP: usize = 4;

/// Colour of the sky straight above, linear.
pub const ZENITH: Vec3A = Vec3A::new(0.12, 0.26, 0.50);
/// Colour of the sky at the horizon, and of what is lost in the haze, linear.
pub const HORIZON: Vec3A = Vec3A::new(0.64, 0.72, 0.80);
/// Colour straight below, where there is neither floor nor terrain, linear.
pub const NADIR: Vec3A = Vec3A::new(0.36, 0.37, 0.39);
/// Colour of the floor, linear.
pub(crate) const FLOOR: Vec3A = Vec3A::new(0.43, 0.42, 0.40);

/// Thickness of a grid line as a part of a cell, and how dark it is.
pub(crate) const LINE: f32 = 0.018;
pub(crate) const LINE_STRENGTH: f32 = 0.3;

/// The floor is not drawn where the haze leaves less of it.
pub(crate) const LEAST_PRESENCE: f32 = 1e-3;

impl Backdrop {
    /// Prepares sky and floor for a frame.
    pub(super) fn prepare(&mut self, scene: &Scene, view: &View) {
        let lamps = Lamps::new(&scene.light);
        let floor = scene.ground.and_then(|ground| Floor::new(ground, view, &lamps));
        let is_hazy = floor.is_some() || scene.fog.is_some();
        let plan = Plan { view: *view, lamps, floor, is_hazy };
        if self.plan.replace(plan) == Some(plan) {
            return;
        }
        let tables = &*TABLES;
        self.pixels.clear();
        for y in 0..view.height as i32 {
            for x in (0..view.width as i32).step_by(STRIP) {
                let strip = plan.strip(x, y);
                let lanes = STRIP.min((view.width as i32 - x) as usize);
                let pixels = (0..lanes).map(|lane| tables.encode(plan.color(&strip, lane, x, y, Reach::FULL)));
                self.pixels.extend(pixels);
            }
        }
    }

    /// A row of pixels without shadows.
    pub(super) fn row(&self, y: usize, width: usize) -> &[[u8; 4]] {
        &self.pixels[y * width..(y + 1) * width]
    }

    /// Draws the shadows of a row of pixels, between two columns.
    pub(super) fn shade(&self, left: i32, right: i32, y: i32, shadow: &Shadow, row: &mut [[u8; 4]]) {
        let Some(plan) = &self.plan else { return };
        let tables = &*TABLES;
        for x in (left..right).step_by(STRIP) {
            let strip = plan.strip(x, y);
            for (lane, pixel) in row[x as usize..right as usize].iter_mut().enumerate().take(STRIP) {
                if strip.presence[lane] > 0.0 {
                    let reach = shadow.on_floor(Vec2::new(strip.x[lane], strip.z[lane]));
                    if reach != Reach::FULL {
                        *pixel = tables.encode(plan.color(&strip, lane, x, y, reach));
                    }
                }
            }
        }
    }

    /// Colour of the middle of a pixel, linear, with shadows.
    pub(super) fn color(&self, x: i32, y: i32, shadow: &Shadow) -> Vec3A {
        let Some(plan) = &self.plan else { return Vec3A::ZERO };
        let strip = plan.strip(x, y);
        let lit = strip.presence.x == 0.0;
        let reach = if lit { Reach::FULL } else { shadow.on_floor(Vec2::new(strip.x.x, strip.z.x)) };
        plan.color(&strip, 0, x, y, reach)
    }
}

impl Floor {
    /// None if the camera is below the floor.
    fn new(ground: Ground, view: &View, lamps: &Lamps) -> Option<Self> {
        let cell = ground.cell();
        let below_eye = view.eye.y - ground.height;
        let floor = Self {
            below_eye,
            cell,
            fade: ground.fade(),
            ambient: FLOOR * lamps.ambient(Vec3A::Y),
            key: FLOOR * lamps.key * lamps.direction.y.max(0.0),
        };
        (below_eye > 0.0 && cell > 0.0).then_some(floor)
    }

    /// How much of footprints of some width grid lines cover, in one direction. The exact part rather than a sample:
    /// far lines fade evenly instead of making patterns.
    fn lines(&self, middle: Vec4, width: Vec4) -> Vec4 {
        let scale = 1.0 / self.cell;
        // A footprint of a cell or more covers about as much line as a cell.
        let (middle, half) = (middle * scale, (width * (scale * 0.5)).clamp(Vec4::splat(1e-5), Vec4::splat(0.5)));
        let from_line = middle - middle.round();
        let line = Vec4::splat(LINE * 0.5);
        let covered = (from_line + half).min(line) - (from_line - half).max(-line);
        covered.max(Vec4::ZERO) * 0.5 / half
    }
}

impl Plan {
    /// The floor in the pixels from `x` on.
    fn strip(&self, x: i32, y: i32) -> Strip {
        let Some(floor) = &self.floor else {
            return Strip { x: Vec4::ZERO, z: Vec4::ZERO, presence: Vec4::ZERO, grid: Vec4::ZERO };
        };
        let view = &self.view;
        let column = Vec4::new(0.5, 1.5, 2.5, 3.5) + x as f32;
        let row = view.ray(0.0, y as f32 + 0.5);
        let ray = |axis: usize| column * view.ray_step_x[axis] + row[axis];
        let (ray_x, ray_y, ray_z) = (ray(0), ray(1), ray(2));
        let inverse = ray_y.recip();
        let depth = inverse * -floor.below_eye;
        let (x, z) = (ray_x * depth + view.eye.x, ray_z * depth + view.eye.z);
        let (far_x, far_z) = (x - view.target.x, z - view.target.z);
        let far = (far_x * far_x + far_z * far_z) * floor.fade;
        let presence = (far * far + 1.0).recip();
        let seen = ray_y.cmplt(Vec4::ZERO) & presence.cmpgt(Vec4::splat(LEAST_PRESENCE));
        // How far x and z move on the floor from one pixel to the next, on the right or below.
        let moved = |ray: Vec4, axis: usize| {
            let along = |step: Vec3A| ((Vec4::splat(step[axis]) - ray * inverse * step.y) * depth).abs();
            along(view.ray_step_x) + along(view.ray_step_y)
        };
        let (across, along) = (floor.lines(x, moved(ray_x, 0)), floor.lines(z, moved(ray_z, 2)));
        Strip { x, z, presence: Vec4::select(seen, presence, Vec4::ZERO), grid: across + along - across * along }
    }

    /// Colour of one pixel of a strip that begins at `x`.
    fn color(&self, strip: &Strip, lane: usize, x: i32, y: i32, reach: Reach) -> Vec3A {
        let presence = strip.presence[lane];
        match &self.floor {
            Some(floor) if presence > 0.0 => {
                let light = floor.ambient * reach.ambient + floor.key * reach.key;
                HORIZON.lerp(light * (1.0 - LINE_STRENGTH * presence * strip.grid[lane]), presence)
            }
            _ => {
                let ray = self.view.ray((x + lane as i32) as f32 + 0.5, y as f32 + 0.5);
                // The haze ends at the horizon; below it, where the floor is out of sight, nothing is left but haze.
                if self.is_hazy { behind(ray) } else { sky(ray) }
            }
        }
    }
}

/// What a colour becomes at a depth on a ray, in fog that hides everything at the distance `fog`: it fades along `3t^2 - 2t^3`.
pub(super) fn haze(color: Vec3A, ray: Vec3A, depth: f32, fog: f32) -> Vec3A {
    let t = (depth * ray.length() / fog.max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    color.lerp(behind(ray), t * t * (3.0 - 2.0 * t))
}

/// Colour of the sky on a ray; below the horizon nothing but haze.
fn behind(ray: Vec3A) -> Vec3A {
    if ray.y < 0.0 { HORIZON } else { sky(ray) }
}

/// Colour of the sky on a ray.
fn sky(ray: Vec3A) -> Vec3A {
    let elevation = ray.y * ray.length_recip();
    let away = 1.0 - elevation.abs().min(1.0);
    let strength = 1.0 - away * away * away;
    HORIZON.lerp(if elevation > 0.0 { ZENITH } else { NADIR }, strength)
}
