// Files of a page: by their address, out of a drop, and those that a .gltf refers to.

const isJson = (name) => name.toLowerCase().endsWith(".gltf");
const folderOf = (path) => path.slice(0, path.lastIndexOf("/") + 1);

/** The paths that a .gltf refers to; none where it is not understood: the loader says why. */
function references(bytes) {
    try {
        const { buffers = [], images = [] } = JSON.parse(new TextDecoder().decode(bytes));
        const uris = [...buffers, ...images].map(({ uri }) => uri);
        return uris.filter((uri) => typeof uri === "string" && !uri.startsWith("data:"));
    } catch {
        return [];
    }
}

async function fetchBytes(address, tell = () => {}) {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`the server says ${response.status} ${response.statusText}`.trim());
    const length = Number(response.headers.get("content-length")) || 0;
    const chunks = [];
    let received = 0;
    for (const reader = response.body.getReader(); ; ) {
        const { done, value } = await reader.read();
        if (done) break;
        chunks.push(value);
        received += value.length;
        tell(length > 0 ? Math.min(received / length, 1) : 0);
    }
    const bytes = new Uint8Array(received);
    chunks.reduce((at, chunk) => (bytes.set(chunk, at), at + chunk.length), 0);
    return bytes;
}

/** A model and the files that it refers to, from a server. */
export async function fetchModel(address, tell) {
    const bytes = await fetchBytes(address, tell);
    const name = decodeURIComponent(new URL(address, location.href).pathname.split("/").pop());
    const files = new Map();
    if (isJson(name)) {
        const base = new URL(address, location.href);
        const loaded = references(bytes).map(async (uri) => {
            // What is missing is told by the loader, with its place in the file.
            const found = await fetchBytes(new URL(uri, base)).catch(() => null);
            if (found !== null) files.set(decodeURIComponent(uri), found);
        });
        await Promise.all(loaded);
    }
    return { name, bytes, resolve: (path) => files.get(path) };
}

/** The file of some that can be shown, with the others beside it; null if there is none. */
export function pick(files, endings) {
    for (const ending of endings) {
        const found = files.find(({ path }) => path.toLowerCase().endsWith(ending));
        if (found) {
            const folder = folderOf(found.path);
            const others = new Map(files.map(({ path, bytes }) => [path, bytes]));
            const resolve = (path) => others.get(folder + path) ?? others.get(path);
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
