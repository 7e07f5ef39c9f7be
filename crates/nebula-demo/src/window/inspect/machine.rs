//! The document of a state machine: made of a file's clips or read, changed, and saved.

use std::path::{Path, PathBuf};

use glam::Vec2;
use nebula_animation::{
    Character, Recorder, StateMachine, StateMachinePlayer,
    compile::LibraryClip,
    mixer::{
        BlendDocument, BlendSampleDocument, MachineDocument, Motion, ParameterId, ParameterValue, StateDocument,
        TransitionDocument,
    },
    recorder::Input,
};

use super::Inspector;

/// What is known of the machine.
#[derive(Debug, Default)]
pub struct MachineDesk {
    /// Whether it decides what plays.
    pub is_on: bool,
    pub document: Option<MachineDocument>,
    /// Where it is saved.
    pub file: PathBuf,
}

/// The most clips that get a state of their own.
const MOST: usize = 8;

impl MachineDesk {
    /// A machine of whatever clips there are: gaits blended by speed, and the others when they are asked for.
    pub fn of_clips(character: &Character) -> Option<MachineDocument> {
        let clips = character.mixer.clips();
        let speed = |clip: &LibraryClip| (clip.velocity().length() * 100.0).round() / 100.0;
        let mut gaits: Vec<(f32, &str)> = Vec::new();
        for clip in clips.iter() {
            let is_new = |gaits: &[(f32, &str)], at: f32| gaits.iter().all(|(known, _)| (known - at).abs() > 0.2);
            // Only one that stands, and those that walk at speeds of their own.
            if is_new(&gaits, speed(clip)) && gaits.len() < 4 {
                gaits.push((speed(clip), clip.name()));
            }
        }
        gaits.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (_, first) = *gaits.first()?;
        let mut document = MachineDocument::new("moving").with_parameter("speed", ParameterValue::Float(0.0));
        let samples: Vec<BlendSampleDocument> =
            gaits.iter().map(|(x, clip)| BlendSampleDocument { clip: (*clip).into(), x: *x, y: 0.0 }).collect();
        document = document.with_state(match samples.len() {
            1 => StateDocument::clip("moving", first),
            _ => {
                StateDocument::blend("moving", BlendDocument { x: "speed".into(), samples, ..BlendDocument::default() })
            }
        });
        let others = clips.iter().filter(|clip| !gaits.iter().any(|(_, name)| *name == clip.name()));
        for clip in others.take(MOST) {
            let name: String = clip.name().trim().chars().filter(|letter| !"<>=!*".contains(*letter)).collect();
            let is_taken = document.parameters.iter().any(|(known, _)| *known == name);
            if name.trim().is_empty() || is_taken || name == "moving" {
                continue;
            }
            document = document
                .with_parameter(&name, ParameterValue::Trigger(false))
                .with_state(StateDocument::clip(&name, clip.name()).once())
                .with_transition(TransitionDocument::new("moving", &name).when(&name).with_fade(0.2))
                .with_transition(TransitionDocument::new(&name, "moving").after(0.9).with_fade(0.3));
        }
        Some(document)
    }

    /// Fades and places of samples, for tests from outside.
    pub fn told(&self) -> String {
        let Some(document) = &self.document else { return "none".into() };
        let fades = document.transitions.iter().map(|way| format!("{:.2}", way.fade));
        let blends = blends(document);
        let samples = blends.iter().flat_map(|blend| &blend.samples).map(|sample| format!("{:.2}", sample.x));
        fades.chain(samples).collect::<Vec<_>>().join(" ")
    }

    /// Moves a blend space by the parameters of the state that plays it; false where there is none.
    pub fn place(&self, character: &mut Recorder, motion: Motion, position: Vec2) -> bool {
        let Motion::Space(index) = motion else { return false };
        let blends = self.document.as_ref().map(blends).unwrap_or_default();
        let Some(blend) = blends.get(index).cloned() else { return false };
        let names = [Some(blend.x), blend.y];
        for (name, value) in names.into_iter().zip([position.x, position.y]) {
            let Some(parameter) = name.and_then(|name| character.machines.first()?.parameter(&name).ok()) else {
                continue;
            };
            // A number, as the document says.
            let _ = character.give(Input::Parameter { machine: 0, parameter, value: ParameterValue::Float(value) });
        }
        true
    }
}

/// Lets a character with an edited machine go on where the one before was.
fn go_on(fresh: &mut Character, before: &Character) {
    // Other fades: all of it is as it was.
    if fresh.restore(&before.state()).is_ok() {
        return;
    }
    // Other samples in a blend space: the same state, at the same time.
    let Some(state) = before.machines.first().map(|player| player.state_name()) else { return };
    let Some(player) = fresh.machines.first_mut() else { return };
    player.update(&mut fresh.mixer);
    let Ok(state) = player.state_named(state) else { return };
    if player.go_to(&mut fresh.mixer, state, 0.0).is_ok()
        && let (Some(action), Some(before)) = (&mut fresh.mixer.current_action, &before.mixer.current_action)
    {
        action.seek(before.total_time());
    }
}

/// All blends, in the order in which a machine numbers them.
fn blends(document: &MachineDocument) -> Vec<BlendDocument> {
    let own = document.states.iter().filter_map(|state| state.blend.clone());
    let within = document.states.iter().filter_map(|state| state.machine.as_deref()).flat_map(blends);
    own.chain(within).collect()
}

impl Inspector {
    /// Lets a document decide what plays. Where it is wrong, the one before goes on, and it is said why.
    pub fn use_document(&mut self, character: &mut Recorder, document: MachineDocument) {
        let library = character.mixer.clips().clone();
        let machine = match StateMachine::new(&document, &library, library.markers()) {
            Ok(machine) => machine,
            Err(error) => {
                self.message = Some(error.to_string());
                return;
            }
        };
        let mut player = StateMachinePlayer::new(machine);
        // What a person has set stays so.
        if let Some(before) = character.machines.first().filter(|_| self.desk.is_on) {
            for (index, (name, _)) in before.machine().parameters().iter().enumerate() {
                let value = before.value(ParameterId::new(index));
                if let (Ok(parameter), Some(value)) = (player.parameter(name), value) {
                    let _ = player.set(parameter, value);
                }
            }
        }
        // A character of its own: its blend spaces are those of the machine.
        let mut fresh = Character::of(library);
        fresh.layers = character.layers.clone();
        fresh.machines.push(player);
        fresh.set_traced(true);
        if self.desk.is_on {
            go_on(&mut fresh, character);
        }
        **character = fresh;
        (self.desk.is_on, self.desk.document, self.message) = (true, Some(document), None);
        self.record_anew(character);
    }

    /// Reads a document from a file.
    pub fn open_document(&mut self, character: &mut Recorder, file: &Path) {
        let text = std::fs::read_to_string(file).map_err(|error| error.to_string());
        let read = text.and_then(|text| MachineDocument::from_json(&text).map_err(|error| error.to_string()));
        match read {
            Ok(document) => {
                self.desk.file = file.to_owned();
                self.use_document(character, document);
            }
            Err(error) => self.message = Some(format!("{}: {error}", file.display())),
        }
    }

    /// Writes the document, with the parameters as they are now, and looks whether it loads.
    pub fn save_document(&mut self, character: &Recorder) {
        let Some(document) = &mut self.desk.document else { return };
        if let Some(player) = character.machines.first() {
            for (index, (_, value)) in document.parameters.iter_mut().enumerate() {
                match player.value(ParameterId::new(index)) {
                    Some(ParameterValue::Trigger(_)) | None => {}
                    Some(now) => *value = now,
                }
            }
        }
        let file = &self.desk.file;
        let library = character.mixer.clips();
        let saved = document.to_json().map_err(|error| error.to_string()).and_then(|text| {
            StateMachine::from_json(&text, library, library.markers()).map_err(|error| error.to_string())?;
            std::fs::write(file, text).map_err(|error| error.to_string())
        });
        self.message = Some(match saved {
            Ok(()) => format!("saved {}", file.display()),
            Err(error) => format!("{}: {error}", file.display()),
        });
    }

    /// Where documents and recordings are saved from now on: beside a file.
    pub fn save_beside(&mut self, file: &Path) {
        self.recording = file.with_extension("recording");
        self.desk.file = file.with_extension("machine.json");
    }

    /// The document that decides.
    #[cfg(test)]
    pub(in crate::window) fn document(&self) -> Option<&MachineDocument> {
        self.desk.document.as_ref()
    }
}
