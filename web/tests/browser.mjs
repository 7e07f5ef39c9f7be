// A browser, a server and the corpora, for the tests.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { serve } from "../serve.mjs";

export const run = promisify(execFile);
export const web = fileURLToPath(new URL("..", import.meta.url));
export const assets = join(web, "../crates/nebula-animation/test_assets");

/** Without all of these there is no WebGPU on a machine without a GPU, or its canvas stays blank. */
const WEB_GPU = [
    "--enable-unsafe-webgpu",
    "--use-webgpu-adapter=swiftshader",
    "--enable-features=Vulkan",
    "--use-vulkan=swiftshader",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
];

/** The folder of the corpora, or null with a line on the terminal; its absence is a failure where it is required. */
export function corpora(test) {
    const folder = process.env.NEBULA_CORPORA ?? join(web, "../../shared");
    if (existsSync(join(folder, "conformance/SCHEMA.md"))) return folder;
    if (process.env.NEBULA_REQUIRE_CORPORA === "1") throw new Error(`${test}: no corpora in ${folder}, and NEBULA_REQUIRE_CORPORA=1`);
    console.error(`SKIPPED ${test}: no corpora (set NEBULA_CORPORA to their folder)`);
    return null;
}

/** The first of some programs that is in the path. */
function programs(...names) {
    const folders = (process.env.PATH ?? "").split(delimiter);
    const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
    if (found === undefined) throw new Error(`there is no ${names.join(", ")} in the path: set NEBULA_CHROMIUM`);
    return found;
}

/** A browser, with flags for its JavaScript, and a server of this folder, the corpora (`/corpora`) and the shipped characters (`/assets`). */
export async function open(folder = null, extra = {}, flags = []) {
    const server = await serve(0, { assets, ...extra, ...(folder && { corpora: folder }) });
    const browser = await chromium.launch({
        executablePath: process.env.NEBULA_CHROMIUM ?? programs("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
        args: ["--no-sandbox", `--js-flags=${["--expose-gc", ...flags].join(" ")}`, "--enable-precise-memory-info", ...WEB_GPU],
    });
    const address = `http://localhost:${server.address().port}`;
    const close = async () => {
        await browser.close();
        server.closeAllConnections();
        server.close();
    };
    return { browser, address, close };
}

/** A page that fails the test with whatever it complains about. */
export async function visit({ browser, address }, path, options = {}) {
    const page = await browser.newPage(options);
    page.problems = [];
    page.on("pageerror", (error) => page.problems.push(String(error)));
    page.on("console", (message) => {
        if (message.type() === "error") page.problems.push(message.text());
    });
    await page.goto(address + path);
    return page;
}

/** The folder of pictures that people may want to look at. */
export async function pictures() {
    const folder = join(web, "tests/out");
    await mkdir(folder, { recursive: true });
    return folder;
}

/** What the desktop makes of something. */
export const reference = (...parameters) => {
    const program = process.env.NEBULA_REFERENCE ?? join(web, "../target/debug/examples/web_reference");
    return run(program, parameters, { maxBuffer: 1 << 26 });
};
