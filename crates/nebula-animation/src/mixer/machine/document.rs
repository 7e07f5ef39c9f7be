use super::super::fade::{Fade, FadeCurve};

/// A state machine as a document: everything by name. [`StateMachine::new`](super::StateMachine::new) checks it.
///
/// With the feature `documents` it can be read from JSON with the same fields; see
/// [`StateMachine::from_json`](super::StateMachine::from_json) for an example.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "documents", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "documents", serde(deny_unknown_fields))]
pub struct MachineDocument {
    /// The parameters that conditions test, with their initial values. Only the outermost machine has parameters;
    /// nested machines share them.
    #[cfg_attr(feature = "documents", serde(default, with = "super::json::parameters"))]
    pub parameters: Vec<(String, ParameterValue)>,
    /// Name of the initial state.
    pub start: String,
    /// The states; their names are unique within this machine.
    pub states: Vec<StateDocument>,
    /// The transitions between states. If several are open, the first one is taken.
    #[cfg_attr(feature = "documents", serde(default))]
    pub transitions: Vec<TransitionDocument>,
}

/// The value and kind of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParameterValue {
    /// A boolean; `true` or `false` in a document.
    Bool(bool),
    /// A finite number; in a document, a number.
    Float(f32),
    /// An event: set until a transition consumes it; `"trigger"` in a document.
    Trigger(bool),
}

/// One state and what it plays. Exactly one of `clip`, `blend`, `machine` and `empty` is set.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "documents", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "documents", serde(deny_unknown_fields))]
pub struct StateDocument {
    /// Name; not empty, and not `"*"`.
    pub name: String,
    /// Name of a clip to play.
    #[cfg_attr(feature = "documents", serde(default, skip_serializing_if = "Option::is_none"))]
    pub clip: Option<String>,
    /// A blend of clips, controlled by parameters.
    #[cfg_attr(feature = "documents", serde(default, skip_serializing_if = "Option::is_none"))]
    pub blend: Option<BlendDocument>,
    /// A nested state machine.
    #[cfg_attr(feature = "documents", serde(default, skip_serializing_if = "Option::is_none"))]
    pub machine: Option<Box<MachineDocument>>,
    /// Plays nothing: the base layer shows the rest pose, other layers what is below; default false. Its exit times
    /// have always passed.
    #[cfg_attr(feature = "documents", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub empty: bool,
    /// Playback speed; finite; default 1. For a clip or a blend only.
    #[cfg_attr(feature = "documents", serde(default = "one"))]
    pub speed: f32,
    /// A float parameter that multiplies the speed; default none.
    #[cfg_attr(feature = "documents", serde(default, skip_serializing_if = "Option::is_none"))]
    pub speed_by: Option<String>,
    /// Whether the motion repeats (the default) or stops at its end.
    #[cfg_attr(feature = "documents", serde(default = "yes"))]
    pub looping: bool,
    /// Phase at which the motion starts, from 0 to 1; default 0. For a gait, the moment of stepping off.
    #[cfg_attr(feature = "documents", serde(default, skip_serializing_if = "is_zero"))]
    pub begin: f32,
}

/// Clips placed on a line or a plane. See [`BlendSpace`](crate::BlendSpace).
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "documents", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "documents", serde(deny_unknown_fields))]
pub struct BlendDocument {
    /// Name of the float parameter along X.
    pub x: String,
    /// Name of the float parameter along Y; without it, the samples lie on a line.
    #[cfg_attr(feature = "documents", serde(default, skip_serializing_if = "Option::is_none"))]
    pub y: Option<String>,
    /// The clips and their positions.
    pub samples: Vec<BlendSampleDocument>,
    /// Names of the markers that synchronise the clips; if empty, they are synchronised by phase.
    #[cfg_attr(feature = "documents", serde(default))]
    pub sync: Vec<String>,
}

/// A clip and its position in a [`BlendDocument`].
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
    /// Name of the source state, or `"*"` for every state except the target.
    pub from: String,
    /// Name of the target state.
    pub to: String,
    /// The conditions, all of which must hold: `"grounded"`, `"!grounded"`, `"speed > 2.5"` (also `>=`, `<`, `<=`,
    /// `==`, `!=`). Taking the transition consumes the triggers named here.
    #[cfg_attr(feature = "documents", serde(default))]
    pub when: Vec<String>,
    /// How many times the motion of the source state must have played: 0.9 is near the end of the first pass, 1 at its
    /// end; at least 0. Default: any time. For a state with a nested machine, the motion of the inner state counts.
    #[cfg_attr(feature = "documents", serde(default, skip_serializing_if = "Option::is_none"))]
    pub exit_time: Option<f32>,
    /// Duration of the fade in seconds, at least 0; default 0.3.
    #[cfg_attr(feature = "documents", serde(default = "fade_seconds"))]
    pub fade: f32,
    /// Curve of the fade: `"linear"` (the default), `"smooth"`, `"inertialised"`.
    #[cfg_attr(feature = "documents", serde(default))]
    pub curve: FadeCurve,
    /// What may interrupt the fade before it is done; default `"target"`.
    #[cfg_attr(feature = "documents", serde(default))]
    pub interruption: Interruption,
    /// Whether the new motion starts at the phase of the old one instead of its beginning; default false.
    #[cfg_attr(feature = "documents", serde(default))]
    pub keeps_phase: bool,
}

/// Which transitions may interrupt one that is still fading. Those from `"*"` always may, except with `Never`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "documents", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "documents", serde(rename_all = "snake_case"))]
pub enum Interruption {
    /// None: the fade is completed first.
    Never,
    /// Those that leave the target state (the default).
    #[default]
    Target,
    /// Those that leave the source state.
    Source,
    /// Both; those of the source state take precedence.
    Both,
}

impl MachineDocument {
    /// A machine with this initial state.
    #[must_use]
    pub fn new(start: impl Into<String>) -> Self {
        Self { start: start.into(), ..Self::default() }
    }

    /// Adds a parameter.
    #[must_use]
    pub fn with_parameter(mut self, name: impl Into<String>, value: ParameterValue) -> Self {
        self.parameters.push((name.into(), value));
        self
    }

    /// Adds a state.
    #[must_use]
    pub fn with_state(mut self, state: StateDocument) -> Self {
        self.states.push(state);
        self
    }

    /// Adds a transition.
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

    /// A state with a nested machine.
    #[must_use]
    pub fn machine(name: impl Into<String>, machine: MachineDocument) -> Self {
        Self { machine: Some(Box::new(machine)), ..Self::new(name) }
    }

    /// A state that plays nothing: entering it fades out the layer.
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

    /// The same state, played once instead of looping.
    #[must_use]
    pub fn once(self) -> Self {
        Self { looping: false, ..self }
    }

    /// The same state, whose motion starts at a phase from 0 to 1. A transition that keeps the phase overrides this.
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

    /// Adds a condition.
    #[must_use]
    pub fn when(mut self, condition: impl Into<String>) -> Self {
        self.when.push(condition.into());
        self
    }

    /// Adds an exit time: the transition waits for this many passes.
    #[must_use]
    pub fn after(self, passes: f32) -> Self {
        Self { exit_time: Some(passes), ..self }
    }

    /// The same transition with a different fade.
    #[must_use]
    pub fn with_fade(self, fade: impl Into<Fade>) -> Self {
        let Fade { seconds, curve } = fade.into();
        Self { fade: seconds, curve, ..self }
    }

    /// The same transition with a different interruption rule.
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
