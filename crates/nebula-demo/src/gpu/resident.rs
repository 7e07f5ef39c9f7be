//! A model in GPU memory.

use std::collections::{HashMap, HashSet};

use glam::{Mat3, Mat4};
use nebula_animation::asset::{Alpha, Primitive, Topology};
use nebula_animation::gpu;
use nebula_animation::skinning::Bounds;

use super::device::Device;
use super::features::{self, Features, SurfaceData};
use super::image;
use super::layouts::{Layouts, bind};
use super::pipelines::{Kind, Sides};
use crate::picture::{Map, Texture};
use crate::show::bounds::ModelBounds;
use crate::show::clusters::{clusters, triangles};
use crate::show::model::{Model, Part};

/// A model in the GPU's memory.
#[derive(Debug)]
pub(super) struct Resident {
    /// Vertices, joints, morph targets.
    pub(super) model: gpu::Model,
    /// What the library does not know of each part.
    pub(super) parts: Vec<ResidentPart>,
    /// The boxes around its poses.
    pub(super) bounds: ModelBounds,
    /// Number of the picture that it was last seen in.
    pub(super) last_seen: u64,
}

/// What is needed of a part beside its vertices.
#[derive(Debug)]
pub(super) struct ResidentPart {
    pub(super) uvs: wgpu::Buffer,
    pub(super) surface: wgpu::BindGroup,
    pub(super) features: Features,
    pub(super) is_drawn: bool,
    pub(super) is_double_sided: bool,
    pub(super) is_shadowless: bool,
    pub(super) kind: Kind,
    /// Fewer triangles between the same vertices, for what is only seen blurred.
    pub(super) coarse: Indices,
    /// The edges of the triangles; made when first needed.
    pub(super) edges: Option<Indices>,
    /// The joints that move it, each with its part of all weights.
    shares: Vec<(u16, f32)>,
    /// The same for each vertex, where these are few: a mean of joints may mirror although none of them does, which only counts where
    /// there is no larger surface around.
    few: Vec<Vec<(u16, f32)>>,
    /// Whether its vertices are stored mirrored.
    is_stored_mirrored: bool,
}

#[derive(Debug)]
pub(super) struct Indices {
    pub(super) buffer: wgpu::Buffer,
    pub(super) count: u32,
}

impl Resident {
    /// Uploads a model.
    pub(super) fn new(device: &Device, layouts: &Layouts, model: &Model) -> Result<Self, String> {
        let uploaded = gpu::Model::new(&device.gpu, &model.asset).map_err(|error| error.to_string())?;
        let white = image::white(device);
        let mut textures = HashMap::new();
        let mut parts = Vec::with_capacity(model.parts.len());
        for part in &model.parts {
            parts.push(resident_part(device, layouts, model, part, &mut textures, &white));
        }
        Ok(Self { parts, model: uploaded, bounds: ModelBounds::new(model), last_seen: 0 })
    }

    /// Makes the indices of edges.
    pub(super) fn need_edges(&mut self, device: &Device, model: &Model) {
        for (part, source) in self.parts.iter_mut().zip(&model.parts) {
            if part.is_drawn && part.edges.is_none() {
                part.edges = Some(upload_indices(device, &edges(model.primitive(source))));
            }
        }
    }
}

impl ResidentPart {
    /// Which sides are seen in a pose; the last of the matrices is the one of what no joint carries.
    pub(super) fn sides(&self, matrices: &[Mat4], is_mirroring: &[bool]) -> Sides {
        if self.is_double_sided {
            return Sides::Both;
        }
        if !self.few.is_empty() {
            let mirrored = self.few.iter().filter(|influences| {
                let sum = influences.iter().fold(Mat4::ZERO, |sum, (joint, weight)| {
                    sum + matrices.get(usize::from(*joint)).copied().unwrap_or(Mat4::ZERO) * *weight
                });
                mirrors(&sum)
            });
            let is_mirrored = mirrored.count() * 2 > self.few.len();
            return if is_mirrored { Sides::MirroredFront } else { Sides::Front };
        }
        if self.shares.is_empty() {
            return if is_mirroring.last() == Some(&true) { Sides::MirroredFront } else { Sides::Front };
        }
        let mirrored = self.shares.iter().filter(|(joint, _)| is_mirroring.get(usize::from(*joint)) == Some(&true));
        let is_mirrored = mirrored.map(|(_, share)| share).sum::<f32>() > 0.5;
        if is_mirrored != self.is_stored_mirrored { Sides::MirroredFront } else { Sides::Front }
    }
}

fn resident_part(
    device: &Device,
    layouts: &Layouts,
    model: &Model,
    part: &Part,
    textures: &mut HashMap<*const Texture, wgpu::TextureView>,
    white: &wgpu::TextureView,
) -> ResidentPart {
    let primitive = model.primitive(part);
    let material = &primitive.material;
    let looks = model.looks(primitive);
    let is_there = |map: &Map<'_>| part.uvs.get(map.uv).is_some_and(|uvs| uvs.len() >= primitive.positions.len());
    let maps = features::maps(&looks, is_there);
    // The model holds its textures for as long as these addresses are used.
    for map in maps.iter().flatten() {
        textures.entry(std::ptr::from_ref(map.texture)).or_insert_with(|| image::upload(device, map.texture));
    }
    let kind = if material.alpha == Alpha::Opaque { Kind::Opaque } else { Kind::Cut };
    let data = SurfaceData::new(&looks, &maps, material.alpha, primitive.normals.is_empty());
    let uniform = device.buffer("surface", wgpu::BufferUsages::UNIFORM, bytemuck::bytes_of(&data));
    let samplers = maps.map(|map| image::sampler(device, &map.map(|map| map.sampler).unwrap_or_default()));
    let mut resources = vec![uniform.as_entire_binding()];
    for (map, sampler) in maps.iter().zip(&samplers) {
        let view = map.and_then(|map| textures.get(&std::ptr::from_ref(map.texture))).unwrap_or(white);
        resources.extend([wgpu::BindingResource::TextureView(view), wgpu::BindingResource::Sampler(sampler)]);
    }
    let surface = bind(&device.gpu, "surface", &layouts.surface, &resources);
    let uv = |set: usize, vertex: usize| part.uvs[set].get(vertex).copied().unwrap_or_default();
    let uvs: Vec<[glam::Vec2; 2]> =
        (0..primitive.positions.len()).map(|vertex| [uv(0, vertex), uv(1, vertex)]).collect();
    let mesh = &model.asset.meshes[part.mesh];
    let carrier = mesh.joint.filter(|_| mesh.skin.is_none());
    let stored = carrier.and_then(|joint| model.asset.skeleton.joints.get(usize::from(joint)));
    ResidentPart {
        uvs: device.buffer("uvs", wgpu::BufferUsages::VERTEX, bytemuck::cast_slice(uvs.as_flattened())),
        surface,
        features: Features::new(&looks, &maps, primitive.tangents.len() >= primitive.positions.len()),
        is_drawn: primitive.topology == Topology::Triangles && !primitive.indices.is_empty(),
        is_double_sided: material.is_double_sided,
        is_shadowless: part.is_outline,
        kind,
        coarse: upload_indices(device, &coarse(primitive)),
        edges: None,
        few: if carrier.is_none() && primitive.positions.len() <= FEW_VERTICES {
            influences(primitive)
        } else {
            Vec::new()
        },
        shares: carrier.map_or_else(|| shares(primitive), |joint| vec![(joint, 1.0)]),
        is_stored_mirrored: stored.is_some_and(|joint| mirrors(&joint.inverse_bind_matrix)),
    }
}

/// Parts with fewer vertices are looked at vertex by vertex.
const FEW_VERTICES: usize = 256;

/// The joints and weights of each vertex; nothing for a part without joints.
fn influences(primitive: &Primitive) -> Vec<Vec<(u16, f32)>> {
    let of = |vertex: usize| {
        let fours = [(&primitive.joints, &primitive.weights), (&primitive.more_joints, &primitive.more_weights)];
        let fours = fours.into_iter().filter_map(|(joints, weights)| joints.get(vertex).zip(weights.get(vertex)));
        fours.flat_map(|(joints, weights)| joints.iter().copied().zip(weights.iter().copied())).collect()
    };
    (0..primitive.joints.len()).map(of).collect()
}

/// Whether a matrix turns left hands into right ones.
pub(super) fn mirrors(matrix: &Mat4) -> bool {
    Mat3::from_mat4(*matrix).determinant() < 0.0
}

/// How much of a primitive each joint moves; the sum is one.
fn shares(primitive: &Primitive) -> Vec<(u16, f32)> {
    let mut all: Vec<(u16, f32)> = Vec::new();
    let fours = [(&primitive.joints, &primitive.weights), (&primitive.more_joints, &primitive.more_weights)];
    for (joints, weights) in fours {
        for (joint, weight) in joints.as_flattened().iter().zip(weights.as_flattened()) {
            if *weight > 0.0 {
                all.push((*joint, *weight));
            }
        }
    }
    all.sort_by_key(|(joint, _)| *joint);
    all.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        if is_same {
            kept.1 += next.1;
        }
        is_same
    });
    let sum: f32 = all.iter().map(|(_, share)| share).sum();
    all.iter_mut().for_each(|(_, share)| *share /= sum.max(f32::MIN_POSITIVE));
    all
}

/// Fewer triangles between the same vertices: one of those that lie together stands for all of them.
fn coarse(primitive: &Primitive) -> Vec<u32> {
    let around = Bounds::around(primitive.positions.iter().map(|&position| position.into()));
    let cell = around.map_or(0.0, |bounds| bounds.size().max_element() / COARSE_CELLS);
    if primitive.topology != Topology::Triangles || !(cell > 0.0 && cell.is_finite()) {
        return primitive.indices.clone();
    }
    let clusters = clusters(primitive, cell);
    let mut firsts = Vec::new();
    for (vertex, &cluster) in (0..).zip(&clusters) {
        if cluster as usize == firsts.len() {
            firsts.push(vertex);
        }
    }
    let first_of_old: Vec<u32> = clusters.iter().map(|&cluster| firsts[cluster as usize]).collect();
    let fewer = triangles(primitive, &first_of_old);
    if fewer.is_empty() { primitive.indices.clone() } else { fewer }
}

/// Cubes along the longest side of a part: some three centimetres for a person.
const COARSE_CELLS: f32 = 64.0;

/// Each edge of the triangles once.
fn edges(primitive: &Primitive) -> Vec<u32> {
    let mut seen = HashSet::new();
    let mut lines = Vec::new();
    for &[a, b, c] in primitive.indices.as_chunks::<3>().0 {
        for (start, end) in [(a, b), (b, c), (c, a)] {
            if seen.insert((start.min(end), start.max(end))) {
                lines.extend([start, end]);
            }
        }
    }
    lines
}

fn upload_indices(device: &Device, indices: &[u32]) -> Indices {
    let buffer = device.buffer("indices", wgpu::BufferUsages::INDEX, bytemuck::cast_slice(indices));
    Indices { buffer, count: indices.len() as u32 }
}
