// The markers that clips came by.

import { View } from "./wasm.js";

/** Numbers of an event in memory. */
const SIZE = 7;

/** An event; used again by later ones. */
class AnimationEvent {
    name = "";
    clip = null;
    layer = null;
    // Doubles from the start, so that none of them becomes an object of its own later.
    weight = 0.5;
    pass = 0.5;
    totalTime = 0.5;
    isRewinding = false;
}

/** Events of a character, without anything that would be made for them each time. */
export class EventPool {
    #character;
    #layers;
    #view = new View(Float64Array);
    #events = [];
    /** For each number of events, the list of so many. */
    #lists = [Object.freeze([])];

    constructor(character, layers) {
        this.#character = character;
        this.#layers = layers;
    }

    read() {
        const raw = this.#character._raw;
        const count = raw.eventCount();
        if (count === 0) return this.#lists[0];
        const list = this.#list(count);
        const numbers = this.#view.at(raw.eventsAddress(), SIZE * count);
        const { clips } = this.#character.asset;
        for (let index = 0; index < count; index++) {
            const event = list[index];
            const at = SIZE * index;
            const clip = clips[numbers[at + 1]];
            event.layer = this.#layers[numbers[at]];
            event.clip = clip;
            event.name = clip.markers[numbers[at + 2]].name;
            event.weight = numbers[at + 3];
            event.pass = numbers[at + 4];
            event.totalTime = numbers[at + 5];
            event.isRewinding = numbers[at + 6] === 1;
        }
        return list;
    }

    #list(count) {
        while (this.#lists.length <= count) {
            if (this.#events.length < this.#lists.length) this.#events.push(new AnimationEvent());
            this.#lists.push(Object.freeze(this.#events.slice(0, this.#lists.length)));
        }
        return this.#lists[count];
    }
}
