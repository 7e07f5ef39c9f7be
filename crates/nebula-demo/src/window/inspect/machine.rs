//! The document of a state machine: generated from a file's clips or read, edited and saved.

use std::path::{Path, PathBuf};

use glam::Vec2;
use nebula_animation::{
    Character, Recorder, StateMachine,
    mixer::{
        BlendDocument, BlendSampleDocument, MachineDocument, Motion, ParameterId, ParameterValue, StateDocument,
        TransitionDocument,
    },
    recorder::Input,
};

use super::Inspector;
use super::gaits::gaits;
use crate::show::played::driven;

/// What is known of the machines.
#[derive(Debug, Default)]
pub struct MachineDesk {
    /// Whether they decide what plays.
    pub is_on: bool,
    pub documents: Vec<MachineDocument>,
    /// Where the first one is saved; the others beside it.
    pub file: PathBuf,
    /// Files of these names that were written or read here: no others are replaced unasked.
    pub own: Vec<PathBuf>,
    /// Whether it is asked if somebody's file may be replaced.
    pub asks: bool,
}

impl MachineDesk {
    /// A machine of whatever clips there are: gaits blended by speed, and the others when they are asked for.
    pub fn of_clips(character: &Character) -> Option<MachineDocument> {
        let clips = character.mixer.clips();
        let gaits = gaits(character);
        let first = gaits.first()?.1.clone();
        let mut document = MachineDocument::new("moving").with_parameter("speed", ParameterValue::Float(0.0));
        let samples: Vec<BlendSampleDocument> =
            gaits.iter().map(|(x, clip)| BlendSampleDocument { clip: clip.clone(), x: *x, y: 0.0 }).collect();
        document = document.with_state(match samples.len() {
            1 => StateDocument::clip("moving", first),
            _ => {
                StateDocument::blend("moving", BlendDocument { x: "speed".into(), samples, ..BlendDocument::default() })
            }
        });
        let others = clips.iter().filter(|clip| !gaits.iter().any(|(_, name)| *name == clip.name()));
        for clip in others {
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
        let Some(document) = self.documents.first() else { return "none".into() };
        let fades = document.transitions.iter().map(|way| format!("{:.2}", way.fade));
        let blends = blends(document);
        let samples = blends.iter().flat_map(|blend| &blend.samples).map(|sample| format!("{:.2}", sample.x));
        fades.chain(samples).collect::<Vec<_>>().join(" ")
    }

    /// Moves a blend space by the parameters of the state that plays it; false where there is none.
    pub fn place(&self, character: &mut Recorder, motion: Motion, position: Vec2) -> bool {
        let Motion::Space(index) = motion else { return false };
        let all = self.documents.iter().enumerate();
        let mut all =
            all.flat_map(|(machine, document)| blends(document).into_iter().map(move |blend| (machine, blend)));
        let Some((machine, blend)) = all.nth(index) else { return false };
        let names = [Some(blend.x), blend.y];
        for (name, value) in names.into_iter().zip([position.x, position.y]) {
            let Some(parameter) = name.and_then(|name| character.machines.get(machine)?.parameter(&name).ok()) else {
                continue;
            };
            // A number, as the document says.
            let _ = character.give(Input::Parameter { machine, parameter, value: ParameterValue::Float(value) });
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
        let documents = vec![document];
        match driven(character, &documents) {
            Ok(fresh) => self.adopt(character, fresh, documents),
            Err(error) => self.message = Some(error),
        }
    }

    /// Goes on with a character that is driven by machines of these documents, where the one before was.
    pub fn adopt(&mut self, character: &mut Recorder, mut fresh: Character, documents: Vec<MachineDocument>) {
        if self.desk.is_on {
            // What a person has set stays so.
            for (player, before) in fresh.machines.iter_mut().zip(&character.machines) {
                for (index, (name, _)) in before.machine().parameters().iter().enumerate() {
                    let value = before.value(ParameterId::new(index));
                    if let (Ok(parameter), Some(value)) = (player.parameter(name), value) {
                        let _ = player.set(parameter, value);
                    }
                }
            }
            go_on(&mut fresh, character);
        }
        // Feet stand where they stood, whatever decides what is played.
        fresh.layers = character.layers.clone();
        fresh.set_traced(true);
        **character = fresh;
        (self.desk.is_on, self.desk.documents, self.message) = (true, documents, None);
        self.record_anew(character);
    }

    /// Watches machines that somebody else has made, of these documents.
    pub fn watch_machines(&mut self, documents: &[MachineDocument]) {
        if self.desk.documents != documents {
            (self.desk.is_on, self.desk.documents) = (true, documents.to_vec());
        }
    }

    /// The documents that were edited, since the window asked last, of machines that somebody else makes.
    pub fn take_edited(&mut self) -> Option<Vec<MachineDocument>> {
        self.edited.take()
    }

    /// Takes over an edited document.
    pub(super) fn edit(&mut self, character: &mut Recorder, nth: usize, edited: MachineDocument) {
        if self.is_driven {
            let mut documents = self.desk.documents.clone();
            documents[nth] = edited;
            self.edited = Some(documents);
        } else {
            self.use_document(character, edited);
        }
    }

    /// Reads a document from a file.
    pub fn open_document(&mut self, character: &mut Recorder, file: &Path) {
        let text = std::fs::read_to_string(file).map_err(|error| error.to_string());
        let read = text.and_then(|text| MachineDocument::from_json(&text).map_err(|error| error.to_string()));
        match read {
            Ok(document) => {
                self.desk.file = file.to_owned();
                self.desk.own = vec![file.to_owned()];
                self.use_document(character, document);
            }
            Err(error) => self.message = Some(format!("{}: {error}", file.display())),
        }
    }

    /// The file of a document: beside that of the first one.
    fn file_of(&self, nth: usize) -> PathBuf {
        match nth {
            0 => self.desk.file.clone(),
            _ => self.desk.file.with_extension("").with_extension(format!("{}.machine.json", nth + 1)),
        }
    }

    /// Writes the documents, with the parameters as they are now, and looks whether they load. Before a file of somebody else's is replaced, it
    /// asks; `may_replace` is the answer.
    pub fn save_document(&mut self, character: &Recorder, may_replace: bool) {
        let files: Vec<PathBuf> = (0..self.desk.documents.len()).map(|nth| self.file_of(nth)).collect();
        let others: Vec<String> = files
            .iter()
            .filter(|file| !may_replace && file.exists() && !self.desk.own.contains(file))
            .map(|file| file.display().to_string())
            .collect();
        self.desk.asks = !others.is_empty();
        if self.desk.asks {
            self.message = Some(format!("{} is there already", others.join(", ")));
            return;
        }
        for (nth, file) in files.iter().enumerate() {
            let document = &mut self.desk.documents[nth];
            if let Some(player) = character.machines.get(nth) {
                for (index, (_, value)) in document.parameters.iter_mut().enumerate() {
                    match player.value(ParameterId::new(index)) {
                        Some(ParameterValue::Trigger(_)) | None => {}
                        Some(now) => *value = now,
                    }
                }
            }
            let library = character.mixer.clips();
            let saved = document.to_json().map_err(|error| error.to_string()).and_then(|text| {
                StateMachine::from_json(&text, library, library.markers()).map_err(|error| error.to_string())?;
                std::fs::write(file, text).map_err(|error| error.to_string())
            });
            if let Err(error) = saved {
                self.message = Some(format!("{}: {error}", file.display()));
                return;
            }
        }
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        self.message = Some(format!("saved {}", names.join(", ")));
        self.desk.own = files;
    }

    /// Where documents and recordings are saved from now on: beside a file.
    pub fn save_beside(&mut self, file: &Path) {
        self.recording = file.with_extension("recording");
        (self.desk.file, self.desk.own) = (file.with_extension("machine.json"), Vec::new());
    }

    /// The document that decides.
    #[cfg(test)]
    pub(in crate::window) fn document(&self) -> Option<&MachineDocument> {
        self.desk.documents.first()
    }
}
