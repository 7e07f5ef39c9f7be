//! A character that walks over a ground, watched frame by frame.

use glam::{Affine3A, DVec3, Mat4, Vec3};
use nebula_animation::{Character, Fade, FootPlacement, GroundPoint, Surroundings};

use super::stage::Stage;

/// What someone walks on; s is the way ahead.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ground {
    /// In degrees.
    Slope(f32),
    /// Rise and length of each stair.
    Stairs(f32, f32),
    /// Metres a second upwards for three seconds.
    Lift(f32),
}

impl Ground {
    /// How far it has gone up, and how fast it does.
    fn moved(self, time: f64) -> [f32; 2] {
        match self {
            Self::Lift(velocity) => [velocity * time.min(3.0) as f32, if time <= 3.0 { velocity } else { 0.0 }],
            _ => [0.0; 2],
        }
    }

    fn at(self, along: f32, ahead: Vec3, time: f64) -> GroundPoint {
        match self {
            Self::Slope(degrees) => {
                let steepness = degrees.to_radians().tan();
                GroundPoint::new(steepness * along, Vec3::Y - ahead * steepness)
            }
            Self::Stairs(rise, run) => GroundPoint::level(rise * (along / run).floor()),
            Self::Lift(_) => {
                let [height, velocity] = self.moved(time);
                GroundPoint::level(height).moving(Vec3::Y * velocity)
            }
        }
    }
}

/// What was seen.
pub struct Run {
    pub rate: f32,
    /// How fast the entity goes.
    pub speed: f32,
    pub frames: Vec<Frame>,
}

pub struct Frame {
    /// Against the floor.
    pub pelvis: Vec3,
    pub feet: Vec<Foot>,
}

#[derive(Clone, Copy)]
pub struct Foot {
    /// The lowest vertex above the ground below it.
    pub low: f32,
    /// The joint above the ground below it.
    pub joint: f32,
    /// How far the vertex that was the lowest in the frame before has come over the floor.
    pub step: Vec3,
    /// In degrees; 180 is straight.
    pub knee: f32,
}

impl Run {
    pub fn of(stage: &Stage, rate: u16, seconds: f64, ground: Ground, has_feet: bool) -> Self {
        let rig = &stage.rig;
        let feet = rig.feet().expect("legs");
        let mut character = Character::of(stage.library.clone());
        if has_feet {
            character.add_layer(FootPlacement::new(feet.clone()));
        }
        character.mixer.play(&*stage.clip, Fade::NONE).expect("a clip");
        let clip = stage.library.iter().find(|clip| clip.name() == stage.clip).expect("a clip");
        let velocity = clip.velocity().with_y(0.0);
        let ahead = rig.front().unwrap_or(Vec3::Z).with_y(0.0).normalize_or(Vec3::Z);
        let mut matrices = vec![Mat4::IDENTITY; rig.joint_count()];
        let (mut walked, mut frames) = (DVec3::ZERO, Vec::new());
        let mut before: Vec<Option<(usize, Vec3)>> = vec![None; stage.soles.len()];
        for number in 0..=(seconds * f64::from(rate)) as u32 {
            let time = f64::from(number) / f64::from(rate);
            let dt = if number == 0 { 0.0 } else { time - f64::from(number - 1) / f64::from(rate) };
            character.advance(dt);
            walked += velocity.as_dvec3() * dt;
            let query = |place: Vec3| Some(ground.at(place.dot(ahead), ahead, time));
            let height = |place: Vec3| ground.at(place.dot(ahead), ahead, time).height;
            let place = walked.as_vec3();
            let entity = Affine3A::from_translation(place.with_y(height(place)));
            let surroundings =
                Surroundings { world_from_model: entity, velocity, ground: Some(&query), ..Surroundings::default() };
            character.finish(&surroundings);
            character.frame().write_model_matrices(&mut matrices);
            matrices.iter_mut().for_each(|matrix| *matrix = Mat4::from(entity) * *matrix);
            let moved = Vec3::Y * ground.moved(time)[0];
            let at = |joint: u16| matrices[usize::from(joint)].w_axis.truncate();
            let watched = stage.soles.iter().zip(feet.legs()).enumerate().map(|(index, (sole, leg))| {
                let places: Vec<Vec3> = sole.iter().map(|vertex| vertex.place(&matrices)).collect();
                let heights = places.iter().map(|place| place.y - height(*place)).enumerate();
                let (lowest, low) = heights.min_by(|a, b| a.1.total_cmp(&b.1)).expect("vertices");
                let step = before[index].map_or(Vec3::ZERO, |(vertex, place)| places[vertex] - moved - place);
                before[index] = Some((lowest, places[lowest] - moved));
                let [hip, knee, ankle] = [leg.thigh, leg.shin, leg.foot].map(at);
                let bend = (hip - knee).angle_between(ankle - knee).to_degrees();
                let joint = ankle.y - height(ankle);
                Foot { low, joint, step, knee: bend }
            });
            let watched = watched.collect();
            frames.push(Frame { pelvis: at(feet.pelvis()) - moved, feet: watched });
        }
        Self { rate: rate.into(), speed: velocity.length(), frames }
    }
}
