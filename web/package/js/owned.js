// Objects of the module that somebody owns.

/** The well-known symbol, also where the language does not have it yet. */
export const dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

/** Something with memory of the module's, which is given back by `free`, or when it is collected: the module sees to the latter. */
export class Owned {
    #raw;
    #what;

    constructor(raw, what) {
        this.#raw = raw;
        this.#what = what;
    }

    /** @internal */
    get _raw() {
        this._mustBeThere();
        return this.#raw;
    }

    /** @internal */
    _mustBeThere() {
        if (this.#raw === null) throw new Error(`the ${this.#what} has been freed: nothing can be asked of it any more`);
    }

    /** Whether its memory has been given back. */
    get isFreed() {
        return this.#raw === null;
    }

    /** Gives its memory back at once; otherwise that happens when it is collected. A second time does nothing. */
    free() {
        // Before it is forgotten: one that is in use, in a function that its own update calls, cannot be freed, and says so.
        this.#raw?.free();
        this.#raw = null;
    }

    [dispose]() {
        this.free();
    }
}
