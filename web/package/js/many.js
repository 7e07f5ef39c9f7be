// Characters one beside the other.

import { finite } from "./values.js";
import { need } from "./wasm.js";

/** How many go side by side. */
const EIGHT = 8;
/** How often characters were updated together. */
let round = 0;

/**
 * Updates characters, as `update` does each of them, and faster: eight at a time, which pays where neighbours in the list are of one file. All
 * are updated, also where functions of the ground throw something: the first of it is thrown in the end.
 */
export function updateAll(characters, dt) {
    finite(dt, "the time that passes");
    const { updateEight } = need();
    const { length } = characters;
    round++;
    for (let index = 0; index < length; index++) {
        const character = characters[index];
        // Before anything has happened: what was freed says so.
        if (character._raw && character._round === round) throw new Error(`character ${index} of the list is in it twice`);
        character._round = round;
    }
    let thrown = null;
    for (let first = 0; first < length; first += EIGHT) {
        const end = Math.min(first + EIGHT, length);
        for (let index = first; index < end; index++) characters[index]._lendGround();
        let who = 0;
        try {
            if (end - first === EIGHT) {
                characters[first]._scratch[0] = dt;
                who = eight(updateEight, characters, first);
            }
            // Those that are left over, one after the other.
            for (let index = first; end - first < EIGHT && index < end; index++) {
                characters[index]._scratch[0] = dt;
                if (characters[index]._raw.update()) who |= 1 << (index - first);
            }
        } finally {
            for (let index = first; index < end; index++) characters[index]._takeGroundBack();
        }
        for (let index = first; index < end; index++) characters[index]._placeHeld();
        for (let index = first; who !== 0; index++, who >>>= 1) {
            if ((who & 1) === 1) {
                const error = characters[index]._takeThrown();
                thrown ??= { error };
            }
        }
    }
    if (thrown !== null) throw thrown.error;
}

function eight(updateEight, all, first) {
    // One by one: a list would be garbage.
    const a = all[first]._raw;
    const b = all[first + 1]._raw;
    const c = all[first + 2]._raw;
    const d = all[first + 3]._raw;
    const e = all[first + 4]._raw;
    const f = all[first + 5]._raw;
    const g = all[first + 6]._raw;
    return updateEight(a, b, c, d, e, f, g, all[first + 7]._raw);
}
