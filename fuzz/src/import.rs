//! Files of other formats: any bytes are either read or refused.

use nebula_animation::asset::LoadOptions;
use nebula_animation::procedural::avatar::EyeGazeLayer;
use nebula_animation::rig::avatar::{Avatar, Eyes};
use nebula_animation::{AnimationClip, Asset, Channel, Interpolation, Keyframe, Rig};
use nebula_import::bvh::{Bvh, BvhOptions, BvhRest, UpAxis};
use nebula_import::fbx::{FbxOptions, read};
use nebula_import::gltf::{GltfDocument, ktx2 as pictures};
use serde_json::{Value, json};

/// Loads what was made: it may be refused, and leaves finite poses.
fn check(bytes: &[u8]) -> Option<Asset> {
    let mut nothing = |uri: &str| Err(std::io::Error::other(format!("no {uri}")));
    let asset = Asset::from_bytes("made", bytes, &LoadOptions::default(), &mut nothing).ok()?;
    let mut pose = asset.skeleton.bind_pose();
    for animation in asset.animations.iter().take(4) {
        animation.sample_pose(&asset.skeleton, animation.duration * 0.5, &mut pose);
        assert!(pose.iter().all(|(translation, rotation, scale)| {
            translation.is_finite() && rotation.is_finite() && scale.is_finite()
        }));
    }
    Some(asset)
}

/// A text as BVH, and as glTF again.
pub fn bvh(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Ok(bvh) = Bvh::read(&text, &BvhOptions::default()) {
        assert!(bvh.unit > 0.0 && !bvh.skeleton.joints.is_empty());
        let _ = bvh.begins_with_rest();
        assert!(bvh.skeleton.joints.iter().all(|joint| joint.bind_rotation.is_finite()));
        // The pose of any frame can be the one that it rests in, along whichever axis it stands.
        let frame = input.len() % 7;
        let told =
            BvhOptions { rest: BvhRest::Frame(frame), up: Some(UpAxis::Z), every: frame, ..BvhOptions::default() };
        let told = Bvh::read(&text, &told).expect("what was read is read so too");
        assert!(told.rest_frame.is_some_and(|rest| rest <= frame));
        let glb = bvh.document().and_then(GltfDocument::into_glb).expect("what was read can be written");
        let _ = check(&glb);
    }
}

/// Bytes as FBX.
pub fn fbx(input: &[u8]) {
    if let Ok((document, notes)) = read(input, &FbxOptions::default()) {
        assert!(notes.iter().all(|note| note.len() < 2000));
        if let Ok(glb) = document.into_glb() {
            let _ = check(&glb);
        }
    }
}

/// Bytes as a picture.
pub fn ktx2(input: &[u8]) {
    if let Ok(png) = pictures::png(input) {
        assert!(png.starts_with(b"\x89PNG"));
    }
}

/// Bytes as a stream of Draco, in a file that says of it what it likes: the first byte is how many vertices.
pub fn draco(input: &[u8]) {
    let Some((count, stream)) = input.split_first() else { return };
    let json = json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["KHR_draco_mesh_compression"],
        "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0, "COLOR_0": 1 }, "indices": 2, "extensions": {
            "KHR_draco_mesh_compression": { "bufferView": 0, "attributes": { "POSITION": 0, "COLOR_0": 1 } } } }] }],
        "accessors": [
            { "componentType": 5126, "count": count, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1] },
            { "componentType": 5121, "normalized": true, "count": count, "type": "VEC3" },
            { "componentType": 5125, "count": count, "type": "SCALAR" }
        ],
        "bufferViews": [{ "buffer": 0, "byteLength": stream.len() }],
        "buffers": [{ "byteLength": stream.len() }]
    });
    let bytes = glb(&json, stream);
    let mut nothing = |uri: &str| Err(std::io::Error::other(format!("no {uri}")));
    let Ok(mut document) = GltfDocument::of_bytes(&bytes, &Asset::default(), &mut nothing) else { return };
    if document.decode_draco().is_ok()
        && let Ok(glb) = document.into_glb()
    {
        let _ = check(&glb);
    }
}

/// JSON as the extensions of a body with a few nodes and a mesh with morph targets: `{"root": {...}, "node": {...}}`.
pub fn vrm(input: &[u8]) {
    let Ok(extensions) = serde_json::from_slice::<Value>(input) else { return };
    let node = |children: &[usize]| {
        let mut node = json!({ "translation": [0.1, 0.2, 0.3], "rotation": [0.6, 0, 0, 0.8] });
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        node
    };
    let mut nodes = vec![node(&[1, 4]), node(&[2]), node(&[3]), node(&[]), node(&[]), json!({ "mesh": 0 })];
    nodes[4]["extensions"] = extensions.get("node").cloned().unwrap_or(Value::Null);
    nodes[2]["extensions"] = extensions.get("other").cloned().unwrap_or(Value::Null);
    let file = json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0, 5] }], "nodes": nodes,
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "targets": [{ "POSITION": 0 }, { "POSITION": 0 }] }] }],
        "accessors": [{ "componentType": 5126, "count": 3, "type": "VEC3" }],
        "extensions": extensions.get("root").cloned().unwrap_or(Value::Null),
    });
    let bytes = serde_json::to_vec(&file).expect("JSON");
    let Some(asset) = check(&bytes) else { return };
    let Some(avatar) = &asset.avatar else { return };
    let rig = asset.rig();
    let mut stack =
        nebula_animation::ProceduralAnimationStack { layers: nebula_animation::procedural::avatar::layers(avatar) };
    let mut weights = asset.morphs.defaults();
    avatar.add_expressions(&vec![1.0; avatar.expressions.len()], &mut weights);
    play(&asset, avatar, &rig);
    for mesh in 0..asset.meshes.len() {
        assert!(asset.indices_seen(mesh, 0, Eyes::Own).len() <= asset.indices_seen(mesh, 0, Eyes::Others).len().max(9));
    }
    // What was read can be written, and is read as much again.
    if let Ok(glb) = GltfDocument::of_asset(&asset).and_then(GltfDocument::into_glb) {
        let again = check(&glb).expect("what was written is read");
        let springs = |asset: &Asset| {
            asset.avatar.as_ref().map_or(0, |avatar| avatar.springs.iter().map(|chain| chain.bones.len()).sum())
        };
        assert!(springs(&again) >= springs(&asset) || avatar.version == 0);
    }
    for frame in 0..4_u8 {
        let context = nebula_animation::ProceduralContext {
            dt: 1.0 / 60.0,
            elapsed: f32::from(frame) / 60.0,
            entity_position: glam::Vec3::ZERO,
            entity_forward: glam::Vec3::NEG_Z,
            velocity: glam::Vec3::ZERO,
        };
        if let Some(gaze) = stack.layer_mut::<EyeGazeLayer>() {
            gaze.target = (frame > 0).then(|| glam::Vec3::new(f32::from(frame) - 1.0, 1.0, 2.0));
        }
        let mut pose = asset.skeleton.bind_pose();
        let world = glam::Affine3A::from_translation(glam::Vec3::X * f32::from(frame) * 0.1);
        stack.apply_in_model(&context, &mut nebula_animation::ModelPose::new(&rig, &mut pose, world));
        assert!(pose.iter().all(|(translation, rotation, _)| translation.is_finite() && rotation.is_finite()));
    }
}

/// An animation whose second and third joint are every expression and the gaze.
fn play(asset: &Asset, avatar: &Avatar, rig: &Rig) {
    let names = avatar.expressions.iter().map(|expression| (expression.name.clone(), 1));
    let source = Avatar { expression_joints: names.collect(), gaze_joint: Some(2), ..Avatar::default() };
    let key = |time: f32, value: glam::Vec3| Keyframe { time, value, tangents: None };
    let turn = |time: f32, y: f32| Keyframe { time, value: glam::Quat::from_rotation_y(y), tangents: None };
    let strengths = Channel {
        joint_index: 1,
        interpolation: Interpolation::Linear,
        keyframes: vec![key(0.0, glam::Vec3::ZERO), key(0.5, glam::Vec3::X), key(1.0, glam::Vec3::X * 0.3)],
    };
    let gaze = Channel {
        joint_index: 2,
        interpolation: Interpolation::Linear,
        keyframes: vec![turn(0.0, -1.0), turn(1.0, 2.0)],
    };
    let played = AnimationClip {
        duration: 1.0,
        translation_channels: vec![strengths],
        rotation_channels: vec![gaze],
        ..AnimationClip::default()
    };
    let mut clip = AnimationClip { duration: 1.0, ..AnimationClip::default() };
    let added = avatar.add_expression_tracks(&source, &played, &asset.morphs, &mut clip);
    assert!(added >= avatar.expressions.len().min(1));
    let _ = avatar.add_gaze_tracks(&source, &played, rig, &mut clip);
    let finite = |numbers: &[f32]| numbers.iter().all(|number| number.is_finite());
    assert!(
        clip.translation_channels
            .iter()
            .flat_map(|channel| &channel.keyframes)
            .all(|key| finite(&key.value.to_array()))
    );
    assert!(
        clip.rotation_channels.iter().flat_map(|channel| &channel.keyframes).all(|key| finite(&key.value.to_array()))
    );
}

fn glb(json: &Value, binary: &[u8]) -> Vec<u8> {
    let mut text = serde_json::to_vec(json).expect("JSON");
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut binary = binary.to_vec();
    binary.resize(binary.len().next_multiple_of(4), 0);
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((28 + text.len() as u32 + binary.len() as u32).to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(text);
    bytes.extend((binary.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(binary);
    bytes
}
