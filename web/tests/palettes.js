// Runs in the page: palettes of the package, bit by bit, and three.js's beside them.

import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import * as THREE from "three";
import { Crowd, init, load } from "../dist/nebula-animation/index.js";
import { fetchModel } from "../files.js";

/** As in crates/nebula-demo/examples/web_reference.rs. */
const MOMENTS = [0, 0.21, 0.5, 0.87];

async function open(address) {
    const { name, bytes, resolve } = await fetchModel(address);
    const files = new Proxy({}, { get: (_, path) => resolve(path) });
    return load(bytes, { name, files });
}

/** Frames of a scene, their length, and a machine: as there. */
const FRAMES = 40;
const DT = 1 / 60;
const MACHINE = {
    parameters: { speed: 0, jump: "trigger" },
    start: "stand",
    states: [{ name: "stand", clip: "idle" }, { name: "go", clip: "walk" }, { name: "up", clip: "jump", looping: false }],
    transitions: [
        { from: "stand", to: "go", when: ["speed > 0.5"], fade: 0.2 },
        { from: "*", to: "up", when: ["jump"], fade: 0.1 },
    ],
};

/** The scenes of `web_reference`: each is made of a file, and gives a function that makes a frame and returns its matrices. */
const SCENES = {
    crowd(asset) {
        const crowd = new Crowd();
        for (let index = 0; index < 9; index++) {
            const one = crowd.spawn(asset, "walk");
            crowd.setTime(one, 0.1 * index);
            crowd.setSpeed(one, 1 + 0.125 * index);
            if (index % 2 === 1) crowd.blend(one, asset, "run", 0.125 * index, 0);
        }
        return () => {
            crowd.update(DT);
            return crowd.boneRows;
        };
    },
    blend(asset) {
        const { mixer, skeleton } = asset.createCharacter();
        mixer.play("idle", 0);
        const space = mixer.addBlendSpace(["idle", "walk", "run"]);
        const arm = mixer.addLayer("arm", { mask: "upperBody" });
        arm.weight = 0.75;
        arm.play("wave", 0.25);
        return (frame) => {
            if (frame === 8) mixer.play(space, 0.25);
            if (frame === 16) space.set(1.25);
            if (frame === 20) mixer.play("run", { seconds: 0.25, curve: "inertialised" });
            mixer.update(DT);
            return skeleton.boneMatrices;
        };
    },
    gaze(asset) {
        const character = asset.createCharacter();
        character.mixer.play("walk", 0);
        const aim = character.addAim();
        character.addBreathing();
        return (frame) => {
            aim.target = [0.0625 * frame - 1, 1.5, 2];
            character.update(DT);
            return character.boneMatrices;
        };
    },
    limbs(asset) {
        const character = asset.createCharacter();
        character.mixer.play("walk", 0);
        character.addFootPlacement((x, y, z) => ({ height: 0.125 * x + 0.0625 * z, normal: [-0.125, 1, -0.0625] }));
        return () => {
            character.update(DT);
            return character.boneMatrices;
        };
    },
    machine(asset) {
        const character = asset.createCharacter();
        const machine = character.addStateMachine(MACHINE);
        return (frame) => {
            if (frame === 5) machine.set("speed", 1);
            if (frame === 25) machine.trigger("jump");
            character.update(DT);
            return character.boneMatrices;
        };
    },
};

/** Compares matrices with others bit by bit, one array after the other. */
class Comparison {
    at = 0;
    different = 0;
    worst = 0;

    constructor(buffer) {
        this.bits = new Uint32Array(buffer);
        this.floats = new Float32Array(buffer);
    }

    add(palette) {
        const bits = new Uint32Array(palette.buffer, palette.byteOffset, palette.length);
        for (let index = 0; index < bits.length; index++, this.at++) {
            if (bits[index] === this.bits[this.at]) continue;
            this.different++;
            const expected = this.floats[this.at];
            this.worst = worse(this.worst, Math.abs(palette[index] - expected) / Math.max(1, Math.abs(expected)));
        }
    }

    get result() {
        return { count: this.at, expected: this.bits.length, different: this.different, worst: this.worst };
    }
}

/** The larger one; what is not a number is worse than any. */
const worse = (worst, difference) => (Number.isNaN(difference) ? Infinity : Math.max(worst, difference));

const fetchBuffer = async (address) => (await fetch(address)).arrayBuffer();

/** How many floats of a scene differ from the desktop's, and whether anything moved. */
window.compareScene = async (name, address, expectedAddress) => {
    await init({ simd: !location.search.includes("plain") });
    const asset = await open(address);
    const frame = SCENES[name](asset);
    const comparison = new Comparison(await fetchBuffer(expectedAddress));
    const sums = new Set();
    for (let index = 0; index < FRAMES; index++) {
        const matrices = frame(index);
        comparison.add(matrices);
        sums.add(matrices.reduce((sum, entry) => sum + entry, 0));
    }
    return { ...comparison.result, poses: sums.size };
};

/** Calls with the rest pose of a file, then with every clip at every moment, in a fresh character. */
function visit(asset, call) {
    const moments = asset.clips.flatMap(({ index }) => MOMENTS.map((moment) => [index, moment]));
    for (const [clip, moment] of [[null, 0], ...moments]) {
        const character = asset.createCharacter();
        const action = clip === null ? null : character.mixer.play(clip, 0);
        if (action !== null) action.time = action.duration * moment;
        character.update(0);
        call(character, clip, action === null ? 0 : action.duration * moment);
        character.free();
    }
}

/** How many floats differ from the desktop's, bit by bit. */
window.compareBits = async (address, expectedAddress) => {
    await init({ simd: !location.search.includes("plain") });
    const asset = await open(address);
    const comparison = new Comparison(await fetchBuffer(expectedAddress));
    visit(asset, (character) => comparison.add(character.boneMatrices));
    asset.free();
    return comparison.result;
};

/** The largest difference from three.js's own mixer: absolute, or as a part of the largest entry of a matrix. */
window.compareThree = async (address) => {
    const asset = await open(address);
    const gltf = await new GLTFLoader().loadAsync(address);
    // Rotations are of unit length, which three.js takes for granted and some files round away.
    for (const track of gltf.animations.flatMap(({ tracks }) => tracks)) {
        if (track.ValueTypeName !== "quaternion" || track.values.length !== 4 * track.times.length) continue;
        const rotation = new THREE.Quaternion();
        for (let at = 0; at < track.values.length; at += 4) rotation.fromArray(track.values, at).normalize().toArray(track.values, at);
    }
    const skeletons = await Promise.all(asset.skins.map((_, index) => gltf.parser.getDependency("skin", index)));
    let [worst, matrices] = [0, 0];
    visit(asset, (character, clip, time) => {
        // A mixer of its own: what a clip leaves alone is at rest.
        const mixer = new THREE.AnimationMixer(gltf.scene);
        if (clip !== null) {
            const action = mixer.clipAction(gltf.animations[clip]);
            action.setLoop(THREE.LoopOnce);
            action.clampWhenFinished = true;
            action.play();
            mixer.setTime(time);
        }
        gltf.scene.updateMatrixWorld(true);
        const ours = character.boneMatrices;
        const theirs = new THREE.Matrix4();
        asset.skins.forEach(({ joints }, skin) => {
            joints.forEach((joint, index) => {
                const { bones, boneInverses } = skeletons[skin];
                theirs.multiplyMatrices(bones[index].matrixWorld, boneInverses[index]);
                const largest = Math.max(1, ...theirs.elements.map(Math.abs));
                for (let entry = 0; entry < 16; entry++) {
                    const difference = Math.abs(theirs.elements[entry] - ours[16 * joint + entry]) / largest;
                    worst = worse(worst, difference);
                }
                matrices++;
            });
        });
        mixer.stopAllAction();
        mixer.uncacheRoot(gltf.scene);
    });
    asset.free();
    return { worst, matrices };
};

window.isReady = true;
