//! Morph weights on their way from files to clips.

use nebula_animation::asset::MeshSelection;
use nebula_animation::{
    AnimationClip, Asset, asset::LoadOptions, clip::MorphLayout, load_skeleton_and_clips, sample::sample_morph_weights,
};
use serde_json::json;

use crate::determinism::{corpus, gltf_files};
use crate::support::{Array, F32, Folder, Gltf, Kind, load, load_with, noise, rigs, try_load};

const SELECTIONS: [MeshSelection; 4] =
    [MeshSelection::None, MeshSelection::Deforming, MeshSelection::Moving, MeshSelection::All];

/// Compares the clips of an asset with its morph tracks, at, between and beyond the keys; gives how many weights.
fn compare(asset: &Asset, clips: &[AnimationClip]) -> usize {
    let (layout, mut compared) = (&asset.morphs, 0);
    assert_eq!(asset.animations.len(), clips.len());
    for (animation, clip) in asset.animations.iter().zip(clips) {
        let times = (-1..=24).map(|step| animation.duration * step as f32 / 21.0);
        let keys = animation.morph_tracks.iter().flat_map(|track| track.times.iter().copied().step_by(7));
        for time in times.chain(keys) {
            let mut expected = layout.defaults();
            for track in &animation.morph_tracks {
                track.sample(time, &mut expected[track.first_slot..][..track.target_count]);
            }
            let mut weights = vec![9.0; layout.slot_count()];
            sample_morph_weights(clip, &layout.defaults(), time, &mut weights);
            for (slot, (expected, weight)) in expected.iter().zip(&weights).enumerate() {
                let tolerance = 1e-6 * expected.abs().max(1.0);
                assert!(
                    (expected - weight).abs() <= tolerance,
                    "slot {slot} at {time} s: {weight}, expected {expected}"
                );
            }
            compared += weights.len() * usize::from(!animation.morph_tracks.is_empty());
        }
    }
    compared
}

fn clips_of(asset: &Asset) -> Vec<AnimationClip> {
    asset.animations.iter().map(|animation| animation.to_clip()).collect()
}

/// Several meshes, so that their slots lie behind each other; defaults that are not 0.
fn faces(targets: usize, how: &str) -> Gltf {
    let mut g = Gltf::new();
    let values_per_key = if how == "CUBICSPLINE" { 3 } else { 1 };
    let mut random = noise(targets as u64);
    for (place, count) in [targets, 1, 9 - targets].into_iter().enumerate() {
        let face = rigs::add_morph(&mut g, count);
        g.set(&format!("/nodes/{face}/weights"), json!(vec![0.25; count]));
        let values: Vec<f64> = (0..5 * count * values_per_key).map(|_| random()).collect();
        // The one in the middle is left to itself.
        if place != 1 {
            g.animate(0, face, "weights", how, &[0.5, 0.75, 0.75, 2.0, 4.0], &values);
        }
    }
    g
}

#[test]
fn clips_carry_the_weights_of_tracks() {
    for targets in 1..=8 {
        for how in ["LINEAR", "STEP", "CUBICSPLINE"] {
            let asset = load(&faces(targets, how));
            let slots = [targets, 1, 9 - targets].map(|count| count.next_multiple_of(3));
            let first_slots = [0, slots[0], slots[0] + slots[1]];
            assert_eq!(asset.morphs.meshes.iter().map(|mesh| mesh.first_slot).collect::<Vec<_>>(), first_slots);
            assert_eq!(asset.morphs.slot_count(), slots.iter().sum::<usize>());
            let clips = clips_of(&asset);
            assert_eq!(clips[0].morph_count(), asset.morphs.slot_count());
            assert!(compare(&asset, &clips) > 200);
        }
    }
}

#[test]
fn slots_do_not_depend_on_what_is_loaded() {
    let mut g = rigs::chain();
    let face = rigs::add_morph(&mut g, 4);
    g.set("/meshes/1/extras", json!({"targetNames": ["a", "b", "c", "d"]}));
    g.node(json!({"name": "rigid", "mesh": 0}));
    let twin = g.node(json!({"name": "twin", "mesh": 1, "weights": [0.0, 1.0, 0.0, 0.5]}));
    g.animate(0, twin, "weights", "LINEAR", &[0.0, 2.0], &[0.0, 0.1, 0.2, 0.3, 1.0, 1.1, 1.2, 1.3]);
    let layouts = SELECTIONS.map(|meshes| {
        let asset = load_with(&g, &LoadOptions { meshes, ..LoadOptions::default() });
        assert!(compare(&asset, &clips_of(&asset)) > 0, "{meshes:?}");
        for mesh in &asset.meshes {
            let entry = asset.morphs.meshes.iter().find(|entry| entry.node == mesh.node);
            assert_eq!(mesh.morph_slot, entry.map(|entry| entry.first_slot));
            assert_eq!(mesh.morph_weights, entry.map_or(Vec::new(), |entry| entry.weights.clone()));
            assert_eq!(mesh.name, entry.map_or(mesh.name.clone(), |entry| entry.name.clone()));
        }
        let track = &asset.animations[0].morph_tracks[0];
        assert_eq!(track.first_slot, 6);
        assert!(asset.meshes.get(track.mesh).is_none_or(|mesh| mesh.node == twin));
        asset.morphs
    });
    assert_eq!(layouts[0], layouts[1]);
    assert_eq!(layouts[0], layouts[2]);
    let nodes: Vec<_> = layouts[0].meshes.iter().map(|mesh| (mesh.node, mesh.slots())).collect();
    assert_eq!(nodes, [(face, 0..4), (twin, 6..10)]);
    assert_eq!(layouts[0].find("d"), Some(vec![3, 9]));
}

#[test]
fn a_file_with_morph_targets_alone_is_a_character() {
    let mut g = Gltf::new();
    let face = rigs::add_morph(&mut g, 2);
    g.set(&format!("/nodes/{face}/translation"), json!([0, 2, 0]));
    g.animate(0, face, "weights", "LINEAR", &[0.0, 2.0], &[0.0, 1.0, 1.0, 0.0]);
    let asset = load(&g);
    let folder = Folder::new().file("face.glb", &g.glb());
    let (skeleton, clips) = load_skeleton_and_clips(&folder.path("face.glb")).expect("a character");
    assert_eq!(skeleton, asset.skeleton);
    assert_eq!(skeleton.joints.len(), 1, "what places the face");
    assert_eq!(clips, clips_of(&asset));
    assert_eq!((clips[0].duration, clips[0].morph_count()), (2.0, 3));
    assert!(compare(&asset, &clips) > 0);
}

#[test]
fn a_skin_and_a_face() {
    let mut g = rigs::chain();
    let face = rigs::add_morph(&mut g, 5);
    g.animate(0, face, "weights", "STEP", &[0.0, 1.0, 3.0], &[0.1; 15]);
    let folder = Folder::new().file("both.glb", &g.glb());
    let (skeleton, clips) = load_skeleton_and_clips(&folder.path("both.glb")).expect("a character");
    let asset = load(&g);
    assert_eq!(skeleton.joints.len(), 3);
    assert_eq!(clips, clips_of(&asset));
    assert_eq!(clips[0].morph_count(), 6);
    assert!(compare(&asset, &clips) > 0);
}

#[test]
fn morph_targets_that_nothing_shows_make_no_character() {
    let mut g = Gltf::new();
    let face = rigs::add_morph(&mut g, 2);
    g.remove(&format!("/nodes/{face}/mesh"));
    let folder = Folder::new().file("hidden.glb", &g.glb());
    let error = load_skeleton_and_clips(&folder.path("hidden.glb")).expect_err("nothing to animate");
    assert_eq!(Kind::of(&error), Kind::NoSkin);
}

#[test]
fn primitives_of_other_targets_are_refused_without_meshes_too() {
    let mut g = Gltf::new();
    rigs::add_morph(&mut g, 2);
    let bare = json!({"attributes": g.json["meshes"][0]["primitives"][0]["attributes"]});
    g.json["meshes"][0]["primitives"].as_array_mut().expect("primitives").push(bare);
    for meshes in SELECTIONS {
        let options = LoadOptions { meshes, ..LoadOptions::default() };
        let result = crate::support::try_load_with(&g.glb(), &options);
        assert_eq!(Kind::of(&result.expect_err("2 targets and none")), Kind::Malformed, "{meshes:?}");
    }
}

#[test]
fn too_many_morph_targets_are_a_limit() {
    let with_nodes = |count: usize| {
        let mut g = Gltf::new();
        rigs::add_morph(&mut g, 1);
        g.set("/scenes/0/nodes", json!([]));
        g.set("/meshes/0/primitives/0/targets", json!(vec![json!({}); 4_095]));
        g.set("/nodes", json!(vec![json!({"mesh": 0}); count]));
        try_load(&g.glb())
    };
    assert_eq!(with_nodes(24).expect("98,280 weights").morphs.slot_count(), 98_280);
    assert_eq!(Kind::of(&with_nodes(25).expect_err("102,375 weights")), Kind::Limit);
}

/// Arrays that twenty thousand animations share are small; their clips would take more than a gigabyte.
#[test]
fn the_short_way_counts_morph_weights_too() {
    let mut g = Gltf::new();
    let face = rigs::add_morph(&mut g, 1);
    g.set("/meshes/0/primitives/0/targets", json!(vec![json!({}); 3_000]));
    let times = g.add(&Array::new(F32, "SCALAR", [0.0]));
    let values = g.add(&Array::new(F32, "SCALAR", vec![0.5; 3_000]));
    for animation in 0..20_000 {
        g.channel(animation, json!({"node": face, "path": "weights"}), "LINEAR", times, values);
    }
    assert_eq!(load(&g).animations.len(), 20_000);
    let folder = Folder::new().file("bomb.glb", &g.glb());
    let error = load_skeleton_and_clips(&folder.path("bomb.glb")).expect_err("1.5 GB of keyframes");
    assert_eq!(Kind::of(&error), Kind::Limit, "{error}");
}

#[test]
fn joints_and_morph_weights_share_one_range() {
    let with_joints = |count: usize| {
        let mut g = Gltf::new();
        rigs::add_morph(&mut g, 1);
        g.set("/meshes/0/primitives/0/targets", json!(vec![json!({}); 4_000]));
        g.set("/scenes/0/nodes", json!([]));
        // One place is free anyway: 1,334 channels of three weights, 64,202 joints.
        let nodes = vec![json!({}); count];
        g.set("/nodes", json!([vec![json!({"mesh": 0})], nodes].concat()));
        g.push("skins", json!({"joints": (1..=count).collect::<Vec<_>>()}));
        try_load(&g.glb())
    };
    let asset = with_joints(64_202).expect("side by side");
    assert_eq!((asset.skeleton.joints.len(), asset.morphs.slot_count()), (64_202, 4_002));
    assert_eq!(Kind::of(&with_joints(64_203).expect_err("one too many")), Kind::Limit);
}

/// Every file of the corpora with morph targets.
#[test]
fn files_of_the_corpora() {
    let Some(folder) = corpus("files_of_the_corpora") else { return };
    let (mut files, mut characters) = (0, Vec::new());
    for path in [gltf_files(&folder.join("conformance/assets")), gltf_files(&folder.join("characters"))].concat() {
        let Ok(asset) = Asset::load(&path) else { continue };
        if asset.morphs == MorphLayout::default() {
            continue;
        }
        let (skeleton, clips) = load_skeleton_and_clips(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let has_weights = asset.animations.iter().any(|animation| !animation.morph_tracks.is_empty());
        assert_eq!(compare(&asset, &clips) > 0, has_weights, "{path:?}");
        assert!(asset.skins.is_empty() || !skeleton.joints.is_empty(), "{path:?}");
        for clip in &clips {
            assert!(clip.morph_count() <= asset.morphs.slot_count(), "{path:?}");
        }
        files += 1;
        characters.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
    }
    assert!(files >= 5, "{characters:?}");
    assert!(characters.iter().any(|name| name == "robot-expressive.glb"), "{characters:?}");
}
