// The viewer's page: files and links go in, what happens on the canvas is handed on, and the controls show what the viewer says.

import { listenToControls, showReport } from "./controls.js";
import { droppedFiles, fetchModel, pick } from "./files.js";
import { listenToKeys, listenToPointers } from "./input.js";
import { gifPlan, makeGif, picture, save } from "./pictures.js";
import { build, loadProgram } from "./program.js";

const FIRST_MODEL = "dist/models/simple_humanoid.glb";
const MODELS = [".glb", ".vrm", ".gltf"];

const $ = (id) => document.getElementById(id);
const canvas = $("canvas");
const query = new URLSearchParams(location.search);
/** The program, and its object that shows things. */
let program = null;
let viewer = null;
/** Address of the model that is shown; none for a file of one's own, which no link can show to others. */
let model = null;
/** How often something was asked for: what comes after something newer is not shown. */
let asked = 0;
/** Whether the address is left as it is: it asks for what is not shown yet, or could not be shown. */
let isAddressKept = false;
let report = { clips: [] };
let last = performance.now();
let isWanted = true;
/** Whether a GIF is being made, whose frames are not those of the clock. */
let isBusy = false;
/** Why nothing is drawn any more. */
let end = null;

/** What tests ask, and how they let a page that stands still draw. */
const nebula = (window.nebula = {
    frames: 0,
    isReady: false,
    error: null,
    adapter: null,
    build,
    firstPicture: null,
    gifPlan,
    report: () => JSON.parse(viewer.report()),
    wake: () => (isWanted = true),
});
const { wake } = nebula;

const parts = () => new URLSearchParams(location.hash.slice(1));

function say(error) {
    nebula.error = error;
    if ($("message").textContent !== (error ?? "")) $("message").textContent = error ?? "";
    $("error").hidden = error === null;
    $("dismiss").hidden = end !== null;
    // The viewer shows its errors in the picture as well: beside that, they are for those who do not see it.
    $("error").classList.toggle("heard", report.file !== undefined && end === null);
}

/** Shows how far something is: a part, or null where nobody knows. */
function progress(part, text) {
    $("loading").hidden = false;
    if (part === null) $("progress").removeAttribute("value");
    else $("progress").value = part;
    if ($("loaded").textContent !== text) $("loaded").textContent = text;
}

function endProgress() {
    $("loading").hidden = true;
}

const command = (name, value) => {
    viewer.command(name, String(value));
    changed();
};

/** Opens the file of some that can be shown. */
function openFiles(files) {
    const chosen = pick(files, MODELS);
    if (chosen === null) {
        viewer.complain(`there is no ${MODELS.join(", ")} among ${files.length} files`);
    } else if (viewer.open(chosen.name, chosen.bytes, chosen.resolve)) {
        model = null;
        isAddressKept = false;
        // The address named what is not shown any more.
        history.replaceState(null, "", location.pathname + location.search);
    }
    endProgress();
    changed();
}

/** Files that a person gives, once they are read; nothing newer is replaced by them. */
async function openGiven(reading) {
    const serial = ++asked;
    try {
        const files = await reading;
        if (serial === asked && files.length > 0) openFiles(files);
    } catch (error) {
        if (serial !== asked) return;
        viewer.complain(`the files cannot be read: ${error.message}`);
        changed();
    }
}

async function openAddress(address, serial) {
    // Until it is shown, and as it was then.
    const link = location.hash;
    isAddressKept = true;
    const tell = (part) => serial === asked && progress(part, `Loading ${address}`);
    tell(0);
    let isShown = false;
    try {
        const { name, bytes, resolve } = await fetchModel(address, tell);
        if (serial !== asked) return;
        isShown = viewer.open(name, bytes, resolve);
    } catch (error) {
        if (serial !== asked) return;
        viewer.complain(`${address}: ${error.message}`);
    }
    isAddressKept = !isShown;
    if (isShown) {
        model = address;
        viewer.followLink(link);
    }
    endProgress();
    changed();
}

async function followAddress() {
    const serial = ++asked;
    const scene = parts().get("demo");
    if (scene !== null) {
        try {
            viewer.demo(scene);
            model = null;
            isAddressKept = false;
        } catch (error) {
            viewer.complain(error.message);
            isAddressKept = true;
        }
        endProgress();
        // Its keys are those of the canvas.
        canvas.focus({ preventScroll: true });
        return changed();
    }
    const wanted = parts().get("model") ?? FIRST_MODEL;
    if (wanted !== model) return openAddress(wanted, serial);
    isAddressKept = false;
    endProgress();
    viewer.command("dismiss", "");
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
    say(end ?? report.error);
    showReport(report, command);
    $("copy").disabled = model === null;
    $("copy").title = model === null ? "A file of your own has no address that others could open" : "";
}

let kept = 0;
/** Keeps the address current, and the controls, some times a second. */
function keepCurrent(now) {
    if (now - kept < 250) return;
    kept = now;
    const hash = isAddressKept ? null : address();
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
    const dt = Math.min((now - last) / 1000, 0.25);
    last = now;
    try {
        // What stands still was perhaps moved by the last frame.
        if (!isBusy && (isWanted || viewer.isMoving())) isWanted = draw(Math.max(dt, 0));
        if (!isBusy) keepCurrent(now);
        requestAnimationFrame(loop);
    } catch (error) {
        end = `The picture cannot be drawn any more: ${error.message}. Load the page again.`;
        say(end);
    }
}

const baseName = () => (report.file ?? "nebula").replace(/^.*\//, "").replace(/\.\w+$/, "");

async function saveGif() {
    if (isBusy) return;
    const { time = 0, isPlaying } = report;
    isBusy = true;
    try {
        const tell = (part) => progress(part, "Making a GIF");
        const bytes = await makeGif({ Gif: program.Gif, canvas, viewer, draw, tell });
        save(new Blob([bytes], { type: "image/gif" }), `${baseName()}.gif`);
    } catch (error) {
        viewer.complain(`the GIF cannot be made: ${error.message}`);
    } finally {
        endProgress();
        viewer.command("time", String(time));
        if (isPlaying) viewer.command("play", "true");
        isBusy = false;
        changed();
    }
}

function saveStill() {
    draw(0);
    picture(canvas, viewer).toBlob((blob) => {
        try {
            save(blob, `${baseName()}.png`);
        } catch (error) {
            viewer.complain(`the picture cannot be saved: ${error.message}`);
            changed();
        }
    });
}

async function copyLink() {
    history.replaceState(null, "", address());
    try {
        await navigator.clipboard.writeText(location.href);
        $("copy").textContent = "Copied";
    } catch {
        // Not on every page is that allowed; the address bar has it.
        $("copy").textContent = "It is in the address bar";
    }
    setTimeout(() => ($("copy").textContent = "Copy link"), 1500);
}

function listenToFiles() {
    const hold = (isOver) => {
        viewer.fileOver(isOver);
        wake();
    };
    window.addEventListener("dragover", (event) => {
        event.preventDefault();
        hold(true);
    });
    window.addEventListener("dragleave", () => hold(false));
    window.addEventListener("drop", (event) => {
        event.preventDefault();
        hold(false);
        openGiven(droppedFiles(event.dataTransfer));
    });
    $("open").addEventListener("click", () => $("files").click());
    $("files").addEventListener("change", () => {
        const files = [...$("files").files].map(async (file) => ({ path: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }));
        openGiven(Promise.all(files));
        $("files").value = "";
    });
}

function listen() {
    listenToPointers(canvas, viewer, draw, wake);
    listenToKeys(canvas, viewer, wake);
    listenToFiles();
    listenToControls(command, () => report);
    $("still").addEventListener("click", saveStill);
    $("gif").addEventListener("click", saveGif);
    $("copy").addEventListener("click", copyLink);
    $("dismiss").addEventListener("click", () => {
        isAddressKept = false;
        command("dismiss", "");
        canvas.focus({ preventScroll: true });
    });
    window.addEventListener("hashchange", followAddress);
    window.addEventListener("resize", wake);
}

/** Notes when the first picture was on the screen: it is drawn for the next frame, and shown when the one after that begins. */
function noteFirstPicture() {
    requestAnimationFrame(() => requestAnimationFrame(() => (nebula.firstPicture = performance.now())));
}

try {
    const tell = (part) => progress(part, "Loading the viewer");
    tell(0);
    program = await loadProgram(tell);
    viewer = await program.createViewer(canvas, !query.has("webgl2"));
    nebula.adapter = viewer.adapter();
    nebula.viewer = viewer;
    listen();
    await followAddress();
    draw(0);
    noteFirstPicture();
    nebula.isReady = true;
    requestAnimationFrame(loop);
} catch (error) {
    endProgress();
    end = `The viewer cannot start here: ${error.message ?? error}`;
    say(end);
}
