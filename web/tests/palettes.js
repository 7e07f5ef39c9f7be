// Runs in the page: palettes of the package, bit by bit, and three.js's beside them.

import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import * as THREE from "three";
import { init, load } from "../dist/nebula-animation/index.js";
import { fetchModel } from "../files.js";

/** As in crates/nebula-demo/examples/web_reference.rs. */
const MOMENTS = [0, 0.21, 0.5, 0.87];

async function open(address) {
    const { name, bytes, resolve } = await fetchModel(address);
    const files = new Proxy({}, { get: (_, path) => resolve(path) });
    return load(bytes, { name, files });
}

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
    const expected = new Uint32Array(await (await fetch(expectedAddress)).arrayBuffer());
    const asset = await open(address);
    const floats = new Float32Array(expected.buffer);
    let [at, different, worst] = [0, 0, 0];
    visit(asset, (character) => {
        const palette = character.boneMatrices;
        const bits = new Uint32Array(palette.buffer, palette.byteOffset, palette.length);
        for (let index = 0; index < bits.length; index++, at++) {
            if (bits[index] === expected[at]) continue;
            different++;
            const difference = Math.abs(palette[index] - floats[at]) / Math.max(1, Math.abs(floats[at]));
            // Also what is not a number.
            if (!(difference <= worst)) worst = difference;
        }
    });
    asset.free();
    return { count: at, expected: expected.length, different, worst };
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
                    // Also what is not a number.
                    if (!(difference <= worst)) worst = difference;
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
