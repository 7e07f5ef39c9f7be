// Materials beside three.js's of the same camera, in the same light: both of the desktop's renderers.

import assert from "node:assert/strict";
import { readFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { ball, image } from "./balls.mjs";
import { corpora, open, pictures, reference, visit } from "./browser.mjs";

const [WIDTH, HEIGHT] = [360, 360];
const SKY = [256, 128];
/** The least signal to noise, in decibels, over the pixels of the model. */
const ALIKE = 25;

const paint = (more) => ({ baseColorFactor: [0.8, 0.3, 0.2, 1], metallicFactor: 0, roughnessFactor: 0.5, ...more });
const metal = (roughnessFactor) => ({ pbrMetallicRoughness: { baseColorFactor: [0.95, 0.75, 0.4, 1], metallicFactor: 1, roughnessFactor } });
const moved = { KHR_texture_transform: { offset: [0.1, 0.2], rotation: 0.5, scale: [2, 2], texCoord: 1 } };
const BALLS = {
    default: [{}],
    paint: [{ pbrMetallicRoughness: paint() }],
    gloss: [{ pbrMetallicRoughness: paint({ roughnessFactor: 0.15 }) }],
    "metal-rough": [metal(0.7)],
    "metal-smooth": [metal(0.3)],
    mirror: [metal(0.05)],
    "base-colour": [{ pbrMetallicRoughness: paint({ baseColorFactor: [1, 1, 1, 1], baseColorTexture: image("checks") }) }],
    "second-coordinates": [{ pbrMetallicRoughness: paint({ baseColorFactor: [1, 1, 1, 1], baseColorTexture: image("checks", { texCoord: 1 }) }) }],
    transform: [
        { pbrMetallicRoughness: paint({ baseColorFactor: [1, 1, 1, 1], baseColorTexture: image("checks", { extensions: moved }) }), emissiveFactor: [0.5, 0.5, 0.5], emissiveTexture: image("stripes", { extensions: moved }) },
        { extensions: ["KHR_texture_transform"] },
    ],
    roughness: [{ pbrMetallicRoughness: { baseColorFactor: [0.8, 0.8, 0.8, 1], metallicRoughnessTexture: image("rough") } }],
    normals: [{ pbrMetallicRoughness: paint(), normalTexture: image("bumps") }],
    "normals-with-tangents": [{ pbrMetallicRoughness: paint(), normalTexture: image("bumps", { scale: 0.5 }) }, { hasTangents: true }],
    occlusion: [{ pbrMetallicRoughness: paint(), occlusionTexture: image("seams", { strength: 0.8 }) }],
    emissive: [{ pbrMetallicRoughness: paint(), emissiveFactor: [0.2, 0.6, 1], emissiveTexture: image("stripes") }],
    "emissive-strength": [
        { pbrMetallicRoughness: paint(), emissiveFactor: [0.2, 0.1, 0], emissiveTexture: image("stripes"), extensions: { KHR_materials_emissive_strength: { emissiveStrength: 5 } } },
        { extensions: ["KHR_materials_emissive_strength"] },
    ],
    unlit: [{ pbrMetallicRoughness: paint({ baseColorTexture: image("checks") }), extensions: { KHR_materials_unlit: {} } }, { extensions: ["KHR_materials_unlit"] }],
    "vertex-colours": [{ pbrMetallicRoughness: paint({ baseColorFactor: [1, 1, 1, 1] }) }, { hasColors: true }],
    mask: [{ pbrMetallicRoughness: paint({ baseColorFactor: [1, 1, 1, 1], baseColorTexture: image("checks") }), alphaMode: "MASK", alphaCutoff: 0.3, doubleSided: true }],
    "opaque-alpha": [{ pbrMetallicRoughness: paint({ baseColorFactor: [1, 1, 1, 0.2] }) }],
    blend: [{ pbrMetallicRoughness: paint({ baseColorFactor: [0.9, 0.3, 0.2, 0.6] }), alphaMode: "BLEND" }, { hasWall: true, extensions: ["KHR_materials_unlit"] }],
    // We leave these out, and nothing else changes: modest ones still look alike.
    sheen: [{ pbrMetallicRoughness: paint(), extensions: { KHR_materials_sheen: { sheenColorFactor: [0.1, 0.1, 0.1], sheenRoughnessFactor: 0.5 } } }, { extensions: ["KHR_materials_sheen"] }],
    clearcoat: [{ pbrMetallicRoughness: paint(), extensions: { KHR_materials_clearcoat: { clearcoatFactor: 0.5, clearcoatRoughnessFactor: 0.4 } } }, { extensions: ["KHR_materials_clearcoat"] }],
};
const CAMERA = [0.9, 0.7, 2.6, 0, 0, 0, 0.8];
const CHARACTERS = {
    "kaykit-knight.glb": [1.6, 1.9, 3.6, 0, 1.1, 0, 0.7],
    "robot-expressive.glb": [4, 5, 11, 0, 2.3, 0, 0.5],
    "m2m-human-sophia.glb": [1.0, 1.5, 3.2, 0, 0.9, 0, 0.7],
};

test("materials beside three.js's", async (t) => {
    const folder = join(await pictures(), "looks");
    await mkdir(folder, { recursive: true });
    const characters = corpora("characters beside three.js's");
    const server = await open(characters, { looks: folder });
    t.after(server.close);
    const { stdout } = await reference("light", ...SKY.map(String), join(folder, "sky.bin"));
    const light = JSON.parse(stdout);
    const page = await visit(server, "/tests/looks.html");
    await page.waitForFunction(() => window.looks, null, { timeout: 60_000 });

    const check = async (name, path, address, camera) => {
        const [cpu, gpu] = ["cpu", "gpu"].map((renderer) => join(folder, `${name}-${renderer}.png`));
        await reference("looks", path, camera.join(), String(WIDTH), String(HEIGHT), cpu, gpu);
        const draw = (parameters) => window.looks.draw(...parameters);
        const theirs = await page.evaluate(draw, [address, camera, WIDTH, HEIGHT, light, SKY, "/looks/sky.bin"]);
        await writeFile(join(folder, `${name}-three.png`), Buffer.from(theirs.split(",")[1], "base64"));
        const ours = await Promise.all([cpu, gpu].map(async (file) => `data:image/png;base64,${(await readFile(file)).toString("base64")}`));
        const results = await page.evaluate(([theirs, ours]) => window.looks.compare(theirs, ours), [theirs, ours]);
        console.log(`${name}: ${results.map(({ decibels }) => decibels.toFixed(1)).join(" and ")} dB (CPU and GPU)`);
        for (const { decibels, covered } of results) {
            assert.ok(covered > 5000, `${name}: ${covered} pixels`);
            assert.ok(decibels >= ALIKE, `${name}: ${decibels} dB`);
        }
    };
    for (const [name, [material, more]] of Object.entries(BALLS)) {
        await t.test(name, async () => {
            const file = join(folder, `${name}.glb`);
            await writeFile(file, ball(material, more));
            await check(name, file, `/looks/${name}.glb`, CAMERA);
        });
    }
    for (const [name, camera] of Object.entries(characters ? CHARACTERS : {})) {
        await t.test(name, () => check(name, join(characters, "characters", name), `/corpora/characters/${name}`, camera));
    }
    assert.deepEqual(page.problems, []);
});
