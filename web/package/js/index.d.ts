/** Skeletal animation: load a glTF character, play and mix its clips, bend the pose, hand the GPU the skinning matrices. */

declare global {
    interface SymbolConstructor {
        readonly dispose: unique symbol;
    }
}

/** Bytes: a buffer, or a view of the part of one that is meant. */
export type Bytes = ArrayBuffer | ArrayBufferView;
/** Three numbers; ones that are not finite throw. */
export type Vector = readonly [number, number, number] | { readonly x: number; readonly y: number; readonly z: number };
/** Seconds, by a smooth curve, or both. */
export type Fade = number | { seconds: number; curve?: "linear" | "smooth" | "inertialised" };

export interface InitOptions {
    /** Which of the two modules: by default the one with vector instructions, where the machine has them. */
    simd?: boolean;
    /** Bytes or address of the module, where it is not beside the script. */
    wasm?: Bytes | { readonly href: string } | string;
}

export interface LoadOptions {
    /** Name of the file in messages. */
    name?: string;
    /** Files that a model refers to, by their relative paths: as the file spells them, or without `.` and `..`. */
    files?: Map<string, Bytes> | Record<string, Bytes>;
    /** Whether every node becomes a joint; by default those that skins and animations need. */
    allNodes?: boolean;
    /** Whether all meshes are loaded, for drawing; by default only those that joints, morph targets or clips move. */
    meshes?: boolean;
    /** Moments of clips that are told as events, by the name of the clip. */
    markers?: Record<string, readonly { name: string; time: number }[]>;
    /** Name of a marker that clips get wherever a foot lands. */
    stepMarker?: string;
    /** Name of a joint whose way is taken out of the clips and told as `rootStep`. */
    rootMotion?: string;
    /** Compiles clips once more for crowds, which play them a third faster. */
    forCrowds?: boolean;
}

export interface Joint {
    readonly index: number;
    readonly name: string;
    /** -1 for a root. */
    readonly parentIndex: number;
    readonly localPosition: readonly number[];
    readonly localRotation: readonly number[];
    readonly localScale: readonly number[];
    /** Index of the glTF node. */
    readonly node: number;
}

export interface AnimationClip {
    readonly index: number;
    readonly name: string;
    /** Seconds. */
    readonly duration: number;
    /** Metres per second at which its feet do not slide. */
    readonly speed: number;
    readonly markers: readonly { readonly name: string; readonly time: number }[];
}

export interface Skin {
    readonly name: string;
    /** For each joint of the skin, its index in the skeleton: the order of the file's own indices. */
    readonly joints: readonly number[];
    readonly nodes: readonly number[];
}

export interface Mesh {
    readonly name: string;
    readonly node: number;
    readonly skin: number | null;
    /** The joint that carries a mesh without a skin. */
    readonly joint: number | null;
    readonly primitives: readonly {
        readonly baseColor: readonly number[];
        readonly baseColorImage: number | null;
        readonly isDoubleSided: boolean;
    }[];
}

/** What is used of a `Blob`, where the types of browsers and of Node are not there. */
export interface ImageBlob {
    readonly size: number;
    readonly type: string;
    arrayBuffer(): Promise<ArrayBuffer>;
}

export interface Primitive {
    readonly positions: Float32Array;
    readonly normals: Float32Array;
    readonly uvs: Float32Array;
    /** Linear, four a vertex; empty for vertices without colours. */
    readonly colors: Float32Array;
    /** Indices into the skeleton, four a vertex. */
    readonly joints: Uint16Array;
    readonly weights: Float32Array;
    readonly indices: Uint32Array;
}

/** Loads the module, once. `load` does so by itself. */
export function init(options?: InitOptions): Promise<void>;
/** Whether this machine runs WebAssembly's vector instructions. */
export function hasSimd(): boolean;
/** Loads a `.glb`, a `.vrm`, or a `.gltf`. Throws the loader's message. */
export function load(bytes: Bytes, options?: LoadOptions): Promise<Asset>;
/** The same once `init` has been awaited. */
export function loadSync(bytes: Bytes, options?: LoadOptions): Asset;

/**
 * Something with memory of the module's. It is given back when the object is collected, or at once by `free()`: all that is asked of the
 * object afterwards throws, and views of its memory (`boneMatrices`, `morphWeights`, `worldMatrix`, `boneRows`, `matrix`) are dead: they
 * show what others write there. A second `free()` does nothing.
 */
export class Owned {
    protected constructor();
    readonly isFreed: boolean;
    free(): void;
    [Symbol.dispose](): void;
}

export class Asset extends Owned {
    private constructor();
    readonly joints: readonly Joint[];
    readonly jointNameMap: ReadonlyMap<string, number>;
    readonly inverseBindMatrices: Float32Array;
    readonly clips: readonly AnimationClip[];
    readonly skins: readonly Skin[];
    readonly meshes: readonly Mesh[];
    readonly images: readonly { readonly mimeType: string | null }[];
    readonly morphs: readonly { node: number; name: string; firstSlot: number; targetNames: readonly string[] }[];
    /** Which joint is the head, the hips, a foot, where that was found. */
    readonly humanoid: Readonly<Record<string, number>>;
    readonly warnings: readonly string[];
    createCharacter(): Character;
    primitive(mesh: number, primitive: number): Primitive;
    /** A `Blob` with the bytes as they are in the file. */
    image(index: number): ImageBlob;
}

export interface Skeleton {
    readonly joints: readonly Joint[];
    readonly jointCount: number;
    readonly jointNameMap: ReadonlyMap<string, number>;
    readonly inverseBindMatrices: Float32Array;
    /**
     * Sixteen floats for each joint, column by column, ready for a bone texture: a view of the module's memory, not a copy. Ask for it each
     * frame: a view is empty once that memory has grown.
     */
    readonly boneMatrices: Float32Array;
    /**
     * `boneMatrices` as a texture of four floats a texel (`RGBA32F`), of four texels for each joint, one below the other: what a texture of this
     * size is filled with each frame.
     */
    readonly boneTexture: BoneTexture;
    /**
     * Takes points from the space of a joint to that of the model, for which the joints are the world: where the character stands is not part of
     * it, that is `worldMatrix`. Writes to `out`; without it an array is made.
     */
    getJointWorldMatrix(joint: number | string, out?: Float32Array): Float32Array;
}

export interface BoneTexture {
    readonly width: number;
    readonly height: number;
    /** A view of the module's memory: ask for it each frame. */
    readonly data: Float32Array;
}

/** Height of level ground, all about it, or nothing where there is none. It may know its character: both are collected all the same. */
export type GroundFunction = (
    x: number,
    y: number,
    z: number,
) => number | { height: number; normal?: Vector; velocity?: Vector; spin?: number } | null | undefined;

export interface ProceduralLayer {
    /** How much of it is seen, from 0 to 1. */
    set weight(weight: number);
}
export interface LookLayer extends ProceduralLayer {
    /** A point of world space. */
    set target(target: Vector);
}
export interface FootPlacement extends ProceduralLayer {
    /** Whether a foot stands: 0 is the left one. */
    isPlanted(leg: number): boolean;
}

export class Character extends Owned {
    private constructor();
    readonly asset: Asset;
    readonly skeleton: Skeleton;
    readonly mixer: AnimationMixer;
    /** See `Skeleton.boneMatrices`. */
    readonly boneMatrices: Float32Array;
    readonly morphWeights: Float32Array;
    /** How far the root went in the last update, for clips from which its way was taken out. */
    readonly rootStep: Readonly<{ x: number; y: number; z: number; yaw: number }>;
    /** Sixteen floats that take the model to the world, to be written. */
    readonly worldMatrix: Float32Array;
    update(dt: number): void;
    place(position: Vector, yaw?: number, velocity?: Vector): void;
    set isGrounded(isGrounded: boolean);
    set ground(find: GroundFunction | null);
    addLookAt(target?: Vector): LookLayer;
    addAim(target?: Vector): LookLayer;
    addFootPlacement(ground?: GroundFunction): FootPlacement;
    addLean(): ProceduralLayer;
    addBreathing(): ProceduralLayer;
    addStateMachine(document: string | object, layer?: MixerLayer): StateMachinePlayer;
}

/**
 * One run of a clip or a blend space: it is current, then fades, and then it is gone. Playing the clip again later is another action. The
 * numbers of one that is gone are `NaN`, its flags false; setting one throws.
 */
export interface AnimationAction {
    readonly isGone: boolean;
    readonly clip: AnimationClip | null;
    /** Seconds; writing it seeks. */
    time: number;
    speed: number;
    loop: boolean;
    playing: boolean;
    weight: number;
    repetitions: number;
    backAndForth: boolean;
    readonly duration: number;
    readonly totalTime: number;
}

/** A clip came by one of its markers. */
export interface MarkerEvent {
    readonly type: "marker";
    readonly name: string;
    readonly clip: AnimationClip;
    readonly layer: MixerLayer;
    /** How much of the clip is seen, from 0 to 1. */
    readonly weight: number;
    /** Number of the pass in which it was met, from 0. */
    readonly pass: number;
    /** Seconds of the action's clock. */
    readonly totalTime: number;
    readonly isRewinding: boolean;
}

/** What a layer plays began anew, or turned. The clip is `null` for a blend space. */
export interface LoopEvent {
    readonly type: "loop";
    readonly clip: AnimationClip | null;
    readonly layer: MixerLayer;
    /** How many passes ended in this update, at least 1. */
    readonly passes: number;
}

/** What a layer plays came to its end: it stopped there, or, played once, has handed back. The clip is `null` for a blend space. */
export interface EndEvent {
    readonly type: "end";
    readonly clip: AnimationClip | null;
    readonly layer: MixerLayer;
}

/** A state machine went from one state to another. */
export interface StateEvent {
    readonly type: "state";
    readonly machine: StateMachinePlayer;
    readonly from: string;
    readonly to: string;
}

export type AnimationEvent = MarkerEvent | LoopEvent | EndEvent | StateEvent;

export class MixerLayer {
    protected constructor();
    readonly index: number;
    readonly name: string;
    readonly currentAction: AnimationAction | null;
    readonly fadingAction: AnimationAction | null;
    readonly fadeProgress: number;
    readonly fadeDuration: number;
    readonly hasJustFinished: boolean;
    weight: number;
    /** Fades to a clip, by its name or its index, or to a blend space. Throws where there is none, with names that come close. */
    play(motion: string | number | BlendSpace, fade?: Fade): AnimationAction;
    restart(clip: string, fade?: Fade): AnimationAction;
    playOnce(clip: string, fadeIn?: number, fadeOut?: number): AnimationAction;
    stop(fade?: Fade): void;
    pause(): void;
    resume(): void;
    /** Acts on the joints below these only, on none where the list is empty. */
    setMask(joints: readonly string[] | "upperBody"): void;
}

export class AnimationMixer extends MixerLayer {
    private constructor();
    readonly skeleton: Skeleton;
    readonly layers: readonly MixerLayer[];
    timeScale: number;
    /**
     * What happened in the last update: markers first (at most 1024), then loops and ends layer by layer, then changes of state. The list and its
     * objects are used again: copy what is kept.
     */
    readonly events: readonly AnimationEvent[];
    update(dt: number): void;
    addLayer(name: string, options?: { additive?: boolean; mask?: readonly string[] | "upperBody" }): MixerLayer;
    addBlendSpace(
        samples: readonly string[] | readonly { clip: string; x: number; y?: number }[],
        options?: { sync?: readonly string[] },
    ): BlendSpace;
}

export class BlendSpace {
    private constructor();
    readonly index: number;
    set(x: number, y?: number): void;
}

export class StateMachinePlayer {
    private constructor();
    readonly state: string;
    set(parameter: string, value: number | boolean): void;
    trigger(parameter: string): void;
    goTo(state: string, fade?: Fade): void;
}

/** Three numbers that act as soon as they are set. */
export interface LiveVector {
    x: number;
    y: number;
    z: number;
    set(x: number, y: number, z: number): void;
}

/** A quaternion that acts as soon as it is set. */
export interface LiveRotation {
    x: number;
    y: number;
    z: number;
    w: number;
    set(x: number, y: number, z: number, w: number): void;
    /** Turns about x, then about the y and the z that have turned along, in radians. */
    setFromEuler(x: number, y: number, z: number): void;
}

/** A node of a scene, as three.js has them. */
export interface SceneNode {
    matrix: { fromArray(array: ArrayLike<number>): unknown };
    matrixAutoUpdate?: boolean;
    matrixWorldNeedsUpdate?: boolean;
}

/** Something that a joint of a character holds. */
export class BoneAttachment {
    constructor(character: Character, boneName: string);
    readonly boneName: string;
    readonly boneIndex: number;
    /** Sixteen floats that take what is held to model space. */
    readonly matrix: Float32Array;
    /** How it lies in the joint's space. */
    readonly position: LiveVector;
    readonly rotation: LiveRotation;
    readonly scale: LiveVector;
    /** The same in one call. */
    setOffset(position: Vector, rotation?: readonly number[], scale?: readonly number[]): void;
    readonly children: readonly SceneNode[];
    /** Lets a node go with it from now on: its matrix is set by every update. It belongs below the node that shows the model. */
    add(node: SceneNode): void;
    /** Lets go of a node; of everything, and of the joint, where none is named: what is asked of it afterwards throws. `free` is another name. */
    remove(node?: SceneNode): void;
    free(): void;
    [Symbol.dispose](): void;
}

/**
 * Updates characters, as `update` does each of them, and faster: eight at a time, which pays where neighbours in the list are of one file. All of
 * them are updated, also where functions of the ground throw something: the first of it is thrown in the end.
 */
export function updateAll(characters: readonly Character[], dt: number): void;

/** Characters are told apart by numbers that are never used again; one that has left throws. */
export class Crowd extends Owned {
    constructor();
    readonly count: number;
    /** Twelve floats for each joint of each character: the three rows of its matrix. */
    readonly boneRows: Float32Array;
    spawn(asset: Asset, clip: string): number;
    remove(character: number): boolean;
    play(character: number, asset: Asset, clip: string, time?: number): void;
    /** Blends a second clip over the first. It goes on where it is, unless a time is told. */
    blend(character: number, asset: Asset, clip: string, weight: number, time?: number): void;
    getTime(character: number): number;
    setTime(character: number, seconds: number): void;
    setSpeed(character: number, speed: number): void;
    setLoop(character: number, loop: boolean): void;
    update(dt: number): void;
    firstJoint(character: number): number;
}
