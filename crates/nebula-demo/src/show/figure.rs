//! A model of someone's file in a pose of its clips.

use glam::{Mat4, Vec3, Vec4};
use nebula_animation::rig::SolePoint;

use super::model::Model;
use super::shot::Body;
use super::surfaces::Surfaces;
use crate::picture::Line;
use crate::tool::PosedAsset;

/// A model in a pose, with the memory to take the next one.
pub struct Figure<'a> {
    model: &'a Model,
    posed: PosedAsset<'a>,
    /// Weights of the morph targets, slot by slot.
    morph_weights: Vec<f32>,
    surfaces: Surfaces,
}

/// A clip at a time in seconds; none is the bind pose.
pub type Frame = Option<(usize, f32)>;

impl<'a> Figure<'a> {
    /// The model in its bind pose.
    pub fn new(model: &'a Model) -> Self {
        let posed = PosedAsset::new(&model.asset);
        let mut figure = Self { model, posed, morph_weights: Vec::new(), surfaces: Surfaces::default() };
        figure.take(None);
        figure
    }

    /// Takes the pose of a clip.
    pub fn take(&mut self, frame: Frame) {
        self.morph_weights = self.model.asset.morphs.defaults();
        match frame {
            None => self.posed.local = self.model.asset.skeleton.bind_pose(),
            Some((clip, time)) => {
                self.posed.sample_local(clip, time);
                for track in &self.model.asset.animations[clip].morph_tracks {
                    if let Some(weights) = self.morph_weights.get_mut(track.first_slot..) {
                        track.sample(time, weights);
                    }
                }
            }
        }
        self.posed.compose();
    }

    /// The figure for a shot, at the origin of the world.
    pub fn body(&self) -> Body<'_> {
        Body {
            model: self.model,
            palette: &self.posed.palette,
            place: Mat4::IDENTITY,
            morph_weights: &self.morph_weights,
        }
    }

    /// Whether the model has any vertices.
    pub fn has_surface(&self) -> bool {
        self.model.parts.iter().any(|part| !self.model.primitive(part).positions.is_empty())
    }

    /// The box around the surfaces, or around the joints where there are none; none of neither.
    pub fn bounds(&mut self) -> Option<[Vec3; 2]> {
        let Self { model, posed, morph_weights, surfaces } = self;
        surfaces.deform(&Body { model, palette: &posed.palette, place: Mat4::IDENTITY, morph_weights });
        let vertices = surfaces.parts().iter().flat_map(|part| part.positions.iter().copied());
        let joints = posed.models.iter().map(|matrix| matrix.w_axis.truncate());
        box_around(vertices).or_else(|| box_around(joints))
    }

    /// The lowest point of the soles; none where nobody knows of any.
    pub fn soles(&self) -> Option<f32> {
        let models = &self.posed.models;
        let height = |sole: &SolePoint| Some(models.get(usize::from(sole.joint))?.transform_point3(sole.point).y);
        self.model.soles.iter().filter_map(height).filter(|height| height.is_finite()).min_by(f32::total_cmp)
    }

    /// The joints and what connects them, for a picture of this height in pixels.
    pub fn skeleton(&self, height: u32) -> Vec<Line> {
        let joints = &self.model.asset.skeleton.joints;
        skeleton_lines(
            height,
            |joint| self.posed.models[joint].w_axis.truncate(),
            || joints.iter().map(|joint| joint.parent.map(usize::from)),
        )
    }
}

/// Lines from each joint's parent to the joint, and a dot for each joint, for a picture of this height in pixels.
pub fn skeleton_lines<P: Iterator<Item = Option<usize>>>(
    height: u32,
    place: impl Fn(usize) -> Vec3,
    parents: impl Fn() -> P,
) -> Vec<Line> {
    let width = (height as f32 / 120.0).clamp(1.0, 8.0);
    let mut lines = Vec::new();
    for (index, parent) in parents().enumerate() {
        let end = place(index);
        if let Some(parent) = parent {
            lines.push(Line { start: place(parent), end, widths: [width, width * 0.3], color: BONE });
        }
        lines.push(Line { start: end, end, widths: [width * 1.3; 2], color: JOINT });
    }
    lines
}

/// Colours of the skeleton, linear.
const BONE: Vec4 = Vec4::new(0.95, 0.45, 0.08, 0.95);
const JOINT: Vec4 = Vec4::new(1.0, 0.85, 0.4, 1.0);

/// The box around the points that are finite.
fn box_around(points: impl Iterator<Item = Vec3>) -> Option<[Vec3; 2]> {
    points.filter(|point| point.is_finite()).fold(None, |bounds, point| {
        let [min, max] = bounds.unwrap_or([point; 2]);
        Some([min.min(point), max.max(point)])
    })
}
