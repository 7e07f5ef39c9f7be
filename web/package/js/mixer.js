// What plays on a character: layers, blend spaces, events.

import { AnimationAction } from "./action.js";
import { EventPool } from "./events.js";
import { fadeCurve, fadeSeconds, finite, names, text } from "./values.js";

/** How many actions of a layer are shown at the same time at most: fades may be interrupted. */
const SHOWN = 4;

/** A layer of a mixer: what plays on some joints. */
export class MixerLayer {
    #character;
    /** The last actions that were handed out: an action is one object as long as it is shown. */
    #actions = [];

    /** @internal */
    constructor(character, index, name) {
        this.#character = character;
        this.index = index;
        this.name = name;
    }

    /** The object of an action, by its number. */
    #action(id) {
        const known = this.#actions;
        for (let index = 0; index < known.length; index++) if (known[index]._id === id) return known[index];
        const action = new AnimationAction(this.#character, this.index, id);
        known.unshift(action);
        if (known.length > SHOWN) known.pop();
        return action;
    }

    /** Fades to a clip, by its name or its index, or to a blend space. The action that plays it. */
    play(motion, fade) {
        const raw = this.#character._raw;
        const seconds = fadeSeconds(fade);
        const curve = fadeCurve(fade);
        let id;
        if (motion instanceof BlendSpace) id = raw.playSpace(this.index, motion.index, seconds, curve);
        else if (typeof motion === "number") id = raw.playIndex(this.index, this.#clip(motion), seconds, curve);
        else id = raw.play(this.index, text(motion, "the clip"), seconds, curve);
        return this.#action(this.#character._check(id));
    }

    /** An index that the module does not take for another one. */
    #clip(index) {
        const { length } = this.#character.asset.clips;
        if (!Number.isInteger(index) || index < 0) throw new Error(`there is no clip ${index}: there are ${length}`);
        return index;
    }

    /** Fades to a clip from its beginning, although it may be playing. */
    restart(clip, fade) {
        const id = this.#character._raw.restart(this.index, text(clip, "the clip"), fadeSeconds(fade), fadeCurve(fade));
        return this.#action(this.#character._check(id));
    }

    /** Plays a clip once, and hands back to what played before. */
    playOnce(clip, fadeIn = 0.2, fadeOut = 0.2) {
        const id = this.#character._raw.playOnce(this.index, text(clip, "the clip"), finite(fadeIn, "the fade's length"), finite(fadeOut, "the fade's length"));
        return this.#action(this.#character._check(id));
    }

    /** Fades out. */
    stop(fade) {
        this.#character._raw.stop(this.index, fadeSeconds(fade), fadeCurve(fade));
    }

    pause() {
        this.#character._raw.setPlaying(this.index, false);
    }

    resume() {
        this.#character._raw.setPlaying(this.index, true);
    }

    get currentAction() {
        const id = this.#character._raw.actionNow(this.index, true);
        return id === -1 ? null : this.#action(id);
    }

    get fadingAction() {
        const id = this.#character._raw.actionNow(this.index, false);
        return id === -1 ? null : this.#action(id);
    }

    /** A number of the layer, as the module tells it. @internal */
    _number(which) {
        const character = this.#character;
        character._raw.layerNumber(this.index, which);
        return character._scratch[0];
    }

    get weight() {
        return this._number(0);
    }

    set weight(weight) {
        const raw = this.#character._raw;
        this.#character._scratch[0] = finite(weight, "the weight");
        raw.setLayerWeight(this.index);
    }

    get fadeProgress() {
        return this._number(1);
    }

    get fadeDuration() {
        return this._number(2);
    }

    get hasJustFinished() {
        return this._number(3) === 1;
    }

    /** Acts on the joints below these only, on none where the list is empty; on the upper body where that is said. */
    setMask(joints) {
        this.#character._raw.setMask(this.index, joints === "upperBody" ? undefined : names(joints, "the joints of the mask"));
    }
}

/** Plays clips on one layer or several. It is its own base layer. */
export class AnimationMixer extends MixerLayer {
    #character;
    #layers = [this];
    #events;

    /** @internal */
    constructor(character) {
        super(character, 0, "base");
        this.#character = character;
        this.#events = new EventPool(character, this.#layers);
        this.skeleton = character.skeleton;
    }

    /** Lets time pass, for the whole character. */
    update(dt) {
        this.#character.update(dt);
    }

    get layers() {
        return this.#layers;
    }

    get timeScale() {
        return this._number(4);
    }

    set timeScale(scale) {
        const raw = this.#character._raw;
        this.#character._scratch[0] = finite(scale, "the time scale");
        raw.setTimeScale();
    }

    /** Adds a layer above the others. */
    addLayer(name, { additive = false, mask } = {}) {
        const layer = new MixerLayer(this.#character, this.#character._raw.addLayer(text(name, "the layer"), Boolean(additive)), name);
        this.#layers.push(layer);
        if (mask !== undefined) layer.setMask(mask);
        return layer;
    }

    /** Clips at places of a line or a plane, which become one motion: `[{ clip, x, y }]`, or names, which are laid out by their speeds. */
    addBlendSpace(samples, { sync = [] } = {}) {
        const isBySpeed = samples.every((sample) => typeof sample === "string");
        const clips = samples.map((sample) => text(typeof sample === "string" ? sample : sample.clip, "the clip"));
        const places = isBySpeed ? [] : samples.flatMap((sample) => [finite(sample.x ?? 0, "x"), finite(sample.y ?? 0, "y")]);
        const index = this.#character._raw.addBlendSpace(clips, new Float32Array(places), names(sync, "the markers"));
        return new BlendSpace(this.#character, index);
    }

    /**
     * What happened in the last update: markers that clips came by, loops and ends of what layers play, changes of state machines. The list and
     * its objects are used again by the next update.
     */
    get events() {
        return this.#events.read();
    }
}

/** Clips that are blended by where one is. */
export class BlendSpace {
    #character;

    /** @internal */
    constructor(character, index) {
        this.#character = character;
        this.index = index;
    }

    /** Goes to a place of the line or the plane. */
    set(atX, atY = 0) {
        const character = this.#character;
        const raw = character._raw;
        const place = character._scratch;
        place[0] = finite(atX, "x");
        place[1] = finite(atY, "y");
        character._check(raw.setBlendPosition(this.index));
    }
}
