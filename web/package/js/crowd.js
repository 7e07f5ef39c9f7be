// Thousands of characters in one call.

import { Owned } from "./owned.js";
import { finite, text } from "./values.js";
import { View, need } from "./wasm.js";

/** Thousands of characters in one call. */
export class Crowd extends Owned {
    #view = new View();
    #clips = new Map();

    constructor() {
        const { RawCrowd } = need();
        super(new RawCrowd(), "crowd");
    }

    /** A new character that plays a clip of a file; its number. */
    spawn(asset, clip) {
        return this._raw.spawn(this.#clip(asset, clip));
    }

    #clip(asset, clip) {
        let clips = this.#clips.get(asset);
        if (clips === undefined) this.#clips.set(asset, (clips = new Map()));
        let found = clips.get(clip);
        if (found === undefined) clips.set(clip, (found = this._raw.addClip(asset._raw, text(clip, "the clip"))));
        return found;
    }

    #there(character, isThere) {
        if (!isThere) throw new Error(`character ${character} is not in the crowd: it has left, or never came`);
    }

    /** Lets a character leave; whether it was there. */
    remove(character) {
        return this._raw.remove(character);
    }

    get count() {
        return this._raw.count();
    }

    play(character, asset, clip, time = 0) {
        this.#there(character, this._raw.setClip(character, this.#clip(asset, clip), finite(time, "the time")));
    }

    /** Blends a second clip over the first, by a weight from 0 to 1. It goes on where it is, unless a time is told. */
    blend(character, asset, clip, weight, time = undefined) {
        const start = time === undefined ? NaN : finite(time, "the time");
        this.#there(character, this._raw.setSecond(character, this.#clip(asset, clip), start, finite(weight, "the weight")));
    }

    getTime(character) {
        const time = this._raw.number(character, 0);
        this.#there(character, time === time);
        return time;
    }

    setTime(character, seconds) {
        this.#there(character, this._raw.setNumber(character, 0, finite(seconds, "the time")));
    }

    setSpeed(character, speed) {
        this.#there(character, this._raw.setNumber(character, 1, finite(speed, "the speed")));
    }

    setLoop(character, loop) {
        this.#there(character, this._raw.setNumber(character, 2, loop ? 1 : 0));
    }

    /** Lets time pass for all of them. */
    update(dt) {
        this._raw.update(finite(dt, "the time that passes"));
    }

    /** Twelve floats for each joint of each character: the three rows of its matrix, ready for a texture three texels a joint. */
    get boneRows() {
        return this.#view.at(this._raw.paletteAddress(), 12 * this._raw.paletteCount());
    }

    /** Which joint of `boneRows` is the first of a character; -1 for one that has left. */
    firstJoint(character) {
        return this._raw.paletteStart(character);
    }
}
