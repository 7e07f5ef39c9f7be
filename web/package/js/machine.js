// State machines.

import { fadeCurve, fadeSeconds, finite, text } from "./values.js";

/** A state machine of a character. */
export class StateMachinePlayer {
    #character;
    #index;
    #states;
    #parameters = new Map();

    /** @internal */
    constructor(character, index) {
        this.#character = character;
        this.#index = index;
        this.#states = character._raw.machineStates(index);
    }

    /** The name of the state that it is in. */
    get state() {
        return this._stateAt(this.#character._raw.machineState(this.#index));
    }

    /** The name of a state, by its number. @internal */
    _stateAt(number) {
        return this.#states[number];
    }

    #set(name, value) {
        const character = this.#character;
        const raw = character._raw;
        let parameter = this.#parameters.get(name);
        if (parameter === undefined) {
            parameter = raw.parameterNamed(this.#index, text(name, "the parameter"));
            this.#parameters.set(name, parameter);
        }
        character._scratch[0] = value;
        character._check(raw.setParameter(this.#index, parameter));
    }

    /** Sets a parameter: a number, or true and false. */
    set(parameter, value) {
        this.#set(parameter, value === true ? 1 : value === false ? 0 : finite(value, "the value of a parameter"));
    }

    /** Lets something happen. */
    trigger(parameter) {
        this.#set(parameter, 1);
    }

    /** Goes to a state, whatever the transitions say. */
    goTo(state, fade) {
        this.#character._raw.goToState(this.#index, text(state, "the state"), fadeSeconds(fade), fadeCurve(fade));
    }
}
