//! The humanoid joints that a file declares: `VRMC_vrm` (VRM 1.0), `VRM` (VRM 0.x), `VRMC_vrm_animation`, and Khronos's
//! drafts `KHR_character` with `KHR_character_skeleton_mapping`. An error in them drops an entry, never the file.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::document::Document;
use super::error::{AnimationLoadError, escaped};
use super::report::Report;
use crate::skeleton::{Evidence, Finger, HumanoidJoint as J, HumanoidMap, Side, Skeleton};

/// A node that a file calls a joint of a humanoid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bone {
    meaning: Meaning,
    pub node: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Joint(J),
    /// A finger and its joint, counted from the hand.
    Finger(Side, Finger, usize),
}

/// The joints that the extensions name, in the order of the file.
pub(super) fn load(document: &Document, report: &mut Report) -> Result<Vec<Bone>, AnimationLoadError> {
    let extensions = &document.extensions;
    let known = [
        ("VRMC_vrm", extensions.vrmc_vrm),
        ("VRMC_vrm_animation", extensions.vrmc_vrm_animation),
        ("VRM", extensions.vrm),
        ("KHR_character_skeleton_mapping", extensions.khr_character_skeleton_mapping),
    ];
    for (object, extension) in known {
        let Some(extension) = extension else { continue };
        let named = match named(object, extension, document) {
            Ok(named) => named,
            Err(problem) => {
                report.repair(object, format!("{}: ignored", escaped(&problem)))?;
                continue;
            }
        };
        let mut bones: Vec<Bone> = Vec::new();
        for (name, node) in named {
            // Later versions of VRM may know more joints than this library.
            let Some(meaning) = meaning(&name, object == "VRM") else { continue };
            if node >= document.nodes.len() {
                let message = format!("{} is node {node} of {}: ignored", escaped(&name), document.nodes.len());
                report.repair(object, message)?;
            } else if !bones.iter().any(|bone| bone.meaning == meaning || bone.node == node) {
                bones.push(Bone { meaning, node });
            }
        }
        if !bones.is_empty() {
            return Ok(bones);
        }
    }
    Ok(Vec::new())
}

/// The map that the file declares, completed by joint names; `None` if it declares nothing.
pub(super) fn map(bones: &[Bone], node_joints: &[Option<u16>], skeleton: &Skeleton) -> Option<HumanoidMap> {
    let mut map = HumanoidMap::default();
    for bone in bones {
        let Some(index) = node_joints.get(bone.node).copied().flatten() else { continue };
        match bone.meaning {
            Meaning::Joint(joint) => map.set(joint, index, Evidence::File),
            Meaning::Finger(side, finger, place) => {
                let mut joints = map.finger(side, finger);
                joints[place] = Some(index);
                map = map.with_finger(side, finger, joints);
            }
        }
    }
    map.iter().next()?;
    map.complete_by_names(skeleton);
    Some(map)
}

#[derive(Deserialize)]
struct WithHumanoid {
    humanoid: Humanoid,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Humanoid {
    human_bones: Value,
}

/// Names of bones and their nodes.
fn named(object: &str, extension: &RawValue, document: &Document) -> Result<Vec<(String, usize)>, String> {
    // Indices may be written `2.0`.
    let node_of = |value: &Value| {
        let number = value.as_f64().filter(|number| *number >= 0.0 && number.fract() == 0.0);
        number.map(|number| number as usize).ok_or_else(|| format!("node {value} is not an index"))
    };
    if object == "KHR_character_skeleton_mapping" {
        let value: Value = serde_json::from_str(extension.get()).map_err(|error| error.to_string())?;
        return mapped(&value, document);
    }
    let read: WithHumanoid = serde_json::from_str(extension.get()).map_err(|error| error.to_string())?;
    match read.humanoid.human_bones {
        // VRM 1.0: by name.
        Value::Object(bones) => {
            let present = bones.into_iter().filter_map(|(name, bone)| Some((name, bone.get("node")?.clone())));
            present.map(|(name, node)| Ok((name, node_of(&node)?))).collect()
        }
        // VRM 0.x: a list. Unity writes -1 for none.
        Value::Array(bones) => {
            let is_set = |bone: &&Value| bone.get("node").and_then(Value::as_f64).is_some_and(|node| node >= 0.0);
            let entry = |bone: &Value| {
                let name = bone.get("bone").and_then(Value::as_str).ok_or("a bone without a name")?;
                Ok((name.to_owned(), node_of(bone.get("node").unwrap_or(&Value::Null))?))
            };
            bones.iter().filter(is_set).map(entry).collect()
        }
        _ => Err("humanBones: neither an object nor an array".into()),
    }
}

/// The draft maps names of joints to names of a vocabulary, `{"skeletalRigMappings": {"vrmHumanoid": {"joint": "hips"}}}`, or the
/// other way round.
fn mapped(value: &Value, document: &Document) -> Result<Vec<(String, usize)>, String> {
    let rigs = value.get("skeletalRigMappings").and_then(Value::as_object).ok_or("no skeletalRigMappings")?;
    let node = |name: &str| document.nodes.iter().position(|node| node.name.as_deref() == Some(name));
    let all = rigs.values().filter_map(Value::as_object).flatten();
    let pairs = all.filter_map(|(key, value)| {
        let value = value.as_str()?;
        [(key.as_str(), value), (value, key.as_str())]
            .into_iter()
            .find_map(|(joint, word)| Some((word.to_owned(), meaning(word, false).and(node(joint))?)))
    });
    Ok(pairs.collect())
}

/// What VRM's name of a bone means. VRM 0.x counts the joints of a thumb from another one on.
fn meaning(name: &str, is_old: bool) -> Option<Meaning> {
    let (side, part) = match (name.strip_prefix("left"), name.strip_prefix("right")) {
        (Some(part), _) => (Some(Side::Left), part),
        (_, Some(part)) => (Some(Side::Right), part),
        _ => (None, name),
    };
    let joint = match (side, part) {
        (None, "hips") => J::Hips,
        (None, "spine") => J::Spine,
        (None, "chest") => J::Chest,
        (None, "upperChest") => J::UpperChest,
        (None, "neck") => J::Neck,
        (None, "head") => J::Head,
        (None, "jaw") => J::Jaw,
        (Some(side), "Eye") => J::Eye(side),
        (Some(side), "Shoulder") => J::Shoulder(side),
        (Some(side), "UpperArm") => J::UpperArm(side),
        (Some(side), "LowerArm") => J::LowerArm(side),
        (Some(side), "Hand") => J::Hand(side),
        (Some(side), "UpperLeg") => J::UpperLeg(side),
        (Some(side), "LowerLeg") => J::LowerLeg(side),
        (Some(side), "Foot") => J::Foot(side),
        (Some(side), "Toes") => J::Toes(side),
        (Some(side), part) => return finger(part, is_old).map(|(finger, place)| Meaning::Finger(side, finger, place)),
        _ => return None,
    };
    Some(Meaning::Joint(joint))
}

fn finger(part: &str, is_old: bool) -> Option<(Finger, usize)> {
    let names = [
        ("Thumb", Finger::Thumb),
        ("Index", Finger::Index),
        ("Middle", Finger::Middle),
        ("Ring", Finger::Ring),
        ("Little", Finger::Little),
    ];
    let (finger, joint) = names.into_iter().find_map(|(name, finger)| Some((finger, part.strip_prefix(name)?)))?;
    let place = match (finger, joint) {
        (Finger::Thumb, "Metacarpal") => 0,
        (Finger::Thumb, "Proximal") => usize::from(!is_old),
        (_, "Proximal") => 0,
        (_, "Intermediate") => 1,
        (_, "Distal") => 2,
        _ => return None,
    };
    Some((finger, place))
}
