//! The current clip compressed, next to the original: the error as colour, and a slider for the bound.

use egui::{RichText, Slider};
use glam::{Mat4, Vec3, Vec4};
use nebula_animation::compile::{ClipErrors, CompiledClip};
use nebula_animation::palette::{Evaluator, model_matrices, skinning_matrices};
use nebula_animation::{AnimationClip, Compression, JointPose, Rig, sample_pose};

use super::puppet::Puppet;
use crate::picture::Line;
use crate::show::shot::Body;
use crate::window::places::Places;

/// Bounds that the slider has, in millimetres.
const BOUNDS: std::ops::RangeInclusive<f32> = 0.01..=20.0;

/// What is compared, and how it looks at present.
pub struct Compare {
    pub is_on: bool,
    /// The largest error that is allowed, in millimetres.
    pub bound: f32,
    /// Whether the slider is being dragged: a long clip takes seconds to compress, so that waits until it is let go.
    is_dragged: bool,
    made: Option<Made>,
    evaluator: Evaluator,
    pose: Vec<JointPose>,
    authored: Vec<Mat4>,
    joints: Vec<Mat4>,
    palette: Vec<Mat4>,
    /// How far each joint is off, in metres.
    pub errors: Vec<f32>,
    /// From the original to the one beside it.
    pub aside: Vec3,
}

/// A compressed clip.
struct Made {
    clip: usize,
    bound: f32,
    authored: AnimationClip,
    compiled: CompiledClip,
    plain_bytes: usize,
    errors: ClipErrors,
}

impl Default for Compare {
    fn default() -> Self {
        Self {
            is_on: false,
            bound: 0.1,
            is_dragged: false,
            made: None,
            evaluator: Evaluator::new(),
            pose: Vec::new(),
            authored: Vec::new(),
            joints: Vec::new(),
            palette: Vec::new(),
            errors: Vec::new(),
            aside: Vec3::ZERO,
        }
    }
}

impl Compare {
    /// Another file: nothing of the one before holds.
    pub fn forget(&mut self) {
        self.made = None;
    }

    /// Takes the pose of a clip at a time, and compresses the clip first where that is to be done.
    pub fn update(&mut self, puppet: &Puppet, clip: Option<usize>, time: f32, aside: Vec3) {
        let (true, Some(clip)) = (self.is_on, clip) else {
            self.palette.clear();
            return;
        };
        let rig = puppet.character.rig();
        if self.made.as_ref().is_none_or(|made| made.clip != clip || made.bound != self.bound && !self.is_dragged) {
            let authored = puppet.model.asset.clips().into_iter().nth(clip);
            self.made = authored.map(|authored| Made::new(rig, clip, self.bound, authored));
        }
        let Some(made) = &self.made else { return };
        let skeleton = rig.skeleton();
        self.pose.clear();
        self.pose.extend(skeleton.bind_pose());
        for matrices in [&mut self.authored, &mut self.joints, &mut self.palette] {
            matrices.clear();
            matrices.resize(skeleton.joints.len(), Mat4::IDENTITY);
        }
        sample_pose(&made.authored, skeleton, time, &mut self.pose);
        model_matrices(skeleton, &self.pose, &mut self.authored);
        self.evaluator.pose(rig, &made.compiled, time, &mut self.pose);
        model_matrices(skeleton, &self.pose, &mut self.joints);
        self.palette.copy_from_slice(&self.joints);
        skinning_matrices(skeleton, &mut self.palette);
        self.errors.clear();
        self.errors.extend(self.authored.iter().zip(&self.joints).map(|(should, is)| apart(should, is)));
        self.aside = aside;
        let moved = Mat4::from_translation(aside);
        self.palette.iter_mut().chain(&mut self.joints).for_each(|matrix| *matrix = moved * *matrix);
    }

    /// The one beside the original.
    pub fn body<'a>(&'a self, puppet: &'a Puppet) -> Option<Body<'a>> {
        let place = Mat4::from_translation(self.aside);
        let morph_weights = &puppet.morph_weights[..];
        let is_shown = self.is_on && !self.palette.is_empty();
        is_shown.then(|| Body { model: &puppet.model, palette: &self.palette, place, morph_weights })
    }

    /// Its joints, green where they are right and red where they are off by the bound.
    pub fn lines(&self, puppet: &Puppet, height: u32, lines: &mut Vec<Line>) {
        if !self.is_on || self.palette.is_empty() {
            return;
        }
        let width = (height as f32 / 140.0).clamp(1.0, 7.0);
        let place = |joint: usize| self.joints.get(joint).map_or(Vec3::NAN, |joint| joint.w_axis.truncate());
        for (index, joint) in puppet.character.rig().skeleton().joints.iter().enumerate() {
            let off = self.errors.get(index).copied().unwrap_or_default();
            let (end, color) = (place(index), color(1e3 * off / self.bound));
            if let Some(parent) = joint.parent.map(usize::from) {
                lines.push(Line { start: place(parent), end, widths: [width, width * 0.3], color });
            }
            lines.push(Line { start: end, end, widths: [width * 1.3; 2], color });
        }
    }

    /// The switch, the slider, and what comes of them. Says whether there is another number of bodies to be seen.
    pub fn ui(&mut self, ui: &mut egui::Ui, places: &mut Places) -> bool {
        ui.heading("Compression");
        let switch = ui.checkbox(&mut self.is_on, "Compressed beside");
        places.note("compare/on", switch.rect);
        if !self.is_on {
            return switch.changed();
        }
        ui.spacing_mut().slider_width = 90.0;
        let slider = Slider::new(&mut self.bound, BOUNDS).logarithmic(true).suffix(" mm");
        let response = ui.add(slider).on_hover_text("The largest error that is allowed, 3 cm from each joint");
        places.note("compare/bound", response.rect);
        self.is_dragged = response.dragged();
        if let Some(text) = self.told() {
            ui.label(RichText::new(text).small().weak());
        }
        switch.changed()
    }

    /// What the panel says of it.
    pub fn told(&self) -> Option<String> {
        let made = self.made.as_ref().filter(|_| self.is_on)?;
        let bytes = made.compiled.report().bytes;
        let now = self.errors.iter().copied().fold(0.0, f32::max);
        let kilobytes = |bytes: usize| bytes as f64 / 1024.0;
        let why = made.compiled.report().uncompressed;
        let kept = why.map_or(String::new(), |why| format!("kept as it is: {why}\n"));
        Some(format!(
            "{kept}{:.1} of {:.1} KB, {:.1} : 1\noff by {:.3} mm now, {:.3} at most at keys, {:.3} between",
            kilobytes(bytes),
            kilobytes(made.plain_bytes),
            made.plain_bytes as f64 / bytes.max(1) as f64,
            1e3 * now,
            1e3 * made.errors.largest,
            1e3 * made.errors.largest_between,
        ))
    }
}

impl Made {
    fn new(rig: &Rig, clip: usize, bound: f32, authored: AnimationClip) -> Self {
        let compression = Compression { error: 1e-3 * bound, ..Compression::default() };
        let compiled = CompiledClip::compressed(rig, &authored, &compression);
        let errors = compiled.errors(rig, &authored, &compression);
        let plain_bytes = CompiledClip::new(rig, &authored).report().bytes;
        Self { clip, bound, authored, compiled, plain_bytes, errors }
    }
}

/// How far points 3 cm from a joint are from where they should be, in metres.
fn apart(should: &Mat4, is: &Mat4) -> f32 {
    let off = |axis: Vec3| {
        let length = should.transform_vector3(axis).length();
        let point = axis * if length > 1e-9 { 0.03 / length } else { 0.0 };
        should.transform_point3(point).distance(is.transform_point3(point))
    };
    Vec3::AXES.map(off).into_iter().fold(0.0, f32::max)
}

/// From green over yellow to red, linear.
fn color(part: f32) -> Vec4 {
    let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 1.0 };
    let (green, yellow, red) = (Vec3::new(0.03, 0.6, 0.08), Vec3::new(0.95, 0.75, 0.05), Vec3::new(0.9, 0.04, 0.03));
    let mixed = if part < 0.5 { green.lerp(yellow, 2.0 * part) } else { yellow.lerp(red, 2.0 * part - 1.0) };
    mixed.extend(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_right_is_green_and_what_is_off_is_red() {
        assert!(color(0.0).y > 0.5 && color(0.0).x < 0.1);
        for wrong in [1.0, 7.0, f32::NAN] {
            assert!(color(wrong).x > 0.8 && color(wrong).y < 0.1, "{wrong}");
        }
    }

    #[test]
    fn errors_are_those_of_points_beside_joints() {
        let turned = Mat4::from_rotation_z(0.01);
        assert!((apart(&Mat4::IDENTITY, &turned) - 0.0003).abs() < 1e-6);
        let moved = Mat4::from_translation(Vec3::Y * 0.002);
        assert!((apart(&Mat4::IDENTITY, &moved) - 0.002).abs() < 1e-6);
    }
}
