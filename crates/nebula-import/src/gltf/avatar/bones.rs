//! VRM's names for the joints of a humanoid.

use nebula_animation::skeleton::{Evidence, Finger, Side};
use nebula_animation::{Asset, HumanoidJoint as J, HumanoidMap};
use serde_json::{Map, Value, json};

/// Names and nodes: what the file or code said, and the fingers. What names of joints tell, they tell again.
pub(super) fn list(map: &HumanoidMap, is_old: bool) -> Vec<(String, u16)> {
    let is_said = |joint: J| matches!(map.evidence(joint), Some(Evidence::File | Evidence::Given));
    let joints = map.iter().filter(|(joint, _)| is_said(*joint)).map(|(joint, index)| (name(joint), index));
    let mut all: Vec<(String, u16)> = joints.collect();
    for side in Side::BOTH {
        for (finger, word) in [
            (Finger::Thumb, "Thumb"),
            (Finger::Index, "Index"),
            (Finger::Middle, "Middle"),
            (Finger::Ring, "Ring"),
            (Finger::Little, "Little"),
        ] {
            // VRM 0.x counts the joints of a thumb from another one on.
            let parts = match finger {
                Finger::Thumb if !is_old => ["Metacarpal", "Proximal", "Distal"],
                _ => ["Proximal", "Intermediate", "Distal"],
            };
            let joints = map.finger(side, finger).into_iter().zip(parts);
            all.extend(joints.filter_map(|(joint, part)| Some((format!("{}{word}{part}", of(side)), joint?))));
        }
    }
    all
}

/// The map of a file without an avatar, by the names of joints that no other has.
pub(super) fn mapping(asset: &Asset) -> Option<Value> {
    let names: Vec<&str> = asset.skeleton.joints.iter().map(|joint| joint.name.as_str()).collect();
    let is_single = |name: &str| !name.is_empty() && names.iter().filter(|other| **other == name).count() == 1;
    let bones = list(asset.humanoid.as_ref()?, false);
    let named = bones.into_iter().filter_map(|(bone, joint)| Some((*names.get(usize::from(joint))?, bone)));
    let map: Map<String, Value> =
        named.filter(|(name, _)| is_single(name)).map(|(name, bone)| (name.to_owned(), json!(bone))).collect();
    (!map.is_empty()).then(|| json!({ "skeletalRigMappings": { "vrmHumanoid": map } }))
}

fn of(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

fn name(joint: J) -> String {
    let (side, part) = match joint {
        J::Hips => return "hips".into(),
        J::Spine => return "spine".into(),
        J::Chest => return "chest".into(),
        J::UpperChest => return "upperChest".into(),
        J::Neck => return "neck".into(),
        J::Head => return "head".into(),
        J::Jaw => return "jaw".into(),
        J::Eye(side) => (side, "Eye"),
        J::Shoulder(side) => (side, "Shoulder"),
        J::UpperArm(side) => (side, "UpperArm"),
        J::LowerArm(side) => (side, "LowerArm"),
        J::Hand(side) => (side, "Hand"),
        J::UpperLeg(side) => (side, "UpperLeg"),
        J::LowerLeg(side) => (side, "LowerLeg"),
        J::Foot(side) => (side, "Foot"),
        J::Toes(side) => (side, "Toes"),
    };
    format!("{}{part}", of(side))
}
