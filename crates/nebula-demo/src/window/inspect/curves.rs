//! Curves of a joint over the recorded frames, computed from the tape on demand.

use egui::{Color32, Pos2, Rect, Shape, Stroke};
use nebula_animation::Recorder;

use super::Inspector;
use crate::window::places::Places;

/// The curves that were worked out last.
#[derive(Debug, Default)]
pub struct Curves {
    joint: Option<u16>,
    end: u64,
    first: u64,
    /// Height, x and z in model space in metres, and turn from the rest pose in degrees: frame by frame.
    pub values: [Vec<f32>; 4],
}

/// After so many frames more, they are worked out again.
const STALE: u64 = 30;

const NAMES: [&str; 4] = ["x (m)", "y (m)", "z (m)", "turn (°)"];
const COLORS: [Color32; 4] = [
    Color32::from_rgb(220, 70, 60),
    Color32::from_rgb(70, 170, 70),
    Color32::from_rgb(70, 110, 230),
    Color32::from_rgb(190, 130, 20),
];

impl Curves {
    fn work_out(&mut self, character: &Recorder, joint: u16) {
        let frames = character.tape().frames();
        let is_same = self.joint == Some(joint) && self.first == frames.start;
        let is_fresh = frames.end.checked_sub(self.end).is_some_and(|more| more < STALE);
        if is_same && is_fresh {
            return;
        }
        (self.joint, self.first, self.end) = (Some(joint), frames.start, frames.end);
        self.values.iter_mut().for_each(Vec::clear);
        let rest =
            character.rig().joints.get(usize::from(joint)).map_or(glam::Quat::IDENTITY, |joint| joint.bind_rotation);
        let mut past = character.clone_character();
        past.set_traced(false);
        let Ok(mut playback) = character.tape().playback(frames.start) else { return };
        while playback.step(&mut past).is_ok_and(|is_there| is_there) {
            let place = past.frame().model_matrix(joint).w_axis;
            let turn = past.frame().local(joint).1.angle_between(rest).to_degrees();
            for (values, value) in self.values.iter_mut().zip([place.x, place.y, place.z, turn]) {
                values.push(value);
            }
        }
    }
}

impl Inspector {
    pub(super) fn curves(&mut self, ui: &mut egui::Ui, character: &Recorder, places: &mut Places) {
        let Some(joint) = self.joint else {
            ui.weak("Click a joint in the picture.");
            return;
        };
        self.curves.work_out(character, joint);
        let name = character.rig().joints.get(usize::from(joint)).map_or("", |joint| joint.name.as_str());
        ui.label(name);
        let frames = character.tape().frames();
        let now = self.past.as_ref().map_or(frames.end.saturating_sub(1), |past| past.frame);
        for ((values, name), color) in self.curves.values.iter().zip(NAMES).zip(COLORS) {
            let size = egui::vec2(ui.available_width().clamp(120.0, 600.0), 64.0);
            let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
            places.note(format!("curve/{name}"), response.rect);
            draw(ui, rect, values, color);
            let at = now.saturating_sub(self.curves.first) as usize;
            let [low, high] = range(values);
            let shown = values.get(at).or(values.last());
            let text = shown.map_or(String::new(), |value| format!("{name} {value:.3}, from {low:.3} to {high:.3}"));
            let font = egui::FontId::proportional(11.0);
            ui.painter().text(rect.left_top(), egui::Align2::LEFT_TOP, text, font, color);
            let x = rect.left() + rect.width() * at as f32 / values.len().max(1) as f32;
            let stroke = Stroke::new(1.0, ui.visuals().weak_text_color());
            ui.painter().line_segment([Pos2::new(x, rect.top()), Pos2::new(x, rect.bottom())], stroke);
        }
    }
}

#[cfg(test)]
impl Inspector {
    /// What the curves show: x, y, z and turn, frame by frame.
    pub(in crate::window) fn curve_values(&self) -> &[Vec<f32>; 4] {
        &self.curves.values
    }
}

/// The least and the greatest.
fn range(values: &[f32]) -> [f32; 2] {
    let wider = |[low, high]: [f32; 2], value: &f32| [low.min(*value), high.max(*value)];
    values.iter().fold([f32::INFINITY, f32::NEG_INFINITY], wider)
}

fn draw(ui: &egui::Ui, rect: Rect, values: &[f32], color: Color32) {
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 2.0, ui.visuals().extreme_bg_color);
    let [low, high] = range(values);
    let extent = (high - low).max(1e-4);
    let point = |(index, value): (usize, &f32)| {
        let x = rect.left() + rect.width() * index as f32 / (values.len() - 1).max(1) as f32;
        Pos2::new(x, rect.bottom() - 3.0 - (rect.height() - 6.0) * (value - low) / extent)
    };
    if values.len() > 1 {
        let points: Vec<Pos2> = values.iter().enumerate().map(point).filter(|point| !point.any_nan()).collect();
        painter.add(Shape::line(points, Stroke::new(1.4, color)));
    }
}
