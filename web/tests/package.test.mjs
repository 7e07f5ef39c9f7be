// The package as its users get it: packed, installed into an empty folder, type-checked and run under Node.

import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { assets, run, web } from "./browser.mjs";

/** The lines of the package's README, which are tested here. */
const PROGRAM = (await readFile(join(web, "package/js/README.md"), "utf8")).match(/```ts\n(.*?)```/s)[1];

/** What the types allow. */
const TYPES = `import { BoneAttachment, Crowd, load, updateAll, type AnimationAction, type AnimationEvent, type Character } from "nebula-animation";
const told = (event: AnimationEvent): string => {
    switch (event.type) {
        case "marker": return event.name + event.clip.name + event.pass;
        case "loop": return event.layer.name + event.clip?.name + event.passes;
        case "end": return event.layer.name + event.clip?.name;
        case "state": return event.machine.state + event.from + event.to;
    }
};
export async function use(bytes: ArrayBuffer, view: DataView): Promise<number> {
    const asset = await load(bytes, { files: { "a.bin": view, "b.bin": new Float32Array(4) } });
    const again = await load(view, { files: new Map([["a.bin", new Uint8Array(4)]]) });
    const character: Character = asset.createCharacter();
    const action: AnimationAction = character.mixer.play("walk", { seconds: 0.2, curve: "linear" });
    if (!action.isGone) action.speed = 2;
    const hat = new BoneAttachment(character, "Head");
    hat.setOffset({ x: 0, y: 1, z: 0 });
    hat.position.set(0, 0.1, 0);
    hat.rotation.setFromEuler(0, 0, Math.PI / 4);
    hat.add({ matrix: { fromArray: (array: ArrayLike<number>) => array.length } });
    hat.remove();
    hat.free();
    updateAll([character], 1 / 60);
    character.mixer.events.map(told);
    const { width, height, data }: { width: number; height: number; data: Float32Array } = character.skeleton.boneTexture;
    character.mixer.setMask([]);
    character.ground = (x, y, z) => ({ height: x + y + z, normal: [0, 1, 0] });
    const crowd = new Crowd();
    crowd.blend(crowd.spawn(asset, "walk"), asset, "run", 0.5);
    crowd[Symbol.dispose]();
    character[Symbol.dispose]();
    asset.free();
    return again.isFreed || data.length < width * height ? 0 : (await asset.image(0).arrayBuffer()).byteLength;
}
`;

test("packs, installs, type-checks and runs", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "nebula-package-"));
    t.after(() => rm(folder, { recursive: true }));
    await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: join(web, "dist/nebula-animation") });
    await writeFile(join(folder, "package.json"), '{ "type": "module", "private": true }');
    await run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--offline", "./nebula-animation-0.1.0.tgz"], { cwd: folder });
    const installed = JSON.parse(await readFile(join(folder, "node_modules/nebula-animation/package.json"), "utf8"));
    assert.equal(installed.name, "nebula-animation");

    assert.equal(PROGRAM.trim().split("\n").length, 10, "ten lines");
    assert.ok((await readFile(join(web, "../README.md"), "utf8")).includes(PROGRAM), "the repository's README shows the same lines");
    await writeFile(join(folder, "main.ts"), PROGRAM);
    await cp(join(assets, "simple_humanoid.glb"), join(folder, "character.glb"));
    await symlink(join(web, "node_modules/@types"), join(folder, "node_modules/@types"));
    await symlink(join(web, "node_modules/undici-types"), join(folder, "node_modules/undici-types"));
    const compiler = join(web, "node_modules/typescript/bin/tsc");
    const options = ["--strict", "--module", "nodenext", "--target", "es2022", "--types", "node", "main.ts"];
    await run(process.execPath, [compiler, ...options], { cwd: folder }).catch(({ stdout }) => assert.fail(stdout));
    const { stdout } = await run(process.execPath, ["main.js"], { cwd: folder });
    assert.match(stdout, /^hips Float32Array\(16\) \[/i);

    // The types need neither those of browsers nor those of Node.
    await writeFile(join(folder, "types.ts"), TYPES);
    const alone = ["--strict", "--noEmit", "--module", "esnext", "--moduleResolution", "bundler", "--target", "es2022", "--typeRoots", "none"];
    for (const lib of ["es2022", "es2022,dom", "esnext", "esnext,dom"]) {
        await run(process.execPath, [compiler, ...alone, "--lib", lib, "types.ts"], { cwd: folder }).catch(({ stdout }) => assert.fail(`${lib}: ${stdout}`));
    }
    // What the types declare is there.
    const declared = [...(await readFile(join(folder, "node_modules/nebula-animation/index.d.ts"), "utf8")).matchAll(/^export (?:class|function) (\w+)/gm)];
    const names = Object.keys(await import(join(folder, "node_modules/nebula-animation/index.js")));
    assert.deepEqual(declared.map(([, name]) => name).sort(), names.sort());

    // The types are those of the code: what is wrong does not compile.
    await writeFile(join(folder, "wrong.ts"), PROGRAM.replace('"walk", 0.3', '{ clip: "walk" }'));
    await assert.rejects(run(process.execPath, [compiler, ...options.slice(0, -1), "--noEmit", "wrong.ts"], { cwd: folder }), ({ stdout }) => /^wrong\.ts.*error TS/m.test(stdout));
});
