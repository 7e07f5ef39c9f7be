// The example pages draw, move, and complain about nothing.

import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { open, pictures, visit } from "./browser.mjs";

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
