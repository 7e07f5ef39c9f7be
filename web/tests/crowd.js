// Runs in the page: a thousand characters, ours beside three.js's mixer.

import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { clone } from "three/addons/utils/SkeletonUtils.js";
import * as THREE from "three";
import { BoneAttachment, Crowd, load, updateAll } from "../dist/nebula-animation/index.js";

const COUNT = 1000;
const DT = 1 / 60;

const bytesOf = async (address) => new Uint8Array(await (await fetch(address)).arrayBuffer());

/** Milliseconds that each call takes, the middle one of several runs. */
function measure(call, frames) {
    const runs = [];
    for (let run = 0; run < 5; run++) {
        const start = performance.now();
        for (let frame = 0; frame < frames; frame++) call();
        runs.push((performance.now() - start) / frames);
    }
    return runs.sort((a, b) => a - b)[2];
}

/** A thousand of ours: in one crowd, and as characters of their own. */
async function ours(address) {
    const asset = await load(await bytesOf(address), { forCrowds: true });
    const crowd = new Crowd();
    const clips = asset.clips.filter(({ duration }) => duration > 0);
    for (let index = 0; index < COUNT; index++) {
        const character = crowd.spawn(asset, clips[index % clips.length].name);
        crowd.setTime(character, 0.01 * index);
    }
    const characters = Array.from({ length: COUNT }, (_, index) => {
        const character = asset.createCharacter();
        character.mixer.play(clips[index % clips.length].index, 0).time = 0.01 * index;
        return character;
    });
    return { crowd, characters };
}

async function theirs(address) {
    const gltf = await new GLTFLoader().loadAsync(address);
    const clips = gltf.animations.filter(({ duration }) => duration > 0);
    return Array.from({ length: COUNT }, (_, index) => {
        const scene = clone(gltf.scene);
        const mixer = new THREE.AnimationMixer(scene);
        const action = mixer.clipAction(clips[index % clips.length]);
        action.play();
        mixer.setTime(0.01 * index);
        const skeletons = [];
        scene.traverse((object) => object.isSkinnedMesh && skeletons.push(object.skeleton));
        return { scene, mixer, skeletons };
    });
}

window.compareSpeed = async (address) => {
    const { crowd, characters } = await ours(address);
    const others = await theirs(address);
    const updateOthers = () => {
        for (const { scene, mixer, skeletons } of others) {
            mixer.update(DT);
            scene.updateMatrixWorld();
            for (const skeleton of skeletons) skeleton.update();
        }
    };
    const updateCrowd = () => crowd.update(DT);
    const updateCharacters = () => characters.forEach((character) => character.update(DT));
    const updateTogether = () => updateAll(characters, DT);
    updateOthers(), updateCrowd(), updateCharacters(), updateTogether();
    const result = {
        three: measure(updateOthers, 3),
        crowd: measure(updateCrowd, 20),
        together: measure(updateTogether, 10),
        single: measure(updateCharacters, 10),
    };
    characters.forEach((character) => character.free());
    crowd.free();
    return result;
};

const MACHINE = {
    parameters: { speed: 0, wave: "trigger" },
    start: "stand",
    states: [{ name: "stand", clip: "idle" }, { name: "go", clip: "walk" }],
    transitions: [
        { from: "stand", to: "go", when: ["speed > 0.5"], fade: 0.2 },
        { from: "go", to: "stand", when: ["speed < 0.5"], fade: 0.2 },
    ],
};

/** One character with everything, and what a game does with it in a frame; numbers go to the module and back, and its ground is a function, if that is asked for. */
async function everything(address, hasNumbers) {
    const asset = await load(await bytesOf(address), { stepMarker: "step" });
    const one = asset.createCharacter();
    const { mixer, skeleton } = one;
    const machine = one.addStateMachine(MACHINE);
    machine.set("speed", 1);
    const arm = mixer.addLayer("arm", { mask: "upperBody" });
    const gait = mixer.addBlendSpace(["idle", "walk", "run"]);
    const aim = one.addAim([0, 1.5, 2]);
    const feet = one.addFootPlacement(hasNumbers ? (x, y, z) => 0.02 * x + 0.01 * z : undefined);
    one.addBreathing();
    const sword = new BoneAttachment(one, "Head");
    const [position, target, offset, matrix] = [[0, 0, 0], [0, 1.5, 2], [0, 0.1, 0], new Float32Array(16)];
    const told = { marker: 0, loop: 0, end: 0, state: 0, frame: 0 };
    const sum = new Float64Array(1);
    const step = () => {
        const frame = told.frame++;
        arm.play(frame % 300 < 150 ? gait : "wave", 0.2);
        target[0] = (frame % 100) / 100;
        if (hasNumbers || frame % 200 === 0) machine.set("speed", frame % 400 < 200 ? 1.25 : 0.25);
        if (hasNumbers) {
            gait.set(0.5 + (frame % 60) / 60);
            aim.target = target;
        }
        position[0] = (frame % 100) / 50;
        one.place(position, 0.3, target);
        sword.setOffset(offset);
        mixer.update(DT);
        const { events } = mixer;
        for (let index = 0; index < events.length; index++) {
            told[events[index].type]++;
            sum[0] += events[index].weight;
        }
        skeleton.getJointWorldMatrix(3, matrix);
        sum[0] += skeleton.boneMatrices[5] + sword.matrix[13] + matrix[13] + one.worldMatrix[12] + one.morphWeights.length;
        if (hasNumbers) sum[0] += one.rootStep.z + mixer.currentAction.time + arm.currentAction.time + (feet.isPlanted(0) ? 1 : 0) + machine.state.length;
    };
    return { step, told, sum };
}

/** Bytes of the heap before and after many frames of a thousand characters, a few more together, and one with everything. */
window.measureGarbage = async (address, frames, { leak = 0, hasNumbers = false } = {}) => {
    const { crowd, characters } = await ours(address);
    const few = characters.slice(0, 11);
    characters.slice(11).forEach((character) => character.free());
    const { step, told, sum } = await everything(address, hasNumbers);
    const kept = [];
    const both = () => {
        if (hasNumbers) crowd.setTime(0, 0.25 + crowd.getTime(0));
        crowd.update(DT);
        updateAll(few, DT);
        sum[0] += crowd.boneRows[7];
        step();
        // What a test that can fail leaves behind.
        if (leak > 0) kept.push(new Array(leak));
    };
    // Browsers box numbers until they have compiled what they run.
    for (let frame = 0; frame < 6000; frame++) both();
    const heap = () => performance.memory.usedJSHeapSize;
    gc();
    const toldBefore = { ...told };
    const before = heap();
    let most = before;
    for (let frame = 0; frame < frames; frame++) {
        both();
        if (frame % 500 === 0) most = Math.max(most, heap());
    }
    const after = heap();
    const events = Object.entries(told).map(([type, count]) => [type, count - toldBefore[type]]);
    return { before, after, most, perFrame: (after - before) / frames, sum: sum[0], events: Object.fromEntries(events) };
};

window.isReady = true;
