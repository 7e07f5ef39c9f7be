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
        self.character.machines.push(StateMachinePlayer::new(machine).on_layer(LayerId::new(layer)));
        Ok(self.character.machines.len() - 1)
    }

    /// The name of the state that a machine is in.
    ///
    /// # Errors
    /// There is no such machine.
    #[wasm_bindgen(js_name = machineState)]
    pub fn machine_state(&mut self, machine: usize) -> Result<String, JsError> {
        self.machine(machine).map(|machine| machine.state_name().to_owned())
    }

    /// Sets a parameter: a number, or 0 and 1 for off and on; triggers are set by anything but 0.
    ///
    /// # Errors
    /// There is no such parameter.
    #[wasm_bindgen(js_name = setParameter)]
    pub fn set_parameter(&mut self, machine: usize, name: &str, value: f64) -> Result<(), JsError> {
        let machine = self.machine(machine)?;
        let parameter = machine.parameter(name).map_err(exception)?;
        let set = match machine.value(parameter) {
            Some(ParameterValue::Bool(_)) => machine.set_bool(parameter, value != 0.0),
            Some(ParameterValue::Trigger(_)) if value != 0.0 => machine.trigger(parameter),
            Some(ParameterValue::Trigger(_)) => machine.reset_trigger(parameter),
            _ => machine.set_float(parameter, value as f32),
        };
        set.map_err(exception)
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
