//! Explains why a state machine is in its state, and what its transitions wait for.

use super::condition::{Comparison, Condition};
use super::document::{Interruption, ParameterValue};
use super::player::StateMachinePlayer;
use super::{StateMachine, Transition};
use crate::explain::{ConditionPart, ExitPart, MachinePart, TransitionPart};
use crate::mixer::AnimationMixer;

impl StateMachinePlayer {
    /// What the machine is in, how it came there, and what it waits for.
    pub(crate) fn explain(&self, mixer: &AnimationMixer) -> MachinePart {
        let machine = &*self.machine;
        let outwards = |state: &usize| machine.states[*state].parent;
        let mut chain: Vec<usize> = std::iter::successors(Some(self.state), outwards).collect();
        chain.reverse();
        let parameters = machine.parameters.iter().zip(&self.parameters.values);
        let layer = mixer.layer(self.layer);
        let passes = layer.map_or(0.0, |layer| self.passes(layer));
        let fading = self.taken.filter(|_| layer.is_some_and(|layer| layer.is_fading() && self.is_shown(layer)));
        let rule = fading.map(|(taken, _)| machine.transitions[taken].interruption);
        let mut exits = Vec::new();
        if let Some((_, source)) = fading.filter(|_| matches!(rule, Some(Interruption::Source | Interruption::Both))) {
            let mut sources: Vec<usize> = std::iter::successors(Some(source), outwards).collect();
            sources.reverse();
            for exit in sources.into_iter().flat_map(|state| &machine.states[state].exits) {
                let transition = &machine.transitions[*exit];
                if transition.exit_time.is_none() && !self.leads_here(*exit) {
                    exits.push(self.part(transition, passes, None));
                }
            }
        }
        let blocked = match rule {
            Some(Interruption::Never) => Some("the end of the fade"),
            Some(Interruption::Source) => Some("the end of the fade, or a way out of the state that was left"),
            _ => None,
        };
        for exit in chain.iter().flat_map(|state| &machine.states[*state].exits) {
            exits.push(self.part(&machine.transitions[*exit], passes, blocked));
        }
        MachinePart {
            layer: self.layer.index(),
            states: chain.iter().map(|state| machine.states[*state].name.clone()).collect(),
            parameters: parameters.map(|((name, _), value)| (name.clone(), shown(*value))).collect(),
            taken: self.taken.map(|(taken, _)| self.taken_part(&machine.transitions[taken])),
            count: self.count,
            exits,
        }
    }

    /// A transition as it is now.
    fn part(&self, transition: &Transition, passes: f64, blocked: Option<&str>) -> TransitionPart {
        let values = &self.parameters.values;
        let looked_at = transition.conditions.iter().filter_map(|condition| values.get(condition.parameter()));
        self.part_with(transition, looked_at.copied(), passes, blocked)
    }

    /// The transition that was taken, as it was then.
    fn taken_part(&self, transition: &Transition) -> TransitionPart {
        self.part_with(transition, self.because.values.iter().copied(), self.because.passes, None)
    }

    /// A transition whose conditions find these values.
    fn part_with(
        &self,
        transition: &Transition,
        values: impl Iterator<Item = ParameterValue>,
        passes: f64,
        blocked: Option<&str>,
    ) -> TransitionPart {
        let machine = &*self.machine;
        let condition = |(condition, value): (&Condition, ParameterValue)| ConditionPart {
            text: condition.text(machine),
            value: shown(value),
            holds: condition.holds_for(value),
        };
        TransitionPart {
            from: transition.from.map_or("*".into(), |from| machine.states[from].name.clone()),
            to: machine.states[transition.to].name.clone(),
            conditions: transition.conditions.iter().zip(values).map(condition).collect(),
            exit: transition.exit_time.map(|after| ExitPart {
                after,
                passes: Some(passes).filter(|passes| passes.is_finite()),
                holds: passes >= f64::from(after),
            }),
            fade_seconds: transition.fade.seconds,
            curve: transition.fade.curve.name().into(),
            blocked: blocked.map(str::to_owned),
        }
    }
}

impl Condition {
    /// As it is written in documents.
    fn text(&self, machine: &StateMachine) -> String {
        let name = machine.parameters.get(self.parameter()).map_or("", |(name, _)| name);
        match *self {
            Self::Is { wanted, .. } => format!("{}{name}", if wanted { "" } else { "!" }),
            Self::Compares { how, with, .. } => {
                let sign = match how {
                    Comparison::Above => ">",
                    Comparison::AtLeast => ">=",
                    Comparison::Below => "<",
                    Comparison::AtMost => "<=",
                    Comparison::Equal => "==",
                    Comparison::Unequal => "!=",
                };
                format!("{name} {sign} {with}")
            }
        }
    }
}

fn shown(value: ParameterValue) -> String {
    match value {
        ParameterValue::Bool(value) => value.to_string(),
        ParameterValue::Float(value) => value.to_string(),
        ParameterValue::Trigger(is_set) => if is_set { "set" } else { "not set" }.into(),
    }
}
