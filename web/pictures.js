// Pictures of what is shown: a still, and a GIF.

/** How large the pictures of a GIF are, how many a second, and how many at most: longer clips get fewer a second. */
const GIF = { side: 480, framesPerSecond: 25, most: 150 };
/** Seconds of what has no end. */
const LIVE = 3;

/** The picture without the panels, at most so many pixels in each direction. The canvas has just been drawn. */
export function picture(canvas, viewer, side = Infinity) {
    const [left, top, width, height] = JSON.parse(viewer.report()).picture.map(Math.round);
    const factor = Math.min(1, side / Math.max(width, height));
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [Math.max(1, Math.round(width * factor)), Math.max(1, Math.round(height * factor))];
    copy.getContext("2d", { willReadFrequently: true }).drawImage(canvas, left, top, width, height, 0, 0, copy.width, copy.height);
    return copy;
}

export function save(blob, name) {
    if (blob === null) throw new Error("the browser makes no picture of this size");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** How many pictures show so many seconds, and how many of them are shown a second. */
export function gifPlan(duration) {
    const count = Math.min(Math.max(Math.round(duration * GIF.framesPerSecond), 1), GIF.most);
    return { count, rate: duration > 0 ? count / duration : GIF.framesPerSecond };
}

/**
 * The bytes of a GIF: a clip from its beginning to its end, or some seconds of what has none, as it goes on. `draw` draws a frame after so many
 * seconds, `tell` is told how far it is.
 */
export async function makeGif({ Gif, canvas, viewer, draw, tell }) {
    const { duration = 0, clip = null } = JSON.parse(viewer.report());
    const isLive = clip === null;
    const { count, rate } = gifPlan(isLive ? LIVE : duration);
    const gif = new Gif();
    try {
        for (let frame = 0; frame < count; frame++) {
            if (!isLive) viewer.command("time", String((frame / count) * duration));
            draw(isLive ? 1 / rate : 0);
            const copy = picture(canvas, viewer, GIF.side);
            const { width, height } = copy;
            gif.push(width, height, copy.getContext("2d").getImageData(0, 0, width, height).data);
            tell(frame / count);
            await new Promise((resolve) => setTimeout(resolve));
        }
        return gif.finish(rate);
    } finally {
        gif.free();
    }
}
