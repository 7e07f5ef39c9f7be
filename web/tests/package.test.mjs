// The package as its users get it: packed, installed into an empty folder, type-checked and run under Node.

import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { assets, run, web } from "./browser.mjs";

/** The lines of the package's README, which are tested here. */
const PROGRAM = (await readFile(join(web, "package/js/README.md"), "utf8")).match(/```ts\n(.*?)```/s)[1];

test("packs, installs, type-checks and runs", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "nebula-package-"));
    t.after(() => rm(folder, { recursive: true }));
    await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: join(web, "dist/nebula-animation") });
    await writeFile(join(folder, "package.json"), '{ "type": "module", "private": true }');
    await run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--offline", "./nebula-animation-0.1.0.tgz"], { cwd: folder });
    const installed = JSON.parse(await readFile(join(folder, "node_modules/nebula-animation/package.json"), "utf8"));
    assert.equal(installed.name, "nebula-animation");

    assert.equal(PROGRAM.trim().split("\n").length, 10, "ten lines");
    await writeFile(join(folder, "main.ts"), PROGRAM);
    await cp(join(assets, "simple_humanoid.glb"), join(folder, "character.glb"));
    await symlink(join(web, "node_modules/@types"), join(folder, "node_modules/@types"));
    await symlink(join(web, "node_modules/undici-types"), join(folder, "node_modules/undici-types"));
    const compiler = join(web, "node_modules/typescript/bin/tsc");
    const options = ["--strict", "--module", "nodenext", "--target", "es2022", "--types", "node", "main.ts"];
    await run(process.execPath, [compiler, ...options], { cwd: folder }).catch(({ stdout }) => assert.fail(stdout));
    const { stdout } = await run(process.execPath, ["main.js"], { cwd: folder });
    assert.match(stdout, /^hips Float32Array\(16\) \[/i);

    // The types are those of the code: what is wrong does not compile.
    await writeFile(join(folder, "wrong.ts"), PROGRAM.replace('"walk", 0.3', '{ clip: "walk" }'));
    await assert.rejects(run(process.execPath, [compiler, ...options.slice(0, -1), "--noEmit", "wrong.ts"], { cwd: folder }), ({ stdout }) => /^wrong\.ts.*error TS/m.test(stdout));
});
