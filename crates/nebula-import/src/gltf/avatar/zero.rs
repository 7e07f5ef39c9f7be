//! `VRM` 0.x: different names for the same settings, in the axes of a left-handed engine.

use glam::Vec3;
use nebula_animation::rig::avatar::{Expression, EyeGazeKind, EyeRange, FirstPerson, JointColliderShape};
use serde_json::{Value, json};

use super::super::error::GltfError;
use super::{Target, bones};

/// Presets by the names of VRM 1.0, and their own.
const PRESETS: [(&str, &str); 17] = [
    ("neutral", "neutral"),
    ("happy", "joy"),
    ("angry", "angry"),
    ("sad", "sorrow"),
    ("relaxed", "fun"),
    ("aa", "a"),
    ("ih", "i"),
    ("ou", "u"),
    ("ee", "e"),
    ("oh", "o"),
    ("blink", "blink"),
    ("blinkLeft", "blink_l"),
    ("blinkRight", "blink_r"),
    ("lookUp", "lookup"),
    ("lookDown", "lookdown"),
    ("lookLeft", "lookleft"),
    ("lookRight", "lookright"),
];

pub(super) fn write(target: &mut Target) -> Result<(), GltfError> {
    let bones: Vec<Value> = target
        .asset
        .humanoid
        .iter()
        .flat_map(|map| bones::list(map, true))
        .map(|(bone, joint)| json!({ "bone": bone, "node": joint, "useDefaultValues": true }))
        .collect();
    let mut vrm = json!({
        "exporterVersion": "Nebula", "specVersion": "0.0", "meta": target.meta().unwrap_or_else(|| json!({})),
        "humanoid": { "humanBones": bones }, "firstPerson": eyes(target)?, "materialProperties": [],
        "secondaryAnimation": springs(target),
    });
    let faces = target.avatar.expressions.iter().map(|expression| face(target, expression));
    let faces: Vec<Value> = faces.collect::<Result<_, _>>()?;
    vrm["blendShapeMaster"] = json!({ "blendShapeGroups": faces });
    target.extend("VRM", vrm)
}

/// A point in the axes of the other hand.
fn point(at: Vec3) -> Value {
    json!({ "x": at.x, "y": at.y, "z": -at.z })
}

/// The mesh that a node of the document shows.
fn mesh(target: &Target, node: usize) -> Result<Option<u64>, GltfError> {
    Ok(target.document.json.get("nodes", node)?.get("mesh").and_then(Value::as_u64))
}

fn face(target: &Target, expression: &Expression) -> Result<Value, GltfError> {
    let old = PRESETS.iter().find(|(new, _)| expression.is_preset && *new == expression.name);
    let mut binds: Vec<Value> = Vec::new();
    for (slot, weight) in &expression.morphs {
        let Some((node, index)) = target.morph(*slot) else { continue };
        let Some(mesh) = mesh(target, node)? else { continue };
        let bind = json!({ "mesh": mesh, "index": index, "weight": per_cent(*weight) });
        // One for all nodes that show the mesh.
        if !binds.contains(&bind) {
            binds.push(bind);
        }
    }
    Ok(json!({
        "name": expression.name, "presetName": old.map_or("unknown", |(_, old)| old), "binds": binds,
        "isBinary": expression.is_binary, "materialValues": [],
    }))
}

/// The number that reads as this weight again.
fn per_cent(weight: f32) -> f64 {
    let whole = (f64::from(weight) * 100.0).round();
    if whole as f32 / 100.0 == weight { whole } else { f64::from(weight) * 100.0 }
}

fn eyes(target: &Target) -> Result<Value, GltfError> {
    let mut annotations: Vec<Value> = Vec::new();
    for (node, kind) in &target.avatar.first_person {
        let Some(node) = target.node(*node) else { continue };
        let Some(mesh) = mesh(target, node)? else { continue };
        let flag = match kind {
            FirstPerson::Auto => "Auto",
            FirstPerson::Both => "Both",
            FirstPerson::ThirdPersonOnly => "ThirdPersonOnly",
            FirstPerson::FirstPersonOnly => "FirstPersonOnly",
        };
        let annotation = json!({ "mesh": mesh, "firstPersonFlag": flag });
        if !annotations.contains(&annotation) {
            annotations.push(annotation);
        }
    }
    let mut made = json!({ "meshAnnotations": annotations });
    if let Some(gaze) = &target.avatar.gaze {
        // Straight from nothing to the end of the range.
        let curve = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0];
        let range = |range: EyeRange| json!({ "curve": curve, "xRange": range.most, "yRange": range.output });
        made["firstPersonBone"] = json!(gaze.head);
        made["firstPersonBoneOffset"] = point(gaze.offset);
        made["lookAtTypeName"] = json!(if gaze.kind == EyeGazeKind::Expressions { "BlendShape" } else { "Bone" });
        made["lookAtHorizontalInner"] = range(gaze.inner);
        made["lookAtHorizontalOuter"] = range(gaze.outer);
        made["lookAtVerticalDown"] = range(gaze.down);
        made["lookAtVerticalUp"] = range(gaze.up);
    }
    Ok(made)
}

/// A group for each chain: all that hangs from its first joints swings alike.
fn springs(target: &Target) -> Value {
    let mut groups: Vec<Value> = Vec::new();
    let mut colliders: Vec<Value> = Vec::new();
    for chain in &target.avatar.springs {
        let is_first = |joint: u16| !chain.bones.iter().any(|bone| is_below(target, joint, bone.joint));
        let roots: Vec<u16> = chain.bones.iter().map(|bone| bone.joint).filter(|joint| is_first(*joint)).collect();
        let Some(first) = chain.bones.first() else { continue };
        let mut own: Vec<usize> = Vec::new();
        for collider in &chain.colliders {
            // There are no others than balls.
            let JointColliderShape::Capsule { ends: [centre, _], radius, .. } = collider.shape else { continue };
            let ball = json!({ "offset": point(centre), "radius": radius });
            let made = json!({ "node": collider.joint, "colliders": [ball] });
            own.push(colliders.iter().position(|known| *known == made).unwrap_or_else(|| {
                colliders.push(made);
                colliders.len() - 1
            }));
        }
        groups.push(json!({
            "comment": chain.name, "stiffiness": first.stiffness, "gravityPower": first.gravity_power,
            "gravityDir": point(first.gravity), "dragForce": first.drag, "hitRadius": first.radius,
            "center": chain.center.map_or(-1, i32::from), "bones": roots, "colliderGroups": own,
        }));
    }
    json!({ "boneGroups": groups, "colliderGroups": colliders })
}

fn is_below(target: &Target, joint: u16, above: u16) -> bool {
    joint != above && target.below(joint, above).is_some()
}
