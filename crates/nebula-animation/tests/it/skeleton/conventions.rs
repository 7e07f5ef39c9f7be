//! The names that tools give the joints of humans.

use nebula_animation::HumanoidJoint as J;
use nebula_animation::skeleton::Side::{Left, Right};

use super::humanoid::{check, sides, skeleton};

fn mixamo(prefix: &str) -> String {
    let plain = "\
Hips
 Spine
  Spine1
   Spine2
    Neck
     Head
      HeadTop_End
      LeftEye
      RightEye
    LeftShoulder
     LeftArm
      LeftForeArm
       LeftHand
        LeftHandThumb1
         LeftHandThumb2
        LeftHandIndex1
    RightShoulder
     RightArm
      RightForeArm
       RightHand
        RightHandThumb1
 LeftUpLeg
  LeftLeg
   LeftFoot
    LeftToeBase
     LeftToe_End
 RightUpLeg
  RightLeg
   RightFoot
    RightToeBase
     RightToe_End
";
    plain.lines().map(|line| line.replacen(line.trim(), &format!("{prefix}{}\n", line.trim()), 1)).collect()
}

#[test]
fn mixamo_with_any_prefix() {
    for prefix in ["mixamorig:", "mixamorig1:", "mixamorig", "mixamorig9", "", "Armature|", "Character1_"] {
        let skeleton = skeleton(&mixamo(prefix));
        let names = [
            (J::Hips, "Hips"),
            (J::Spine, "Spine"),
            (J::Chest, "Spine1"),
            (J::UpperChest, "Spine2"),
            (J::Neck, "Neck"),
            (J::Head, "Head"),
            (J::Eye(Left), "LeftEye"),
            (J::Eye(Right), "RightEye"),
        ];
        let limbs = sides([
            ["LeftShoulder", "RightShoulder"],
            ["LeftArm", "RightArm"],
            ["LeftForeArm", "RightForeArm"],
            ["LeftHand", "RightHand"],
            ["LeftUpLeg", "RightUpLeg"],
            ["LeftLeg", "RightLeg"],
            ["LeftFoot", "RightFoot"],
            ["LeftToeBase", "RightToeBase"],
        ]);
        let prefixed: Vec<(J, String)> =
            names.into_iter().chain(limbs).map(|(joint, name)| (joint, format!("{prefix}{name}"))).collect();
        let expected: Vec<(J, &str)> = prefixed.iter().map(|(joint, name)| (*joint, name.as_str())).collect();
        check(&skeleton, &expected);
    }
}

#[test]
fn unreal_with_twist_and_ik_joints() {
    let skeleton = skeleton(
        "\
root
 pelvis
  spine_01
   spine_02
    spine_03
     spine_04
      spine_05
       clavicle_l
        upperarm_l
         upperarm_twist_01_l
         lowerarm_l
          lowerarm_twist_01_l
          hand_l
           index_01_l
       clavicle_r
        upperarm_r
         lowerarm_r
          hand_r
       neck_01
        neck_02
         head
  thigh_l
   thigh_twist_01_l
   calf_l
    calf_twist_01_l
    foot_l
     ball_l
  thigh_r
   calf_r
    foot_r
     ball_r
 ik_foot_root
  ik_foot_l
  ik_foot_r
 ik_hand_root
  ik_hand_gun
   ik_hand_l
   ik_hand_r
",
    );
    let mut expected = vec![
        (J::Hips, "pelvis"),
        (J::Spine, "spine_01"),
        (J::Chest, "spine_03"),
        (J::UpperChest, "spine_05"),
        (J::Neck, "neck_01"),
        (J::Head, "head"),
    ];
    expected.extend(sides([
        ["clavicle_l", "clavicle_r"],
        ["upperarm_l", "upperarm_r"],
        ["lowerarm_l", "lowerarm_r"],
        ["hand_l", "hand_r"],
        ["thigh_l", "thigh_r"],
        ["calf_l", "calf_r"],
        ["foot_l", "foot_r"],
        ["ball_l", "ball_r"],
    ]));
    check(&skeleton, &expected);
}

/// The deforming joints of Rigify's human, whose hips and head are the ends of one numbered spine, beside those that they
/// were made from.
#[test]
fn rigify_has_a_spine_from_hips_to_head() {
    let skeleton = skeleton(
        "\
root
 ORG-thigh.L
  ORG-shin.L
 DEF-spine
  DEF-pelvis.L
  DEF-pelvis.R
  DEF-thigh.L
   DEF-thigh.L.001
    DEF-shin.L
     DEF-shin.L.001
      DEF-foot.L
       DEF-toe.L
  DEF-thigh.R
   DEF-thigh.R.001
    DEF-shin.R
     DEF-shin.R.001
      DEF-foot.R
       DEF-toe.R
  DEF-spine.001
   DEF-spine.002
    DEF-spine.003
     DEF-breast.L
     DEF-shoulder.L
      DEF-upper_arm.L
       DEF-upper_arm.L.001
        DEF-forearm.L
         DEF-forearm.L.001
          DEF-hand.L
           DEF-thumb.01.L
     DEF-shoulder.R
      DEF-upper_arm.R
       DEF-upper_arm.R.001
        DEF-forearm.R
         DEF-forearm.R.001
          DEF-hand.R
     DEF-spine.004
      DEF-spine.005
       DEF-spine.006
 MCH-foot_ik.L
",
    );
    let mut expected = vec![
        (J::Hips, "DEF-spine"),
        (J::Spine, "DEF-spine.001"),
        (J::Chest, "DEF-spine.002"),
        (J::UpperChest, "DEF-spine.003"),
        (J::Neck, "DEF-spine.004"),
        (J::Head, "DEF-spine.006"),
    ];
    expected.extend(sides([
        ["DEF-shoulder.L", "DEF-shoulder.R"],
        ["DEF-upper_arm.L", "DEF-upper_arm.R"],
        ["DEF-forearm.L", "DEF-forearm.R"],
        ["DEF-hand.L", "DEF-hand.R"],
        ["DEF-thigh.L", "DEF-thigh.R"],
        ["DEF-shin.L", "DEF-shin.R"],
        ["DEF-foot.L", "DEF-foot.R"],
        ["DEF-toe.L", "DEF-toe.R"],
    ]));
    check(&skeleton, &expected);
}

#[test]
fn vrm_as_vroid_names_it() {
    let skeleton = skeleton(
        "\
Root
 J_Bip_C_Hips
  J_Bip_C_Spine
   J_Bip_C_Chest
    J_Bip_C_UpperChest
     J_Bip_C_Neck
      J_Bip_C_Head
       J_Adj_L_FaceEye
       J_Adj_R_FaceEye
       J_Sec_Hair1_01
     J_Bip_L_Shoulder
      J_Bip_L_UpperArm
       J_Bip_L_LowerArm
        J_Bip_L_Hand
         J_Bip_L_Index1
     J_Bip_R_Shoulder
      J_Bip_R_UpperArm
       J_Bip_R_LowerArm
        J_Bip_R_Hand
  J_Bip_L_UpperLeg
   J_Bip_L_LowerLeg
    J_Bip_L_Foot
     J_Bip_L_ToeBase
  J_Bip_R_UpperLeg
   J_Bip_R_LowerLeg
    J_Bip_R_Foot
     J_Bip_R_ToeBase
",
    );
    let mut expected = vec![
        (J::Hips, "J_Bip_C_Hips"),
        (J::Spine, "J_Bip_C_Spine"),
        (J::Chest, "J_Bip_C_Chest"),
        (J::UpperChest, "J_Bip_C_UpperChest"),
        (J::Neck, "J_Bip_C_Neck"),
        (J::Head, "J_Bip_C_Head"),
        (J::Eye(Left), "J_Adj_L_FaceEye"),
        (J::Eye(Right), "J_Adj_R_FaceEye"),
    ];
    expected.extend(sides([
        ["J_Bip_L_Shoulder", "J_Bip_R_Shoulder"],
        ["J_Bip_L_UpperArm", "J_Bip_R_UpperArm"],
        ["J_Bip_L_LowerArm", "J_Bip_R_LowerArm"],
        ["J_Bip_L_Hand", "J_Bip_R_Hand"],
        ["J_Bip_L_UpperLeg", "J_Bip_R_UpperLeg"],
        ["J_Bip_L_LowerLeg", "J_Bip_R_LowerLeg"],
        ["J_Bip_L_Foot", "J_Bip_R_Foot"],
        ["J_Bip_L_ToeBase", "J_Bip_R_ToeBase"],
    ]));
    check(&skeleton, &expected);
}
