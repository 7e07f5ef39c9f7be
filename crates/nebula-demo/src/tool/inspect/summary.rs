//! Facts about an asset. The fields are the JSON that `inspect --json` prints.

use std::collections::BTreeMap;
use std::path::Path;

use glam::{Mat4, Vec3};
use nebula_animation::asset::{Animation, Mesh, Property, Skin, Topology};
use nebula_animation::skinning::{Blending, SkinnedVertices};
use nebula_animation::{Asset, Interpolation};
use serde::Serialize;

use crate::tool::PosedAsset;

#[derive(Serialize)]
pub struct Summary {
    pub file: String,
    pub file_bytes: u64,
    pub joints: Vec<JointSummary>,
    pub skins: Vec<SkinSummary>,
    pub clips: Vec<ClipSummary>,
    pub clip_entries: Vec<EntrySummary>,
    pub meshes: Vec<MeshSummary>,
    pub images: Vec<ImageSummary>,
    pub warnings: Vec<String>,
}

#[derive(Serialize)]
pub struct JointSummary {
    pub index: usize,
    pub name: String,
    pub parent: Option<u16>,
    /// How many ancestors it has.
    pub depth: usize,
    pub node: usize,
    /// Whether no skin refers to it: it only places or moves others.
    pub is_helper: bool,
}

#[derive(Serialize)]
pub struct SkinSummary {
    pub index: usize,
    pub name: String,
    pub joints: usize,
    pub meshes: Vec<usize>,
}

#[derive(Serialize)]
pub struct ClipSummary {
    pub index: usize,
    pub name: String,
    /// Seconds.
    pub duration: f32,
    pub translation_channels: usize,
    pub rotation_channels: usize,
    pub scale_channels: usize,
    pub morph_channels: usize,
    pub joints: usize,
    pub keys: usize,
    /// Number of channels by interpolation.
    pub interpolations: BTreeMap<&'static str, usize>,
}

#[derive(Serialize)]
pub struct EntrySummary {
    pub name: String,
    pub animations: Vec<usize>,
    pub start: f64,
    pub end: Option<f64>,
    pub offset: f64,
    pub speed: f64,
    pub repetitions: i32,
    pub reverse: bool,
}

#[derive(Serialize)]
pub struct MeshSummary {
    pub index: usize,
    pub name: String,
    pub node: usize,
    pub skin: Option<usize>,
    pub primitives: usize,
    pub vertices: usize,
    pub triangles: usize,
    /// Joints per vertex that the data has room for.
    pub influences: usize,
    pub morph_targets: Vec<String>,
    /// Extent of the vertices at rest, in model space: quantised ones are in units of their own before.
    pub size: [f32; 3],
    pub is_geometry_missing: bool,
}

#[derive(Serialize)]
pub struct ImageSummary {
    pub index: usize,
    pub mime_type: Option<String>,
    pub bytes: usize,
}

impl Summary {
    pub fn new(asset: &Asset, file: &Path, file_bytes: u64) -> Self {
        Self {
            file: file.display().to_string(),
            file_bytes,
            joints: joints(asset),
            skins: asset.skins.iter().enumerate().map(|(index, skin)| skin_summary(asset, index, skin)).collect(),
            clips: asset.animations.iter().enumerate().map(clip_summary).collect(),
            clip_entries: asset.clip_entries.iter().map(entry_summary).collect(),
            meshes: meshes(asset),
            images: asset
                .images
                .iter()
                .map(|image| ImageSummary {
                    index: image.index,
                    mime_type: image.mime_type.clone(),
                    bytes: image.bytes.len(),
                })
                .collect(),
            warnings: asset.warnings.iter().map(ToString::to_string).collect(),
        }
    }
}

fn joints(asset: &Asset) -> Vec<JointSummary> {
    let mut is_skinned = vec![false; asset.skeleton.joints.len()];
    for &joint in asset.skins.iter().flat_map(|skin| &skin.joints) {
        is_skinned[usize::from(joint)] = true;
    }
    let mut summaries: Vec<JointSummary> = Vec::with_capacity(is_skinned.len());
    for (index, joint) in asset.skeleton.joints.iter().enumerate() {
        summaries.push(JointSummary {
            index,
            name: joint.name.clone(),
            parent: joint.parent,
            depth: joint.parent.map_or(0, |parent| summaries[usize::from(parent)].depth + 1),
            node: asset.joint_nodes[index],
            is_helper: !is_skinned[index],
        });
    }
    summaries
}

fn skin_summary(asset: &Asset, index: usize, skin: &Skin) -> SkinSummary {
    let uses = asset.meshes.iter().enumerate().filter(|(_, mesh)| mesh.skin == Some(index));
    SkinSummary {
        index,
        name: skin.name.clone(),
        joints: skin.joints.len(),
        meshes: uses.map(|(mesh, _)| mesh).collect(),
    }
}

fn clip_summary((index, animation): (usize, &Animation)) -> ClipSummary {
    let count = |property| animation.tracks.iter().filter(|track| track.property == property).count();
    let mut joints: Vec<u16> = animation.tracks.iter().map(|track| track.joint).collect();
    joints.sort_unstable();
    joints.dedup();
    let mut interpolations = BTreeMap::new();
    let tracks = animation.tracks.iter().map(|track| (track.interpolation, track.times.len()));
    let morphs = animation.morph_tracks.iter().map(|track| (track.interpolation, track.times.len()));
    let mut keys = 0;
    for (interpolation, key_count) in tracks.chain(morphs) {
        let name = match interpolation {
            Interpolation::Linear => "LINEAR",
            Interpolation::Step => "STEP",
            Interpolation::CubicSpline => "CUBICSPLINE",
        };
        *interpolations.entry(name).or_insert(0) += 1;
        keys += key_count;
    }
    ClipSummary {
        index,
        name: animation.name.clone(),
        duration: animation.duration,
        translation_channels: count(Property::Translation),
        rotation_channels: count(Property::Rotation),
        scale_channels: count(Property::Scale),
        morph_channels: animation.morph_tracks.len(),
        joints: joints.len(),
        keys,
        interpolations,
    }
}

fn entry_summary(entry: &nebula_animation::clip::ClipEntry) -> EntrySummary {
    EntrySummary {
        name: entry.name.clone(),
        animations: entry.animations.clone(),
        start: entry.start,
        end: entry.end,
        offset: entry.offset,
        speed: entry.speed,
        repetitions: entry.repetitions,
        reverse: entry.reverse,
    }
}

fn meshes(asset: &Asset) -> Vec<MeshSummary> {
    let posed = PosedAsset::new(asset);
    let mut vertices = SkinnedVertices::default();
    let mut summary = |(index, mesh): (usize, &Mesh)| {
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for primitive in mesh.primitives.iter() {
            let geometry = primitive.geometry();
            match mesh.joint.filter(|_| mesh.skin.is_none()) {
                _ if !geometry.joints.is_empty() => {
                    vertices.skin(&geometry, &mesh.morph_weights, posed.palette.as_slice(), Blending::Linear);
                }
                Some(joint) => vertices.carry(&geometry, &mesh.morph_weights, &posed.models[usize::from(joint)]),
                None => vertices.carry(&geometry, &mesh.morph_weights, &Mat4::IDENTITY),
            }
            for position in vertices.positions.iter().filter(|position| position.is_finite()) {
                (low, high) = (low.min(*position), high.max(*position));
            }
        }
        mesh_summary(index, mesh, if low.x <= high.x { high - low } else { Vec3::ZERO })
    };
    asset.meshes.iter().enumerate().map(&mut summary).collect()
}

fn mesh_summary(index: usize, mesh: &Mesh, size: Vec3) -> MeshSummary {
    let triangles = mesh.primitives.iter().filter(|primitive| primitive.topology == Topology::Triangles);
    let influences = mesh.primitives.iter().map(|primitive| {
        4 * (usize::from(!primitive.joints.is_empty()) + usize::from(!primitive.more_joints.is_empty()))
    });
    MeshSummary {
        index,
        name: mesh.name.clone(),
        node: mesh.node,
        skin: mesh.skin,
        primitives: mesh.primitives.len(),
        vertices: mesh.primitives.iter().map(|primitive| primitive.positions.len()).sum(),
        triangles: triangles.map(|primitive| primitive.indices.len() / 3).sum(),
        influences: influences.max().unwrap_or_default(),
        morph_targets: mesh.morph_target_names.clone(),
        size: size.to_array(),
        is_geometry_missing: mesh.is_geometry_missing,
    }
}

#[cfg(test)]
mod tests {
    use nebula_animation::asset::Primitive;
    use nebula_animation::{Joint, Skeleton};

    use super::*;

    /// Quantised vertices are whole numbers; the joint that carries them makes metres of them.
    #[test]
    fn sizes_are_those_that_are_seen() {
        let positions = vec![[0.0; 3], [9762.0, 0.0, 0.0], [0.0, 12_089.0, 500.0]];
        let primitive = Primitive { positions, indices: vec![0, 1, 2], ..Primitive::default() };
        let mesh = Mesh { joint: Some(0), primitives: [primitive].into(), ..Mesh::default() };
        let joint = Joint {
            index: 0,
            parent: None,
            inverse_bind_matrix: Mat4::IDENTITY,
            name: String::new(),
            bind_translation: Vec3::ZERO,
            bind_rotation: glam::Quat::IDENTITY,
            bind_scale: Vec3::splat(1e-4),
        };
        let asset = Asset { skeleton: Skeleton { joints: vec![joint] }, meshes: vec![mesh], ..Asset::default() };
        let size = Vec3::from(meshes(&asset)[0].size);
        assert!(size.abs_diff_eq(Vec3::new(0.9762, 1.2089, 0.05), 1e-5), "{size}");
    }
}
