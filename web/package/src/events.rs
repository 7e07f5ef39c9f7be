//! The events of an update, as rows of numbers.

use nebula_animation::{Character, mixer::MixerLayer};

/// An event: what it is, and seven numbers. Numbers that an event does not have are 0; a blend space is clip -1.
///
/// - 0, a clip came by a marker: layer, clip, marker, weight, pass, total time, whether it was met backwards.
/// - 1, what a layer plays began anew, or turned: layer, clip, how many times.
/// - 2, what a layer plays came to its end: layer, clip.
/// - 3, a state machine went from a state to another: machine, both states.
pub type Told = [f64; 8];

/// How many markers are told at most: a step over a billion passes must not fill the memory.
const MOST: usize = 1024;

/// The events of the last update.
#[derive(Default)]
pub struct Events {
    told: Vec<Told>,
    /// What each layer played before the update.
    clips: Vec<f64>,
}

impl Events {
    /// The events.
    pub fn told(&self) -> &[Told] {
        &self.told
    }

    /// Notes what plays: what comes to its end may be gone then.
    pub fn begin(&mut self, character: &Character) {
        self.clips.clear();
        self.clips.extend(character.mixer.layers().map(|layer| clip_of(layer).unwrap_or(-1.0)));
    }

    /// Gathers what happened.
    pub fn end(&mut self, character: &Character) {
        self.told.clear();
        self.told.extend(character.events().take(MOST).map(|event| {
            let (layer, clip) = (event.layer.index() as f64, event.clip.index() as f64);
            let is_rewinding = f64::from(u8::from(event.is_rewinding));
            let pass = event.pass as f64;
            [0.0, layer, clip, event.index as f64, event.weight.into(), pass, event.total_time, is_rewinding]
        }));
        for (index, layer) in character.mixer.layers().enumerate() {
            let number = index as f64;
            if let Some(action) = layer.current_action.as_ref().filter(|action| action.passes() > 0) {
                let clip = action.clip().map_or(-1.0, |clip| clip as f64);
                self.told.push([1.0, number, clip, action.passes().into(), 0.0, 0.0, 0.0, 0.0]);
            }
            if layer.has_just_finished() {
                // What was played once may have left its layer with its end.
                let before = self.clips.get(index).copied();
                let clip = clip_of(layer).or(before).unwrap_or(-1.0);
                self.told.push([2.0, number, clip, 0.0, 0.0, 0.0, 0.0, 0.0]);
            }
        }
        for (index, player) in character.machines.iter().enumerate() {
            let place = |wanted| player.machine().states().position(|state| state == wanted).unwrap_or_default() as f64;
            self.told.extend(
                player
                    .changes()
                    .iter()
                    .map(|change| [3.0, index as f64, place(change.left), place(change.entered), 0.0, 0.0, 0.0, 0.0]),
            );
        }
    }
}

/// The clip of what a layer plays, or else of what leaves it; -1 for a blend space.
fn clip_of(layer: &MixerLayer) -> Option<f64> {
    let action = layer.current_action.as_ref().or(layer.fading_action.as_ref())?;
    Some(action.clip().map_or(-1.0, |clip| clip as f64))
}
