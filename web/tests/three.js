// Runs in the example under three.js: its picture beside one of three.js's own mixer, by the same camera in the same light.

import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import * as THREE from "three";

const meshesOf = (scene) => {
    const meshes = [];
    scene.traverse((object) => object.isMesh && meshes.push(object));
    return meshes;
};

/** Leaves what hangs on joints, and faces, as they are at rest: how many meshes that changes. */
function freeze(scene, rest) {
    rest.updateMatrixWorld(true);
    const still = meshesOf(rest);
    let [rigid, faces] = [0, 0];
    for (const [index, mesh] of meshesOf(scene).entries()) {
        const weights = still[index].morphTargetInfluences;
        if (weights?.some((weight, target) => weight !== mesh.morphTargetInfluences[target])) {
            mesh.morphTargetInfluences.splice(0, Infinity, ...weights);
            faces++;
        }
        if (mesh.isSkinnedMesh || mesh.matrixWorld.equals(still[index].matrixWorld)) continue;
        mesh.matrixWorld.copy(still[index].matrixWorld);
        mesh.matrixAutoUpdate = mesh.matrixWorldAutoUpdate = false;
        rigid++;
    }
    return { rigid, faces };
}

/**
 * Which part of the pixels differs from three.js's picture of a moment of a clip: that of the example, one at rest, and one of what the example
 * must not do; with the meshes that this one is about, and the first two pictures.
 */
window.besideThree = async (file, clip, time) => {
    const { asset, gltf, scene, draw, renderer } = window.example;
    const { domElement } = renderer;
    renderer.setAnimationLoop(null);
    const picture = () => {
        draw();
        const context = new OffscreenCanvas(domElement.width, domElement.height).getContext("2d");
        context.drawImage(domElement, 0, 0);
        return { url: domElement.toDataURL("image/png"), pixels: context.getImageData(0, 0, domElement.width, domElement.height).data };
    };
    const ours = picture();
    const theirs = await new GLTFLoader().loadAsync(file);
    theirs.scene.traverse((object) => (object.frustumCulled = false));
    scene.remove(gltf.scene);
    scene.add(theirs.scene);
    const atRest = picture();
    const number = asset.clips.findIndex(({ name }) => name === clip);
    const mixer = new THREE.AnimationMixer(theirs.scene);
    mixer.clipAction(theirs.animations[Math.max(number, 0)]).play();
    mixer.setTime(time);
    const expected = picture();
    const moved = freeze(theirs.scene, (await new GLTFLoader().loadAsync(file)).scene);
    const frozen = picture();
    const far = ({ pixels }) => {
        let count = 0;
        for (let at = 0; at < pixels.length; at += 4) {
            count += Number([0, 1, 2].some((channel) => Math.abs(pixels[at + channel] - expected.pixels[at + channel]) > 24));
        }
        return (4 * count) / pixels.length;
    };
    return { urls: [ours.url, expected.url], ...moved, ours: far(ours), atRest: far(atRest), frozen: far(frozen) };
};
