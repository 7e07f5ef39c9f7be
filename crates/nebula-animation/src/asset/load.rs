//! From bytes to an asset: one pass, all or nothing.

use std::io;
use std::path::Path;

use super::accessor::Accessors;
use super::animation::{self, Drivable};
use super::buffer::{Resources, read_buffers};
use super::document::{Document, Text};
use super::error::{AnimationLoadError, escaped};
use super::image::Images;
use super::nodes::Nodes;
use super::options::{LoadOptions, MeshSelection};
use super::report::{Report, named};
use super::rig::{self, Wanted};
use super::{Asset, container, document, extensions, khr_clip, mesh, source};

/// Loads a file from disk.
pub(super) fn from_path(path: &Path, options: &LoadOptions) -> Result<Asset, AnimationLoadError> {
    let name = path.to_string_lossy();
    let bytes = source::read_file(path, options.limits.file_bytes)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", escaped(&name))))?;
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

fn load(
    file_name: &str,
    bytes: &[u8],
    options: &LoadOptions,
    resolve: &mut dyn FnMut(&str, u64) -> io::Result<Vec<u8>>,
) -> Result<Asset, AnimationLoadError> {
    let mut report = Report::new(file_name, options.strictness);
    let report = &mut report;
    let container = container::parse(bytes).map_err(|problem| report.unparsable_container(problem))?;
    for oddity in &container.oddities {
        report.note("file", oddity);
    }
    let document = document::parse(container.json).map_err(|problem| report.unparsable_json(problem))?;
    let document = &document;
    document::check(document, &options.limits, report)?;
    extensions::check(document, report)?;

    let mut resources = Resources::new(resolve, bytes.len() as u64, options.limits.file_bytes);
    let buffers = read_buffers(document, container.binary, &mut resources, report)?;
    let accessors = Accessors::new(document, &buffers, options.limits.decoded_bytes, report)?;
    let nodes = Nodes::new(document, report)?;
    let clip_entries = khr_clip::load(document, report)?;

    let mut names = Names { most_bytes: options.limits.name_bytes, report };
    let node_names = names.of_all("node", document.nodes.iter().map(|node| &node.name), "Node")?;
    let animation_names =
        names.of_all("animation", document.animations.iter().map(|animation| &animation.name), "Animation")?;

    let selected = mesh::selected(document, options.meshes);
    let is_animated = animation::animated_nodes(document);
    let wanted = Wanted {
        nodes: &wanted_nodes(document, &selected, &is_animated),
        is_animated: &is_animated,
        all_nodes: options.all_nodes_as_joints,
    };
    let rig = rig::build(document, &nodes, &wanted, &accessors, &node_names, report)?;
    let mut images = Images::new(document, &accessors, &mut resources);
    let meshes = mesh::load(document, &selected, &rig, &accessors, &mut images, report)?;
    let images = images.into_fetched();
    let drivable =
        Drivable { node_joints: &rig.node_joints, meshes: &meshes, has_meshes: options.meshes != MeshSelection::None };
    let animations = animation::load(document, &drivable, &accessors, &animation_names, report)?;
    let warnings = std::mem::replace(report, Report::new(file_name, options.strictness)).into_warnings();
    Ok(Asset {
        skeleton: rig.skeleton,
        joint_nodes: rig.joint_nodes,
        node_joints: rig.node_joints,
        skins: rig.skins,
        animations,
        meshes,
        images,
        clip_entries,
        warnings,
    })
}

/// Nodes whose place matters besides the joints of skins: those that show a rigid mesh, and in a file without skins
/// those that move.
fn wanted_nodes(document: &Document, selected: &[mesh::Selected], is_animated: &[bool]) -> Vec<usize> {
    let rigid = selected.iter().filter(|selected| selected.skin.is_none()).map(|selected| selected.node);
    if document.skins.is_empty() {
        rigid.chain((0..document.nodes.len()).filter(|&node| is_animated[node])).collect()
    } else {
        rigid.collect()
    }
}

/// Names of objects, cut where they are too long and made up where there is none.
struct Names<'a> {
    most_bytes: usize,
    report: &'a mut Report,
}

impl Names<'_> {
    fn of_all<'t, 'd: 't>(
        &mut self,
        kind: &str,
        names: impl Iterator<Item = &'t Option<Text<'d>>>,
        prefix: &str,
    ) -> Result<Vec<String>, AnimationLoadError> {
        let name = |(index, name): (usize, &'t Option<Text<'d>>)| match name {
            Some(name) if name.len() > self.most_bytes => {
                let message = format!("the name is cut from {} to {} bytes", name.len(), self.most_bytes);
                self.report.note(named(kind, index, Some(name)), message);
                name[..name.floor_char_boundary(self.most_bytes)].to_owned()
            }
            Some(name) => name.to_string(),
            None => format!("{prefix}_{index}"),
        };
        Ok(names.enumerate().map(name).collect())
    }
}
