//! Scenes with the hero alone: simulated once, frame by frame, and then shown in any order.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3};

use super::Scene;
use super::cast::Cast;
use super::hero::Hero;
use super::script::Script;
use super::terrain::Hills;
use crate::picture::{Camera, Light};
use crate::show::shot::{Body, Floor, Shot, Terrain};

/// The hero in every frame of a scene.
pub struct Solo {
    scene: Option<Scene>,
    cast: Arc<Cast>,
    hills: Hills,
    terrain: Terrain,
    takes: Vec<Take>,
    /// Seconds of the scene before it repeats.
    seconds: f32,
    /// Frames in a second.
    rate: f32,
}

/// One frame.
#[derive(Debug, Clone)]
struct Take {
    palette: Vec<Mat4>,
    place: Vec3,
    sword: Mat4,
    lamp: Vec3,
}

/// Distance at which the hills are lost in the haze, in metres.
const FOG: f32 = 60.0;

impl Solo {
    /// Simulates so many frames of a scene; of the whole demo without one.
    ///
    /// # Errors
    /// The character lacks a clip or a joint.
    pub fn new(scene: Option<Scene>, cast: &Arc<Cast>, count: usize, pace: Pace) -> Result<Self, String> {
        let mut takes = Vec::with_capacity(count);
        let mut script = Script::of(scene);
        let mut hero = Hero::new(cast, script.hills, Vec2::ZERO).map_err(|error| error.to_string())?;
        simulate(&mut script, &mut hero, count, pace, |hero| {
            let [body, sword] = hero.bodies();
            let (palette, place) = (body.palette.to_vec(), hero.walker.place());
            takes.push(Take { palette, place, sword: sword.place, lamp: hero.gaze });
        })?;
        let (first, last) = (takes.first().map_or(Vec3::ZERO, |take| take.place), hero.walker.place());
        let (middle, half) = ((first + last) * 0.5, (last - first).length() * 0.5);
        let terrain = script.hills.mesh(Vec2::new(middle.x, middle.z), half + 6.0, FOG + half);
        let terrain = Terrain { fog: FOG, ..terrain };
        let (hills, seconds, rate) = (script.hills, script.seconds, pace.frame_rate());
        Ok(Self { scene, cast: Arc::clone(cast), hills, terrain, takes, seconds, rate })
    }

    /// Shows a frame for a picture of this shape (width divided by height).
    pub fn show<R>(
        &self,
        frame: usize,
        aspect: f32,
        moved: &dyn Fn(Camera, &Hills) -> Camera,
        show: impl FnOnce(&Shot) -> R,
    ) -> R {
        let take = &self.takes[frame % self.takes.len()];
        let body = |model, palette, place| Body { model, palette, place, morph_weights: &[] };
        let cast = &*self.cast;
        let bodies = [
            body(&cast.humanoid, &take.palette, Mat4::from_translation(take.place)),
            body(&cast.sword, &[], take.sword),
            body(&cast.lamp, &[], Mat4::from_translation(take.lamp)),
        ];
        // Nobody looks at the lamp in a T-pose.
        let count = if self.scene == Some(Scene::Tpose) { 2 } else { 3 };
        let time = frame as f32 / self.rate;
        show(&Shot {
            camera: moved(self.camera(take, time, aspect), &self.hills),
            light: Light::default(),
            floor: Floor::Terrain(&self.terrain),
            bodies: &bodies[..count],
            lines: &[],
        })
    }

    fn camera(&self, take: &Take, time: f32, aspect: f32) -> Camera {
        let part = (time / self.seconds).rem_euclid(1.0);
        let rise = |from: f32, to: f32| {
            let t = ((part - from) / (to - from)).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        };
        // The angle from the hero's front to its left, the distance, and the heights of target and camera above its feet.
        let (angle, distance, target, height) = match self.scene {
            // From the front, where the T-pose is best seen, to the side, where steps are, and back.
            None => (0.45 + 0.7 * (rise(0.18, 0.45) - rise(0.82, 0.98)), 4.7, 0.98, 1.6),
            Some(Scene::Tpose) => (0.5 + TAU * part, 4.3, 0.92, 1.5),
            Some(Scene::Walk) => (0.85, 4.5, 0.98, 1.6),
            Some(Scene::Slope) => (1.2, 3.9, 0.86, 1.1),
            Some(Scene::Crossfade) => (0.8, 4.7, 0.98, 1.6),
            Some(Scene::Attach | Scene::Crowd) => (-0.45, 3.3, 1.42, 1.5),
        };
        // A picture that is higher than wide shows as much from side to side.
        let distance = distance * (1.2 / aspect.max(0.05)).max(1.0);
        let aside = if self.scene == Some(Scene::Attach) { Vec3::new(-0.3, 0.0, 0.1) } else { Vec3::ZERO };
        let target = take.place + Vec3::Y * target + aside;
        let eye = take.place + Vec3::new(angle.sin() * distance, height, angle.cos() * distance) + aside;
        // No closer to the ground than the knees.
        Camera { eye: self.hills.lifted(eye, 0.5), target, up: Vec3::Y, vertical_fov_radians: 0.52 }
    }
}

/// How finely a script is played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Updates in a second.
    pub rate: f32,
    /// Updates from one frame to the next.
    pub steps: usize,
}

impl Pace {
    /// Frames in a second.
    #[must_use]
    pub fn frame_rate(self) -> f32 {
        self.rate / self.steps as f32
    }
}

/// Lets a hero play a script, and shows it `count` times: first when the lead is over.
///
/// # Errors
/// The character lacks a clip.
pub fn simulate(
    script: &mut Script,
    hero: &mut Hero,
    count: usize,
    pace: Pace,
    mut show: impl FnMut(&Hero),
) -> Result<(), String> {
    let Pace { rate, steps } = pace;
    let lead = (script.lead * rate).round() as usize;
    for step in 0..lead + (count.max(1) - 1) * steps + 1 {
        let time = step as f32 / rate;
        let input = script.direct(time, hero).map_err(|error| error.to_string())?;
        hero.gaze = lamp(hero.walker.place(), (time - script.lead) / script.seconds);
        hero.update(if step == 0 { 0.0 } else { 1.0 / rate }, &input);
        if step >= lead && (step - lead).is_multiple_of(steps) {
            show(hero);
        }
    }
    Ok(())
}

/// Where the lamp flies that a hero at a place looks at: from side to side in front of it, once while `part` goes from 0 to 1.
#[must_use]
pub fn lamp(place: Vec3, part: f32) -> Vec3 {
    let (sin, cos) = (TAU * part).sin_cos();
    let angle = -0.1 + 0.7 * sin;
    place + Vec3::new(1.5 * angle.sin(), 1.8 + 0.06 * cos, 1.5 * angle.cos())
}
