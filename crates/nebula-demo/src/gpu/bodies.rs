//! The bodies of a shot, ready to be drawn by any pass.

use std::collections::HashMap;
use std::ops::Range;

use glam::Mat4;
use nebula_animation::gpu::GpuPalettes;
use nebula_animation::skinning::Bounds;

use super::device::{Device, Stream};
use super::layouts::Layouts;
use super::pipelines::{Kind, Pipelines, Sides, Style};
use super::resident::{Indices, Resident, mirrors};
use crate::picture::View;
use crate::show::renderer::{FEW, may_be_seen};
use crate::show::shot::{Body, Shot};

/// Pictures after which a model that was not seen is forgotten.
const FORGOTTEN_AFTER: u64 = 120;

/// Bytes of an instance.
const INSTANCE_BYTES: u64 = 16;

/// The bodies of a shot.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    palettes: Option<GpuPalettes>,
    residents: HashMap<u64, Resident>,
    draws: Vec<Draw>,
    instances: Stream,
    pictures: u64,
    /// Working memory.
    matrices: Vec<Mat4>,
    numbers: Vec<[u32; 4]>,
    weights: Vec<f32>,
}

/// What the frame has to know about bodies.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    /// The box around all of them.
    pub(super) bounds: Option<Bounds>,
    /// How many meshes they have.
    pub(super) count: usize,
}

/// Where a body's matrices are in the upload, and which of them mirror.
struct Spot {
    joints_at: u32,
    place_at: u32,
    matrices: Range<usize>,
    is_mirroring: Vec<bool>,
}

/// Some instances of a part.
#[derive(Debug)]
struct Draw {
    model: u64,
    part: usize,
    style: Style,
    instances: Range<u64>,
}

impl Bodies {
    pub(super) fn new(palettes: GpuPalettes) -> Self {
        Self { palettes: Some(palettes), ..Self::default() }
    }

    /// Uploads what is needed of those of a shot's bodies that may be seen.
    pub(super) fn prepare(
        &mut self,
        device: &Device,
        layouts: &Layouts,
        pipelines: &mut Pipelines,
        view: &View,
        shot: &Shot<'_>,
        is_wireframe: bool,
    ) -> Result<Prepared, String> {
        let Shot { camera, bodies, .. } = shot;
        self.pictures += 1;
        self.draws.clear();
        self.numbers.clear();
        self.matrices.clear();
        let mut groups: Vec<(u64, Vec<&Body<'_>>)> = Vec::new();
        let aspect = view.width as f32 / view.height.max(1) as f32;
        for body in bodies.iter().filter(|body| bodies.len() < FEW || may_be_seen(body, camera, aspect)) {
            match groups.iter_mut().rev().find(|(id, _)| *id == body.model.id) {
                Some((_, group)) => group.push(body),
                None => groups.push((body.model.id, vec![body])),
            }
        }
        let Some(palettes) = self.palettes.as_mut() else { return Ok(Prepared::default()) };
        let mut prepared = Prepared::default();
        let vectors = palettes.format().vectors_per_joint();
        for (id, group) in &groups {
            let Some(first) = group.first() else { continue };
            if !self.residents.contains_key(id) {
                self.residents.insert(*id, Resident::new(device, layouts, first.model)?);
            }
            let Some(resident) = self.residents.get_mut(id) else { continue };
            resident.last_seen = self.pictures;
            if is_wireframe {
                resident.need_edges(device, first.model);
            }
            upload_weights(device, resident, group, &mut self.weights)?;
            let joints = first.model.asset.skeleton.joints.len();
            let mut places = Vec::with_capacity(group.len());
            for body in group {
                let start = self.matrices.len();
                let given = body.palette.len().min(joints);
                self.matrices.extend_from_slice(&body.palette[..given]);
                self.matrices.resize(start + joints, Mat4::IDENTITY);
                // After the joints comes what carries meshes without any.
                self.matrices.push(body.place);
                let around = resident.bounds.of(body);
                prepared.bounds = prepared.bounds.into_iter().chain(around).reduce(|a, b| a.union(&b));
                prepared.count += first.model.parts.len();
                let [joints_at, place_at] = [start, start + joints].map(|at| at as u32 * vectors);
                let is_mirroring = self.matrices[start..].iter().map(mirrors).collect();
                places.push(Spot { joints_at, place_at, matrices: start..self.matrices.len(), is_mirroring });
            }
            collect(*id, resident, &places, &self.matrices, is_wireframe, &mut self.numbers, &mut self.draws);
        }
        for draw in &self.draws {
            pipelines.need(&device.gpu, draw.style);
        }
        palettes.upload(&device.gpu, self.matrices.as_slice()).map_err(|error| error.to_string())?;
        self.instances.write(device, "bodies", wgpu::BufferUsages::VERTEX, bytemuck::cast_slice(&self.numbers));
        let pictures = self.pictures;
        self.residents.retain(|_, resident| resident.last_seen + FORGOTTEN_AFTER >= pictures);
        Ok(prepared)
    }

    /// Draws all colours. The frame is bound already.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, pipelines: &Pipelines) {
        for draw in &self.draws {
            let (Some(pipeline), Some(resident)) = (pipelines.surface(draw.style), self.residents.get(&draw.model))
            else {
                continue;
            };
            let part = &resident.parts[draw.part];
            pass.set_pipeline(pipeline);
            pass.set_bind_group(3, &part.surface, &[]);
            let Some(instances) = self.bind(pass, resident, draw, 4) else { continue };
            pass.set_vertex_buffer(2, resident.model.parts[draw.part].colors.slice(..));
            pass.set_vertex_buffer(3, part.uvs.slice(..));
            draw_indices(pass, resident, draw, instances, false);
        }
    }

    /// Draws all heights into a map, which is bound already. Few triangles do for one that is only seen blurred.
    pub(super) fn cast(&self, pass: &mut wgpu::RenderPass<'_>, pipelines: &[wgpu::RenderPipeline; 2], is_coarse: bool) {
        for draw in self.draws.iter().filter(|draw| draw.style.kind != Kind::Wire) {
            let Some(resident) = self.residents.get(&draw.model) else { continue };
            if resident.parts[draw.part].is_shadowless {
                continue;
            }
            pass.set_pipeline(&pipelines[usize::from(draw.style.has_eight)]);
            let Some(instances) = self.bind(pass, resident, draw, 2) else { continue };
            draw_indices(pass, resident, draw, instances, is_coarse);
        }
    }

    /// Binds what every pass needs, the instances to a slot; gives their number.
    fn bind(&self, pass: &mut wgpu::RenderPass<'_>, resident: &Resident, draw: &Draw, slot: u32) -> Option<u32> {
        let (palettes, instances) = (self.palettes.as_ref()?, self.instances.buffer()?);
        let mesh = &resident.model.parts[draw.part].mesh;
        pass.set_bind_group(0, palettes.bind_group(), &[]);
        pass.set_bind_group(1, mesh.morphs.bind_group(), &[]);
        pass.set_vertex_buffer(0, mesh.vertices().slice(..));
        pass.set_vertex_buffer(1, mesh.influences().slice(..));
        let Range { start, end } = draw.instances;
        pass.set_vertex_buffer(slot, instances.slice(start * INSTANCE_BYTES..end * INSTANCE_BYTES));
        u32::try_from(end - start).ok()
    }
}

fn draw_indices(pass: &mut wgpu::RenderPass<'_>, resident: &Resident, draw: &Draw, instances: u32, is_coarse: bool) {
    let (source, part) = (&resident.model.parts[draw.part], &resident.parts[draw.part]);
    let other = match draw.style.kind {
        Kind::Wire => part.edges.as_ref(),
        _ => is_coarse.then_some(&part.coarse),
    };
    let (buffer, count) =
        other.map_or((&source.indices, source.index_count), |Indices { buffer, count }| (buffer, *count));
    pass.set_index_buffer(buffer.slice(..), wgpu::IndexFormat::Uint32);
    pass.draw_indexed(0..count, 0, 0..instances);
}

/// Sorts the bodies of a model into draws of each part.
fn collect(
    model: u64,
    resident: &Resident,
    spots: &[Spot],
    matrices: &[Mat4],
    is_wireframe: bool,
    numbers: &mut Vec<[u32; 4]>,
    draws: &mut Vec<Draw>,
) {
    for (index, part) in resident.parts.iter().enumerate().filter(|(_, part)| part.is_drawn) {
        let mesh = &resident.model.parts[index].mesh;
        let targets = mesh.morphs.target_count() as u32;
        let (has_eight, is_placed) = (mesh.influence_count() == 8, mesh.influence_count() == 0);
        let sides: &[Sides] = if part.is_double_sided { &[Sides::Both] } else { &[Sides::Front, Sides::MirroredFront] };
        for &sides in sides {
            let start = numbers.len() as u64;
            for (body, spot) in spots.iter().enumerate() {
                if part.sides(&matrices[spot.matrices.clone()], &spot.is_mirroring) == sides {
                    let first = if is_placed { spot.place_at } else { spot.joints_at };
                    numbers.push([first, body as u32 * targets, targets, u32::from(is_placed)]);
                }
            }
            let instances = start..numbers.len() as u64;
            if !instances.is_empty() {
                let style = Style { has_eight, sides, kind: part.kind, features: part.features };
                if is_wireframe {
                    let style = Style { sides: Sides::Both, kind: Kind::Wire, ..style };
                    draws.push(Draw { model, part: index, style, instances: instances.clone() });
                }
                draws.push(Draw { model, part: index, style, instances });
            }
        }
    }
    // Edges come after all surfaces.
    draws.sort_by_key(|draw| draw.style.kind == Kind::Wire);
}

/// Uploads the morph weights of a group of bodies.
fn upload_weights(
    device: &Device,
    resident: &mut Resident,
    group: &[&Body<'_>],
    weights: &mut Vec<f32>,
) -> Result<(), String> {
    let Some(model) = group.first().map(|body| body.model) else { return Ok(()) };
    for (mesh, source) in model.asset.meshes.iter().enumerate() {
        let targets = source.primitives.iter().map(|primitive| primitive.morph_targets.len()).max().unwrap_or(0);
        if targets == 0 {
            continue;
        }
        weights.clear();
        for body in group {
            let given = body.weights_of(source);
            let given = &given[..given.len().min(targets)];
            weights.extend(given.iter().map(|weight| if weight.is_finite() { *weight } else { 0.0 }));
            weights.resize(weights.len() + targets - given.len(), 0.0);
        }
        resident.model.set_morph_weights(&device.gpu, mesh, weights).map_err(|error| error.to_string())?;
    }
    Ok(())
}
