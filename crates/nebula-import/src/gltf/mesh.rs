//! Writes meshes as accessors.

use std::collections::HashMap;
use std::sync::Arc;

use nebula_animation::Asset;
use nebula_animation::asset::{Mesh, MorphTarget, Primitive, Topology};
use serde_json::{Value, json};

use super::GltfDocument;
use super::error::GltfError;
use super::material::Materials;

const VERTICES: u32 = 34_962;
const INDICES: u32 = 34_963;
const BYTE: u32 = 5_121;
const SHORT: u32 = 5_123;
const INT: u32 = 5_125;

/// The meshes that are written already, by their geometry, skin and the names of their morph targets.
#[derive(Default)]
pub(super) struct Meshes {
    known: HashMap<(*const Primitive, Option<usize>, String), usize>,
}

impl Meshes {
    /// Writes a mesh that is not there yet, and returns its index; `None` where there is nothing to draw.
    pub fn write(
        &mut self,
        document: &mut GltfDocument,
        asset: &Asset,
        mesh: &Mesh,
        materials: &mut Materials,
    ) -> Result<Option<usize>, GltfError> {
        if mesh.primitives.is_empty() {
            return Ok(None);
        }
        let key = (Arc::as_ptr(&mesh.primitives).cast::<Primitive>(), mesh.skin, mesh.name.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(Some(*known));
        }
        let slots = mesh.skin.and_then(|skin| asset.skins.get(skin)).map(|skin| {
            let mut slots: HashMap<u16, usize> = HashMap::new();
            for (slot, joint) in skin.joints.iter().enumerate() {
                slots.entry(*joint).or_insert(slot);
            }
            slots
        });
        let mut primitives = Vec::with_capacity(mesh.primitives.len());
        for primitive in mesh.primitives.iter() {
            let mut made = write_geometry(document, &mesh.name, primitive, slots.as_ref())?;
            if let Some(material) = materials.write(document, &primitive.material)? {
                made["material"] = json!(material);
            }
            primitives.push(made);
        }
        let mut made = json!({ "primitives": primitives });
        if !mesh.name.is_empty() {
            made["name"] = json!(mesh.name);
        }
        if mesh.morph_target_names.iter().any(|name| !name.is_empty()) {
            made["extras"] = json!({ "targetNames": mesh.morph_target_names });
        }
        if !mesh.morph_weights.is_empty() {
            made["weights"] = json!(mesh.morph_weights);
        }
        let index = document.json.push("meshes", &made)?;
        self.known.insert(key, index);
        Ok(Some(index))
    }
}

/// Writes what is drawn, without its material. `slots` are the places of joints in the skin.
pub(crate) fn write_geometry(
    document: &mut GltfDocument,
    mesh: &str,
    primitive: &Primitive,
    slots: Option<&HashMap<u16, usize>>,
) -> Result<Value, GltfError> {
    let mut attributes = json!({ "POSITION": positions(document, &primitive.positions)? });
    let mut add = |name: &str, accessor: Option<usize>| {
        if let Some(accessor) = accessor {
            attributes[name] = json!(accessor);
        }
    };
    add("NORMAL", vectors(document, &primitive.normals, "VEC3")?);
    add("TANGENT", vectors(document, &primitive.tangents, "VEC4")?);
    add("TEXCOORD_0", vectors(document, &primitive.uvs[0], "VEC2")?);
    add("TEXCOORD_1", vectors(document, &primitive.uvs[1], "VEC2")?);
    add("COLOR_0", vectors(document, &primitive.colors, "VEC4")?);
    if let Some(slots) = slots {
        let sets = [(&primitive.joints, &primitive.weights), (&primitive.more_joints, &primitive.more_weights)];
        for (set, (joints, weights)) in sets.into_iter().enumerate() {
            if !joints.is_empty() {
                add(&format!("JOINTS_{set}"), Some(influences(document, mesh, joints, weights, slots)?));
                add(&format!("WEIGHTS_{set}"), vectors(document, weights, "VEC4")?);
            }
        }
    }
    let mut made = json!({ "attributes": attributes, "indices": indices(document, &primitive.indices)? });
    match primitive.topology {
        Topology::Triangles => {}
        Topology::Lines => made["mode"] = json!(1),
        Topology::Points => made["mode"] = json!(0),
    }
    if !primitive.morph_targets.is_empty() {
        let mut targets = Vec::with_capacity(primitive.morph_targets.len());
        for target in &primitive.morph_targets {
            targets.push(write_target(document, primitive, target)?);
        }
        made["targets"] = json!(targets);
    }
    Ok(made)
}

fn write_target(document: &mut GltfDocument, whole: &Primitive, target: &MorphTarget) -> Result<Value, GltfError> {
    // glTF has no target without anything in it.
    let still;
    let moved = if target.positions.is_empty() && target.normals.is_empty() && target.tangents.is_empty() {
        still = vec![[0.0; 3]; whole.positions.len()];
        &still
    } else {
        &target.positions
    };
    let mut made = json!({});
    if !moved.is_empty() {
        made["POSITION"] = json!(positions(document, moved)?);
    }
    if let Some(normals) = vectors(document, &target.normals, "VEC3")? {
        made["NORMAL"] = json!(normals);
    }
    if let Some(tangents) = vectors(document, &target.tangents, "VEC3")? {
        made["TANGENT"] = json!(tangents);
    }
    Ok(made)
}

/// Positions have their least and most numbers beside them.
fn positions(document: &mut GltfDocument, positions: &[[f32; 3]]) -> Result<usize, GltfError> {
    let Some(index) = vectors(document, positions, "VEC3")? else {
        return Err(GltfError::malformed("a primitive", "has no positions"));
    };
    let (mut least, mut most) = ([f32::MAX; 3], [f32::MIN; 3]);
    for position in positions {
        for axis in 0..3 {
            least[axis] = least[axis].min(position[axis]);
            most[axis] = most[axis].max(position[axis]);
        }
    }
    let mut accessor = document.json.get("accessors", index)?;
    accessor["min"] = json!(least);
    accessor["max"] = json!(most);
    document.json.set("accessors", index, &accessor)?;
    Ok(index)
}

fn vectors<const N: usize>(
    document: &mut GltfDocument,
    vectors: &[[f32; N]],
    shape: &str,
) -> Result<Option<usize>, GltfError> {
    if vectors.is_empty() {
        return Ok(None);
    }
    let bytes: Vec<u8> = vectors.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect();
    push(document, &bytes, VERTICES, 5_126, vectors.len(), shape).map(Some)
}

fn push(
    document: &mut GltfDocument,
    bytes: &[u8],
    target: u32,
    component: u32,
    count: usize,
    shape: &str,
) -> Result<usize, GltfError> {
    let view = document.view(bytes, Some(target))?;
    document
        .json
        .push("accessors", &json!({ "bufferView": view, "componentType": component, "count": count, "type": shape }))
}

fn indices(document: &mut GltfDocument, indices: &[u32]) -> Result<usize, GltfError> {
    // The last value of each kind means a restart.
    let is_short = indices.iter().all(|index| *index < u32::from(u16::MAX));
    let (bytes, component): (Vec<u8>, u32) = if is_short {
        (indices.iter().flat_map(|index| (*index as u16).to_le_bytes()).collect(), SHORT)
    } else {
        (indices.iter().flat_map(|index| index.to_le_bytes()).collect(), INT)
    };
    push(document, &bytes, INDICES, component, indices.len(), "SCALAR")
}

/// Joints as places in the skin.
fn influences(
    document: &mut GltfDocument,
    mesh: &str,
    joints: &[[u16; 4]],
    weights: &[[f32; 4]],
    slots: &HashMap<u16, usize>,
) -> Result<usize, GltfError> {
    let is_small = slots.len() <= 256;
    let mut bytes = Vec::with_capacity(joints.len() * if is_small { 4 } else { 8 });
    for (joints, weights) in joints.iter().zip(weights) {
        for (joint, weight) in joints.iter().zip(weights) {
            let slot = match slots.get(joint) {
                // What has no weight refers to nothing, as validators want it.
                _ if *weight == 0.0 => 0,
                Some(slot) => *slot,
                None => {
                    let problem = format!("a vertex follows joint {joint}, which its skin does not have");
                    return Err(GltfError::malformed(format!("mesh {mesh:?}"), problem));
                }
            };
            if is_small {
                bytes.push(slot as u8);
            } else {
                bytes.extend((slot as u16).to_le_bytes());
            }
        }
    }
    push(document, &bytes, VERTICES, if is_small { BYTE } else { SHORT }, joints.len(), "VEC4")
}
