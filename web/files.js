// Files of a page: by their address, out of a drop, and those that a model refers to.

/** The first four bytes of a .glb, and the type of its first chunk: "glTF" and "JSON". */
const [BINARY, JSON_CHUNK] = [0x46546c67, 0x4e4f534a];

const folderOf = (path) => path.slice(0, path.lastIndexOf("/") + 1);

/** A path without `.`, `..` and empty parts: all paths that lead to a file become one. */
export function normalise(path) {
    const parts = [];
    for (const part of path.split("/")) {
        if (part === "..") parts.pop();
        else if (part !== "." && part !== "") parts.push(part);
    }
    return parts.join("/");
}

/** What a .gltf is, and the first chunk of a .glb. */
function documentOf(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isBinary = bytes.length >= 20 && view.getUint32(0, true) === BINARY && view.getUint32(16, true) === JSON_CHUNK;
    const text = isBinary ? bytes.subarray(20, 20 + view.getUint32(12, true)) : bytes;
    return JSON.parse(new TextDecoder().decode(text));
}

function decoded(uri) {
    try {
        return decodeURIComponent(uri);
    } catch {
        return uri;
    }
}

/** The paths that a model refers to, as the loader asks for them; none where it is not understood: the loader says why. */
export function references(bytes) {
    try {
        const { buffers = [], images = [] } = documentOf(bytes);
        const uris = [...buffers, ...images].map(({ uri }) => uri);
        // What is absolute, or within the URI itself, is never asked for.
        const paths = uris.filter((uri) => typeof uri === "string" && !/^(\/|[a-z][a-z\d+.-]*:)/i.test(uri));
        return [...new Set(paths.map(decoded))];
    } catch {
        return [];
    }
}

/** Why there is not even an answer. Browsers do not say: "Failed to fetch". */
function unreachable(address) {
    const { origin, protocol } = new URL(address, location.href);
    if (origin === new URL(location.href).origin) return "the server does not answer";
    if (protocol === "http:" && location.href.startsWith("https:")) {
        return "a page that came by https reads nothing that comes by http: take its https address, or download the file and drop it here";
    }
    return `${origin} does not answer, or does not let other pages read its files: it has to send the header "Access-Control-Allow-Origin: *" (CORS). Or download the file and drop it here`;
}

/** An answer of a server that has what was asked for. */
export async function request(address) {
    const response = await fetch(address).catch(() => {
        throw new Error(unreachable(address));
    });
    if (!response.ok) throw new Error(`the server says ${response.status} ${response.statusText}`.trim());
    return response;
}

/** How many bytes come, as the server says; null where it does not, or counts them compressed. */
export function lengthOf({ headers }) {
    return headers.get("content-encoding") || !headers.has("content-length") ? null : Number(headers.get("content-length"));
}

/** The bytes of an answer; `note` is told how many have come, and of how many. */
export async function read(response, length, note) {
    const chunks = [];
    let received = 0;
    note(0, length);
    for (const reader = response.body.getReader(); ; ) {
        const { done, value } = await reader.read();
        if (done) break;
        chunks.push(value);
        received += value.length;
        note(received, length);
    }
    const bytes = new Uint8Array(received);
    chunks.reduce((at, chunk) => (bytes.set(chunk, at), at + chunk.length), 0);
    return bytes;
}

/** The part of some files that is there, or null where nobody knows. One that has not begun is taken for as long as the others are. */
function partOf(files) {
    const begun = files.filter(({ length }) => length !== undefined);
    // Whoever compresses what he sends says how long that is, and another server's headers are not all told.
    if (begun.some(({ received, length }) => length === null || received > length)) return null;
    const sum = (key) => begun.reduce((sum, file) => sum + file[key], 0);
    const whole = (sum("length") / begun.length) * files.length;
    return whole > 0 ? sum("received") / whole : null;
}

/** A model and the files that it refers to, from a server. `tell` is told which part of them is there, null where nobody knows. */
export async function fetchModel(address, tell = () => {}) {
    const base = new URL(address, location.href);
    const name = decoded(base.pathname.split("/").pop());
    // The text of a .gltf is the least of it.
    const isText = name.toLowerCase().endsWith(".gltf");
    const response = await request(base);
    const bytes = await read(response, lengthOf(response), (received, length) => tell(isText ? null : partOf([{ received, length }])));
    const found = new Map();
    const meters = references(bytes).map((path) => ({ path, received: 0, length: undefined }));
    const loaded = meters.map(async (meter) => {
        const note = (received, length) => {
            Object.assign(meter, { received, length });
            tell(partOf(meters));
        };
        try {
            const answer = await request(new URL(meter.path.split("/").map(encodeURIComponent).join("/"), base));
            found.set(normalise(meter.path), await read(answer, lengthOf(answer), note));
        } catch {
            // What is missing is told by the loader, with its place in the file.
            note(0, 0);
        }
    });
    await Promise.all(loaded);
    return { name, bytes, resolve: (path) => found.get(normalise(path)) };
}

/** The file of some that can be shown, with the others beside it; null if there is none. */
export function pick(files, endings) {
    for (const ending of endings) {
        const found = files.find(({ path }) => path.toLowerCase().endsWith(ending));
        if (found) {
            const folder = folderOf(found.path);
            const others = new Map(files.map(({ path, bytes }) => [normalise(path), bytes]));
            const resolve = (path) => others.get(normalise(folder + path)) ?? others.get(normalise(path));
            return { name: found.path.slice(folder.length), bytes: found.bytes, resolve };
        }
    }
    return null;
}

/** All files of a drop, those in folders by their paths. */
export async function droppedFiles(transfer) {
    const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const read = async (file, path) => ({ path, bytes: new Uint8Array(await file.arrayBuffer()) });
    if (entries.length === 0) return Promise.all([...transfer.files].map((file) => read(file, file.name)));
    const files = [];
    const visit = async (entry, path) => {
        if (entry.isFile) {
            const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
            files.push(await read(file, path));
        } else {
            const reader = entry.createReader();
            for (;;) {
                const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
                if (some.length === 0) break;
                for (const child of some) await visit(child, `${path}/${child.name}`);
            }
        }
    };
    for (const entry of entries) await visit(entry, entry.name);
    return files;
}
