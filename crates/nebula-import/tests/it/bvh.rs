mod rest;
mod variants;

use glam::{DQuat, Vec3};
use nebula_import::bvh::{Bvh, BvhError, BvhFault, BvhOptions};

/// A spine of two joints, with channels in an order that no two joints share.
pub const TWO: &str = "HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Yposition Xposition Zposition Xrotation Zrotation Yrotation
  JOINT Upper Chest {
    OFFSET 0 50 0
    CHANNELS 3 Yrotation Xrotation Zrotation
    End Site
    {
      OFFSET 0 115 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.05
90 1 2 0 0 0 0 0 0
91 1 2 10 20 30 40 50 60
92 1 2 20 40 60 80 100 120
";

fn read(text: &str) -> Result<Bvh, BvhError> {
    Bvh::read(text, &BvhOptions::default())
}

#[test]
fn channels_are_taken_in_their_order() {
    let bvh = read(TWO).expect("a sound file");
    assert_eq!(bvh.unit, 0.01, "165 units are a human in centimetres");
    assert!((bvh.rate - 20.0).abs() < 1e-9);
    let names: Vec<&str> = bvh.skeleton.joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["Hips", "Upper Chest"]);
    let hips = &bvh.clip.translation_channels[0].keyframes[1].value;
    assert!(hips.abs_diff_eq(Vec3::new(0.01, 0.91, 0.02), 1e-6), "{hips}");
    let [x, y, z] = [10.0_f64, 30.0, 20.0].map(f64::to_radians);
    let expected = DQuat::from_rotation_x(x) * DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y);
    let turn = bvh.clip.rotation_channels[0].keyframes[1].value.as_dquat();
    assert!(turn.abs_diff_eq(expected, 1e-6) || turn.abs_diff_eq(-expected, 1e-6), "{turn}");
}

#[test]
fn frames_are_left_out_where_that_is_asked_for() {
    let options = BvhOptions { drops_first_frame: true, every: 2, unit: Some(1.0), ..BvhOptions::default() };
    let bvh = Bvh::read(TWO, &options).expect("a sound file");
    let keys = &bvh.clip.translation_channels[0].keyframes;
    assert_eq!((keys.len(), keys[0].value.y, bvh.clip.duration), (1, 91.0, 0.0));
}

#[test]
fn what_is_wrong_is_said_with_its_line_and_joint() {
    let error = read(&TWO.replace("0 50 0", "0 fifty 0")).expect_err("no number");
    assert_eq!((error.line, error.joint.as_str()), (7, "Upper Chest"));
    assert_eq!(error.to_string(), "line 7, joint \"Upper Chest\": expected a number, found \"fifty\"");
    let error = read(&TWO.replace("3 Yrotation", "3 Wrotation")).expect_err("no channel");
    assert_eq!((error.line, error.fault), (8, BvhFault::Channel("Wrotation".into())));
    let error = read(&TWO.replace("Frames: 3", "Frames: 4")).expect_err("a frame is missing");
    assert!(matches!(error.fault, BvhFault::Expected { expected: "a number", .. }), "{error}");
    for text in ["", "HIERARCHY", "HIERARCHY MOTION Frames: 1 Frame Time: 1", "HIERARCHY ROOT a { } }", "}{", "\u{0}"] {
        assert!(read(text).is_err(), "{text:?}");
    }
}

#[test]
fn no_prefix_and_no_flipped_byte_is_a_panic() {
    for end in 0..TWO.len() {
        let _ = read(&TWO[..end]);
        for byte in [b'0', b'{', b'}', b'-', b'e', b' ', 0xff] {
            let mut bytes = TWO.as_bytes().to_vec();
            bytes[end] = byte;
            let _ = read(&String::from_utf8_lossy(&bytes));
        }
    }
}

#[test]
fn deep_and_large_claims_take_no_memory() {
    let deep = format!("HIERARCHY {}", "ROOT a { ".to_owned() + &"JOINT a { ".repeat(100_000));
    assert_eq!(read(&deep).expect_err("too deep").fault, BvhFault::TooDeep(1024));
    let wide = format!("HIERARCHY ROOT a {{ {}", "JOINT b { } ".repeat(5000));
    assert_eq!(read(&wide).expect_err("too many").fault, BvhFault::TooManyJoints(4096));
    // A name of a megabyte is a name, and no part of every word after it; a message has its beginning.
    let long = TWO.replace("ROOT Hips", &format!("ROOT {}", "H".repeat(1 << 20)));
    let words = long.replace("OFFSET 0 0 0\n", &"OFFSET 0 0 0\n".repeat(20_000));
    assert_eq!(read(&words).expect("long, but sound").skeleton.joints[0].name.len(), 1 << 20);
    let error = read(&words.replace("CHANNELS 6", "CHANNELS six")).expect_err("no number");
    assert_eq!(error.joint.len(), 40);
    assert!(read(&TWO.replace("Frames: 3", "Frames: 999999999")).is_err());
    assert!(read(&TWO.replace("CHANNELS 3", "CHANNELS 999999999")).is_err());
}
