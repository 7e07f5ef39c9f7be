// What joints hold.

import { dispose } from "./owned.js";
import { finite, text, x, y, z } from "./values.js";
import { View } from "./wasm.js";

/** Something that a joint holds. */
export class BoneAttachment {
    #character;
    #index;
    #view = new View();

    constructor(character, boneName) {
        this.#character = character;
        this.#index = character._attach(text(boneName, "the bone"));
        this.boneName = boneName;
        this.boneIndex = character.skeleton.jointNameMap.get(boneName);
    }

    #held() {
        if (this.#index === -1) throw new Error(`what ${this.boneName} held has been removed`);
        return this.#index;
    }

    /** Where it lies in the joint's space: position, rotation (x, y, z, w), scale. */
    setOffset(position, rotation = undefined, scale = undefined) {
        const index = this.#held();
        const raw = this.#character._raw;
        const offset = this.#character._scratch;
        offset[0] = x(position, "the position");
        offset[1] = y(position, "the position");
        offset[2] = z(position, "the position");
        for (let entry = 0; entry < 4; entry++) offset[3 + entry] = rotation ? finite(rotation[entry], "the rotation") : entry === 3 ? 1 : 0;
        for (let entry = 0; entry < 3; entry++) offset[7 + entry] = scale ? finite(scale[entry], "the scale") : 1;
        raw.setOffset(index);
    }

    /** Sixteen floats that take what is held to model space: a view of the memory. */
    get matrix() {
        return this.#view.at(this.#character._raw.attachmentAddress(this.#held()), 16);
    }

    /** Lets go of it; a second time does nothing, nor does it where the character has been freed. */
    remove() {
        const index = this.#index;
        this.#index = -1;
        if (index !== -1 && !this.#character.isFreed) this.#character._raw.detach(index);
    }

    free() {
        this.remove();
    }

    [dispose]() {
        this.remove();
    }
}
