// Files of balls, one for each thing that a material can have.

import { deflateSync } from "node:zlib";

/** A PNG of 8-bit RGBA pixels: `color` is given column and row. */
function png(size, color) {
    const rows = Buffer.alloc(size * (size * 4 + 1));
    for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) rows.set(color(x, y), y * (size * 4 + 1) + 1 + x * 4);
    const chunk = (name, data) => {
        const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
        let crc = ~0;
        for (const byte of body) {
            crc ^= byte;
            for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
        }
        const words = Buffer.alloc(8);
        words.writeUInt32BE(data.length, 0);
        words.writeUInt32BE(~crc >>> 0, 4);
        return Buffer.concat([words.subarray(0, 4), body, words.subarray(4)]);
    };
    const header = Buffer.alloc(13);
    header.writeUInt32BE(size, 0);
    header.writeUInt32BE(size, 4);
    header.set([8, 6], 8);
    return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}

const wave = (value) => Math.round(127.5 + 127.5 * value);
const IMAGES = {
    // Checks in two colours, with one check that is clear, and half as opaque ones.
    checks: png(64, (x, y) => ((x >> 3) + (y >> 3)) % 2 ? [220, 60, 40, 255] : [240, 220, 180, (y >> 3) % 2 ? 0 : 128]),
    // Roughness across, metal downwards.
    rough: png(64, (x, y) => [255, 40 + x * 3, (y >> 5) * 255, 255]),
    // Round bumps.
    bumps: png(64, (x, y) => {
        const [across, down] = [Math.sin((x / 16) * 2 * Math.PI) * 0.5, Math.sin((y / 16) * 2 * Math.PI) * 0.5];
        const up = Math.sqrt(1 - across * across - down * down);
        return [wave(across), wave(down), wave(up), 255];
    }),
    // Dark seams.
    seams: png(64, (x) => [x % 16 < 4 ? 40 : 255, 0, 0, 255]),
    // Stripes of light.
    stripes: png(64, (x, y) => (y % 16 < 5 ? [255, 200, 80, 255] : [0, 0, 0, 255])),
};
const NAMES = Object.keys(IMAGES);

/** A texture of a material, by the name of its image. */
export const image = (name, more = {}) => ({ index: NAMES.indexOf(name), ...more });

/**
 * A .glb of one ball with a material, two sets of texture coordinates and, where asked for, colours of its vertices, tangents, and an unlit
 * wall behind it.
 */
export function ball(material, { hasColors = false, hasTangents = false, hasWall = false, extensions = [] } = {}) {
    const [rings, sides] = [48, 64];
    const [positions, colors, tangents, firsts, seconds, indices] = [[], [], [], [], [], []];
    for (let ring = 0; ring <= rings; ring++) {
        for (let side = 0; side <= sides; side++) {
            const [polar, around] = [(Math.PI * ring) / rings, (2 * Math.PI * side) / sides];
            positions.push(Math.sin(polar) * Math.sin(around), Math.cos(polar), Math.sin(polar) * Math.cos(around));
            tangents.push(Math.cos(around), 0, -Math.sin(around), 1);
            colors.push(ring / rings, side / sides, 0.5, 1);
            firsts.push((2 * side) / sides, ring / rings);
            seconds.push((6 * side) / sides, (3 * ring) / rings);
            if (ring < rings && side < sides) {
                const [a, b] = [ring * (sides + 1) + side, (ring + 1) * (sides + 1) + side];
                indices.push(a, b, b + 1, a, b + 1, a + 1);
            }
        }
    }
    const json = { asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }], accessors: [], bufferViews: [], materials: [material] };
    if (extensions.length) json.extensionsUsed = extensions;
    const parts = [];
    let length = 0;
    const view = (bytes) => {
        json.bufferViews.push({ buffer: 0, byteOffset: length, byteLength: bytes.length });
        const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
        parts.push(padded);
        length += padded.length;
        return json.bufferViews.length - 1;
    };
    const numbers = (array, type, width, more = {}) => {
        const accessor = { bufferView: view(Buffer.from(array.buffer)), componentType: array instanceof Float32Array ? 5126 : 5123, count: array.length / width, type, ...more };
        return json.accessors.push(accessor) - 1;
    };
    const floats = (array, width, more) => numbers(new Float32Array(array), `VEC${width}`, width, more);
    const attributes = { POSITION: floats(positions, 3, { min: [-1, -1, -1], max: [1, 1, 1] }), NORMAL: floats(positions, 3), TEXCOORD_0: floats(firsts, 2), TEXCOORD_1: floats(seconds, 2) };
    if (hasColors) attributes.COLOR_0 = floats(colors, 4);
    if (hasTangents) attributes.TANGENT = floats(tangents, 4);
    json.meshes = [{ primitives: [{ attributes, indices: numbers(new Uint16Array(indices), "SCALAR", 1), material: 0 }] }];
    if (hasWall) {
        const wall = floats([-3, -3, -2, 3, -3, -2, 3, 3, -2, -3, 3, -2], 3, { min: [-3, -3, -2], max: [3, 3, -2] });
        const material = json.materials.push({ pbrMetallicRoughness: { baseColorFactor: [0.2, 0.5, 0.3, 1] }, extensions: { KHR_materials_unlit: {} } }) - 1;
        json.meshes[0].primitives.push({ attributes: { POSITION: wall }, indices: numbers(new Uint16Array([0, 1, 2, 0, 2, 3]), "SCALAR", 1), material });
    }
    json.images = NAMES.map((name) => ({ bufferView: view(IMAGES[name]), mimeType: "image/png" }));
    json.textures = NAMES.map((_, source) => ({ source }));
    json.buffers = [{ byteLength: length }];
    const text = Buffer.from(JSON.stringify(json));
    const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, " ")]);
    const words = (...values) => Buffer.from(new Uint32Array(values).buffer);
    return Buffer.concat([words(0x46546c67, 2, 12 + 8 + padded.length + 8 + length), words(padded.length, 0x4e4f534a), padded, words(length, 0x004e4942), ...parts]);
}
