// Runs in the page: a thousand characters, ours beside three.js's mixer.

import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { clone } from "three/addons/utils/SkeletonUtils.js";
import * as THREE from "three";
import { Crowd, load } from "../dist/nebula-animation/index.js";

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

/** A thousand of ours: in one crowd, and as mixers of their own. */
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
    updateOthers(), updateCrowd(), updateCharacters();
    const result = { three: measure(updateOthers, 3), crowd: measure(updateCrowd, 20), mixers: measure(updateCharacters, 5) };
    characters.forEach((character) => character.free());
    crowd.free();
    return result;
};

/** Bytes of the heap before and after many frames of a thousand characters and of one with everything. */
window.measureGarbage = async (address, frames) => {
    const { crowd, characters } = await ours(address);
    const [one] = characters;
    const position = [0, 0, 0];
    const sum = new Float64Array(1);
    const step = () => {
        crowd.update(DT);
        sum[0] += crowd.boneRows[7];
        one.place(position, 0.3);
        one.mixer.update(DT);
        sum[0] += one.boneMatrices[5] + one.mixer.events.length;
    };
    // Browsers box numbers until they have compiled what they run.
    for (let frame = 0; frame < 4000; frame++) step();
    const heap = () => performance.memory.usedJSHeapSize;
    gc();
    const before = heap();
    let most = before;
    for (let frame = 0; frame < frames; frame++) {
        step();
        if (frame % 500 === 0) most = Math.max(most, heap());
    }
    const after = heap();
    return { before, after, most, grown: after - before, sum: sum[0] };
};

window.isReady = true;
