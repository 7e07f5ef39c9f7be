// The package in a browser: the desktop's bits, and what three.js shows.

import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import test from "node:test";
import { assets, corpora, open, reference, visit } from "./browser.mjs";

/** The JSON of a file. */
async function document(path) {
    const bytes = await readFile(path);
    const isBinary = bytes.toString("latin1", 0, 4) === "glTF";
    return JSON.parse(isBinary ? bytes.toString("utf8", 20, 20 + bytes.readUInt32LE(12)) : bytes.toString("utf8"));
}

/** Files of a folder, and whether three.js can say anything of their palettes: it loads some only with decoders of its own. */
async function models(folder, isWanted = () => true) {
    const found = [];
    for (const entry of (await readdir(folder, { recursive: true })).sort()) {
        if (!/\.(glb|gltf|vrm|vrma)$/.test(entry)) continue;
        const path = join(folder, entry);
        const { skins = [], animations = [], extensionsRequired = [] } = await document(path);
        const isPlain = !extensionsRequired.some((name) => /draco|meshopt/.test(name));
        if (isWanted(skins, animations)) found.push({ path, hasThree: isPlain && skins.length > 0 });
    }
    return found;
}

test("palettes have the desktop's bits, and are three.js's to 1e-4", async (t) => {
    const folder = corpora("palettes in the browser");
    const files = await models(assets);
    if (folder) {
        const isSkinned = (skins, animations) => skins.length > 0 && animations.length > 0;
        const conformance = await models(join(folder, "conformance/assets"), isSkinned);
        const characters = await models(join(folder, "characters"));
        assert.ok(conformance.filter(({ hasThree }) => hasThree).length >= 20 && characters.length >= 11, `${conformance.length}, ${characters.length}`);
        files.push(...conformance, ...characters);
    }

    const out = await mkdtemp(join(tmpdir(), "nebula-"));
    t.after(() => rm(out, { recursive: true }));
    await reference("scenes", out, join(assets, "simple_humanoid.glb"));
    await reference("palettes", out, ...files.map(({ path }) => path));
    const server = await open(folder, { bins: out });
    t.after(server.close);
    const pages = { simd: await visit(server, "/tests/palettes.html"), plain: await visit(server, "/tests/palettes.html?plain") };
    for (const page of Object.values(pages)) await page.waitForFunction(() => window.isReady);
    for (const scene of ["crowd", "blend", "gaze", "limbs", "machine"]) {
        await t.test(`more than a clip: ${scene}`, async () => {
            const compare = ([scene, bins]) => window.compareScene(scene, "/assets/simple_humanoid.glb", `/bins/${bins}.bin`);
            const bits = await pages.simd.evaluate(compare, [scene, scene]);
            assert.equal(bits.count, bits.expected);
            assert.ok(bits.count >= 40 * 16 * 25 && bits.poses > 20, JSON.stringify(bits));
            assert.equal(bits.different, 0, `${bits.different} of ${bits.count} floats differ from the desktop's`);
            const plain = await pages.plain.evaluate(compare, [scene, scene]);
            assert.ok(plain.count === plain.expected && plain.worst < 1e-4, JSON.stringify(plain));
            // The comparison can fail: another scene is another one.
            const other = scene === "gaze" ? "machine" : "gaze";
            assert.ok((await pages.simd.evaluate(compare, [scene, other])).different > 1000);
        });
    }
    let [total, worst, compared, others] = [0, 0, 0, 0];
    for (const [index, { path: file, hasThree }] of files.entries()) {
        const isOurs = file.startsWith(assets);
        const address = isOurs ? `/assets/${relative(assets, file)}` : `/corpora/${relative(folder, file)}`;
        await t.test(relative(isOurs ? assets : folder, file), async () => {
            for (const [kind, page] of Object.entries(pages)) {
                const bits = await page.evaluate(([a, b]) => window.compareBits(a, b), [address, `/bins/${index}.bin`]);
                assert.equal(bits.count, bits.expected, JSON.stringify(bits));
                if (kind === "simd") {
                    assert.equal(bits.different, 0, `${bits.different} of ${bits.count} floats differ from the desktop's`);
                    total += bits.count;
                } else {
                    // Without vectors, glam adds up in another order while a file is loaded: the last bits may differ.
                    assert.ok(bits.worst < 1e-5, JSON.stringify(bits));
                    others += bits.different;
                }
            }
            if (!hasThree) return;
            const three = await pages.simd.evaluate((a) => window.compareThree(a), address);
            assert.ok(three.matrices > 0 && three.worst < 1e-4, JSON.stringify(three));
            worst = Math.max(worst, three.worst);
            compared++;
        });
    }
    assert.ok(total > 10_000, `${total} floats`);
    console.log(`${files.length} files: ${total} floats with the desktop's bits (${others} differ without vectors), three.js's mixer is ${worst.toExponential(1)} away at most in ${compared} of them`);
});
