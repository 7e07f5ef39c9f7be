// The package under Node: everything that it does, against values that are known.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { BoneAttachment, Crowd, hasSimd, load, updateAll } from "../dist/nebula-animation/index.js";
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
    assert.throws(() => character.update(0.1), { message: "the character has been freed: nothing can be asked of it any more" });
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

test("an action is one run of a clip", () => {
    const { mixer } = asset.createCharacter();
    const idle = mixer.play("idle", 0.3);
    mixer.update(0.1);
    const walk = mixer.play("walk", 0.5);
    assert.notEqual(idle, walk);
    mixer.update(0.1);
    assert.equal(mixer.currentAction, walk);
    assert.equal(mixer.fadingAction, idle);
    idle.speed = 0.5;
    assert.deepEqual([idle.speed, walk.speed, mixer.fadingAction.speed], [0.5, 1, 0.5]);
    assert.equal(mixer.play("walk"), walk, "what plays goes on");
    // An interrupted fade keeps all three running, and each is found.
    const run = mixer.play("run", 0.5);
    mixer.update(0.1);
    walk.speed = 0.25;
    idle.weight = 0.75;
    assert.deepEqual([idle, walk, run].map(({ isGone }) => isGone), [false, false, false]);
    assert.deepEqual([idle.weight, walk.speed, run.speed], [0.75, 0.25, 1]);
    mixer.update(1);
    assert.deepEqual([idle, walk, run].map(({ isGone }) => isGone), [true, true, false]);
    assert.equal(mixer.fadingAction, null);
    assert.ok(Number.isNaN(idle.time) && !idle.playing && idle.clip.name === "idle");
    assert.throws(() => (idle.speed = 2), { message: 'this action of "idle" is gone, another one has taken over: its speed cannot be set' });
    const again = mixer.play("walk", 0);
    assert.ok(again !== walk && walk.isGone && !again.isGone && again.speed === 1);
    const over = mixer.restart("walk", 0.2);
    assert.notEqual(over, again);
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

test("loops, ends and changes of state are events", () => {
    const character = asset.createCharacter();
    const { mixer } = character;
    const told = () => mixer.events.filter(({ type }) => type !== "marker").map(({ type, layer, clip, passes, machine, from, to }) => ({ type, layer, clip, passes, machine, from, to }));
    const empty = { layer: null, clip: null, passes: 0, machine: null, from: "", to: "" };
    const named = (name) => asset.clips.find((clip) => clip.name === name);
    const walk = mixer.play("walk", 0);
    mixer.update(walk.duration * 0.9);
    assert.deepEqual(told(), []);
    mixer.update(walk.duration * 0.2);
    assert.deepEqual(told(), [{ ...empty, type: "loop", layer: mixer, clip: named("walk"), passes: 1 }]);
    mixer.update(walk.duration * 3);
    assert.equal(told()[0].passes, 3);
    assert.ok(mixer.events.length > told().length, "markers are told beside them");
    mixer.update(0);
    assert.deepEqual(told(), [], "once");
    // Played once, on a layer: told when it has handed back, with its clip, which is gone then.
    const arm = mixer.addLayer("arm", { mask: "upperBody" });
    const wave = arm.playOnce("wave", 0.1, 0.1);
    const { duration } = wave;
    mixer.pause();
    mixer.update(duration * 0.99);
    assert.deepEqual(told(), []);
    mixer.update(duration * 0.02);
    assert.deepEqual(told(), [{ ...empty, type: "end", layer: arm, clip: named("wave") }]);
    assert.ok(wave.isGone);
    // Not repeated: it stands at its end.
    const jump = mixer.play("jump", 0);
    jump.loop = false;
    mixer.update(jump.duration * 2);
    assert.deepEqual(told(), [{ ...empty, type: "end", layer: mixer, clip: named("jump") }]);
    // Blend spaces have no clip of their own.
    const space = mixer.addBlendSpace(["idle", "walk"]);
    mixer.play(space, 0);
    mixer.update(8);
    assert.deepEqual(told().map(({ type, clip }) => [type, clip]), [["loop", null]]);

    const other = asset.createCharacter();
    const states = [{ name: "stand", clip: "idle" }, { name: "go", clip: "walk" }];
    const machine = other.addStateMachine({ parameters: { go: false }, start: "stand", states, transitions: [{ from: "stand", to: "go", when: ["go"], fade: 0.2 }] });
    const second = other.addStateMachine({ start: "a", states: [{ name: "a", clip: "wave" }, { name: "b", clip: "wave" }], transitions: [] }, other.mixer.addLayer("arm"));
    const changes = () => other.mixer.events.filter(({ type }) => type === "state").map(({ machine, from, to }) => [machine, from, to]);
    other.update(0.1);
    assert.deepEqual(changes(), []);
    machine.set("go", true);
    other.update(0.1);
    assert.deepEqual(changes(), [[machine, "stand", "go"]]);
    second.goTo("b");
    other.update(0.1);
    assert.deepEqual(changes(), [[second, "a", "b"]]);
    other.update(0.1);
    assert.deepEqual(changes(), []);
});

test("a step over a million passes tells a thousand markers", () => {
    const { mixer } = asset.createCharacter();
    mixer.play("walk", 0);
    mixer.update(1e6);
    assert.equal(mixer.events.filter(({ type }) => type === "marker").length, 1024);
    assert.equal(mixer.events.filter(({ type }) => type === "loop").length, 1);
});

test("many characters at once are what they are one by one, to the bit", () => {
    const ground = (x, y, z) => ({ height: 0.125 * x + 0.0625 * z, normal: [-0.125, 1, -0.0625] });
    const cast = () =>
        Array.from({ length: 21 }, (_, index) => {
            const character = asset.createCharacter();
            character.mixer.play(index % asset.clips.length, 0).time = 0.05 * index;
            character.place([0.25 * index, 0, 0], 0.125 * index);
            if (index % 3 !== 0) character.addAim([0, 1.5, 2]);
            if (index % 2 === 0) character.addFootPlacement(ground);
            return character;
        });
    const [alone, together] = [cast(), cast()];
    const bits = ({ boneMatrices: { buffer, byteOffset, length } }) => [...new Uint32Array(buffer, byteOffset, length)];
    for (let frame = 0; frame < 40; frame++) {
        for (const character of alone) character.update(1 / 60);
        updateAll(together, 1 / 60);
        for (const [index, character] of together.entries()) {
            assert.deepEqual(bits(character), bits(alone[index]), `${index} in frame ${frame}`);
            assert.equal(character.mixer.events.length, alone[index].mixer.events.length);
        }
    }
    assert.notDeepEqual(bits(together[1]), bits(together[4]));
    updateAll([], 0.1);
    // What throws keeps nobody from going on.
    together[2].ground = () => {
        throw new Error("the second's level is gone");
    };
    together[20].ground = () => {
        throw new Error("the last one's, too");
    };
    const before = together.map(({ mixer }) => mixer.currentAction.totalTime);
    assert.throws(() => updateAll(together, 0.25), /the second's level is gone/);
    together.forEach(({ mixer }, index) => near(mixer.currentAction.totalTime - before[index], 0.25));
    together[2].ground = together[20].ground = null;
    updateAll(together, 0.1);
    // What cannot be is told before anything has happened.
    const times = () => together.map(({ mixer }) => mixer.currentAction.totalTime);
    const still = times();
    assert.throws(() => updateAll([...together, together[3]], 0.1), /character 21 of the list is in it twice/);
    const freed = asset.createCharacter();
    freed.free();
    assert.throws(() => updateAll([...together, freed], 0.1), /has been freed/);
    assert.throws(() => updateAll(together, NaN), /the time that passes is NaN/);
    assert.deepEqual(times(), still);
    updateAll(together, 0.1);
});

test("a bone texture is the matrices, four texels a joint", () => {
    const { skeleton, mixer } = asset.createCharacter();
    mixer.play("walk", 0);
    mixer.update(0.3);
    const { width, height, data } = skeleton.boneTexture;
    assert.equal(4 * width * height, data.length);
    assert.equal(data, skeleton.boneMatrices);
    assert.deepEqual([width, height], [4, 25]);
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

test("what is held has a place, a turn and nodes of a scene", () => {
    const character = asset.createCharacter();
    character.mixer.play("wave", 0).time = 0.5;
    const hand = asset.joints[asset.humanoid["right hand"]].name;
    const [sword, same] = [new BoneAttachment(character, hand), new BoneAttachment(character, hand)];
    sword.position.set(0, 0, 0.1);
    sword.rotation.setFromEuler(0.3, -0.5, 0.7);
    sword.scale.x = 2;
    // Euler angles of three.js's usual order, as it makes a quaternion of them.
    const [x, y, z, w] = [0.052132, -0.279444, 0.293777, 0.912627];
    const { rotation } = sword;
    [rotation.x, rotation.y, rotation.z, rotation.w].forEach((entry, index) => near(entry, [x, y, z, w][index], 1e-6));
    same.setOffset([0, 0, 0.1], [rotation.x, rotation.y, rotation.z, rotation.w], [2, 1, 1]);
    near(same.position.z, 0.1);
    character.update(0);
    assert.deepEqual([...sword.matrix], [...same.matrix]);
    assert.throws(() => (sword.position.y = NaN), /the position is NaN/);
    assert.throws(() => sword.position.set(1, 2), /the position is undefined/);
    const node = { matrix: { elements: [], fromArray: (array) => (node.matrix.elements = [...array]) }, matrixAutoUpdate: true };
    sword.add(node);
    sword.add(node);
    assert.deepEqual([sword.children.length, node.matrixAutoUpdate], [1, false]);
    assert.deepEqual(node.matrix.elements, [...sword.matrix], "it is there at once");
    for (const update of [() => character.update(0.25), () => updateAll([character], 0.25), () => character.mixer.update(0.25)]) {
        const before = node.matrix.elements;
        node.matrixWorldNeedsUpdate = false;
        update();
        assert.deepEqual(node.matrix.elements, [...sword.matrix]);
        assert.notDeepEqual(node.matrix.elements, before);
        assert.ok(node.matrixWorldNeedsUpdate);
    }
    sword.remove(node);
    const left = node.matrix.elements;
    character.update(0.25);
    assert.deepEqual([node.matrix.elements, sword.children.length], [left, 0]);
    assert.throws(() => sword.add({}), /what .* is to hold has no matrix/);
    sword.add(node);
    sword.remove();
    character.update(0.25);
    assert.throws(() => sword.position.set(0, 0, 0), /has been removed/);
});

test("an attachment lets no time pass", () => {
    const character = asset.createCharacter();
    const { mixer } = character;
    const machine = character.addStateMachine({
        parameters: { go: "trigger" },
        start: "stand",
        states: [{ name: "stand", clip: "wave" }, { name: "go", clip: "walk" }],
        transitions: [{ from: "stand", to: "go", when: ["go"], fade: 0.2 }],
    });
    character.update(0.49);
    character.update(0.02);
    const told = mixer.events.map(({ name }) => name);
    assert.deepEqual(told, ["peak"]);
    machine.trigger("go");
    const [palette, time] = [[...character.boneMatrices], mixer.currentAction.totalTime];
    const sword = new BoneAttachment(character, "Head");
    assert.deepEqual(mixer.events.map(({ name }) => name), told, "the events are still those of the last update");
    assert.equal(machine.state, "stand", "nothing was decided");
    assert.equal(mixer.currentAction.totalTime, time);
    assert.deepEqual([...character.boneMatrices], palette);
    assert.deepEqual([...sword.matrix].slice(12, 15), place(character, "Head"), "it is there at once");
    character.update(0.1);
    assert.equal(machine.state, "go");
});

test("attachments are let go of, and others take their places", () => {
    const character = asset.createCharacter();
    character.update(0);
    const hat = new BoneAttachment(character, "Head");
    const kept = new BoneAttachment(character, "Hips");
    const before = [...kept.matrix];
    hat.remove();
    hat.remove();
    assert.throws(() => hat.matrix, { message: "what Head held has been removed" });
    assert.throws(() => hat.setOffset([0, 0, 0]), /has been removed/);
    for (let round = 0; round < 1000; round++) {
        const other = new BoneAttachment(character, "Head");
        other.setOffset([0, round, 0]);
        other.free();
    }
    const glove = new BoneAttachment(character, asset.joints[asset.humanoid["left hand"]].name);
    character.update(0);
    assert.deepEqual([...kept.matrix], before);
    assert.deepEqual([...glove.matrix].slice(12, 15), place(character, glove.boneIndex), "without the offset of the one before");
    character.free();
    glove.remove();
});

test("masks: some joints, none, the upper body", () => {
    const pose = (mask) => {
        const character = asset.createCharacter();
        character.mixer.play("idle", 0);
        const layer = character.mixer.addLayer("arm", mask === undefined ? {} : { mask });
        layer.play("wave", 0).time = 0.5;
        character.update(0);
        return [place(character, asset.humanoid["right hand"]), place(character, asset.humanoid["left foot"])];
    };
    const idle = asset.createCharacter();
    idle.mixer.play("idle", 0);
    idle.update(0);
    const still = [place(idle, asset.humanoid["right hand"]), place(idle, asset.humanoid["left foot"])];
    assert.deepEqual(pose([]), still, "nothing of it is seen");
    const upper = pose("upperBody");
    assert.notDeepEqual(upper[0], still[0]);
    assert.deepEqual(upper[1], still[1]);
    assert.throws(() => pose("upper"), /not a list of names/);
    assert.throws(() => pose(["Haed"]), /"Head"/);
});

test("a place is the whole matrix", () => {
    const character = asset.createCharacter();
    character.worldMatrix.fill(7);
    character.place({ x: 1, y: 2, z: 3 }, Math.PI / 2);
    [0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 2, 3, 1].forEach((entry, index) => near(character.worldMatrix[index], entry));
    assert.equal(character.worldMatrix, character.worldMatrix, "one view");
});

test("numbers that are none are exceptions", () => {
    const character = asset.createCharacter();
    const { mixer } = character;
    const look = character.addLookAt([0, 1, 1]);
    const action = mixer.play("walk", 0);
    const space = mixer.addBlendSpace(["idle", "walk"]);
    const sword = new BoneAttachment(character, "Head");
    const crowd = new Crowd();
    const one = crowd.spawn(asset, "walk");
    const wrong = {
        "target is NaN": () => (look.target = [0, NaN, 0]),
        "weight is Infinity": () => (look.weight = Infinity),
        "position is undefined": () => character.place([1, 2]),
        "turn is NaN": () => character.place([0, 0, 0], NaN),
        "time that passes is NaN": () => character.update(NaN),
        "fade's length is NaN": () => mixer.play("run", NaN),
        "time is NaN": () => (action.time = NaN),
        'speed is "2"': () => (action.speed = "2"),
        "time scale is NaN": () => (mixer.timeScale = NaN),
        "x is NaN": () => space.set(NaN),
        "rotation is undefined": () => sword.setOffset([0, 0, 0], [0, 0, 0]),
        "time that passes is undefined": () => crowd.update(),
        "the speed is NaN": () => crowd.setSpeed(one, NaN),
        "the weight is NaN": () => crowd.blend(one, asset, "run", NaN),
        "there is no clip 1.5": () => mixer.play(1.5),
        "there is no joint -1": () => character.skeleton.getJointWorldMatrix(-1),
        "not a function": () => (character.ground = 3),
    };
    for (const [message, call] of Object.entries(wrong)) {
        assert.throws(call, (error) => error instanceof Error && error.message.includes(message), message);
    }
    character.addFootPlacement(() => NaN);
    assert.throws(() => character.update(0.1), /the height of the ground is NaN/);
    character.ground = null;
    character.update(0.1);
    assert.ok(character.boneMatrices.every(Number.isFinite));
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
    const [first, second] = [crowd.getTime(people[2]), [...rows]];
    for (const weight of [0.2, 0.4, 0.6]) {
        crowd.blend(people[2], asset, "run", weight);
        crowd.update(0.1);
    }
    near(crowd.getTime(people[2]), (first + 0.3) % asset.clips.find(({ name }) => name === "walk").duration, 1e-3);
    assert.notDeepEqual([...crowd.boneRows], second);
    assert.ok(crowd.remove(people[0]) && !crowd.remove(people[0]));
    assert.equal(crowd.count, 2);
    assert.equal(crowd.firstJoint(people[0]), -1);
    assert.throws(() => crowd.setTime(people[0], 0), /character 0 is not in the crowd/);
    assert.throws(() => crowd.getTime(77), /character 77 is not in the crowd/);
    assert.notEqual(crowd.spawn(asset, "walk"), people[0], "numbers are not used again");
    assert.ok(crowd.remove(3));
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
