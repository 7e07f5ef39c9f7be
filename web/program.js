// The program of the page, of which there are two: with vector instructions, and without.

import { hasSimd } from "./dist/nebula-animation/wasm.js";
import { LENGTHS } from "./dist/viewer/lengths.js";
import { read, request } from "./files.js";

/** Which of the two this browser runs. */
export const build = hasSimd() ? "simd" : "plain";

/** Loads it; `tell` is told which part of it is there. */
export async function loadProgram(tell) {
    const [program, response] = await Promise.all([import(`./dist/viewer/${build}/viewer.js`), request(`dist/viewer/${build}/viewer_bg.wasm`)]);
    // It is compiled while it comes; what comes is counted beside that. How long it is servers do not say where they compress it.
    const counted = read(response.clone(), LENGTHS[build], (received, length) => tell(Math.min(received / length, 1)));
    await Promise.all([counted, program.default({ module_or_path: response })]);
    return program;
}
