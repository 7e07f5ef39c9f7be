// The package under Node: everything that it does, against values that are known.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { BoneAttachment, Crowd, hasSimd, load } from "../dist/nebula-animation/index.js";
import { assets } from "./browser.mjs";

const bytes = await readFile(join(assets, "simple_humanoid.glb"));
const asset = await load(bytes, { stepMarker: "step", markers: { wave: [{ name: "peak", time: 0.5 }] } });
const near = (a, b, most = 1e-5) => assert.ok(Math.abs(a - b) <= most, `${a} is not ${b}`);

/** Where a joint is in model space. */
const place = (character, joint) => [...character.skeleton.getJointWorldMatrix(joint)].slice(12, 15);

test("a file tells what it holds", () => {
    assert.ok(hasSimd());
    assert.equal(asset.joints.length, 25);
    assert.ok(asset.joints.every(({ index, parentIndex }) => parentIndex < index));
    assert.equal(asset.joints[asset.humanoid.head].name, "Head");
    assert.ok(asset.clips.some(({ name, duration }) => name === "walk" && duration > 0.5));
    assert.equal(asset.inverseBindMatrices.length, 16 * 25);
    assert.equal(asset.jointNameMap.get("Head"), asset.humanoid.head);
});

test("errors are exceptions with the library's messages", async () => {
    const character = asset.createCharacter();
    assert.throws(() => character.mixer.play("wlak"), { message: 'there is no clip "wlak": did you mean "walk"?' });
    assert.throws(() => character.mixer.play(99), /there is no clip 99/);
    assert.throws(() => new BoneAttachment(character, "Haed"), /"Haed".*"Head"/);
    assert.throws(() => character.addStateMachine("{}"), /start|states/);
    assert.throws(() => character.mixer.addBlendSpace([{ clip: "run", x: 1 }, { clip: "idle", x: 1 }]), /both at/);
    assert.throws(() => character.mixer.play("walk", { seconds: 1, curve: "odd" }), /linear, smooth or inertialised/);
    assert.throws(() => character.mixer.play(null), TypeError);
    assert.throws(() => character.skeleton.getJointWorldMatrix("nose"), /there is no joint "nose"/);
    await assert.rejects(load(new Uint8Array([1, 2, 3]), { name: "odd.glb" }), /odd\.glb/);
    await assert.rejects(load(bytes.subarray(0, 5000)), /file/);
    character.free();
    assert.throws(() => character.update(0.1), "what was freed is gone");
});

test("the rest pose is the identity, and a clip moves it", () => {
    const character = asset.createCharacter();
    const { boneMatrices } = character;
    assert.equal(boneMatrices.length, 25 * 16);
    boneMatrices.forEach((entry, index) => near(entry, index % 16 % 5 === 0 ? 1 : 0, 1e-4));
    character.mixer.play("walk", 0).time = 0.25;
    character.update(0);
    near(character.mixer.currentAction.time, 0.25);
    assert.ok(character.boneMatrices.some((entry, index) => Math.abs(entry - (index % 16 % 5 === 0 ? 1 : 0)) > 0.1));
});

test("fades, layers, one-shots and speeds", () => {
    const { mixer } = asset.createCharacter();
    mixer.play("idle", 0.3);
    mixer.update(0.1);
    mixer.play("walk", { seconds: 0.5, curve: "linear" });
    mixer.update(0.25);
    near(mixer.fadeProgress, 0.5);
    assert.equal(mixer.fadingAction.clip.name, "idle");
    assert.equal(mixer.currentAction.clip.name, "walk");
    mixer.update(0.3);
    assert.equal(mixer.fadingAction, null);
    const arm = mixer.addLayer("arm", { mask: "upperBody" });
    arm.playOnce("wave", 0.1, 0.1);
    const { duration } = arm.currentAction;
    mixer.update(0.2);
    assert.equal(arm.currentAction.clip.name, "wave");
    mixer.update(duration);
    mixer.update(0.2);
    assert.equal(arm.currentAction, null);
    const before = mixer.currentAction.totalTime;
    mixer.timeScale = 2;
    mixer.update(0.1);
    near(mixer.currentAction.totalTime - before, 0.2);
    mixer.pause();
    mixer.update(0.1);
    near(mixer.currentAction.totalTime - before, 0.2);
});

test("events are told once, with their names", () => {
    const { mixer } = asset.createCharacter();
    mixer.play("wave", 0);
    const told = [];
    for (let frame = 0; frame < 60; frame++) {
        mixer.update(1 / 60);
        told.push(...mixer.events.map(({ name, clip }) => `${clip.name}: ${name}`));
    }
    assert.equal(told.filter((event) => event === "wave: peak").length, 1);
    mixer.play("walk", 0);
    let steps = 0;
    const { duration } = mixer.currentAction;
    for (let frame = 0; frame < 200; frame++) {
        mixer.update(duration / 100);
        steps += mixer.events.filter(({ name }) => name === "step").length;
    }
    assert.equal(steps, 4, "two feet, two passes");
});

test("blend spaces and state machines", () => {
    const character = asset.createCharacter();
    const gait = character.mixer.addBlendSpace(["idle", "walk", "run"]);
    character.mixer.play(gait, 0);
    gait.set(0);
    character.update(0.01);
    const standing = place(character, "Head");
    gait.set(asset.clips.find(({ name }) => name === "run").speed);
    character.update(0.01);
    assert.notDeepEqual(place(character, "Head"), standing);

    const other = asset.createCharacter();
    const machine = other.addStateMachine({
        parameters: { speed: 0, jump: "trigger" },
        start: "stand",
        states: [{ name: "stand", clip: "idle" }, { name: "go", clip: "walk" }, { name: "up", clip: "jump", looping: false }],
        transitions: [
            { from: "stand", to: "go", when: ["speed > 0.5"], fade: 0.2 },
            { from: "*", to: "up", when: ["jump"], fade: 0.1 },
        ],
    });
    other.update(0.1);
    assert.equal(machine.state, "stand");
    machine.set("speed", 1);
    other.update(0.1);
    assert.equal(machine.state, "go");
    machine.trigger("jump");
    other.update(0.1);
    assert.equal(machine.state, "up");
    assert.throws(() => machine.set("sped", 1), /"speed"/);
    machine.set("speed", 0);
    machine.goTo("stand", 0);
    other.update(0.1);
    assert.equal(machine.state, "stand");
});

test("heads look, and feet stand on a function's ground", () => {
    const character = asset.createCharacter();
    character.mixer.play("idle", 0);
    const look = character.addLookAt([5, 1.6, 0.1]);
    for (let frame = 0; frame < 60; frame++) character.update(1 / 60);
    const head = character.skeleton.getJointWorldMatrix("Head");
    assert.ok(head[8] > 0.5, "the head's front turns to +X");
    look.weight = 0;
    let asked = 0;
    const feet = character.addFootPlacement((x, y, z) => {
        asked++;
        return { height: 0.2 + 0.2 * x, normal: [-0.2, 1, 0] };
    });
    character.place([0, 0.2, 0]);
    for (let frame = 0; frame < 60; frame++) character.update(1 / 60);
    const [left, right] = [place(character, asset.humanoid["left foot"]), place(character, asset.humanoid["right foot"])];
    assert.ok(asked > 0 && feet.isPlanted(0) && feet.isPlanted(1));
    // The ground is one in five: the foot that is further along +X is higher by a fifth of what lies between.
    near(left[1] - right[1], 0.2 * (left[0] - right[0]), 0.02);
    character.ground = () => {
        throw new Error("the level is gone");
    };
    assert.throws(() => character.update(1 / 60), /the level is gone/);
    character.ground = () => null;
    character.update(1 / 60);
});

test("what a joint holds goes with it", () => {
    const character = asset.createCharacter();
    character.mixer.play("wave", 0).time = 0.5;
    const sword = new BoneAttachment(character, asset.joints[asset.humanoid["right hand"]].name);
    assert.equal(sword.boneIndex, asset.humanoid["right hand"]);
    sword.setOffset([0, 0.1, 0]);
    character.update(0);
    const hand = character.skeleton.getJointWorldMatrix(sword.boneIndex);
    const expected = [0, 1, 2].map((axis) => hand[12 + axis] + 0.1 * hand[4 + axis]);
    expected.forEach((entry, axis) => near(sword.matrix[12 + axis], entry, 1e-4));
});

test("root motion is taken out of clips and told", async () => {
    const travelling = await load(bytes, { rootMotion: asset.joints[0].name });
    const character = travelling.createCharacter();
    character.mixer.play("walk_root_motion", 0);
    let way = 0;
    for (let frame = 0; frame < 60; frame++) {
        character.update(1 / 60);
        way += character.rootStep.z;
    }
    assert.ok(way > 0.5, `${way} m in a second`);
    near(place(character, 0)[2], 0, 1e-3);
});

test("a crowd is its characters, three rows a joint", () => {
    const crowd = new Crowd();
    const people = [0, 1, 2].map(() => crowd.spawn(asset, "walk"));
    people.forEach((one, index) => crowd.setTime(one, 0.1 * index));
    crowd.update(0.05);
    const alone = asset.createCharacter();
    alone.mixer.play("walk", 0).time = 0.15;
    alone.update(0);
    const [rows, matrices] = [crowd.boneRows, alone.boneMatrices];
    const start = crowd.firstJoint(people[1]);
    for (let joint = 0; joint < 25; joint++) {
        for (let row = 0; row < 3; row++) {
            for (let column = 0; column < 4; column++) {
                near(rows[12 * (start + joint) + 4 * row + column], matrices[16 * joint + 4 * column + row]);
            }
        }
    }
    assert.ok(crowd.remove(people[0]) && !crowd.remove(people[0]));
    assert.equal(crowd.count, 2);
    assert.equal(crowd.firstJoint(people[0]), -1);
    assert.throws(() => crowd.spawn(asset, "wlak"), /walk/);
});

test("views survive the growth of the memory", async () => {
    const character = asset.createCharacter();
    character.mixer.play("walk", 0);
    character.update(0.1);
    const [view, copy] = [character.boneMatrices, [...character.boneMatrices]];
    assert.equal(character.boneMatrices, view, "the same view while nothing grows");
    const many = [];
    while (view.length > 0) {
        many.push(await load(bytes));
        assert.ok(many.length < 500, "the memory never grew");
    }
    assert.deepEqual([...character.boneMatrices], copy);
    many.forEach((one) => one.free());
});

test("meshes and images are there for renderers", async () => {
    const drawn = await load(bytes, { meshes: true });
    const { positions, normals, joints, weights, indices } = drawn.primitive(0, 0);
    assert.equal(positions.length, normals.length);
    assert.equal(joints.length, weights.length);
    assert.equal(joints.length / 4, positions.length / 3);
    assert.ok(indices.every((index) => index < positions.length / 3));
    assert.throws(() => drawn.primitive(99, 0), /no primitive/);
});
