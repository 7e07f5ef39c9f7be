// One character: where it is, what it looks like in this frame.

import { StateMachinePlayer } from "./machine.js";
import { AnimationMixer } from "./mixer.js";
import { Owned } from "./owned.js";
import { Ground, KINDS, Layer } from "./procedural.js";
import { finite, index, x, y, z } from "./values.js";
import { View, need } from "./wasm.js";

/** The matrices as a texture of four floats a texel: a line of four texels, a matrix, for each joint. */
class BoneTexture {
    #skeleton;

    constructor(skeleton) {
        this.#skeleton = skeleton;
        this.width = 4;
        this.height = skeleton.jointCount;
    }

    /** What it holds in this frame: a view of the memory. */
    get data() {
        return this.#skeleton.boneMatrices;
    }
}

/** Joints, and where they are in this frame. */
class Skeleton {
    #view = new View();
    #character;

    constructor(asset, character) {
        this.#character = character;
        this.joints = asset.joints;
        this.jointCount = asset.joints.length;
        this.jointNameMap = asset.jointNameMap;
        this.inverseBindMatrices = asset.inverseBindMatrices;
        this.boneTexture = new BoneTexture(this);
    }

    /** Sixteen floats for each joint, column by column: a view of the memory, ready for a bone texture. Ask for it each frame. */
    get boneMatrices() {
        return this.#view.at(this.#character._raw.paletteAddress(), 16 * this.jointCount);
    }

    /** What takes points from a joint's space to model space. */
    getJointWorldMatrix(joint, out = new Float32Array(16)) {
        const found = typeof joint === "number" ? joint : this.jointNameMap.get(joint);
        if (found === undefined) throw new Error(`there is no joint "${joint}"`);
        this.#character._raw.jointMatrix(index(found, this.jointCount, "joint"));
        const scratch = this.#character._scratch;
        for (let entry = 0; entry < 16; entry++) out[entry] = scratch[entry];
        return out;
    }
}

/** How far the root went in the last update: read where it is asked for. */
class RootStep {
    #character;

    constructor(character) {
        this.#character = character;
    }

    #part(part) {
        const character = this.#character;
        character._raw.rootStep();
        return character._scratch[part];
    }

    get x() {
        return this.#part(0);
    }

    get y() {
        return this.#part(1);
    }

    get z() {
        return this.#part(2);
    }

    get yaw() {
        return this.#part(3);
    }
}

/** Everything that moves one character. */
export class Character extends Owned {
    #morphs = new View();
    #place = new View();
    #world = new View();
    #scratch = new View(Float64Array);
    #scratchAddress;
    #ground = null;
    /** The function of the ground. */
    #find = null;
    /** What it holds with nodes of a scene. @internal */
    _holders = [];
    /** Its state machines, by their numbers. @internal */
    _machines = [];
    /** Which update of many it was part of last. @internal */
    _round = 0;

    /** @internal */
    constructor(asset) {
        const { RawCharacter } = need();
        super(new RawCharacter(asset._raw), "character");
        this.#scratchAddress = this._raw.scratchAddress();
        this.asset = asset;
        this.skeleton = new Skeleton(asset, this);
        this.mixer = new AnimationMixer(this);
        this.rootStep = new RootStep(this);
    }

    /** Sixteen doubles that are handed over in memory; that of one who was freed is somebody else's. @internal */
    get _scratch() {
        this._mustBeThere();
        return this.#scratch.at(this.#scratchAddress, 16);
    }

    /** Whether a call that says by a number how it went went well; throws otherwise. @internal */
    _check(result) {
        if (result === -1) throw new Error(this._raw.takeError());
        return result;
    }

    /** Lets a joint hold something; its number. @internal */
    _attach(joint) {
        const raw = this._raw;
        let number;
        this._lendGround();
        try {
            number = raw.attach(joint);
        } finally {
            this._takeGroundBack();
        }
        if (!raw.takeThrown()) return number;
        raw.detach(number);
        throw this._takeThrown();
    }

    /** Lets the module ask for the ground: for the length of a call. @internal */
    _lendGround() {
        if (this.#ground !== null) this.#ground.find = this.#find;
    }

    /** The end of such a call. @internal */
    _takeGroundBack() {
        if (this.#ground !== null) this.#ground.find = null;
    }

    /** What the function of the ground threw. @internal */
    _takeThrown() {
        return this.#ground.takeThrown();
    }

    /** Sixteen floats for each joint: see `Skeleton.boneMatrices`. */
    get boneMatrices() {
        return this.skeleton.boneMatrices;
    }

    /** The weights of all morph targets. */
    get morphWeights() {
        return this.#morphs.at(this._raw.morphAddress(), this._raw.morphCount());
    }

    /** Lets time pass, and brings everything up to date. */
    update(dt) {
        const raw = this._raw;
        this._scratch[0] = finite(dt, "the time that passes");
        let hasThrown;
        this._lendGround();
        try {
            hasThrown = raw.update();
        } finally {
            this._takeGroundBack();
        }
        this._placeHeld();
        if (hasThrown) throw this._takeThrown();
    }

    /** Puts nodes of a scene where the joints are that hold them. @internal */
    _placeHeld() {
        const holders = this._holders;
        for (let index = 0; index < holders.length; index++) holders[index]._place();
    }

    /** Sixteen floats that take the model to the world, to be written: see `place` for the usual case. */
    get worldMatrix() {
        return this.#world.at(this._raw.placeAddress(), 16);
    }

    /** Where the character stands, which way it is turned, and how it moves; for layers that look or stand. */
    place(position, yaw = 0, velocity = undefined) {
        const sin = Math.sin(finite(yaw, "the turn"));
        const cos = Math.cos(yaw);
        const atX = x(position, "the position");
        const atY = y(position, "the position");
        const atZ = z(position, "the position");
        const place = this.#place.at(this._raw.placeAddress(), 19);
        place.fill(0);
        place[0] = place[10] = cos;
        place[2] = -sin;
        place[8] = sin;
        place[5] = place[15] = 1;
        place[12] = atX;
        place[13] = atY;
        place[14] = atZ;
        if (velocity) {
            place[16] = x(velocity, "the velocity");
            place[17] = y(velocity, "the velocity");
            place[18] = z(velocity, "the velocity");
        }
    }

    /** Whether the character is on the ground; feet let go where it is not. */
    set isGrounded(isGrounded) {
        this._raw.setGrounded(Boolean(isGrounded));
    }

    /** Turns the head towards a point of the world. */
    addLookAt(target) {
        return new Layer(this, KINDS.lookAt, target);
    }

    /** Turns eyes, head and trunk towards a point of the world, smoothly. */
    addAim(target) {
        return new Layer(this, KINDS.aim, target);
    }

    /** Keeps the feet on the ground, which a function tells: a height, `{ height, normal, velocity, spin }`, or nothing. */
    addFootPlacement(ground) {
        if (ground) this.ground = ground;
        return new Layer(this, KINDS.feet);
    }

    /** Leans into turns and starts. */
    addLean() {
        return new Layer(this, KINDS.lean);
    }

    /** Breathes. */
    addBreathing() {
        return new Layer(this, KINDS.breathing);
    }

    /** The function that tells where the ground is. */
    set ground(find) {
        if (find && typeof find !== "function") throw new TypeError("the ground is not a function");
        const ground = find ? new Ground(this.#scratchAddress) : null;
        this._raw.setGround(ground ?? undefined);
        this.#ground = ground;
        this.#find = find || null;
    }

    /** Lets a state machine decide what a layer plays. */
    addStateMachine(document, layer = undefined) {
        const json = typeof document === "string" ? document : JSON.stringify(document);
        const machine = new StateMachinePlayer(this, this._raw.addMachine(json, layer?.index ?? 0));
        this._machines.push(machine);
        return machine;
    }
}
