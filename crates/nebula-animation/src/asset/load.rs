//! Converts bytes to an asset: one pass, all or nothing.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::accessor::Accessors;
use super::animation::{self, Drivable};
use super::buffer::{Resources, read_buffers};
use super::document::Document;
use super::error::{AnimationLoadError, escaped};
use super::image::Images;
use super::material::Materials;
use super::names::Names;
use super::nodes::Nodes;
use super::options::{LoadOptions, MeshSelection};
use super::report::Report;
use super::rig::{self, Wanted};
use super::{Asset, bounds, container, document, extensions, humanoid, khr_clip, mesh, morphs, source, texture, vrm};

/// Loads a file from disk.
pub(super) fn from_path(path: &Path, options: &LoadOptions) -> Result<Asset, AnimationLoadError> {
    let name = path.to_string_lossy();
    let limit = options.limits.file_bytes;
    let bytes = source::read_file(path, limit).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => {
            Report::new(&name, options.strictness).limit("bytes of all files", limit.saturating_add(1), limit)
        }
        kind => io::Error::new(kind, format!("{}: {error}", escaped(&name))).into(),
    })?;
    let folder = source::folder_of(path);
    load(&name, &bytes, options, &mut |uri, limit| source::read_below(&folder, uri, limit))
}

/// Loads a file from memory.
pub(super) fn from_bytes(
    file_name: &str,
    bytes: &[u8],
    options: &LoadOptions,
    resolve: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
) -> Result<Asset, AnimationLoadError> {
    load(file_name, bytes, options, &mut |uri, _| resolve(uri))
}

/// The file and all that it refers to.
pub(super) fn files(path: &Path) -> Vec<PathBuf> {
    let mut files = vec![path.to_path_buf()];
    let Ok(bytes) = source::read_file(path, LoadOptions::default().limits.file_bytes) else { return files };
    let Ok(container) = container::parse(&bytes) else { return files };
    let Ok(document) = document::parse(container.json) else { return files };
    let buffers = document.buffers.iter().filter_map(|buffer| buffer.uri.as_deref());
    let images = document.images.iter().filter_map(|image| image.uri.as_deref());
    let uris: BTreeSet<&str> = buffers.chain(images).filter(|uri| !uri.starts_with("data:")).collect();
    let folder = source::folder_of(path);
    for uri in uris {
        if let Ok(source::Reference::Path(relative)) = source::parse_uri(uri) {
            files.push(folder.join(&*relative));
        }
    }
    files
}

fn load(
    file_name: &str,
    bytes: &[u8],
    options: &LoadOptions,
    resolve: &mut dyn FnMut(&str, u64) -> io::Result<Vec<u8>>,
) -> Result<Asset, AnimationLoadError> {
    let mut report = Report::new(file_name, options.strictness);
    let report = &mut report;
    if bytes.len() as u64 > options.limits.file_bytes {
        return Err(report.limit("bytes of all files", bytes.len() as u64, options.limits.file_bytes));
    }
    let container = container::parse(bytes).map_err(|problem| report.unparsable_container(problem))?;
    for oddity in &container.oddities {
        report.note("file", oddity);
    }
    let document = document::parse(container.json).map_err(|problem| report.unparsable_json(problem))?;
    let document = &document;
    document::check(document, &options.limits, report)?;
    extensions::check(document, report)?;
    texture::check(document, report)?;

    let mut resources = Resources::new(resolve, bytes.len() as u64, options.limits.file_bytes);
    let buffers = read_buffers(document, container.binary, &mut resources, report)?;
    let accessors = Accessors::new(document, &buffers, options.limits.decoded_bytes, report)?;
    let nodes = Nodes::new(document, report)?;
    let clip_entries = khr_clip::load(document, report)?;
    let bones = humanoid::load(document, report)?;

    let names = Names { most_bytes: options.limits.name_bytes };
    let node_names = names.of_all("node", document.nodes.iter().map(|node| &node.name), "Node", report);
    let animation_names =
        names.of_all("animation", document.animations.iter().map(|animation| &animation.name), "Animation", report);

    let is_animated = animation::animated_nodes(document);
    let moves = nodes.with_descendants(moving_nodes(document, &is_animated));
    let selected = mesh::selected(document, options.meshes, &moves);
    let morph_layout = morphs::layout(document, names, &accessors, report)?;
    // Without meshes, what drives their morph weights and carries them is there all the same.
    let deforming = match options.meshes {
        MeshSelection::None => mesh::selected(document, LoadOptions::default().meshes, &moves),
        _ => selected.clone(),
    };
    let carried = if document.skins.is_empty() { &deforming } else { &selected };
    let wanted = Wanted {
        nodes: &wanted_nodes(document, carried, &is_animated, &bones),
        named: &vrm::nodes(document, &bones),
        is_animated: &is_animated,
        all_nodes: options.all_nodes_as_joints,
    };
    let rig = rig::build(document, &nodes, &wanted, &accessors, names, &node_names, report)?;
    morphs::check_joints(&morph_layout, rig.skeleton.joints.len(), report)?;
    let mut materials = Materials::new(document, names, Images::new(document, &accessors, &mut resources));
    let shown = mesh::Shown { selected: &selected, morphs: &morph_layout };
    let meshes = mesh::load(document, shown, &rig, &accessors, names, &mut materials, report)?;
    let images = materials.into_images();
    let drivable = Drivable {
        node_joints: &rig.node_joints,
        morphs: &morph_layout,
        node_meshes: deforming.iter().enumerate().map(|(index, shown)| (shown.node, index)).collect(),
    };
    let (animations, amounts) = animation::load(document, &drivable, &accessors, &animation_names, report)?;
    bounds::check(&rig.skeleton, &animations, &amounts, report)?;
    let humanoid = humanoid::map(&bones, &rig.node_joints, &rig.skeleton);
    let around = vrm::Around {
        document,
        nodes: &nodes,
        node_joints: &rig.node_joints,
        morphs: &morph_layout,
        humanoid: humanoid.as_ref(),
        names,
    };
    let avatar = vrm::load(&around, report)?;
    let warnings = std::mem::replace(report, Report::new(file_name, options.strictness)).into_warnings();
    Ok(Asset {
        humanoid,
        avatar,
        skeleton: rig.skeleton,
        joint_nodes: rig.joint_nodes,
        node_joints: rig.node_joints,
        skins: rig.skins,
        animations,
        meshes,
        morphs: morph_layout,
        images,
        clip_entries,
        warnings,
    })
}

/// The joints of skins, and whatever is animated.
fn moving_nodes(document: &Document, is_animated: &[bool]) -> Vec<bool> {
    let mut moves = is_animated.to_vec();
    for joint in document.skins.iter().flat_map(|skin| &skin.joints) {
        moves[joint.index()] = true;
    }
    moves
}

/// Nodes whose place matters besides the joints of skins: those that show a rigid mesh, and in a file without skins
/// those that move or that the file calls joints of a humanoid.
fn wanted_nodes(
    document: &Document,
    selected: &[mesh::Selected],
    is_animated: &[bool],
    bones: &[humanoid::Bone],
) -> Vec<usize> {
    let rigid = selected.iter().filter(|selected| selected.skin.is_none()).map(|selected| selected.node);
    if document.skins.is_empty() {
        let moved = (0..document.nodes.len()).filter(|&node| is_animated[node]);
        rigid.chain(moved).chain(bones.iter().map(|bone| bone.node)).collect()
    } else {
        rigid.collect()
    }
}
