//! A thousand characters, evaluated by the library's crowd in one call.

use std::error::Error;
use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{Mat4, Quat, Vec2, Vec3};
use nebula_animation::{AnimationClipLibrary, Crowd, LibraryOptions};

use super::cast::Cast;
use super::simplify::{dressed, simplified};
use super::terrain::Hills;
use crate::picture::{Camera, Light, srgb};
use crate::show::model::Model;
use crate::show::shot::{Body, Floor, Shot, Terrain};

/// How many.
pub const COUNT: usize = 1000;

/// Rings of people who walk and run around a hill, each ring at a pace of its own.
pub struct Many {
    /// For each shirt, the character in it, and the same with fewer and fewer triangles.
    wardrobe: Vec<[Model; LEVELS]>,
    hills: Hills,
    terrain: Terrain,
    crowd: Crowd,
    people: Vec<Person>,
    /// World from bind, for all joints of all people.
    palettes: Vec<Mat4>,
    joint_count: usize,
}

/// Where one of them is, and how it moves.
#[derive(Debug, Clone, Copy)]
struct Person {
    radius: f32,
    /// At the beginning, in radians from +Z to +X.
    angle: f32,
    /// Metres per second.
    speed: f32,
    is_standing: bool,
    /// Index of its shirt.
    shirt: usize,
    /// Seconds of its clip at the beginning, and in all.
    start: f64,
    duration: f64,
}

/// Seconds after which everyone is where someone alike was at the beginning, and the film repeats.
pub const SECONDS: f32 = 6.0;

/// Distance between rings, and about that between people in a ring, in metres.
const RING: f32 = 1.5;
const SPACING: f32 = 1.45;

const FOG: f32 = 150.0;

/// Distances, in metres, from which the simpler models are good enough.
const FAR: [f32; LEVELS - 1] = [3.5, 6.0, 13.0];

/// How many models there are of each character, and the size in metres of what the simpler ones leave out.
const LEVELS: usize = 4;
const DETAIL: [f32; LEVELS - 1] = [0.025, 0.05, 0.1];

/// Colours of shirts, as colour pickers show them.
const SHIRTS: [[u8; 3]; 5] =
    [[0x2F, 0x7F, 0x86], [0xB0, 0x5A, 0x3C], [0xC9, 0xB4, 0x7A], [0x6B, 0x4E, 0x86], [0x8C, 0xA0, 0xA8]];

/// A ring of people. Whoever moves goes on by `shift` places within the film, to where someone alike has begun.
#[derive(Debug, Clone, Copy)]
struct Ring {
    radius: f32,
    places: usize,
    shift: usize,
    /// Metres per second.
    speed: f32,
}

impl Ring {
    /// About as large and as fast as this: a whole number of strides around, and one of places within the film. Everyone goes at one pace,
    /// so that nobody is run over.
    fn moving(radius: f32, stride: f32, speed: f32) -> Self {
        let radius = (TAU * radius / stride).round().max(1.0) * stride / TAU;
        let shift = (speed * SECONDS / SPACING).round().max(1.0);
        let places = (TAU * radius / (SPACING * shift)).round().max(1.0) * shift;
        let speed = TAU * radius * shift / places / SECONDS;
        Self { radius, places: places as usize, shift: shift as usize, speed }
    }

    /// At most so many, each different.
    fn standing(radius: f32, most: usize) -> Self {
        let places = ((TAU * radius / SPACING) as usize).clamp(1, most.max(1));
        Self { radius, places, shift: places, speed: 0.0 }
    }
}

/// What tells people in a ring apart.
#[derive(Debug, Clone, Copy)]
struct Look {
    shirt: usize,
    /// Where in its clip someone is, from 0 to 1.
    phase: f32,
    /// How far someone is from the middle of its place, as a part of it.
    aside: f32,
}

impl Look {
    fn new(random: &mut Random) -> Self {
        Self { shirt: (random.unit() * SHIRTS.len() as f32) as usize, phase: random.unit(), aside: 0.3 * random.unit() }
    }
}

impl Many {
    /// Everyone at the beginning.
    ///
    /// # Errors
    /// The character lacks a clip.
    pub fn new(cast: &Arc<Cast>) -> Result<Self, Box<dyn Error>> {
        let asset = &cast.humanoid.asset;
        let options = LibraryOptions { for_palettes: true, ..LibraryOptions::default() };
        let library = AnimationClipLibrary::with_options(&asset.rig(), &asset.clips(), options);
        let mut crowd = Crowd::new();
        let mut add = |name: &str| -> Result<_, Box<dyn Error>> {
            let clip = library.find(name)?;
            Ok((crowd.add_clip(&library, clip)?, library[clip.index()].duration()))
        };
        // Metres of a cycle, as the clips themselves have it.
        let stride = |name: &str| -> Result<_, Box<dyn Error>> {
            let clip = &library[library.find(name)?.index()];
            Ok(clip.velocity().length() * clip.duration())
        };
        let standing = [add("idle")?, add("wave")?, add("jump")?];
        let gaits = [(add("stroll")?, stride("stroll")?), (add("run")?, stride("run")?)];
        let mut people = Vec::with_capacity(COUNT);
        let mut random = Random(1);
        for ring in 0.. {
            let radius = 1.2 + RING * ring as f32;
            let left = COUNT - people.len();
            let (gait, stride) = gaits[usize::from(ring % 3 == 2)];
            let moving = Ring::moving(radius, stride, stride / gait.1 * (0.85 + 0.4 * random.unit()));
            // Those in the middle stand, and so do those who are too few for a whole ring.
            let is_standing = ring < 2 || moving.places > left;
            let ring = if is_standing { Ring::standing(radius, left) } else { moving };
            let mut alike: Vec<Look> = Vec::new();
            for place in 0..ring.places {
                let look = match alike.get(place % ring.shift) {
                    Some(look) => *look,
                    None => {
                        let look = Look::new(&mut random);
                        alike.push(look);
                        look
                    }
                };
                let (clip, duration) = match (is_standing, random.unit()) {
                    (false, _) => gait,
                    (true, chance) if chance < 0.5 => standing[0],
                    (true, chance) if chance < 0.85 => standing[1],
                    (true, _) => standing[2],
                };
                let id = crowd.spawn(clip)?;
                // Steps begin where those before someone begin them who walks on the same ground later.
                let strides =
                    TAU * ring.radius / stride * (place / ring.shift * ring.shift) as f32 / ring.places as f32;
                let start =
                    f64::from(duration * (look.phase + if is_standing { 0.0 } else { strides }).rem_euclid(1.0));
                // Clips of those who stand end with the film, too.
                let pace = 0.8 + 0.4 * random.unit();
                let passes = (SECONDS * pace / duration).round().max(1.0);
                if let Some(character) = crowd.character_mut(id) {
                    character.speed =
                        if is_standing { passes * duration / SECONDS } else { ring.speed * duration / stride };
                }
                people.push(Person {
                    radius: ring.radius,
                    angle: TAU / ring.places as f32 * (place as f32 + look.aside),
                    speed: if is_standing { 0.0 } else { ring.speed },
                    is_standing,
                    shirt: look.shirt,
                    start,
                    duration: f64::from(duration),
                });
            }
            if people.len() >= COUNT {
                break;
            }
        }
        let hills = Hills::wide();
        let terrain = Terrain { fog: FOG, ..hills.mesh(Vec2::ZERO, 20.0, FOG + 30.0) };
        let joint_count = asset.skeleton.joints.len();
        let mut wardrobe = Vec::with_capacity(SHIRTS.len());
        for [red, green, blue] in SHIRTS {
            let near = dressed(asset, srgb(red, green, blue));
            let [far, farther, farthest] = DETAIL.map(|detail| simplified(&near, detail));
            wardrobe.push([Model::new(near)?, Model::new(far)?, Model::new(farther)?, Model::new(farthest)?]);
        }
        Ok(Self { wardrobe, hills, terrain, crowd, people, palettes: Vec::new(), joint_count })
    }

    /// Shows a moment, in seconds, for a picture of this shape (width divided by height).
    pub fn show<R>(
        &mut self,
        time: f64,
        aspect: f32,
        moved: &dyn Fn(Camera, &Hills) -> Camera,
        show: impl FnOnce(&Shot) -> R,
    ) -> R {
        for (character, person) in self.crowd.characters_mut().iter_mut().zip(&self.people) {
            // From the beginning rather than from the frame before: frames may be asked for in any order.
            character.time = (person.start + time * f64::from(character.speed)).rem_euclid(person.duration);
        }
        self.crowd.evaluate();
        let camera = moved(self.camera(time as f32, aspect), &self.hills);
        self.palettes.clear();
        let mut nearness = Vec::with_capacity(self.people.len());
        // All of one rig, they are in the order in which they came.
        let palettes = self.crowd.palettes().chunks_exact(self.joint_count);
        for (person, rows) in self.people.iter().zip(palettes) {
            let place = person.place(time as f32, &self.hills);
            self.palettes.extend(rows.iter().map(|rows| place * rows.to_matrix()));
            let distance = place.w_axis.truncate().distance(camera.eye);
            let level = FAR.iter().filter(|&&far| distance > far).count();
            nearness.push((person.shirt, level));
        }
        let mut bodies = Vec::with_capacity(self.people.len());
        for (shirt, models) in self.wardrobe.iter().enumerate() {
            for (level, model) in models.iter().enumerate() {
                let palettes = self.palettes.chunks_exact(self.joint_count).zip(&nearness);
                let alike = palettes.filter(|(_, nearness)| **nearness == (shirt, level));
                bodies.extend(alike.map(|(palette, _)| Body { model, palette, place: palette[0], morph_weights: &[] }));
            }
        }
        show(&Shot {
            camera,
            light: Light::default(),
            floor: Floor::Terrain(&self.terrain),
            bodies: &bodies,
            lines: &[],
        })
    }

    /// Slowly to and fro, from above the outer rings.
    fn camera(&self, time: f32, aspect: f32) -> Camera {
        let angle = 0.6 + 0.08 * (TAU * time / SECONDS).sin();
        let back = 22.0 * (1.2 / aspect.max(0.05)).max(1.0);
        let (target, eye) = (Vec2::ZERO, Vec2::new(angle.sin(), angle.cos()) * back);
        Camera {
            eye: self.hills.on(eye) + Vec3::Y * 5.5,
            target: self.hills.on(target) + Vec3::Y * 0.4,
            up: Vec3::Y,
            vertical_fov_radians: 0.6,
        }
    }
}

impl Person {
    fn place(&self, time: f32, hills: &Hills) -> Mat4 {
        let angle = self.angle + self.speed / self.radius * time;
        let place = Vec2::new(angle.sin(), angle.cos()) * self.radius;
        // Those who stand look outwards, the others along the ring.
        let facing = if self.is_standing { angle } else { angle + 0.25 * TAU };
        Mat4::from_rotation_translation(Quat::from_rotation_y(facing), hills.on(place))
    }
}

/// Random numbers that are the same on every run.
struct Random(u64);

impl Random {
    /// A number from zero to one.
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }
}
