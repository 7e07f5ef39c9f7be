// The example pages draw, move, and complain about nothing.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { corpora, open, pictures, visit } from "./browser.mjs";

/** The canvas of a page: how many colours, and a number for the whole. */
const look = (page) =>
    page.evaluate(() => {
        const canvas = document.querySelector("canvas");
        const copy = new OffscreenCanvas(canvas.width, canvas.height);
        const context = copy.getContext("2d");
        context.drawImage(canvas, 0, 0);
        const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
        const colors = new Set();
        let sum = 0;
        for (let at = 0; at < data.length; at += 4) {
            colors.add((data[at] >> 4) * 256 + (data[at + 1] >> 4) * 16 + (data[at + 2] >> 4));
            sum = (Math.imul(sum, 31) + data[at] + 7 * data[at + 1] + 13 * data[at + 2]) | 0;
        }
        return { colors: colors.size, sum };
    });

test("example pages draw what moves", async (t) => {
    const server = await open();
    t.after(server.close);
    const folder = await pictures();
    for (const name of ["three", "webgl2", "crowd"]) {
        await t.test(name, async () => {
            // A program plays the graphics card here, and skins a thousand: frames of the crowd take seconds, more than a screenshot waits.
            const isSlow = name === "crowd";
            const page = await visit(server, `/examples/${name}.html`, { viewport: isSlow ? { width: 200, height: 150 } : { width: 480, height: 320 } });
            await page.waitForFunction(() => window.frames_drawn > 2, null, { timeout: 400_000 });
            const first = await look(page);
            if (!isSlow) await page.screenshot({ path: join(folder, `${name}.png`) });
            await page.waitForFunction((before) => window.frames_drawn > before + 2, await page.evaluate(() => window.frames_drawn), { timeout: 400_000 });
            const second = await look(page);
            assert.ok(first.colors > 25, `${first.colors} colours: blank`);
            assert.notEqual(first.sum, second.sum, "nothing moves");
            if (isSlow) assert.match(await page.locator("p[role=status]").textContent(), /1000|1,000/);
            assert.deepEqual(page.problems, []);
            await page.close();
        });
    }
    const page = await visit(server, "/examples/");
    assert.equal(await page.locator("a").count(), 4);
});

/** Files, their clips and moments; what hangs on joints without a skin, and faces, are in some of them. */
const BESIDE_THREE = [
    ["/corpora/characters/kaykit-knight.glb", "1H_Melee_Attack_Chop", 0.4],
    ["/corpora/characters/kaykit-knight.glb", "Sit_Floor_Idle", 0.2],
    ["/corpora/characters/robot-expressive.glb", "Dance", 0.9],
    ["/corpora/characters/robot-expressive.glb", "Punch", 0.3],
    ["/corpora/characters/m2m-fox-animations.glb", null, 0.3],
    ["/corpora/conformance/assets/AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb", null, 1.9],
    ["/assets/simple_humanoid.glb", "run", 0.3],
];

test("three.js shows what its own mixer shows, of strangers too", async (t) => {
    const shared = corpora("the example beside three.js's mixer");
    const server = await open(shared);
    t.after(server.close);
    const folder = await pictures();
    const all = { rigid: 0, faces: 0 };
    for (const [file, clip, time] of BESIDE_THREE.filter(([file]) => shared || !file.startsWith("/corpora"))) {
        const name = `${file.split("/").pop().replace(".glb", "")}${clip ? ` ${clip}` : ""}`;
        await t.test(name, async () => {
            const query = `model=${file}&time=${time}${clip ? `&clip=${clip}` : ""}`;
            const page = await visit(server, `/examples/three.html?${query}`, { viewport: { width: 420, height: 320 } });
            await page.waitForFunction(() => window.frames_drawn > 2, null, { timeout: 200_000 });
            await page.addScriptTag({ type: "module", url: "/tests/three.js" });
            await page.waitForFunction(() => window.besideThree);
            const { urls, rigid, faces, ours, atRest, frozen } = await page.evaluate((given) => window.besideThree(...given), [file, clip, time]);
            const part = (part) => `${(100 * part).toFixed(2)} %`;
            console.log(`${name}: ${part(ours)} of pixels differ; at rest ${part(atRest)}, with ${rigid} rigid meshes and ${faces} faces at rest ${part(frozen)}`);
            for (const [index, whose] of ["ours", "three"].entries()) {
                await writeFile(join(folder, `three-${name}-${whose}.png`), Buffer.from(urls[index].split(",")[1], "base64"));
            }
            assert.ok(ours < 0.002, `${ours} of the pixels differ`);
            // The comparison can fail.
            assert.ok(atRest > 0.01, `${atRest}: nothing moves`);
            if (rigid > 4 || clip === null && faces > 0) assert.ok(frozen > 0.004, `${frozen}: what hangs on joints could be left at rest`);
            [all.rigid, all.faces] = [all.rigid + rigid, all.faces + faces];
            assert.deepEqual(page.problems, []);
            await page.close();
        });
    }
    if (shared) assert.ok(all.rigid > 15 && all.faces > 0, `${all.rigid} rigid meshes, ${all.faces} faces`);
});
