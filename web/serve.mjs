// Serves this folder, and nothing else: for trying the pages, and for their tests.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
    ".css": "text/css",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".json": "application/json",
    ".wasm": "application/wasm",
    ".png": "image/png",
};

/** Answers a request out of a folder, or out of one of `extra`, by the first part of the address. */
async function answer(request, response, root, extra) {
    const { pathname, search } = new URL(request.url, "http://localhost");
    const path = decodeURIComponent(pathname);
    const [, first, ...rest] = path.split("/");
    const [folder, inside] = Object.hasOwn(extra, first) ? [extra[first], rest.join("/")] : [root, path];
    let file = join(folder, normalize(`/${inside}`));
    if (file.endsWith(sep)) file = join(file, "index.html");
    const found = await stat(file);
    if (found.isDirectory()) {
        // What a page in a folder refers to is relative to the folder. One slash at the front: two would be another server.
        response.writeHead(301, { location: `${pathname.replace(/^\/+/, "/")}/${search}` }).end();
        return;
    }
    if (!found.isFile()) throw new Error("neither a file nor a folder");
    const headers = {
        "content-type": TYPES[extname(file)] ?? "application/octet-stream",
        "content-length": found.size,
        "cache-control": "no-cache",
        "last-modified": found.mtime.toUTCString(),
        // Clocks of pages that are isolated are exact to some microseconds.
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-embedder-policy": "require-corp",
    };
    // What a browser has already it does not fetch again.
    if (request.headers["if-modified-since"] === headers["last-modified"]) {
        delete headers["content-length"];
        response.writeHead(304, headers).end();
        return;
    }
    response.writeHead(200, headers);
    if (request.method === "HEAD") return void response.end();
    const stream = createReadStream(file);
    // Too late to say so: the file was there a moment ago.
    stream.on("error", () => response.destroy());
    response.on("close", () => stream.destroy());
    stream.pipe(response);
}

/** Starts a server; `extra` are folders by the first part of their address. */
export function serve(port, extra = {}) {
    const root = fileURLToPath(new URL(".", import.meta.url));
    const server = createServer((request, response) => {
        answer(request, response, root, extra).catch(() => {
            if (response.headersSent) response.destroy();
            else response.writeHead(404).end("there is no such file");
        });
    });
    return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const port = Number(process.argv[2] ?? 8787);
    await serve(port);
    console.log(`http://localhost:${port} (the viewer), http://localhost:${port}/examples/ (pages around the package)`);
}
