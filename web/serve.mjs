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

/** Starts a server; `extra` are folders by the first part of their address. */
export function serve(port, extra = {}) {
    const root = fileURLToPath(new URL(".", import.meta.url));
    const server = createServer(async (request, response) => {
        try {
            const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
            const [, first, ...rest] = path.split("/");
            const [folder, inside] = first in extra ? [extra[first], rest.join("/")] : [root, path];
            let file = join(folder, normalize(`/${inside}`));
            if (file.endsWith(sep)) file = join(file, "index.html");
            const { size } = await stat(file);
            response.writeHead(200, {
                "content-type": TYPES[extname(file)] ?? "application/octet-stream",
                "content-length": size,
                "cache-control": "no-cache",
                // Clocks of pages that are isolated are exact to some microseconds.
                "cross-origin-opener-policy": "same-origin",
                "cross-origin-embedder-policy": "require-corp",
            });
            createReadStream(file).pipe(response);
        } catch {
            response.writeHead(404).end("there is no such file");
        }
    });
    return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const port = Number(process.argv[2] ?? 8787);
    await serve(port);
    console.log(`http://localhost:${port} (the viewer), http://localhost:${port}/examples/ (pages around the package)`);
}
