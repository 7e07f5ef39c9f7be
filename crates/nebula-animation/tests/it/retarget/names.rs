use nebula_animation::retarget::mirrored_name;

#[test]
fn sides_are_found_in_the_names_of_all_common_rigs() {
    let pairs = [
        ("LeftArm", "RightArm"),
        ("mixamorig:LeftHandIndex1", "mixamorig:RightHandIndex1"),
        ("mixamorigLeftUpLeg", "mixamorigRightUpLeg"),
        ("upperarm_l", "upperarm_r"),
        ("thigh_twist_01_l", "thigh_twist_01_r"),
        ("Hand.L", "Hand.R"),
        ("finger.l.001", "finger.r.001"),
        ("Bip01 L Thigh", "Bip01 R Thigh"),
        ("L_Foot", "R_Foot"),
        ("J_Bip_L_UpperArm", "J_Bip_R_UpperArm"),
        ("lThighBend", "rThighBend"),
        ("LClavicle", "RClavicle"),
        ("handL", "handR"),
        ("hand_left", "hand_right"),
        ("LEFT_KNEE", "RIGHT_KNEE"),
        ("leg_L0_0_jnt", "leg_R0_0_jnt"),
        ("left_down", "right_down"),
    ];
    for (left, right) in pairs {
        assert_eq!(mirrored_name(left).as_deref(), Some(right));
        assert_eq!(mirrored_name(right).as_deref(), Some(left));
    }
    for neither in ["Hips", "Spine1", "Neck", "Leg", "Roll", "tail", "Clavicle", "", "Ärger", "girl"] {
        assert_eq!(mirrored_name(neither), None, "{neither}");
    }
}
