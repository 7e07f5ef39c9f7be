use std::path::Path;

use glam::{Mat4, Quat, Vec3};
use nebula_animation::{HumanoidJoint as J, HumanoidMap, Joint, Skeleton, load_skeleton_and_clips, skeleton::Side};

use Side::{Left, Right};

/// A skeleton from lines of `name`, indented by one space per level.
pub fn skeleton(text: &str) -> Skeleton {
    let mut above: Vec<u16> = Vec::new();
    let mut joints = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let depth = line.len() - line.trim_start().len();
        above.truncate(depth);
        let index = joints.len() as u16;
        joints.push(Joint {
            index,
            parent: above.last().copied(),
            inverse_bind_matrix: Mat4::IDENTITY,
            name: line.trim().to_owned(),
            bind_translation: Vec3::Y,
            bind_rotation: Quat::IDENTITY,
            bind_scale: Vec3::ONE,
        });
        above.push(index);
    }
    Skeleton { joints }
}

/// Checks the whole map against names.
pub fn check(skeleton: &Skeleton, expected: &[(J, &str)]) {
    let map = HumanoidMap::find(skeleton).expect("a humanoid");
    let found: Vec<(J, &str)> =
        map.iter().map(|(joint, index)| (joint, &*skeleton.joints[usize::from(index)].name)).collect();
    for (joint, name) in expected {
        let index = map.get(*joint).unwrap_or_else(|| panic!("{joint} was not found: {found:?}"));
        assert_eq!(skeleton.joints[usize::from(index)].name, *name, "{joint}");
    }
    assert_eq!(found.len(), expected.len(), "{found:?}");
}

/// What a side's joints are called: shoulder, upper arm, lower arm, hand, upper leg, lower leg, foot, toes.
pub fn sides(names: [[&'static str; 2]; 8]) -> Vec<(J, &'static str)> {
    let joints = [J::Shoulder, J::UpperArm, J::LowerArm, J::Hand, J::UpperLeg, J::LowerLeg, J::Foot, J::Toes];
    let mut all = Vec::new();
    for (joint, [left, right]) in joints.into_iter().zip(names) {
        all.extend([(joint(Left), left), (joint(Right), right)]);
    }
    all
}

/// VRM's own names, without capitals where a word begins, and joints named for themselves rather than their bones.
#[test]
fn names_of_bones_and_names_of_joints() {
    let vrm = skeleton(
        "\
hips
 spine
  chest
   neck
    head
     jaw
   leftUpperArm
    leftLowerArm
     leftHand
   rightUpperArm
    rightLowerArm
     rightHand
 leftUpperLeg
  leftLowerLeg
   leftFoot
    leftToes
 rightUpperLeg
  rightLowerLeg
   rightFoot
    rightToes
",
    );
    let map = HumanoidMap::find(&vrm).expect("a humanoid");
    assert_eq!(map.iter().count(), 20);
    assert_eq!(map.ribcage(), vrm.joint_by_name("chest"));

    let joints = skeleton(
        "\
Hips
 Spine
  Chest
   Neck
    Head
   Left shoulder
    Left arm
     Left elbow
      Left wrist
       Left hand
   Right shoulder
    Right arm
     Right elbow
      Right wrist
       Right hand
 Left hip
  Left knee
   Left ankle
    Left foot
 Right hip
  Right knee
   Right ankle
    Right foot
",
    );
    let map = HumanoidMap::find(&joints).expect("a humanoid");
    let name = |joint| &*joints.joints[usize::from(map.get(joint).expect("found"))].name;
    assert_eq!(name(J::UpperLeg(Left)), "Left hip");
    assert_eq!(name(J::Foot(Right)), "Right ankle");
    assert_eq!(name(J::Toes(Right)), "Right foot");
    assert_eq!(name(J::Hand(Left)), "Left wrist");
    assert_eq!(name(J::UpperArm(Left)), "Left arm");
    assert_eq!(name(J::Shoulder(Left)), "Left shoulder");

    // Where the arm begins at what is called the shoulder.
    let shoulders = skeleton(
        "\
Bip01 Pelvis
 Bip01 Spine
  Bip01 Neck
   Bip01 Head
  Clavicle_L
   Shoulder_L
    Elbow_L
     Hand_L
  Clavicle_R
   Shoulder_R
    Elbow_R
     Hand_R
 Bip01 L Thigh
  Bip01 L Calf
   Bip01 L Foot
    Bip01 L Toe0
 Bip01 R Thigh
  Bip01 R Calf
   Bip01 R Foot
    Bip01 R Toe0
",
    );
    let map = HumanoidMap::find(&shoulders).expect("a humanoid");
    let name = |joint| &*shoulders.joints[usize::from(map.get(joint).expect("found"))].name;
    assert_eq!(name(J::UpperArm(Left)), "Shoulder_L");
    assert_eq!(name(J::Shoulder(Left)), "Clavicle_L");
    assert_eq!(name(J::Toes(Right)), "Bip01 R Toe0");
}

/// Limbs whose pieces are numbered, and a neck that ends in the head: a sample file of Khronos.
#[test]
fn numbered_pieces() {
    let skeleton = skeleton(
        "\
torso_joint_1
 torso_joint_2
  torso_joint_3
   neck_joint_1
    neck_joint_2
   arm_joint_L_1
    arm_joint_L_2
     arm_joint_L_3
   arm_joint_R_1
    arm_joint_R_2
     arm_joint_R_3
 leg_joint_L_1
  leg_joint_L_2
   leg_joint_L_3
    leg_joint_L_5
 leg_joint_R_1
  leg_joint_R_2
   leg_joint_R_3
    leg_joint_R_5
",
    );
    let mut expected = vec![
        (J::Hips, "torso_joint_1"),
        (J::Spine, "torso_joint_2"),
        (J::Chest, "torso_joint_3"),
        (J::Neck, "neck_joint_1"),
        (J::Head, "neck_joint_2"),
    ];
    let limbs = sides([
        ["", ""],
        ["arm_joint_L_1", "arm_joint_R_1"],
        ["arm_joint_L_2", "arm_joint_R_2"],
        ["arm_joint_L_3", "arm_joint_R_3"],
        ["leg_joint_L_1", "leg_joint_R_1"],
        ["leg_joint_L_2", "leg_joint_R_2"],
        ["leg_joint_L_3", "leg_joint_R_3"],
        ["leg_joint_L_5", "leg_joint_R_5"],
    ]);
    expected.extend(limbs.into_iter().filter(|(_, name)| !name.is_empty()));
    check(&skeleton, &expected);
}

#[test]
fn the_characters_of_this_repository() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets");
    let (humanoid, _) = load_skeleton_and_clips(&folder.join("simple_humanoid.glb")).expect("the file loads");
    let map = HumanoidMap::find(&humanoid).expect("a humanoid");
    assert_eq!(map.iter().count(), 22, "all but jaw, eyes");
    let (robot, _) = load_skeleton_and_clips(&folder.join("robot.glb")).expect("the file loads");
    let map = HumanoidMap::find(&robot).expect("a humanoid");
    let name = |joint| &*robot.joints[usize::from(map.get(joint).expect("found"))].name;
    assert_eq!(name(J::Hips), "pelvis");
    assert_eq!(name(J::Spine), "torso");
    assert_eq!(name(J::Hand(Right)), "gripper.R");
    assert_eq!(name(J::LowerLeg(Left)), "shin.L");
}

#[test]
fn what_is_missing_is_listed() {
    let half = skeleton("hips\n spine\n  head\n  left upper arm\n   left lower arm\n    left hand\n");
    let error = HumanoidMap::find(&half).expect_err("half a body");
    assert!(error.missing.contains(&J::Foot(Left)) && error.missing.contains(&J::Hand(Right)), "{error}");
    assert!(!error.missing.contains(&J::Head) && !error.missing.contains(&J::Hand(Left)), "{error}");
    assert!(error.to_string().contains("no left foot") && error.to_string().contains("6 joints"), "{error}");
    let map = HumanoidMap::find_some(&half);
    assert_eq!(map.get(J::Head), Some(2));
    assert!(map.require(J::Foot(Left)).is_err());
    assert!(HumanoidMap::find(&Skeleton::default()).is_err());
}

#[test]
fn joints_can_be_given() {
    let skeleton = skeleton("alpha\n beta\n");
    let map = HumanoidMap::from_names(&skeleton, [(J::Hips, "alpha"), (J::Head, "beta")]).expect("they exist");
    assert_eq!((map.get(J::Hips), map.get(J::Head), map.get(J::Neck)), (Some(0), Some(1), None));
    assert_eq!(map.clone().without(J::Head).with(J::Neck, 1).get(J::Neck), Some(1));
    let error = HumanoidMap::from_names(&skeleton, [(J::Hips, "alpa")]).expect_err("there is no such joint");
    assert_eq!(error.near, ["alpha"]);
}

/// A chain as deep as there are indices, in which every joint has the same name, takes no time to speak of.
#[test]
fn deep_chains_of_equal_names_end() {
    for name in ["Head", "LeftLeg", "arm.L", "hips"] {
        let joints = (0..u16::MAX)
            .map(|index| Joint {
                index,
                parent: index.checked_sub(1),
                inverse_bind_matrix: Mat4::IDENTITY,
                name: name.to_owned(),
                bind_translation: Vec3::Y,
                bind_rotation: Quat::IDENTITY,
                bind_scale: Vec3::ONE,
            })
            .collect();
        assert!(HumanoidMap::find(&Skeleton { joints }).is_err());
    }
}
