// What joints hold.

import { dispose } from "./owned.js";
import { finite, text, x, y, z } from "./values.js";
import { View } from "./wasm.js";

/** Numbers that act as soon as they are set: a place, a rotation, a scale. */
class Numbers {
    #numbers;
    #what;
    #act;

    constructor(numbers, what, act) {
        this.#numbers = numbers;
        this.#what = what;
        this.#act = act;
    }

    #set(index, number) {
        this.#numbers[index] = finite(number, this.#what);
        this.#act();
    }

    /** Sets all of them at once. */
    set(...numbers) {
        this.#numbers.forEach((_, index) => finite(numbers[index], this.#what));
        this.#numbers.forEach((_, index) => (this.#numbers[index] = numbers[index]));
        this.#act();
    }

    /** Takes them from others, from a place on, without acting. @internal */
    _take(others, at) {
        for (let index = 0; index < this.#numbers.length; index++) this.#numbers[index] = others[at + index];
    }

    /** One of them. @internal */
    _at(index) {
        return this.#numbers[index];
    }

    get x() {
        return this.#numbers[0];
    }

    set x(number) {
        this.#set(0, number);
    }

    get y() {
        return this.#numbers[1];
    }

    set y(number) {
        this.#set(1, number);
    }

    get z() {
        return this.#numbers[2];
    }

    set z(number) {
        this.#set(2, number);
    }
}

/** A quaternion. */
class Rotation extends Numbers {
    get w() {
        return this._at(3);
    }

    set w(number) {
        this.set(this.x, this.y, this.z, number);
    }

    /** Turns about x, then about the y and the z that have turned along, in radians. */
    setFromEuler(aboutX, aboutY, aboutZ) {
        const [a, b, c] = [aboutX, aboutY, aboutZ].map((angle) => finite(angle, "the angle") / 2);
        const [sa, sb, sc] = [a, b, c].map(Math.sin);
        const [ca, cb, cc] = [a, b, c].map(Math.cos);
        this.set(sa * cb * cc + ca * sb * sc, ca * sb * cc - sa * cb * sc, ca * cb * sc + sa * sb * cc, ca * cb * cc - sa * sb * sc);
    }
}

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
        const act = () => this.#act();
        this.position = new Numbers(new Float64Array(3), "the position", act);
        this.rotation = new Rotation(new Float64Array([0, 0, 0, 1]), "the rotation", act);
        this.scale = new Numbers(new Float64Array([1, 1, 1]), "the scale", act);
        this.children = [];
    }

    #held() {
        if (this.#index === -1) throw new Error(`what ${this.boneName} held has been removed`);
        return this.#index;
    }

    /** Hands the module how it lies in the joint's space. */
    #act() {
        const index = this.#held();
        const raw = this.#character._raw;
        const offset = this.#character._scratch;
        for (let entry = 0; entry < 3; entry++) offset[entry] = this.position._at(entry);
        for (let entry = 0; entry < 4; entry++) offset[3 + entry] = this.rotation._at(entry);
        for (let entry = 0; entry < 3; entry++) offset[7 + entry] = this.scale._at(entry);
        raw.setOffset(index);
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
        this.position._take(offset, 0);
        this.rotation._take(offset, 3);
        this.scale._take(offset, 7);
        raw.setOffset(index);
    }

    /** Sixteen floats that take what is held to model space: a view of the memory. */
    get matrix() {
        return this.#view.at(this.#character._raw.attachmentAddress(this.#held()), 16);
    }

    /** Lets a node of a scene go with it: one with a matrix, as three.js has them, which is below the model's. */
    add(node) {
        this.#held();
        if (typeof node?.matrix?.fromArray !== "function") throw new TypeError(`what ${this.boneName} is to hold has no matrix with \`fromArray\``);
        if (this.children.includes(node)) return;
        node.matrixAutoUpdate = false;
        this.children.push(node);
        const holders = this.#character._holders;
        if (!holders.includes(this)) holders.push(this);
        this._place();
    }

    /** Puts the nodes where the joint is. @internal */
    _place() {
        const { matrix, children } = this;
        for (let index = 0; index < children.length; index++) {
            children[index].matrix.fromArray(matrix);
            children[index].matrixWorldNeedsUpdate = true;
        }
    }

    /** Lets go of a node, or of all and the joint too; a second time does nothing, nor does it where the character has been freed. */
    remove(node = undefined) {
        if (node !== undefined) {
            const place = this.children.indexOf(node);
            if (place !== -1) this.children.splice(place, 1);
        } else {
            const index = this.#index;
            this.#index = -1;
            this.children.length = 0;
            if (index !== -1 && !this.#character.isFreed) this.#character._raw.detach(index);
        }
        const holders = this.#character._holders;
        if (this.children.length === 0 && holders.includes(this)) holders.splice(holders.indexOf(this), 1);
    }

    free() {
        this.remove();
    }

    [dispose]() {
        this.remove();
    }
}
