//! Builds the character that the viewer shows for a file, in the same way wherever a recording of it is played.

use std::path::Path;

use glam::Vec3;
use nebula_animation::procedural::avatar;
use nebula_animation::{
    AnimationClipLibrary, Asset, Character, LibraryOptions, Recorder, StateMachine, StateMachinePlayer,
    mixer::MachineDocument,
    recorder::{Recording, RecordingError, RecordingProblem, Tape},
    state::{StateError, StateProblem},
};

/// A file's character, with whatever layers its skeleton can have.
pub struct Played {
    /// Its layers have no weight.
    pub character: Character,
    /// Why it cannot look at things; none if it can.
    pub no_aim: Option<String>,
    /// Why its feet cannot be put on the ground; none if they can.
    pub no_feet: Option<String>,
}

impl Played {
    /// The character of a file.
    pub fn of(asset: &Asset) -> Self {
        let rig = asset.rig();
        // Where feet land is told as events, whoever made the clips.
        let options = LibraryOptions { step_marker: Some("step".into()), ..LibraryOptions::default() };
        let mut character = Character::of(AnimationClipLibrary::with_options(&rig, &asset.clips(), options));
        let aim = rig.humanoid().aim(&rig, Vec3::Z).map(|mut aim| {
            aim.weight = 0.0;
            character.add_layer(aim);
        });
        let feet = rig.humanoid().foot_placement(&rig).map(|feet| character.add_layer(feet));
        // What the file itself says of eyes, twists and hair comes behind whatever else bends the pose.
        character.layers.layers.extend(asset.avatar.iter().flat_map(avatar::layers));
        let told = |missing: &dyn std::fmt::Display| missing.to_string();
        Self { character, no_aim: aim.err().map(|error| told(&error)), no_feet: feet.err().map(|error| told(&error)) }
    }
}

/// The same character driven by the machine of a document: one of its own, whose blend spaces are those of the machine.
pub fn driven(character: &Character, documents: &[MachineDocument]) -> Result<Character, String> {
    let mut driven = Character::of(character.mixer.clips().clone());
    driven.layers = character.layers.clone();
    let library = character.mixer.clips();
    match documents {
        [] => {}
        [document] => {
            let machine = StateMachine::new(document, library, library.markers()).map_err(|error| error.to_string())?;
            driven.machines.push(StateMachinePlayer::new(machine));
        }
        more => return Err(format!("it has {} machines, and the viewer drives a character by one", more.len())),
    }
    Ok(driven)
}

/// A tape on the character that it is of, at its last frame.
pub struct Restored {
    /// The name of the tape.
    pub name: String,
    /// The character and its tape.
    pub recorder: Recorder,
    /// The machines that drove it.
    pub documents: Vec<MachineDocument>,
}

/// How a character is made that is driven by the machines of these documents.
pub type Make<'a> = &'a dyn Fn(&[MachineDocument]) -> Result<Character, String>;

/// Tapes of a character as a recording, with the documents of the machines that drive it.
pub fn recording(name: &str, tape: &Tape, documents: &[MachineDocument]) -> Result<Recording, String> {
    let mut recording = Recording::of([(name, tape)]);
    for (nth, document) in documents.iter().enumerate() {
        recording =
            recording.with_document(document_name(name, nth), document.to_json().map_err(|error| error.to_string())?);
    }
    Ok(recording)
}

/// The first one has the name of the tape.
fn document_name(tape: &str, nth: usize) -> String {
    if nth == 0 { tape.to_owned() } else { format!("{tape}, machine {nth}") }
}

/// Reads the recording of a character, and plays the tape of this name, or the first one that is of the character. `model` is what the
/// character is called.
pub fn restore(file: &Path, tape: Option<&str>, model: &str, make: Make<'_>) -> Result<Restored, String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let bytes = std::fs::read(file).map_err(|error| told(&error))?;
    let recording = Recording::from_bytes(&bytes).map_err(|error| told(&error))?;
    let chosen = tape.map(|name| recording.tape(name).map(|tape| vec![(name, tape)])).transpose();
    let chosen = chosen.map_err(|error| told(&error))?;
    let all = || recording.tapes.iter().map(|(name, tape)| (name.as_str(), tape)).collect::<Vec<_>>();
    let mut problem = "there is no tape in it".to_owned();
    for (nth, (name, tape)) in chosen.unwrap_or_else(all).into_iter().enumerate() {
        let is_first = nth == 0;
        let tried = made(&recording, name, make).and_then(|(mut character, documents)| {
            // Before it is restored: what is changed later is recorded as a change.
            character.set_traced(true);
            let recorder = Recorder::resume(character, tape.clone()).map_err(|error| reason(&error, model))?;
            Ok(Restored { name: name.to_owned(), recorder, documents })
        });
        match tried {
            Ok(restored) => return Ok(restored),
            // That of the first one is told.
            Err(error) if is_first => problem = format!("tape \"{}\": {error}", name.escape_debug()),
            Err(_) => {}
        }
    }
    Err(told(&problem))
}

/// The character of a tape: driven by machines where the recording brings their documents.
fn made(recording: &Recording, name: &str, make: Make<'_>) -> Result<(Character, Vec<MachineDocument>), String> {
    let texts = (0..).map_while(|nth| recording.document(&document_name(name, nth)));
    let documents: Result<Vec<_>, _> = texts.map(MachineDocument::from_json).collect();
    let told = |error: &dyn std::fmt::Display| format!("its machine: {error}");
    let documents = documents.map_err(|error| told(&error))?;
    Ok((make(&documents).map_err(|error| told(&error))?, documents))
}

/// Why a tape cannot be played, for somebody who knows files.
fn reason(error: &RecordingError, model: &str) -> String {
    match &error.problem {
        RecordingProblem::State(StateError { problem: StateProblem::Rig, .. }) => {
            format!("it was recorded on another skeleton than that of {model}")
        }
        _ => format!("{error}: it was recorded on another character than {model}"),
    }
}
