// What plays, and how.

import { finite } from "./values.js";

/** One run of a clip or a blend space: it is current, then fades, and then it is gone. */
export class AnimationAction {
    #character;
    #layer;

    /** @internal */
    constructor(character, layer, id) {
        this.#character = character;
        this.#layer = layer;
        this._id = id;
        const clip = character._raw.actionClip(layer, id);
        /** The clip; none for a blend space. */
        this.clip = character.asset.clips[clip] ?? null;
    }

    /** Whether it is not shown any more: another one has taken over. Its numbers are not numbers then, and setting one throws. */
    get isGone() {
        return this.#character._raw.actionClip(this.#layer, this._id) === -2;
    }

    #get(number) {
        const character = this.#character;
        character._raw.actionNumber(this.#layer, this._id, number);
        return character._scratch[0];
    }

    #set(number, value, what) {
        const character = this.#character;
        const raw = character._raw;
        character._scratch[0] = finite(value, what);
        if (!raw.setActionNumber(this.#layer, this._id, number)) {
            const name = this.clip === null ? "a blend space" : `"${this.clip.name}"`;
            throw new Error(`this action of ${name} is gone, another one has taken over: its ${what} cannot be set`);
        }
    }

    get time() {
        return this.#get(0);
    }

    /** Seeks. */
    set time(seconds) {
        this.#set(0, seconds, "time");
    }

    get speed() {
        return this.#get(1);
    }

    set speed(speed) {
        this.#set(1, speed, "speed");
    }

    get loop() {
        return this.#get(2) === 1;
    }

    set loop(loop) {
        this.#set(2, loop ? 1 : 0, "loop");
    }

    get playing() {
        return this.#get(3) === 1;
    }

    set playing(playing) {
        this.#set(3, playing ? 1 : 0, "playing");
    }

    get weight() {
        return this.#get(4);
    }

    set weight(weight) {
        this.#set(4, weight, "weight");
    }

    get duration() {
        return this.#get(5);
    }

    get totalTime() {
        return this.#get(6);
    }

    get repetitions() {
        return this.#get(7);
    }

    set repetitions(repetitions) {
        this.#set(7, repetitions, "repetitions");
    }

    get backAndForth() {
        return this.#get(8) === 1;
    }

    set backAndForth(backAndForth) {
        this.#set(8, backAndForth ? 1 : 0, "backAndForth");
    }
}
