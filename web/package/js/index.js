// Skeletal animation for JavaScript: the names of the contract, around the library's own code.

export { load, loadSync, Asset } from "./asset.js";
export { BoneAttachment } from "./attachment.js";
export { Character } from "./character.js";
export { Crowd } from "./crowd.js";
export { StateMachinePlayer } from "./machine.js";
export { updateAll } from "./many.js";
export { AnimationMixer, BlendSpace, MixerLayer } from "./mixer.js";
export { Owned } from "./owned.js";
export { hasSimd, init } from "./wasm.js";
