// What bends the pose after the clips, and the ground that it asks for.

import { finite, x, y, z } from "./values.js";
import { View } from "./wasm.js";

export const KINDS = { lookAt: 0, aim: 1, feet: 2, lean: 3, breathing: 4 };

/** What is asked where the ground is. Question and answer are in memory: nothing is made for them. */
export class Ground {
    #view = new View(Float64Array);
    #address;
    #thrown = null;
    /**
     * The function, as long as it may be asked. The module holds this object for good: a function that knows its character, as most do, or the
     * character itself would keep the character from being collected.
     */
    find = null;

    constructor(address) {
        this.#address = address;
    }

    /** 0 for no ground, 1 for an answer in memory, 2 for an exception: the first one is kept, and thrown by whoever asked. */
    ask() {
        try {
            return this.#ask() ? 1 : 0;
        } catch (error) {
            this.#thrown ??= { error };
            return 2;
        }
    }

    takeThrown() {
        const { error } = this.#thrown;
        this.#thrown = null;
        return error;
    }

    #ask() {
        const { find } = this;
        if (find === null) return false;
        const scratch = this.#view.at(this.#address, 16);
        const found = find(scratch[0], scratch[1], scratch[2]);
        // First, and by itself: a number that could be something else as well would be an object.
        if (typeof found === "number") {
            this.#answer(finite(found, "the height of the ground"));
            return true;
        }
        if (found === null || found === undefined) return false;
        const { normal, velocity, spin } = found;
        const answer = this.#answer(finite(found.height, "the height of the ground"));
        if (normal) {
            answer[4] = x(normal, "the ground's normal");
            answer[5] = y(normal, "the ground's normal");
            answer[6] = z(normal, "the ground's normal");
        }
        if (velocity) {
            answer[7] = x(velocity, "the ground's velocity");
            answer[8] = y(velocity, "the ground's velocity");
            answer[9] = z(velocity, "the ground's velocity");
        }
        if (spin !== undefined) answer[10] = finite(spin, "the ground's spin");
        return true;
    }

    /** Answers with level ground at a height. The function may have let the memory grow: the view is another one then. */
    #answer(height) {
        const answer = this.#view.at(this.#address, 16);
        answer[3] = height;
        answer[4] = answer[6] = answer[7] = answer[8] = answer[9] = answer[10] = 0;
        answer[5] = 1;
        return answer;
    }
}

/** Something that bends the pose after the clips. */
export class Layer {
    #character;
    #kind;

    constructor(character, kind, target) {
        this.#character = character;
        this.#kind = kind;
        character._raw.addProcedural(kind);
        if (target) this.target = target;
    }

    /** How much of it is seen, from 0 to 1. */
    set weight(weight) {
        const raw = this.#character._raw;
        this.#character._scratch[0] = finite(weight, "the weight");
        raw.setProceduralWeight(this.#kind);
    }

    /** Where it looks, in world space. */
    set target(target) {
        const raw = this.#character._raw;
        const place = this.#character._scratch;
        place[0] = x(target, "the target");
        place[1] = y(target, "the target");
        place[2] = z(target, "the target");
        raw.setTarget(this.#kind);
    }

    /** Whether a foot stands: 0 is the left one. */
    isPlanted(leg) {
        return this.#character._raw.isPlanted(leg);
    }
}
