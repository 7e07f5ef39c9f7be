// The viewer's page where things go wrong, or come in another order, and all that its controls do. On WebGL2: nothing of it is drawn otherwise.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { assets, corpora, open, pictures, visit } from "./browser.mjs";
import { HUMANOID, LINK, drawn, drop, gifDelays, glb, inspect, picture, ready, report, triangle } from "./viewer_support.mjs";

const ROBOT = "dist/models/robot.glb";
const file = (page, name) => page.waitForFunction((name) => window.nebula.report().file === name, name, { timeout: 60_000 });
const hash = (page) => page.evaluate(() => location.hash);
const go = (page, hash) => page.evaluate((hash) => (location.hash = hash), hash);
const small = { viewport: { width: 420, height: 320 } };

async function start(t, path, options = small, folder = null) {
    const server = await open(folder);
    t.after(server.close);
    const page = await visit(server, path, options);
    await ready(page);
    return page;
}

test("a link that fails leaves what is shown, its own message, and its own address", async (t) => {
    const page = await start(t, `/?webgl2#model=${HUMANOID}&${LINK}`);
    await drawn(page, 2);
    const before = await report(page);
    const broken = (await readFile(join(assets, "robot.glb"))).subarray(0, 3000);
    await page.route("**/broken.glb", (route) => route.fulfill({ body: broken }));
    await go(page, "#model=broken.glb&clip=nothing&time=0.1");
    await page.waitForFunction(() => window.nebula.error !== null);
    // Longer than the page takes to look after its address.
    await page.waitForTimeout(700);
    const after = await report(page);
    assert.match(after.error, /broken\.glb/);
    assert.doesNotMatch(after.error, /no clip/, "the link was not followed with the model before");
    assert.deepEqual([after.file, after.clip, after.time], [before.file, before.clip, before.time]);
    assert.equal(await hash(page), "#model=broken.glb&clip=nothing&time=0.1", "what was asked for, to be tried again");
    assert.equal(await page.evaluate(() => document.getElementById("message").textContent), after.error);
    await page.focus("#dismiss");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.hash.includes("simple_humanoid"));
    await go(page, "#model=nowhere.glb");
    await page.waitForFunction(() => /nowhere\.glb: the server says 404/.test(window.nebula.error));
    await go(page, `#model=${ROBOT}`);
    await file(page, "robot.glb");
    await page.waitForFunction(() => window.nebula.error === null);
    assert.deepEqual(page.problems.filter((problem) => !/404/.test(problem)), []);
});

test("what was asked for last is shown, whatever comes last", async (t) => {
    const page = await start(t, `/?webgl2#model=${HUMANOID}&${LINK}`);
    let release;
    const held = new Promise((resolve) => (release = resolve));
    await page.route("**/slow.glb", async (route) => {
        await held;
        await route.fulfill({ body: await readFile(join(assets, "sword.glb")) });
    });
    const answered = page.waitForResponse("**/slow.glb");
    await go(page, "#model=slow.glb");
    await page.waitForFunction(() => !document.getElementById("loading").hidden);
    await go(page, `#model=${ROBOT}`);
    await file(page, "robot.glb");
    release();
    await answered;
    await page.waitForTimeout(700);
    assert.equal((await report(page)).file, "robot.glb");
    assert.ok((await hash(page)).startsWith(`#model=${ROBOT}&`), await hash(page));
    assert.ok(await page.locator("#loading").isHidden());
    // A file of one's own counts as well.
    await page.unroute("**/slow.glb");
    let second;
    const heldAgain = new Promise((resolve) => (second = resolve));
    await page.route("**/slow.glb", async (route) => {
        await heldAgain;
        await route.fulfill({ body: await readFile(join(assets, "sword.glb")) });
    });
    const answeredAgain = page.waitForResponse("**/slow.glb");
    await go(page, "#model=slow.glb");
    await drop(page, [["own.glb", await readFile(join(assets, "simple_humanoid.glb"))]]);
    await file(page, "own.glb");
    second();
    await answeredAgain;
    await page.waitForTimeout(500);
    assert.equal((await report(page)).file, "own.glb");
    assert.equal(await hash(page), "");
    assert.deepEqual(page.problems, []);
});

test("the viewer tells how much of itself is there", async (t) => {
    const server = await open();
    t.after(server.close);
    const page = await server.browser.newPage(small);
    await page.addInitScript(() => {
        window.told = [];
        new MutationObserver(() => {
            const bar = document.getElementById("progress");
            if (bar !== null && bar.hasAttribute("value")) window.told.push(Number(bar.getAttribute("value")));
        }).observe(document, { attributes: true, childList: true, subtree: true });
    });
    await page.goto(`${server.address}/?webgl2#model=${HUMANOID}&${LINK}`);
    await ready(page);
    const told = await page.evaluate(() => window.told);
    assert.ok(told.some((part) => part > 0 && part < 1) && told.includes(1), `${told}`);
});

test("two files of one name are two files", async (t) => {
    const page = await start(t, `/?webgl2#model=${HUMANOID}&${LINK}`);
    await page.route("**/a/scene.glb", async (route) => route.fulfill({ body: await readFile(join(assets, "simple_humanoid.glb")) }));
    await page.route("**/b/scene.glb", async (route) => route.fulfill({ body: await readFile(join(assets, "robot.glb")) }));
    await go(page, "#model=a/scene.glb&clip=walk&time=0.4&camera=1,0.5,2,0,0.9,0");
    await page.waitForFunction(() => window.nebula.report().file === "scene.glb" && window.nebula.report().time > 0.39);
    const { joints } = await report(page);
    const camera = new URLSearchParams(await page.evaluate(() => window.nebula.viewer.link())).get("camera");
    await go(page, "#model=b/scene.glb");
    await page.waitForFunction((joints) => window.nebula.report().joints !== joints, joints);
    await drawn(page, 2);
    const { clip, isPlaying } = await report(page);
    assert.deepEqual([clip, isPlaying], [0, true]);
    assert.notEqual(new URLSearchParams(await page.evaluate(() => window.nebula.viewer.link())).get("camera"), camera);
});

test("compressed geometry is shown", async (t) => {
    const folder = corpora("Draco on the page");
    if (folder === null) return;
    const page = await start(t, `/?webgl2#model=corpora/conformance/assets/RiggedSimple/glTF-Draco/RiggedSimple.gltf`, small, folder);
    await drawn(page, 2);
    const { error, notes, file } = await report(page);
    assert.deepEqual([error, notes, file], [null, [], "RiggedSimple.gltf"]);
    const { colors } = await inspect(page, await picture(page));
    assert.ok(colors > 30, `${colors} colours`);
    assert.deepEqual(page.problems, []);
});

test("keys of the canvas are the viewer's, and those of the browser are the browser's", async (t) => {
    const page = await start(t, `/?webgl2#model=${HUMANOID}&${LINK}`);
    await page.focus("#canvas");
    const { time, isPlaying } = await report(page);
    assert.ok(!isPlaying);
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((time) => Math.abs(window.nebula.report().time - time - 1 / 30) < 1e-3, time);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.nebula.report().isPlaying);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => !window.nebula.report().isPlaying);
    await page.keyboard.press("j");
    await page.waitForFunction(() => window.nebula.report().show.skeleton);
    const taken = (init) =>
        page.evaluate((init) => {
            const event = new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init });
            document.getElementById("canvas").dispatchEvent(event);
            return event.defaultPrevented;
        }, init);
    for (const key of ["F1", "F5", "F11", "F12", "Tab"]) assert.ok(!(await taken({ key })), key);
    assert.ok(!(await taken({ key: "r", ctrlKey: true })) && !(await taken({ key: "l", metaKey: true })));
    assert.ok(await taken({ key: "ArrowLeft" }));
    // Keys that are held when the canvas loses them are let go of.
    const told = await page.evaluate(() => {
        const told = [];
        const { viewer } = window.nebula;
        const focus = viewer.focus.bind(viewer);
        viewer.focus = (isFocused) => (told.push(isFocused), focus(isFocused));
        document.getElementById("canvas").focus();
        document.getElementById("open").focus();
        document.getElementById("canvas").focus();
        window.dispatchEvent(new Event("blur"));
        return told;
    });
    assert.deepEqual(told.slice(-3), [false, true, false]);
    await drawn(page, 2);
    assert.deepEqual(page.problems, []);
});

test("the controls offer what the panel offers", async (t) => {
    const page = await start(t, `/?webgl2#model=${ROBOT}`, { viewport: { width: 800, height: 900 } });
    await page.click("#controls");
    const until = (call, argument) => page.waitForFunction(call, argument, { timeout: 20_000 });
    await page.selectOption("#repeat", "back and forth");
    await until(() => window.nebula.report().repeat === "back and forth");
    await page.selectOption("#curve", "inertialised");
    await page.fill("#fade", "0.75");
    await until(() => window.nebula.report().fade === 0.75 && window.nebula.report().curve === "inertialised");
    await page.selectOption("#skin", { index: 1 });
    await until(() => window.nebula.report().skin === 0);
    await page.check("input[name=compare]");
    await page.fill("#bound", "2");
    await until(() => window.nebula.report().show.compare && window.nebula.report().bound === 2);
    await page.uncheck("input[name=compare]");
    await page.click("#start");
    await until(() => window.nebula.report().time === 0);
    await page.getByRole("button", { name: "A frame on" }).click();
    await until(() => Math.abs(window.nebula.report().time - 1 / 30) < 1e-3);
    for (const box of await page.locator("#show input[type=checkbox]").all()) {
        if (await box.isDisabled()) continue;
        const name = await box.getAttribute("name");
        const before = (await report(page)).show[name];
        await box.click();
        await until(([name, before]) => window.nebula.report().show[name] !== before, [name, before]);
        await box.click();
    }
    const { morphs } = await report(page);
    assert.equal(await page.locator("#morphs input").count(), morphs.length);
    if (morphs.length > 0) {
        await page.locator("#morphs input").first().fill("0.5");
        await until(() => window.nebula.report().morphs[0].weight === 0.5 && window.nebula.report().morphs[0].isSet);
        await page.locator("#morphs button").click();
        await until(() => !window.nebula.report().morphs[0].isSet);
    }
    assert.ok(/joints/.test(await page.locator("#facts").textContent()));
    // Every control has a name, and the keyboard comes by all of them.
    const unnamed = await page.evaluate(() =>
        [...document.querySelectorAll("#panel :is(input, select, button), header button")].filter(
            (control) => !(control.getAttribute("aria-label") || control.textContent.trim() || control.closest("label")?.textContent.trim()) || control.tabIndex < 0,
        ).length,
    );
    assert.equal(unnamed, 0);
    await page.screenshot({ path: join(await pictures(), "controls.png") });
    assert.deepEqual(page.problems, []);
});

test("a GIF of a long clip is as long as the clip", async (t) => {
    const page = await start(t, `/?webgl2#model=${HUMANOID}&${LINK}`, { viewport: { width: 300, height: 240 } });
    assert.deepEqual(await page.evaluate(() => [0, 1, 6, 10, 60].map((seconds) => window.nebula.gifPlan(seconds))), [
        { count: 1, rate: 25 }, { count: 25, rate: 25 }, { count: 150, rate: 25 }, { count: 150, rate: 15 }, { count: 150, rate: 2.5 },
    ]);
    const { json, corners } = triangle(10);
    await drop(page, [["corners.bin", corners], ["long.gltf", json]]);
    await file(page, "long.gltf");
    const download = page.waitForEvent("download", { timeout: 300_000 });
    await page.evaluate(() => document.getElementById("gif").click());
    const delays = gifDelays(await readFile(await (await download).path()));
    assert.equal(delays.length, 150);
    const shown = delays.reduce((sum, delay) => sum + delay, 0) / 100;
    assert.ok(Math.abs(shown - 10) < 0.1, `${shown} s of 10 s`);
    // What goes wrong is told, and no promise is left alone with it.
    await page.evaluate(() => {
        window.nebula.viewer.command = () => {
            delete window.nebula.viewer.command;
            throw new Error("no memory");
        };
        document.getElementById("gif").click();
    });
    await page.waitForFunction(() => /the GIF cannot be made: no memory/.test(window.nebula.error));
    assert.deepEqual(page.problems, []);
});

test("the demo runs on the page, and clears what was wrong before", async (t) => {
    const page = await start(t, "/?webgl2#model=nowhere.glb", { viewport: { width: 320, height: 240 } });
    assert.match(await page.evaluate(() => window.nebula.error), /nowhere\.glb: the server says 404/);
    await go(page, "#demo=nothing");
    await page.waitForFunction(() => /nothing/.test(window.nebula.error));
    await go(page, "#demo=");
    await page.waitForFunction(() => window.nebula.error === null && document.getElementById("error").hidden);
    await drawn(page, 3);
    const demo = await picture(page);
    await writeFile(join(await pictures(), "demo.png"), demo);
    const { colors } = await inspect(page, demo);
    assert.ok(colors > 60, `${colors} colours`);
    const download = page.waitForEvent("download", { timeout: 500_000 });
    await page.evaluate(() => document.getElementById("gif").click());
    const delays = gifDelays(await readFile(await (await download).path()));
    assert.equal(delays.length, 75);
    assert.equal(delays.reduce((sum, delay) => sum + delay, 0), 300);
    assert.deepEqual(page.problems.filter((problem) => !/404/.test(problem)), []);
});

test("a picture that cannot be drawn any more is told until the page is loaded again", async (t) => {
    const page = await start(t, `/?webgl2#model=${HUMANOID}&${LINK}`);
    await page.evaluate(() => {
        window.nebula.viewer.frame = () => {
            throw new Error("the device is lost");
        };
        window.nebula.wake();
    });
    await page.waitForFunction(() => /cannot be drawn any more: the device is lost/.test(window.nebula.error));
    await page.evaluate(() => document.getElementById("play").click());
    assert.match(await page.evaluate(() => window.nebula.error), /the device is lost/);
    assert.ok(await page.locator("#message").isVisible());
});
