// Files.

import { Character } from "./character.js";
import { Owned } from "./owned.js";
import { bytesOf, finite, normalise, text } from "./values.js";
import { init, need } from "./wasm.js";

/** Loads a `.glb`, a `.vrm`, or a `.gltf` whose other files are in `options.files`. */
export async function load(bytes, options = {}) {
    await init();
    return loadSync(bytes, options);
}

/** The same once `init` has been awaited. */
export function loadSync(bytes, options = {}) {
    const { name = "file", files, allNodes = false, meshes = false } = options;
    const { RawAsset } = need();
    const given = (path) => (files instanceof Map ? files.get(path) : files[path]);
    const resolve = files && ((path) => {
        const found = given(path) ?? given(normalise(path));
        return found === undefined || found === null ? undefined : bytesOf(found, `the file ${path}`);
    });
    return new Asset(new RawAsset(text(name, "the file"), bytesOf(bytes, "the file"), resolve, Boolean(allNodes), Boolean(meshes)), options);
}

/** Moments of clips as triples of clip, name and seconds. */
function told(markers) {
    return Object.entries(markers).flatMap(([clip, list]) =>
        list.map(({ name, time }) => [clip, text(name, "the marker"), finite(time, `the time of ${clip}'s marker`)]),
    );
}

/** A file: what it holds does not change, and any number of characters share it. */
export class Asset extends Owned {
    #primitives = new Map();

    /** @internal */
    constructor(raw, { markers = {}, stepMarker, rootMotion, forCrowds = false } = {}) {
        super(raw, "asset");
        const triples = told(markers);
        if (triples.length > 0 || stepMarker !== undefined || rootMotion !== undefined || forCrowds) {
            raw.compile(JSON.stringify(triples), stepMarker, rootMotion, forCrowds);
        }
        const described = JSON.parse(raw.describe());
        this.joints = described.joints;
        this.clips = described.clips;
        this.skins = described.skins;
        this.meshes = described.meshes;
        this.images = described.images;
        this.morphs = described.morphs;
        this.humanoid = described.humanoid;
        this.warnings = described.warnings;
        this.inverseBindMatrices = raw.inverseBindMatrices();
        this.jointNameMap = new Map([...described.joints].reverse().map((joint) => [joint.name, joint.index]));
    }

    /** A character in its rest pose. */
    createCharacter() {
        return new Character(this);
    }

    /** The vertices of a part of a mesh, as typed arrays of their own. */
    primitive(mesh, primitive) {
        const key = `${mesh}/${primitive}`;
        if (!this.#primitives.has(key)) {
            const of = (what) => this._raw[what](mesh, primitive);
            const positions = of("positions");
            if (positions === undefined) throw new Error(`there is no primitive ${primitive} of mesh ${mesh}`);
            const [normals, uvs, colors, joints, weights, indices] = ["normals", "uvs", "colors", "joints", "weights", "indices"].map(of);
            this.#primitives.set(key, { positions, normals, uvs: uvs ?? new Float32Array(), colors, joints, weights, indices });
        }
        return this.#primitives.get(key);
    }

    /** An image as it is in the file. */
    image(index) {
        const bytes = this._raw.image(index);
        if (bytes === undefined) throw new Error(`there is no image ${index}`);
        return new Blob([bytes], { type: this.images[index].mimeType ?? "" });
    }
}
