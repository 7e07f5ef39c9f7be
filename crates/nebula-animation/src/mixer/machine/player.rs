use std::sync::Arc;

use glam::Vec2;

use super::document::ParameterValue;
use super::parameters::Parameters;
use super::{Shows, StateId, StateMachine};
use crate::frame::LayerId;
use crate::mixer::AnimationMixer;
use crate::mixer::action::AnimationAction;
use crate::mixer::error::{PlayError, UnknownName};
use crate::mixer::fade::Fade;
use crate::mixer::motion::Motion;

/// Runs a [`StateMachine`] for one mixer. Call [`update`](StateMachinePlayer::update) before the mixer's own update.
///
/// Nothing is allocated after the first update.
///
/// ```
/// use nebula_animation::{
///     AnimationClip, AnimationClipLibrary, AnimationMixer, ClipMarkers, Rig, Skeleton, StateMachine,
///     StateMachinePlayer, mixer::{MachineDocument, ParameterValue, StateDocument, TransitionDocument},
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
/// let speed = player.parameter("speed")?;
/// player.set_float(speed, 1.4)?;
/// player.update(&mut mixer);
/// mixer.update(1.0 / 60.0);
/// assert_eq!(player.state_name(), "idle", "that is where it starts");
/// player.update(&mut mixer);
/// assert_eq!(player.state_name(), "walk");
/// assert_eq!(player.changes()[0].left, player.state_named("idle")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct StateMachinePlayer {
    pub(super) machine: Arc<StateMachine>,
    pub(super) parameters: Parameters,
    /// What the mixer calls the machine's blend spaces.
    pub(super) spaces: Vec<Motion>,
    pub(super) layer: LayerId,
    /// The innermost state.
    pub(super) state: usize,
    /// The id of the action that plays it; `None` if it plays nothing.
    pub(super) action: Option<u64>,
    /// The transition that led here, and the innermost state that it left.
    pub(super) taken: Option<(usize, usize)>,
    /// Why it was taken.
    pub(super) because: Because,
    /// How many transitions have been taken.
    pub(super) count: u64,
    pub(super) changes: Vec<StateChange>,
    /// Whether an update has reported all changes.
    pub(super) is_told: bool,
    /// Whether the first state has been entered.
    pub(super) has_begun: bool,
    /// The mixer whose clips were compared with the machine's, and which of the machine's differs.
    pub(super) attached: Option<(u64, Option<usize>)>,
    has_warned: bool,
}

/// A change from one state to another. See [`StateMachinePlayer::changes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct StateChange {
    /// The innermost state that was left.
    pub left: StateId,
    /// The innermost state that was entered.
    pub entered: StateId,
}

/// What opened a transition.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Because {
    /// The values that its conditions looked at, one after the other.
    pub values: Vec<ParameterValue>,
    /// How often the motion of the state that it left had been played; infinite where that is nothing.
    pub passes: f64,
}

/// Why a mixer is not one for the machine.
#[derive(Debug, Clone, Copy)]
pub(super) enum Misfit {
    Layer,
    /// The number of the machine's clip that differs.
    Clip(usize),
}

impl StateMachinePlayer {
    /// Creates a player for the base layer of a mixer. It starts with the next update.
    #[must_use]
    pub fn new(machine: impl Into<Arc<StateMachine>>) -> Self {
        let machine = machine.into();
        Self {
            parameters: Parameters::new(&machine.parameters),
            spaces: Vec::with_capacity(machine.spaces.len()),
            layer: LayerId::BASE,
            state: machine.leaf(machine.start),
            because: Because { values: Vec::with_capacity(machine.most_conditions()), passes: 0.0 },
            machine,
            action: None,
            taken: None,
            count: 0,
            changes: Vec::with_capacity(2),
            is_told: false,
            has_begun: false,
            attached: None,
            has_warned: false,
        }
    }

    /// The same player, for another layer of the mixer.
    #[must_use]
    pub fn on_layer(self, layer: LayerId) -> Self {
        Self { layer, ..self }
    }

    /// The state machine.
    #[must_use]
    pub fn machine(&self) -> &Arc<StateMachine> {
        &self.machine
    }

    /// The current state, or the one being faded to: the innermost one.
    #[must_use]
    pub fn state(&self) -> StateId {
        StateId(self.state)
    }

    /// Name of the current state.
    #[must_use]
    pub fn state_name(&self) -> &str {
        &self.machine.states[self.state].name
    }

    /// `true` if a state is current or being faded to: the innermost one, or one that contains it.
    #[must_use]
    pub fn is_in(&self, state: StateId) -> bool {
        let outwards = |at: &usize| self.machine.states[*at].parent;
        std::iter::successors(Some(self.state), outwards).any(|at| at == state.0)
    }

    /// The first state with this name, outer machines before inner ones.
    ///
    /// # Errors
    /// There is no such state; similar names are listed.
    pub fn state_named(&self, name: &str) -> Result<StateId, UnknownName> {
        self.machine.state_named(name)
    }

    /// What happened in the last update: at most one transition, preceded by the calls of
    /// [`go_to`](StateMachinePlayer::go_to) since the previous update. Entering the initial state is not reported.
    ///
    /// ```
    /// # use nebula_animation::StateMachinePlayer;
    /// fn listen(player: &StateMachinePlayer) {
    ///     for change in player.changes() {
    ///         println!("from {:?} to {:?}", player.machine().state_name(change.left), player.state_name());
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn changes(&self) -> &[StateChange] {
        &self.changes
    }

    /// How many transitions have been taken.
    #[must_use]
    pub fn transitions_taken(&self) -> u64 {
        self.count
    }

    /// Goes to a state, regardless of transitions.
    ///
    /// # Errors
    /// The machine has no such state, or the mixer lacks its layer or its clips; nothing changes then.
    pub fn go_to(
        &mut self,
        mixer: &mut AnimationMixer,
        state: StateId,
        fade: impl Into<Fade>,
    ) -> Result<(), PlayError> {
        let count = self.machine.states.len();
        if state.0 >= count {
            return Err(PlayError::NoSuchState { index: state.0, count });
        }
        self.attach(mixer).map_err(|misfit| self.error(mixer, misfit))?;
        self.taken = None;
        self.change(mixer, state.0, fade.into(), false);
        Ok(())
    }

    /// Enters the initial state, or takes a transition if one is open, and updates blend positions and speeds from the
    /// parameters.
    ///
    /// Has no effect if the mixer lacks the layer or the clips that the machine was built for; this is logged once.
    pub fn update(&mut self, mixer: &mut AnimationMixer) {
        if std::mem::replace(&mut self.is_told, false) {
            self.changes.clear();
        }
        self.go_on(mixer);
        self.is_told = true;
    }

    fn go_on(&mut self, mixer: &mut AnimationMixer) {
        if let Err(misfit) = self.attach(mixer) {
            if !std::mem::replace(&mut self.has_warned, true) {
                log::error!("a state machine does nothing: {}", self.error(mixer, misfit));
            }
            return;
        }
        self.parameters.expire(mixer.elapsed());
        if !self.has_begun {
            self.enter(mixer, self.state, Fade::NONE, false);
        } else if let Some(open) = self.open_transition(mixer) {
            let machine = Arc::clone(&self.machine);
            let transition = &machine.transitions[open];
            self.because.passes = mixer.layer(self.layer).map_or(0.0, |layer| self.passes(layer));
            self.because.values.clear();
            let looked_at = transition.conditions.iter().map(|condition| self.parameters.values[condition.parameter()]);
            self.because.values.extend(looked_at);
            transition.conditions.iter().for_each(|condition| condition.consume(&mut self.parameters.values));
            self.taken = Some((open, self.state));
            self.count += 1;
            self.change(mixer, transition.to, transition.fade, transition.keeps_phase);
        }
        self.follow_parameters(mixer);
    }

    /// Looks whether the mixer has the layer and the clips, and gives it the machine's blend spaces; each once.
    pub(super) fn attach(&mut self, mixer: &mut AnimationMixer) -> Result<(), Misfit> {
        if mixer.layer(self.layer).is_none() {
            return Err(Misfit::Layer);
        }
        let misfit = match self.attached {
            Some((known, misfit)) if known == mixer.id() => misfit,
            _ => {
                let clips = mixer.clips();
                let is_other =
                    |(index, name): &(usize, String)| clips.get(*index).is_none_or(|clip| clip.name() != name);
                let misfit = self.machine.clips.iter().position(is_other);
                self.spaces.clear();
                if misfit.is_none() {
                    let spaces = self.machine.spaces.iter().map(|space| mixer.add_blend_space(Arc::clone(space)));
                    self.spaces.extend(spaces);
                }
                self.attached = Some((mixer.id(), misfit));
                misfit
            }
        };
        misfit.map_or(Ok(()), |misfit| Err(Misfit::Clip(misfit)))
    }

    pub(super) fn error(&self, mixer: &AnimationMixer, misfit: Misfit) -> PlayError {
        match misfit {
            Misfit::Layer => PlayError::NoSuchLayer { layer: self.layer, count: mixer.layers().count() },
            Misfit::Clip(number) => {
                let (index, expected) = self.machine.clips[number].clone();
                let found = mixer.clips().get(index).map(|clip| clip.name().to_owned());
                PlayError::OtherClips { index, expected, found }
            }
        }
    }

    /// Enters a state, and reports it.
    fn change(&mut self, mixer: &mut AnimationMixer, state: usize, fade: Fade, keeps_phase: bool) {
        let left = self.state();
        self.enter(mixer, state, fade, keeps_phase);
        if std::mem::replace(&mut self.is_told, false) {
            self.changes.clear();
        }
        self.changes.push(StateChange { left, entered: self.state() });
    }

    fn enter(&mut self, mixer: &mut AnimationMixer, state: usize, fade: Fade, keeps_phase: bool) {
        (self.state, self.has_begun) = (self.machine.leaf(state), true);
        // A blend begins where the parameters are.
        self.place_spaces(mixer);
        let shown = &self.machine.states[self.state];
        let Some(layer) = mixer.layer_mut(self.layer) else { return };
        let motion = match shown.shows {
            Shows::Clip(clip) => Motion::Clip(clip),
            Shows::Space { space, .. } => self.spaces[space],
            Shows::Nothing | Shows::Machine { .. } => {
                layer.stop(fade);
                self.action = None;
                return;
            }
        };
        let kept = layer.current_action.as_ref().filter(|_| keeps_phase).map(phase_of);
        let phase = kept.or((shown.begin > 0.0).then_some(shown.begin.into()));
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
                    log::error!("state \"{}\": {error}", shown.name.escape_debug());
                }
            }
        }
    }

    fn speed(&self) -> f32 {
        let state = &self.machine.states[self.state];
        state.speed_by.map_or(state.speed, |parameter| state.speed * self.parameters.number(parameter))
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
        let number = |parameter: usize| self.parameters.number(parameter);
        for state in &self.machine.states {
            if let Shows::Space { space, x, y } = state.shows {
                let place = Vec2::new(number(x), y.map_or(0.0, number));
                // It is there since the machine was attached to the mixer.
                let _ = mixer.set_blend_position(self.spaces[space], place);
            }
        }
    }
}

/// How far an action is in its pass, from 0 to 1.
fn phase_of(action: &AnimationAction) -> f64 {
    let length = f64::from(action.duration());
    if length > 0.0 { f64::from(action.time) / length } else { 0.0 }
}
