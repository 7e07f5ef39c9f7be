// What scripts/web.sh says where something is missing. Nothing is built: the programs of the path are a few that it cannot do without, and stubs.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { web } from "./browser.mjs";

const script = join(web, "../scripts/web.sh");
/** What every machine has. */
const BASE = ["dirname", "id", "mkdir"];
const BASH = "/bin/bash";

/** What the script says with nothing in the path but this: programs by their names, and what they do. */
async function says(t, command, programs, variables = {}) {
    const folder = await mkdtemp(join(tmpdir(), "nebula-script-"));
    t.after(() => rm(folder, { recursive: true }));
    const path = join(folder, "bin");
    await mkdir(path);
    for (const name of BASE) await symlink(`/usr/bin/${name}`, join(path, name)).catch(() => {});
    for (const [name, text] of Object.entries(programs)) {
        await rm(join(path, name), { force: true });
        await writeFile(join(path, name), `#!${BASH}\n${text}\n`);
        await chmod(join(path, name), 0o755);
    }
    const env = { PATH: path, HOME: folder, CARGO_TARGET_DIR: folder, ...variables };
    return new Promise((resolve) => {
        execFile(BASH, [script, command], { env }, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, said: stdout + stderr }));
    });
}

const nobody = { id: "echo 1000" };
const compiler = { cargo: "exit 1", rustc: "exit 1" };
const node = { node: "exit 1", npm: "exit 1" };

test("what is missing is said, one thing after the other", async (t) => {
    const cases = [
        ["build", nobody, /^cargo is missing: install Rust \(https:\/\/rustup\.rs\)/],
        ["test", { ...nobody, cargo: "exit 1" }, /^rustc is missing/],
        ["build", { ...nobody, ...compiler }, /^node is missing: install it \(on Debian, as root: `apt-get install nodejs`\)/],
        ["build", { ...nobody, ...compiler, node: "exit 1" }, /^npm is missing/],
        ["test", { ...nobody, ...compiler, ...node }, /^chromium is missing/],
        // Debian, without the right to install anything: not the shell's own "sudo: command not found".
        ["test", { ...nobody, ...compiler, ...node, "apt-get": "echo called" }, /^chromium is missing: install it/],
        // Installing fails.
        ["build", { ...compiler, id: "echo 0", "apt-get": "exit 100" }, /node is missing, and nodejs could not be installed/],
        ["build", { ...compiler, ...nobody, sudo: "exit 1", "apt-get": "exit 0" }, /node is missing, and nodejs could not be installed/],
    ];
    for (const [command, programs, expected] of cases) {
        const { code, said } = await says(t, command, programs);
        assert.equal(code, 1, said);
        assert.match(said, expected);
        assert.doesNotMatch(said, /command not found|called/);
    }
});

test("Chrome will do, and the one that is named is the one that is taken", async (t) => {
    const all = { ...nobody, ...compiler, ...node };
    // The compiler is what fails, then.
    const later = /^(?!.*chromium)/s;
    for (const browser of ["google-chrome", "google-chrome-stable", "chromium-browser", "chromium"]) {
        const { code, said } = await says(t, "test", { ...all, [browser]: "exit 0" });
        assert.notEqual(code, 0);
        assert.match(said, later, browser);
    }
    const wrong = await says(t, "test", { ...all, chromium: "exit 0" }, { NEBULA_CHROMIUM: "/nowhere/chrome" });
    assert.match(wrong.said, /^NEBULA_CHROMIUM is \/nowhere\/chrome: there is no such program/);
});
