// What the tests of the viewer's page share: waiting for it, its pictures, drops.

import { readFile } from "node:fs/promises";

export const LINK = "clip=walk&time=0.3&camera=0.6,0.25,3.6,0,0.9,0";
export const HUMANOID = "dist/models/simple_humanoid.glb";
export const BACKENDS = [["WebGPU", "", /webgpu/i], ["WebGL2", "?webgl2", /\(gl/i]];

export const report = (page) => page.evaluate(() => window.nebula.report());
export const ready = (page) => page.waitForFunction(() => window.nebula?.isReady || window.nebula?.error, null, { timeout: 120_000 });
const frames = (page) => page.evaluate(() => window.nebula.frames);

/** Waits until so many more frames have been drawn. */
export async function drawn(page, count = 3) {
    const before = await frames(page);
    const isDone = (wanted) => window.nebula.wake() && window.nebula.frames >= wanted;
    await page.waitForFunction(isDone, before + count, { timeout: 120_000 });
}

/** The picture without the panels, as pixels: what the page itself saves. */
export async function picture(page) {
    const download = page.waitForEvent("download");
    await page.click("#still");
    return readFile(await (await download).path());
}

/**
 * A PNG file, looked at by the browser itself: its size, roughly how many colours it has (a blank one has few), and, beside another one, the part of
 * pixels that differ by more than a few steps of a byte, and the mean difference.
 */
export const inspect = (page, file, other = file) =>
    page.evaluate(async (files) => {
        const [a, b] = await Promise.all(
            files.map(async (file) => {
                const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${file}`)).blob());
                const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
                context.drawImage(bitmap, 0, 0);
                return context.getImageData(0, 0, bitmap.width, bitmap.height);
            }),
        );
        const colors = new Set();
        let [far, sum] = [0, 0];
        for (let at = 0; at < a.data.length; at += 4) {
            colors.add(((a.data[at] >> 4) << 8) | ((a.data[at + 1] >> 4) << 4) | (a.data[at + 2] >> 4));
            const entry = (index) => Math.abs(a.data[at + index] - b.data[at + index]);
            const most = Math.max(entry(0), entry(1), entry(2));
            far += Number(!(most <= 24));
            sum += most;
        }
        const count = a.data.length / 4;
        return { width: a.width, height: a.height, colors: colors.size, far: far / count, mean: sum / count };
    }, [file, other].map((file) => file.toString("base64")));

/** Drops files, as a person does: bytes by their paths. */
export const drop = (page, files) =>
    page.evaluate((files) => {
        const transfer = new DataTransfer();
        for (const [name, text] of files) transfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
        window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, files.map(([name, bytes]) => [name, bytes.toString("base64")]));

/** Drops files and folders of this machine, as the browser itself sees a drop: folders are entries that have to be read. */
export async function dropPaths(page, paths) {
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: paths, dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) await session.send("Input.dispatchDragEvent", { type, x: 200, y: 200, data });
    await session.detach();
}

/** The pictures of a GIF: how long each is shown, in hundredths of a second. */
export function gifDelays(bytes) {
    const tableSize = (flags) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
    const delays = [];
    let [at, delay] = [13 + tableSize(bytes[10]), 0];
    const skipBlocks = () => {
        while (bytes[at] !== 0) at += bytes[at] + 1;
        at++;
    };
    while (bytes[at] !== 0x3b) {
        if (at >= bytes.length) throw new Error("the file ends before its end");
        if (bytes[at] === 0x21) {
            if (bytes[at + 1] === 0xf9) delay = bytes.readUInt16LE(at + 4);
            at += 2;
            skipBlocks();
        } else if (bytes[at] === 0x2c) {
            at += 10 + tableSize(bytes[at + 9]) + 1;
            skipBlocks();
            delays.push(delay);
        } else {
            throw new Error(`byte ${bytes[at]} at ${at}`);
        }
    }
    return delays;
}

/** A .glb of a document, and of the bytes of its own buffer where there are any. */
export function glb(document, own = null) {
    const chunk = (type, bytes, filler) => {
        const body = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3, filler)]);
        const head = Buffer.alloc(8);
        head.writeUInt32LE(body.length, 0);
        head.write(type, 4, "latin1");
        return Buffer.concat([head, body]);
    };
    const chunks = [chunk("JSON", Buffer.from(JSON.stringify(document)), " "), ...(own ? [chunk("BIN\0", own, 0)] : [])];
    const head = Buffer.alloc(12);
    head.write("glTF", 0, "latin1");
    head.writeUInt32LE(2, 4);
    head.writeUInt32LE(12 + chunks.reduce((sum, { length }) => sum + length, 0), 8);
    return Buffer.concat([head, ...chunks]);
}

/** A .gltf of a triangle, whose node goes up and down for so many seconds where any are said; its buffer is a file beside it. */
export function triangle(seconds = 0, uri = "corners.bin") {
    const numbers = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, seconds / 2, seconds, 0, 0, 0, 0, 1, 0, 0, 0, 0];
    const document = {
        asset: { version: "2.0" },
        scene: 0,
        scenes: [{ nodes: [0] }],
        nodes: [{ mesh: 0, name: "triangle" }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
        accessors: [
            { bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] },
            { bufferView: 1, componentType: 5126, count: 3, type: "SCALAR", min: [0], max: [seconds] },
            { bufferView: 2, componentType: 5126, count: 3, type: "VEC3" },
        ],
        bufferViews: [[0, 36], [36, 12], [48, 36]].map(([byteOffset, byteLength]) => ({ buffer: 0, byteOffset, byteLength })),
        buffers: [{ uri, byteLength: 84 }],
    };
    if (seconds > 0) {
        const channel = { sampler: 0, target: { node: 0, path: "translation" } };
        document.animations = [{ name: "up", channels: [channel], samplers: [{ input: 1, output: 2 }] }];
    }
    return { json: Buffer.from(JSON.stringify(document)), corners: Buffer.from(new Float32Array(numbers).buffer) };
}
