//! A character that follows a script, frame by frame.

use std::path::Path;
use std::sync::Arc;

use glam::{Affine3A, DVec3, Mat4, Quat, Vec3};
use nebula_animation::asset::{LoadOptions, MeshSelection};
use nebula_animation::explain::Explanation;
use nebula_animation::procedural::feet::FootPlacement;
use nebula_animation::rig::LegJoints;
use nebula_animation::{AnimationClipLibrary, Asset, Character, Fade, GroundQuery, Rig, Surroundings, TargetId};

use super::ground::GroundNow;
use super::script::{Aim, Circle, Script, Speed};
use crate::tool::open;
use crate::tool::spot::{Ends, on_the_spot};

/// A character that acts.
pub struct Actor<'a> {
    script: &'a Script,
    asset: Arc<Asset>,
    character: Character,
    /// Level, unit length: the way that it faces in its rest pose.
    front: Vec3,
    /// The next frame's number.
    frame: u64,
    /// On the ground, without what the ground has moved by. In `f64`, so that long walks are as exact as short ones.
    walked: DVec3,
    /// Radians to its left.
    heading: f64,
    /// How many clips of the script have begun.
    begun: usize,
}

/// What a character shows in a frame.
pub struct Shown {
    /// Seconds from the beginning.
    pub time: f64,
    /// Model space to world space.
    pub entity: Affine3A,
    /// What it looks at, in world space.
    pub target: Option<Vec3>,
    /// The ground as it is now.
    pub ground: GroundNow,
}

/// The target of the gaze.
const TARGET: TargetId = TargetId(0);

impl<'a> Actor<'a> {
    /// The character of a script, at its beginning.
    pub fn new(script: &'a Script, file: &Path) -> Result<Self, String> {
        let options = LoadOptions { meshes: MeshSelection::All, ..LoadOptions::default() };
        let asset = open(file, options)?.asset;
        let rig = asset.rig();
        // What a clip travels by itself is the entity's to go.
        let clips: Vec<_> =
            asset.clips().iter().map(|clip| on_the_spot(&rig, clip, Ends::of(&rig, clip).way(&rig))).collect();
        let library = AnimationClipLibrary::new(&rig, &clips);
        Self::of(script, Arc::new(asset), library).map_err(|problem| format!("{}: {problem}", file.display()))
    }

    /// The same of a file that is loaded, with clips for its rig.
    pub fn of(script: &'a Script, asset: Arc<Asset>, library: AnimationClipLibrary) -> Result<Self, String> {
        for play in &script.play {
            library.find(&play.clip).map_err(|error| error.to_string())?;
        }
        let rig = Arc::clone(library.rig());
        let mut character = Character::of(library);
        if script.aim.is_some() {
            let aim = rig.humanoid().aim(&rig, Vec3::ZERO).map_err(|error| error.to_string())?;
            character.add_layer(aim.following(TARGET));
        }
        if script.feet {
            // Whoever is no human may have legs all the same.
            let feet = rig.feet().cloned().map_or_else(|| rig.humanoid().feet(&rig), Ok);
            character.add_layer(FootPlacement::new(feet.map_err(|error| error.to_string())?));
        }
        let front = rig.front().unwrap_or(Vec3::Z).with_y(0.0).try_normalize().unwrap_or(Vec3::Z);
        Ok(Self { script, asset, character, front, frame: 0, walked: DVec3::ZERO, heading: 0.0, begun: 0 })
    }

    /// Its rig.
    pub fn rig(&self) -> &Rig {
        self.character.rig()
    }

    /// Whether its layers write down what they do, for [`explain`](Actor::explain).
    pub fn set_traced(&mut self, is_traced: bool) {
        self.character.set_traced(is_traced);
    }

    /// Why a joint is where the last frame has it.
    pub fn explain(&self, joint: &str) -> Result<Explanation, String> {
        self.character.explain(joint).map_err(|error| error.to_string())
    }

    /// Seconds from the beginning to the next frame.
    pub fn next_time(&self) -> f64 {
        self.frame as f64 / self.script.hz
    }

    /// The file that it came from.
    pub fn asset(&self) -> &Asset {
        &self.asset
    }

    /// The left leg and the right one, where it has legs; of an animal those in front first.
    pub fn legs(&self) -> &[LegJoints] {
        self.character.rig().feet().map_or(&[], |feet| feet.legs())
    }

    /// Whether a foot stands: as the layer has it, or without one as the clips say.
    pub fn is_planted(&self, leg: usize) -> bool {
        if let Some(feet) = self.character.layers.layer::<FootPlacement>() {
            return feet.is_planted(leg);
        }
        let clips = self.character.mixer.clips();
        let shown = self.character.frame().shown().iter();
        let standing = shown.filter(|shown| {
            clips
                .get(shown.clip.index())
                .and_then(|clip| clip.contacts())
                .is_some_and(|contacts| contacts.is_planted(leg, shown.time))
        });
        standing.map(|shown| shown.feet_weight).sum::<f32>() >= 0.5
    }

    /// Lets a frame pass; `None` after the last one.
    pub fn next(&mut self) -> Option<Result<Shown, String>> {
        let script = self.script;
        // Times are counted, not summed up.
        let time = self.frame as f64 / script.hz;
        if time > script.seconds + 1e-9 {
            return None;
        }
        let dt = if self.frame == 0 { 0.0 } else { time - (self.frame - 1) as f64 / script.hz };
        self.frame += 1;
        while let Some(play) = script.play.get(self.begun).filter(|play| play.at <= time + 1e-9) {
            // There is nothing to fade from at the beginning.
            let fade = if time == 0.0 { Fade::NONE } else { play.fade() };
            if let Err(error) = self.character.mixer.play(play.clip.as_str(), fade) {
                return Some(Err(error.to_string()));
            }
            self.begun += 1;
        }
        // The pose first: how fast its clips walk is how far it goes.
        self.character.advance(dt);
        let turn = script.turn.to_radians() * dt;
        let velocity = self.velocity(self.heading + 0.5 * turn);
        self.walked += velocity.as_dvec3() * dt;
        self.heading += turn;
        let ground = GroundNow { ground: script.ground, ahead: self.front, time };
        let place = self.walked.as_vec3() + ground.moved().with_y(0.0);
        let height = ground.ground(place).map_or(0.0, |ground| ground.height);
        let entity = Affine3A::from_rotation_translation(turned(self.heading), place.with_y(height));
        let target = script.aim.map(|aim| match aim {
            Aim::At(place) => place.into(),
            Aim::Round { circle } => self.on_circle(circle, time, &entity),
        });
        let targets = |_: TargetId| target;
        let surroundings = Surroundings {
            world_from_model: entity,
            velocity,
            ground: Some(&ground),
            targets: Some(&targets),
            ..Surroundings::default()
        };
        self.character.finish(&surroundings);
        Some(Ok(Shown { time, entity, target, ground }))
    }

    /// Joint space to world space, joint by joint.
    pub fn world_matrices(&self, shown: &Shown, matrices: &mut Vec<Mat4>) {
        matrices.resize(self.character.rig().joint_count(), Mat4::IDENTITY);
        self.character.frame().write_model_matrices(matrices);
        let entity = Mat4::from(shown.entity);
        matrices.iter_mut().for_each(|matrix| *matrix = entity * *matrix);
    }

    /// Where it goes with a heading, in metres per second.
    fn velocity(&self, heading: f64) -> Vec3 {
        let clips = self.character.mixer.clips();
        let shown = self.character.frame().shown().iter();
        let own =
            || shown.filter_map(|shown| Some(clips.get(shown.clip.index())?.velocity() * shown.feet_weight)).sum();
        let velocity = match self.script.speed {
            Speed::Fixed(speed) => self.front * speed as f32,
            Speed::Own(_) | Speed::Unsaid => own(),
        };
        turned(heading) * velocity.with_y(0.0)
    }

    fn on_circle(&self, circle: Circle, time: f64, entity: &Affine3A) -> Vec3 {
        let way = turned((circle.degrees_per_second * time).to_radians()) * self.front;
        entity.transform_point3(way * circle.radius + Vec3::Y * circle.height)
    }
}

/// A turn to the left.
fn turned(radians: f64) -> Quat {
    let (sin, cos) = (0.5 * radians).sin_cos();
    Quat::from_xyzw(0.0, sin as f32, 0.0, cos as f32)
}
