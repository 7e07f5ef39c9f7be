// The little server: folders, what is not there, what is not to be seen.

import assert from "node:assert/strict";
import test from "node:test";
import { serve } from "../serve.mjs";

test("folders, missing files and paths outside do no harm", async (t) => {
    const server = await serve(0, { nothing: "/there/is/no/such/folder" });
    t.after(() => server.close());
    const at = `http://localhost:${server.address().port}`;
    const get = (path, options) => fetch(at + path, { redirect: "manual", ...options });
    const folder = await get("/examples?x=1");
    assert.deepEqual([folder.status, folder.headers.get("location")], [301, "/examples/?x=1"]);
    assert.equal((await get("/examples/")).status, 200);
    assert.match(await (await fetch(`${at}/examples`)).text(), /<!doctype html>/i);
    for (const path of ["/nowhere", "/dist/", "/nothing/file", "/%2e%2e/README.md/x", "/..%2f..%2fetc/passwd", "/%", "/examples/nowhere/", "/constructor"]) {
        assert.equal((await get(path)).status, 404, path);
    }
    const page = await get("/index.html", { method: "HEAD" });
    assert.ok(page.status === 200 && (await page.text()) === "");
    const again = await get("/index.html", { headers: { "if-modified-since": page.headers.get("last-modified") } });
    assert.equal(again.status, 304);
    // It is still there.
    assert.equal((await get("/viewer.js")).status, 200);
});
