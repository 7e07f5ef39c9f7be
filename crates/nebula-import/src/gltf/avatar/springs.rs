//! `VRMC_springBone` 1.0, with `VRMC_springBone_extended_collider` for shapes that it lacks.

use nebula_animation::rig::avatar::{JointCollider, JointColliderShape, SpringJoint, SpringJointChain};
use serde_json::{Value, json};

use super::super::error::GltfError;
use super::Target;

const EXTENDED: &str = "VRMC_springBone_extended_collider";

pub(super) fn write(target: &mut Target) -> Result<(), GltfError> {
    let chains = &target.avatar.springs;
    if chains.is_empty() {
        return Ok(());
    }
    let mut colliders: Vec<JointCollider> = Vec::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut springs: Vec<Value> = Vec::new();
    for chain in chains {
        let own: Vec<usize> = chain
            .colliders
            .iter()
            .map(|collider| {
                colliders.iter().position(|known| known == collider).unwrap_or_else(|| {
                    colliders.push(*collider);
                    colliders.len() - 1
                })
            })
            .collect();
        let group = (!own.is_empty()).then(|| {
            groups.iter().position(|known| *known == own).unwrap_or_else(|| {
                groups.push(own);
                groups.len() - 1
            })
        });
        for joints in strands(target, chain)? {
            let mut spring = json!({ "joints": joints });
            if !chain.name.is_empty() {
                spring["name"] = json!(chain.name);
            }
            if let Some(group) = group {
                spring["colliderGroups"] = json!([group]);
            }
            if let Some(center) = chain.center {
                spring["center"] = json!(center);
            }
            springs.push(spring);
        }
    }
    if colliders.iter().any(|collider| extended(collider).is_some()) {
        target.document.json.use_extension(EXTENDED, false)?;
    }
    let colliders: Vec<Value> = colliders.iter().map(written).collect();
    let groups: Vec<Value> = groups.iter().map(|group| json!({ "colliders": group })).collect();
    let mut made = json!({ "specVersion": "1.0", "springs": springs });
    if !colliders.is_empty() {
        made["colliders"] = json!(colliders);
        made["colliderGroups"] = json!(groups);
    }
    target.extend("VRMC_springBone", made)
}

/// The joints of a chain as lists of which each goes on from joint to joint: a bone ends where the next joint of its list is.
fn strands(target: &mut Target, chain: &SpringJointChain) -> Result<Vec<Vec<Value>>, GltfError> {
    let mut strands: Vec<Vec<Value>> = Vec::new();
    let mut strand: Vec<Value> = Vec::new();
    for (index, bone) in chain.bones.iter().enumerate() {
        strand.push(json!({
            "node": bone.joint, "hitRadius": bone.radius, "stiffness": bone.stiffness, "gravityPower": bone.gravity_power,
            "gravityDir": bone.gravity.to_array(), "dragForce": bone.drag,
        }));
        let next = chain.bones.get(index + 1).filter(|next| target.below(next.joint, bone.joint) == Some(bone.tail));
        if next.is_none() {
            let end = end(target, bone)?;
            strand.push(json!({ "node": end }));
            strands.push(std::mem::take(&mut strand));
        }
    }
    Ok(strands)
}

/// A node where a bone ends: a joint that is there, or a new one.
fn end(target: &mut Target, bone: &SpringJoint) -> Result<usize, GltfError> {
    let joints = &target.asset.skeleton.joints;
    let is_end =
        |joint: &&nebula_animation::Joint| joint.parent == Some(bone.joint) && joint.bind_translation == bone.tail;
    if let Some(joint) = joints.iter().find(is_end) {
        return Ok(usize::from(joint.index));
    }
    let node = target.document.json.push("nodes", &json!({ "translation": bone.tail.to_array() }))?;
    let above = usize::from(bone.joint);
    let mut parent = target.document.json.get("nodes", above)?;
    let mut children = parent.get("children").and_then(Value::as_array).cloned().unwrap_or_default();
    children.push(json!(node));
    parent["children"] = json!(children);
    target.document.json.set("nodes", above, &parent)?;
    Ok(node)
}

/// What only the extension can say: insides and planes.
fn extended(collider: &JointCollider) -> Option<Value> {
    match collider.shape {
        JointColliderShape::Plane { point, normal } => {
            Some(json!({ "plane": { "offset": point.to_array(), "normal": normal.to_array() } }))
        }
        JointColliderShape::Capsule { is_inside: true, .. } => {
            let mut shape = round(collider)?;
            shape.as_object_mut()?.values_mut().for_each(|shape| shape["inside"] = json!(true));
            Some(shape)
        }
        JointColliderShape::Capsule { .. } => None,
    }
}

fn round(collider: &JointCollider) -> Option<Value> {
    let JointColliderShape::Capsule { ends: [start, end], radius, .. } = collider.shape else { return None };
    Some(match start == end {
        true => json!({ "sphere": { "offset": start.to_array(), "radius": radius } }),
        false => json!({ "capsule": { "offset": start.to_array(), "tail": end.to_array(), "radius": radius } }),
    })
}

fn written(collider: &JointCollider) -> Value {
    match (extended(collider), round(collider)) {
        (None, Some(shape)) => json!({ "node": collider.joint, "shape": shape }),
        // For readers without the extension: a ball that nothing meets.
        (shape, _) => json!({
            "node": collider.joint, "shape": { "sphere": { "offset": [0.0, -10_000.0, 0.0], "radius": 0.0 } },
            "extensions": { EXTENDED: { "specVersion": "1.0", "shape": shape } },
        }),
    }
}
