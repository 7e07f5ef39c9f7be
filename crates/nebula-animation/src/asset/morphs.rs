//! Assigns slots to morph weights: one entry per node that shows a mesh with morph targets, whichever meshes are
//! loaded.

use std::collections::HashMap;

use super::accessor::Accessors;
use super::document::{self, Document};
use super::error::AnimationLoadError;
use super::names::Names;
use super::report::{Report, named};
use crate::clip::{MOST_MORPH_SLOTS, MorphLayout, MorphMesh, WEIGHTS_PER_JOINT};

/// Gives every morph target of the file a slot.
pub(super) fn layout(
    document: &Document,
    names: Names,
    accessors: &Accessors,
    report: &mut Report,
) -> Result<MorphLayout, AnimationLoadError> {
    let mut layout = MorphLayout::default();
    let mut target_names: HashMap<usize, Vec<String>> = HashMap::new();
    let mut first_slot = 0_usize;
    for (node, entry) in document.nodes.iter().enumerate() {
        let Some(mesh) = entry.mesh.map(|mesh| mesh.index()) else { continue };
        let source = &document.meshes[mesh];
        let target_count = target_count(source);
        if target_count == 0 {
            continue;
        }
        let end = first_slot + target_count;
        if end > MOST_MORPH_SLOTS {
            return Err(report.limit("morph targets of all nodes", end as u64, MOST_MORPH_SLOTS as u64));
        }
        let target_names = match target_names.get(&mesh) {
            Some(known) => known,
            None => {
                check_primitives(source, mesh, report)?;
                target_names.entry(mesh).or_insert(read_target_names(source, names))
            }
        };
        let name = mesh_name(document, node, mesh, names);
        let own_bytes = size_of::<MorphMesh>()
            + name.len()
            + target_count * (size_of::<String>() + size_of::<f32>())
            + target_names.iter().map(String::len).sum::<usize>();
        accessors.budget().charge(own_bytes as u64, report)?;
        layout.meshes.push(MorphMesh {
            node,
            name: name.to_owned(),
            first_slot,
            target_names: target_names.clone(),
            weights: weights(document, node, mesh, report)?,
        });
        first_slot = end.next_multiple_of(WEIGHTS_PER_JOINT);
    }
    Ok(layout)
}

/// Refuses a file whose joints leave no indices for its morph weights.
pub(super) fn check_joints(
    layout: &MorphLayout,
    joint_count: usize,
    report: &Report,
) -> Result<(), AnimationLoadError> {
    let most = usize::from(u16::MAX) + 1 - layout.slot_count() / WEIGHTS_PER_JOINT;
    if joint_count > most {
        return Err(report.limit("joints of a file with morph targets", joint_count as u64, most as u64));
    }
    Ok(())
}

/// The entry of a node, if it shows a mesh with morph targets.
pub(super) fn of_node(layout: &MorphLayout, node: usize) -> Option<&MorphMesh> {
    // They are in node order.
    let position = layout.meshes.binary_search_by_key(&node, |mesh| mesh.node).ok()?;
    layout.meshes.get(position)
}

/// The name of a mesh, or of the node that shows it where the mesh has none.
pub(super) fn mesh_name<'d>(document: &'d Document, node: usize, mesh: usize, names: Names) -> &'d str {
    let own = document.meshes[mesh].name.as_deref().filter(|name| !name.is_empty());
    names.cut(own.or(document.nodes[node].name.as_deref()).unwrap_or_default())
}

/// The weights of a node, of its mesh, or zeros.
pub(super) fn weights(
    document: &Document,
    node: usize,
    mesh: usize,
    report: &mut Report,
) -> Result<Vec<f32>, AnimationLoadError> {
    let source = &document.meshes[mesh];
    let count = target_count(source);
    let given: &[f32] = match &document.nodes[node].weights {
        Some(weights) => weights,
        None => &source.weights,
    };
    if !given.is_empty() && given.len() != count {
        let object = named("mesh", mesh, source.name.as_deref());
        report.repair(object, format!("{} weights for {count} morph targets", given.len()))?;
    }
    if let Some(weight) = given.iter().find(|weight| !weight.is_finite()) {
        let object = named("mesh", mesh, source.name.as_deref());
        return Err(report.malformed(object, format!("weights: {weight} is not finite")));
    }
    Ok(given.iter().copied().chain(std::iter::repeat(0.0)).take(count).collect())
}

fn target_count(mesh: &document::Mesh) -> usize {
    mesh.primitives.iter().map(|primitive| primitive.targets.len()).max().unwrap_or_default()
}

/// All primitives of a mesh have the same morph targets.
fn check_primitives(source: &document::Mesh, mesh: usize, report: &Report) -> Result<(), AnimationLoadError> {
    let expected = target_count(source);
    for (position, primitive) in source.primitives.iter().enumerate() {
        let found = primitive.targets.len();
        if found != expected {
            let object = format!("{}, primitive {position}", named("mesh", mesh, source.name.as_deref()));
            return Err(
                report.malformed(object, format!("{found} morph targets, but another primitive has {expected}"))
            );
        }
    }
    Ok(())
}

/// By convention, the names of morph targets are in the mesh's `extras.targetNames`.
fn read_target_names(mesh: &document::Mesh, names: Names) -> Vec<String> {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Extras {
        target_names: Vec<String>,
    }
    let extras = mesh.extras.and_then(|extras| serde_json::from_str::<Extras>(extras.get()).ok());
    let mut target_names = extras.map(|extras| extras.target_names).unwrap_or_default();
    target_names.resize(target_count(mesh), String::new());
    target_names.iter().map(|name| names.cut(name).to_owned()).collect()
}
