//! The contents of a file as JSON.

use serde_json::{Value, json};

use crate::asset::RawAsset;

/// Joints, clips, skins, meshes and warnings.
pub fn asset(raw: &RawAsset) -> Value {
    let asset = &raw.asset;
    let rig = raw.library.rig();
    let joints = asset.skeleton.joints.iter().zip(&asset.joint_nodes).map(|(joint, node)| {
        json!({
            "index": joint.index,
            "name": joint.name,
            "parentIndex": joint.parent.map_or(-1, i32::from),
            "localPosition": joint.bind_translation.to_array(),
            "localRotation": joint.bind_rotation.to_array(),
            "localScale": joint.bind_scale.to_array(),
            "node": node,
        })
    });
    let clips = asset.animations.iter().zip(raw.library.iter()).enumerate().map(|(index, (animation, clip))| {
        let markers = clip.markers().iter().map(|marker| json!({ "name": marker.name, "time": marker.time }));
        json!({
            "index": index,
            "name": animation.name,
            "duration": clip.duration(),
            "speed": clip.velocity().length(),
            "markers": markers.collect::<Vec<_>>(),
        })
    });
    let skins = asset.skins.iter().map(|skin| json!({ "name": skin.name, "joints": skin.joints, "nodes": skin.nodes }));
    let humanoid = rig.humanoid().iter().map(|(joint, index)| (joint.to_string(), json!(index)));
    json!({
        "joints": joints.collect::<Vec<_>>(),
        "clips": clips.collect::<Vec<_>>(),
        "skins": skins.collect::<Vec<_>>(),
        "meshes": asset.meshes.iter().map(mesh).collect::<Vec<_>>(),
        "images": asset.images.iter().map(|image| json!({ "mimeType": image.mime_type })).collect::<Vec<_>>(),
        "morphs": rig.morphs().meshes.iter().map(|mesh| json!({
            "node": mesh.node, "name": mesh.name, "firstSlot": mesh.first_slot, "targetNames": mesh.target_names,
        })).collect::<Vec<_>>(),
        "humanoid": humanoid.collect::<serde_json::Map<_, _>>(),
        "warnings": asset.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn mesh(mesh: &nebula_animation::asset::Mesh) -> Value {
    let primitives = mesh.primitives.iter().map(|primitive| {
        json!({
            "baseColor": primitive.material.base_color_factor,
            "baseColorImage": primitive.material.base_color_texture.map(|texture| texture.image),
            "isDoubleSided": primitive.material.is_double_sided,
        })
    });
    json!({
        "name": mesh.name, "node": mesh.node, "skin": mesh.skin, "joint": mesh.joint,
        "primitives": primitives.collect::<Vec<_>>(),
    })
}
