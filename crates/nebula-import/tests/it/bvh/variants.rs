//! What other programs write: other ends of lines, letters, units, words, and counts that are wrong.

use glam::Vec3;
use nebula_animation::skeleton::{HumanoidJoint as J, HumanoidMap, Side};
use nebula_import::bvh::{Bvh, BvhError, BvhOptions};

use super::TWO;

fn read(text: &str) -> Result<Bvh, BvhError> {
    Bvh::read(text, &BvhOptions::default())
}

#[test]
fn white_space_and_letters_of_any_kind_are_read_alike() {
    let plain = read(TWO).expect("a sound file");
    let variants = [
        ("CRLF", TWO.replace('\n', "\r\n")),
        ("tabs", TWO.replace(' ', "\t")),
        ("BOM", format!("\u{feff}{TWO}")),
        ("no space", TWO.replace("Frames: 3", "Frames:3").replace("Time: 0.05", "Time:0.05")),
        ("space before the colon", TWO.replace("Frames: 3", "Frames : 3").replace("Time: 0.05", "Time :0.05")),
        ("small letters", TWO.to_lowercase()),
        ("large letters", TWO.to_uppercase()),
    ];
    for (what, text) in variants {
        let mut found =
            read(&text.replace("Upper\tChest", "Upper Chest")).unwrap_or_else(|error| panic!("{what}: {error}"));
        for (joint, own) in found.skeleton.joints.iter_mut().zip(&plain.skeleton.joints) {
            assert!(joint.name.eq_ignore_ascii_case(&own.name), "{what}: {}", joint.name);
            joint.name.clone_from(&own.name);
        }
        assert_eq!(found, plain, "{what}");
    }
}

#[test]
fn more_frames_than_the_file_says_are_read_and_told() {
    let bvh = read(&TWO.replace("Frames: 3", "Frames: 2")).expect("a sound file");
    assert_eq!(bvh.clip.rotation_channels[0].keyframes.len(), 3);
    assert_eq!(bvh.notes, ["says 2 frames and has 3: all are read"]);
    let cut = read(&format!("{TWO}93 1 2 0")).expect("whole frames are read");
    assert_eq!(cut.clip.rotation_channels[0].keyframes.len(), 3);
    assert_eq!(cut.notes, ["what follows frame 3 is none: left out"]);
    let words = read(&format!("{TWO}the end")).expect("whole frames are read");
    assert_eq!(words.notes, ["what follows frame 3 is none: left out"]);
}

/// A body of 165 in each unit: head over hips, and the hips' height in metres.
#[test]
fn units_are_found_by_the_size_of_a_human() {
    for (unit, tall) in [(1.0, 1.65), (0.3048, 5.413), (0.0254, 64.96), (0.01, 165.0), (0.001, 1650.0)] {
        let text = TWO
            .replace("OFFSET 0 50 0", &format!("OFFSET 0 {} 0", 0.3 * tall))
            .replace("OFFSET 0 115 0", &format!("OFFSET 0 {} 0", 0.7 * tall))
            .replace("\n90 1 2", &format!("\n{} 1 2", 0.55 * tall));
        let bvh = read(&text).expect("a sound file");
        assert_eq!(bvh.unit, unit, "{tall} units");
        let hips = bvh.clip.translation_channels[0].keyframes[0].value;
        assert!((hips.y - 0.9075).abs() < 1e-3, "{hips}");
        let head = bvh.skeleton.joints[1].bind_translation;
        assert!(head.abs_diff_eq(Vec3::Y * 0.495, 1e-3), "{head}");
    }
}

/// The words of ASF, from which HDM05 and others come.
#[test]
fn joints_with_the_names_of_anatomy_are_known() {
    let of = |side: &str| {
        format!(
            "JOINT {side}hipjoint {{ OFFSET 0 0 0 CHANNELS 0 JOINT {side}femur {{ OFFSET X 0 0 CHANNELS 0 JOINT {side}tibia {{ OFFSET 0 -40 0 CHANNELS 0
             JOINT {side}foot {{ OFFSET 0 -40 0 CHANNELS 0 JOINT {side}toes {{ OFFSET 0 -5 12 CHANNELS 0 }} }} }} }} }}"
        )
    };
    let arm = |side: &str| {
        format!(
            "JOINT {side}clavicle {{ OFFSET 0 0 0 CHANNELS 0 JOINT {side}humerus {{ OFFSET X 8 0 CHANNELS 0 JOINT {side}radius {{ OFFSET X 0 0 CHANNELS 0
             JOINT {side}wrist {{ OFFSET X 0 0 CHANNELS 0 JOINT {side}hand {{ OFFSET X 0 0 CHANNELS 0 }} }} }} }} }}"
        )
    };
    let side = |text: String, x: &str| text.replace('X', x);
    let text = format!(
        "HIERARCHY ROOT root {{ OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zposition {} {}
         JOINT lowerback {{ OFFSET 0 5 0 CHANNELS 0 JOINT upperback {{ OFFSET 0 12 0 CHANNELS 0 JOINT thorax {{ OFFSET 0 12 0 CHANNELS 0 {} {}
         JOINT lowerneck {{ OFFSET 0 12 0 CHANNELS 0 JOINT upperneck {{ OFFSET 0 5 0 CHANNELS 0 JOINT head {{ OFFSET 0 5 0 CHANNELS 0 }} }} }} }} }} }} }}
         MOTION Frames: 1 Frame Time: 0.1 0 90 0",
        side(of("l"), "10"),
        side(of("r"), "-10"),
        side(arm("l"), "26"),
        side(arm("r"), "-26")
    );
    let bvh = read(&text).unwrap_or_else(|error| panic!("{error}"));
    let map = HumanoidMap::find(&bvh.skeleton).unwrap_or_else(|error| panic!("{error}"));
    let name = |joint: J| map.get(joint).map(|joint| bvh.skeleton.joints[usize::from(joint)].name.as_str());
    for (joint, expected) in [
        (J::Hips, "root"),
        (J::Spine, "lowerback"),
        (J::UpperChest, "thorax"),
        (J::Neck, "lowerneck"),
        (J::Head, "head"),
        (J::UpperLeg(Side::Left), "lfemur"),
        (J::LowerLeg(Side::Left), "ltibia"),
        (J::Foot(Side::Right), "rfoot"),
        (J::Toes(Side::Right), "rtoes"),
        (J::Shoulder(Side::Left), "lclavicle"),
        (J::UpperArm(Side::Right), "rhumerus"),
        (J::LowerArm(Side::Right), "rradius"),
        (J::Hand(Side::Left), "lwrist"),
    ] {
        assert_eq!(name(joint), Some(expected), "{joint:?}");
        let by_name = format!("{:?}", map.evidence(joint));
        let is_read = by_name.contains("Name") || joint == J::Hips;
        assert!(is_read, "{joint:?} is known by {by_name}");
    }
}
