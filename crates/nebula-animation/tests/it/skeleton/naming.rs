//! More of the names that joints have in the wild: prefixes, tools, motion capture, fingers.

use nebula_animation::HumanoidJoint as J;
use nebula_animation::skeleton::Side::{Left, Right};
use nebula_animation::skeleton::{Evidence, Finger};
use nebula_animation::{HumanoidMap, Skeleton};

use super::humanoid::skeleton;

fn name<'a>(skeleton: &'a Skeleton, map: &HumanoidMap, joint: J) -> &'a str {
    let found = map.get(joint).unwrap_or_else(|| panic!("no {joint}"));
    &skeleton.joints[usize::from(found)].name
}

/// Checks some joints of a skeleton in lines.
fn check(text: &str, expected: &[(J, &str)]) -> HumanoidMap {
    let skeleton = skeleton(text);
    let map = HumanoidMap::find(&skeleton).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    for (joint, expected) in expected {
        assert_eq!(name(&skeleton, &map, *joint), *expected, "{joint} of\n{text}");
    }
    map
}

const PLAIN: &str = "\
Hips
 Spine
  Chest
   Neck
    Head
   LeftShoulder
    LeftArm
     LeftForeArm
      LeftHand
   RightShoulder
    RightArm
     RightForeArm
      RightHand
 LeftUpLeg
  LeftLeg
   LeftFoot
    LeftToeBase
 RightUpLeg
  RightLeg
   RightFoot
    RightToeBase
";

#[test]
fn prefixes_of_models_and_namespaces() {
    for prefix in ["Model:", "Model_", "hero:rig:", "Hero", "Knight_Rig_", "Armature|", "mixamorig12:", "x7_", "bip_"] {
        let text: String =
            PLAIN.lines().map(|line| line.replacen(line.trim(), &format!("{prefix}{}\n", line.trim()), 1)).collect();
        let expected = |joint: &'static str| format!("{prefix}{joint}");
        let (hips, toes, arm) = (expected("Hips"), expected("LeftToeBase"), expected("RightForeArm"));
        let map = check(&text, &[(J::Hips, &hips), (J::Toes(Left), &toes), (J::LowerArm(Right), &arm)]);
        assert_eq!(map.iter().count(), 21, "{prefix}");
        assert_eq!(map.evidence(J::Hips), Some(Evidence::Name), "{prefix}");
    }
    for suffix in ["_Model", ".hero", "_jnt", "_bind", "_01"] {
        let text: String = PLAIN.lines().map(|line| format!("{line}{suffix}\n")).collect();
        assert_eq!(check(&text, &[]).iter().count(), 21, "{suffix}");
    }
}

#[test]
fn auto_rig_pro() {
    let side = |side: &str| {
        format!(
            "   shoulder.{side}
    c_arm_twist_offset.{side}
    arm_stretch.{side}
     arm_twist.{side}
     forearm_stretch.{side}
      forearm_twist.{side}
      hand.{side}
       c_thumb1.{side}
       index1.{side}
"
        )
    };
    let leg = |side: &str| {
        format!(
            " thigh_twist.{side}
 thigh_stretch.{side}
  leg_stretch.{side}
   leg_twist.{side}
   foot.{side}
    toes_01.{side}
"
        )
    };
    let text = format!(
        "root.x
 spine_01.x
  spine_02.x
   neck.x
    head.x
{}{}{}{}c_traj
",
        side("l"),
        side("r"),
        leg("l"),
        leg("r")
    );
    let map = check(
        &text,
        &[
            (J::Hips, "root.x"),
            (J::Spine, "spine_01.x"),
            (J::Chest, "spine_02.x"),
            (J::Neck, "neck.x"),
            (J::UpperArm(Left), "arm_stretch.l"),
            (J::LowerArm(Right), "forearm_stretch.r"),
            (J::UpperLeg(Right), "thigh_stretch.r"),
            (J::LowerLeg(Left), "leg_stretch.l"),
            (J::Toes(Left), "toes_01.l"),
        ],
    );
    assert_eq!(map.evidence(J::Hips), Some(Evidence::Hierarchy), "a root is no name of hips");
    assert!(map.certainty() < 0.95 && map.certainty() > 0.9, "{}", map.certainty());
}

#[test]
fn smpl_in_both_spellings() {
    let bodies = [("left_", "right_", ""), ("L_", "R_", ""), ("m_avg_L_", "m_avg_R_", "m_avg_")];
    for (left, right, prefix) in bodies {
        let leg = |side: &str| format!(" {side}hip\n  {side}knee\n   {side}ankle\n    {side}foot\n");
        let arm = |side: &str| {
            format!(
                "    {side}collar\n     {side}shoulder\n      {side}elbow\n       {side}wrist\n        {side}hand\n"
            )
        };
        let text = format!(
            "{prefix}pelvis\n{}{} {prefix}spine1\n  {prefix}spine2\n   {prefix}spine3\n    {prefix}neck\n     {prefix}head\n{}{}",
            leg(left),
            leg(right),
            arm(left),
            arm(right)
        );
        let joint = |part: &str| format!("{left}{part}");
        check(
            &text,
            &[
                (J::Hips, &format!("{prefix}pelvis")),
                (J::UpperLeg(Left), &joint("hip")),
                (J::Foot(Left), &joint("ankle")),
                (J::Toes(Left), &joint("foot")),
                (J::Shoulder(Left), &joint("collar")),
                (J::UpperArm(Left), &joint("shoulder")),
                (J::Hand(Left), &joint("wrist")),
                (J::UpperChest, &format!("{prefix}spine3")),
            ],
        );
    }
}

/// CMU's motion capture, whose hips have joints of their own for both sides.
#[test]
fn motion_capture() {
    let leg = |letter: &str, side: &str| {
        format!(" {letter}HipJoint\n  {side}UpLeg\n   {side}Leg\n    {side}Foot\n     {side}ToeBase\n")
    };
    let arm = |letter: &str, side: &str| {
        format!(
            "   {side}Shoulder\n    {side}Arm\n     {side}ForeArm\n      {side}Hand\n       {side}FingerBase\n        \
             {side}HandIndex1\n       {letter}Thumb\n"
        )
    };
    let text = format!(
        "Hips\n{}{} LowerBack\n  Spine\n   Spine1\n    Neck\n     Neck1\n      Head\n{}{}",
        leg("L", "Left"),
        leg("R", "Right"),
        arm("L", "Left").replace("\n ", "\n  ").replacen("   Left", "    Left", 1),
        arm("R", "Right").replace("\n ", "\n  ").replacen("   Right", "    Right", 1)
    );
    let map = check(
        &text,
        &[
            (J::Hips, "Hips"),
            (J::Spine, "LowerBack"),
            (J::UpperChest, "Spine1"),
            (J::Neck, "Neck"),
            (J::UpperLeg(Left), "LeftUpLeg"),
            (J::UpperLeg(Right), "RightUpLeg"),
            (J::UpperArm(Left), "LeftArm"),
        ],
    );
    let skeleton = skeleton(&text);
    assert_eq!(map.finger(Left, Finger::Thumb)[0], skeleton.joint_by_name("LThumb"));
    assert_eq!(map.finger(Right, Finger::Index)[0], skeleton.joint_by_name("RightHandIndex1"));
}

/// An IK rig of three.js's gallery: palms for hands, feet that hang from the root, hips that carry no legs.
#[test]
fn palms_are_hands_and_feet_may_hang_from_the_root() {
    let arm = |side: &str| {
        format!(
            "     Shoulder.{side}\n      UpperArm.{side}\n       LowerArm.{side}\n        Palm2.{side}\n         Middle1.{side}\n          \
             Middle2.{side}\n        Thumb.{side}\n         Thumb2.{side}\n        Palm1.{side}\n         Index.{side}\n"
        )
    };
    let text = format!(
        "Bone\n Foot.L\n Body\n  Hips\n   Abdomen\n    Torso\n     Neck\n      Head\n{}{}  UpperLeg.L\n   LowerLeg.L\n  UpperLeg.R\n   \
         LowerLeg.R\n PoleTarget.L\n Foot.R\n",
        arm("L"),
        arm("R")
    );
    let map = check(
        &text,
        &[
            (J::Hips, "Body"),
            (J::Spine, "Hips"),
            (J::UpperChest, "Torso"),
            (J::Hand(Left), "Palm2.L"),
            (J::Foot(Right), "Foot.R"),
        ],
    );
    let skeleton = skeleton(&text);
    let named = |names: [&str; 2]| names.map(|name| skeleton.joint_by_name(name));
    assert_eq!(map.finger(Left, Finger::Thumb)[..2], named(["Thumb.L", "Thumb2.L"]));
    assert_eq!(map.finger(Left, Finger::Middle)[..2], named(["Middle1.L", "Middle2.L"]));
    assert_eq!(map.finger(Left, Finger::Index)[0], skeleton.joint_by_name("Index.L"));
}

#[test]
fn fingers_in_the_words_of_tools() {
    let hands = |fingers: &str, left: &str| {
        let arms = format!("   LeftHand\n{fingers}");
        PLAIN.replace("      LeftHand\n", &arms.replace("   LeftHand", "      LeftHand")).replace("LeftHand", left)
    };
    for (joints, hand) in [
        (["LeftHandIndex1", "LeftHandIndex2", "LeftHandIndex3", "LeftHandIndex4_end"], "LeftHand"),
        (["index_01_l", "index_02_l", "index_03_l", "index_04_leaf_l"], "hand_l"),
        (["f_index.01.L", "f_index.02.L", "f_index.03.L", "f_index.03.L_end"], "hand.L"),
        (["J_Bip_L_Index1", "J_Bip_L_Index2", "J_Bip_L_Index3", "J_Bip_L_Index3_end"], "J_Bip_L_Hand"),
        (["Bip01 L Finger1", "Bip01 L Finger11", "Bip01 L Finger12", "Bip01 L Finger1Nub"], "Bip01 L Hand"),
        (["index.proximal.L", "index.intermediate.L", "index.distal.L", "index.tip.L"], "hand.L"),
    ] {
        let fingers: String =
            joints.iter().enumerate().map(|(depth, name)| format!("{}{name}\n", " ".repeat(7 + depth))).collect();
        let fingers = fingers.replace("LeftHand", "LEFTHAND");
        let text = hands(&fingers, hand).replace("LEFTHAND", "LeftHand");
        let skeleton = skeleton(&text);
        let map = HumanoidMap::find(&skeleton).unwrap_or_else(|error| panic!("{error}:\n{text}"));
        let expected = [0, 1, 2].map(|place| skeleton.joint_by_name(joints[place]));
        assert!(expected.iter().all(Option::is_some), "{text}");
        assert_eq!(map.finger(Left, Finger::Index), expected, "{text}");
        assert_eq!(map.finger(Left, Finger::Ring), [None; 3]);
    }
}
