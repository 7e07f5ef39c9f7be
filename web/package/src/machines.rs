//! State machines.

use nebula_animation::mixer::ParameterValue;
use nebula_animation::{LayerId, StateMachine, StateMachinePlayer};
use wasm_bindgen::prelude::*;

use crate::character::RawCharacter;
use crate::exception;
use crate::mixer::fade;

#[wasm_bindgen(js_class = RawCharacter)]
impl RawCharacter {
    /// Lets a state machine, a JSON document, decide what a layer plays; its number.
    ///
    /// # Errors
    /// What is wrong with the document, and where.
    #[wasm_bindgen(js_name = addMachine)]
    pub fn add_machine(&mut self, document: &str, layer: usize) -> Result<usize, JsError> {
        let clips = self.character.mixer.clips();
        let machine = StateMachine::from_json(document, clips, clips.markers()).map_err(exception)?;
        let names = machine.parameters().iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let player = StateMachinePlayer::new(machine).on_layer(LayerId::new(layer));
        let parameters = names.iter().map(|name| player.parameter(name)).collect::<Result<_, _>>();
        self.parameters.push(parameters.map_err(exception)?);
        self.character.machines.push(player);
        Ok(self.character.machines.len() - 1)
    }

    /// The names of a machine's states.
    ///
    /// # Errors
    /// There is no such machine.
    #[wasm_bindgen(js_name = machineStates)]
    pub fn machine_states(&mut self, machine: usize) -> Result<Vec<String>, JsError> {
        let machine = self.machine(machine)?.machine().clone();
        Ok(machine.states().map(|state| machine.state_name(state).unwrap_or_default().to_owned()).collect())
    }

    /// Which of them a machine is in; -1 where there is no such machine.
    #[wasm_bindgen(js_name = machineState)]
    #[must_use]
    pub fn machine_state(&self, machine: usize) -> i32 {
        let found = self.character.machines.get(machine);
        let index = found.and_then(|found| found.machine().states().position(|state| state == found.state()));
        index.map_or(-1, |index| index as i32)
    }

    /// The number of a parameter.
    ///
    /// # Errors
    /// There is no such parameter; names that come close are listed.
    #[wasm_bindgen(js_name = parameterNamed)]
    pub fn parameter_named(&mut self, machine: usize, name: &str) -> Result<usize, JsError> {
        let parameter = self.machine(machine)?.parameter(name).map_err(exception)?;
        let all = self.parameters.get(machine).into_iter().flatten();
        Ok(all.take_while(|other| **other != parameter).count())
    }

    /// Sets a parameter, by its number, to what the scratch tells: a number, or 0 and 1 for off and on; triggers are set by anything but 0.
    /// 0, or -1 where it failed.
    #[wasm_bindgen(js_name = setParameter)]
    pub fn set_parameter(&mut self, machine: usize, parameter: usize) -> f64 {
        let value = self.number();
        let parameter = self.parameters.get(machine).and_then(|all| all.get(parameter)).copied();
        let found = self.character.machines.get_mut(machine).zip(parameter);
        let Some((machine, parameter)) = found else { return self.failed("there is no such state machine") };
        let set = match machine.value(parameter) {
            Some(ParameterValue::Bool(_)) => machine.set_bool(parameter, value != 0.0),
            Some(ParameterValue::Trigger(_)) if value != 0.0 => machine.trigger(parameter),
            Some(ParameterValue::Trigger(_)) => machine.reset_trigger(parameter),
            _ => machine.set_float(parameter, value as f32),
        };
        match set {
            Ok(()) => 0.0,
            Err(error) => self.failed(error),
        }
    }

    /// Goes to a state, whatever the transitions say.
    ///
    /// # Errors
    /// There is no such state.
    #[wasm_bindgen(js_name = goToState)]
    pub fn go_to_state(&mut self, machine: usize, state: &str, seconds: f32, curve: u32) -> Result<(), JsError> {
        let state = self.machine(machine)?.state_named(state).map_err(exception)?;
        let (machines, mixer) = (&mut self.character.machines, &mut self.character.mixer);
        let Some(machine) = machines.get_mut(machine) else { return Ok(()) };
        machine.go_to(mixer, state, fade(seconds, curve)).map_err(exception)
    }
}

impl RawCharacter {
    fn machine(&mut self, machine: usize) -> Result<&mut StateMachinePlayer, JsError> {
        self.character.machines.get_mut(machine).ok_or_else(|| exception("there is no such state machine"))
    }
}
