// Skeletal animation for JavaScript: the names of the contract, around the library's own code.

import { View, hasSimd, init, need } from "./wasm.js";

export { hasSimd, init };

const CURVES = { linear: 0, smooth: 1, inertialised: 2 };
const KINDS = { lookAt: 0, aim: 1, feet: 2, lean: 3, breathing: 4 };

/** Seconds and the number of a curve. */
function fade(value = 0.3) {
    const { seconds, curve = "smooth" } = typeof value === "number" ? { seconds: value } : value;
    if (!(curve in CURVES)) throw new Error(`there is no fade "${curve}": linear, smooth or inertialised`);
    return [seconds, CURVES[curve]];
}

/** A name, which memory is made for: anything else would be read as one. */
function text(name, what) {
    if (typeof name !== "string") throw new TypeError(`${what} is ${name === null ? "null" : typeof name}, not a name`);
    return name;
}

/** Three numbers of an array or of an object with x, y and z. */
const x = (vector) => (vector.x !== undefined ? vector.x : vector[0]);
const y = (vector) => (vector.y !== undefined ? vector.y : vector[1]);
const z = (vector) => (vector.z !== undefined ? vector.z : vector[2]);

/** Loads a `.glb`, a `.vrm`, or a `.gltf` whose other files are in `options.files`. */
export async function load(bytes, options = {}) {
    await init();
    return loadSync(bytes, options);
}

/** The same once `init` has been awaited. */
export function loadSync(bytes, options = {}) {
    const view = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
    const { name = "file", files, allNodes = false, meshes = false } = options;
    const resolve = files && ((path) => {
        const found = files instanceof Map ? files.get(path) : files[path];
        return found === undefined ? undefined : found instanceof Uint8Array ? found : new Uint8Array(found);
    });
    const asset = new (need().RawAsset)(text(name, "the file"), view, resolve, allNodes, meshes);
    return new Asset(asset, options);
}

/** A file: what it holds does not change, and any number of characters share it. */
export class Asset {
    #primitives = new Map();

    /** @internal */
    constructor(raw, { markers, stepMarker, rootMotion, forCrowds = false } = {}) {
        this._raw = raw;
        const told = Object.entries(markers ?? {}).flatMap(([clip, list]) => list.map(({ name, time }) => [clip, name, time]));
        if (told.length > 0 || stepMarker !== undefined || rootMotion !== undefined || forCrowds) {
            raw.compile(JSON.stringify(told), stepMarker, rootMotion, forCrowds);
        }
        const described = JSON.parse(raw.describe());
        this.joints = described.joints;
        this.clips = described.clips;
        this.skins = described.skins;
        this.meshes = described.meshes;
        this.images = described.images;
        this.morphs = described.morphs;
        this.humanoid = described.humanoid;
        this.warnings = described.warnings;
        this.inverseBindMatrices = raw.inverseBindMatrices();
        this.jointNameMap = new Map([...described.joints].reverse().map((joint) => [joint.name, joint.index]));
    }

    /** A character in its rest pose. */
    createCharacter() {
        return new Character(this);
    }

    /** The vertices of a part of a mesh, as typed arrays of their own. */
    primitive(mesh, primitive) {
        const key = `${mesh}/${primitive}`;
        if (!this.#primitives.has(key)) {
            const of = (what) => this._raw[what](mesh, primitive);
            const positions = of("positions");
            if (positions === undefined) throw new Error(`there is no primitive ${primitive} of mesh ${mesh}`);
            const [normals, uvs, colors, joints, weights, indices] = ["normals", "uvs", "colors", "joints", "weights", "indices"].map(of);
            this.#primitives.set(key, { positions, normals, uvs, colors, joints, weights, indices });
        }
        return this.#primitives.get(key);
    }

    /** An image as it is in the file. */
    image(index) {
        const bytes = this._raw.image(index);
        if (bytes === undefined) throw new Error(`there is no image ${index}`);
        return new Blob([bytes], { type: this.images[index].mimeType ?? "" });
    }

    /** Gives its memory back at once; otherwise that happens when it is collected. Characters that were made of it go on. */
    free() {
        this._raw.free();
    }

    [Symbol.dispose ?? Symbol.for("dispose")]() {
        this.free();
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
    }

    /** Sixteen floats for each joint, column by column: a view of the memory, ready for a bone texture. Ask for it each frame. */
    get boneMatrices() {
        return this.#view.at(this.#character._raw.paletteAddress(), 16 * this.jointCount);
    }

    /** What takes points from a joint's space to model space. */
    getJointWorldMatrix(joint, out = new Float32Array(16)) {
        const index = typeof joint === "number" ? joint : this.jointNameMap.get(joint);
        if (index === undefined || !(index >= 0 && index < this.jointCount)) throw new Error(`there is no joint "${joint}"`);
        this.#character._raw.jointMatrix(index, out);
        return out;
    }
}

/** What is asked where the ground is; it holds the last answer. */
class Ground {
    height = 0;
    normalX = 0;
    normalY = 1;
    normalZ = 0;
    velocityX = 0;
    velocityY = 0;
    velocityZ = 0;
    spin = 0;
    #find;

    constructor(find) {
        this.#find = find;
    }

    ask(atX, atY, atZ) {
        const found = this.#find(atX, atY, atZ);
        if (found === null || found === undefined) return false;
        this.normalX = this.normalZ = this.velocityX = this.velocityY = this.velocityZ = this.spin = 0;
        this.normalY = 1;
        if (typeof found === "number") {
            this.height = found;
            return true;
        }
        const { height, normal, velocity, spin = 0 } = found;
        this.height = height;
        this.spin = spin;
        if (normal) [this.normalX, this.normalY, this.normalZ] = [x(normal), y(normal), z(normal)];
        if (velocity) [this.velocityX, this.velocityY, this.velocityZ] = [x(velocity), y(velocity), z(velocity)];
        return true;
    }
}

/** How far the root went in the last update: read where it is asked for. */
class RootStep {
    #raw;

    constructor(raw) {
        this.#raw = raw;
    }

    get x() {
        return this.#raw.rootStep(0);
    }

    get y() {
        return this.#raw.rootStep(1);
    }

    get z() {
        return this.#raw.rootStep(2);
    }

    get yaw() {
        return this.#raw.rootStep(3);
    }
}

/** Everything that moves one character. */
export class Character {
    #morphs = new View();
    #place = new View();

    /** @internal */
    constructor(asset) {
        this._raw = new (need().RawCharacter)(asset._raw);
        this.asset = asset;
        this.skeleton = new Skeleton(asset, this);
        this.mixer = new AnimationMixer(this);
        this.rootStep = new RootStep(this._raw);
    }

    /** Sixteen floats for each joint: see `Skeleton.boneMatrices`. */
    get boneMatrices() {
        return this.skeleton.boneMatrices;
    }

    /** The weights of all morph targets. */
    get morphWeights() {
        return this.#morphs.at(this._raw.morphAddress(), this._raw.morphCount());
    }

    /** Lets time pass: machines, clips, layers, matrices, attachments. */
    update(dt) {
        this._raw.update(dt);
    }

    /** Sixteen floats, column by column, that take the model to the world: write where the character stands. */
    get worldMatrix() {
        return this.#place.at(this._raw.placeAddress(), 19).subarray(0, 16);
    }

    /** Where the character stands, which way it is turned, and how it moves; for layers that look or stand. */
    place(position, yaw = 0, velocity = undefined) {
        const place = this.#place.at(this._raw.placeAddress(), 19);
        const sin = Math.sin(yaw);
        const cos = Math.cos(yaw);
        place[0] = place[10] = cos;
        place[2] = -sin;
        place[8] = sin;
        place[12] = x(position);
        place[13] = y(position);
        place[14] = z(position);
        place[16] = velocity ? x(velocity) : 0;
        place[17] = velocity ? y(velocity) : 0;
        place[18] = velocity ? z(velocity) : 0;
    }

    /** Whether the character is on the ground; feet let go where it is not. */
    set isGrounded(isGrounded) {
        this._raw.setGrounded(isGrounded);
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
        this._raw.setGround(find ? new Ground(find) : undefined);
    }

    /** Lets a state machine decide what a layer plays. */
    addStateMachine(document, layer = undefined) {
        const text = typeof document === "string" ? document : JSON.stringify(document);
        return new StateMachinePlayer(this, this._raw.addMachine(text, layer?.index ?? 0));
    }

    /** Gives its memory back at once; otherwise that happens when it is collected. */
    free() {
        this._raw.free();
    }

    [Symbol.dispose ?? Symbol.for("dispose")]() {
        this.free();
    }
}

/** Something that bends the pose after the clips. */
class Layer {
    #raw;
    #kind;

    constructor(character, kind, target) {
        this.#raw = character._raw;
        this.#kind = kind;
        this.#raw.addProcedural(kind);
        if (target) this.target = target;
    }

    /** How much of it is seen, from 0 to 1. */
    set weight(weight) {
        this.#raw.setProceduralWeight(this.#kind, weight);
    }

    /** Where it looks, in world space. */
    set target(target) {
        this.#raw.setTarget(this.#kind, x(target), y(target), z(target));
    }

    /** Whether a foot stands: 0 is the left one. */
    isPlanted(leg) {
        return this.#raw.isPlanted(leg);
    }
}

/** A layer of a mixer: what plays on some joints. */
export class MixerLayer {
    #raw;

    /** @internal */
    constructor(character, index, name) {
        this.#raw = character._raw;
        this._clips = character.asset.clips;
        this.index = index;
        this.name = name;
        this._current = new AnimationAction(this.#raw, this._clips, index, 0);
        this._fading = new AnimationAction(this.#raw, this._clips, index, 1);
    }

    /** Fades to a clip, by its name or its index, or to a blend space. The action that plays it. */
    play(motion, fading) {
        const [seconds, curve] = fade(fading);
        if (motion instanceof BlendSpace) this.#raw.playSpace(this.index, motion.index, seconds, curve);
        else if (typeof motion === "number") this.#raw.playIndex(this.index, motion, seconds, curve);
        else this.#raw.play(this.index, text(motion, "the clip"), seconds, curve);
        return this._current;
    }

    /** Fades to a clip from its beginning, although it may be playing. */
    restart(clip, fading) {
        this.#raw.restart(this.index, text(clip, "the clip"), ...fade(fading));
        return this._current;
    }

    /** Plays a clip once, and hands back to what played before. */
    playOnce(clip, fadeIn = 0.2, fadeOut = 0.2) {
        this.#raw.playOnce(this.index, text(clip, "the clip"), fadeIn, fadeOut);
        return this._current;
    }

    /** Fades out. */
    stop(fading) {
        this.#raw.stop(this.index, ...fade(fading));
    }

    pause() {
        this._current.playing = false;
    }

    resume() {
        this._current.playing = true;
    }

    get currentAction() {
        return this._current.exists ? this._current : null;
    }

    get fadingAction() {
        return this._fading.exists ? this._fading : null;
    }

    get weight() {
        return this.#raw.layerNumber(this.index, 0);
    }

    set weight(weight) {
        this.#raw.setLayerWeight(this.index, weight);
    }

    get fadeProgress() {
        return this.#raw.layerNumber(this.index, 1);
    }

    get fadeDuration() {
        return this.#raw.layerNumber(this.index, 2);
    }

    get hasJustFinished() {
        return this.#raw.layerNumber(this.index, 3) === 1;
    }

    /** Acts on the joints below these only; on the upper body where that is said. */
    setMask(joints) {
        this.#raw.setMask(this.index, joints === "upperBody" ? [] : joints);
    }
}

/** What plays, and how. */
class AnimationAction {
    #raw;
    #clips;
    #layer;
    #which;

    constructor(raw, clips, layer, which) {
        this.#raw = raw;
        this.#clips = clips;
        this.#layer = layer;
        this.#which = which;
    }

    get exists() {
        return this.#raw.actionClip(this.#layer, this.#which) !== -2;
    }

    /** The clip; none for a blend space. */
    get clip() {
        return this.#clips[this.#raw.actionClip(this.#layer, this.#which)] ?? null;
    }

    #get(number) {
        return this.#raw.actionNumber(this.#layer, this.#which, number);
    }

    #set(number, value) {
        this.#raw.setActionNumber(this.#layer, this.#which, number, value);
    }

    get time() {
        return this.#get(0);
    }

    /** Seeks. */
    set time(seconds) {
        this.#set(0, seconds);
    }

    get speed() {
        return this.#get(1);
    }

    set speed(speed) {
        this.#set(1, speed);
    }

    get loop() {
        return this.#get(2) === 1;
    }

    set loop(loop) {
        this.#set(2, loop ? 1 : 0);
    }

    get playing() {
        return this.#get(3) === 1;
    }

    set playing(playing) {
        this.#set(3, playing ? 1 : 0);
    }

    get weight() {
        return this.#get(4);
    }

    set weight(weight) {
        this.#set(4, weight);
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
        this.#set(7, repetitions);
    }

    get backAndForth() {
        return this.#get(8) === 1;
    }

    set backAndForth(backAndForth) {
        this.#set(8, backAndForth ? 1 : 0);
    }
}

/** Plays clips on one layer or several. It is its own base layer. */
export class AnimationMixer extends MixerLayer {
    #character;
    #layers = [this];

    /** @internal */
    constructor(character) {
        super(character, 0, "base");
        this.#character = character;
        this.skeleton = character.skeleton;
    }

    /** Lets time pass, for the whole character. */
    update(dt) {
        this.#character.update(dt);
    }

    get layers() {
        return this.#layers;
    }

    get timeScale() {
        return this.#character._raw.layerNumber(0, 4);
    }

    set timeScale(scale) {
        this.#character._raw.setTimeScale(scale);
    }

    /** Adds a layer above the others. */
    addLayer(name, { additive = false, mask } = {}) {
        const layer = new MixerLayer(this.#character, this.#character._raw.addLayer(text(name, "the layer"), additive), name);
        if (mask !== undefined) layer.setMask(mask);
        this.#layers.push(layer);
        return layer;
    }

    /** Clips at places of a line or a plane, which become one motion: `[{ clip, x, y }]`, or names, which are laid out by their speeds. */
    addBlendSpace(samples, { sync = [] } = {}) {
        const isBySpeed = samples.every((sample) => typeof sample === "string");
        const names = samples.map((sample) => (typeof sample === "string" ? sample : sample.clip));
        const places = isBySpeed ? [] : samples.flatMap((sample) => [sample.x ?? 0, sample.y ?? 0]);
        const index = this.#character._raw.addBlendSpace(names, new Float32Array(places), sync);
        return new BlendSpace(this.#character, index);
    }

    /** The markers that clips came by in the last update. */
    get events() {
        const raw = this.#character._raw;
        const count = raw.eventCount();
        if (count === 0) return NONE;
        const events = [];
        for (let event = 0; event < count; event++) {
            const clip = this._clips[raw.eventNumber(event, 1)];
            events.push({
                name: clip.markers[raw.eventNumber(event, 2)].name,
                clip,
                layer: this.#layers[raw.eventNumber(event, 0)],
                weight: raw.eventNumber(event, 3),
                pass: raw.eventNumber(event, 4),
                totalTime: raw.eventNumber(event, 5),
                isRewinding: raw.eventNumber(event, 6) === 1,
            });
        }
        return events;
    }
}

const NONE = Object.freeze([]);

/** Clips that are blended by where one is. */
export class BlendSpace {
    #character;

    /** @internal */
    constructor(character, index) {
        this.#character = character;
        this.index = index;
    }

    /** Goes to a place of the line or the plane. */
    set(atX, atY = 0) {
        this.#character._raw.setBlendPosition(this.index, atX, atY);
    }
}

/** A state machine of a character. */
export class StateMachinePlayer {
    #character;
    #index;

    /** @internal */
    constructor(character, index) {
        this.#character = character;
        this.#index = index;
    }

    /** The name of the state that it is in. */
    get state() {
        return this.#character._raw.machineState(this.#index);
    }

    /** Sets a parameter: a number, or true and false. */
    set(parameter, value) {
        this.#character._raw.setParameter(this.#index, text(parameter, "the parameter"), Number(value));
    }

    /** Lets something happen. */
    trigger(parameter) {
        this.#character._raw.setParameter(this.#index, text(parameter, "the parameter"), 1);
    }

    /** Goes to a state, whatever the transitions say. */
    goTo(state, fading) {
        this.#character._raw.goToState(this.#index, text(state, "the state"), ...fade(fading));
    }
}

/** Something that a joint holds. */
export class BoneAttachment {
    #character;
    #index;
    #view = new View();
    #offset = new Float32Array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);

    constructor(character, boneName) {
        this.#character = character;
        this.#index = character._raw.attach(text(boneName, "the bone"));
        this.boneName = boneName;
        this.boneIndex = character.skeleton.jointNameMap.get(boneName);
        character._raw.update(0);
    }

    /** Where it lies in the joint's space: position, rotation (x, y, z, w), scale. */
    setOffset(position, rotation = [0, 0, 0, 1], scale = [1, 1, 1]) {
        this.#offset.set([x(position), y(position), z(position)]);
        this.#offset.set(rotation, 3);
        this.#offset.set(scale, 7);
        this.#character._raw.setOffset(this.#index, this.#offset);
    }

    /** Sixteen floats that take what is held to model space: a view of the memory. */
    get matrix() {
        return this.#view.at(this.#character._raw.attachmentAddress(this.#index), 16);
    }
}

/** Thousands of characters in one call. */
export class Crowd {
    #raw = new (need().RawCrowd)();
    #view = new View();
    #clips = new Map();

    /** A new character that plays a clip of a file; its number. */
    spawn(asset, clip) {
        return this.#raw.spawn(this.#clip(asset, clip));
    }

    #clip(asset, clip) {
        let clips = this.#clips.get(asset);
        if (clips === undefined) this.#clips.set(asset, (clips = new Map()));
        if (!clips.has(clip)) clips.set(clip, this.#raw.addClip(asset._raw, text(clip, "the clip")));
        return clips.get(clip);
    }

    /** Lets a character leave. */
    remove(character) {
        return this.#raw.remove(character);
    }

    get count() {
        return this.#raw.count();
    }

    play(character, asset, clip, time = 0) {
        this.#raw.setClip(character, this.#clip(asset, clip), time);
    }

    /** Blends a second clip over the first, by a weight from 0 to 1. */
    blend(character, asset, clip, weight, time = 0) {
        this.#raw.setSecond(character, this.#clip(asset, clip), time, weight);
    }

    getTime(character) {
        return this.#raw.number(character, 0);
    }

    setTime(character, seconds) {
        this.#raw.setNumber(character, 0, seconds);
    }

    setSpeed(character, speed) {
        this.#raw.setNumber(character, 1, speed);
    }

    setLoop(character, loop) {
        this.#raw.setNumber(character, 2, loop ? 1 : 0);
    }

    /** Lets time pass for all of them. */
    update(dt) {
        this.#raw.update(dt);
    }

    /** Twelve floats for each joint of each character: the three rows of its matrix, ready for a texture three texels a joint. */
    get boneRows() {
        return this.#view.at(this.#raw.paletteAddress(), 12 * this.#raw.paletteCount());
    }

    /** Which joint of `boneRows` is the first of a character; -1 for one that has left. */
    firstJoint(character) {
        return this.#raw.paletteStart(character);
    }

    free() {
        this.#raw.free();
    }

    [Symbol.dispose ?? Symbol.for("dispose")]() {
        this.free();
    }
}
