//! `nebula-demo convert`: any motion to any character.

mod all;
mod notes;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use nebula_animation::asset::{LoadOptions, MeshSelection};
use nebula_animation::palette::model_matrices;
use nebula_animation::{Asset, HumanoidJoint, sample_pose};

use crate::corpus::find;

fn assets(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../nebula-animation/test_assets").join(name)
}

fn run(arguments: &[&dyn AsRef<std::ffi::OsStr>]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nebula-demo"));
    command.arg("convert");
    for argument in arguments {
        command.arg(argument);
    }
    command.output().expect("the program runs")
}

fn convert(arguments: &[&dyn AsRef<std::ffi::OsStr>]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn load(path: &Path) -> Asset {
    let options = LoadOptions { meshes: MeshSelection::All, ..LoadOptions::default() };
    Asset::load_with(path, &options).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A human of eighteen joints in centimetres that lifts an arm and a leg, with a T-pose in front.
pub(crate) fn recording() -> String {
    let joints: [(&str, usize, [f32; 3]); 18] = [
        ("Hips", 0, [0.0, 0.0, 0.0]),
        ("Spine", 0, [0.0, 15.0, 0.0]),
        ("Chest", 1, [0.0, 20.0, 0.0]),
        ("Neck", 2, [0.0, 20.0, 0.0]),
        ("Head", 3, [0.0, 10.0, 2.0]),
        ("LeftArm", 2, [18.0, 15.0, 0.0]),
        ("LeftForeArm", 5, [28.0, 0.0, 0.0]),
        ("LeftHand", 6, [25.0, 0.0, 0.0]),
        ("RightArm", 2, [-18.0, 15.0, 0.0]),
        ("RightForeArm", 8, [-28.0, 0.0, 0.0]),
        ("RightHand", 9, [-25.0, 0.0, 0.0]),
        ("LeftUpLeg", 0, [9.0, -5.0, 0.0]),
        ("LeftLeg", 11, [0.0, -42.0, 0.0]),
        ("LeftFoot", 12, [0.0, -42.0, 0.0]),
        ("LeftToe", 13, [0.0, -5.0, 14.0]),
        ("RightUpLeg", 0, [-9.0, -5.0, 0.0]),
        ("RightLeg", 15, [0.0, -42.0, 0.0]),
        ("RightFoot", 16, [0.0, -42.0, 0.0]),
    ];
    fn write(joints: &[(&str, usize, [f32; 3])], index: usize, text: &mut String) {
        let (name, _, [x, y, z]) = joints[index];
        let (word, channels) = match index {
            0 => ("ROOT", "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"),
            _ => ("JOINT", "3 Zrotation Xrotation Yrotation"),
        };
        text.push_str(&format!("{word} {name}\n{{\nOFFSET {x} {y} {z}\nCHANNELS {channels}\n"));
        let below: Vec<usize> = (index + 1..joints.len()).filter(|child| joints[*child].1 == index).collect();
        for child in &below {
            write(joints, *child, text);
        }
        if below.is_empty() {
            text.push_str("End Site\n{\nOFFSET 0 5 0\n}\n");
        }
        text.push_str("}\n");
    }
    let mut text = String::from("HIERARCHY\n");
    write(&joints, 0, &mut text);
    let frames = 40;
    text.push_str(&format!("MOTION\nFrames: {frames}\nFrame Time: 0.0333333\n"));
    for frame in 0..frames {
        let angle = if frame == 0 { 0.0 } else { 40.0 + 20.0 * (frame as f32 * 0.1).sin() };
        let mut numbers = vec![0.0, 95.0, frame as f32];
        for (joint, _) in joints.iter().enumerate() {
            numbers.extend(match joint {
                5 => [angle, 0.0, 0.0],
                15 => [0.0, -angle, 0.0],
                16 => [0.0, angle, 0.0],
                _ => [0.0; 3],
            });
        }
        text.push_str(&numbers.iter().map(f32::to_string).collect::<Vec<_>>().join(" "));
        text.push('\n');
    }
    text
}

#[test]
fn a_recording_becomes_clips_on_a_character() {
    let folder = tempfile::tempdir().expect("a folder");
    let [source, out] = ["kick.bvh", "out.glb"].map(|name| folder.path().join(name));
    std::fs::write(&source, recording()).expect("a written file");
    let target = assets("robot.glb");
    let said = convert(&[&source, &out, &"--retarget-to", &target]);
    let (made, robot) = (load(&out), load(&target));
    assert_eq!(made.skeleton, robot.skeleton);
    assert_eq!(made.animations.len(), robot.animations.len() + 1, "{said}");
    let kick = &made.animations[made.animation_by_name("kick").expect("called as the file")];
    assert!((kick.duration - 38.0 / 30.0).abs() < 1e-3, "{}: the T-pose in front is left out", kick.duration);
    assert!(said.contains("one unit is 0.01 m") && said.contains("first frame"), "{said}");
    assert!(made.meshes == robot.meshes && made.images == robot.images);
    // Alone, it is a skeleton with a clip.
    convert(&[&source, &out, &"--unit", &"0.02"]);
    let alone = load(&out);
    assert_eq!((alone.skeleton.joints.len(), alone.animations.len(), alone.meshes.len()), (18, 1, 0));
    assert!((alone.skeleton.joints[1].bind_translation.y - 0.3).abs() < 1e-6);
}

#[test]
fn without_options_nothing_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.glb");
    let source = assets("simple_humanoid.glb");
    convert(&[&source, &out]);
    let (was, is) = (load(&source), load(&out));
    assert!(was.skeleton == is.skeleton && was.animations == is.animations && was.meshes == is.meshes);
    assert_eq!(was.clip_entries, is.clip_entries);
}

#[test]
fn clips_are_resampled_trimmed_looped_and_made_small() {
    let folder = tempfile::tempdir().expect("a folder");
    let [dense, small] = ["dense.glb", "small.glb"].map(|name| folder.path().join(name));
    let source = assets("simple_humanoid.glb");
    convert(&[&source, &dense, &"--rate", &"100"]);
    convert(&[&dense, &small, &"--compress", &"--error", &"1mm", &"--trim", &"--loop"]);
    let keys =
        |asset: &Asset| asset.animations.iter().flat_map(|it| &it.tracks).map(|track| track.times.len()).sum::<usize>();
    let (dense, small) = (load(&dense), load(&small));
    assert!(keys(&small) * 3 < keys(&dense), "{} of {}", keys(&small), keys(&dense));
    assert_eq!(small.animations.len(), dense.animations.len());
}

#[test]
fn more_clips_come_from_other_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let [source, out] = ["kick.bvh", "out.glb"].map(|name| folder.path().join(name));
    std::fs::write(&source, recording()).expect("a written file");
    let (hero, robot) = (assets("simple_humanoid.glb"), assets("robot.glb"));
    convert(&[&hero, &out, &"--clips", &source, &robot]);
    let (made, was, robot) = (load(&out), load(&hero), load(&robot));
    assert_eq!(
        made.animations.len(),
        was.animations.len() + 1 + robot.animations.len(),
        "names that are taken get the file's"
    );
    // The same once more: all names are taken, with the file's too.
    let twice = folder.path().join("twice.glb");
    convert(&[&out, &twice, &"--clips", &assets("robot.glb"), &assets("robot.glb")]);
    let twice = load(&twice);
    let names: std::collections::BTreeSet<&str> = twice.animations.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names.len(), twice.animations.len(), "{names:?}");
    assert_eq!(twice.animations.len(), made.animations.len() + 2 * robot.animations.len());
    for (index, animation) in was.animations.iter().enumerate() {
        assert_eq!(made.animations[index], *animation, "its own stay as they were");
    }
}

#[test]
fn what_cannot_work_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.glb");
    let fails = |arguments: &[&dyn AsRef<std::ffi::OsStr>], part: &str| {
        let output = run(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(part), "{said}");
        assert!(!out.exists(), "nothing half written");
    };
    fails(&[&"missing.bvh", &out], "missing.bvh");
    let torn = folder.path().join("torn.bvh");
    std::fs::write(&torn, &recording()[..600]).expect("a written file");
    fails(&[&torn, &out], "line");
    fails(&[&assets("sword.glb"), &out, &"--retarget-to", &assets("robot.glb")], "no clips");
    for unit in ["0", "-1", "inf", "NaN", "metres"] {
        fails(&[&torn, &out, &"--unit", &unit], "metres, from");
    }
    for rate in ["0", "-5", "1e9", "often"] {
        fails(&[&torn, &out, &"--rate", &rate], "a number from 1 to 1000");
    }
    for name in ["out.gltf", "out.txt", "out"] {
        let other = folder.path().join(name);
        fails(&[&assets("robot.glb"), &other], "must be a .glb, .vrm or .vrma file");
        assert!(!other.exists());
    }
    let fbx = folder.path().join("a.fbx");
    std::fs::write(&fbx, b"Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0").expect("a written file");
    fails(&[&fbx, &out], "FBX");
}

/// The avatar of the corpus with the animation of the corpus.
#[test]
fn a_vrm_animation_moves_an_avatar_and_a_knight() {
    let Some(corpora) = find("convert") else { return };
    let [animation, avatar, knight] = ["hips-spine-twisting.vrma", "vrm1-example.vrm", "kaykit-knight.glb"]
        .map(|name| corpora.join("characters").join(name));
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.glb");
    convert(&[&animation, &out, &"--retarget-to", &avatar]);
    let (made, was) = (load(&out), load(&avatar));
    assert_eq!((made.skeleton.clone(), made.humanoid.clone()), (was.skeleton, was.humanoid));
    assert!(made.avatar.is_some() && made.avatar == was.avatar, "extensions are kept");
    // As far as the hips turn in the animation, they turn in what was made of it, at every moment.
    let source = load(&animation);
    let spread = |asset: &Asset| {
        let clip = &asset.clips()[0];
        let hips = asset.rig().humanoid().get(HumanoidJoint::Hips).expect("hips");
        let turned = |step: u8| {
            let mut pose = asset.skeleton.bind_pose();
            sample_pose(clip, &asset.skeleton, clip.duration * f32::from(step) / 20.0, &mut pose);
            let mut models = vec![glam::Mat4::IDENTITY; pose.len()];
            model_matrices(&asset.skeleton, &pose, &mut models);
            models[usize::from(hips)].to_scale_rotation_translation().1
        };
        let first = turned(0);
        (0..=20).map(|step| turned(step).angle_between(first).to_degrees()).collect::<Vec<f32>>()
    };
    assert_eq!(source.animations[0].duration, made.animations[0].duration);
    let (wanted, found) = (spread(&source), spread(&made));
    assert!(wanted.iter().any(|angle| *angle > 5.0), "it moves: {wanted:?}");
    for (wanted, found) in wanted.iter().zip(&found) {
        assert!((wanted - found).abs() < 2.0, "{wanted} and {found} degrees");
    }
    convert(&[&animation, &out, &"--retarget-to", &knight]);
    assert_eq!(load(&out).animations.len(), load(&knight).animations.len() + 1);
}
