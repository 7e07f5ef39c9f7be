// Files of the page, under Node: paths of every spelling, what models refer to, how far a download is, why there is none.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import test from "node:test";
import { fetchModel, normalise, pick, references } from "../files.js";
import { glb } from "./viewer_support.mjs";

const text = (bytes) => (bytes === undefined ? undefined : new TextDecoder().decode(bytes));
const bytes = (text) => new TextEncoder().encode(text);

/** A server of some files, by their paths: text, or a function that answers. */
async function serve(t, files) {
    const server = createServer((request, response) => {
        const file = files[decodeURIComponent(request.url.slice(1))];
        if (file === undefined) response.writeHead(404).end();
        else if (typeof file === "function") file(response);
        else response.writeHead(200, { "content-length": file.length }).end(file);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => (server.closeAllConnections(), server.close()));
    const at = `http://localhost:${server.address().port}/`;
    globalThis.location = { href: at };
    return at;
}

/** A model with buffers and images at these URIs. */
const model = (buffers, images = []) => JSON.stringify({ buffers: buffers.map((uri) => ({ uri })), images: images.map((uri) => ({ uri })) });

test("paths of a file are one", () => {
    for (const path of ["a.bin", "./a.bin", "t/../a.bin", ".//a.bin", "./t/./u/../../a.bin"]) assert.equal(normalise(path), "a.bin", path);
    assert.equal(normalise("t/a.bin"), "t/a.bin");
    assert.equal(normalise("t/..a/.b"), "t/..a/.b");
});

test("dropped files are found by every spelling of their paths", () => {
    const folder = [["scene/model.gltf", "model"], ["scene/a.bin", "a"], ["scene/t/b.png", "b"], ["c.png", "c"]];
    const { name, bytes: own, resolve } = pick(folder.map(([path, content]) => ({ path, bytes: bytes(content) })), [".glb", ".gltf"]);
    assert.deepEqual([name, text(own)], ["model.gltf", "model"]);
    const found = ["a.bin", "./a.bin", "t/../a.bin", "t/b.png", "./t//b.png", "c.png", "./c.png", "b.png", "scene/d.bin"].map((path) => text(resolve(path)));
    assert.deepEqual(found, ["a", "a", "a", "b", "b", "c", "c", undefined, undefined]);
    assert.equal(pick([{ path: "notes.txt", bytes: bytes("") }], [".glb"]), null);
});

test("models tell what they refer to, .glb as well as .gltf", () => {
    const document = model(["./a%20b.bin", "data:application/octet-stream;base64,AAAA", undefined, "100%.bin"], ["t/../c.png", "t/../c.png", "https://there/d.png", "/e.png"]);
    const expected = ["./a b.bin", "100%.bin", "t/../c.png"];
    assert.deepEqual(references(bytes(document)), expected);
    const binary = glb(JSON.parse(document), Buffer.from("1234"));
    assert.deepEqual(references(binary), expected);
    // Wherever it lies in a buffer.
    assert.deepEqual(references(new Uint8Array(Buffer.concat([Buffer.alloc(3), binary])).subarray(3)), expected);
    for (const odd of [bytes("{"), bytes("[]"), bytes("null"), new Uint8Array(), binary.subarray(0, 30), bytes('{ "buffers": 3 }')]) assert.deepEqual(references(odd), []);
});

test("links bring the files that models refer to", async (t) => {
    const uris = ["./a.bin", "t/../b.bin", "parts/some%20c.bin", "d#1.bin"];
    const files = { "m/a.bin": "a", "m/b.bin": "b", "m/parts/some c.bin": "c", "m/d#1.bin": "d" };
    const at = await serve(t, { ...files, "m/x.gltf": model(uris), "m/x.glb": glb(JSON.parse(model(uris)), Buffer.from("1234")), "m/y.vrm": glb(JSON.parse(model(uris))) });
    for (const name of ["x.gltf", "x.glb", "y.vrm"]) {
        const { name: told, resolve } = await fetchModel(`${at}m/${name}`);
        assert.equal(told, name);
        const asked = ["./a.bin", "t/../b.bin", "parts/some c.bin", "d#1.bin", "a.bin", "missing.bin"];
        assert.deepEqual(asked.map((path) => text(resolve(path))), ["a", "b", "c", "d", "a", undefined], name);
    }
});

test("all of a model's files count in its progress", async (t) => {
    const held = [];
    // Half of a file, and the rest when it is let go.
    const slow = (length) => (response) => {
        response.writeHead(200, { "content-length": length });
        response.write("x".repeat(length / 2));
        held.push(() => response.end("x".repeat(length / 2)));
    };
    const at = await serve(t, { "x.gltf": model(["a.bin"], ["b.png", "missing.png"]), "a.bin": slow(6000), "b.png": slow(2000), "y.glb": slow(1000) });
    const told = [];
    const until = async (part) => {
        while (told.at(-1) !== part) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const loading = fetchModel(`${at}x.gltf`, (part) => told.push(part));
    await until(0.5);
    held.shift()();
    held.shift()();
    await loading;
    assert.equal(told[0], null, "the text of a .gltf says little");
    assert.equal(told.at(-1), 1);
    const parts = told.filter((part) => part !== null);
    assert.ok(parts.every((part) => part >= 0 && part <= 1), `${parts}`);
    const single = fetchModel(`${at}y.glb`, (part) => told.push(part));
    await until(0.5);
    held.shift()();
    await single;
    assert.equal(told.at(-1), 1);
});

test("nobody knows how far a file is whose server does not say how long it is", async (t) => {
    const { gzipSync } = await import("node:zlib");
    const packed = gzipSync("x".repeat(10_000));
    const at = await serve(t, {
        "chunked.glb": (response) => response.writeHead(200).end("x".repeat(1000)),
        "packed.glb": (response) => response.writeHead(200, { "content-encoding": "gzip", "content-length": packed.length }).end(packed),
    });
    for (const name of ["chunked.glb", "packed.glb"]) {
        const told = [];
        const { bytes } = await fetchModel(at + name, (part) => told.push(part));
        assert.ok(bytes.length >= 1000 && told.length > 1 && told.every((part) => part === null), `${name}: ${told}`);
    }
});

test("why a file cannot be had", async (t) => {
    const at = await serve(t, {});
    await assert.rejects(fetchModel(`${at}nowhere.glb`), /the server says 404/);
    const closed = createServer();
    closed.listen(0, "127.0.0.1");
    await once(closed, "listening");
    const elsewhere = `http://localhost:${closed.address().port}/`;
    closed.close();
    await once(closed, "close");
    await assert.rejects(fetchModel(`${elsewhere}x.glb`), new RegExp(`${elsewhere.slice(0, -1)} does not answer, or .*Access-Control-Allow-Origin.*drop it here`));
    globalThis.location = { href: elsewhere };
    await assert.rejects(fetchModel(`${elsewhere}x.glb`), { message: "the server does not answer" });
    globalThis.location = { href: "https://pages.example/" };
    await assert.rejects(fetchModel(`${elsewhere}x.glb`), /reads nothing that comes by http/);
});
