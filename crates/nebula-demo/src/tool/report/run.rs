//! Plays a character and measures its soles, knees and pelvis.

use std::path::Path;
use std::sync::Arc;

use glam::{Mat4, Vec3};
use nebula_animation::{AnimationClipLibrary, Asset, GroundQuery};
use serde_json::{Value, json};

use super::facts::Slide;
use super::soles::{Soles, Vertex};
use crate::tool::act::actor::{Actor, Shown};
use crate::tool::act::script::Script;

/// Frames a second.
pub const HZ: f32 = 60.0;
/// Shorter contacts are no stances.
const SHORTEST_STANCE: f32 = 0.08;

/// What was seen, frame by frame.
pub struct Run {
    pub frames: Vec<Frame>,
}

pub struct Frame {
    /// Without what the floor has moved by: a lift that stops at once stops whoever stands on it.
    pub pelvis: Vec3,
    pub feet: Vec<Foot>,
}

/// A foot in a frame.
pub struct Foot {
    /// The lowest vertex above the ground below it, in metres.
    pub low: f32,
    /// How far the vertex that was the lowest in the frame before has come since, over the ground.
    pub step: Vec3,
    /// Between thigh and shin, in degrees; 180 is straight.
    pub knee: f32,
    pub is_planted: bool,
}

impl Run {
    /// Lets a character with the only clip of a library walk at its own speed.
    pub fn of(
        asset: &Arc<Asset>,
        library: &AnimationClipLibrary,
        soles: &Soles,
        scene: &Scene,
    ) -> Result<Self, String> {
        let clip = library.iter().next().map(|clip| clip.name().to_owned()).unwrap_or_default();
        let script: Script = serde_json::from_value(json!({
            "character": Path::new(""), "hz": HZ, "seconds": scene.seconds, "play": [{"clip": clip}], "speed": "clip",
            "ground": scene.ground, "feet": scene.has_feet,
        }))
        .map_err(|error| error.to_string())?;
        script.check()?;
        let pelvis = library.rig().feet().map_or(0, |feet| feet.pelvis());
        let mut actor = Actor::of(&script, Arc::clone(asset), library.clone())?;
        let mut watch = Watch { before: vec![None; soles.feet.len()], places: Vec::new() };
        let (mut matrices, mut frames) = (Vec::new(), Vec::new());
        while let Some(shown) = actor.next() {
            let shown = shown?;
            actor.world_matrices(&shown, &mut matrices);
            let feet = soles.feet.iter().enumerate();
            let feet = feet.map(|(leg, sole)| watch.foot(&actor, &shown, &matrices, leg, sole)).collect();
            frames.push(Frame { pelvis: place(&matrices, pelvis) - shown.ground.moved(), feet });
        }
        Ok(Self { frames })
    }

    /// The speed of the fastest knee from a frame on, in degrees per second.
    pub fn knee_speed(&self, from: usize) -> f32 {
        let pairs = self.frames.windows(2).skip(from);
        let speeds =
            pairs.flat_map(|pair| pair[0].feet.iter().zip(&pair[1].feet).map(|(a, b)| (b.knee - a.knee).abs()));
        speeds.fold(0.0, f32::max) * HZ
    }

    /// The largest acceleration of the pelvis from a frame on, in metres per second squared.
    pub fn pelvis_acceleration(&self, from: usize) -> f32 {
        let threes = self.frames.windows(3).skip(from);
        let each = threes.map(|three| (three[2].pelvis - 2.0 * three[1].pelvis + three[0].pelvis).length());
        each.fold(0.0, f32::max) * HZ * HZ
    }

    /// Whether a foot stands in this frame and in the next one.
    pub fn stands(&self, leg: usize, frame: usize) -> bool {
        let is_planted = |frame: usize| self.frames.get(frame).is_none_or(|frame| frame.feet[leg].is_planted);
        is_planted(frame) && is_planted(frame + 1)
    }

    /// How far feet slide in the stances of another run, which has the same phases.
    pub fn slide(&self, stances: &[Stance]) -> Option<Slide> {
        let slide = |stance: &Stance| {
            let (mut way, mut farthest) = (Vec3::ZERO, 0.0_f32);
            for frame in &self.frames[stance.from + 1..=stance.to] {
                way += frame.feet[stance.leg].step;
                farthest = farthest.max(way.with_y(0.0).length());
            }
            1e3 * farthest
        };
        let mut slides: Vec<f32> = stances.iter().map(slide).collect();
        slides.sort_by(f32::total_cmp);
        let (middle, largest) = (slides.len() / 2, slides.last().copied()?);
        let median =
            if slides.len().is_multiple_of(2) { 0.5 * (slides[middle - 1] + slides[middle]) } else { slides[middle] };
        Some(Slide { median, largest })
    }

    /// The stances from a frame on; with those that begin before it or end after the last one where asked.
    pub fn stances(&self, from: usize, with_cut_ones: bool) -> Vec<Stance> {
        let mut stances = Vec::new();
        for leg in 0..self.frames.first().map_or(0, |frame| frame.feet.len()) {
            let mut frame = from;
            while frame < self.frames.len() {
                if !self.stands(leg, frame) {
                    frame += 1;
                    continue;
                }
                let start = frame;
                while frame + 1 < self.frames.len() && self.stands(leg, frame + 1) {
                    frame += 1;
                }
                let is_whole = start > from && frame + 1 < self.frames.len();
                if (frame - start) as f32 / HZ > SHORTEST_STANCE && (is_whole || with_cut_ones) {
                    stances.push(Stance { leg, from: start, to: frame });
                }
                frame += 1;
            }
        }
        stances
    }
}

/// A foot that stands, from one frame to another.
pub struct Stance {
    pub leg: usize,
    pub from: usize,
    pub to: usize,
}

/// Where a character acts.
pub struct Scene {
    pub seconds: f32,
    /// As a script of `act` says it.
    pub ground: Value,
    pub has_feet: bool,
}

/// What has to be known of the frame before.
struct Watch {
    /// For each foot, the vertex that was the lowest, and where it was on the ground.
    before: Vec<Option<(usize, Vec3)>>,
    places: Vec<Vec3>,
}

impl Watch {
    fn foot(&mut self, actor: &Actor<'_>, shown: &Shown, matrices: &[Mat4], leg: usize, sole: &[Vertex]) -> Foot {
        let moved = shown.ground.moved();
        self.places.clear();
        self.places.extend(sole.iter().map(|vertex| vertex.place(matrices)));
        let height = |place: &Vec3| place.y - shown.ground.ground(*place).map_or(0.0, |ground| ground.height);
        let lowest = self.places.iter().map(height).enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        let step = self.before[leg].map_or(Vec3::ZERO, |(vertex, place)| self.places[vertex] - moved - place);
        self.before[leg] = lowest.map(|(vertex, _)| (vertex, self.places[vertex] - moved));
        let knee = actor.legs().get(leg).map_or(180.0, |leg| {
            let [hip, knee, ankle] = [leg.thigh, leg.shin, leg.foot].map(|joint| place(matrices, joint));
            (hip - knee).angle_between(ankle - knee).to_degrees()
        });
        Foot { low: lowest.map_or(0.0, |(_, height)| height), step, knee, is_planted: actor.is_planted(leg) }
    }
}

fn place(matrices: &[Mat4], joint: u16) -> Vec3 {
    matrices.get(usize::from(joint)).map_or(Vec3::ZERO, |matrix| matrix.w_axis.truncate())
}
