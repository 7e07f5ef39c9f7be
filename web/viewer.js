// The viewer's page: files and links go in, what happens on the canvas is handed on, and the controls show what the viewer says.

import start, { Gif, createViewer } from "./dist/viewer/viewer.js";
import { droppedFiles, fetchModel, pick } from "./files.js";

const FIRST_MODEL = "dist/models/simple_humanoid.glb";
const MODELS = [".glb", ".vrm", ".gltf"];
/** Pictures of a GIF: how large, and how many a second. */
const GIF = { side: 480, framesPerSecond: 25, most: 150 };

const $ = (id) => document.getElementById(id);
const canvas = $("canvas");
const query = new URLSearchParams(location.search);
let viewer = null;
/** Address of the model that is shown; none for a file of one's own, which no link can show to others. */
let model = null;
let report = { clips: [] };
let last = performance.now();
let isWanted = true;
let isBusy = false;

/** What tests ask, and how they let a page that stands still draw. */
const nebula = (window.nebula = {
    frames: 0,
    isReady: false,
    error: null,
    adapter: null,
    report: () => JSON.parse(viewer.report()),
    wake: () => (isWanted = true),
});

const parts = () => new URLSearchParams(location.hash.slice(1));

function say(error) {
    nebula.error = error;
    $("error").textContent = error ?? "";
    $("error").hidden = error === null;
    // The viewer shows its errors in the picture as well: beside that, they are for those who do not see it.
    $("error").classList.toggle("heard", report.file !== undefined);
}

function progress(part, text) {
    $("loading").hidden = part === null;
    $("progress").value = part ?? 0;
    $("loaded").textContent = text ?? "Loading…";
}

/** Opens the file of some that can be shown. */
function openFiles(files) {
    const chosen = pick(files, MODELS);
    if (chosen === null) {
        viewer.complain(`there is no ${MODELS.join(", ")} among ${files.length} files`);
    } else {
        model = null;
        viewer.open(chosen.name, chosen.bytes, chosen.resolve);
    }
    changed();
}

async function openAddress(address) {
    progress(0, `Loading ${address}`);
    try {
        const { name, bytes, resolve } = await fetchModel(address, (part) => progress(part, `Loading ${address}`));
        model = address;
        viewer.open(name, bytes, resolve);
        viewer.followLink(location.hash);
    } catch (error) {
        viewer.complain(`${address}: ${error.message}`);
    }
    progress(null);
    changed();
}

async function followAddress() {
    const scene = parts().get("demo");
    if (scene !== null) {
        model = null;
        try {
            viewer.demo(scene);
        } catch (error) {
            viewer.complain(error.message);
        }
        progress(null);
        // Its keys are those of the canvas.
        canvas.focus({ preventScroll: true });
        return changed();
    }
    const wanted = parts().get("model") ?? FIRST_MODEL;
    if (wanted !== model) return openAddress(wanted);
    viewer.followLink(location.hash);
    changed();
}

/** The address that shows what is seen now. */
function address() {
    const link = viewer.link();
    if (model === null || link === "") return null;
    return `#model=${encodeURIComponent(model).replaceAll("%2F", "/")}&${link}`;
}

function changed() {
    isWanted = true;
    if (viewer === null) return;
    report = JSON.parse(viewer.report());
    document.title = report.title;
    say(report.error);
    const clips = $("clip");
    const names = report.clips.map((name, index) => name || `clip ${index}`);
    if (names.join("\n") !== clips.dataset.names) {
        clips.dataset.names = names.join("\n");
        clips.replaceChildren(...names.map((name, index) => new Option(name, index)));
    }
    if (document.activeElement !== clips) clips.value = report.clip ?? "";
    $("play").textContent = report.isPlaying ? "Pause" : "Play";
    $("play").setAttribute("aria-pressed", report.isPlaying ?? false);
    $("time").max = report.duration ?? 1;
    if (document.activeElement !== $("time") || report.isPlaying) $("time").value = report.time ?? 0;
    $("time").setAttribute("aria-valuetext", `${(report.time ?? 0).toFixed(2)} of ${(report.duration ?? 0).toFixed(2)} seconds`);
    if (document.activeElement !== $("speed")) $("speed").value = report.speed ?? 1;
    for (const box of $("show").querySelectorAll("input")) box.checked = report.show?.[box.name] ?? false;
    $("copy").disabled = model === null;
    $("copy").title = model === null ? "A file of your own has no address that others could open" : "";
}

let kept = 0;
/** Keeps the address current, and the controls, some times a second. */
function keepCurrent(now) {
    if (now - kept < 250) return;
    kept = now;
    const hash = address();
    if (hash !== null && hash !== location.hash) history.replaceState(null, "", hash);
    const isWantedBefore = isWanted;
    changed();
    isWanted = isWantedBefore;
}

function draw(dt) {
    const scale = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.round(side * scale));
    if (width === 0 || height === 0) return false;
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const again = viewer.frame(dt, width, height, scale);
    nebula.frames += 1;
    return again;
}

function loop(now) {
    requestAnimationFrame(loop);
    const dt = Math.min((now - last) / 1000, 0.25);
    last = now;
    if (isBusy) return;
    // What stands still was perhaps moved by the last frame.
    if (!(isWanted || viewer.isMoving())) return keepCurrent(now);
    try {
        isWanted = draw(Math.max(dt, 0));
    } catch (error) {
        isBusy = true;
        say(`The picture cannot be drawn: ${error.message}`);
        return;
    }
    keepCurrent(now);
}

/** The picture without the panels, at most so many pixels in each direction. */
function picture(side = Infinity) {
    draw(0);
    const [left, top, width, height] = JSON.parse(viewer.report()).picture.map(Math.round);
    const factor = Math.min(1, side / Math.max(width, height));
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [Math.max(1, Math.round(width * factor)), Math.max(1, Math.round(height * factor))];
    copy.getContext("2d", { willReadFrequently: true }).drawImage(canvas, left, top, width, height, 0, 0, copy.width, copy.height);
    return copy;
}

function save(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const baseName = () => (report.file ?? "nebula").replace(/^.*\//, "").replace(/\.\w+$/, "");

async function saveGif() {
    const { duration = 0, time = 0, isPlaying } = report;
    const count = Math.min(Math.max(Math.round(duration * GIF.framesPerSecond), 1), GIF.most);
    const gif = new Gif();
    isBusy = true;
    try {
        for (let frame = 0; frame < count; frame++) {
            viewer.command("time", String((frame / count) * duration));
            const copy = picture(GIF.side);
            const { width, height } = copy;
            gif.push(width, height, copy.getContext("2d").getImageData(0, 0, width, height).data);
            progress(frame / count, "Making a GIF");
            await new Promise((resolve) => setTimeout(resolve));
        }
        save(new Blob([gif.finish(GIF.framesPerSecond)], { type: "image/gif" }), `${baseName()}.gif`);
    } finally {
        gif.free();
        progress(null);
        viewer.command("time", String(time));
        if (isPlaying) viewer.command("play", "true");
        isBusy = false;
        changed();
    }
}

/** Mouse, pen and fingers. One finger is a mouse with its button held; two go nearer and farther. */
function listenToPointers() {
    const held = new Map();
    const place = (event) => [event.offsetX, event.offsetY];
    const apart = () => {
        const [[x, y], [u, v]] = [...held.values()];
        return { distance: Math.hypot(x - u, y - v), middle: [(x + u) / 2, (y + v) / 2] };
    };
    const isFinger = (event) => event.pointerType === "touch";
    canvas.addEventListener("pointerdown", (event) => {
        canvas.focus({ preventScroll: true });
        canvas.setPointerCapture(event.pointerId);
        held.set(event.pointerId, place(event));
        if (isFinger(event) && held.size === 2) {
            const [first] = held.values();
            viewer.pointerButton(...first, 0, false);
            viewer.pointerMoved(...apart().middle);
        } else if (held.size === 1) {
            viewer.pointerMoved(...place(event));
            // egui asks what is below the pointer before a button is pressed.
            if (isFinger(event)) draw(0);
            viewer.pointerButton(...place(event), event.button, true);
        }
        isWanted = true;
    });
    canvas.addEventListener("pointermove", (event) => {
        if (isFinger(event) && held.size === 2 && held.has(event.pointerId)) {
            const before = apart();
            held.set(event.pointerId, place(event));
            const after = apart();
            viewer.pointerMoved(...after.middle);
            if (before.distance > 0 && after.distance > 0) viewer.pinch(after.distance / before.distance);
        } else {
            if (held.has(event.pointerId)) held.set(event.pointerId, place(event));
            viewer.pointerMoved(...place(event));
        }
        isWanted = true;
    });
    const up = (event) => {
        if (!held.delete(event.pointerId)) return;
        if (held.size === 0) {
            viewer.pointerButton(...place(event), event.button === -1 ? 0 : event.button, false);
            if (isFinger(event)) viewer.pointerGone();
        }
        isWanted = true;
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointerleave", () => {
        if (held.size === 0) viewer.pointerGone();
        isWanted = true;
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener(
        "wheel",
        (event) => {
            event.preventDefault();
            // Lines are some 40 points.
            const unit = event.deltaMode === 1 ? 40 : 1;
            if (event.ctrlKey) viewer.pinch(Math.exp(-event.deltaY * 0.01));
            else viewer.wheel(-event.deltaX * unit * 0.5, -event.deltaY * unit * 0.5);
            isWanted = true;
        },
        { passive: false },
    );
}

function listenToKeys() {
    const key = (event, pressed) => {
        viewer.modifiers(event.altKey, event.ctrlKey, event.shiftKey, event.metaKey);
        // Keys that leave the canvas are the browser's.
        if (event.key === "Tab" || event.ctrlKey || event.metaKey || event.altKey) return;
        if (viewer.key(event.key, pressed, event.repeat)) event.preventDefault();
        if (pressed && event.key.length === 1) viewer.text(event.key);
        isWanted = true;
    };
    canvas.addEventListener("keydown", (event) => key(event, true));
    canvas.addEventListener("keyup", (event) => key(event, false));
}

function listenToFiles() {
    window.addEventListener("dragover", (event) => {
        event.preventDefault();
        viewer.fileOver(true);
        isWanted = true;
    });
    window.addEventListener("dragleave", () => {
        viewer.fileOver(false);
        isWanted = true;
    });
    window.addEventListener("drop", async (event) => {
        event.preventDefault();
        viewer.fileOver(false);
        openFiles(await droppedFiles(event.dataTransfer));
    });
    $("open").addEventListener("click", () => $("files").click());
    $("files").addEventListener("change", async () => {
        const files = [...$("files").files].map(async (file) => ({ path: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }));
        if (files.length > 0) openFiles(await Promise.all(files));
        $("files").value = "";
    });
}

function listenToControls() {
    const command = (name, value) => {
        viewer.command(name, String(value));
        changed();
    };
    $("controls").addEventListener("click", () => {
        const isOpen = $("panel").hidden;
        $("panel").hidden = !isOpen;
        $("controls").setAttribute("aria-expanded", isOpen);
        if (isOpen) $("clip").focus();
    });
    $("panel").addEventListener("keydown", (event) => {
        if (event.key === "Escape") {
            $("controls").click();
            $("controls").focus();
        }
    });
    $("clip").addEventListener("change", () => command("clip", $("clip").value));
    $("play").addEventListener("click", () => command("play", !report.isPlaying));
    $("time").addEventListener("input", () => command("time", $("time").value));
    $("speed").addEventListener("input", () => command("speed", $("speed").value));
    $("frame").addEventListener("click", () => command("frame", ""));
    for (const box of $("show").querySelectorAll("input")) box.addEventListener("change", () => command(box.name, box.checked));
    $("still").addEventListener("click", () => picture().toBlob((blob) => save(blob, `${baseName()}.png`)));
    $("gif").addEventListener("click", saveGif);
    $("copy").addEventListener("click", async () => {
        history.replaceState(null, "", address());
        await navigator.clipboard.writeText(location.href);
        $("copy").textContent = "Copied";
        setTimeout(() => ($("copy").textContent = "Copy link"), 1500);
    });
    window.addEventListener("hashchange", followAddress);
    window.addEventListener("resize", () => (isWanted = true));
}

try {
    progress(0, "Loading the viewer");
    await start();
    viewer = await createViewer(canvas, !query.has("webgl2"));
    nebula.adapter = viewer.adapter();
    nebula.viewer = viewer;
    listenToPointers();
    listenToKeys();
    listenToFiles();
    listenToControls();
    await followAddress();
    draw(0);
    nebula.firstPicture = performance.now();
    nebula.isReady = true;
    requestAnimationFrame(loop);
} catch (error) {
    progress(null);
    say(`The viewer cannot start here: ${error.message ?? error}`);
}
