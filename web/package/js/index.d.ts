/** Skeletal animation: load a glTF character, play and blend its clips, adjust the pose, hand the GPU the skinning matrices. */

declare global {
    interface SymbolConstructor {
        readonly dispose: unique symbol;
    }
}

/** A buffer, or a view of part of one. */
export type Bytes = ArrayBuffer | ArrayBufferView;
/** Three numbers. `NaN` and infinite numbers throw. */
export type Vector = readonly [number, number, number] | { readonly x: number; readonly y: number; readonly z: number };
/** Duration in seconds, or duration and curve. */
export type Fade = number | { seconds: number; curve?: "linear" | "smooth" | "inertialised" };

export interface InitOptions {
    /** Which of the two modules to load: by default the one with SIMD, if the machine supports it. */
    simd?: boolean;
    /** Bytes or URL of the module, if it is not next to the script. */
    wasm?: Bytes | { readonly href: string } | string;
}

export interface LoadOptions {
    /** Name of the file in messages. */
    name?: string;
    /** Files that the model refers to, by relative path: as spelled in the file, or without `.` and `..`. */
    files?: Map<string, Bytes> | Record<string, Bytes>;
    /** Whether every node becomes a joint; by default only those that skins and animations need. */
    allNodes?: boolean;
    /** Whether to load all meshes, for drawing; by default only those that joints, morph targets or clips move. */
    meshes?: boolean;
    /** Markers to report as events, by clip name. */
    markers?: Record<string, readonly { name: string; time: number }[]>;
    /** Name of a marker to add to clips wherever a foot lands. */
    stepMarker?: string;
    /** Name of the joint whose root motion is extracted from the clips and reported as `rootStep`. */
    rootMotion?: string;
    /** Compiles a second copy of each clip for crowds, which plays a third faster. */
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
    /** Walking speed in metres per second: move at this speed, and feet do not slide. */
    readonly speed: number;
    readonly markers: readonly { readonly name: string; readonly time: number }[];
}

export interface Skin {
    readonly name: string;
    /** The skeleton index of each joint of the skin, in the order of the file's own joint indices. */
    readonly joints: readonly number[];
    readonly nodes: readonly number[];
}

export interface Mesh {
    readonly name: string;
    readonly node: number;
    readonly skin: number | null;
    /** The joint that a mesh without a skin is attached to. */
    readonly joint: number | null;
    readonly primitives: readonly {
        readonly baseColor: readonly number[];
        readonly baseColorImage: number | null;
        readonly isDoubleSided: boolean;
    }[];
}

/** The part of `Blob` that is used, for environments without the types of browsers or Node. */
export interface ImageBlob {
    readonly size: number;
    readonly type: string;
    arrayBuffer(): Promise<ArrayBuffer>;
}

export interface Primitive {
    readonly positions: Float32Array;
    readonly normals: Float32Array;
    readonly uvs: Float32Array;
    /** Linear, four per vertex; empty for vertices without colours. */
    readonly colors: Float32Array;
    /** Indices into the skeleton, four per vertex. */
    readonly joints: Uint16Array;
    readonly weights: Float32Array;
    readonly indices: Uint32Array;
}

/** Loads the module, once. `load` calls this itself. */
export function init(options?: InitOptions): Promise<void>;
/** Whether this machine supports WebAssembly SIMD. */
export function hasSimd(): boolean;
/** Loads a `.glb`, `.vrm` or `.gltf`. Throws an `Error` with the loader's message. */
export function load(bytes: Bytes, options?: LoadOptions): Promise<Asset>;
/** Like `load`, but synchronous; `init` must have been awaited. */
export function loadSync(bytes: Bytes, options?: LoadOptions): Asset;

/**
 * An object that owns memory of the module. The memory is released when the object is garbage-collected, or at once by `free()`. After that,
 * every use of the object throws, and views of its memory (`boneMatrices`, `morphWeights`, `worldMatrix`, `boneRows`, `matrix`) are invalid:
 * they show whatever is written there next. Calling `free()` again does nothing.
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
    /** Which joints are the head, the hips, the feet, as far as they were found. */
    readonly humanoid: Readonly<Record<string, number>>;
    readonly warnings: readonly string[];
    createCharacter(): Character;
    primitive(mesh: number, primitive: number): Primitive;
    /** A `Blob` with the encoded image from the file. */
    image(index: number): ImageBlob;
}

export interface Skeleton {
    readonly joints: readonly Joint[];
    readonly jointCount: number;
    readonly jointNameMap: ReadonlyMap<string, number>;
    readonly inverseBindMatrices: Float32Array;
    /**
     * Sixteen floats per joint, column-major, ready for a bone texture: a view of the module's memory, not a copy. Read the property every
     * frame, because a view becomes empty when the memory grows.
     */
    readonly boneMatrices: Float32Array;
    /**
     * `boneMatrices` as an `RGBA32F` texture, four texels per joint, one joint per row: the size of the texture, and the data to fill it with
     * every frame.
     */
    readonly boneTexture: BoneTexture;
    /**
     * The matrix from joint space to model space. The character's own transform (`worldMatrix`) is not included. Writes to `out`, or to a new
     * array without it.
     */
    getJointWorldMatrix(joint: number | string, out?: Float32Array): Float32Array;
}

export interface BoneTexture {
    readonly width: number;
    readonly height: number;
    /** A view of the module's memory: read it every frame. */
    readonly data: Float32Array;
}

/** Returns the height of level ground, a full description of the ground, or nothing if there is none. It may refer to its character; both are garbage-collected anyway. */
export type GroundFunction = (
    x: number,
    y: number,
    z: number,
) => number | { height: number; normal?: Vector; velocity?: Vector; spin?: number } | null | undefined;

export interface ProceduralLayer {
    /** Blend weight, from 0 to 1. */
    set weight(weight: number);
}
export interface LookLayer extends ProceduralLayer {
    /** A point in world space. */
    set target(target: Vector);
}
export interface FootPlacement extends ProceduralLayer {
    /** Whether a foot is locked to the ground: 0 is the left one. */
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
    /** Root motion of the last update, for clips with extracted root motion. */
    readonly rootStep: Readonly<{ x: number; y: number; z: number; yaw: number }>;
    /** The matrix from model space to world space, sixteen floats, writable. */
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
 * One run of a clip or a blend space: it is current, then fades out, and then it is gone. Playing the clip again later creates another action.
 * When it is gone, its numbers are `NaN` and its flags false; setting one throws.
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

/** A clip has passed one of its markers. */
export interface MarkerEvent {
    readonly type: "marker";
    readonly name: string;
    readonly clip: AnimationClip;
    readonly layer: MixerLayer;
    /** Weight of the clip in the pose, from 0 to 1. */
    readonly weight: number;
    /** Number of the pass in which it was passed, from 0. */
    readonly pass: number;
    /** Seconds of the action's clock. */
    readonly totalTime: number;
    readonly isRewinding: boolean;
}

/** The action of a layer has looped or, with ping-pong, reversed. The clip is `null` for a blend space. */
export interface LoopEvent {
    readonly type: "loop";
    readonly clip: AnimationClip | null;
    readonly layer: MixerLayer;
    /** How many passes ended in this update, at least 1. */
    readonly passes: number;
}

/** The action of a layer has reached its end: it stopped there or, if it was played once, has handed back. The clip is `null` for a blend space. */
export interface EndEvent {
    readonly type: "end";
    readonly clip: AnimationClip | null;
    readonly layer: MixerLayer;
}

/** A state machine has changed its state. */
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
    /** Fades to a clip, by name or index, or to a blend space. Throws if it does not exist, with similar names. */
    play(motion: string | number | BlendSpace, fade?: Fade): AnimationAction;
    restart(clip: string, fade?: Fade): AnimationAction;
    playOnce(clip: string, fadeIn?: number, fadeOut?: number): AnimationAction;
    stop(fade?: Fade): void;
    pause(): void;
    resume(): void;
    /** Restricts the layer to these joints and everything below them; to none if the list is empty. */
    setMask(joints: readonly string[] | "upperBody"): void;
}

export class AnimationMixer extends MixerLayer {
    private constructor();
    readonly skeleton: Skeleton;
    readonly layers: readonly MixerLayer[];
    timeScale: number;
    /**
     * What happened in the last update: markers first (at most 1024), then loops and ends layer by layer, then state changes. The list and its
     * objects are reused: copy what you want to keep.
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

/** Three numbers that take effect as soon as they are set. */
export interface LiveVector {
    x: number;
    y: number;
    z: number;
    set(x: number, y: number, z: number): void;
}

/** A quaternion that takes effect as soon as it is set. */
export interface LiveRotation {
    x: number;
    y: number;
    z: number;
    w: number;
    set(x: number, y: number, z: number, w: number): void;
    /** Rotates about x, then about the rotated y and z axes, in radians. */
    setFromEuler(x: number, y: number, z: number): void;
}

/** A scene node, as in three.js. */
export interface SceneNode {
    matrix: { fromArray(array: ArrayLike<number>): unknown };
    matrixAutoUpdate?: boolean;
    matrixWorldNeedsUpdate?: boolean;
}

/** Attaches an object to a joint of a character. */
export class BoneAttachment {
    constructor(character: Character, boneName: string);
    readonly boneName: string;
    readonly boneIndex: number;
    /** The matrix from attachment space to model space, sixteen floats. */
    readonly matrix: Float32Array;
    /** The offset in the joint's space. */
    readonly position: LiveVector;
    readonly rotation: LiveRotation;
    readonly scale: LiveVector;
    /** Sets the offset in one call. */
    setOffset(position: Vector, rotation?: readonly number[], scale?: readonly number[]): void;
    readonly children: readonly SceneNode[];
    /** Makes a node follow from now on: every update sets its matrix. It should be a child of the node that shows the model. */
    add(node: SceneNode): void;
    /** Detaches a node. Without an argument, detaches everything and releases the attachment, like `free`: every later use throws. */
    remove(node?: SceneNode): void;
    free(): void;
    [Symbol.dispose](): void;
}

/**
 * Updates characters like `update` does for each of them, but faster: eight at a time, which works best if neighbours in the list come from one
 * file. If ground functions throw, all characters are updated anyway, and the first error is thrown at the end.
 */
export function updateAll(characters: readonly Character[], dt: number): void;

/** Characters are identified by numbers that are never reused; that of a removed character throws. */
export class Crowd extends Owned {
    constructor();
    readonly count: number;
    /** Twelve floats per joint of each character: the three rows of its matrix. */
    readonly boneRows: Float32Array;
    spawn(asset: Asset, clip: string): number;
    remove(character: number): boolean;
    play(character: number, asset: Asset, clip: string, time?: number): void;
    /** Blends a second clip over the first. It continues at its own time unless you pass one. */
    blend(character: number, asset: Asset, clip: string, weight: number, time?: number): void;
    getTime(character: number): number;
    setTime(character: number, seconds: number): void;
    setSpeed(character: number, speed: number): void;
    setLoop(character: number, loop: boolean): void;
    update(dt: number): void;
    firstJoint(character: number): number;
}
