//! A model from a file, posed by its clips.

use glam::{Affine3A, Mat4, Vec3, Vec4};
use nebula_animation::procedural::avatar;
use nebula_animation::rig::SolePoint;
use nebula_animation::{ModelPose, ProceduralAnimationStack, ProceduralContext};

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
    /// What the file says of twists and hair, and the frame that it has come to; nothing for other files than avatars.
    body: Option<(ProceduralAnimationStack, Frame)>,
}

/// Seconds before a moment that hair is let swing for.
const LONGEST: f32 = 10.0;

/// A clip at a time in seconds; none is the bind pose.
pub type Frame = Option<(usize, f32)>;

impl<'a> Figure<'a> {
    /// The model in its bind pose.
    pub fn new(model: &'a Model) -> Self {
        let posed = PosedAsset::new(&model.asset);
        let body = model.asset.avatar.is_some().then(|| (ProceduralAnimationStack::default(), None));
        let mut figure = Self { model, posed, morph_weights: Vec::new(), surfaces: Surfaces::default(), body };
        figure.take(None);
        figure
    }

    /// Takes the pose of a clip.
    pub fn take(&mut self, frame: Frame) {
        self.morph_weights = self.model.asset.morphs.defaults();
        match frame {
            None => self.posed.local = self.model.asset.skeleton.bind_pose(),
            Some((clip, time)) => {
                self.swing(clip, time);
                for track in &self.model.asset.animations[clip].morph_tracks {
                    if let Some(weights) = self.morph_weights.get_mut(track.first_slot..) {
                        track.sample(time, weights);
                    }
                }
            }
        }
        self.posed.compose();
    }

    /// Takes the pose of a clip, with what swings as it does once the clip has played up to there.
    fn swing(&mut self, clip: usize, time: f32) {
        let Some((stack, at)) = &mut self.body else { return self.posed.sample_local(clip, time) };
        let gone_on = at.filter(|(before, from)| *before == clip && *from <= time && time - *from < LONGEST);
        let begin = match gone_on {
            Some((_, from)) => from,
            None => {
                stack.layers = self.model.asset.avatar.as_ref().map(avatar::layers).unwrap_or_default();
                (time - LONGEST).max(0.0)
            }
        };
        *at = Some((clip, time));
        let steps = ((time - begin) * 60.0).ceil().max(0.0) as u16;
        // A film goes on from the frame before, anything else begins without motion.
        for step in u16::from(gone_on.is_some() && steps > 0)..=steps {
            let dt = if steps == 0 || step == 0 { 0.0 } else { (time - begin) / f32::from(steps) };
            let now = if step == steps { time } else { begin + dt * f32::from(step) };
            self.posed.sample_local(clip, now);
            let context = ProceduralContext {
                dt,
                elapsed: now,
                entity_position: Vec3::ZERO,
                entity_forward: Vec3::Z,
                velocity: Vec3::ZERO,
            };
            let mut pose = ModelPose::new(&self.model.rig, &mut self.posed.local, Affine3A::IDENTITY);
            stack.apply_in_model(&context, &mut pose);
        }
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

    /// A joint of the pose, relative to its parent.
    #[cfg(test)]
    pub fn local(&self, joint: usize) -> nebula_animation::JointPose {
        self.posed.local[joint]
    }

    /// Whether the model has any vertices.
    pub fn has_surface(&self) -> bool {
        self.model.parts.iter().any(|part| !self.model.primitive(part).positions.is_empty())
    }

    /// The box around the surfaces, or around the joints where there are none; none of neither.
    pub fn bounds(&mut self) -> Option<[Vec3; 2]> {
        let Self { model, posed, morph_weights, surfaces, .. } = self;
        surfaces.deform(&Body { model, palette: &posed.palette, place: Mat4::IDENTITY, morph_weights });
        let vertices = surfaces.parts().iter().flat_map(|part| part.positions.iter().copied());
        let joints = posed.models.iter().map(|matrix| matrix.w_axis.truncate());
        box_around(vertices).or_else(|| box_around(joints))
    }

    /// The lowest point of the soles; none where nobody knows of any.
    pub fn soles(&self) -> Option<f32> {
        let models = &self.posed.models;
        let height = |sole: &SolePoint| Some(models.get(usize::from(sole.joint))?.transform_point3(sole.point).y);
        self.model.rig.soles().iter().filter_map(height).filter(|height| height.is_finite()).min_by(f32::total_cmp)
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
