// The viewer in a browser, on WebGPU and on WebGL2: links, playing, scrubbing, dropped files, broken files, fingers, the desktop's picture.

import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { brotliCompressSync, constants } from "node:zlib";
import { assets, corpora, open, pictures, reference, visit, web } from "./browser.mjs";
import { BACKENDS, HUMANOID, LINK, drawn, drop, dropPaths, gifDelays, inspect, picture, ready, report, triangle } from "./viewer_support.mjs";

for (const [backend, query, name] of BACKENDS) {
    test(`the viewer on ${backend}`, async (t) => {
        const server = await open();
        t.after(server.close);
        const folder = await pictures();
        const page = await visit(server, `/${query}#model=${HUMANOID}&${LINK}`, { viewport: { width: 900, height: 600 } });
        await ready(page);
        assert.equal(await page.evaluate(() => window.nebula.error), null);
        assert.match(await page.evaluate(() => window.nebula.adapter), name);
        await drawn(page, 2);

        await t.test("opens what a link says, and looks like the desktop's", async () => {
            const { clip, clips, time, isPlaying, error } = await report(page);
            assert.equal(error, null);
            assert.deepEqual([clips[clip], isPlaying], ["walk", false]);
            assert.ok(Math.abs(time - 0.3) < 1e-3, `${time}`);
            const ours = await picture(page);
            await writeFile(join(folder, `${backend}.png`), ours);
            await page.screenshot({ path: join(folder, `${backend}-page.png`) });
            const { width, height, colors } = await inspect(page, ours);
            assert.ok(colors > 60, `${colors} colours: the picture is blank`);
            const desktop = join(folder, `desktop-${backend}.png`);
            await reference("picture", join(assets, "simple_humanoid.glb"), `#${LINK}`, String(width), String(height), desktop);
            const { far, mean } = await inspect(page, ours, await readFile(desktop));
            console.log(`${backend}: ${(100 * far).toFixed(2)} % of pixels are off by more than 24, the mean difference is ${mean.toFixed(2)} of 255`);
            assert.ok(far < 0.03 && mean < 3, `${far} of pixels differ, by ${mean} on average`);
            // The comparison can fail: a quarter of a second later it is another picture.
            const later = join(folder, `desktop-later-${backend}.png`);
            await reference("picture", join(assets, "simple_humanoid.glb"), `#${LINK.replace("time=0.3", "time=0.55")}`, String(width), String(height), later);
            const other = await inspect(page, ours, await readFile(later));
            console.log(`${backend}: at another time, ${(100 * other.far).toFixed(2)} %, and ${other.mean.toFixed(2)}`);
            assert.ok(other.far >= 0.03 || other.mean >= 3, `${other.far}, ${other.mean}: another pose would pass for this one`);
        });

        await t.test("is there soon when it was there before", async () => {
            await page.reload();
            await ready(page);
            await page.waitForFunction(() => window.nebula.firstPicture !== null);
            console.log(`${backend}: the first picture of a warm load is on the screen after ${Math.round(await page.evaluate(() => window.nebula.firstPicture))} ms`);
            await drawn(page, 2);
        });

        await t.test("plays, and keeps the address current", async () => {
            await page.click("#controls");
            await page.click("#play");
            const times = new Set();
            for (let look = 0; look < 4; look++) {
                await drawn(page, 1);
                const { isPlaying, time } = await report(page);
                assert.ok(isPlaying);
                times.add(time);
            }
            assert.ok(times.size > 2, `${[...times]}`);
            await page.click("#play");
            await page.waitForFunction(() => /time=/.test(location.hash));
            const { time: stopped } = await report(page);
            const hash = new URLSearchParams((await page.evaluate(() => location.hash)).slice(1));
            assert.ok(Math.abs(Number(hash.get("time")) - stopped) < 0.01, `${hash} at ${stopped}`);
            assert.equal(hash.get("clip"), "walk");
        });

        await t.test("scrubs by its panel, and by the timeline in the picture", async () => {
            await page.fill("#time", "0.5");
            await drawn(page, 2);
            assert.ok(Math.abs((await report(page)).time - 0.5) < 0.01);
            const box = await page.locator("#canvas").boundingBox();
            // The bar is below the picture; its end is the clip's.
            const y = box.y + box.height - 18;
            await page.mouse.move(box.x + 330, y);
            await drawn(page, 2);
            await page.mouse.down();
            await page.mouse.move(box.x + 420, y, { steps: 4 });
            await drawn(page, 3);
            await page.mouse.up();
            await drawn(page, 2);
            const { time } = await report(page);
            assert.ok(Math.abs(time - 0.5) > 0.02, `still at ${time}`);
        });

        await t.test("turns by the mouse, and the link shows it", async () => {
            const before = new URLSearchParams((await page.evaluate(() => window.nebula.viewer.link()))).get("camera");
            const box = await page.locator("#canvas").boundingBox();
            // Between the panel of the picture and that of the page.
            await page.mouse.move(box.x + 300, box.y + 250);
            await drawn(page, 2);
            await page.mouse.down();
            await page.mouse.move(box.x + 380, box.y + 260, { steps: 4 });
            await drawn(page, 3);
            await page.mouse.up();
            const link = await page.evaluate(() => window.nebula.viewer.link());
            assert.notEqual(new URLSearchParams(link).get("camera"), before);
            await page.waitForFunction((camera) => decodeURIComponent(location.hash).includes(camera), new URLSearchParams(link).get("camera"));
        });

        await t.test("takes a dropped file, and a folder's", async () => {
            await drop(page, [["robot.glb", await readFile(join(assets, "robot.glb"))]]);
            await page.waitForFunction(() => window.nebula.report().file === "robot.glb", null, { timeout: 60_000 });
            await drawn(page, 3);
            const { error, clips } = await report(page);
            assert.equal(error, null);
            assert.ok(clips.length > 0);
            const { colors } = await inspect(page, await picture(page));
            assert.ok(colors > 30, `${colors} colours`);
            assert.equal(await page.evaluate(() => location.hash), "", "no link shows a file of one's own");
            assert.ok(await page.locator("#copy").isDisabled());
            const { json, corners } = triangle();
            await drop(page, [["corners.bin", corners], ["triangle.gltf", json]]);
            await page.waitForFunction(() => window.nebula.report().file === "triangle.gltf", null, { timeout: 60_000 });
            assert.equal((await report(page)).error, null);
        });

        await t.test("takes a folder, and a .vrm", async (t) => {
            const given = await mkdtemp(join(tmpdir(), "nebula-drop-"));
            t.after(() => rm(given, { recursive: true }));
            const { json, corners } = triangle(0, "./parts/../parts/some%20corners.bin");
            await mkdir(join(given, "model/parts"), { recursive: true });
            await writeFile(join(given, "model/folder.gltf"), json);
            await writeFile(join(given, "model/parts/some corners.bin"), corners);
            await dropPaths(page, [join(given, "model")]);
            await page.waitForFunction(() => window.nebula.report().file === "folder.gltf", null, { timeout: 60_000 });
            assert.equal((await report(page)).error, null);
            const shared = corpora("a dropped .vrm");
            await cp(shared ? join(shared, "characters/vrm1-example.vrm") : join(assets, "simple_humanoid.glb"), join(given, "person.vrm"));
            await dropPaths(page, [join(given, "person.vrm")]);
            await page.waitForFunction(() => window.nebula.report().file === "person.vrm", null, { timeout: 120_000 });
            const { error, joints } = await report(page);
            assert.equal(error, null);
            assert.ok(joints > 20);
            await drop(page, [["corners.bin", triangle().corners], ["triangle.gltf", triangle().json]]);
            await page.waitForFunction(() => window.nebula.report().file === "triangle.gltf", null, { timeout: 60_000 });
        });

        await t.test("says what is wrong with a broken one, and shows the last good one", async () => {
            const bytes = await readFile(join(assets, "robot.glb"));
            await drop(page, [["broken.glb", bytes.subarray(0, 2000)]]);
            await page.waitForFunction(() => window.nebula.report().error !== null, null, { timeout: 60_000 });
            const { error, file } = await report(page);
            assert.match(error, /broken\.glb/);
            assert.equal(file, "triangle.gltf");
            await page.waitForFunction(() => document.getElementById("error").textContent.includes("broken.glb"));
            assert.equal(await page.locator("#message").getAttribute("role"), "alert");
            await drop(page, [["notes.txt", Buffer.from("no model")]]);
            await page.waitForFunction(() => /there is no \.glb/.test(window.nebula.report().error));
            await page.focus("#dismiss");
            await page.keyboard.press("Enter");
            await page.waitForFunction(() => window.nebula.report().error === null && document.getElementById("error").hidden);
        });

        await t.test("saves a GIF", async () => {
            await page.goto(`${server.address}/${query}#model=${HUMANOID}&clip=wave&time=0`);
            await page.reload();
            await ready(page);
            const download = page.waitForEvent("download", { timeout: 300_000 });
            await page.evaluate(() => window.nebula.viewer.command("speed", "1"));
            await page.setViewportSize({ width: 480, height: 320 });
            await page.evaluate(() => document.getElementById("gif").click());
            const gif = await readFile(await (await download).path());
            assert.equal(gif.toString("latin1", 0, 6), "GIF89a");
            const { duration } = await report(page);
            const delays = gifDelays(gif);
            assert.equal(delays.length, Math.round(25 * duration));
            const shown = delays.reduce((sum, delay) => sum + delay, 0) / 100;
            assert.ok(Math.abs(shown - duration) < 0.03, `${shown} s of ${duration} s`);
            await writeFile(join(folder, `${backend}.gif`), gif);
        });
        assert.deepEqual(page.problems, []);
    });

    test(`a telephone on ${backend}`, async (t) => {
        const server = await open();
        t.after(server.close);
        const folder = await pictures();
        const options = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 };
        const page = await visit(server, `/${query}#model=${HUMANOID}&${LINK}`, options);
        await ready(page);
        await drawn(page, 2);
        const camera = async () => new URLSearchParams(await page.evaluate(() => window.nebula.viewer.link())).get("camera").split(",").map(Number);
        const [left, , width] = (await report(page)).picture;
        assert.ok(left < 2 && width > 380, "the picture has the whole width");
        const touch = await page.context().newCDPSession(page);
        const send = async (type, ...points) => {
            await touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
            await drawn(page, 1).catch(() => {});
        };

        await t.test("one finger turns", async () => {
            const before = await camera();
            await send("touchStart", [200, 300]);
            for (const x of [220, 240, 260]) await send("touchMove", [x, 310]);
            await send("touchEnd");
            const after = await camera();
            assert.ok(Math.abs(after[0] - before[0]) > 0.1, `${before} to ${after}`);
            assert.equal(after[2], before[2]);
        });

        await t.test("two fingers go nearer", async () => {
            const before = await camera();
            await send("touchStart", [180, 300], [220, 300]);
            for (const apart of [40, 60, 90]) await send("touchMove", [200 - apart, 300], [200 + apart, 300]);
            await send("touchEnd");
            await drawn(page, 2).catch(() => {});
            const after = await camera();
            assert.ok(after[2] < before[2] * 0.8, `${before} to ${after}`);
        });

        await t.test("a finger scrubs", async () => {
            const before = (await report(page)).time;
            const box = await page.locator("#canvas").boundingBox();
            const y = box.y + box.height - 18;
            await send("touchStart", [300, y]);
            for (const x of [310, 330]) await send("touchMove", [x, y]);
            await send("touchEnd");
            assert.ok(Math.abs((await report(page)).time - before) > 0.02);
        });

        await t.test("the controls have names, and the keyboard reaches them", async () => {
            await page.focus("#controls");
            await page.keyboard.press("Enter");
            assert.equal(await page.locator("#controls").getAttribute("aria-expanded"), "true");
            for (const [role, name] of [["combobox", "Clip"], ["slider", "Time"], ["spinbutton", "Speed"], ["checkbox", "Skeleton"], ["button", /Play|Pause/]]) {
                assert.equal(await page.getByRole(role, { name }).count(), 1, `${role} ${name}`);
            }
            await page.selectOption("#clip", { label: "run" });
            const { clip, clips } = await report(page);
            assert.equal(clips[clip], "run");
            for (const key of ["Enter", "Space"]) {
                const before = (await report(page)).isPlaying;
                await page.focus("#play");
                await page.keyboard.press(key);
                assert.equal((await report(page)).isPlaying, !before, `${key} on the button`);
            }
            await page.screenshot({ path: join(folder, `${backend}-telephone.png`) });
            await page.focus("#clip");
            await page.keyboard.press("Escape");
            assert.ok(await page.locator("#panel").isHidden());
        });
        assert.deepEqual(page.problems, []);
    });
}

test("a model that cannot be had is told", async (t) => {
    const server = await open();
    t.after(server.close);
    const page = await visit(server, "/?webgl2#model=nowhere.glb", { viewport: { width: 600, height: 400 } });
    await ready(page);
    assert.match(await page.evaluate(() => window.nebula.error), /nowhere\.glb: the server says 404/);
});

test("the viewer is small", async () => {
    for (const build of ["simd", "plain"]) {
        const bytes = await readFile(join(web, `dist/viewer/${build}/viewer_bg.wasm`));
        const packed = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } });
        console.log(`viewer, ${build}: ${bytes.length} bytes, ${packed.length} compressed by brotli`);
        assert.ok(packed.length <= 2_500_000, `${packed.length} bytes`);
    }
});
