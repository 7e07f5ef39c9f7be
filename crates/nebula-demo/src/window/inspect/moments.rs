//! The rows of the timeline: what each frame showed.

use std::collections::VecDeque;

use glam::Mat4;
use nebula_animation::{Character, FootPlacement, Recorder};

/// What a frame showed.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    pub frame: u64,
    /// Seconds of the character's clock.
    pub seconds: f64,
    /// Clips and their weights, of all layers.
    pub clips: Vec<(usize, f32)>,
    /// How much is left of the fade that has most left, of all layers: from 1 to 0, where there is none.
    pub fade: f32,
    /// Markers that were passed.
    pub events: Vec<String>,
    /// Foot by foot: whether clips have it on the ground, and whether it is locked to its print.
    pub feet: Vec<(bool, bool)>,
    /// Names of the states of machines.
    pub states: Vec<String>,
    pub place: Mat4,
}

/// The moments that are still on the tape.
#[derive(Debug, Default)]
pub struct Moments(VecDeque<Moment>);

impl Moments {
    /// Notes the last frame of a tape, which the character has just made.
    pub fn note(&mut self, character: &Recorder, place: Mat4) {
        let frames = character.tape().frames();
        if let Some(last) = frames.end.checked_sub(1) {
            self.note_frame(last, character, place);
            while self.0.front().is_some_and(|moment| moment.frame < frames.start) {
                self.0.pop_front();
            }
        }
    }

    /// Notes all frames of a tape.
    pub fn note_all(&mut self, character: &Recorder) {
        self.clear();
        let mut past = character.clone_character();
        past.set_traced(false);
        let Ok(mut playback) = character.tape().playback(character.tape().frames().start) else { return };
        loop {
            let frame = playback.next_frame();
            if !playback.step(&mut past).is_ok_and(|is_there| is_there) {
                break;
            }
            self.note_frame(frame, &past, playback.world_from_model().into());
        }
    }

    /// Notes a frame, which the character has just made.
    fn note_frame(&mut self, frame: u64, character: &Character, place: Mat4) {
        // It was recorded anew.
        if self.0.back().is_some_and(|last| last.frame >= frame) {
            self.0.clear();
        }
        let library = character.mixer.clips();
        let fading = character.mixer.layers().filter(|layer| layer.is_fading());
        let shown = character.frame().shown();
        let legs = character.rig().feet().map_or(0, |feet| feet.legs().len());
        let is_down = |leg: usize| {
            let down = shown.iter().filter(|shown| {
                let contacts = library.get(shown.clip.index()).and_then(|clip| clip.contacts());
                contacts.is_some_and(|contacts| contacts.is_planted(leg, shown.time))
            });
            down.map(|shown| shown.feet_weight).sum::<f32>() >= 0.5
        };
        let layer = character.layers.layer::<FootPlacement>().filter(|layer| layer.weight > 0.0);
        self.0.push_back(Moment {
            frame,
            seconds: character.elapsed(),
            clips: shown.iter().map(|shown| (shown.clip.index(), shown.weight)).collect(),
            fade: fading.map(|layer| 1.0 - layer.fade_progress).fold(0.0, f32::max),
            events: character.events().map(|event| event.marker.name.clone()).collect(),
            feet: (0..legs).map(|leg| (is_down(leg), layer.is_some_and(|layer| layer.is_planted(leg)))).collect(),
            states: character.machines.iter().map(|machine| machine.state_name().to_owned()).collect(),
            place,
        });
    }

    pub fn iter(&self) -> impl Iterator<Item = &Moment> {
        self.0.iter()
    }

    /// The moment of a frame.
    pub fn of(&self, frame: u64) -> Option<&Moment> {
        let at = self.0.partition_point(|moment| moment.frame < frame);
        self.0.get(at).filter(|moment| moment.frame == frame)
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn cut_after(&mut self, frame: u64) {
        while self.0.back().is_some_and(|moment| moment.frame > frame) {
            self.0.pop_back();
        }
    }

    /// Where the entity stood in a frame.
    pub fn place_of(&self, frame: u64) -> Mat4 {
        let at = self.0.partition_point(|moment| moment.frame < frame);
        self.0.get(at).or(self.0.back()).map_or(Mat4::IDENTITY, |moment| moment.place)
    }
}
