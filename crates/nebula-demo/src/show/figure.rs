//! A model in a pose.

use glam::{Mat4, Vec3, Vec4};
use nebula_animation::JointPose;
use nebula_animation::asset::Topology;

use super::model::Model;
use super::skin::{Carrier, Surface};
use crate::picture::{Line, Mesh};
use crate::tool::PosedAsset;

/// A model in a pose, with the memory to take the next one.
pub struct Figure<'a> {
    model: &'a Model,
    posed: PosedAsset<'a>,
    /// Weights of the morph targets, for each mesh of the asset.
    morph_weights: Vec<Vec<f32>>,
    /// The deformed vertices of each part.
    surfaces: Vec<Surface>,
    /// The triangles of each part the other way round, made when a pose mirrors it for the first time.
    mirrored_indices: Vec<Vec<u32>>,
}

/// A clip at a time in seconds; none is the bind pose.
pub type Frame = Option<(usize, f32)>;

impl<'a> Figure<'a> {
    /// The model in its bind pose.
    pub fn new(model: &'a Model) -> Self {
        let mut figure = Self {
            model,
            posed: PosedAsset::new(&model.asset),
            morph_weights: Vec::new(),
            surfaces: vec![Surface::default(); model.parts.len()],
            mirrored_indices: vec![Vec::new(); model.parts.len()],
        };
        figure.take(None);
        figure
    }

    /// Takes the pose of a clip.
    pub fn take(&mut self, frame: Frame) {
        self.sample(frame);
        self.deform();
    }

    /// Takes a mix of two poses: the first one at 0, the second one at 1. The root joints are moved by `offset`.
    pub fn take_mix(&mut self, from: Frame, to: Frame, amount: f32, offset: Vec3) {
        self.sample(from);
        if amount > 0.0 {
            let first = self.posed.local.clone();
            self.sample(to);
            for (joint, first) in self.posed.local.iter_mut().zip(&first) {
                *joint = mix(first, joint, amount);
            }
        }
        let joints = &self.model.asset.skeleton.joints;
        for (joint, _) in self.posed.local.iter_mut().zip(joints).filter(|(_, joint)| joint.parent.is_none()) {
            joint.0 += offset;
        }
        self.deform();
    }

    /// The deformed vertices of each part.
    pub fn surfaces(&self) -> &[Surface] {
        &self.surfaces
    }

    /// The box around the surfaces, or around the joints where there are none; none of neither.
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        let vertices = self.surfaces.iter().flat_map(|surface| surface.positions.iter().copied());
        let joints = self.posed.models.iter().map(|matrix| matrix.w_axis.truncate());
        box_around(vertices).or_else(|| box_around(joints))
    }

    /// The triangles, for the renderer.
    pub fn meshes(&self) -> Vec<Mesh<'_>> {
        let mut meshes = Vec::new();
        for ((part, surface), mirrored) in self.model.parts.iter().zip(&self.surfaces).zip(&self.mirrored_indices) {
            let primitive = self.model.primitive(part);
            if primitive.topology == Topology::Triangles {
                meshes.push(Mesh {
                    positions: &surface.positions,
                    normals: &surface.normals,
                    colors: &part.colors,
                    uvs: &part.uvs,
                    indices: if surface.is_mirrored { mirrored } else { &primitive.indices },
                    base_color: primitive.material.base_color_factor.into(),
                    texture: self.model.texture(primitive),
                    double_sided: primitive.material.is_double_sided,
                    ..Mesh::default()
                });
            }
        }
        meshes
    }

    /// Lines and points of the file, `width` pixels wide.
    pub fn lines(&self, width: f32) -> Vec<Line> {
        let mut lines = Vec::new();
        for (part, surface) in self.model.parts.iter().zip(&self.surfaces) {
            let primitive = self.model.primitive(part);
            let ends = match primitive.topology {
                Topology::Triangles => continue,
                Topology::Lines => 2,
                Topology::Points => 1,
            };
            let color = Vec4::from(primitive.material.base_color_factor);
            for shape in primitive.indices.chunks_exact(ends) {
                let place = |end: u32| surface.positions.get(end as usize).copied().unwrap_or(Vec3::NAN);
                let (start, end) = (place(shape[0]), place(shape[ends - 1]));
                lines.push(Line { start, end, widths: [width; 2], color });
            }
        }
        lines
    }

    /// The joints and what connects them, for a picture of this height in pixels.
    pub fn skeleton(&self, height: u32) -> Vec<Line> {
        let width = (height as f32 / 120.0).clamp(1.0, 8.0);
        let place = |joint: usize| self.posed.models[joint].w_axis.truncate();
        let mut lines = Vec::new();
        for (index, joint) in self.model.asset.skeleton.joints.iter().enumerate() {
            let end = place(index);
            if let Some(parent) = joint.parent {
                lines.push(Line { start: place(parent.into()), end, widths: [width, width * 0.3], color: BONE });
            }
            lines.push(Line { start: end, end, widths: [width * 1.3; 2], color: JOINT });
        }
        lines
    }

    fn sample(&mut self, frame: Frame) {
        self.morph_weights.clear();
        self.morph_weights.extend(self.model.asset.meshes.iter().map(|mesh| mesh.morph_weights.clone()));
        let Some((clip, time)) = frame else {
            self.posed.local = self.model.asset.skeleton.bind_pose();
            return;
        };
        self.posed.sample_local(clip, time);
        for track in &self.model.asset.animations[clip].morph_tracks {
            if let Some(weights) = self.morph_weights.get_mut(track.mesh) {
                track.sample(time, weights);
            }
        }
    }

    /// Brings every vertex to its place in the pose.
    fn deform(&mut self) {
        self.posed.compose();
        for ((part, surface), mirrored) in
            self.model.parts.iter().zip(&mut self.surfaces).zip(&mut self.mirrored_indices)
        {
            let mesh = &self.model.asset.meshes[part.mesh];
            let carrier = match (mesh.skin, mesh.joint) {
                (Some(_), _) => Carrier::Skin(&self.posed.palette),
                (None, Some(joint)) => Carrier::Rigid(self.posed.models[usize::from(joint)]),
                (None, None) => Carrier::Rigid(Mat4::IDENTITY),
            };
            let primitive = self.model.primitive(part);
            surface.deform(primitive, &self.morph_weights[part.mesh], carrier);
            if surface.is_mirrored && mirrored.is_empty() {
                mirrored.extend(primitive.indices.as_chunks::<3>().0.iter().flat_map(|&[a, b, c]| [a, c, b]));
            }
        }
    }
}

/// Colours of the skeleton, linear.
const BONE: Vec4 = Vec4::new(0.95, 0.45, 0.08, 0.95);
const JOINT: Vec4 = Vec4::new(1.0, 0.85, 0.4, 1.0);

fn mix(from: &JointPose, to: &JointPose, amount: f32) -> JointPose {
    (from.0.lerp(to.0, amount), from.1.slerp(to.1, amount), from.2.lerp(to.2, amount))
}

/// The box around the points that are finite.
fn box_around(points: impl Iterator<Item = Vec3>) -> Option<[Vec3; 2]> {
    points.filter(|point| point.is_finite()).fold(None, |bounds, point| {
        let [min, max] = bounds.unwrap_or([point; 2]);
        Some([min.min(point), max.max(point)])
    })
}
