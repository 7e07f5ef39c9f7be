//! Resolves the names of a document into indices, and detects everything that can be wrong with it.

use std::sync::Arc;

use glam::Vec2;

use super::condition::{Condition, kind};
use super::document::{BlendDocument, MachineDocument, ParameterValue, StateDocument, TransitionDocument};
use super::error::{MachineError, unknown};
use super::{Shows, State, StateMachine, Transition};
use crate::clip::ClipMarkers;
use crate::compile::Clips;
use crate::mixer::fade::Fade;
use crate::mixer::space::{BlendSpace, BlendSpaceError};

/// How deep machines may lie within each other.
const DEEPEST: usize = 16;

pub(super) fn check(
    document: &MachineDocument,
    clips: &dyn Clips,
    markers: &ClipMarkers,
) -> Result<StateMachine, MachineError> {
    for (index, (name, value)) in document.parameters.iter().enumerate() {
        let field = format!("parameters.{name}");
        if name.trim().is_empty() || name.trim() != name || name.contains(['<', '>', '=', '!']) {
            let problem =
                format!("{name:?} is no name: it is empty, begins or ends with a space, or holds one of <>=!");
            return Err(MachineError::new("", "parameters", problem));
        }
        if document.parameters[..index].iter().any(|(other, _)| other == name) {
            return Err(MachineError::new("", field, "is given twice"));
        }
        if matches!(value, ParameterValue::Float(number) if !number.is_finite()) {
            return Err(MachineError::new("", field, "is not finite"));
        }
    }
    let machine = StateMachine {
        parameters: document.parameters.clone(),
        states: Vec::new(),
        transitions: Vec::new(),
        spaces: Vec::new(),
        start: 0,
        clips: Vec::new(),
    };
    let mut check = Check { machine, clips, markers };
    check.machine.start = check.machine(document, None, "", 0)?;
    Ok(check.machine)
}

struct Check<'a> {
    machine: StateMachine,
    clips: &'a dyn Clips,
    markers: &'a ClipMarkers,
}

impl Check<'_> {
    /// Adds a machine's states and transitions, and gives its first state. `place` is empty or says what it is within.
    fn machine(
        &mut self,
        document: &MachineDocument,
        parent: Option<usize>,
        place: &str,
        depth: usize,
    ) -> Result<usize, MachineError> {
        if depth > DEEPEST {
            return Err(MachineError::new(place, "machine", format!("is more than {DEEPEST} machines deep")));
        }
        if parent.is_some() && !document.parameters.is_empty() {
            return Err(MachineError::new(place, "parameters", "belong into the outermost machine"));
        }
        if document.states.is_empty() {
            return Err(MachineError::new(place, "states", "is empty, expected at least one"));
        }
        // All states of a machine come before those within them.
        let first = self.machine.states.len();
        for (index, state) in document.states.iter().enumerate() {
            let here = inside(place, &format!("state {:?}", state.name));
            if state.name.trim().is_empty() || state.name == "*" {
                let here = inside(place, &format!("states[{index}]"));
                return Err(MachineError::new(&here, "name", format!("{:?} is no name", state.name)));
            }
            if document.states[..index].iter().any(|other| other.name == state.name) {
                return Err(MachineError::new(&here, "name", "is given twice"));
            }
            let state = self.state(state, parent, &here)?;
            self.machine.states.push(state);
        }
        let names = || document.states.iter().map(|state| state.name.as_str());
        let find = |name: &str| names().position(|known| known == name).map(|index| first + index);
        let start = find(&document.start)
            .ok_or_else(|| MachineError::new(place, "start", unknown(&document.start, names())))?;
        for transition in &document.transitions {
            let here = inside(place, &format!("transition {:?} -> {:?}", transition.from, transition.to));
            let lost = |field: &str, name: &str| MachineError::new(&here, field, unknown(name, names()));
            let from = match transition.from.as_str() {
                "*" => None,
                name => Some(find(name).ok_or_else(|| lost("from", name))?),
            };
            let to = find(&transition.to).ok_or_else(|| lost("to", &transition.to))?;
            let made = self.transition(transition, from, to, &here)?;
            let number = self.machine.transitions.len();
            for state in first..first + document.states.len() {
                if from.map_or(state != to, |from| state == from) {
                    self.machine.states[state].exits.push(number);
                }
            }
            self.machine.transitions.push(made);
        }
        for (index, state) in document.states.iter().enumerate() {
            if let Some(within) = &state.machine {
                let here = inside(place, &format!("state {:?}", state.name));
                let start = self.machine(within, Some(first + index), &here, depth + 1)?;
                self.machine.states[first + index].shows = Shows::Machine { start };
            }
        }
        Ok(start)
    }

    fn state(&mut self, state: &StateDocument, parent: Option<usize>, here: &str) -> Result<State, MachineError> {
        let given = [state.clip.is_some(), state.blend.is_some(), state.machine.is_some(), state.empty];
        let shows = match (given.iter().filter(|is_given| **is_given).count(), &state.clip, &state.blend) {
            (1, Some(name), _) => {
                let clip = self.clip(name).map_err(|problem| MachineError::new(here, "clip", problem))?;
                Shows::Clip(clip)
            }
            (1, _, Some(blend)) => self.blend(blend, here)?,
            (1, ..) if state.empty => Shows::Nothing,
            // Its states come later.
            (1, ..) => Shows::Machine { start: 0 },
            (0, ..) => return Err(MachineError::new(here, "clip", "is missing, and so are blend, machine and empty")),
            _ => {
                return Err(MachineError::new(here, "clip", "only one of clip, blend, machine and empty can be given"));
            }
        };
        if !state.speed.is_finite() {
            return Err(MachineError::new(here, "speed", format!("is {}, expected a finite number", state.speed)));
        }
        if !(0.0..=1.0).contains(&state.begin) {
            return Err(MachineError::new(here, "begin", format!("is {}, expected 0 to 1", state.begin)));
        }
        let speed_by = match &state.speed_by {
            Some(name) => Some(self.number(name).map_err(|problem| MachineError::new(here, "speed_by", problem))?),
            None => None,
        };
        let plays = state.clip.is_some() || state.blend.is_some();
        if !plays && (state.speed != 1.0 || speed_by.is_some() || !state.looping || state.begin != 0.0) {
            let problem = match state.empty {
                true => "belongs to what is played, as do speed_by, looping and begin",
                false => "belongs to the states within, as do speed_by, looping and begin",
            };
            return Err(MachineError::new(here, "speed", problem));
        }
        Ok(State {
            name: state.name.clone(),
            parent,
            shows,
            speed: state.speed,
            speed_by,
            looping: state.looping,
            begin: state.begin,
            exits: Vec::new(),
        })
    }

    fn blend(&mut self, blend: &BlendDocument, here: &str) -> Result<Shows, MachineError> {
        let fail = |field: String, problem: String| MachineError::new(here, format!("blend.{field}"), problem);
        let x = self.number(&blend.x).map_err(|problem| fail("x".into(), problem))?;
        let y = match &blend.y {
            Some(name) => Some(self.number(name).map_err(|problem| fail("y".into(), problem))?),
            None => None,
        };
        let mut samples = Vec::with_capacity(blend.samples.len());
        for (index, sample) in blend.samples.iter().enumerate() {
            let clip = self.clip(&sample.clip).map_err(|problem| fail(format!("samples[{index}].clip"), problem))?;
            if y.is_none() && sample.y != 0.0 {
                let problem = format!("is {}, but the blend has no y parameter", sample.y);
                return Err(fail(format!("samples[{index}].y"), problem));
            }
            samples.push((Vec2::new(sample.x, sample.y), clip));
        }
        let sync_field = |error: &BlendSpaceError| match error {
            BlendSpaceError::Marker { .. } | BlendSpaceError::Order { .. } => "sync",
            _ => "samples",
        };
        let space = BlendSpace::plane(self.clips, &samples)
            .and_then(|space| space.synchronised(self.clips, self.markers, &blend.sync))
            .map_err(|error| fail(sync_field(&error).into(), error.to_string()))?;
        let mut names = blend.sync.iter();
        while let Some(name) = names.next() {
            if names.as_slice().contains(name) {
                return Err(fail("sync".into(), format!("{name:?} is given twice")));
            }
            let has_it = |&(_, clip): &(Vec2, usize)| self.markers.of(clip).iter().any(|marker| marker.name == *name);
            if !samples.iter().any(has_it) {
                return Err(fail("sync".into(), format!("no clip has a marker {name:?}")));
            }
        }
        self.machine.spaces.push(Arc::new(space));
        Ok(Shows::Space { space: self.machine.spaces.len() - 1, x, y })
    }

    fn transition(
        &self,
        document: &TransitionDocument,
        from: Option<usize>,
        to: usize,
        here: &str,
    ) -> Result<Transition, MachineError> {
        let mut conditions = Vec::with_capacity(document.when.len());
        for (index, text) in document.when.iter().enumerate() {
            let condition = Condition::parse(text, &self.machine.parameters);
            conditions.push(condition.map_err(|problem| MachineError::new(here, format!("when[{index}]"), problem))?);
        }
        if !(document.fade >= 0.0 && document.fade.is_finite()) {
            let problem = format!("is {}, expected a number of seconds of at least 0", document.fade);
            return Err(MachineError::new(here, "fade", problem));
        }
        if let Some(exit_time) = document.exit_time {
            let is_endless = from.is_none_or(|from| self.machine.states[from].looping);
            if !(exit_time >= 0.0 && exit_time.is_finite()) {
                let problem = format!("is {exit_time}, expected a number of passes of at least 0");
                return Err(MachineError::new(here, "exit_time", problem));
            }
            if exit_time > 1.0 && !is_endless {
                let problem = format!("is {exit_time}, but the state is played once");
                return Err(MachineError::new(here, "exit_time", problem));
            }
        } else if conditions.is_empty() {
            return Err(MachineError::new(here, "when", "is empty, and there is no exit_time: it would never wait"));
        }
        Ok(Transition {
            from,
            to,
            conditions,
            exit_time: document.exit_time,
            fade: Fade { seconds: document.fade, curve: document.curve },
            interruption: document.interruption,
            keeps_phase: document.keeps_phase,
        })
    }

    fn clip(&mut self, name: &str) -> Result<usize, String> {
        let names = || (0..self.clips.clip_count()).filter_map(|clip| self.clips.clip_name(clip));
        let index = names().position(|known| known == name).ok_or_else(|| unknown(name, names()))?;
        if !self.machine.clips.iter().any(|(known, _)| *known == index) {
            self.machine.clips.push((index, name.to_owned()));
        }
        Ok(index)
    }

    /// A parameter that is a number.
    fn number(&self, name: &str) -> Result<usize, String> {
        let parameters = &self.machine.parameters;
        let found = parameters.iter().position(|(known, _)| known == name);
        let index = found.ok_or_else(|| unknown(name, parameters.iter().map(|(name, _)| name.as_str())))?;
        match parameters[index].1 {
            ParameterValue::Float(_) => Ok(index),
            other => Err(format!("{name:?} is {}, expected a number", kind(other))),
        }
    }
}

fn inside(place: &str, what: &str) -> String {
    if place.is_empty() { what.into() } else { format!("{place}, {what}") }
}
