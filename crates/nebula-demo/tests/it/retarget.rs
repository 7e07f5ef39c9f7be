//! `nebula-demo retarget`: a character with the clips of another file, as a file that others read.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use glam::Mat4;
use nebula_animation::asset::{LoadOptions, MeshSelection};
use nebula_animation::sample::sample_morph_weights;
use nebula_animation::{AnimationClip, Asset, Retarget, Skeleton, palette::model_matrices, sample_pose};
use serde_json::Value;

use crate::corpus::find;

fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../nebula-animation/test_assets")
}

fn run(arguments: &[&std::ffi::OsStr]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nebula-demo")).arg("retarget").args(arguments).output().expect("the program runs")
}

fn retarget(source: &Path, target: &Path, out: &Path, more: &[&str]) -> String {
    let mut arguments = vec![source.as_os_str(), target.as_os_str(), "--out".as_ref(), out.as_os_str()];
    arguments.extend(more.iter().map(AsRef::<std::ffi::OsStr>::as_ref));
    let output = run(&arguments);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{source:?} to {target:?}: {}", String::from_utf8_lossy(&output.stderr));
    said
}

fn load(path: &Path) -> Asset {
    let options = LoadOptions { meshes: MeshSelection::All, ..LoadOptions::default() };
    Asset::load_with(path, &options).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn models(skeleton: &Skeleton, clip: &AnimationClip, time: f32) -> Vec<Mat4> {
    let mut pose = skeleton.bind_pose();
    sample_pose(clip, skeleton, time, &mut pose);
    let mut models = vec![Mat4::IDENTITY; pose.len()];
    model_matrices(skeleton, &pose, &mut models);
    models
}

/// What was written is the target, and its clips show what the library makes of them.
fn compare(source: &Path, target: &Path, out: &Path, names: Option<&[&str]>) {
    let (from, to, made) = (load(source), load(target), load(out));
    assert_eq!(made.skeleton.joints.len(), to.skeleton.joints.len(), "{out:?}");
    assert_eq!(
        (made.meshes.len(), made.images.len(), made.skins.len()),
        (to.meshes.len(), to.images.len(), to.skins.len())
    );
    for (own, others) in made.meshes.iter().zip(&to.meshes) {
        assert!(
            own.primitives.iter().zip(others.primitives.iter()).all(|(a, b)| a.positions == b.positions),
            "{}",
            own.name
        );
    }
    assert!(made.images.iter().zip(&to.images).all(|(a, b)| a.bytes == b.bytes));
    let retarget = Retarget::new(&from.rig(), &to.rig()).expect("two humans");
    let is_wanted = |clip: &&AnimationClip| names.is_none_or(|names| names.contains(&clip.name.as_str()));
    let clips = from.clips();
    assert!(clips.iter().any(|clip| is_wanted(&clip)));
    for clip in clips.iter().filter(is_wanted) {
        let expected = retarget.clip(clip);
        let written = made.animation_by_name(&clip.name).unwrap_or_else(|| panic!("no {:?} in {out:?}", clip.name));
        let written = made.animations[written].to_clip();
        assert!((written.duration - clip.duration).abs() < 1e-5, "{:?}: {}", clip.name, written.duration);
        for step in 0..=12_u8 {
            let time = clip.duration * f32::from(step) / 12.0;
            let (own, others) = (models(&made.skeleton, &written, time), models(&to.skeleton, &expected, time));
            let size = others.iter().map(|model| model.w_axis.truncate().length()).fold(1.0, f32::max);
            for (joint, (a, b)) in own.iter().zip(&others).enumerate() {
                let name = &to.skeleton.joints[joint].name;
                assert!(a.abs_diff_eq(*b, 1e-4 * size), "{:?} at {time}: {name} is {a}, not {b}", clip.name);
            }
            let weights = |clip: &AnimationClip| {
                let defaults = to.morphs.defaults();
                let mut weights = defaults.clone();
                sample_morph_weights(clip, &defaults, time, &mut weights);
                weights
            };
            let (own, others) = (weights(&written), weights(&expected));
            assert!(own.iter().zip(&others).all(|(a, b)| (a - b).abs() < 1e-5), "{:?}: {own:?} {others:?}", clip.name);
        }
    }
    let line =
        Command::new(env!("CARGO_BIN_EXE_nebula-demo")).arg("validate").arg(out).output().expect("it runs").stdout;
    assert!(!String::from_utf8_lossy(&line).starts_with("ERROR"), "{}", String::from_utf8_lossy(&line));
}

/// Which of the accessors of a file's animations break rules that loaders may insist on.
fn check_json(out: &Path) {
    let bytes = std::fs::read(out).expect("it was written");
    assert_eq!(bytes.len() % 4, 0);
    assert_eq!(u32::from_le_bytes(bytes[8..12].try_into().expect("four bytes")) as usize, bytes.len());
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    let json: Value = serde_json::from_slice(&bytes[20..20 + length]).expect("JSON");
    assert!(json["buffers"].as_array().is_some_and(|buffers| buffers.iter().all(|it| it.get("uri").is_none())));
    for animation in json["animations"].as_array().expect("animations") {
        let mut targets: Vec<&Value> = Vec::new();
        for channel in animation["channels"].as_array().expect("channels") {
            assert!(!targets.contains(&&channel["target"]), "two channels for {}", channel["target"]);
            targets.push(&channel["target"]);
            let node = &json["nodes"][channel["target"]["node"].as_u64().expect("a node") as usize];
            assert!(node.get("matrix").is_none(), "{node} is animated");
        }
        for channel in animation["channels"].as_array().expect("channels") {
            let sampler = &animation["samplers"][channel["sampler"].as_u64().expect("a sampler") as usize];
            let accessor = |end: &str| &json["accessors"][sampler[end].as_u64().expect("an accessor") as usize];
            let (input, output) = (accessor("input"), accessor("output"));
            assert!(input["min"].is_array() && input["max"].is_array(), "{input}");
            // Faces have a weight for each target.
            if channel["target"]["path"] != "weights" {
                let each = if sampler["interpolation"] == "CUBICSPLINE" { 3 } else { 1 };
                assert_eq!(output["count"].as_u64(), input["count"].as_u64().map(|count| count * each));
            }
        }
    }
}

#[test]
fn our_robot_walks_like_our_humanoid() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, target, out) =
        (assets().join("simple_humanoid.glb"), assets().join("robot.glb"), folder.path().join("made.glb"));
    let said = retarget(&source, &target, &out, &["--clip", "walk", "--clip", "1", "--report"]);
    let second = load(&source).animations[1].name.clone();
    compare(&source, &target, &out, Some(&["walk", &second]));
    check_json(&out);
    assert!(load(&out).animations.len() >= load(&target).animations.len());
    for part in ["pelvis  (hips)", "gripper.R  (right hand)", "only in the source", "faces +Z", "2 of "] {
        assert!(said.contains(part), "no {part:?} in\n{said}");
    }
}

/// Buffers and images of a .gltf come along, wherever they were.
#[test]
fn files_beside_a_gltf_are_embedded() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = std::fs::read(assets().join("simple_humanoid.glb")).expect("the file is there");
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    let mut json: Value = serde_json::from_slice(&bytes[20..20 + length]).expect("JSON");
    json["buffers"][0]["uri"] = "a%20buffer.bin".into();
    let target = folder.path().join("target.gltf");
    std::fs::write(&target, json.to_string()).expect("it can be written");
    std::fs::write(folder.path().join("a buffer.bin"), &bytes[20 + length + 8..]).expect("it can be written");
    let out = folder.path().join("made.glb");
    retarget(&assets().join("robot.glb"), &target, &out, &[]);
    std::fs::remove_file(folder.path().join("a buffer.bin")).expect("it is there");
    check_json(&out);
    assert_eq!(load(&out).skeleton, load(&assets().join("simple_humanoid.glb")).skeleton);
}

#[test]
fn mistakes_are_told_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let (person, sword) = (assets().join("simple_humanoid.glb"), assets().join("sword.glb"));
    let out = folder.path().join("made.glb");
    for (source, target, more, expected) in [
        (&person, &person, &["--clip", "wlak"][..], "walk"),
        (&person, &sword, &[], "counterpart"),
        (&sword, &person, &[], "no clips"),
        (&person, &folder.path().join("nowhere.glb"), &[], "nowhere.glb"),
    ] {
        let mut arguments = vec![source.as_os_str(), target.as_os_str(), "--out".as_ref(), out.as_os_str()];
        arguments.extend(more.iter().map(AsRef::<std::ffi::OsStr>::as_ref));
        let output = run(&arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.lines().count() == 1 && said.contains(expected), "{said}");
        assert!(!out.exists(), "nothing is written after a mistake");
    }
}

#[test]
fn strangers_play_each_others_clips() {
    let Some(folder) = find("strangers_play_each_others_clips") else { return };
    let character = |name: &str| folder.join("characters").join(name);
    let temporary = tempfile::tempdir().expect("a folder");
    let own = assets().join("simple_humanoid.glb");
    for (index, (source, target, clips)) in [
        (character("kaykit-knight.glb"), character("m2m-human-sophia.glb"), &["Walking_A", "Idle"][..]),
        (character("robot-expressive.glb"), character("vrm1-example.vrm"), &["Running"]),
        (own, character("robot-expressive.glb"), &["walk"]),
        // It has a face, and its clips move it.
        (character("robot-expressive.glb"), character("robot-expressive.glb"), &["Wave", "Death"]),
        (character("m2m-sample-rig.glb"), character("kaykit-knight.glb"), &["New Custom"]),
        (character("hips-spine-twisting.vrma"), character("vrm1-example.vrm"), &[]),
    ]
    .into_iter()
    .enumerate()
    {
        let out = temporary.path().join(format!("{index}.glb"));
        let more: Vec<&str> = clips.iter().flat_map(|clip| ["--clip", clip]).collect();
        retarget(&source, &target, &out, &more);
        check_json(&out);
        compare(&source, &target, &out, (!clips.is_empty()).then_some(clips));
    }
    let fox = character("m2m-fox-animations.glb");
    let human = character("m2m-human-female.glb");
    let out = temporary.path().join("fox.glb");
    let output = run(&[fox.as_os_str(), human.as_os_str(), "--out".as_ref(), out.as_os_str()]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("the source is not a human"), "{said}");
}
