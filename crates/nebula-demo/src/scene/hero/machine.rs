//! The state machines of the hero: one for the body and one for the sword arm.

use nebula_animation::{
    AnimationClipLibrary, Character, Fade, LayerId, StateMachine, StateMachinePlayer,
    mixer::{
        BlendDocument, BlendSampleDocument, MachineDocument, MachineError, ParameterId, ParameterValue, StateDocument,
        TransitionDocument,
    },
};

use super::Hero;

/// The machine of the body, and that of the arm, as indices of the character's.
pub const BODY: usize = 0;
pub const ARM: usize = 1;

/// Names of the states of the body.
pub const ASLEEP: &str = "asleep";
pub const IDLE: &str = "idle";
pub const GAIT: &str = "gait";

/// Metres per second of its stroll and of its run, as the clips themselves have it.
pub type Speeds = [f32; 2];

/// How the states of the body take over from each other: the curve, and as seconds a factor of those that suit them.
fn faded(transition: TransitionDocument, seconds: f32, fade: Fade) -> TransitionDocument {
    let factor = if fade.seconds > 0.0 { fade.seconds.min(20.0) } else { 0.0 };
    transition.with_fade(Fade { seconds: seconds * factor, curve: fade.curve })
}

/// Asleep in its T-pose, standing at ease, going as fast as it is asked to, and jumping.
fn body(speeds: Speeds, fade: Fade) -> MachineDocument {
    let sample = |clip: &str, x: f32| BlendSampleDocument { clip: clip.into(), x, y: 0.0 };
    let samples = vec![sample("stroll_root_motion", speeds[0]), sample("run_root_motion", speeds[1])];
    let gait = BlendDocument { x: "pace".into(), samples, ..BlendDocument::default() };
    let way = |from: &str, to: &str, seconds: f32| faded(TransitionDocument::new(from, to), seconds, fade);
    MachineDocument::new(ASLEEP)
        .with_parameter("awake", ParameterValue::Bool(false))
        .with_parameter("moving", ParameterValue::Bool(false))
        .with_parameter("pace", ParameterValue::Float(speeds[0]))
        .with_parameter("jump", ParameterValue::Trigger(false))
        .with_state(StateDocument::empty(ASLEEP))
        .with_state(StateDocument::clip(IDLE, "idle"))
        // The left foot is on the ground and the right one swings past it.
        .with_state(StateDocument::blend(GAIT, gait).beginning_at(0.86))
        .with_state(StateDocument::clip("jump", "jump_root_motion").once())
        .with_transition(way(ASLEEP, IDLE, 0.6).when("awake"))
        .with_transition(way(IDLE, ASLEEP, 0.6).when("!awake"))
        .with_transition(way(GAIT, ASLEEP, 0.6).when("!awake"))
        .with_transition(way("jump", ASLEEP, 0.6).when("!awake"))
        .with_transition(way(IDLE, GAIT, 0.45).when("moving"))
        .with_transition(way(GAIT, IDLE, 0.5).when("!moving"))
        .with_transition(way(IDLE, "jump", 0.25).when("jump"))
        .with_transition(way(GAIT, "jump", 0.25).when("jump"))
        .with_transition(way("jump", GAIT, 0.4).after(0.75).when("moving"))
        .with_transition(way("jump", IDLE, 0.4).after(0.85))
}

/// The arm hangs as the body has it, or waves.
fn arm() -> MachineDocument {
    MachineDocument::new("as the body")
        .with_parameter("wave", ParameterValue::Bool(false))
        .with_state(StateDocument::empty("as the body"))
        .with_state(StateDocument::clip("wave", "wave"))
        .with_transition(TransitionDocument::new("as the body", "wave").when("wave").with_fade(Fade::smooth(0.35)))
        .with_transition(TransitionDocument::new("wave", "as the body").when("!wave").with_fade(Fade::smooth(0.35)))
}

/// The documents of both.
pub fn documents(speeds: Speeds, fade: Fade) -> Vec<MachineDocument> {
    vec![body(speeds, fade), arm()]
}

/// Players of documents, on the layers that they are for.
pub fn players(
    documents: &[MachineDocument],
    library: &AnimationClipLibrary,
    arm: LayerId,
) -> Result<Vec<StateMachinePlayer>, MachineError> {
    let layers = [LayerId::BASE, arm].into_iter();
    let player = |(document, layer): (&MachineDocument, LayerId)| {
        Ok(StateMachinePlayer::new(StateMachine::new(document, library, library.markers())?).on_layer(layer))
    };
    documents.iter().zip(layers).map(player).collect()
}

/// The parameters by which the hero is steered.
#[derive(Debug, Clone, Copy)]
pub struct Controls {
    pub awake: ParameterId,
    pub moving: ParameterId,
    pub pace: ParameterId,
    pub jump: ParameterId,
    /// Of the arm.
    pub wave: ParameterId,
}

impl Controls {
    /// Those of the machines of a hero.
    pub fn of(players: &[StateMachinePlayer]) -> Result<Self, String> {
        let find = |machine: usize, name: &str| match players.get(machine) {
            Some(player) => player.parameter(name).map_err(|error| error.to_string()),
            None => Err(format!("the hero needs {} machines, and there are {}", ARM + 1, players.len())),
        };
        let body = |name: &str| find(BODY, name);
        let (awake, moving, pace, jump) = (body("awake")?, body("moving")?, body("pace")?, body("jump")?);
        Ok(Self { awake, moving, pace, jump, wave: find(ARM, "wave")? })
    }
}

impl Hero {
    /// The documents of the machines that decide which clips it plays.
    #[must_use]
    pub fn documents(&self) -> &[MachineDocument] {
        &self.documents
    }

    /// A character as this one is made, with machines of these documents, that has done nothing yet.
    ///
    /// # Errors
    /// What is wrong with a document; or that it lacks a parameter by which the hero is steered.
    pub fn remade(&self, documents: &[MachineDocument]) -> Result<Character, Box<dyn std::error::Error>> {
        let (character, ..) = Self::make(self.character.mixer.clips().clone(), documents)?;
        Controls::of(&character.machines)?;
        Ok(character)
    }

    /// Steers the character by other documents from now on, of which it has been [remade](Hero::remade).
    pub fn know(&mut self, documents: Vec<MachineDocument>) {
        if let Ok(controls) = Controls::of(&self.character.machines) {
            (self.controls, self.documents) = (controls, documents);
        }
    }

    /// Lets the machines fade as is asked for now.
    pub(super) fn follow_fade(&mut self) {
        let is_same =
            self.faded.curve == self.fade.curve && self.faded.seconds.to_bits() == self.fade.seconds.to_bits();
        if is_same {
            return;
        }
        self.faded = self.fade;
        let mut documents = documents(self.speeds, self.fade);
        // Where clips lie in the blend stays as it is.
        for (document, before) in documents.iter_mut().zip(&self.documents) {
            document.states.clone_from(&before.states);
        }
        // Other fades are no other machine, so the state fits.
        if let Ok(mut character) = self.remade(&documents)
            && character.restore(&self.character.state()).is_ok()
        {
            character.set_traced(self.character.is_traced());
            *self.character = character;
            self.know(documents);
            if self.character.is_recording() {
                // Frames of before had other fades.
                self.character.set_recording(false);
                self.character.set_recording(true);
            }
        }
    }
}
