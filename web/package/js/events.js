// What happened in an update.

import { View } from "./wasm.js";

/** Numbers of an event in memory: what it is, and seven that mean something for it. */
const SIZE = 8;
/** What it is, by its number. */
const TYPES = ["marker", "loop", "end", "state"];

/** An event of any type, used again by later ones. What its type does not have is empty. */
class AnimationEvent {
    type = TYPES[0];
    layer = null;
    clip = null;
    name = "";
    // Doubles from the start, so that none of them becomes an object of its own later.
    weight = 0.5;
    pass = 0.5;
    totalTime = 0.5;
    isRewinding = false;
    passes = 0;
    machine = null;
    from = "";
    to = "";

    /** Takes what is in memory, from a place on. @internal */
    _read(numbers, at, character, layers) {
        const type = numbers[at];
        const isMarker = type === 0;
        const isState = type === 3;
        const clip = isState ? null : (character.asset.clips[numbers[at + 2]] ?? null);
        const machine = isState ? character._machines[numbers[at + 1]] : null;
        this.type = TYPES[type];
        this.layer = isState ? null : layers[numbers[at + 1]];
        this.clip = clip;
        this.name = isMarker ? clip.markers[numbers[at + 3]].name : "";
        this.weight = isMarker ? numbers[at + 4] : 0;
        this.pass = isMarker ? numbers[at + 5] : 0;
        this.totalTime = isMarker ? numbers[at + 6] : 0;
        this.isRewinding = isMarker && numbers[at + 7] === 1;
        this.passes = type === 1 ? numbers[at + 3] : 0;
        this.machine = machine;
        this.from = isState ? machine._stateAt(numbers[at + 2]) : "";
        this.to = isState ? machine._stateAt(numbers[at + 3]) : "";
    }
}

/** Events of a character, without anything that would be made for them each time. */
export class EventPool {
    #character;
    #layers;
    #view = new View(Float64Array);
    #events = [];
    /** Lists of so many events, by their number. */
    #lists = [Object.freeze([])];

    constructor(character, layers) {
        this.#character = character;
        this.#layers = layers;
    }

    read() {
        const character = this.#character;
        const raw = character._raw;
        const count = raw.eventCount();
        if (count === 0) return this.#lists[0];
        const list = this.#list(count);
        const numbers = this.#view.at(raw.eventsAddress(), SIZE * count);
        for (let index = 0; index < count; index++) list[index]._read(numbers, SIZE * index, character, this.#layers);
        return list;
    }

    #list(count) {
        const known = this.#lists[count];
        if (known !== undefined) return known;
        while (this.#events.length < count) this.#events.push(new AnimationEvent());
        return (this.#lists[count] = Object.freeze(this.#events.slice(0, count)));
    }
}
