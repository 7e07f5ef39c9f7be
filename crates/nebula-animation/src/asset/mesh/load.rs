//! Loads the meshes of a file as arrays.

use std::collections::HashMap;
use std::sync::Arc;

use super::attributes::{AttributeReader, INDICES, Influences, NORMAL, POSITION, TANGENT, TANGENT_DELTA, UV};
use super::topology::unrolled;
use super::{Mesh, MorphTarget, Primitive};
use crate::asset::accessor::Accessors;
use crate::asset::document::{self, Document};
use crate::asset::error::AnimationLoadError;
use crate::asset::material::{Material, Materials, Toon};
use crate::asset::morphs;
use crate::asset::names::Names;
use crate::asset::options::MeshSelection;
use crate::asset::report::{Report, named};
use crate::asset::rig::Rig;
use crate::clip::MorphLayout;

/// A node whose mesh is to be loaded.
#[derive(Debug, Clone, Copy)]
pub(in crate::asset) struct Selected {
    pub node: usize,
    pub mesh: usize,
    pub skin: Option<usize>,
}

/// What is to be loaded.
#[derive(Debug, Clone, Copy)]
pub(in crate::asset) struct Shown<'a> {
    pub selected: &'a [Selected],
    pub morphs: &'a MorphLayout,
}

/// The nodes whose meshes are to be loaded, in node order.
pub(in crate::asset) fn selected(document: &Document, selection: MeshSelection, moves: &[bool]) -> Vec<Selected> {
    let select = |(node, entry): (usize, &document::Node)| {
        let mesh = entry.mesh?.index();
        let is_morphed = document.meshes[mesh].primitives.iter().any(|primitive| !primitive.targets.is_empty());
        let is_wanted = match selection {
            MeshSelection::None => false,
            MeshSelection::Deforming => entry.skin.is_some() || is_morphed,
            MeshSelection::Moving => entry.skin.is_some() || is_morphed || moves[node],
            MeshSelection::All => true,
        };
        is_wanted.then_some(Selected { node, mesh, skin: entry.skin.map(|skin| skin.index()) })
    };
    document.nodes.iter().enumerate().filter_map(select).collect()
}

/// Loads the selected meshes. Geometry is shared by nodes that show the same mesh with the same skin.
pub(in crate::asset) fn load(
    document: &Document,
    shown: Shown,
    rig: &Rig,
    accessors: &Accessors,
    names: Names,
    materials: &mut Materials,
    report: &mut Report,
) -> Result<Vec<Mesh>, AnimationLoadError> {
    let mut geometry: HashMap<_, Geometry> = HashMap::new();
    let mut meshes = Vec::with_capacity(shown.selected.len());
    for &Selected { node, mesh, skin } in shown.selected {
        let Geometry { primitives, is_missing } = match geometry.get(&(mesh, skin)) {
            Some(known) => known.clone(),
            None => {
                let skin_joints = skin.map(|skin| &*rig.skins[skin].joints);
                let loaded = load_geometry(document, mesh, skin_joints, accessors, names, materials, report)?;
                geometry.entry((mesh, skin)).or_insert(loaded).clone()
            }
        };
        let name = morphs::mesh_name(document, node, mesh, names);
        let morphs = morphs::of_node(shown.morphs, node);
        let target_names = morphs.map_or(&[][..], |morphs| &morphs.target_names);
        // What every node has of its own; the geometry is shared.
        let name_bytes: usize =
            target_names.iter().map(|name| size_of::<String>() + size_of::<f32>() + name.len()).sum();
        accessors.budget().charge((size_of::<Mesh>() + name.len() + name_bytes) as u64, report)?;
        meshes.push(Mesh {
            name: name.to_owned(),
            node,
            skin,
            joint: if skin.is_some() { None } else { rig.carriers[node] },
            morph_target_names: target_names.to_vec(),
            morph_weights: match morphs {
                Some(morphs) => morphs.weights.clone(),
                None => morphs::weights(document, node, mesh, report)?,
            },
            morph_slot: morphs.map(|morphs| morphs.first_slot),
            primitives,
            is_geometry_missing: is_missing,
        });
    }
    Ok(meshes)
}

/// What is drawn of a mesh with a skin.
#[derive(Clone)]
struct Geometry {
    primitives: Arc<[Primitive]>,
    is_missing: bool,
}

fn load_geometry(
    document: &Document,
    mesh: usize,
    skin_joints: Option<&[u16]>,
    accessors: &Accessors,
    names: Names,
    materials: &mut Materials,
    report: &mut Report,
) -> Result<Geometry, AnimationLoadError> {
    let source = &document.meshes[mesh];
    let (mut primitives, mut is_missing) = (Vec::new(), false);
    for (position, primitive) in source.primitives.iter().enumerate() {
        let object = format!("{}, primitive {position}", named("mesh", mesh, source.name.as_deref()));
        let name_bytes = primitive
            .material
            .map_or(0, |material| document.materials[material.index()].name.as_deref().map_or(0, str::len));
        let own_bytes = size_of::<Primitive>()
            + size_of::<Toon>()
            + primitive.targets.len() * size_of::<MorphTarget>()
            + name_bytes.min(names.most_bytes);
        accessors.budget().charge(own_bytes as u64, report)?;
        if primitive.extensions.draco.is_some() && !has_plain_geometry(document, primitive) {
            report.note(&object, "is compressed with Draco, which is not supported: its geometry is missing");
            is_missing = true;
            continue;
        }
        let Some(positions) = primitive.attributes.position else {
            report.note(&object, "has no POSITION: nothing to draw");
            continue;
        };
        let reader = AttributeReader { accessors, object: &object, vertex_count: accessors.count(positions.index()) };
        let material = materials.of(primitive, report)?;
        primitives.push(load_primitive(&reader, primitive, skin_joints, material, report)?);
    }
    Ok(Geometry { primitives: primitives.into(), is_missing })
}

fn load_primitive(
    reader: &AttributeReader,
    source: &document::Primitive,
    skin_joints: Option<&[u16]>,
    material: Material,
    report: &mut Report,
) -> Result<Primitive, AnimationLoadError> {
    let attributes = &source.attributes;
    let (topology, indices) = unrolled(source.mode, load_indices(reader, source, report)?)
        .map_err(|problem| report.malformed(reader.object, problem))?;
    let influences = match skin_joints {
        Some(skin_joints) => reader.read_influences(attributes, skin_joints, report)?,
        None => Influences::default(),
    };
    let mut morph_targets = Vec::with_capacity(source.targets.len());
    for target in &source.targets {
        morph_targets.push(MorphTarget {
            positions: reader.read(target.position, POSITION, report)?,
            normals: reader.read(target.normal, NORMAL, report)?,
            tangents: reader.read(target.tangent, TANGENT_DELTA, report)?,
        });
    }
    Ok(Primitive {
        topology,
        positions: reader.read(attributes.position, POSITION, report)?,
        normals: reader.read(attributes.normal, NORMAL, report)?,
        tangents: reader.read(attributes.tangent, TANGENT, report)?,
        uvs: [reader.read(attributes.texcoord_0, UV, report)?, reader.read(attributes.texcoord_1, UV, report)?],
        colors: reader.read_colors(attributes.color_0, report)?,
        joints: influences.joints,
        weights: influences.weights,
        more_joints: influences.more_joints,
        more_weights: influences.more_weights,
        indices,
        morph_targets,
        material,
    })
}

/// The vertex indices, each below the number of vertices; counted up where the file has none.
fn load_indices(
    reader: &AttributeReader,
    source: &document::Primitive,
    report: &Report,
) -> Result<Vec<u32>, AnimationLoadError> {
    let vertex_count = reader.vertex_count;
    let Some(accessor) = source.indices else {
        reader.accessors.budget().charge((vertex_count as u64).saturating_mul(4), report)?;
        let count = u32::try_from(vertex_count);
        return Ok((0..count.map_err(|_| report.limit("vertices", vertex_count as u64, u32::MAX.into()))?).collect());
    };
    let indices = reader.accessors.integers(accessor.index(), INDICES, reader.object, report)?;
    match indices.iter().position(|&index| index as usize >= vertex_count) {
        Some(position) => {
            let index = indices[position];
            let problem = format!("indices: entry {position} is {index}, but there are {vertex_count} vertices");
            Err(report.malformed(reader.object, problem))
        }
        None => Ok(indices),
    }
}

/// `true` if a compressed primitive also has uncompressed geometry, for readers without the extension.
fn has_plain_geometry(document: &Document, primitive: &document::Primitive) -> bool {
    let is_required = document.extensions_required.iter().any(|extension| &**extension == "KHR_draco_mesh_compression");
    let positions = primitive.attributes.position.map(|accessor| &document.accessors[accessor.index()]);
    !is_required && positions.is_some_and(|accessor| accessor.buffer_view.is_some())
}
