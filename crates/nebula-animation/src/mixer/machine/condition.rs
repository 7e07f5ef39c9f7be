use super::document::ParameterValue;
use super::error::unknown;

/// A condition of a transition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Condition {
    /// A parameter is on, or off; for a trigger, that it is set.
    Is {
        parameter: usize,
        wanted: bool,
    },
    Compares {
        parameter: usize,
        how: Comparison,
        with: f32,
    },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Comparison {
    Above,
    AtLeast,
    Below,
    AtMost,
    Equal,
    Unequal,
}

/// The longer ones first, because they begin with the shorter ones.
const SIGNS: [(&str, Comparison); 6] = [
    (">=", Comparison::AtLeast),
    ("<=", Comparison::AtMost),
    ("==", Comparison::Equal),
    ("!=", Comparison::Unequal),
    (">", Comparison::Above),
    ("<", Comparison::Below),
];

impl Condition {
    /// Reads `name`, `!name` or `name sign number`.
    pub fn parse(text: &str, parameters: &[(String, ParameterValue)]) -> Result<Self, String> {
        let find = |name: &str| {
            let index = parameters.iter().position(|(known, _)| known == name);
            let known = || parameters.iter().map(|(name, _)| name.as_str());
            index.ok_or_else(|| format!("{text:?}: {}", unknown(name, known())))
        };
        let sign = SIGNS.iter().find_map(|(sign, how)| text.find(sign).map(|at| (at, *sign, *how)));
        if let Some((at, sign, how)) = sign {
            let (name, number) = (text[..at].trim(), text[at + sign.len()..].trim());
            let parameter = find(name)?;
            let with: f32 = number.parse().map_err(|_| format!("{text:?}: {number:?} is not a number"))?;
            if !with.is_finite() {
                return Err(format!("{text:?}: {number} is not finite"));
            }
            return match parameters[parameter].1 {
                ParameterValue::Float(_) => Ok(Self::Compares { parameter, how, with }),
                other => Err(format!("{text:?}: {name:?} is {}, which cannot be compared", kind(other))),
            };
        }
        let (name, wanted) = match text.trim().strip_prefix('!') {
            Some(name) => (name.trim(), false),
            None => (text.trim(), true),
        };
        let parameter = find(name)?;
        match (parameters[parameter].1, wanted) {
            (ParameterValue::Bool(_), _) | (ParameterValue::Trigger(_), true) => Ok(Self::Is { parameter, wanted }),
            (ParameterValue::Trigger(_), false) => {
                Err(format!("{text:?}: a trigger cannot be waited for not to be set"))
            }
            (ParameterValue::Float(_), _) => {
                Err(format!("{text:?}: {name:?} is a number, which has to be compared, as in \"{name} > 1\""))
            }
        }
    }

    /// The parameter that it looks at.
    pub fn parameter(&self) -> usize {
        match *self {
            Self::Is { parameter, .. } | Self::Compares { parameter, .. } => parameter,
        }
    }

    pub fn holds(&self, values: &[ParameterValue]) -> bool {
        values.get(self.parameter()).is_some_and(|value| self.holds_for(*value))
    }

    /// Whether it holds where its parameter has this value.
    pub fn holds_for(&self, value: ParameterValue) -> bool {
        match (*self, value) {
            (Self::Is { wanted, .. }, ParameterValue::Bool(value) | ParameterValue::Trigger(value)) => value == wanted,
            (Self::Compares { how, with, .. }, ParameterValue::Float(value)) => match how {
                Comparison::Above => value > with,
                Comparison::AtLeast => value >= with,
                Comparison::Below => value < with,
                Comparison::AtMost => value <= with,
                Comparison::Equal => value == with,
                Comparison::Unequal => value != with,
            },
            _ => false,
        }
    }

    /// Uses up a trigger.
    pub fn consume(&self, values: &mut [ParameterValue]) {
        if let Self::Is { parameter, .. } = *self
            && let Some(value @ ParameterValue::Trigger(_)) = values.get_mut(parameter)
        {
            *value = ParameterValue::Trigger(false);
        }
    }
}

pub(super) fn kind(value: ParameterValue) -> &'static str {
    match value {
        ParameterValue::Bool(_) => "true or false",
        ParameterValue::Float(_) => "a number",
        ParameterValue::Trigger(_) => "a trigger",
    }
}
