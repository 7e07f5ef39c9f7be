/// A state machine that decides what a layer of the mixer plays.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MachinePart {
    /// The mixer's layer, by index from the base layer.
    pub layer: usize,
    /// The current state, or the one being faded to, with the states that contain it, outermost first.
    pub states: Vec<String>,
    /// Names of the parameters, and their values as text.
    pub parameters: Vec<(String, String)>,
    /// The transition that led to the current state, with the parameter values at that time; `None` before the first
    /// transition, and after `go_to`.
    pub taken: Option<TransitionPart>,
    /// The number of transitions taken so far.
    pub count: u64,
    /// The transitions that could leave the state, in order of precedence.
    pub exits: Vec<TransitionPart>,
}

/// A transition, and what it waits for.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TransitionPart {
    /// The source state; `*` means any.
    pub from: String,
    /// The target state.
    pub to: String,
    /// Its conditions, and whether they hold.
    pub conditions: Vec<ConditionPart>,
    /// Its exit time, if it has one.
    pub exit: Option<ExitPart>,
    /// Duration of its fade, in seconds.
    pub fade_seconds: f32,
    /// The curve of its fade: `linear`, `smooth` or `inertialised`.
    pub curve: String,
    /// Why it may not interrupt the fade that is running; `None` if it may.
    pub blocked: Option<String>,
}

impl TransitionPart {
    /// `true` if the transition can be taken.
    #[must_use]
    pub fn is_open(&self) -> bool {
        let is_over = self.exit.as_ref().is_none_or(|exit| exit.holds);
        self.blocked.is_none() && is_over && self.conditions.iter().all(|condition| condition.holds)
    }
}

/// A condition of a transition.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ConditionPart {
    /// As written in documents: `speed > 1.5`.
    pub text: String,
    /// The value of its parameter, as text.
    pub value: String,
    /// Whether the condition holds.
    pub holds: bool,
}

/// An exit time of a transition.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ExitPart {
    /// The number of passes of the motion after which it opens.
    pub after: f32,
    /// How often the motion has been played; `None` (`null` in JSON) for a state that plays nothing or a single pose,
    /// which is over at once.
    pub passes: Option<f64>,
    /// Whether that is enough.
    pub holds: bool,
}
