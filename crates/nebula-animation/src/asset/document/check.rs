//! Checks every reference between objects before it is followed.

use super::{Document, Uint};
use crate::asset::AnimationLoadError;
use crate::asset::options::Limits;
use crate::asset::report::{Report, named};

/// Checks the version, the limits and every index of a document.
pub(crate) fn check(document: &Document, limits: &Limits, report: &mut Report) -> Result<(), AnimationLoadError> {
    check_version(document, report)?;
    let channels: usize = document.animations.iter().map(|animation| animation.channels.len()).sum();
    for (what, found, limit) in
        [("nodes", document.nodes.len(), limits.nodes), ("animation channels", channels, limits.channels)]
    {
        if found > limit {
            return Err(report.limit(what, found as u64, limit as u64));
        }
    }
    check_nodes(document, report)?;
    check_views(document, report)?;
    check_animations(document, report)?;
    check_meshes(document, report)?;
    check_materials(document, report)
}

/// The major version is 2; a minor one may be newer unless the file says that it matters.
fn check_version(document: &Document, report: &Report) -> Result<(), AnimationLoadError> {
    let Some(asset) = &document.asset else {
        return Err(report.malformed("asset", "is missing, expected an object with a version"));
    };
    let major = |version: &str| version.split_once('.').and_then(|(major, _)| major.parse::<u32>().ok());
    if major(&asset.version) != Some(2) {
        return Err(report.unsupported_version(&asset.version));
    }
    match &asset.min_version {
        Some(minimum) if &**minimum != "2.0" => Err(report.unsupported_version(minimum)),
        _ => Ok(()),
    }
}

/// Fails unless `index` is below `count`.
fn in_range(
    report: &Report,
    index: Uint,
    count: usize,
    object: impl FnOnce() -> String,
    kind: &str,
) -> Result<(), AnimationLoadError> {
    if index.index() < count {
        return Ok(());
    }
    Err(report.malformed(object(), format!("refers to {kind} {}, but the file has {count}", index.0)))
}

fn check_nodes(document: &Document, report: &Report) -> Result<(), AnimationLoadError> {
    let node_count = document.nodes.len();
    for (index, node) in document.nodes.iter().enumerate() {
        let object = || named("node", index, node.name.as_deref());
        for &child in &node.children {
            in_range(report, child, node_count, object, "child node")?;
        }
        let references = [
            (node.mesh, document.meshes.len(), "mesh"),
            (node.skin, document.skins.len(), "skin"),
            (node.camera, document.cameras.len(), "camera"),
        ];
        for (reference, count, kind) in references {
            if let Some(reference) = reference {
                in_range(report, reference, count, object, kind)?;
            }
        }
    }
    for (index, scene) in document.scenes.iter().enumerate() {
        for &node in &scene.nodes {
            in_range(report, node, node_count, || format!("scene {index}"), "node")?;
        }
    }
    if let Some(scene) = document.scene {
        in_range(report, scene, document.scenes.len(), || "scene".into(), "scene")?;
    }
    for (index, skin) in document.skins.iter().enumerate() {
        let object = || named("skin", index, skin.name.as_deref());
        for &joint in &skin.joints {
            in_range(report, joint, node_count, object, "joint node")?;
        }
        if let Some(root) = skin.skeleton {
            in_range(report, root, node_count, object, "skeleton node")?;
        }
        if let Some(matrices) = skin.inverse_bind_matrices {
            in_range(report, matrices, document.accessors.len(), object, "accessor")?;
        }
    }
    Ok(())
}

fn check_views(document: &Document, report: &Report) -> Result<(), AnimationLoadError> {
    for (index, view) in document.buffer_views.iter().enumerate() {
        let object = || format!("buffer view {index}");
        in_range(report, view.buffer, document.buffers.len(), object, "buffer")?;
        if let Some(compressed) = view.extensions.meshopt() {
            in_range(report, compressed.buffer, document.buffers.len(), object, "buffer")?;
        }
    }
    let view_count = document.buffer_views.len();
    for (index, accessor) in document.accessors.iter().enumerate() {
        let object = || format!("accessor {index}");
        if let Some(view) = accessor.buffer_view {
            in_range(report, view, view_count, object, "buffer view")?;
        }
        if let Some(sparse) = &accessor.sparse {
            in_range(report, sparse.indices.buffer_view, view_count, object, "buffer view")?;
            in_range(report, sparse.values.buffer_view, view_count, object, "buffer view")?;
        }
    }
    Ok(())
}

fn check_animations(document: &Document, report: &Report) -> Result<(), AnimationLoadError> {
    for (index, animation) in document.animations.iter().enumerate() {
        let object = || named("animation", index, animation.name.as_deref());
        for (position, sampler) in animation.samplers.iter().enumerate() {
            for accessor in [sampler.input, sampler.output] {
                let object = || format!("{}, sampler {position}", object());
                in_range(report, accessor, document.accessors.len(), object, "accessor")?;
            }
        }
        for (position, channel) in animation.channels.iter().enumerate() {
            let object = || format!("{}, channel {position}", object());
            in_range(report, channel.sampler, animation.samplers.len(), object, "sampler")?;
            if let Some(node) = channel.target.node {
                in_range(report, node, document.nodes.len(), object, "node")?;
            }
        }
    }
    Ok(())
}

fn check_meshes(document: &Document, report: &Report) -> Result<(), AnimationLoadError> {
    let accessor_count = document.accessors.len();
    for (index, mesh) in document.meshes.iter().enumerate() {
        for (position, primitive) in mesh.primitives.iter().enumerate() {
            let object = || format!("{}, primitive {position}", named("mesh", index, mesh.name.as_deref()));
            for (attribute, accessor) in primitive.attributes.named() {
                if let Some(accessor) = accessor {
                    let object = || format!("{}, {attribute}", object());
                    in_range(report, accessor, accessor_count, object, "accessor")?;
                }
            }
            let targets = primitive.targets.iter().flat_map(|target| [target.position, target.normal, target.tangent]);
            for accessor in targets.chain([primitive.indices]).flatten() {
                in_range(report, accessor, accessor_count, object, "accessor")?;
            }
            if let Some(material) = primitive.material {
                in_range(report, material, document.materials.len(), object, "material")?;
            }
        }
    }
    Ok(())
}

/// Materials and images never stop an animation: a bad reference there is dropped.
fn check_materials(document: &Document, report: &mut Report) -> Result<(), AnimationLoadError> {
    for (index, material) in document.materials.iter().enumerate() {
        for texture in material.textures().filter(|texture| texture.index.index() >= document.textures.len()) {
            let count = document.textures.len();
            let message = format!("refers to texture {}, but the file has {count}: ignored", texture.index.0);
            report.repair(named("material", index, material.name.as_deref()), message)?;
        }
    }
    for (index, texture) in document.textures.iter().enumerate() {
        if let Some(source) = texture.source
            && source.index() >= document.images.len()
        {
            let count = document.images.len();
            let message = format!("refers to image {}, but the file has {count}: ignored", source.0);
            report.repair(format!("texture {index}"), message)?;
        }
        if texture.sampler.index().is_some_and(|sampler| sampler >= document.samplers.len()) {
            let count = document.samplers.len();
            let message = format!("refers to a sampler that does not exist, the file has {count}: ignored");
            report.repair(format!("texture {index}"), message)?;
        }
    }
    Ok(())
}
