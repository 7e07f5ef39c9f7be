//! `nebula-demo compress`: what it tells is true of the file that it writes, and what it cannot read is an error with a name.

mod recorded;

use std::path::{Path, PathBuf};

use glam::{Mat4, Vec3};
use nebula_animation::{Asset, palette::model_matrices, sample_pose};
use serde_json::Value;

use crate::corpus::{find, run};

fn humanoid() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../nebula-animation/test_assets/simple_humanoid.glb")
}

fn told(arguments: &[&str]) -> Value {
    let output = run(&[&["compress"], arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("a JSON document")
}

/// The largest distance of points 3 cm from joints at the keys of the clips of two files, in metres.
fn apart(authored: &Path, decoded: &Path) -> f32 {
    let [a, b] = [authored, decoded].map(|file| Asset::load(file).expect("a file"));
    assert_eq!(a.clips().len(), b.clips().len());
    let mut worst = 0.0_f32;
    for (own, others) in a.clips().iter().zip(b.clips().iter()) {
        assert_eq!(own.name, others.name);
        let keys = own.rotation_channels.iter().max_by_key(|channel| channel.keyframes.len()).expect("a channel");
        for key in &keys.keyframes {
            let [a, b] = [(&a, own), (&b, others)].map(|(asset, clip)| {
                let mut pose = asset.skeleton.bind_pose();
                sample_pose(clip, &asset.skeleton, key.time, &mut pose);
                let mut models = vec![Mat4::IDENTITY; pose.len()];
                model_matrices(&asset.skeleton, &pose, &mut models);
                models
            });
            for (a, b) in a.iter().zip(&b) {
                for axis in Vec3::AXES {
                    worst = worst.max(a.transform_point3(0.03 * axis).distance(b.transform_point3(0.03 * axis)));
                }
            }
        }
    }
    worst
}

#[test]
fn what_is_told_is_true_of_the_file_that_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, out) = (humanoid(), folder.path().join("decoded.glb"));
    for (error, bound) in [("0.1mm", 1e-4), ("1mm", 1e-3)] {
        let page = told(&[&file.to_string_lossy(), "--error", error, "--out", &out.to_string_lossy()]);
        let clips = page["clips"].as_array().expect("clips");
        assert_eq!(clips.len(), Asset::load(&file).expect("the humanoid").clips().len());
        let sum = |member: &str| clips.iter().map(|clip| clip[member].as_u64().expect(member)).sum::<u64>();
        for member in ["raw_bytes", "bytes", "samples"] {
            assert_eq!(page["total"][member].as_u64(), Some(sum(member)), "{member}");
        }
        // The same members, whatever is asked of them.
        let members = |row: &Value| row.as_object().expect("a row").keys().cloned().collect::<Vec<_>>();
        assert!(clips.iter().all(|clip| members(clip) == members(&page["total"])), "{page}");
        let number = |member: &str| page["total"][member].as_f64().expect(member);
        assert!((number("ratio") - sum("raw_bytes") as f64 / sum("bytes") as f64).abs() < 1e-9);
        assert!(number("max_error") <= bound && number("p99_error") <= number("max_error"), "{page}");
        // By the file, read and posed by the plain path; beside the bound, what single precision makes of the numbers.
        let found = f64::from(apart(&file, &out));
        assert!(found > 0.2 * bound && found <= 1.01 * bound, "{error}: {found}");
    }
}

/// Clips in a file that a game loads without glTF.
#[test]
fn compiled_clips_are_written_and_read() {
    use nebula_animation::AnimationClipLibrary;
    let folder = tempfile::tempdir().expect("a folder");
    let (file, out) = (humanoid(), folder.path().join("humanoid.clips"));
    told(&[&file.to_string_lossy(), "--out", &out.to_string_lossy()]);
    let asset = Asset::load_with(
        &file,
        &nebula_animation::asset::LoadOptions {
            meshes: nebula_animation::asset::MeshSelection::All,
            ..Default::default()
        },
    )
    .expect("the humanoid");
    let bytes = std::fs::read(&out).expect("the file");
    assert!(bytes.len() < 200_000, "{} bytes", bytes.len());
    let library = AnimationClipLibrary::from_bytes(&asset.rig(), bytes).expect("clips of the humanoid");
    assert_eq!(library.len(), asset.clips().len());
    // Clips of two rigs are no library.
    let output = run(&["compress", &file.to_string_lossy(), &file.to_string_lossy(), "--out", &out.to_string_lossy()]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("humanoid.clips"), "{said}");
}

/// What could not be written is told before minutes are spent on it: before files are even read.
#[test]
fn where_nothing_can_be_written_nothing_is_worked_out() {
    let folder = tempfile::tempdir().expect("a folder");
    for (out, expected) in
        [("decoded.gltf", "to a .glb file or a folder"), ("missing/decoded.glb", "there is no folder")]
    {
        let out = folder.path().join(out);
        let output = run(&["compress", "nothere.glb", "--out", &out.to_string_lossy()]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && said.contains(expected), "{said}");
        assert!(!out.exists());
    }
    // The file that was read stays.
    let file = folder.path().join("hero.glb");
    std::fs::copy(humanoid(), &file).expect("a copy");
    let output = run(&["compress", &file.to_string_lossy(), "--out", &folder.path().to_string_lossy()]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("it is one of the input files"), "{said}");
    assert_eq!(std::fs::read(&file).ok(), std::fs::read(humanoid()).ok());
}

#[test]
fn recordings_are_read_and_their_bound_is_kept() {
    let Some(folder) = find("recordings_are_read_and_their_bound_is_kept") else { return };
    let file = folder.join("motion/cmu/05_06.bvh");
    let page = told(&[&file.to_string_lossy(), "--rate", "24"]);
    let clip = &page["clips"][0];
    assert_eq!((clip["joints"].as_u64(), clip["is_compressed"].as_bool()), (Some(31), Some(true)));
    assert!(clip["max_error"].as_f64().is_some_and(|error| error <= 1e-4), "{clip}");
    assert!(clip["ratio"].as_f64().is_some_and(|ratio| ratio > 8.0), "{clip}");
}

#[test]
fn what_cannot_be_compressed_is_one_line_that_names_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_string_lossy().into_owned()
    };
    let still = file("still.gltf", r#"{"asset": {"version": "2.0"}, "nodes": [{"name": "alone"}]}"#);
    let torn = file("torn.bvh", "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0\n}");
    for (file, words) in [
        (still.as_str(), ["still.gltf", "no clips"]),
        (torn.as_str(), ["torn.bvh", "line"]),
        ("nothere.glb", ["nothere.glb", "No such file"]),
    ] {
        let output = run(&["compress", file]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{said}");
        assert!(words.iter().all(|word| said.contains(word)), "{words:?} in {said}");
    }
}
