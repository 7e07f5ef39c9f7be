// three.js's picture of a file in our light, and how alike ours is.

import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

// Our shoulder instead of a cut: what is brighter than this is bent below 1.
THREE.ShaderChunk.tonemapping_pars_fragment = THREE.ShaderChunk.tonemapping_pars_fragment.replace(
    "vec3 CustomToneMapping( vec3 color ) { return color; }",
    `vec3 CustomToneMapping( vec3 color ) {
        vec3 above = max( color - vec3( 0.82 ), vec3( 0.0 ) );
        return color - above + above * 0.18 / ( above + vec3( 0.18 ) );
    }`,
);

/** Draws a file at rest, on nothing, by the camera (place, target, angle in radians), and keeps the pixels. */
async function draw(file, camera, width, height, light, size, sky) {
    const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true, premultipliedAlpha: false });
    renderer.setSize(width, height, false);
    renderer.toneMapping = THREE.CustomToneMapping;
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = THREE.PCFShadowMap;
    const scene = new THREE.Scene();
    const numbers = new Float32Array(await (await fetch(sky)).arrayBuffer());
    const texels = new Float32Array((numbers.length / 3) * 4);
    for (let texel = 0; texel < numbers.length / 3; texel++) texels.set([...numbers.subarray(texel * 3, texel * 3 + 3), 1], texel * 4);
    const around = new THREE.DataTexture(texels, size[0], size[1], THREE.RGBAFormat, THREE.FloatType);
    around.mapping = THREE.EquirectangularReflectionMapping;
    around.magFilter = around.minFilter = THREE.NearestFilter;
    around.needsUpdate = true;
    scene.environment = new THREE.PMREMGenerator(renderer).fromEquirectangular(around).texture;

    const gltf = await new GLTFLoader().parseAsync(await (await fetch(file)).arrayBuffer(), "");
    scene.add(gltf.scene);
    gltf.scene.updateMatrixWorld(true);
    const box = new THREE.Box3().setFromObject(gltf.scene, true);
    const middle = box.getCenter(new THREE.Vector3());
    const radius = box.getSize(new THREE.Vector3()).length() / 2;
    scene.traverse((object) => {
        if (!object.isMesh) return;
        object.frustumCulled = false;
        object.castShadow = object.receiveShadow = true;
        // As they are: nothing bends colours that no light shines on.
        for (const material of [object.material].flat()) if (material.isMeshBasicMaterial) material.toneMapped = false;
    });
    const key = new THREE.DirectionalLight(new THREE.Color(...light.key), Math.PI);
    key.position.copy(middle).addScaledVector(new THREE.Vector3(...light.direction), radius * 2);
    key.target.position.copy(middle);
    key.castShadow = true;
    key.shadow.mapSize.set(1024, 1024);
    Object.assign(key.shadow.camera, { left: -radius, right: radius, bottom: -radius, top: radius, near: radius * 0.5, far: radius * 3.5 });
    key.shadow.normalBias = radius * 0.012;
    scene.add(key, key.target);

    const [x, y, z, toX, toY, toZ, angle] = camera;
    const eye = new THREE.PerspectiveCamera((angle * 180) / Math.PI, width / height, 0.01, 1000);
    eye.position.set(x, y, z);
    eye.lookAt(toX, toY, toZ);
    renderer.setClearColor(0, 0);
    renderer.render(scene, eye);
    const url = renderer.domElement.toDataURL("image/png");
    renderer.dispose();
    renderer.forceContextLoss();
    return url;
}

async function pixels(url) {
    const bitmap = await createImageBitmap(await (await fetch(url)).blob(), { premultiplyAlpha: "none", colorSpaceConversion: "none" });
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
}

/** Signal to noise in decibels of each of our pictures, over the pixels that three.js's model covers as a whole. */
async function compare(theirs, ours) {
    const model = await pixels(theirs);
    return Promise.all(
        ours.map(async (url) => {
            const picture = await pixels(url);
            let [sum, count] = [0, 0];
            for (let at = 0; at < model.length; at += 4) {
                if (model[at + 3] < 255) continue;
                count += 3;
                for (let channel = 0; channel < 3; channel++) sum += (model[at + channel] - picture[at + channel]) ** 2;
            }
            return { decibels: 10 * Math.log10((255 * 255) / Math.max(sum / count, 1e-9)), covered: count / 3 };
        }),
    );
}

window.looks = { draw, compare };
