use super::super::fade::{Fade, FadeCurve};

/// A state machine as it is written down: everything by name. [`StateMachine::new`](super::StateMachine::new) checks it.
///
/// With the feature `documents` it is read from JSON, field for field; see
/// [`StateMachine::from_json`](super::StateMachine::from_json) for an example.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "documents", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "documents", serde(deny_unknown_fields))]
pub struct MachineDocument {
    /// What conditions look at, with the values to begin with. Only the outermost machine has any; those inside share them.
    #[cfg_attr(feature = "documents", serde(default, with = "super::json::parameters"))]
    pub parameters: Vec<(String, ParameterValue)>,
    /// Name of the state to begin with.
    pub start: String,
    /// The states; their names are unique in this machine.
    pub states: Vec<StateDocument>,
    /// The ways from state to state. Of those that are open, the first is taken.
    #[cfg_attr(feature = "documents", serde(default))]
    pub transitions: Vec<TransitionDocument>,
}

/// The value of a parameter, and its kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParameterValue {
    /// On or off; `true` or `false` in a document.
    Bool(bool),
    /// A finite number; in a document, a number.
    Float(f32),
    /// Something that happened: set until a transition takes notice of it; `"trigger"` in a document.
    Trigger(bool),
}

/// One state: what is shown in it. Exactly one of `clip`, `blend`, `machine` and `empty` is given.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "documents", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "documents", serde(deny_unknown_fields))]
pub struct StateDocument {
    /// Name; not empty, and not `"*"`.
    pub name: String,
    /// Name of a clip to play.
    #[cfg_attr(feature = "documents", serde(default, skip_serializing_if = "Option::is_none"))]
    pub clip: Option<String>,
    /// Clips to blend by parameters.
    #[cfg_attr(feature = "documents", serde(default, skip_serializing_if = "Option::is_none"))]
    pub blend: Option<BlendDocument>,
    /// States within the state.
    #[cfg_attr(feature = "documents", serde(default, skip_serializing_if = "Option::is_none"))]
    pub machine: Option<Box<MachineDocument>>,
    /// Whether nothing is played: on the base layer the rest pose is shown, on others what is below; default false. Its
    /// exit times have always passed.
    #[cfg_attr(feature = "documents", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub empty: bool,
    /// Seconds of the motion per second; finite; default 1. Only of a clip or a blend.
    #[cfg_attr(feature = "documents", serde(default = "one"))]
    pub speed: f32,
    /// A number parameter that multiplies the speed; default none.
    #[cfg_attr(feature = "documents", serde(default, skip_serializing_if = "Option::is_none"))]
    pub speed_by: Option<String>,
    /// Whether the motion starts over (the default), or stays at its end.
    #[cfg_attr(feature = "documents", serde(default = "yes"))]
    pub looping: bool,
    /// Where in its pass the motion begins, from 0 to 1; default 0. Of a gait, the moment that one steps off with.
    #[cfg_attr(feature = "documents", serde(default, skip_serializing_if = "is_zero"))]
    pub begin: f32,
}

/// Clips laid out along a line or over a plane: see [`BlendSpace`](crate::BlendSpace).
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "documents", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "documents", serde(deny_unknown_fields))]
pub struct BlendDocument {
    /// Name of the number parameter along X.
    pub x: String,
    /// Name of the number parameter along Y; without it the samples lie on a line.
    #[cfg_attr(feature = "documents", serde(default, skip_serializing_if = "Option::is_none"))]
    pub y: Option<String>,
    /// The clips and their places.
    pub samples: Vec<BlendSampleDocument>,
    /// Names of the markers by which the clips keep step; without any, by the share of their durations.
    #[cfg_attr(feature = "documents", serde(default))]
    pub sync: Vec<String>,
}

/// A clip and its place in a [`BlendDocument`].
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "documents", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "documents", serde(deny_unknown_fields))]
pub struct BlendSampleDocument {
    /// Name of the clip.
    pub clip: String,
    /// Value of the X parameter at which the blend is this clip alone.
    pub x: f32,
    /// Value of the Y parameter; 0 on a line.
    #[cfg_attr(feature = "documents", serde(default))]
    pub y: f32,
}

/// A transition between two states of the same machine.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "documents", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "documents", serde(deny_unknown_fields))]
pub struct TransitionDocument {
    /// Name of the source state, or `"*"` for every state but the target.
    pub from: String,
    /// Name of the target state.
    pub to: String,
    /// The conditions, all of which have to hold: `"grounded"`, `"!grounded"`, `"speed > 2.5"` (also `>=`, `<`, `<=`, `==`, `!=`).
    /// Triggers that are named here are used up when the transition is taken.
    #[cfg_attr(feature = "documents", serde(default))]
    pub when: Vec<String>,
    /// How many times the motion of the source state must have played: 0.9 is near the end of the first pass, 1 at its end;
    /// at least 0. Default: at any time. For a state with a machine of its own, the motion of its inner state counts.
    #[cfg_attr(feature = "documents", serde(default, skip_serializing_if = "Option::is_none"))]
    pub exit_time: Option<f32>,
    /// Seconds of the fade, at least 0; default 0.3.
    #[cfg_attr(feature = "documents", serde(default = "fade_seconds"))]
    pub fade: f32,
    /// Kind of the fade: `"linear"` (the default), `"smooth"`, `"inertialised"`.
    #[cfg_attr(feature = "documents", serde(default))]
    pub curve: FadeCurve,
    /// What may take over before the fade is done; default `"target"`.
    #[cfg_attr(feature = "documents", serde(default))]
    pub interruption: Interruption,
    /// Whether the new motion begins at the phase of the old one, instead of at its beginning; default false.
    #[cfg_attr(feature = "documents", serde(default))]
    pub keeps_phase: bool,
}

/// Which transitions may interrupt one that is still fading. Those from `"*"` always may, except with `Never`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "documents", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "documents", serde(rename_all = "snake_case"))]
pub enum Interruption {
    /// None: the fade finishes first.
    Never,
    /// Those that leave the target state (the default).
    #[default]
    Target,
    /// Those that leave the source state.
    Source,
    /// Both; those of the source state are looked at first.
    Both,
}

impl MachineDocument {
    /// A machine that begins with a state of this name.
    #[must_use]
    pub fn new(start: impl Into<String>) -> Self {
        Self { start: start.into(), ..Self::default() }
    }

    /// The same machine with one more parameter.
    #[must_use]
    pub fn with_parameter(mut self, name: impl Into<String>, value: ParameterValue) -> Self {
        self.parameters.push((name.into(), value));
        self
    }

    /// The same machine with one more state.
    #[must_use]
    pub fn with_state(mut self, state: StateDocument) -> Self {
        self.states.push(state);
        self
    }

    /// The same machine with one more transition.
    #[must_use]
    pub fn with_transition(mut self, transition: TransitionDocument) -> Self {
        self.transitions.push(transition);
        self
    }
}

impl StateDocument {
    fn new(name: impl Into<String>) -> Self {
        let name = name.into();
        let (speed, looping, begin) = (1.0, true, 0.0);
        Self { name, clip: None, blend: None, machine: None, empty: false, speed, speed_by: None, looping, begin }
    }

    /// A state that plays a clip.
    #[must_use]
    pub fn clip(name: impl Into<String>, clip: impl Into<String>) -> Self {
        Self { clip: Some(clip.into()), ..Self::new(name) }
    }

    /// A state that blends clips.
    #[must_use]
    pub fn blend(name: impl Into<String>, blend: BlendDocument) -> Self {
        Self { blend: Some(blend), ..Self::new(name) }
    }

    /// A state with states within.
    #[must_use]
    pub fn machine(name: impl Into<String>, machine: MachineDocument) -> Self {
        Self { machine: Some(Box::new(machine)), ..Self::new(name) }
    }

    /// A state that plays nothing: entering it fades out what its layer plays.
    ///
    /// ```
    /// use nebula_animation::mixer::{MachineDocument, ParameterValue, StateDocument, TransitionDocument};
    ///
    /// // On a layer of its own: the arm waves now and then, and otherwise does what the layers below do.
    /// let arm = MachineDocument::new("none")
    ///     .with_parameter("wave", ParameterValue::Trigger(false))
    ///     .with_state(StateDocument::empty("none"))
    ///     .with_state(StateDocument::clip("waving", "wave").once())
    ///     .with_transition(TransitionDocument::new("none", "waving").when("wave"))
    ///     .with_transition(TransitionDocument::new("waving", "none").after(0.8));
    /// # assert!(arm.states[0].empty);
    /// ```
    #[must_use]
    pub fn empty(name: impl Into<String>) -> Self {
        Self { empty: true, ..Self::new(name) }
    }

    /// The same state, played once.
    #[must_use]
    pub fn once(self) -> Self {
        Self { looping: false, ..self }
    }

    /// The same state, whose motion begins at a part of its pass, from 0 to 1. A transition that keeps the phase goes on with that instead.
    #[must_use]
    pub fn beginning_at(self, begin: f32) -> Self {
        Self { begin, ..self }
    }
}

impl TransitionDocument {
    /// A transition with a fade of 0.3 s. It needs conditions or an exit time.
    #[must_use]
    pub fn new(from: impl Into<String>, to: impl Into<String>) -> Self {
        Self {
            from: from.into(),
            to: to.into(),
            when: Vec::new(),
            exit_time: None,
            fade: Fade::DEFAULT_SECONDS,
            curve: FadeCurve::Linear,
            interruption: Interruption::Target,
            keeps_phase: false,
        }
    }

    /// The same transition with one more condition.
    #[must_use]
    pub fn when(mut self, condition: impl Into<String>) -> Self {
        self.when.push(condition.into());
        self
    }

    /// The same transition, not before so many passes.
    #[must_use]
    pub fn after(self, passes: f32) -> Self {
        Self { exit_time: Some(passes), ..self }
    }

    /// The same transition with another fade.
    #[must_use]
    pub fn with_fade(self, fade: impl Into<Fade>) -> Self {
        let Fade { seconds, curve } = fade.into();
        Self { fade: seconds, curve, ..self }
    }

    /// The same transition with another rule of interruption.
    #[must_use]
    pub fn interrupted_by(self, interruption: Interruption) -> Self {
        Self { interruption, ..self }
    }
}

#[cfg(feature = "documents")]
fn one() -> f32 {
    1.0
}

#[cfg(feature = "documents")]
fn is_zero(number: &f32) -> bool {
    *number == 0.0
}

#[cfg(feature = "documents")]
fn yes() -> bool {
    true
}

#[cfg(feature = "documents")]
fn fade_seconds() -> f32 {
    Fade::DEFAULT_SECONDS
}
