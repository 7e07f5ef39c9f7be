//! Faces of files: those of the tests, and those of others.

use nebula_animation::clip::MorphLayout;
use nebula_animation::{AnimationClip, Asset, Character, Surroundings, load_skeleton_and_clips};
use serde_json::json;

use super::stage::{CLOSE, FRAME, Stage, actor, frame};
use crate::determinism::{corpus, gltf_files};
use crate::support::{Folder, Gltf, rigs};

/// A mesh with two morph targets that an animation moves, and neither skin nor joint.
fn mask() -> Gltf {
    let mut g = Gltf::new();
    let face = rigs::add_morph(&mut g, 2);
    g.set(&format!("/nodes/{face}/weights"), json!([0.5, 0.0]));
    g.animate(0, face, "weights", "LINEAR", &[0.0, 1.0, 2.0], &[0.0, 1.0, 1.0, 0.5, 0.0, 1.0]);
    g
}

#[test]
fn a_file_with_morph_targets_and_no_skin_is_a_character() {
    let stage = Stage::new(&mask());
    assert!(stage.asset.skins.is_empty());
    let mut character = stage.character();
    character.mixer.play(0, 0.0).expect("a clip");
    for number in 1..200 {
        let shown = frame(&mut character);
        let expected = stage.picture(0, (f64::from(number) * FRAME).rem_euclid(2.0));
        expected.assert_shown(&shown, CLOSE, &format!("frame {number}"));
        assert_eq!(character.palette().len(), stage.rig.joint_count());
    }
}

#[test]
fn the_short_way_brings_the_face_along() {
    let folder = Folder::new().file("mask.glb", &mask().glb()).file("actor.glb", &actor().glb());
    for (name, moved) in [("mask.glb", 2), ("actor.glb", 4)] {
        let (skeleton, clips) = load_skeleton_and_clips(&folder.path(name)).expect("a character");
        let mut character = Character::new(skeleton, &clips);
        let first = character.frame().morph_weights().to_vec();
        character.update(0.7, &Surroundings::default());
        let now = character.frame().morph_weights();
        assert!(first.len() == now.len() && now.len() >= moved, "{name}: {} weights", now.len());
        let changed = first.iter().zip(now).filter(|(before, now)| before != now).count();
        assert!(changed >= moved, "{name}: {changed} weights have changed");
    }
}

/// Every file of the corpora with morph targets is a character, and its face fades with its body from each clip to the next.
#[test]
fn faces_of_the_corpora_fade_with_their_bodies() {
    let Some(folder) = corpus("faces_of_the_corpora_fade_with_their_bodies") else { return };
    let (mut names, mut without_skin, mut faces) = (Vec::new(), 0, 0);
    for path in [gltf_files(&folder.join("conformance/assets")), gltf_files(&folder.join("characters"))].concat() {
        let Ok(asset) = Asset::load(&path) else { continue };
        let is_readable = !asset.animations.is_empty() && asset.warnings.is_empty();
        if asset.morphs == MorphLayout::default() || !is_readable {
            continue;
        }
        let stage = Stage::open(&path);
        let count = stage.clips.len();
        for (from, to) in (0..count.min(4)).map(|clip| (clip, (clip + 1) % count)) {
            faces += usize::from(check_fade(&stage, from, to, &path.display().to_string()));
        }
        without_skin += usize::from(stage.asset.skins.is_empty());
        names.push(path.file_name().expect("a name").to_string_lossy().into_owned());
    }
    println!("{names:?}: {without_skin} without a skin, {faces} fades of faces that move");
    assert!(names.len() >= 4 && without_skin >= 3 && faces >= 4, "{names:?}, {without_skin}, {faces}");
    assert!(names.iter().any(|name| name == "robot-expressive.glb"), "{names:?}");
}

/// Fades from one animation to another within a quarter of a second; whether any weight of the face moved.
fn check_fade(stage: &Stage, from: usize, to: usize, what: &str) -> bool {
    let mut character = stage.character();
    character.mixer.play(from, 0.0).expect("a clip");
    (0..7).for_each(|_| drop(frame(&mut character)));
    // The same animation again, where there is one only.
    character.mixer.restart(to, 0.25).expect("a clip");
    let ends = [from, to].map(|clip| f64::from(stage.clips[clip].duration));
    let mut weights = Vec::new();
    for number in 1..=24 {
        let seconds = f64::from(number) * FRAME;
        // A clip of one pose has no length to go round in.
        let time = |seconds: f64, end: f64| if end > 0.0 { seconds.rem_euclid(end) } else { 0.0 };
        let old = stage.picture(from, time(7.0 * FRAME + seconds, ends[0]));
        let new = stage.picture(to, time(seconds, ends[1]));
        let shown = frame(&mut character);
        let expected = old.mixed(&new, (seconds / 0.25).min(1.0));
        expected.assert_shown(&shown, CLOSE, &format!("{what}: {from} to {to}, frame {number}"));
        weights.push(shown.weights);
    }
    weights.iter().any(|now| *now != weights[0])
}

/// A robot gets angry on a layer of its own while its body goes from walking to running.
#[test]
fn a_character_of_others_gets_angry_while_it_starts_to_run() {
    let Some(folder) = corpus("a_character_of_others_gets_angry_while_it_starts_to_run") else { return };
    let stage = Stage::open(&folder.join("characters/robot-expressive.glb"));
    let slots = stage.rig.morphs().require("Angry").expect("it has that face");
    let near = stage.rig.morphs().require("Angri").expect_err("misspelt").near;
    assert_eq!(near.first().map(String::as_str), Some("Angry"));
    let anger = AnimationClip::of_morph_weight("anger", slots[0], &[(0.0, 0.0), (0.5, 1.0), (4.0, 1.0)]);
    let library = stage.library_of(&[stage.clips.clone(), vec![anger]].concat());
    let [walk, run] = ["Walking", "Running"].map(|name| library.find(name).expect("a clip of the file").index());
    let mut character = Character::of(library);
    let face = character.mixer.add_masked_layer("face", stage.rig.face());
    character.mixer.play(walk, 0.0).expect("a clip");
    (0..7).for_each(|_| drop(frame(&mut character)));
    character.mixer.play(run, 0.25).expect("a clip");
    character.mixer.play_on(face, "anger", 0.125).expect("a clip");
    let time = |seconds: f64, clip: usize| seconds.rem_euclid(f64::from(stage.clips[clip].duration));
    for number in 1..=40 {
        let seconds = f64::from(number) * FRAME;
        let walking = stage.picture(walk, time(7.0 * FRAME + seconds, walk));
        let mut expected = walking.mixed(&stage.picture(run, time(seconds, run)), (seconds / 0.25).min(1.0));
        let anger = (seconds / 0.5).min(1.0);
        for (slot, weight) in expected.weights.iter_mut().enumerate() {
            let goal = if slot == slots[0] { anger } else { 0.0 };
            let is_of_the_clip = slot / 3 == slots[0] / 3;
            let goal = if is_of_the_clip { goal } else { stage.picture(None, 0.0).weights[slot] };
            *weight += (goal - *weight) * (seconds / 0.125).min(1.0);
        }
        expected.assert_shown(&frame(&mut character), CLOSE, &format!("frame {number}"));
    }
    assert!(character.frame().morph_weights()[slots[0]] > 0.99);
}
