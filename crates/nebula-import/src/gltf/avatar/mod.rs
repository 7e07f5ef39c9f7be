//! Avatars as VRM extensions: 1.0 or, if the file was 0.x, that version, whose models face the other way.

mod bones;
mod one;
mod springs;
mod zero;

use glam::Mat4;
use nebula_animation::Asset;
use nebula_animation::rig::avatar::{Avatar, ConstraintKind};
use serde_json::{Map, Value, json};

use super::GltfDocument;
use super::error::GltfError;

/// The document that an avatar is written into.
pub(super) struct Target<'a> {
    pub document: &'a mut GltfDocument,
    pub asset: &'a Asset,
    pub avatar: &'a Avatar,
    /// Where nodes of the asset's file have gone: joints, and meshes with their nodes.
    pub joints: usize,
    /// Extensions of the root object.
    pub extensions: Map<String, Value>,
}

/// Adds the extensions of an avatar, and of a humanoid without one, to those of the root object.
pub(super) fn write(
    document: &mut GltfDocument,
    asset: &Asset,
    extensions: Map<String, Value>,
) -> Result<Map<String, Value>, GltfError> {
    let Some(avatar) = &asset.avatar else {
        let mut extensions = extensions;
        if let Some(mapping) = bones::mapping(asset) {
            extensions.insert("KHR_character_skeleton_mapping".into(), mapping);
            document.json.use_extension("KHR_character_skeleton_mapping", false)?;
        }
        return Ok(extensions);
    };
    let mut target = Target { document, asset, avatar, joints: asset.skeleton.joints.len(), extensions };
    if avatar.version == 0 {
        zero::write(&mut target)?;
    } else {
        one::write(&mut target)?;
        springs::write(&mut target)?;
    }
    constraints(&mut target)?;
    Ok(target.extensions)
}

impl Target<'_> {
    pub fn extend(&mut self, name: &str, value: Value) -> Result<(), GltfError> {
        self.extensions.insert(name.into(), value);
        self.document.json.use_extension(name, false)
    }

    /// The node of this document that stands for a node of the asset's file.
    pub fn node(&self, node: usize) -> Option<usize> {
        let mesh = self.asset.meshes.iter().position(|mesh| mesh.node == node);
        mesh.map(|mesh| self.joints + mesh).or_else(|| self.asset.joint_of_node(node).map(usize::from))
    }

    /// The node with a morph slot, and which of its mesh's targets it is.
    pub fn morph(&self, slot: usize) -> Option<(usize, usize)> {
        let mesh = self.asset.morphs.meshes.iter().find(|mesh| mesh.slots().contains(&slot))?;
        Some((self.node(mesh.node)?, slot - mesh.first_slot))
    }

    /// Where a joint below another one is at rest, in the other one's space, as readers work it out.
    pub fn below(&self, joint: u16, above: u16) -> Option<glam::Vec3> {
        let mut place = Mat4::IDENTITY;
        let mut at = joint;
        for _ in 0..256 {
            if at == above {
                return Some(place.w_axis.truncate());
            }
            let joint = self.asset.skeleton.joints.get(usize::from(at))?;
            let (translation, rotation, scale) = joint.bind_pose();
            place = Mat4::from_scale_rotation_translation(scale, rotation, translation) * place;
            at = joint.parent?;
        }
        None
    }

    /// What the file itself said of authors and licences, without pictures: those of a document are others.
    pub fn meta(&self) -> Option<Value> {
        let mut meta: Value = serde_json::from_str(&self.avatar.meta).ok()?;
        let members = meta.as_object_mut()?;
        members.retain(|name, _| name != "thumbnailImage" && name != "texture");
        Some(meta)
    }
}

fn constraints(target: &mut Target) -> Result<(), GltfError> {
    for constraint in &target.avatar.constraints {
        let node = usize::from(constraint.joint);
        let object = || format!("the constraint of node {node}");
        let mut rule = json!({ "source": constraint.source, "weight": constraint.weight });
        let axis = |axis: glam::Vec3| {
            let parts = [("X", axis.x), ("Y", axis.y), ("Z", axis.z)];
            let found = parts.into_iter().find(|(_, part)| part.abs() == 1.0 && axis.length_squared() == 1.0);
            found.ok_or_else(|| GltfError::malformed(object(), "has an axis that is none of its joint's"))
        };
        let kind = match constraint.kind {
            ConstraintKind::Roll(about) => {
                rule["rollAxis"] = json!(axis(about)?.0);
                "roll"
            }
            ConstraintKind::Aim(along) => {
                let (name, sign) = axis(along)?;
                rule["aimAxis"] = json!(format!("{}{name}", if sign > 0.0 { "Positive" } else { "Negative" }));
                "aim"
            }
            ConstraintKind::Rotation => "rotation",
        };
        let mut value = target.document.json.get("nodes", node)?;
        value["extensions"]["VRMC_node_constraint"] = json!({ "specVersion": "1.0", "constraint": { kind: rule } });
        target.document.json.set("nodes", node, &value)?;
        target.document.json.use_extension("VRMC_node_constraint", false)?;
    }
    Ok(())
}
