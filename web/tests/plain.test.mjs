// Where there are no vector instructions: the package and the page choose their second build by themselves.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { assets, open, run, web } from "./browser.mjs";
import { HUMANOID, LINK, drawn, inspect, picture, ready, report } from "./viewer_support.mjs";

/** Takes from V8 what WebAssembly's vectors are made of on x86-64: such a machine is not stubbed, it has none. */
const WITHOUT = "--no-enable-sse4-1";
const isKnown = process.arch === "x64";

const PROGRAM = `
    import { readFile } from "node:fs/promises";
    if (process.argv.includes("stub")) WebAssembly.validate = () => false;
    const { hasSimd, load } = await import(${JSON.stringify(join(web, "dist/nebula-animation/index.js"))});
    const asset = await load(await readFile(${JSON.stringify(join(assets, "simple_humanoid.glb"))}));
    const character = asset.createCharacter();
    character.mixer.play("walk", 0).time = 0.3;
    character.update(0);
    const { raw } = await import(${JSON.stringify(join(web, "dist/nebula-animation/wasm.js"))});
    console.log(JSON.stringify({ hasSimd: hasSimd(), instructions: raw.instructionSet(), palette: [...character.boneMatrices] }));
`;
const tell = async (flags, ...more) => JSON.parse((await run(process.execPath, [...flags, "--input-type=module", "-e", PROGRAM, ...more])).stdout);

test("the package takes the module that the machine runs", async () => {
    const usual = await tell([]);
    assert.deepEqual([usual.hasSimd, usual.instructions], [true, "simd128"]);
    const others = [await tell([], "stub"), ...(isKnown ? [await tell([WITHOUT])] : [])];
    for (const { hasSimd, instructions, palette } of others) {
        assert.deepEqual([hasSimd, instructions], [false, "scalar"]);
        palette.forEach((entry, index) => assert.ok(Math.abs(entry - usual.palette[index]) < 1e-5, `${entry} is not ${usual.palette[index]}`));
    }
});

test("the page takes the program that the browser runs, and fetches no other", async (t) => {
    const shown = [];
    for (const [build, flags, stub] of [["simd", [], false], ["plain", [], true], ...(isKnown ? [["plain", [WITHOUT], false]] : [])]) {
        await t.test(`${build}${flags.join()}${stub ? ", stubbed" : ""}`, async (t) => {
            const server = await open(null, {}, flags);
            t.after(server.close);
            const page = await server.browser.newPage({ viewport: { width: 500, height: 360 } });
            const fetched = [];
            page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
            if (stub) await page.addInitScript(() => (WebAssembly.validate = () => false));
            await page.goto(`${server.address}/?webgl2#model=${HUMANOID}&${LINK}`);
            await ready(page);
            await drawn(page, 2);
            assert.deepEqual(await page.evaluate(() => [window.nebula.error, window.nebula.build]), [null, build]);
            assert.deepEqual(fetched.filter((path) => path.endsWith(".wasm")), [`/dist/viewer/${build}/viewer_bg.wasm`]);
            assert.equal((await report(page)).error, null);
            shown.push(await picture(page));
            const { colors, far } = await inspect(page, shown.at(-1), shown[0]);
            assert.ok(colors > 60 && far < 0.001, `${colors} colours, ${far} of the pixels differ`);
        });
    }
});

test("what is told of how long the programs are is so", async () => {
    const { LENGTHS } = await import("../dist/viewer/lengths.js");
    for (const [build, length] of Object.entries(LENGTHS)) {
        assert.equal((await readFile(join(web, `dist/viewer/${build}/viewer_bg.wasm`))).length, length);
    }
    assert.deepEqual(Object.keys(LENGTHS).sort(), ["plain", "simd"]);
});
