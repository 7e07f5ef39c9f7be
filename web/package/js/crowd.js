// Thousands of characters in one call.

import { Owned } from "./owned.js";
import { finite, text } from "./values.js";
import { View, need } from "./wasm.js";

/** Thousands of characters in one call. */
export class Crowd extends Owned {
    #view = new View();
    #scratch = new View(Float64Array);
    #scratchAddress;
    #clips = new Map();

    constructor() {
        const { RawCrowd } = need();
        super(new RawCrowd(), "crowd");
        this.#scratchAddress = this._raw.scratchAddress();
    }

    /** Two doubles that are handed over in memory. */
    get #numbers() {
        this._mustBeThere();
        return this.#scratch.at(this.#scratchAddress, 2);
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
        const number = this.#clip(asset, clip);
        this.#numbers[0] = finite(time, "the time");
        this.#there(character, this._raw.setClip(character, number));
    }

    /** Blends a second clip over the first, by a weight from 0 to 1. It goes on where it is, unless a time is told. */
    blend(character, asset, clip, weight, time = undefined) {
        const number = this.#clip(asset, clip);
        const numbers = this.#numbers;
        numbers[0] = time === undefined ? NaN : finite(time, "the time");
        numbers[1] = finite(weight, "the weight");
        this.#there(character, this._raw.setSecond(character, number));
    }

    getTime(character) {
        this.#there(character, this._raw.time(character));
        return this.#numbers[0];
    }

    #set(character, which, number) {
        const raw = this._raw;
        this.#numbers[0] = number;
        this.#there(character, raw.setNumber(character, which));
    }

    setTime(character, seconds) {
        this.#set(character, 0, finite(seconds, "the time"));
    }

    setSpeed(character, speed) {
        this.#set(character, 1, finite(speed, "the speed"));
    }

    setLoop(character, loop) {
        this.#set(character, 2, loop ? 1 : 0);
    }

    /** Lets time pass for all of them. */
    update(dt) {
        const raw = this._raw;
        this.#numbers[0] = finite(dt, "the time that passes");
        raw.update();
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
