//! Files as programs write them: binary, with takes that hold nothing or say nothing of their length, and with pivots.

use std::path::Path;

use super::binary::binary;
use super::{apart, asset, compare, text};

/// What Mixamo writes: an empty take in front of the one that moves.
fn mixamo(text: &str) -> String {
    let empty = "AnimationStack: 290, \"AnimStack::Take 001\", \"\" {\n}\nAnimationLayer: 291, \"AnimLayer::BaseLayer\", \"\" {\n}\n";
    let made = text.replace("AnimStack::Take 001", "AnimStack::mixamo.com");
    let made = made.replace("AnimationStack: 300", &format!("{empty}AnimationStack: 300"));
    let made = made.replace("Connections: {\n", "Connections: {\nC: \"OO\",291,290\n");
    assert!(made.contains("mixamo.com") && made.contains("Take 001") && made.contains("291,290"));
    made
}

/// A stack that begins and ends at 0.
fn timeless(text: &str) -> String {
    let stop = 46_186_158_000_i64 / 4 * 3;
    let made = text.replace(&format!("\"\",{stop}\n"), "\"\",0\n");
    assert_eq!(made.matches("\"KTime\", \"Time\", \"\",0").count(), 2);
    made
}

/// Limbs that turn and grow about points of their own, and are turned once more behind that.
fn with_pivots(text: &str) -> String {
    let pivots = "P: \"RotationActive\", \"bool\", \"\", \"\",1\n\
        P: \"RotationOffset\", \"Vector3D\", \"Vector\", \"\",1,-2,3\n P: \"RotationPivot\", \"Vector3D\", \"Vector\", \"\",0,4,-1\n\
        P: \"ScalingOffset\", \"Vector3D\", \"Vector\", \"\",0.5,0,-1\n P: \"ScalingPivot\", \"Vector3D\", \"Vector\", \"\",2,1,0\n\
        P: \"PostRotation\", \"Vector3D\", \"Vector\", \"\",5,-10,20\n\
        P: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",1.1,1.1,1.1";
    let made = text.replace("P: \"RotationActive\", \"bool\", \"\", \"\",1", pivots);
    assert_eq!(made.matches("PostRotation").count(), 3);
    made
}

#[test]
fn binary_files_have_the_poses_of_ufbx() {
    for (up, unit) in [(1, 1.0), (2, 1.0), (1, 100.0)] {
        for version in [7400, 7500] {
            compare(&binary(&text(up, unit), version), &format!("{version}, axis {up}, unit {unit}"));
        }
    }
}

/// Whatever it is written in: the same poses, meshes and weights.
#[test]
fn binary_files_are_those_of_the_text() {
    let plain = asset(text(1, 1.0).as_bytes());
    for version in [7400, 7500] {
        let found = asset(&binary(&text(1, 1.0), version));
        assert_eq!((&found.skeleton, &found.animations), (&plain.skeleton, &plain.animations), "{version}");
        assert!(found.meshes == plain.meshes && found.skins == plain.skins, "{version}");
        assert_eq!(found.morphs, plain.morphs, "{version}");
    }
}

#[test]
fn empty_takes_are_left_out_and_the_other_is_called_as_the_file() {
    let text = mixamo(&text(1, 1.0));
    for bytes in [text.clone().into_bytes(), binary(&text, 7400), binary(&text, 7500)] {
        let made = asset(&bytes);
        let names: Vec<&str> = made.animations.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["wave"]);
        assert_eq!(made.animations[0].duration, 0.75);
        let (most, count) = apart(&bytes, 1);
        assert!(most < 1e-4 && count > 100, "{most} of {count}");
    }
}

/// Exporters forget how long a take is: all keys are played.
#[test]
fn a_take_without_a_length_is_as_long_as_its_keys() {
    let text = timeless(&text(1, 1.0));
    for bytes in [text.clone().into_bytes(), binary(&text, 7400)] {
        assert_eq!(asset(&bytes).animations[0].duration, 0.75);
        let (most, count) = apart(&bytes, 0);
        assert!(most < 1e-4 && count > 100, "{most} of {count}");
    }
}

#[test]
fn pivots_offsets_and_rotations_behind_are_those_of_ufbx() {
    let text = with_pivots(&text(1, 1.0));
    let plain = asset(self::text(1, 1.0).as_bytes());
    for bytes in [text.clone().into_bytes(), binary(&text, 7500)] {
        compare(&bytes, "pivots");
        assert_ne!(asset(&bytes).skeleton, plain.skeleton, "they count");
    }
}

/// The fuzz target begins with binary files too.
#[test]
fn kept_seeds_are_files_of_these_tests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/fbx");
    let seeds = [
        ("binary-32", binary(&mixamo(&text(1, 1.0)), 7400)),
        ("binary-64", binary(&with_pivots(&text(2, 100.0)), 7500)),
    ];
    for (name, bytes) in seeds {
        let file = folder.join(name);
        if std::env::var_os("NEBULA_ACCEPT").is_some_and(|value| value == "1") {
            std::fs::write(&file, &bytes).expect("a written seed");
        }
        assert!(std::fs::read(&file).is_ok_and(|kept| kept == bytes), "NEBULA_ACCEPT=1 writes {}", file.display());
    }
}

#[test]
fn damaged_binary_files_are_errors() {
    let whole = binary(&mixamo(&text(1, 1.0)), 7400);
    let mut seed = 9_u32;
    for round in 0..600_usize {
        let mut bytes = whole.clone();
        for _ in 0..=round % 3 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = (seed >> 8) as usize % bytes.len();
            bytes[at] = (seed >> 3) as u8;
        }
        if round % 4 == 0 {
            bytes.truncate(round * 37 % bytes.len());
        }
        let read = nebula_import::fbx::read(&bytes, &nebula_import::fbx::FbxOptions::default());
        let _ = read.map(|(document, _)| document.into_glb());
    }
}
