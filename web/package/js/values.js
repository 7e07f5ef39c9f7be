// What is handed over: checked before it is, because the module would take anything for a number or a name.

const CURVES = { linear: 0, smooth: 1, inertialised: 2 };

/** What is told of a value in a message. */
const tell = (value) => (typeof value === "string" ? `"${value}"` : value === null || typeof value !== "object" ? String(value) : "an object");

/** A number that is one, and finite. */
export function finite(value, what) {
    if (typeof value !== "number" || !(value - value === 0)) throw new TypeError(`${what} is ${tell(value)}, not a finite number`);
    return value;
}

/** A name. */
export function text(name, what) {
    if (typeof name !== "string") throw new TypeError(`${what} is ${name === null ? "null" : typeof name}, not a name`);
    return name;
}

/** A list of names. */
export function names(list, what) {
    if (!Array.isArray(list)) throw new TypeError(`${what} are ${tell(list)}, not a list of names`);
    for (const name of list) text(name, what);
    return list;
}

/** A whole number from 0 on that is below a limit. */
export function index(value, limit, what) {
    if (!(Number.isInteger(value) && value >= 0 && value < limit)) throw new Error(`there is no ${what} ${tell(value)}`);
    return value;
}

/** The seconds of a fade. */
export function fadeSeconds(fade = 0.3) {
    return finite(typeof fade === "object" && fade !== null ? fade.seconds : fade, "the fade's length");
}

/** The number of a fade's curve. */
export function fadeCurve(fade) {
    const curve = (typeof fade === "object" && fade !== null ? fade.curve : undefined) ?? "smooth";
    if (!Object.hasOwn(CURVES, curve)) throw new Error(`there is no fade "${curve}": linear, smooth or inertialised`);
    return CURVES[curve];
}

/** Three numbers of an array or of an object with x, y and z. */
export const x = (vector, what) => finite(vector.x !== undefined ? vector.x : vector[0], what);
export const y = (vector, what) => finite(vector.y !== undefined ? vector.y : vector[1], what);
export const z = (vector, what) => finite(vector.z !== undefined ? vector.z : vector[2], what);

/** A path without `.`, `..` and empty parts. */
export function normalise(path) {
    const parts = [];
    for (const part of path.split("/")) {
        if (part === "..") parts.pop();
        else if (part !== "." && part !== "") parts.push(part);
    }
    return parts.join("/");
}

/** Bytes of whatever holds bytes: those that a view shows, not its numbers. */
export function bytesOf(source, what) {
    if (source instanceof Uint8Array) return source;
    if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    const isBuffer = source instanceof ArrayBuffer || (typeof SharedArrayBuffer !== "undefined" && source instanceof SharedArrayBuffer);
    if (!isBuffer) throw new TypeError(`${what} is ${tell(source)}, neither an ArrayBuffer nor a view of one`);
    return new Uint8Array(source);
}
