// The controls beside the picture: what the panel in the picture offers, for keyboards and screen readers.

const $ = (id) => document.getElementById(id);

/** Controls that hand their value on under their own name. */
const VALUES = ["clip", "time", "speed", "repeat", "fade", "curve", "skin", "tilt", "bound"];

/** Gives a list other entries, if they are others. */
function list(select, names, first = []) {
    const entries = [...first, ...names.map((name, index) => [index, name])];
    const key = JSON.stringify(entries);
    if (select.dataset.entries === key) return;
    select.dataset.entries = key;
    select.replaceChildren(...entries.map(([value, name]) => new Option(name, value)));
}

/** Sliders of the morph targets, made anew for another file only. */
function listMorphs(morphs, command) {
    const box = $("morphs");
    const key = JSON.stringify(morphs.map(({ slot, name }) => [slot, name]));
    box.hidden = morphs.length === 0;
    if (box.dataset.entries !== key) {
        box.dataset.entries = key;
        const rows = morphs.map(({ slot, name }) => {
            const label = document.createElement("label");
            const slider = Object.assign(document.createElement("input"), { type: "range", min: 0, max: 1, step: 0.01 });
            slider.dataset.slot = slot;
            slider.addEventListener("input", () => command(`morph ${slot}`, slider.value));
            label.append(name, slider);
            return label;
        });
        const back = Object.assign(document.createElement("button"), { type: "button", textContent: "Back to the clip's weights" });
        back.addEventListener("click", () => morphs.forEach(({ slot }) => command(`morph ${slot}`, "")));
        box.replaceChildren(box.querySelector("legend"), ...rows, back);
    }
    for (const slider of box.querySelectorAll("input")) {
        if (document.activeElement === slider) continue;
        slider.value = morphs.find(({ slot }) => slot === Number(slider.dataset.slot))?.weight ?? 0;
    }
}

/** Shows what the viewer says. */
export function showReport(report, command) {
    list($("clip"), report.clips.map((name, index) => name || `clip ${index}`));
    list($("skin"), report.skins ?? [], [["", "all joints"]]);
    $("time").max = report.duration ?? 1;
    for (const name of VALUES) {
        const control = $(name);
        // What somebody is changing is left alone, except for time that passes.
        if (document.activeElement === control && !(name === "time" && report.isPlaying)) continue;
        control.value = report[name] ?? "";
    }
    $("play").textContent = report.isPlaying ? "Pause" : "Play";
    $("play").setAttribute("aria-pressed", report.isPlaying ?? false);
    $("time").setAttribute("aria-valuetext", `${(report.time ?? 0).toFixed(2)} of ${(report.duration ?? 0).toFixed(2)} seconds`);
    for (const box of $("show").querySelectorAll("input[type=checkbox]")) {
        box.checked = report.show?.[box.name] ?? false;
        const why = report.whyNot?.[box.name] ?? null;
        box.disabled = why !== null;
        box.title = why === null ? "" : `Not for this file: ${why}`;
    }
    listMorphs(report.morphs ?? [], command);
    $("facts").textContent = [report.joints === undefined ? "" : `${report.joints} joints`, ...(report.notes ?? [])].filter(Boolean).join(". ");
}

/** Hands on what is done with the controls; `getReport` is what the viewer last said. */
export function listenToControls(command, getReport) {
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
    for (const name of VALUES) {
        const control = $(name);
        control.addEventListener(control.tagName === "SELECT" ? "change" : "input", () => command(name, control.value));
    }
    $("play").addEventListener("click", () => command("play", !getReport().isPlaying));
    $("start").addEventListener("click", () => command("time", 0));
    $("back").addEventListener("click", () => command("step", -1));
    $("on").addEventListener("click", () => command("step", 1));
    $("frame").addEventListener("click", () => command("frame", ""));
    for (const box of $("show").querySelectorAll("input[type=checkbox]")) box.addEventListener("change", () => command(box.name, box.checked));
}
