// A thousand characters in one page, ours beside three.js's; and whether anything is left for the garbage collector.

import assert from "node:assert/strict";
import test from "node:test";
import { corpora, open, visit } from "./browser.mjs";

test("a thousand characters", async (t) => {
    const folder = corpora("a thousand characters");
    const server = await open(folder);
    t.after(server.close);
    const page = await visit(server, "/tests/crowd.html");
    await page.waitForFunction(() => window.isReady);
    const files = folder ? ["/corpora/characters/kaykit-knight.glb", "/corpora/characters/robot-expressive.glb"] : [];
    for (const file of [...files, "/assets/simple_humanoid.glb"]) {
        await t.test(`beside three.js: ${file}`, async () => {
            const { three, ...ours } = await page.evaluate((address) => window.compareSpeed(address), file);
            const figures = Object.entries(ours).map(([name, ms]) => `${name} ${ms.toFixed(2)} ms (${(three / ms).toFixed(1)} times as fast)`);
            console.log(`${file}: three.js ${three.toFixed(2)} ms; ${figures.join(", ")}`);
            // Timing decides no test; that all of them did their work is told by the figures being there.
            assert.ok([three, ours.crowd, ours.together, ours.single].every((ms) => ms > 0));
        });
    }
    await t.test("ten thousand frames leave no garbage", async () => {
        const address = "/assets/simple_humanoid.glb";
        const heap = await page.evaluate((address) => window.measureGarbage(address, 10_000), address);
        console.log(`heap before ${heap.before}, after ${heap.after}, at most ${heap.most} bytes: ${heap.perFrame.toFixed(2)} bytes a frame`);
        const { marker, loop, state } = heap.events;
        assert.ok(Number.isFinite(heap.sum) && marker > 100 && loop > 50 && state > 40, JSON.stringify(heap.events));
        // A collection would make it smaller: it may not. The smallest object is larger than what is allowed here.
        assert.ok(heap.perFrame > -5 && heap.perFrame < 8 && heap.most - heap.before < 80_000, JSON.stringify(heap));
        // What the measurement has to see: sixteen bytes a frame that are kept.
        const leaking = await page.evaluate((address) => window.measureGarbage(address, 10_000, { leak: 1 }), address);
        assert.ok(leaking.perFrame > 8, JSON.stringify(leaking));
        // Numbers that calls take and return are the browser's affair: as long as it has not compiled all of it into one piece, each may be
        // an object. Nothing else is left.
        const numbers = await page.evaluate((address) => window.measureGarbage(address, 10_000, { hasNumbers: true }), address);
        console.log(`with numbers of the caller's and a ground function ${numbers.perFrame.toFixed(2)} bytes a frame`);
        assert.ok(numbers.perFrame < 96, JSON.stringify(numbers));
    });
    assert.deepEqual(page.problems, []);
});
