//! Parameters, which conditions test.

use thiserror::Error;

use super::condition::kind;
use super::document::ParameterValue;
use super::player::StateMachinePlayer;
use crate::mixer::error::UnknownName;

/// A parameter of a [`StateMachine`](super::StateMachine), as returned by [`StateMachinePlayer::parameter`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParameterId(usize);

impl ParameterId {
    /// The parameter at this index of [`StateMachine::parameters`](super::StateMachine::parameters). Whether a machine
    /// has it is checked when it is used.
    #[must_use]
    pub const fn new(index: usize) -> Self {
        Self(index)
    }

    /// Its index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0
    }
}

/// Why a parameter could not be set; it keeps its value.
///
/// ```
/// use nebula_animation::{AnimationClip, ClipMarkers, mixer::{MachineDocument, ParameterValue}};
/// use nebula_animation::{StateMachine, StateMachinePlayer, mixer::StateDocument};
///
/// let clips = [AnimationClip { name: "idle".into(), ..Default::default() }];
/// let document = MachineDocument::new("idle")
///     .with_parameter("speed", ParameterValue::Float(0.0))
///     .with_state(StateDocument::clip("idle", "idle"));
/// let mut player = StateMachinePlayer::new(StateMachine::new(&document, &clips, &ClipMarkers::new())?);
/// let speed = player.parameter("speed")?;
/// let error = player.trigger(speed).expect_err("of another kind");
/// assert_eq!(error.to_string(), r#"parameter "speed" is a number, and was given a trigger"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// The parameter belongs to another machine.
    #[error("there is no parameter {index}: the machine has {count}")]
    NoSuchParameter {
        /// Index of the parameter.
        index: usize,
        /// The number of parameters.
        count: usize,
    },
    /// The parameter is of another kind.
    #[error("parameter \"{}\" is {expected}, and was given {given}", name.escape_debug())]
    WrongKind {
        /// Name of the parameter.
        name: String,
        /// Its kind: `"a number"`, `"true or false"` or `"a trigger"`.
        expected: &'static str,
        /// The kind of the given value.
        given: &'static str,
    },
    /// The number is not finite.
    #[error("parameter \"{}\" was given {given}, which is not finite", name.escape_debug())]
    NotFinite {
        /// Name of the parameter.
        name: String,
        /// The given value.
        given: f32,
    },
}

/// The values of the parameters, by number.
#[derive(Debug, Clone)]
pub(super) struct Parameters {
    pub values: Vec<ParameterValue>,
    /// When triggers expire.
    pub(super) expiries: Vec<Expiry>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Expiry {
    #[default]
    Never,
    /// So many seconds after the next update.
    After(f64),
    /// When the mixer's time is beyond this.
    At(f64),
}

impl Parameters {
    pub fn new(parameters: &[(String, ParameterValue)]) -> Self {
        let values: Vec<ParameterValue> = parameters.iter().map(|(_, value)| *value).collect();
        Self { expiries: vec![Expiry::Never; values.len()], values }
    }

    /// The value of a parameter that is a number; 0 for all others.
    pub fn number(&self, parameter: usize) -> f32 {
        match self.values.get(parameter) {
            Some(ParameterValue::Float(number)) => *number,
            _ => 0.0,
        }
    }

    /// Whether a trigger's time will be over.
    pub fn expires(&self) -> bool {
        self.expiries.iter().any(|expiry| !matches!(expiry, Expiry::Never))
    }

    /// Forgets the triggers whose time is over.
    pub fn expire(&mut self, now: f64) {
        for (value, expiry) in self.values.iter_mut().zip(&mut self.expiries) {
            match *expiry {
                Expiry::Never => {}
                Expiry::After(seconds) => *expiry = Expiry::At(now + seconds),
                Expiry::At(end) if now > end => (*value, *expiry) = (ParameterValue::Trigger(false), Expiry::Never),
                Expiry::At(_) => {}
            }
        }
    }
}

impl StateMachinePlayer {
    /// Finds a parameter by name. This is a linear search: do it once and keep the result.
    ///
    /// # Errors
    /// There is no parameter with this name; similar names are listed.
    pub fn parameter(&self, name: &str) -> Result<ParameterId, UnknownName> {
        let names = || self.machine.parameters.iter().map(|(name, _)| name.as_str());
        let found = names().position(|known| known == name).map(ParameterId);
        found.ok_or_else(|| UnknownName::new("parameter", name, names()))
    }

    /// The value of a parameter; `None` if it belongs to another machine.
    #[must_use]
    pub fn value(&self, parameter: ParameterId) -> Option<ParameterValue> {
        self.parameters.values.get(parameter.0).copied()
    }

    /// Sets a boolean parameter.
    ///
    /// # Errors
    /// Like [`set`](StateMachinePlayer::set).
    pub fn set_bool(&mut self, parameter: ParameterId, value: bool) -> Result<(), ParameterError> {
        self.set(parameter, ParameterValue::Bool(value))
    }

    /// Sets a float parameter.
    ///
    /// # Errors
    /// Like [`set`](StateMachinePlayer::set).
    pub fn set_float(&mut self, parameter: ParameterId, value: f32) -> Result<(), ParameterError> {
        self.set(parameter, ParameterValue::Float(value))
    }

    /// Sets a trigger, until a transition consumes it.
    ///
    /// # Errors
    /// Like [`set`](StateMachinePlayer::set).
    pub fn trigger(&mut self, parameter: ParameterId) -> Result<(), ParameterError> {
        self.set(parameter, ParameterValue::Trigger(true))
    }

    /// Sets a trigger that expires if no transition consumes it within this many seconds of the mixer's
    /// [time](crate::AnimationMixer::elapsed), counted from the next update. A jump requested too early then does not
    /// happen at a surprising moment later. With 0 seconds or less, only the next update can consume it.
    ///
    /// ```
    /// # use nebula_animation::{StateMachinePlayer, mixer::{ParameterError, ParameterId}};
    /// fn press_jump(player: &mut StateMachinePlayer, jump: ParameterId) -> Result<(), ParameterError> {
    ///     player.trigger_for(jump, 0.2)
    /// }
    /// ```
    ///
    /// # Errors
    /// Like [`set`](StateMachinePlayer::set).
    pub fn trigger_for(&mut self, parameter: ParameterId, seconds: impl Into<f64>) -> Result<(), ParameterError> {
        self.trigger(parameter)?;
        // What is not a number is not waited for.
        self.parameters.expiries[parameter.0] = Expiry::After(seconds.into().max(0.0));
        Ok(())
    }

    /// Clears a trigger.
    ///
    /// # Errors
    /// Like [`set`](StateMachinePlayer::set).
    pub fn reset_trigger(&mut self, parameter: ParameterId) -> Result<(), ParameterError> {
        self.set(parameter, ParameterValue::Trigger(false))
    }

    /// Sets a parameter to a value of its own kind.
    ///
    /// # Errors
    /// The value is of another kind, the parameter belongs to another machine, or the number is not finite. The
    /// parameter keeps its value.
    pub fn set(&mut self, parameter: ParameterId, value: ParameterValue) -> Result<(), ParameterError> {
        let ParameterId(index) = parameter;
        let count = self.parameters.values.len();
        let Some(known) = self.parameters.values.get_mut(index) else {
            return Err(ParameterError::NoSuchParameter { index, count });
        };
        let name = || self.machine.parameters[index].0.clone();
        if std::mem::discriminant(known) != std::mem::discriminant(&value) {
            return Err(ParameterError::WrongKind { name: name(), expected: kind(*known), given: kind(value) });
        }
        match value {
            ParameterValue::Float(given) if !given.is_finite() => {
                Err(ParameterError::NotFinite { name: name(), given })
            }
            _ => {
                (*known, self.parameters.expiries[index]) = (value, Expiry::Never);
                Ok(())
            }
        }
    }
}
