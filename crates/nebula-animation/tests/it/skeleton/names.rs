use glam::{Mat4, Quat, Vec3};
use nebula_animation::{Joint, Skeleton};

/// Joints in a row, by name.
fn skeleton(names: &[&str]) -> Skeleton {
    let joint = |(index, name): (usize, &&str)| Joint {
        index: index as u16,
        parent: None,
        inverse_bind_matrix: Mat4::IDENTITY,
        name: (*name).to_owned(),
        bind_translation: Vec3::ZERO,
        bind_rotation: Quat::IDENTITY,
        bind_scale: Vec3::ONE,
    };
    Skeleton { joints: names.iter().enumerate().map(joint).collect() }
}

const NAMES: [&str; 10] =
    ["Root", "Hips", "Spine", "Head", "LeftHand", "RightHand", "LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase"];

fn near(name: &str) -> Vec<String> {
    skeleton(&NAMES).require_joint(name).expect_err("there is no such joint").near
}

#[test]
fn a_joint_that_exists_is_found() {
    assert_eq!(skeleton(&NAMES).require_joint("RightHand"), Ok(5));
    assert_eq!(skeleton(&["a", "a"]).require_joint("a"), Ok(0), "the first of that name");
}

#[test]
fn slips_of_the_pen_and_other_conventions_come_first() {
    assert_eq!(near("RigthHand")[0], "RightHand");
    assert_eq!(near("hand_right")[0], "RightHand");
    assert_eq!(near("hand.R")[0..2], ["LeftHand", "RightHand"]);
    assert_eq!(near("right hand")[0], "RightHand");
    assert_eq!(near("lefthand")[0], "LeftHand");
    assert_eq!(near("Haed")[0], "Head");
    assert_eq!(near("mixamorig:Hips")[0], "Hips");
}

#[test]
fn what_has_nothing_in_common_is_not_listed() {
    assert_eq!(near("tentacle"), Vec::<String>::new());
    assert_eq!(near(""), Vec::<String>::new());
    assert!(near("LeftSomething").len() <= 5);
}

#[test]
fn the_message_says_what_was_asked_for_and_what_there_is() {
    let error = skeleton(&NAMES).require_joint("Right\nHand").expect_err("there is no such joint");
    let text = error.to_string();
    assert!(
        text.contains("\"Right\\nHand\"") && text.contains("10 joints") && text.contains("\"RightHand\""),
        "{text}"
    );
}

/// A name of a megabyte, in the file or in the question, is no reason to take minutes.
#[test]
fn long_names_are_compared_by_their_beginning() {
    let long = "Hand".repeat(250_000);
    let skeleton = skeleton(&[&long, "Hand"]);
    assert!(skeleton.require_joint("Hands").is_err());
    assert!(skeleton.require_joint(&format!("{long}s")).is_err());
}
