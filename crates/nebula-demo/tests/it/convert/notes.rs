//! What is lost on the way is told, and what could do nothing is an error.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::{assets, convert, load, recording, run};

fn write(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let file = folder.join(name);
    std::fs::write(&file, bytes).expect("a written file");
    file
}

/// A recording with a joint that no character has.
fn with_a_tail() -> String {
    let joint =
        "JOINT Tail\n{\nOFFSET 0 0 -20\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 0 -10\n}\n}\n";
    let text = recording().replacen("JOINT Spine\n", &format!("{joint}JOINT Spine\n"), 1);
    let (head, frames) = text.split_once("0.0333333\n").expect("frames");
    // Behind the channels of the hips.
    let widened = frames.lines().map(|line| {
        let mut numbers: Vec<&str> = line.split(' ').collect();
        numbers.splice(6..6, ["10", "0", "0"]);
        numbers.join(" ")
    });
    format!("{head}0.0333333\n{}\n", widened.collect::<Vec<_>>().join("\n"))
}

#[test]
fn joints_without_partners_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = write(folder.path(), "tail.bvh", with_a_tail().as_bytes());
    let out = folder.path().join("out.glb");
    let said = convert(&[&source, &out, &"--retarget-to", &assets("robot.glb")]);
    assert!(said.contains("joints without a counterpart in the character, and left out: \"Tail\""), "{said}");
    assert!(said.contains("of the character without a counterpart, and at rest"), "{said}");
    // The same body loses nothing.
    let said = convert(&[&source, &out, &"--clips", &source]);
    assert!(!said.contains("without a counterpart"), "{said}");
}

/// A VRM animation with hips, an expression and a gaze that move.
fn animation() -> Vec<u8> {
    let names = [
        "hips",
        "spine",
        "head",
        "leftUpperLeg",
        "leftLowerLeg",
        "leftFoot",
        "rightUpperLeg",
        "rightLowerLeg",
        "rightFoot",
        "leftUpperArm",
        "leftLowerArm",
        "leftHand",
        "rightUpperArm",
        "rightLowerArm",
        "rightHand",
    ];
    let above = [0, 0, 1, 0, 3, 4, 0, 6, 7, 1, 9, 10, 1, 12, 13];
    let at = [
        [0.0, 0.9, 0.0],
        [0.0, 0.2, 0.0],
        [0.0, 0.5, 0.0],
        [0.1, -0.05, 0.0],
        [0.0, -0.4, 0.0],
        [0.0, -0.4, 0.0],
        [-0.1, -0.05, 0.0],
        [0.0, -0.4, 0.0],
        [0.0, -0.4, 0.0],
        [0.2, 0.3, 0.0],
        [0.25, 0.0, 0.0],
        [0.25, 0.0, 0.0],
        [-0.2, 0.3, 0.0],
        [-0.25, 0.0, 0.0],
        [-0.25, 0.0, 0.0],
    ];
    let mut nodes: Vec<Value> = (0..15)
        .map(|index| {
            let mut node = json!({ "name": names[index], "translation": at[index] });
            let children: Vec<usize> = (1..15).filter(|child| above[*child] == index).collect();
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            node
        })
        .collect();
    nodes.extend([json!({ "name": "happy" }), json!({ "name": "eyes" })]);
    let bones: serde_json::Map<String, Value> =
        names.iter().enumerate().map(|(node, name)| ((*name).to_owned(), json!({ "node": node }))).collect();
    let numbers: [f32; 16] = [0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.2, 0.0, 0.979_795_9];
    let binary: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let file = json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0, 15, 16] }], "nodes": nodes,
        "extensionsUsed": ["VRMC_vrm_animation"],
        "extensions": { "VRMC_vrm_animation": { "specVersion": "1.0", "humanoid": { "humanBones": bones },
            "expressions": { "preset": { "happy": { "node": 15 } } }, "lookAt": { "node": 16, "offsetFromHeadBone": [0, 0, 0] } } },
        "buffers": [{ "byteLength": 64, "uri": "numbers.bin" }],
        "bufferViews": [{ "buffer": 0, "byteLength": 8 }, { "buffer": 0, "byteOffset": 8, "byteLength": 24 },
            { "buffer": 0, "byteOffset": 32, "byteLength": 32 }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1] },
            { "bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3" },
            { "bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC4" }
        ],
        "animations": [{ "name": "glad", "samplers": [{ "input": 0, "output": 1 }, { "input": 0, "output": 2 }], "channels": [
            { "sampler": 0, "target": { "node": 15, "path": "translation" } },
            { "sampler": 1, "target": { "node": 16, "path": "rotation" } },
            { "sampler": 1, "target": { "node": 1, "path": "rotation" } }
        ] }]
    });
    let mut file = serde_json::to_vec(&file).expect("JSON");
    file.extend(binary);
    file
}

fn animation_in(folder: &Path) -> PathBuf {
    let bytes = animation();
    let (json, numbers) = bytes.split_at(bytes.len() - 64);
    write(folder, "numbers.bin", numbers);
    write(folder, "glad.vrma", json)
}

#[test]
fn faces_and_gazes_that_nobody_shows_are_told_by_both_commands() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, out) = (animation_in(folder.path()), folder.path().join("out.glb"));
    let convert = convert(&[&source, &out, &"--retarget-to", &assets("simple_humanoid.glb")]);
    let arguments: [&dyn AsRef<OsStr>; 5] =
        [&"retarget", &source, &assets("simple_humanoid.glb"), &"--out", &folder.path().join("other.glb")];
    let output = Command::new(env!("CARGO_BIN_EXE_nebula-demo")).args(arguments.map(AsRef::as_ref)).output();
    let output = output.expect("the program runs");
    let retarget = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for said in [convert, retarget] {
        assert!(said.contains("1 expressions that the character lacks: \"happy\""), "{said}");
        assert!(said.contains("where the eyes look is left out"), "{said}");
        assert!(!said.contains("left out: \"happy\""), "an expression is no joint: {said}");
    }
}

/// The avatar of the corpus, whose expressions move nothing: its eyes do.
#[test]
fn both_commands_move_the_eyes_of_avatars_alike() {
    let Some(corpora) = crate::corpus::find("convert") else { return };
    let avatar = corpora.join("characters/vrm1-example.vrm");
    let folder = tempfile::tempdir().expect("a folder");
    let (source, out) = (animation_in(folder.path()), folder.path().join("out.glb"));
    let other = folder.path().join("other.glb");
    convert(&[&source, &out, &"--retarget-to", &avatar]);
    let arguments: [&dyn AsRef<OsStr>; 5] = [&"retarget", &source, &avatar, &"--out", &other];
    let output = Command::new(env!("CARGO_BIN_EXE_nebula-demo")).args(arguments.map(AsRef::as_ref)).output();
    assert!(output.expect("the program runs").status.success());
    let (convert, retarget) = (load(&out), load(&other));
    let clip = |asset: &nebula_animation::Asset| asset.animations[asset.animation_by_name("glad").expect("it")].clone();
    assert_eq!(clip(&convert), clip(&retarget), "one way");
    let eyes = convert.avatar.as_ref().and_then(|avatar| avatar.gaze).expect("a gaze").eyes;
    for eye in eyes.into_iter().flatten() {
        let moves = clip(&retarget).to_clip().rotation_channels.iter().any(|channel| channel.joint_index == eye);
        assert!(moves, "eye {eye} looks as the animation says");
    }
}

#[test]
fn options_that_could_do_nothing_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.glb");
    let sword = assets("sword.glb");
    for option in [&["--rate", "30"][..], &["--trim"], &["--loop"], &["--compress"]] {
        let mut arguments: Vec<&dyn AsRef<OsStr>> = vec![&sword, &out];
        arguments.extend(option.iter().map(|word| word as &dyn AsRef<OsStr>));
        let output = run(&arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains("has no clips that"), "{option:?}: {said}");
    }
    for (option, value) in [("--unit", "0.01"), ("--up", "z"), ("--rest", "zero")] {
        let output = run(&[&assets("robot.glb"), &out, &option, &value]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(&format!("{option} is for .bvh files")), "{said}");
    }
    assert!(!out.exists());
    let source = write(folder.path(), "kick.bvh", recording().as_bytes());
    convert(&[&assets("robot.glb"), &out, &"--clips", &source, &"--unit", &"0.01"]);
}

#[test]
fn axes_and_rest_poses_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.glb");
    let source = write(folder.path(), "kick.bvh", recording().as_bytes());
    convert(&[&source, &out, &"--rest", &"20"]);
    let arm = |asset: &nebula_animation::Asset| {
        asset.skeleton.joints.iter().find(|joint| joint.name == "LeftArm").expect("an arm").bind_rotation
    };
    assert!(arm(&load(&out)).angle_between(glam::Quat::IDENTITY) > 0.3, "the pose of the frame");
    let said = convert(&[&source, &out, &"--up", &"z", &"--rest", &"zero"]);
    assert!(said.contains("turned upright"), "{said}");
    let spine = load(&out).skeleton.joints[1].bind_translation;
    assert!(spine.z < -0.1 && spine.y.abs() < 1e-6, "what was Y is ahead or behind: {spine}");
    for (option, value) in [("--up", "x"), ("--rest", "0"), ("--rest", "T-pose")] {
        let output = run(&[&source, &out, &option, &value]);
        assert!(String::from_utf8_lossy(&output.stderr).contains("expected"), "{option} {value}");
    }
}

#[test]
fn an_ending_says_what_is_in_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = animation_in(folder.path());
    for (name, of) in [("out.vrm", "VRMC_vrm or VRM"), ("out.vrma", "VRMC_vrm_animation")] {
        let out = folder.path().join(name);
        let output = run(&[&assets("robot.glb"), &out]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(of) && said.contains("write a .glb"), "{said}");
        assert!(!out.exists());
    }
    convert(&[&source, &folder.path().join("again.vrma")]);
    let output = run(&[&source, &folder.path().join("again.vrm")]);
    assert!(!output.status.success(), "an animation is no avatar");
}
