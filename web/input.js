// What happens on the canvas: mouse, pen, fingers, keys.

/** Mouse, pen and fingers. One finger is a mouse with its button held; two go nearer and farther. */
export function listenToPointers(canvas, viewer, draw, wake) {
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
            // And a drag begins with a frame of its own: where frames take long, the way of a quick one would be lost.
            draw(0);
        }
        wake();
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
        wake();
    });
    const up = (event) => {
        if (!held.delete(event.pointerId)) return;
        if (held.size === 0) {
            viewer.pointerButton(...place(event), event.button === -1 ? 0 : event.button, false);
            if (isFinger(event)) viewer.pointerGone();
        }
        wake();
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointerleave", () => {
        if (held.size === 0) viewer.pointerGone();
        wake();
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
            wake();
        },
        { passive: false },
    );
}

/** Keys that are the browser's: those that leave the canvas, reload the page, open its tools, or go with another key. */
const isBrowsers = ({ key, ctrlKey, metaKey, altKey }) => key === "Tab" || /^F\d+$/.test(key) || ctrlKey || metaKey || altKey;

export function listenToKeys(canvas, viewer, wake) {
    canvas.addEventListener("keydown", (event) => {
        viewer.modifiers(event.altKey, event.ctrlKey, event.shiftKey, event.metaKey);
        if (isBrowsers(event)) return;
        if (viewer.key(event.key, true, event.repeat)) event.preventDefault();
        if (event.key.length === 1) viewer.text(event.key);
        wake();
    });
    canvas.addEventListener("keyup", (event) => {
        viewer.modifiers(event.altKey, event.ctrlKey, event.shiftKey, event.metaKey);
        // Also one that was pressed before a key that goes with others.
        viewer.key(event.key, false, false);
        wake();
    });
    const focus = (isFocused) => {
        viewer.focus(isFocused);
        wake();
    };
    canvas.addEventListener("focus", () => focus(true));
    canvas.addEventListener("blur", () => focus(false));
    window.addEventListener("blur", () => focus(false));
    window.addEventListener("focus", () => focus(document.activeElement === canvas));
}
