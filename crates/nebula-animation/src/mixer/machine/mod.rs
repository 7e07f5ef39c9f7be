//! State machines: data that decides which motion plays when.

mod check;
mod condition;
mod document;
mod error;
mod exits;
mod explain;
#[cfg(feature = "documents")]
mod json;
mod parameters;
mod player;
mod saved;

use std::sync::Arc;

use super::error::UnknownName;
use super::fade::Fade;
use super::space::BlendSpace;
use crate::clip::ClipMarkers;
use crate::compile::Clips;
use crate::math::Fingerprint;
use condition::Condition;

pub use document::{
    BlendDocument, BlendSampleDocument, Interruption, MachineDocument, ParameterValue, StateDocument,
    TransitionDocument,
};
pub use error::MachineError;
pub use parameters::{ParameterError, ParameterId};
pub use player::{StateChange, StateMachinePlayer};
pub(crate) use saved::number_spaces;

/// A checked state machine: states, what they play, and the transitions between them. Any number of
/// [players](StateMachinePlayer) can share it.
///
/// The states of nested machines are in the same list as all others. Each update takes at most one transition: the
/// first open one, outer machines before inner ones.
///
/// ```
/// use nebula_animation::{
///     AnimationClip, ClipMarkers, StateMachine, mixer::{MachineDocument, ParameterValue, StateDocument,
///     TransitionDocument},
/// };
///
/// let clip = |name: &str| AnimationClip { name: name.into(), duration: 1.0, ..Default::default() };
/// let clips = [clip("idle"), clip("jump")];
/// let document = MachineDocument::new("standing")
///     .with_parameter("jump", ParameterValue::Trigger(false))
///     .with_state(StateDocument::clip("standing", "idle"))
///     .with_state(StateDocument::clip("jumping", "jump").once())
///     .with_transition(TransitionDocument::new("standing", "jumping").when("jump").with_fade(0.1))
///     .with_transition(TransitionDocument::new("jumping", "standing").after(1.0));
/// let machine = StateMachine::new(&document, &clips, &ClipMarkers::new())?;
/// let jumping = machine.state_named("jumping")?;
/// assert_eq!(machine.state_name(jumping), Some("jumping"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct StateMachine {
    parameters: Vec<(String, ParameterValue)>,
    states: Vec<State>,
    transitions: Vec<Transition>,
    spaces: Vec<Arc<BlendSpace>>,
    start: usize,
    /// The clips that it plays: index in the library and name.
    clips: Vec<(usize, String)>,
}

/// A state of a [`StateMachine`], as returned by [`StateMachine::state_named`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(usize);

#[derive(Debug, Clone, PartialEq)]
struct State {
    name: String,
    /// The state that it is within.
    parent: Option<usize>,
    shows: Shows,
    speed: f32,
    speed_by: Option<usize>,
    looping: bool,
    /// Where in its pass the motion begins.
    begin: f32,
    /// Transitions of its own machine that may leave it, in order.
    exits: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Shows {
    /// A clip of the library.
    Clip(usize),
    /// A blend space by its number, and the parameters that place it.
    Space { space: usize, x: usize, y: Option<usize> },
    /// The states within, of which this is the first.
    Machine { start: usize },
    /// What is below the layer, or the rest pose.
    Nothing,
}

#[derive(Debug, Clone, PartialEq)]
struct Transition {
    /// `None` is any.
    from: Option<usize>,
    to: usize,
    conditions: Vec<Condition>,
    exit_time: Option<f32>,
    fade: Fade,
    interruption: Interruption,
    keeps_phase: bool,
}

impl StateMachine {
    /// Conditions of the transition that has most.
    fn most_conditions(&self) -> usize {
        self.transitions.iter().map(|transition| transition.conditions.len()).max().unwrap_or(0)
    }

    /// Checks a document and resolves its names. `clips` are those of the mixer's library, `markers` are theirs.
    ///
    /// # Errors
    /// The first problem found, with the state or transition and the field.
    pub fn new(
        document: &MachineDocument,
        clips: &(impl Clips + ?Sized),
        markers: &ClipMarkers,
    ) -> Result<Self, MachineError> {
        check::check(document, &clips, markers)
    }

    /// Reads a state machine from JSON.
    ///
    /// ```
    /// use nebula_animation::{AnimationClip, ClipMarkers, StateMachine};
    ///
    /// let clips = ["idle", "walk", "run", "jump"]
    ///     .map(|name| AnimationClip { name: name.into(), duration: 1.0, ..Default::default() });
    /// let json = r#"{
    ///     "parameters": { "speed": 0.0, "jump": "trigger" },
    ///     "start": "ground",
    ///     "states": [
    ///         { "name": "ground", "blend": { "x": "speed", "samples": [
    ///             { "clip": "idle", "x": 0 }, { "clip": "walk", "x": 1.4 }, { "clip": "run", "x": 4 } ] } },
    ///         { "name": "air", "clip": "jump", "looping": false }
    ///     ],
    ///     "transitions": [
    ///         { "from": "ground", "to": "air", "when": ["jump", "speed > 0.5"], "fade": 0.15, "curve": "inertialised" },
    ///         { "from": "air", "to": "ground", "exit_time": 0.9 }
    ///     ]
    /// }"#;
    /// let machine = StateMachine::from_json(json, &clips, &ClipMarkers::new())?;
    /// # Ok::<(), nebula_animation::mixer::MachineError>(())
    /// ```
    ///
    /// # Errors
    /// The text is not JSON, or not a valid state machine. The error names the state or transition and the field.
    #[cfg(feature = "documents")]
    pub fn from_json(text: &str, clips: &(impl Clips + ?Sized), markers: &ClipMarkers) -> Result<Self, MachineError> {
        Self::new(&MachineDocument::from_json(text)?, clips, markers)
    }

    /// Names and initial values of the parameters.
    #[must_use]
    pub fn parameters(&self) -> &[(String, ParameterValue)] {
        &self.parameters
    }

    /// All states, including those of nested machines.
    pub fn states(&self) -> impl ExactSizeIterator<Item = StateId> + use<> {
        (0..self.states.len()).map(StateId)
    }

    /// Name of a state; `None` if it does not exist here, because it belongs to another machine.
    #[must_use]
    pub fn state_name(&self, state: StateId) -> Option<&str> {
        self.states.get(state.0).map(|state| state.name.as_str())
    }

    /// The state that contains a state; `None` for those of the outermost machine.
    #[must_use]
    pub fn state_parent(&self, state: StateId) -> Option<StateId> {
        self.states.get(state.0).and_then(|state| state.parent).map(StateId)
    }

    /// The first state with this name, outer machines before inner ones.
    ///
    /// # Errors
    /// There is no such state; similar names are listed.
    pub fn state_named(&self, name: &str) -> Result<StateId, UnknownName> {
        let names = || self.states.iter().map(|state| state.name.as_str());
        let found = names().position(|known| known == name).map(StateId);
        found.ok_or_else(|| UnknownName::new("state", name, names()))
    }

    /// A fingerprint of the machine: the names of its states and parameters, and its transitions.
    fn fingerprint(&self) -> u32 {
        let mut hash = Fingerprint::new();
        for (name, value) in &self.parameters {
            hash.text(name);
            hash.text(condition::kind(*value));
        }
        for state in &self.states {
            hash.text(&state.name);
            hash.word(state.parent.map_or(u32::MAX, |parent| parent as u32));
        }
        for transition in &self.transitions {
            hash.word(transition.from.map_or(u32::MAX, |from| from as u32));
            hash.word(transition.to as u32);
        }
        hash.short()
    }

    /// The state that is shown on entering a state: itself, or the first one within.
    fn leaf(&self, mut state: usize) -> usize {
        while let Shows::Machine { start } = self.states[state].shows {
            state = start;
        }
        state
    }
}
