//! Finds the transition to take.

use super::Shows;
use super::document::Interruption;
use super::player::StateMachinePlayer;
use crate::mixer::AnimationMixer;
use crate::mixer::action::AnimationAction;
use crate::mixer::layer::MixerLayer;

impl StateMachinePlayer {
    /// The first transition that is open.
    pub(super) fn open_transition(&self, mixer: &AnimationMixer) -> Option<usize> {
        let layer = mixer.layer(self.layer)?;
        let passes = self.passes(layer);
        let of_target = || {
            self.open_exit(self.state, |exit| {
                self.machine.transitions[exit].exit_time.is_none_or(|time| passes >= f64::from(time))
            })
        };
        let fading = self.taken.filter(|_| layer.is_fading() && self.is_shown(layer));
        let Some((taken, source)) = fading else { return of_target() };
        // Of the state that was left, nobody knows any more how far it would be.
        let of_source = || {
            self.open_exit(source, |exit| self.machine.transitions[exit].exit_time.is_none() && !self.leads_here(exit))
        };
        match self.machine.transitions[taken].interruption {
            Interruption::Never => None,
            Interruption::Target => of_target(),
            Interruption::Source => of_source(),
            Interruption::Both => of_source().or_else(of_target),
        }
    }

    /// The first acceptable open transition out of a state, or of those around it, which come first.
    fn open_exit(&self, state: usize, accepts: impl Fn(usize) -> bool + Copy) -> Option<usize> {
        let outer = self.machine.states[state].parent.and_then(|parent| self.open_exit(parent, accepts));
        outer.or_else(|| {
            let conditions = |exit: usize| self.machine.transitions[exit].conditions.iter();
            let is_open = |exit: &usize| conditions(*exit).all(|condition| condition.holds(&self.parameters.values));
            self.machine.states[state].exits.iter().copied().find(|exit| accepts(*exit) && is_open(exit))
        })
    }

    /// Whether nothing happens until a parameter is set: no trigger expires, and no transition waits for its time.
    pub(crate) fn is_waiting(&self, mixer: &AnimationMixer) -> bool {
        let is_attached = self.attached.is_some_and(|(known, misfit)| known == mixer.id() && misfit.is_none());
        let is_still = self.has_begun && self.is_told && self.changes.is_empty() && !self.parameters.expires();
        is_attached && is_still && self.open_exit(self.state, |_| true).is_none()
    }

    /// Whether a transition leads to the present state, or to one that it is within.
    pub(super) fn leads_here(&self, transition: usize) -> bool {
        let to = self.machine.transitions[transition].to;
        let mut at = Some(self.state);
        while let Some(state) = at.filter(|state| *state != to) {
            at = self.machine.states[state].parent;
        }
        at.is_some()
    }

    fn own_action<'a>(&self, layer: &'a MixerLayer) -> Option<&'a AnimationAction> {
        layer.current_action.as_ref().filter(|action| Some(action.id()) == self.action)
    }

    /// Whether the layer shows the state, and not what somebody else plays there.
    pub(super) fn is_shown(&self, layer: &MixerLayer) -> bool {
        layer.current_action.as_ref().map(AnimationAction::id) == self.action
    }

    /// How often the motion of the state has been played.
    pub(super) fn passes(&self, layer: &MixerLayer) -> f64 {
        if self.machine.states[self.state].shows == Shows::Nothing {
            // Nothing is over before it begins.
            return f64::INFINITY;
        }
        let Some(action) = self.own_action(layer) else { return 0.0 };
        let length = f64::from(action.duration());
        if !(length > 0.0) {
            // A single pose has been played as often as anybody likes.
            return f64::INFINITY;
        }
        let start = if self.machine.states[self.state].speed < 0.0 { length } else { 0.0 };
        (action.total_time() - start).abs() / length
    }
}
