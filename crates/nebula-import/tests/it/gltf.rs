//! What is written is what was read: every pose to the bit, every picture, and by Khronos's validator no worse than before.

mod avatar;
mod validator;

use std::path::{Path, PathBuf};

use glam::Mat4;
use nebula_animation::asset::{LoadOptions, MeshSelection};
use nebula_animation::palette::model_matrices;
use nebula_animation::rig::avatar::Avatar;
use nebula_animation::sample::sample_morph_weights;
use nebula_animation::skeleton::{Finger, Side};
use nebula_animation::{AnimationClip, Asset, Skeleton, sample_pose};
use nebula_import::gltf::GltfDocument;
use serde_json::{Value, json};

use crate::corpus;

fn all() -> LoadOptions {
    LoadOptions { meshes: MeshSelection::All, ..LoadOptions::default() }
}

fn read(bytes: &[u8]) -> Asset {
    let mut nothing = |uri: &str| Err(std::io::Error::other(format!("{uri} is not embedded")));
    Asset::from_bytes("made", bytes, &all(), &mut nothing).unwrap_or_else(|error| panic!("{error}"))
}

/// The conformance corpus and the characters, as far as the loader takes them.
fn theirs() -> Vec<(PathBuf, Asset)> {
    let folders = ["conformance/assets", "characters"].map(corpus::folder);
    let files =
        folders.into_iter().flatten().flat_map(|folder| corpus::files(&folder, &["glb", "gltf", "vrm", "vrma"]));
    files.filter_map(|file| Asset::load_with(&file, &all()).ok().map(|asset| (file, asset))).collect()
}

fn ours() -> Vec<(PathBuf, Asset)> {
    ["simple_humanoid.glb", "robot.glb", "sword.glb"]
        .map(|name| {
            let file = corpus::own(name);
            let asset = Asset::load_with(&file, &all()).expect("our own");
            (file, asset)
        })
        .into()
}

/// Exact numbers; a zero may get another sign from a node above that places nothing.
fn models(skeleton: &Skeleton, clip: &AnimationClip, time: f32) -> Vec<Mat4> {
    let mut pose = skeleton.bind_pose();
    sample_pose(clip, skeleton, time, &mut pose);
    let mut models = vec![Mat4::IDENTITY; pose.len()];
    model_matrices(skeleton, &pose, &mut models);
    models
}

/// Poses and morph weights of all clips, at the ends and at odd times between, joint by joint of `order`.
fn same_poses(file: &Path, was: &Asset, is: &Asset, order: &[usize]) {
    assert_eq!(was.animations.len(), is.animations.len(), "{}", file.display());
    for (before, after) in was.clips().iter().zip(is.clips()) {
        assert_eq!((&before.name, before.duration), (&after.name, after.duration), "{}", file.display());
        for step in 0..=7_u8 {
            let time = before.duration * f32::from(step) / 7.0;
            let (a, b) = (models(&was.skeleton, before, time), models(&is.skeleton, &after, time));
            for (joint, place) in order.iter().enumerate() {
                let name = &was.skeleton.joints[joint].name;
                assert_eq!(a[joint], b[*place], "{}, {:?} at {time}: {name}", file.display(), before.name);
            }
            let weights = |asset: &Asset, clip: &AnimationClip| {
                let defaults = asset.morphs.defaults();
                let mut weights = defaults.clone();
                sample_morph_weights(clip, &defaults, time, &mut weights);
                weights
            };
            assert_eq!(weights(was, before), weights(is, &after), "{}, {:?}", file.display(), before.name);
        }
    }
}

/// A document of a file has all of the file.
fn kept(file: &Path, was: &Asset) -> Vec<u8> {
    let document = GltfDocument::of_file(file, was).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let bytes = document.into_glb().expect("below 4 GB");
    let is = read(&bytes);
    assert_eq!(was.skeleton, is.skeleton, "{}", file.display());
    assert_eq!((&was.skins, &was.morphs), (&is.skins, &is.morphs), "{}", file.display());
    assert_eq!((&was.animations, &was.clip_entries), (&is.animations, &is.clip_entries), "{}", file.display());
    assert!(was.meshes == is.meshes && was.images == is.images, "{}", file.display());
    assert_eq!(was.humanoid, is.humanoid, "{}", file.display());
    bytes
}

/// A document made of what was loaded has the same joints, poses, geometry and pictures.
fn made(file: &Path, was: &Asset) -> Option<Vec<u8>> {
    // Geometry that is not there cannot be written.
    if was.skeleton.joints.is_empty() || was.meshes.iter().any(|mesh| mesh.is_geometry_missing) {
        return None;
    }
    let mut document = GltfDocument::of_asset(was).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let notes = document.add_clips(&was.clips()).expect("its own clips");
    let bytes = document.into_glb().expect("below 4 GB");
    if !notes.is_empty() {
        // An animation that moves nothing of the file is left out, and said to be.
        assert!(notes.iter().all(|note| note.contains("moves nothing")), "{}: {notes:?}", file.display());
        return Some(bytes);
    }
    let mut nothing = |uri: &str| Err(std::io::Error::other(format!("{uri} is not embedded")));
    let options = LoadOptions { all_nodes_as_joints: true, ..all() };
    let is = Asset::from_bytes("made", &bytes, &options, &mut nothing).expect("what was made");
    // Joint `i` is node `i`.
    let order: Vec<usize> = (0..was.skeleton.joints.len())
        .map(|node| usize::from(is.joint_of_node(node).expect("every node is a joint")))
        .collect();
    for (joint, place) in was.skeleton.joints.iter().zip(&order) {
        assert_eq!(joint.bind_pose(), is.skeleton.joints[*place].bind_pose(), "{}: {}", file.display(), joint.name);
    }
    same_poses(file, was, &is, &order);
    assert_eq!(was.meshes.len(), is.meshes.len(), "{}", file.display());
    for (before, after) in was.meshes.iter().zip(&is.meshes) {
        assert_eq!(before.primitives.len(), after.primitives.len(), "{}: {}", file.display(), before.name);
        assert_eq!(before.morph_weights, after.morph_weights);
        for (a, b) in before.primitives.iter().zip(after.primitives.iter()) {
            assert_eq!((&a.indices, a.topology), (&b.indices, b.topology), "{}: {}", file.display(), before.name);
            assert!(a.positions == b.positions && a.normals == b.normals && a.uvs == b.uvs && a.colors == b.colors);
            assert_eq!(a.morph_targets.len(), b.morph_targets.len());
            assert_eq!(a.material, b.material, "{}: {}", file.display(), before.name);
            let weights = |primitive: &nebula_animation::asset::Primitive| primitive.weights.as_flattened().to_vec();
            assert!(weights(a).iter().zip(weights(b)).all(|(a, b)| (a - b).abs() < 1e-6));
        }
    }
    assert_eq!(was.images.len(), is.images.len());
    assert!(was.images.iter().zip(&is.images).all(|(a, b)| a.bytes == b.bytes));
    assert_eq!(was.clip_entries, is.clip_entries, "{}", file.display());
    made_bodies(file, was, &is, &order);
    Some(bytes)
}

/// The humanoid and the avatar, with joints and nodes where they have gone.
fn made_bodies(file: &Path, was: &Asset, is: &Asset, order: &[usize]) {
    let moved = |joint: u16| order[usize::from(joint)] as u16;
    let humanoid = |asset: &Asset, moved: &dyn Fn(u16) -> u16| {
        let map = asset.humanoid.as_ref()?;
        let joints: Vec<_> = map.iter().map(|(joint, index)| (joint, moved(index), map.evidence(joint))).collect();
        let mut fingers: Vec<Option<u16>> = Vec::new();
        for side in Side::BOTH {
            for finger in [Finger::Thumb, Finger::Index, Finger::Middle, Finger::Ring, Finger::Little] {
                fingers.extend(map.finger(side, finger).map(|joint| joint.map(moved)));
            }
        }
        Some((joints, fingers))
    };
    assert_eq!(humanoid(was, &moved), humanoid(is, &|joint| joint), "{}", file.display());
    let Some(mut avatar) = was.avatar.clone() else {
        assert!(is.avatar.is_none(), "{}", file.display());
        return;
    };
    let all = avatar.springs.iter_mut();
    for chain in all {
        chain.bones.iter_mut().for_each(|bone| bone.joint = moved(bone.joint));
        chain.colliders.iter_mut().for_each(|collider| collider.joint = moved(collider.joint));
        chain.center = chain.center.map(moved);
    }
    for constraint in &mut avatar.constraints {
        (constraint.joint, constraint.source) = (moved(constraint.joint), moved(constraint.source));
    }
    for (_, joint) in &mut avatar.expression_joints {
        *joint = moved(*joint);
    }
    avatar.gaze_joint = avatar.gaze_joint.map(moved);
    if let Some(gaze) = &mut avatar.gaze {
        gaze.head = moved(gaze.head);
        gaze.eyes = gaze.eyes.map(|eye| eye.map(moved));
    }
    // Meshes are nodes behind the joints.
    for (node, _) in &mut avatar.first_person {
        let mesh = was.meshes.iter().position(|mesh| mesh.node == *node).expect("a mesh");
        *node = was.skeleton.joints.len() + mesh;
    }
    let found = is.avatar.clone().expect("an avatar");
    let meta = |avatar: &Avatar| {
        let mut meta: Value = serde_json::from_str(&avatar.meta).unwrap_or_default();
        // Pictures of it are left out.
        let members = meta.as_object_mut();
        members.into_iter().for_each(|members| members.retain(|name, _| name != "thumbnailImage" && name != "texture"));
        meta
    };
    assert_eq!(meta(&avatar), meta(&found), "{}", file.display());
    avatar.meta.clone_from(&found.meta);
    assert_eq!(avatar, found, "{}", file.display());
}

#[test]
fn our_own_files_are_written_as_they_were_read() {
    for (file, asset) in ours() {
        kept(&file, &asset);
        made(&file, &asset);
    }
}

#[test]
fn files_of_others_are_written_as_they_were_read() {
    let files = theirs();
    assert!(files.is_empty() || files.len() > 80, "{} files", files.len());
    for (file, asset) in files {
        kept(&file, &asset);
        made(&file, &asset);
    }
}

#[test]
fn khronos_finds_no_error_that_was_not_there_before() {
    let files: Vec<(PathBuf, Asset)> = ours().into_iter().chain(theirs()).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let mut names = Vec::new();
    for (index, (file, asset)) in files.iter().enumerate() {
        names.push(file.clone());
        names.push(folder.path().join(format!("{index}-kept.glb")));
        std::fs::write(&names[names.len() - 1], kept(file, asset)).expect("a written file");
        names.push(folder.path().join(format!("{index}-made.glb")));
        // What cannot be made stands for itself.
        let bytes = made(file, asset).unwrap_or_else(|| kept(file, asset));
        std::fs::write(&names[names.len() - 1], bytes).expect("a written file");
    }
    let Some(found) = validator::errors(&names) else { return };
    for (index, (file, _)) in files.iter().enumerate() {
        let [was, kept, made] = [0, 1, 2].map(|which| &found[3 * index + which]);
        let new = |now: &[String]| now.iter().filter(|code| !was.contains(code)).cloned().collect::<Vec<_>>();
        assert!(new(kept).is_empty(), "{}: {:?} now, {was:?} before", file.display(), new(kept));
        assert!(new(made).is_empty(), "{}: made of what was loaded: {:?}, {was:?} before", file.display(), new(made));
    }
}

#[test]
fn clips_are_replaced_by_name_and_entries_kept() {
    let (file, asset) = ours().swap_remove(0);
    let mut document = GltfDocument::of_file(&file, &asset).expect("our own");
    let mut clip = asset.clips().swap_remove(1);
    clip.rotation_channels.truncate(1);
    clip.translation_channels.clear();
    assert!(document.add_clips(std::slice::from_ref(&clip)).expect("a clip").is_empty());
    let is = read(&document.clone().into_glb().expect("small"));
    assert_eq!(is.animations.len(), asset.animations.len());
    assert_eq!(is.animations[1].tracks.len(), 1);
    assert_eq!(is.animations[1].duration, clip.duration, "as long as it was");
    assert_eq!(is.animations[0], asset.animations[0]);
    document.clear_clips().expect("a sound document");
    let bare = document.into_glb().expect("small");
    let is = read(&bare);
    assert!(is.animations.is_empty() && is.meshes == asset.meshes && is.skins == asset.skins);
    let before = std::fs::metadata(&file).expect("our own").len() as usize;
    assert!(bare.len() < before, "{} of {before} bytes: keys that nothing needs are left out", bare.len());
}

/// Cameras and pointers are no joints, and no clip can move them: an animation that is replaced goes on doing so.
#[test]
fn what_is_no_joint_goes_on_moving() {
    let (file, asset) = ours().swap_remove(0);
    let bytes = std::fs::read(&file).expect("our own");
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four")) as usize;
    let mut json: Value = serde_json::from_slice(&bytes[20..20 + length]).expect("JSON");
    let nodes = json["nodes"].as_array_mut().expect("nodes");
    nodes.push(json!({ "name": "camera" }));
    let camera = nodes.len() - 1;
    let root = json["scenes"][0]["nodes"].as_array_mut().expect("roots");
    root.push(json!(camera));
    let animation = &mut json["animations"][1];
    let scales = animation["samplers"].as_array().expect("samplers").len();
    // A sampler of another channel will do.
    let sampler = animation["samplers"][0].clone();
    animation["samplers"].as_array_mut().expect("samplers").push(sampler.clone());
    let channels = animation["channels"].as_array_mut().expect("channels");
    let path = channels[0]["target"]["path"].clone();
    channels.push(json!({ "sampler": scales, "target": { "node": camera, "path": path } }));
    channels.push(json!({ "sampler": scales, "target": { "path": "pointer",
        "extensions": { "KHR_animation_pointer": { "pointer": "/materials/0/emissiveFactor" } } } }));
    let binary = bytes[20 + length + 8..].to_vec();
    let made = corpus::glb(&json, &binary);
    let mut nothing = |uri: &str| Err(std::io::Error::other(format!("no {uri}")));
    let mut document = GltfDocument::of_bytes(&made, &asset, &mut nothing).expect("sound");
    let mut clip = asset.clips().swap_remove(1);
    clip.rotation_channels.truncate(1);
    clip.translation_channels.clear();
    let notes = document.add_clips(std::slice::from_ref(&clip)).expect("a clip");
    assert!(notes.len() == 1 && notes[0].contains("\"camera\"") && notes[0].contains("\"pointer\""), "{notes:?}");
    let glb = document.into_glb().expect("small");
    let length = u32::from_le_bytes(glb[12..16].try_into().expect("four")) as usize;
    let written: Value = serde_json::from_slice(&glb[20..20 + length]).expect("JSON");
    let animation = &written["animations"][1];
    let channels = animation["channels"].as_array().expect("channels");
    let of = |channel: &&Value| channel["target"]["node"] == json!(camera);
    let kept = channels.iter().find(of).expect("the camera's");
    let sampler = &animation["samplers"][kept["sampler"].as_u64().expect("an index") as usize];
    // Accessors that nothing needs are left out, so their places differ; what they hold does not.
    let count = |json: &Value, sampler: &Value| {
        json["accessors"][sampler["input"].as_u64().expect("one") as usize]["count"].clone()
    };
    let before = &json["animations"][1]["samplers"][scales];
    assert_eq!(count(&written, sampler), count(&json, before));
    assert!(channels.iter().any(|channel| channel["target"]["path"] == "pointer"));
    // Those of joints that the clip leaves alone are gone.
    assert!(channels.len() <= 4, "{channels:?}");
}

/// Of files of others too, whatever refers to what.
#[test]
fn nothing_but_the_keys_of_clips_is_left_out() {
    for (file, asset) in ours().into_iter().chain(theirs()) {
        let mut document = GltfDocument::of_file(&file, &asset).expect("sound");
        document.clear_clips().expect("a sound document");
        let is = read(&document.into_glb().expect("small"));
        // Joints that only clips made joints are gone, so places in the skeleton differ.
        let geometry = |asset: &Asset| {
            let all = asset.meshes.iter().flat_map(|mesh| mesh.primitives.iter().cloned());
            all.map(|it| (it.positions, it.indices, it.uvs, it.weights, it.morph_targets)).collect::<Vec<_>>()
        };
        assert!(geometry(&asset) == geometry(&is) && asset.images == is.images, "{}", file.display());
        let binds =
            |asset: &Asset| asset.skins.iter().map(|skin| skin.inverse_bind_matrices.clone()).collect::<Vec<_>>();
        assert_eq!(binds(&asset), binds(&is), "{}", file.display());
    }
}

/// Files may have two animations of one name, and each is replaced by its own.
#[test]
fn clips_of_one_name_stay_two() {
    let (file, asset) = ours().swap_remove(0);
    let mut document = GltfDocument::of_file(&file, &asset).expect("our own");
    let [mut slow, mut fast] = [asset.clips().swap_remove(0), asset.clips().swap_remove(1)];
    document.clear_clips().expect("a sound document");
    for clip in [&mut slow, &mut fast] {
        clip.name = "walk".into();
    }
    assert_ne!(slow.duration, fast.duration);
    document.add_clips(&[slow.clone(), fast.clone()]).expect("two clips");
    let durations = |document: &GltfDocument| {
        let is = read(&document.clone().into_glb().expect("small"));
        is.animations.iter().map(|it| it.duration).collect::<Vec<f32>>()
    };
    assert_eq!(durations(&document), [slow.duration, fast.duration]);
    // Once more, as after an edit of both.
    document.add_clips(&[fast.clone(), slow.clone()]).expect("two clips");
    assert_eq!(durations(&document), [fast.duration, slow.duration]);
}

/// Views that overlap: each had its bytes copied, and a small file became one of gigabytes.
#[test]
fn views_that_overlap_are_copied_once() {
    let views: Vec<_> =
        (0..500).map(|at| json!({ "buffer": 0, "byteOffset": at / 250 * 4, "byteLength": 40_000 })).collect();
    let accessors: Vec<_> =
        (0..500).map(|at| json!({ "bufferView": at, "componentType": 5126, "count": 3, "type": "VEC3" })).collect();
    let primitives: Vec<_> = (0..500).map(|at| json!({ "attributes": { "POSITION": at } })).collect();
    let json = json!({
        "asset": { "version": "2.0" }, "nodes": [{ "mesh": 0 }], "meshes": [{ "primitives": primitives }],
        "accessors": accessors, "bufferViews": views, "buffers": [{ "byteLength": 40_004 }]
    });
    let bytes = corpus::glb(&json, &vec![7; 40_004]);
    let asset = read(&bytes);
    let mut nothing = |uri: &str| Err(std::io::Error::other(format!("no {uri}")));
    let mut document = GltfDocument::of_bytes(&bytes, &asset, &mut nothing).expect("sound");
    document.clear_clips().expect("sound");
    let made = document.into_glb().expect("small");
    assert!(made.len() < bytes.len() + 10_000, "{} of {} bytes", made.len(), bytes.len());
    assert!(read(&made).meshes == asset.meshes);
}

#[test]
fn documents_of_strangers_are_errors_and_no_panics() {
    let (file, asset) = ours().swap_remove(1);
    let bytes = std::fs::read(&file).expect("our own");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("broken.glb");
    let mut length = 0;
    while length < bytes.len() {
        std::fs::write(&path, &bytes[..length]).expect("a written file");
        assert!(GltfDocument::of_file(&path, &asset).is_err() || length < 4, "{length}");
        length += 997;
    }
    for text in [
        "",
        "{",
        "[]",
        "{\"nodes\":5}",
        "{\"buffers\":[{\"byteLength\":9,\"uri\":\"../x\"}]}",
        "{\"buffers\":[{\"byteLength\":1e99}]}",
    ] {
        std::fs::write(&path, text).expect("a written file");
        if let Ok(document) = GltfDocument::of_file(&path, &Asset::default()) {
            let _ = document.into_glb();
        }
    }
}
