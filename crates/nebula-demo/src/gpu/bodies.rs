//! The bodies of a shot, ready to be drawn by any pass.

use std::collections::HashMap;
use std::ops::Range;

use glam::{Mat4, Vec3};
use nebula_animation::gpu::GpuPalettes;
use nebula_animation::skinning::Bounds;

use super::device::{Device, Stream};
use super::layouts::Layouts;
use super::pipelines::{Kind, Pipelines, Sides, Style};
use super::resident::{Resident, ResidentPart, is_mirroring};
use crate::picture::View;
use crate::show::shot::Body;

/// Pictures after which a model that was not seen is forgotten.
const FORGOTTEN_AFTER: u64 = 120;

/// From so many bodies of a model on, those that are small in the picture are drawn with fewer triangles.
const CROWD: usize = 24;

/// The height in pixels below which a body of a crowd is small.
const SMALL: f32 = 90.0;

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

/// Some instances of a part.
#[derive(Debug)]
struct Draw {
    model: u64,
    part: usize,
    style: Style,
    is_coarse: bool,
    instances: Range<u64>,
}

impl Bodies {
    pub(super) fn new(palettes: GpuPalettes) -> Self {
        Self { palettes: Some(palettes), ..Self::default() }
    }

    /// Uploads what a shot's bodies need. Returns the box around all of them.
    pub(super) fn prepare(
        &mut self,
        device: &Device,
        layouts: &Layouts,
        pipelines: &mut Pipelines,
        view: &View,
        bodies: &[Body<'_>],
        is_wireframe: bool,
    ) -> Result<Option<Bounds>, String> {
        self.pictures += 1;
        self.draws.clear();
        self.numbers.clear();
        self.matrices.clear();
        let mut groups: Vec<(u64, Vec<&Body<'_>>)> = Vec::new();
        for body in bodies {
            match groups.iter_mut().find(|(id, _)| *id == body.model.id) {
                Some((_, group)) => group.push(body),
                None => groups.push((body.model.id, vec![body])),
            }
        }
        let Some(palettes) = self.palettes.as_mut() else { return Ok(None) };
        let mut bounds: Option<Bounds> = None;
        let vectors = palettes.format().vectors_per_joint();
        for (id, group) in &groups {
            let Some(first) = group.first() else { continue };
            if !self.residents.contains_key(id) {
                self.residents.insert(*id, Resident::new(device, layouts, first.model)?);
            }
            let Some(resident) = self.residents.get_mut(id) else { continue };
            resident.last_seen = self.pictures;
            if group.len() >= CROWD {
                resident.need_coarse(device, first.model);
            }
            if is_wireframe {
                resident.need_edges(device, first.model);
            }
            upload_weights(device, resident, group, &mut self.weights)?;
            let joints = first.model.asset.skeleton.joints.len();
            let mut places = Vec::with_capacity(group.len());
            for body in group {
                let start = self.matrices.len() as u32 * vectors;
                let given = body.palette.len().min(joints);
                self.matrices.extend_from_slice(&body.palette[..given]);
                self.matrices.resize(self.matrices.len() + joints - given, Mat4::IDENTITY);
                let palette = &self.matrices[self.matrices.len() - joints..];
                let around = resident.model.bounds(palette);
                bounds = bounds.into_iter().chain(around).reduce(|a, b| a.union(&b));
                let is_small = group.len() >= CROWD && around.is_some_and(|around| pixels_high(view, &around) < SMALL);
                places.push((start, is_small, palette.iter().map(is_mirroring).collect::<Vec<_>>()));
            }
            collect(*id, resident, &places, is_wireframe, &mut self.numbers, &mut self.draws);
        }
        for draw in &self.draws {
            pipelines.need(&device.gpu, draw.style);
        }
        palettes.upload(&device.gpu, self.matrices.as_slice()).map_err(|error| error.to_string())?;
        self.instances.write(device, "bodies", wgpu::BufferUsages::VERTEX, bytemuck::cast_slice(&self.numbers));
        let pictures = self.pictures;
        self.residents.retain(|_, resident| resident.last_seen + FORGOTTEN_AFTER >= pictures);
        Ok(bounds)
    }

    /// Draws all colours. The frame is bound already.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, pipelines: &Pipelines) {
        for draw in &self.draws {
            let (Some(pipeline), Some(resident)) = (pipelines.surface(draw.style), self.residents.get(&draw.model)) else {
                continue;
            };
            let part = &resident.parts[draw.part];
            pass.set_pipeline(pipeline);
            pass.set_bind_group(3, &part.surface, &[]);
            let Some(instances) = self.bind(pass, resident, draw, 4) else { continue };
            pass.set_vertex_buffer(2, resident.model.parts[draw.part].colors.slice(..));
            pass.set_vertex_buffer(3, part.uvs.slice(..));
            draw_indices(pass, resident, draw, instances);
        }
    }

    /// Draws all heights into a map, which is bound already.
    pub(super) fn cast(&self, pass: &mut wgpu::RenderPass<'_>, pipelines: &[wgpu::RenderPipeline; 2]) {
        for draw in self.draws.iter().filter(|draw| draw.style.kind != Kind::Wire) {
            let Some(resident) = self.residents.get(&draw.model) else { continue };
            pass.set_pipeline(&pipelines[usize::from(draw.style.has_eight)]);
            let Some(instances) = self.bind(pass, resident, draw, 2) else { continue };
            draw_indices(pass, resident, draw, instances);
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

fn draw_indices(pass: &mut wgpu::RenderPass<'_>, resident: &Resident, draw: &Draw, instances: u32) {
    let (source, part) = (&resident.model.parts[draw.part], &resident.parts[draw.part]);
    let (buffer, count) = match (&part.coarse, &part.edges) {
        (_, Some(edges)) if draw.style.kind == Kind::Wire => (&edges.buffer, edges.count),
        (Some(coarse), _) if draw.is_coarse => (&coarse.buffer, coarse.count),
        _ => (&source.indices, source.index_count),
    };
    pass.set_index_buffer(buffer.slice(..), wgpu::IndexFormat::Uint32);
    pass.draw_indexed(0..count, 0, 0..instances);
}

/// Sorts the bodies of a model into draws of each part.
fn collect(
    model: u64,
    resident: &Resident,
    places: &[(u32, bool, Vec<bool>)],
    is_wireframe: bool,
    numbers: &mut Vec<[u32; 4]>,
    draws: &mut Vec<Draw>,
) {
    for (index, part) in resident.parts.iter().enumerate().filter(|(_, part)| part.is_drawn) {
        let mesh = &resident.model.parts[index].mesh;
        let targets = mesh.morphs.target_count() as u32;
        let has_eight = mesh.influence_count() == 8;
        for (sides, is_coarse) in variants(part) {
            let start = numbers.len() as u64;
            for (body, (first, is_small, is_mirroring)) in places.iter().enumerate() {
                if part.sides(is_mirroring) == sides && *is_small == is_coarse {
                    numbers.push([*first, body as u32 * targets, targets, 0]);
                }
            }
            let instances = start..numbers.len() as u64;
            if !instances.is_empty() {
                let style = Style { has_eight, sides, kind: part.kind };
                if is_wireframe {
                    let style = Style { sides: Sides::Both, kind: Kind::Wire, ..style };
                    draws.push(Draw { model, part: index, style, is_coarse, instances: instances.clone() });
                }
                draws.push(Draw { model, part: index, style, is_coarse, instances });
            }
        }
    }
    // Edges come after all surfaces.
    draws.sort_by_key(|draw| draw.style.kind == Kind::Wire);
}

/// The ways in which bodies of a part may differ.
fn variants(part: &ResidentPart) -> Vec<(Sides, bool)> {
    let sides: &[Sides] =
        if part.is_double_sided { &[Sides::Both] } else { &[Sides::Front, Sides::MirroredFront] };
    sides.iter().flat_map(|&sides| [(sides, false), (sides, true)]).collect()
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
            let given = body.morph_weights.get(mesh).map_or(&[][..], |given| &given[..given.len().min(targets)]);
            weights.extend(given.iter().map(|weight| if weight.is_finite() { *weight } else { 0.0 }));
            weights.resize(weights.len() + targets - given.len(), 0.0);
        }
        resident.model.set_morph_weights(&device.gpu, mesh, weights).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// About how many pixels high a box is seen.
fn pixels_high(view: &View, around: &Bounds) -> f32 {
    let middle = around.center();
    let half = Vec3::Y * (around.size().max_element() * 0.5);
    match (view.pixel_of(middle - half), view.pixel_of(middle + half)) {
        (Some(low), Some(high)) => low.distance(high),
        _ => f32::INFINITY,
    }
}
