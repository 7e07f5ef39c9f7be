// Which of the two modules is loaded, and views of its memory.

/** The smallest module that uses a vector instruction: whoever accepts it has them. */
const PROBE = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

let loading = null;
/** The classes of the module, once it is there. */
export let raw = null;
/** The memory of the module. */
export let memory = null;

/** Whether this machine runs WebAssembly's vector instructions. */
export const hasSimd = () => WebAssembly.validate(PROBE);

/**
 * Loads the module, once. `load` does so by itself.
 * @param {{ simd?: boolean, wasm?: ArrayBuffer | ArrayBufferView | URL | string }} [options]
 */
export function init(options = {}) {
    loading ??= start(options).catch((error) => {
        loading = null;
        throw error;
    });
    return loading;
}

async function start({ simd = hasSimd(), wasm }) {
    const glue = simd ? await import("./simd/nebula.js") : await import("./plain/nebula.js");
    const place = wasm ?? (simd ? new URL("./simd/nebula_bg.wasm", import.meta.url) : new URL("./plain/nebula_bg.wasm", import.meta.url));
    const isFile = place instanceof URL && place.protocol === "file:";
    // Node cannot fetch files. The name of its module is put together so that bundlers for browsers do not look for it.
    const module_or_path = isFile ? await (await import(["node", "fs/promises"].join(":"))).readFile(place) : place;
    const exports = await glue.default({ module_or_path });
    memory = exports.memory;
    raw = glue;
}

/** The raw classes, where the module is loaded. */
export function need() {
    if (raw === null) throw new Error("nebula-animation is not loaded yet: await init() or load() first");
    return raw;
}

/**
 * Numbers of the module's memory, without a copy. A view is made anew only when the memory has grown, which leaves old views empty, or
 * when what it shows has moved.
 */
export class View {
    #floats = null;
    #address = 0;
    #type;

    constructor(type = Float32Array) {
        this.#type = type;
    }

    at(address, length) {
        const floats = this.#floats;
        if (floats === null || this.#address !== address || floats.length !== length || floats.buffer !== memory.buffer) {
            this.#address = address;
            this.#floats = new this.#type(memory.buffer, address, length);
        }
        return this.#floats;
    }
}
