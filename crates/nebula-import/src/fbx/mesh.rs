//! Meshes with their skins and blend shapes.

use std::collections::HashMap;

use fbx_rs::{Mesh, Scene};
use nebula_animation::asset::{MorphTarget, Primitive};
use serde_json::{Value, json};

use super::{FbxError, Morphs, columns, material, shown};
use crate::gltf::GltfDocument;
use crate::gltf::mesh::write_geometry;

/// More than any file has, each corner once and once more for every blend shape.
const MOST_CORNERS: usize = 32 << 20;

/// Writes all meshes, and lets their nodes show them.
pub(super) fn write(
    document: &mut GltfDocument,
    scene: &Scene,
    nodes: &mut [Value],
    notes: &mut Vec<String>,
) -> Result<Morphs, FbxError> {
    let mut morphs = Morphs::new();
    let mut materials: HashMap<usize, usize> = HashMap::new();
    let mut corners = 0_usize;
    let mut others = others(scene);
    for mesh in scene.meshes() {
        // Each blend shape has an offset for every corner.
        let shapes = mesh.blend_deformers().iter().filter_map(|index| scene.blend_deformers().get(*index));
        let copies = shapes.fold(1_usize, |sum, deformer| sum.saturating_add(deformer.channels.len()));
        let own = mesh.num_corners().saturating_mul(mesh.instances().len().max(1)).saturating_mul(copies);
        corners = corners.saturating_add(own);
        if corners > MOST_CORNERS {
            let name = shown(mesh.name());
            notes.push(format!("mesh {name} and those behind it are left out: too many corners and blend shapes"));
            break;
        }
        if mesh.skin_deformers().len() > 1 {
            let (name, more) = (shown(mesh.name()), mesh.skin_deformers().len() - 1);
            notes.push(format!("mesh {name} has {} skins: {more} left out", more + 1));
        }
        let skin = skin(document, scene, mesh, &mut others)?;
        let targets = targets(scene, mesh, notes);
        for &node in mesh.instances() {
            let Some(source) = scene.nodes().get(node) else { continue };
            let place = if skin.is_some() { None } else { Some(source.geometry_to_node()) };
            let mut primitives = Vec::new();
            for part in 0..mesh.parts().len().max(1) {
                let (primitive, slots) = match primitive(mesh, part, place, skin.as_ref(), &targets) {
                    Ok(Some(made)) => made,
                    Ok(None) => continue,
                    Err(corner) => {
                        let name = shown(mesh.name());
                        notes.push(format!("mesh {name}, part {part}: corner {corner} has no point: left out"));
                        continue;
                    }
                };
                let mut made = write_geometry(document, mesh.name(), &primitive, slots.as_ref())?;
                let slot = mesh.parts().get(part).map_or(0, |part| part.material_slot() as usize);
                let own = source.materials().get(slot).or_else(|| mesh.materials().get(slot));
                if let Some(&material) = own.filter(|own| **own < scene.materials().len()) {
                    let index = match materials.get(&material) {
                        Some(known) => *known,
                        None => {
                            let index = material::write(document, scene, material, notes)?;
                            materials.insert(material, index);
                            index
                        }
                    };
                    made["material"] = json!(index);
                }
                primitives.push(made);
            }
            if primitives.is_empty() {
                continue;
            }
            let mut made = json!({ "primitives": primitives });
            if !mesh.name().is_empty() {
                made["name"] = json!(mesh.name());
            }
            if !targets.is_empty() {
                let channels = scene.blend_channels();
                let weights: Vec<f32> = targets.iter().map(|target| channels[target.channel].weight as f32).collect();
                let names: Vec<&str> = targets.iter().map(|target| channels[target.channel].name.as_str()).collect();
                made["weights"] = json!(weights);
                made["extras"] = json!({ "targetNames": names });
                morphs.push((node, targets.iter().map(|target| target.channel).collect()));
            }
            let index = document.push("meshes", &made)?;
            nodes[node]["mesh"] = json!(index);
            if let Some(skin) = &skin {
                nodes[node]["skin"] = json!(skin.index);
            }
        }
    }
    // What no mesh shows is a skeleton all the same.
    if !others.is_empty() && document.count("skins") == 0 {
        write_skin(document, scene, Vec::new(), Vec::new(), &mut others)?;
    }
    Ok(morphs)
}

/// Nodes that are joints although no vertex follows them: all but the root, meshes, cameras and lights.
fn others(scene: &Scene) -> Vec<usize> {
    let mut is_bound = vec![false; scene.nodes().len()];
    for bone in scene.skin_clusters().iter().filter_map(|cluster| cluster.bone_node) {
        if let Some(is_bound) = is_bound.get_mut(bone) {
            *is_bound = true;
        }
    }
    let is_plain = |node: &fbx_rs::Node| node.mesh().is_none() && node.camera().is_none() && node.light().is_none();
    let nodes = scene.nodes().iter().enumerate().skip(1);
    nodes.filter(|(index, node)| !is_bound[*index] && is_plain(node)).map(|(index, _)| index).collect()
}

/// Writes a skin, which takes the joints that no other has: readers know joints by skins.
fn write_skin(
    document: &mut GltfDocument,
    scene: &Scene,
    mut joints: Vec<usize>,
    mut matrices: Vec<f32>,
    others: &mut Vec<usize>,
) -> Result<usize, FbxError> {
    for node in others.drain(..) {
        let inverse = glam::Mat4::from_cols_array(&columns(scene.nodes()[node].node_to_world())).inverse();
        if inverse.is_finite() && joints.len() < 65_535 {
            joints.push(node);
            matrices.extend(inverse.to_cols_array());
        }
    }
    let accessor = document.floats(&matrices, "MAT4")?;
    Ok(document.push("skins", &json!({ "joints": joints, "inverseBindMatrices": accessor }))?)
}

/// A skin of the document, and which of its joints move which control point.
struct Skin {
    index: usize,
    /// For each control point, at most eight places in the skin and their weights.
    influences: Vec<Vec<(u16, f32)>>,
    joints: usize,
}

fn skin(
    document: &mut GltfDocument,
    scene: &Scene,
    mesh: &Mesh,
    others: &mut Vec<usize>,
) -> Result<Option<Skin>, FbxError> {
    let Some(deformer) = mesh.skin_deformers().first().and_then(|index| scene.skin_deformers().get(*index)) else {
        return Ok(None);
    };
    let (mut joints, mut matrices): (Vec<usize>, Vec<f32>) = (Vec::new(), Vec::new());
    let mut places: Vec<Option<u16>> = Vec::with_capacity(deformer.clusters.len());
    for cluster in &deformer.clusters {
        let cluster = scene.skin_clusters().get(*cluster);
        let place = cluster.and_then(|cluster| {
            let bone = cluster.bone_node.filter(|bone| *bone < scene.nodes().len())?;
            let matrix = columns(&cluster.geometry_to_bone);
            let columns = [0, 4, 8].map(|at| glam::Vec3::new(matrix[at], matrix[at + 1], matrix[at + 2]));
            let volume = columns[0].cross(columns[1]).dot(columns[2]);
            if !matrix.iter().all(|number| number.is_finite()) || !(volume.abs() > 1e-30) || joints.len() >= 65_535 {
                return None;
            }
            joints.push(bone);
            matrices.extend(matrix);
            Some((joints.len() - 1) as u16)
        });
        places.push(place);
    }
    if joints.is_empty() {
        return Ok(None);
    }
    let mut influences = Vec::with_capacity(deformer.vertices.len());
    for vertex in &deformer.vertices {
        let end = vertex.weight_begin.saturating_add(vertex.num_weights);
        let weights = deformer.weights.get(vertex.weight_begin..end).unwrap_or(&[]);
        let mut kept: Vec<(u16, f32)> = weights
            .iter()
            .filter_map(|weight| Some((places.get(weight.cluster_index).copied().flatten()?, weight.weight as f32)))
            .filter(|(_, weight)| *weight > 0.0 && weight.is_finite())
            .take(8)
            .collect();
        let sum: f32 = kept.iter().map(|(_, weight)| weight).sum();
        for (_, weight) in &mut kept {
            *weight /= sum;
        }
        influences.push(kept);
    }
    let count = joints.len();
    let index = write_skin(document, scene, joints, matrices, others)?;
    Ok(Some(Skin { index, influences, joints: count }))
}

/// A blend shape: its channel, and what it adds to control points.
struct Target {
    channel: usize,
    offsets: HashMap<u32, ([f32; 3], [f32; 3])>,
    has_normals: bool,
}

fn targets(scene: &Scene, mesh: &Mesh, notes: &mut Vec<String>) -> Vec<Target> {
    let deformers = mesh.blend_deformers().iter().filter_map(|index| scene.blend_deformers().get(*index));
    let mut targets = Vec::new();
    for &channel in deformers.flat_map(|deformer| &deformer.channels) {
        let Some(source) = scene.blend_channels().get(channel) else { continue };
        if source.keyframes.len() > 1 {
            notes.push(format!("blend shape {}: shapes in between are left out", shown(&source.name)));
        }
        let Some(shape) = source.target_shape.and_then(|shape| scene.blend_shapes().get(shape)) else { continue };
        let has_normals = shape.normal_offsets.len() == shape.offset_vertices.len();
        let mut offsets = HashMap::with_capacity(shape.offset_vertices.len());
        for (index, (vertex, moved)) in shape.offset_vertices.iter().zip(&shape.position_offsets).enumerate() {
            let normal = if has_normals { shape.normal_offsets[index] } else { [0.0; 3] };
            offsets.insert(*vertex, (vector(*moved), vector(normal)));
        }
        targets.push(Target { channel, offsets, has_normals });
    }
    targets
}

fn vector<const N: usize>(value: [f64; N]) -> [f32; N] {
    value.map(|number| if number.is_finite() && number.abs() < 1e30 { number as f32 } else { 0.0 })
}

type Slots = HashMap<u16, usize>;

/// What tells one vertex from another: its point, and the bits of its normal, texture coordinates and colour.
type Corner = (u32, [u32; 3], [[u32; 2]; 2], [u32; 4]);

/// The triangles of a part with one material; corners that agree in everything are one vertex. `None` where it has none; an error is a corner
/// without a point.
fn primitive(
    mesh: &Mesh,
    part: usize,
    place: Option<&fbx_rs::Matrix>,
    skin: Option<&Skin>,
    targets: &[Target],
) -> Result<Option<(Primitive, Option<Slots>)>, usize> {
    let mut made = Primitive::default();
    let uvs: Vec<_> = mesh.uv_sets().iter().take(2).collect();
    let colors = mesh.color_sets().first();
    let mut known: HashMap<Corner, u32> = HashMap::new();
    let mut control: Vec<u32> = Vec::new();
    for corner in corners(mesh, part) {
        let point = *mesh.positions().indices().get(corner).ok_or(corner)?;
        let position = vector(mesh.positions().get(corner).ok_or(corner)?);
        let normal = mesh.normals().and_then(|normals| normals.get(corner)).map(vector);
        let uv: [[f32; 2]; 2] = std::array::from_fn(|set| {
            let uv = uvs.get(set).and_then(|set| set.uv().get(corner)).map(vector).unwrap_or_default();
            // FBX counts from below.
            [uv[0], 1.0 - uv[1]]
        });
        let color = colors.and_then(|set| set.color().get(corner)).map(vector).unwrap_or([1.0; 4]);
        let bits = |numbers: [f32; 2]| numbers.map(f32::to_bits);
        let key = (point, normal.unwrap_or_default().map(f32::to_bits), uv.map(bits), color.map(f32::to_bits));
        let next = made.positions.len() as u32;
        let index = *known.entry(key).or_insert(next);
        made.indices.push(index);
        if index < next {
            continue;
        }
        control.push(point);
        made.positions.push(place.map_or(position, |place| vector(place.transform_point(position.map(f64::from)))));
        if mesh.normals().is_some() {
            made.normals.push(turned(place, normal.unwrap_or([0.0, 1.0, 0.0])));
        }
        for (set, uv) in uv.into_iter().enumerate().take(uvs.len()) {
            made.uvs[set].push(uv);
        }
        if colors.is_some() {
            made.colors.push(color.map(|value| value.clamp(0.0, 1.0)));
        }
    }
    if made.indices.is_empty() {
        return Ok(None);
    }
    for target in targets {
        let of = |point: &u32| target.offsets.get(point).copied().unwrap_or_default();
        let linear = |offset: [f32; 3]| place.map_or(offset, |place| stretched(place, offset));
        made.morph_targets.push(MorphTarget {
            positions: control.iter().map(|point| linear(of(point).0)).collect(),
            normals: match target.has_normals && !made.normals.is_empty() {
                true => control.iter().map(|point| linear(of(point).1)).collect(),
                false => Vec::new(),
            },
            tangents: Vec::new(),
        });
    }
    let slots = skin.map(|skin| {
        let needs_more =
            control.iter().any(|point| skin.influences.get(*point as usize).is_some_and(|it| it.len() > 4));
        for point in &control {
            let own = skin.influences.get(*point as usize).map_or(&[][..], Vec::as_slice);
            let at = |place: usize| own.get(place).copied().unwrap_or((0, 0.0));
            let [first, more]: [[(u16, f32); 4]; 2] =
                std::array::from_fn(|set| std::array::from_fn(|i| at(4 * set + i)));
            let mut weights = first.map(|(_, weight)| weight);
            if own.is_empty() {
                weights[0] = 1.0;
            }
            made.joints.push(first.map(|(joint, _)| joint));
            made.weights.push(weights);
            if needs_more {
                made.more_joints.push(more.map(|(joint, _)| joint));
                made.more_weights.push(more.map(|(_, weight)| weight));
            }
        }
        (0..skin.joints).map(|joint| (joint as u16, joint)).collect()
    });
    Ok(Some((made, slots)))
}

/// The corners of a part's triangles, three by three.
fn corners(mesh: &Mesh, part: usize) -> Vec<usize> {
    let triangles = mesh.triangles();
    let Some(part) = mesh.parts().get(part).filter(|_| mesh.parts().len() > 1) else {
        return triangles.iter().map(|corner| *corner as usize).collect();
    };
    // Triangles come face by face.
    let mut begins = Vec::with_capacity(mesh.faces().len());
    let mut at = 0_usize;
    for face in mesh.faces() {
        begins.push(at);
        at = at.saturating_add(3 * (face.count as usize).saturating_sub(2));
    }
    let mut corners = Vec::new();
    for &face in part.face_indices() {
        let (Some(begin), Some(source)) = (begins.get(face as usize), mesh.faces().get(face as usize)) else {
            continue;
        };
        let count = 3 * (source.count as usize).saturating_sub(2);
        if let Some(own) = triangles.get(*begin..begin.saturating_add(count)) {
            corners.extend(own.iter().map(|corner| *corner as usize));
        }
    }
    corners
}

fn stretched(place: &fbx_rs::Matrix, offset: [f32; 3]) -> [f32; 3] {
    let [end, start] = [offset.map(f64::from), [0.0; 3]].map(|at| place.transform_point(at));
    vector([end[0] - start[0], end[1] - start[1], end[2] - start[2]])
}

/// A normal of unit length, in the space of the node.
fn turned(place: Option<&fbx_rs::Matrix>, normal: [f32; 3]) -> [f32; 3] {
    let mut normal = glam::DVec3::from_array(normal.map(f64::from));
    if let Some(place) = place {
        let linear = glam::DMat3::from_cols_array_2d(&[0, 1, 2].map(|column| place.column(column)));
        if linear.determinant().abs() > 1e-30 {
            normal = linear.inverse().transpose() * normal;
        }
    }
    normal.try_normalize().unwrap_or(glam::DVec3::Y).as_vec3().to_array()
}
