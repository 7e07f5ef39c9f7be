// The package's types against its objects: every member that is declared is there, every one that is there is declared, and what can be set is.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import ts from "typescript";
import { BoneAttachment, Crowd, load } from "../dist/nebula-animation/index.js";
import { assets, web } from "./browser.mjs";

const file = join(web, "dist/nebula-animation/index.d.ts");
const program = ts.createProgram([file], { lib: ["lib.esnext.d.ts"], types: [], noEmit: true, strict: true });
const checker = program.getTypeChecker();
const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)));
const typeOf = (name) => checker.getDeclaredTypeOfSymbol(exported.find((symbol) => symbol.name === name));

/** The members of types, by name: whether they can be set. */
function declared(names) {
    const members = new Map();
    for (const property of names.flatMap((name) => checker.getPropertiesOfType(typeOf(name)))) {
        // Those with a symbol for a name.
        if (property.name.startsWith("__@")) continue;
        const isMethod = (property.flags & ts.SymbolFlags.Method) !== 0;
        const isFixed = property.declarations.every((declaration) => ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly);
        members.set(property.name, !isMethod && !isFixed);
    }
    return members;
}

/** The members of an object, its own and those of its classes: whether they can be set, null for those that are fields of it. */
function found(object) {
    const members = new Map();
    for (let at = object; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
        for (const [name, { get, set, value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
            if (name === "constructor" || name.startsWith("_") || members.has(name)) continue;
            members.set(name, get || set ? set !== undefined : typeof value === "function" ? false : null);
        }
    }
    return members;
}

test("members are those that are declared", async () => {
    const asset = await load(await readFile(join(assets, "simple_humanoid.glb")), { meshes: true, stepMarker: "step" });
    const character = asset.createCharacter();
    const { mixer, skeleton } = character;
    const attachment = new BoneAttachment(character, "Head");
    const action = mixer.play("walk", 0);
    mixer.update(0.9 * action.duration);
    const objects = [
        [["Asset"], asset],
        [["Joint"], asset.joints[0]],
        [["AnimationClip"], asset.clips[0]],
        [["Skin"], asset.skins[0]],
        [["Mesh"], asset.meshes[0]],
        [["Primitive"], asset.primitive(0, 0)],
        [["Character"], character],
        [["Skeleton"], skeleton],
        [["BoneTexture"], skeleton.boneTexture],
        [["AnimationMixer"], mixer],
        [["MixerLayer"], mixer.addLayer("arm")],
        [["AnimationAction"], action],
        [["BlendSpace"], mixer.addBlendSpace(["idle", "walk"])],
        [["StateMachinePlayer"], character.addStateMachine({ start: "a", states: [{ name: "a", clip: "idle" }] })],
        [["BoneAttachment"], attachment],
        [["LiveVector"], attachment.position],
        [["LiveRotation"], attachment.rotation],
        [["Crowd"], new Crowd()],
        // Objects of one class, of which each type has a part.
        [["LookLayer", "FootPlacement"], character.addLookAt([0, 1, 2])],
        [["MarkerEvent", "LoopEvent", "EndEvent", "StateEvent"], mixer.events[0]],
    ];
    for (const [names, object] of objects) {
        const [types, members] = [declared(names), found(object)];
        assert.ok(types.size > 0);
        assert.deepEqual([...members.keys()].sort(), [...types.keys()].sort(), `${names}`);
        for (const [name, isSettable] of members) if (isSettable !== null) assert.equal(isSettable, types.get(name), `whether ${names}.${name} can be set`);
    }
    // Every class is among them, but for the one that others are made of.
    const classes = exported.filter(({ flags }) => flags & ts.SymbolFlags.Class).map(({ name }) => name);
    assert.deepEqual(classes.filter((name) => name !== "Owned" && !objects.some(([names]) => names.includes(name))), []);
    // The comparison can fail.
    assert.notDeepEqual([...found(character).keys()].sort(), [...declared(["Asset"]).keys()].sort());
});
