use std::sync::Arc;

use glam::Vec2;

use super::document::{Interruption, ParameterValue};
use super::{Shows, StateMachine};
use crate::mixer::AnimationMixer;
use crate::mixer::action::AnimationAction;
use crate::mixer::fade::Fade;
use crate::mixer::layer::MixerLayer;
use crate::mixer::motion::Motion;

/// Goes through a [`StateMachine`] for one mixer: call [`update`](StateMachinePlayer::update) before the mixer's own.
///
/// Nothing is allocated after the first update.
///
/// ```
/// use nebula_animation::{
///     AnimationClip, AnimationClipLibrary, AnimationMixer, ClipMarkers, MachineDocument, ParameterValue, Rig, Skeleton,
///     StateDocument, StateMachine, StateMachinePlayer, TransitionDocument,
/// };
///
/// let clip = |name: &str| AnimationClip { name: name.into(), duration: 1.0, ..Default::default() };
/// let clips = AnimationClipLibrary::new(&Rig::new(Skeleton::default()), &[clip("idle"), clip("walk")]);
/// let document = MachineDocument::new("idle")
///     .with_parameter("speed", ParameterValue::Float(0.0))
///     .with_state(StateDocument::clip("idle", "idle"))
///     .with_state(StateDocument::clip("walk", "walk"))
///     .with_transition(TransitionDocument::new("idle", "walk").when("speed > 0.1"))
///     .with_transition(TransitionDocument::new("walk", "idle").when("speed <= 0.1"));
/// let machine = StateMachine::new(&document, &clips, &ClipMarkers::new())?;
///
/// let mut mixer = AnimationMixer::new(clips);
/// let mut player = StateMachinePlayer::new(machine);
/// let speed = player.parameter("speed").expect("it is there");
/// player.set_float(speed, 1.4);
/// player.update(&mut mixer);
/// mixer.update(1.0 / 60.0);
/// assert_eq!(player.state_name(), "idle", "that is where it starts");
/// player.update(&mut mixer);
/// assert_eq!(player.state_name(), "walk");
/// # Ok::<(), nebula_animation::MachineError>(())
/// ```
#[derive(Debug, Clone)]
pub struct StateMachinePlayer {
    machine: Arc<StateMachine>,
    values: Vec<ParameterValue>,
    /// What the mixer calls the machine's blend spaces.
    spaces: Vec<Motion>,
    layer: usize,
    /// The innermost state.
    state: usize,
    /// The number of the action that shows it; `None` before the first update.
    action: Option<u64>,
    /// The transition that led here, and the innermost state that it left.
    taken: Option<(usize, usize)>,
    /// How many transitions have been taken.
    count: u64,
    has_warned: bool,
}

/// A parameter of a [`StateMachine`], found by [`StateMachinePlayer::parameter`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParameterId(usize);

impl StateMachinePlayer {
    /// A player that has not begun, for the base layer of a mixer.
    #[must_use]
    pub fn new(machine: impl Into<Arc<StateMachine>>) -> Self {
        let machine = machine.into();
        let values = machine.parameters.iter().map(|(_, value)| *value).collect();
        let (state, spaces) = (machine.leaf(machine.start), Vec::with_capacity(machine.spaces.len()));
        Self { machine, values, spaces, layer: 0, state, action: None, taken: None, count: 0, has_warned: false }
    }

    /// The same player for another layer, by its index in the mixer.
    #[must_use]
    pub fn on_layer(self, layer: usize) -> Self {
        Self { layer, ..self }
    }

    /// The machine.
    #[must_use]
    pub fn machine(&self) -> &Arc<StateMachine> {
        &self.machine
    }

    /// The state that is shown or faded to, the innermost one.
    #[must_use]
    pub fn state(&self) -> usize {
        self.state
    }

    /// Its name.
    #[must_use]
    pub fn state_name(&self) -> &str {
        &self.machine.states[self.state].name
    }

    /// Whether a state of this name is shown or faded to: the innermost one, or one that it is within.
    #[must_use]
    pub fn is_in(&self, name: &str) -> bool {
        let mut at = Some(self.state);
        while let Some(state) = at {
            if self.machine.states[state].name == name {
                return true;
            }
            at = self.machine.states[state].parent;
        }
        false
    }

    /// How many transitions have been taken.
    #[must_use]
    pub fn transitions_taken(&self) -> u64 {
        self.count
    }

    /// Finds a parameter. A linear search: do it once, and keep the result.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<ParameterId> {
        self.machine.parameters.iter().position(|(known, _)| known == name).map(ParameterId)
    }

    /// The value of a parameter; `None` for one of another machine.
    #[must_use]
    pub fn value(&self, parameter: ParameterId) -> Option<ParameterValue> {
        self.values.get(parameter.0).copied()
    }

    /// Sets a parameter that is true or false. Whether there is such a one.
    pub fn set_bool(&mut self, parameter: ParameterId, value: bool) -> bool {
        self.set(parameter, ParameterValue::Bool(value))
    }

    /// Sets a parameter that is a number. Whether there is such a one; a number that is not finite is ignored.
    pub fn set_float(&mut self, parameter: ParameterId, value: f32) -> bool {
        self.set(parameter, ParameterValue::Float(value))
    }

    /// Sets a trigger, until a transition takes notice of it. Whether there is such a one.
    pub fn trigger(&mut self, parameter: ParameterId) -> bool {
        self.set(parameter, ParameterValue::Trigger(true))
    }

    /// Takes a trigger back. Whether there is such a one.
    pub fn reset_trigger(&mut self, parameter: ParameterId) -> bool {
        self.set(parameter, ParameterValue::Trigger(false))
    }

    /// Sets a parameter to a value of its own kind. Whether there is such a one.
    pub fn set(&mut self, parameter: ParameterId, value: ParameterValue) -> bool {
        match (self.values.get_mut(parameter.0), value) {
            (Some(ParameterValue::Float(_)), ParameterValue::Float(number)) if !number.is_finite() => true,
            (Some(known), value) if std::mem::discriminant(known) == std::mem::discriminant(&value) => {
                *known = value;
                true
            }
            _ => false,
        }
    }

    /// Goes to a state, whatever the transitions say. Whether there is such a one.
    pub fn go_to(&mut self, mixer: &mut AnimationMixer, state: usize, fade: impl Into<Fade>) -> bool {
        if state >= self.machine.states.len() || !self.attach(mixer) {
            return false;
        }
        self.taken = None;
        self.enter(mixer, state, fade.into(), false);
        true
    }

    /// Begins with the first state, or takes a transition if one is open, and keeps blends and speeds with the parameters.
    pub fn update(&mut self, mixer: &mut AnimationMixer) {
        if !self.attach(mixer) {
            return;
        }
        if self.action.is_none() {
            self.enter(mixer, self.state, Fade::NONE, false);
        } else if let Some(open) = self.open_transition(mixer) {
            let machine = Arc::clone(&self.machine);
            let transition = &machine.transitions[open];
            transition.conditions.iter().for_each(|condition| condition.consume(&mut self.values));
            self.taken = Some((open, self.state));
            self.count += 1;
            self.enter(mixer, transition.to, transition.fade, transition.keeps_phase);
        }
        self.follow_parameters(mixer);
    }

    /// Gives the mixer the machine's blend spaces, once. Whether the mixer has the layer.
    fn attach(&mut self, mixer: &mut AnimationMixer) -> bool {
        let is_there = mixer.layer(self.layer).is_some();
        if !is_there && !std::mem::replace(&mut self.has_warned, true) {
            log::warn!("the mixer has no layer {}: the state machine does nothing", self.layer);
        }
        if is_there {
            for (index, space) in self.machine.spaces.iter().enumerate() {
                match self.spaces.get_mut(index) {
                    None => self.spaces.push(mixer.add_blend_space(Arc::clone(space))),
                    // A new mixer has to be told again.
                    Some(known) if mixer.blend_position(*known).is_none() => {
                        *known = mixer.add_blend_space(Arc::clone(space));
                    }
                    Some(_) => {}
                }
            }
        }
        is_there
    }

    fn enter(&mut self, mixer: &mut AnimationMixer, state: usize, fade: Fade, keeps_phase: bool) {
        self.state = self.machine.leaf(state);
        let shown = &self.machine.states[self.state];
        let motion = match shown.shows {
            Shows::Clip(clip) => Motion::Clip(clip),
            Shows::Space { space, .. } => self.spaces[space],
            Shows::Machine { .. } => return,
        };
        // A blend begins where the parameters are.
        self.place_spaces(mixer);
        let Some(layer) = mixer.layer_mut(self.layer) else { return };
        let phase = layer.current_action.as_ref().filter(|_| keeps_phase).map(phase_of);
        match layer.restart(motion, fade) {
            Ok(action) => {
                (action.looping, action.speed) = (shown.looping, self.speed());
                if let Some(phase) = phase {
                    action.seek(phase * f64::from(action.duration()));
                }
                self.action = Some(action.id());
            }
            Err(error) => {
                self.action = Some(u64::MAX);
                if !std::mem::replace(&mut self.has_warned, true) {
                    log::warn!("state \"{}\": {error}", shown.name.escape_debug());
                }
            }
        }
    }

    /// The first transition that is open.
    fn open_transition(&self, mixer: &AnimationMixer) -> Option<usize> {
        let layer = mixer.layer(self.layer)?;
        let passes = self.passes(layer);
        let of_target = || {
            self.open_exit(self.state, |exit| {
                self.machine.transitions[exit].exit_time.is_none_or(|time| passes >= f64::from(time))
            })
        };
        let fading = self.taken.filter(|_| layer.is_fading() && self.own_action(layer).is_some());
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
            let is_open = |exit: &usize| conditions(*exit).all(|condition| condition.holds(&self.values));
            self.machine.states[state].exits.iter().copied().find(|exit| accepts(*exit) && is_open(exit))
        })
    }

    /// Whether a transition leads to the present state, or to one that it is within.
    fn leads_here(&self, transition: usize) -> bool {
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

    /// How often the motion of the state has been played.
    fn passes(&self, layer: &MixerLayer) -> f64 {
        let Some(action) = self.own_action(layer) else { return 0.0 };
        let length = f64::from(action.duration());
        if !(length > 0.0) {
            // A single pose has been played as often as anybody likes.
            return f64::INFINITY;
        }
        let start = if self.machine.states[self.state].speed < 0.0 { length } else { 0.0 };
        (action.total_time() - start).abs() / length
    }

    fn speed(&self) -> f32 {
        let state = &self.machine.states[self.state];
        match state.speed_by.and_then(|parameter| self.values.get(parameter)) {
            Some(ParameterValue::Float(factor)) => state.speed * factor,
            _ => state.speed,
        }
    }

    fn follow_parameters(&self, mixer: &mut AnimationMixer) {
        self.place_spaces(mixer);
        let (own, speed) = (self.action, self.speed());
        let has_factor = self.machine.states[self.state].speed_by.is_some();
        let action = mixer.layer_mut(self.layer).and_then(|layer| layer.current_action.as_mut());
        if let Some(action) = action.filter(|action| has_factor && Some(action.id()) == own) {
            action.speed = speed;
        }
    }

    /// Looks at the blend spaces where the parameters are.
    fn place_spaces(&self, mixer: &mut AnimationMixer) {
        let number = |parameter: usize| match self.values.get(parameter) {
            Some(ParameterValue::Float(number)) => *number,
            _ => 0.0,
        };
        for state in &self.machine.states {
            if let Shows::Space { space, x, y } = state.shows {
                mixer.set_blend_position(self.spaces[space], Vec2::new(number(x), y.map_or(0.0, number)));
            }
        }
    }
}

/// How far an action is in its pass, from 0 to 1.
fn phase_of(action: &AnimationAction) -> f64 {
    let length = f64::from(action.duration());
    if length > 0.0 { f64::from(action.time) / length } else { 0.0 }
}
