// The package's memory, under Node: it is given back, what was freed says so, and bytes are those that are meant.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { BoneAttachment, Crowd, load, updateAll } from "../dist/nebula-animation/index.js";
import * as module from "../dist/nebula-animation/wasm.js";
import { assets } from "./browser.mjs";

const bytes = await readFile(join(assets, "simple_humanoid.glb"));
const asset = await load(bytes);
const size = () => module.memory.buffer.byteLength;

/** Does something a thousand times, after a hundred to begin with: the memory may not grow meanwhile. */
function staysTheSame(call) {
    for (let round = 0; round < 100; round++) call();
    const before = size();
    for (let round = 0; round < 1000; round++) call();
    assert.equal(size(), before);
}

test("a thousand characters leave nothing behind", () => {
    staysTheSame(() => {
        const character = asset.createCharacter();
        character.mixer.play("walk", 0.2);
        character.addAim([0, 1, 2]);
        character.addFootPlacement(() => 0);
        new BoneAttachment(character, "Head");
        character.update(0.1);
        character.free();
    });
    // The test can fail: a thousand that are kept do not fit.
    const before = size();
    const kept = Array.from({ length: 1000 }, () => asset.createCharacter());
    assert.ok(size() > before);
    kept.forEach((character) => character.free());
});

test("what nobody frees is given back when it is collected", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc");
    const forget = () => {
        for (let count = 0; count < 500; count++) asset.createCharacter().update(0.1);
    };
    const round = async () => {
        forget();
        collect();
        // Finalizers run when the program waits, not while it collects.
        await new Promise((resolve) => setTimeout(resolve, 20));
    };
    for (let count = 0; count < 3; count++) await round();
    const before = size();
    for (let count = 0; count < 10; count++) await round();
    assert.equal(size(), before);
    // The test can fail: as many at once, before anything is collected, do not fit.
    for (let count = 0; count < 10; count++) forget();
    assert.ok(size() > before);
});

test("a ground function that knows its character keeps nobody from being collected", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc");
    let asked = 0;
    const round = async (count = 500) => {
        const people = Array.from({ length: count }, () => {
            const character = asset.createCharacter();
            character.addFootPlacement((x, y) => (asked++, character.isFreed ? null : 0 * y));
            new BoneAttachment(character, "Head");
            return character;
        });
        updateAll(people, 0.1);
        people[0].update(0.1);
        people.length = 0;
        collect();
        await new Promise((resolve) => setTimeout(resolve, 20));
    };
    for (let count = 0; count < 3; count++) await round();
    const before = size();
    for (let count = 0; count < 10; count++) await round();
    assert.equal(size(), before);
    assert.ok(asked > 6500, `${asked}`);
});

test("a thousand files, and a crowd that comes and goes", async () => {
    const crowd = new Crowd();
    staysTheSame(() => crowd.remove(crowd.spawn(asset, "walk")));
    assert.equal(crowd.count, 0);
    crowd.free();
    const one = async () => (await load(bytes)).free();
    for (let round = 0; round < 10; round++) await one();
    const before = size();
    for (let round = 0; round < 50; round++) await one();
    assert.equal(size(), before);
});

test("what was freed says so, and twice is harmless", async () => {
    const character = asset.createCharacter();
    const { mixer, skeleton, rootStep } = character;
    const action = mixer.play("walk", 0);
    const look = character.addLookAt([0, 1, 1]);
    const space = mixer.addBlendSpace(["idle", "walk"]);
    const machine = character.addStateMachine({ start: "a", parameters: { p: 0 }, states: [{ name: "a", clip: "idle" }] });
    const sword = new BoneAttachment(character, "Head");
    character.update(0.1);
    assert.ok(!character.isFreed);
    character.free();
    character.free();
    assert.ok(character.isFreed);
    const calls = [
        () => character.update(0), () => character.boneMatrices, () => character.morphWeights, () => character.worldMatrix,
        () => character.place([0, 0, 0]), () => (character.isGrounded = true), () => (character.ground = null), () => character.addAim([0, 0, 1]),
        () => character.addStateMachine("{}"), () => mixer.play("walk"), () => mixer.play(0), () => mixer.play(space), () => mixer.stop(),
        () => mixer.pause(), () => mixer.events, () => mixer.currentAction, () => mixer.weight, () => (mixer.timeScale = 1),
        () => mixer.addLayer("x"), () => mixer.addBlendSpace(["idle", "walk"]), () => mixer.setMask([]), () => skeleton.boneMatrices,
        () => skeleton.getJointWorldMatrix(0), () => rootStep.x, () => action.time, () => (action.speed = 1), () => action.isGone,
        () => (look.target = [0, 0, 1]), () => (look.weight = 1), () => space.set(1), () => machine.state, () => machine.set("p", 1),
        () => machine.goTo("a"), () => sword.matrix, () => sword.setOffset([0, 0, 0]), () => sword.position.set(0, 0, 0),
        () => new BoneAttachment(character, "Head"), () => updateAll([character], 0), () => skeleton.boneTexture.data,
    ];
    for (const call of calls) assert.throws(call, { message: "the character has been freed: nothing can be asked of it any more" }, String(call));
    sword.remove();
    // And none of them wrote where others keep theirs: the memory is whole.
    (await load(bytes, { meshes: true })).free();
    const crowd = new Crowd();
    const one = crowd.spawn(asset, "walk");
    crowd.free();
    crowd.free();
    const ofCrowd = [() => crowd.count, () => crowd.spawn(asset, "walk"), () => crowd.update(0), () => crowd.boneRows, () => crowd.play(one, asset, "walk"), () => crowd.setTime(one, 1)];
    for (const call of ofCrowd) {
        assert.throws(call, /the crowd has been freed/);
    }
});

test("an asset that was freed says so, and its characters go on", async () => {
    const mine = await load(bytes, { meshes: true });
    const character = mine.createCharacter();
    character.mixer.play("walk", 0);
    mine[Symbol.dispose ?? Symbol.for("Symbol.dispose")]();
    mine.free();
    for (const call of [() => mine.createCharacter(), () => mine.primitive(0, 0), () => mine.image(0)]) assert.throws(call, /the asset has been freed/);
    character.update(0.2);
    assert.ok(character.boneMatrices.some((entry) => entry !== 0));
});

test("bytes are those that a view shows", async () => {
    const padded = new Uint8Array(bytes.length + 24);
    padded.set(bytes, 8);
    const aligned = bytes.length % 4 === 0;
    const views = [new DataView(padded.buffer, 8, bytes.length), padded.buffer.slice(8, 8 + bytes.length), padded.subarray(8, 8 + bytes.length)];
    if (aligned) views.push(new Float32Array(padded.buffer, 8, bytes.length / 4));
    for (const view of views) {
        const loaded = await load(view);
        assert.equal(loaded.joints.length, asset.joints.length);
        loaded.free();
    }
    for (const odd of ["text", 5, null, undefined, {}]) await assert.rejects(load(odd), TypeError);
    const corners = new Float32Array([9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0]);
    const triangle = {
        asset: { version: "2.0" },
        scene: 0,
        scenes: [{ nodes: [0] }],
        nodes: [{ mesh: 0 }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
        accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] }],
        bufferViews: [{ buffer: 0, byteLength: 36 }],
    };
    const document = (uri) => new TextEncoder().encode(JSON.stringify({ ...triangle, buffers: [{ uri, byteLength: 36 }] }));
    const json = document("corners.bin");
    for (const file of [corners.subarray(2), new DataView(corners.buffer, 8)]) {
        for (const files of [{ "corners.bin": file }, new Map([["corners.bin", file]])]) {
            const loaded = await load(json, { name: "triangle.gltf", files, meshes: true });
            assert.deepEqual([...loaded.primitive(0, 0).positions], [0, 0, 0, 1, 0, 0, 0, 1, 0]);
            loaded.free();
        }
    }
    // Paths of every spelling: as the file has it, or the plain one.
    for (const uri of ["./corners.bin", "parts/../corners.bin"]) {
        for (const path of ["corners.bin", uri]) (await load(document(uri), { name: "triangle.gltf", files: { [path]: corners.subarray(2) }, meshes: true })).free();
    }
    await assert.rejects(load(json, { name: "triangle.gltf" }), /corners\.bin/);
});

test("warnings of the library are on the console", async () => {
    const odd = { asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ rotation: [0, 0, 0, 2] }] };
    const told = [];
    const { warn } = console;
    console.warn = (text) => told.push(text);
    try {
        (await load(new TextEncoder().encode(JSON.stringify(odd)), { name: "odd.gltf", allNodes: true })).free();
    } finally {
        console.warn = warn;
    }
    assert.deepEqual(told, ["odd.gltf: node 0: rotation: is not of unit length: normalised"]);
});
