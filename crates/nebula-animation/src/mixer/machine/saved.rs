//! The saved state of a state machine's player.

use super::document::ParameterValue;
use super::parameters::{Expiry, Parameters};
use super::player::{StateChange, StateMachinePlayer};
use super::{StateId, StateMachine};
use crate::mixer::AnimationMixer;
use crate::mixer::motion::Motion;
use crate::state::{StateError, StateProblem, StateReader, StateWriter, Stateful, stateful};

impl StateMachinePlayer {
    // What is kept beside states, which are checked. What an update has told of changes is over; only what `go_to` did since then
    // is written.
    stateful!(flags { has_begun, is_told } given {} kept { action, count });

    /// The number that the mixer gave the first of the machine's blend spaces, if it has any and was used with the mixer.
    fn first_space(&self) -> Option<u32> {
        match self.spaces.first()? {
            Motion::Space(index) => u32::try_from(*index).ok(),
            Motion::Clip(_) => None,
        }
    }

    /// Copies what the last update of another player reported.
    pub(crate) fn tell_again(&mut self, before: &Self) {
        if self.is_told {
            self.changes.clone_from(&before.changes);
        }
    }

    /// Writes the player's state. The first word identifies the machine.
    pub(crate) fn write(&self, writer: &mut StateWriter) {
        writer.word(self.machine.fingerprint());
        writer.word(self.layer.index() as u32);
        writer.write(&self.first_space());
        self.write_state(writer);
        writer.word(self.state as u32);
        writer.write(&self.taken.map(|(transition, state)| (transition as u32, state as u32)));
        if self.taken.is_some() {
            writer.write(&self.because.passes);
            writer.count(self.because.values.len());
            self.because.values.iter().for_each(|value| write_value(*value, writer));
        }
        let untold = if self.is_told { &[][..] } else { &self.changes };
        let changes: Vec<(u32, u32)> =
            untold.iter().map(|change| (change.left.0 as u32, change.entered.0 as u32)).collect();
        writer.write(&changes);
        self.parameters.write(writer);
    }

    /// Reads what [`write`](StateMachinePlayer::write) wrote. The number of the first blend space in the record is returned, for
    /// [`number_spaces`].
    pub(crate) fn read(&mut self, reader: &mut StateReader<'_>) -> Result<Option<u32>, StateError> {
        if reader.word()? != self.machine.fingerprint() || reader.word()? != self.layer.index() as u32 {
            return Err(StateProblem::Another("state machine").into());
        }
        let mut first_space = None;
        reader.read(&mut first_space)?;
        self.read_state(reader)?;
        let machine = &*self.machine;
        let state = machine.checked(reader.word()?).map_err(|error| error.within("state"))?;
        if machine.leaf(state) != state {
            return Err(StateError::new(StateProblem::OutOfRange(state as u64)).within("state"));
        }
        let mut taken = None::<(u32, u32)>;
        reader.read(&mut taken)?;
        let taken = taken.map(|(transition, left)| {
            let known = usize::try_from(transition).ok().filter(|known| *known < machine.transitions.len());
            Ok((known.ok_or(StateProblem::OutOfRange(transition.into()))?, machine.checked(left)?))
        });
        let taken = taken.transpose().map_err(|error: StateError| error.within("taken"))?;
        if let Some((taken, _)) = taken {
            reader.read_any(&mut self.because.passes)?;
            self.because.values.clear();
            let (count, conditions) = (reader.length()?, &machine.transitions[taken].conditions);
            // A machine whose conditions have been edited since then goes on, and does not know why it came here.
            let is_known = count == conditions.len();
            for index in 0..count {
                let parameter = conditions.get(index).filter(|_| is_known).map(|condition| condition.parameter());
                let mut value =
                    parameter.map_or(ParameterValue::Float(0.0), |parameter| machine.parameters[parameter].1);
                read_value(&mut value, reader).map_err(|error| error.within("taken"))?;
                if is_known {
                    self.because.values.push(value);
                }
            }
        }
        let mut changes = Vec::<(u32, u32)>::new();
        reader.read(&mut changes)?;
        let change = |(left, entered)| {
            Ok(StateChange { left: StateId(machine.checked(left)?), entered: StateId(machine.checked(entered)?) })
        };
        let changes: Result<Vec<_>, StateError> = changes.into_iter().map(change).collect();
        let changes = changes.map_err(|error| error.within("changes"))?;
        self.parameters.read(reader).map_err(|error| error.within("parameters"))?;
        self.changes.clear();
        self.changes.extend(changes);
        (self.state, self.taken) = (state, taken);
        Ok(first_space)
    }
}

/// Gives the blend spaces of machines the numbers that they had where a state was written, each by its first one: machines that
/// have run there and not here hand theirs to the mixer, and those that have run here only take them back.
pub(crate) fn number_spaces(
    machines: &mut [StateMachinePlayer],
    firsts: &[Option<u32>],
    mixer: &mut AnimationMixer,
) -> Result<(), StateError> {
    let other = || StateError::new(StateProblem::Another("set of blend spaces"));
    // The last ones first: only what is at the end can be taken back.
    while let Some((_, player)) = firsts
        .iter()
        .zip(&mut *machines)
        .filter(|(first, player)| player.first_space().is_some() && player.first_space() != **first)
        .max_by_key(|(_, player)| player.first_space())
    {
        let first = player.first_space().map_or(0, |first| first as usize);
        if first + player.spaces.len() != mixer.spaces.len() {
            return Err(other());
        }
        mixer.truncate_spaces(first);
        player.spaces.clear();
        player.attached = None;
    }
    while let Some((first, player)) = firsts
        .iter()
        .zip(&mut *machines)
        .filter(|(first, player)| player.first_space().is_none() && first.is_some())
        .min_by_key(|(first, _)| **first)
    {
        player.attached = None;
        let attached = player.attach(mixer);
        attached.map_err(|misfit| StateProblem::Other(player.error(mixer, misfit).to_string()))?;
        if player.first_space() != *first {
            return Err(other());
        }
    }
    Ok(())
}

impl StateMachine {
    fn checked(&self, state: u32) -> Result<usize, StateError> {
        let known = usize::try_from(state).ok().filter(|known| *known < self.states.len());
        known.ok_or_else(|| StateProblem::OutOfRange(state.into()).into())
    }
}

fn write_value(value: ParameterValue, writer: &mut StateWriter) {
    match value {
        ParameterValue::Bool(value) | ParameterValue::Trigger(value) => writer.write(&value),
        ParameterValue::Float(value) => writer.write(&value),
    }
}

/// Reads a value of the kind that is there already.
fn read_value(value: &mut ParameterValue, reader: &mut StateReader<'_>) -> Result<(), StateError> {
    match value {
        ParameterValue::Bool(value) | ParameterValue::Trigger(value) => reader.read(value),
        ParameterValue::Float(value) => reader.read(value),
    }
}

impl Parameters {
    fn write(&self, writer: &mut StateWriter) {
        for (value, expiry) in self.values.iter().zip(&self.expiries) {
            write_value(*value, writer);
            if matches!(value, ParameterValue::Trigger(_)) {
                writer.write(expiry);
            }
        }
    }

    fn read(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        for (value, expiry) in self.values.iter_mut().zip(&mut self.expiries) {
            read_value(value, reader)?;
            if matches!(value, ParameterValue::Trigger(_)) {
                reader.read_any(expiry)?;
            }
        }
        Ok(())
    }
}

impl Stateful for Expiry {
    fn write_state(&self, writer: &mut StateWriter) {
        match *self {
            Self::Never => writer.word(0),
            Self::After(seconds) => writer.write(&(1_u32, seconds)),
            Self::At(end) => writer.write(&(2_u32, end)),
        }
    }

    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        let kind = reader.word()?;
        let mut seconds = 0.0;
        if kind != 0 {
            reader.read(&mut seconds)?;
        }
        *self = match kind {
            0 => Self::Never,
            1 => Self::After(seconds),
            2 => Self::At(seconds),
            other => return Err(StateProblem::OutOfRange(other.into()).into()),
        };
        Ok(())
    }
}
