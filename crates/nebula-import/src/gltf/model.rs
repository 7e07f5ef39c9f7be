//! A new document from an asset in memory: a node for each joint, then one for each mesh.

use nebula_animation::clip::ClipEntry;
use nebula_animation::{Asset, JointPose};
use serde_json::{Map, Value, json};

use super::error::GltfError;
use super::material::Materials;
use super::mesh::Meshes;
use super::{GltfDocument, Target, Targets, avatar};

pub(super) fn write(document: &mut GltfDocument, asset: &Asset) -> Result<(), GltfError> {
    let joints = &asset.skeleton.joints;
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); joints.len()];
    let mut roots: Vec<usize> = Vec::new();
    for (index, joint) in joints.iter().enumerate() {
        match joint.parent.and_then(|parent| children.get_mut(usize::from(parent))) {
            Some(siblings) => siblings.push(index),
            None => roots.push(index),
        }
    }
    let mut targets = Targets { joints: Vec::with_capacity(joints.len()), morphs: asset.morphs.meshes.clone() };
    for (node, joint) in joints.iter().enumerate() {
        targets.joints.push(Target { name: joint.name.clone(), node: Some(node), bind: joint.bind_pose() });
    }
    // Meshes are nodes behind the joints, below the joint that carries them.
    let mut materials = Materials::new(asset);
    let mut meshes = Meshes::default();
    let mut mesh_nodes = Vec::with_capacity(asset.meshes.len());
    for (position, mesh) in asset.meshes.iter().enumerate() {
        let node = joints.len() + position;
        match mesh.joint.and_then(|joint| children.get_mut(usize::from(joint))) {
            Some(siblings) => siblings.push(node),
            None => roots.push(node),
        }
        for morphs in targets.morphs.iter_mut().zip(&asset.morphs.meshes) {
            if morphs.1.node == mesh.node {
                morphs.0.node = node;
            }
        }
        let mut made = json!({});
        if !mesh.name.is_empty() {
            made["name"] = json!(mesh.name);
        }
        if let Some(index) = meshes.write(document, asset, mesh, &mut materials)? {
            made["mesh"] = json!(index);
            if let Some(skin) = mesh.skin {
                made["skin"] = json!(skin);
            }
            if !mesh.morph_weights.is_empty() {
                made["weights"] = json!(mesh.morph_weights);
            }
        }
        mesh_nodes.push(made);
    }
    for (joint, below) in joints.iter().zip(&children) {
        let mut node = transform(joint.bind_pose());
        if !joint.name.is_empty() {
            node["name"] = json!(joint.name);
        }
        if !below.is_empty() {
            node["children"] = json!(below);
        }
        document.json.push("nodes", &node)?;
    }
    for node in mesh_nodes {
        document.json.push("nodes", &node)?;
    }
    // The joints of a skin hang from one node; one that places nothing was no joint.
    let (joint_roots, others): (Vec<usize>, Vec<usize>) = roots.iter().partition(|node| **node < joints.len());
    if joint_roots.len() > 1 {
        let above = document.json.push("nodes", &json!({ "children": joint_roots }))?;
        roots = others.into_iter().chain([above]).collect();
    }
    if !roots.is_empty() {
        document.json.push("scenes", &json!({ "nodes": roots }))?;
        document.json.set_member("scene", &json!(0))?;
    }
    write_skins(document, asset)?;
    let mut extensions = Map::new();
    if !asset.clip_entries.is_empty() {
        extensions.insert("KHR_animation_clip".into(), entries(&asset.clip_entries));
        document.json.use_extension("KHR_animation_clip", false)?;
    }
    let extensions = avatar::write(document, asset, extensions)?;
    if !extensions.is_empty() {
        document.json.set_member("extensions", &Value::Object(extensions))?;
    }
    document.targets = targets;
    Ok(())
}

/// What is not as glTF takes it by default, to the bit: a zero may have a sign.
fn transform((translation, rotation, scale): JointPose) -> Value {
    fn is_other<const N: usize>(numbers: [f32; N], default: [f32; N]) -> bool {
        numbers.map(f32::to_bits) != default.map(f32::to_bits)
    }
    let mut node = json!({});
    if is_other(translation.to_array(), [0.0; 3]) {
        node["translation"] = json!(translation.to_array());
    }
    if is_other(rotation.to_array(), [0.0, 0.0, 0.0, 1.0]) {
        node["rotation"] = json!(rotation.to_array());
    }
    if is_other(scale.to_array(), [1.0; 3]) {
        node["scale"] = json!(scale.to_array());
    }
    node
}

/// The skins, or where a file has none, as one of motion capture has not, one of all joints: it makes them joints for every reader.
fn write_skins(document: &mut GltfDocument, asset: &Asset) -> Result<(), GltfError> {
    let skeleton = &asset.skeleton;
    for skin in &asset.skins {
        let mut numbers: Vec<f32> = Vec::with_capacity(16 * skin.joints.len());
        for matrix in &skin.inverse_bind_matrices {
            numbers.extend(matrix.to_cols_array());
        }
        let matrices = document.floats(&numbers, "MAT4")?;
        let mut made = json!({ "joints": skin.joints, "inverseBindMatrices": matrices });
        if !skin.name.is_empty() {
            made["name"] = json!(skin.name);
        }
        if let Some(root) = skin.skeleton_root {
            made["skeleton"] = json!(root);
        }
        document.json.push("skins", &made)?;
    }
    let is_skinned = skeleton.joints.iter().any(|joint| joint.inverse_bind_matrix != glam::Mat4::IDENTITY);
    if asset.skins.is_empty() && asset.meshes.is_empty() && is_skinned {
        let numbers: Vec<f32> =
            skeleton.joints.iter().flat_map(|joint| joint.inverse_bind_matrix.to_cols_array()).collect();
        let matrices = document.floats(&numbers, "MAT4")?;
        let joints: Vec<usize> = (0..skeleton.joints.len()).collect();
        document.json.push("skins", &json!({ "joints": joints, "inverseBindMatrices": matrices }))?;
    }
    Ok(())
}

fn entries(entries: &[ClipEntry]) -> Value {
    let entry = |entry: &ClipEntry| {
        let mut made = json!({
            "animations": entry.animations, "start": entry.start, "offset": entry.offset, "speed": entry.speed,
            "repetitions": entry.repetitions, "reverse": entry.reverse,
        });
        if !entry.name.is_empty() {
            made["name"] = json!(entry.name);
        }
        if let Some(end) = entry.end {
            made["end"] = json!(end);
        }
        made
    };
    json!({ "clips": entries.iter().map(entry).collect::<Vec<Value>>() })
}
