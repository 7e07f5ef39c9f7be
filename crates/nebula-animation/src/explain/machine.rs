/// A state machine that decides what a layer of the mixer plays.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MachinePart {
    /// The mixer's layer, counted from the base layer.
    pub layer: usize,
    /// The state that is shown or faded to, and those that it is within, from the outermost.
    pub states: Vec<String>,
    /// Names of the parameters, and their values as text.
    pub parameters: Vec<(String, String)>,
    /// The transition that led to the state, with the values that its conditions had when it was taken, and all of them held; `None` before the first one, and after
    /// somebody sent the machine there.
    pub taken: Option<TransitionPart>,
    /// How many transitions were taken so far.
    pub count: u64,
    /// The transitions that could leave the state, in the order in which they are looked at.
    pub exits: Vec<TransitionPart>,
}

/// A transition, and what it waits for.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TransitionPart {
    /// The state that it leaves; `*` is any.
    pub from: String,
    /// The state that it goes to.
    pub to: String,
    /// What has to be the case, and whether it is.
    pub conditions: Vec<ConditionPart>,
    /// How often the motion has to have been played, where that matters.
    pub exit: Option<ExitPart>,
    /// Seconds of its fade.
    pub fade_seconds: f32,
    /// The curve of its fade: `linear`, `smooth` or `inertialised`.
    pub curve: String,
    /// Why it may not take over from the fade that is running; `None` where it may.
    pub blocked: Option<String>,
}

impl TransitionPart {
    /// Whether nothing keeps it from being taken.
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
    /// As it is written in documents: `speed > 1.5`.
    pub text: String,
    /// The value of its parameter, as text.
    pub value: String,
    /// Whether it is the case.
    pub holds: bool,
}

/// An exit time of a transition.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ExitPart {
    /// After how many passes of the motion it opens.
    pub after: f32,
    /// How often the motion has been played; `None`, which is `null` in JSON, for a state that plays nothing or a single pose: it is over at
    /// once.
    pub passes: Option<f64>,
    /// Whether that is enough.
    pub holds: bool,
}
