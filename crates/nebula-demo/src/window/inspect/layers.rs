//! Layers and blend spaces: weights and positions, to view and edit.

use egui::{Pos2, Slider, Stroke};
use glam::Vec2;
use nebula_animation::{LayerId, Recorder, mixer::Motion, recorder::Input};

use super::Inspector;
use crate::window::places::Places;

impl Inspector {
    pub(super) fn layers(&mut self, ui: &mut egui::Ui, character: &mut Recorder, places: &mut Places) {
        ui.heading("Mixer");
        let count = character.mixer.layers().count();
        for index in 0..count {
            let id = LayerId::new(index);
            let shown = self.shown(character);
            let Some(layer) = shown.mixer.layer(id) else { continue };
            let (name, mut weight) = (layer.name.clone(), layer.weight);
            let is_fading = layer.is_fading();
            let (progress, seconds) = (layer.fade_progress, layer.fade_duration);
            let actions: Vec<(String, f32, f32)> = layer
                .actions()
                .map(|(action, share)| {
                    let clip = action.clip().and_then(|clip| shown.mixer.clips().get(clip));
                    let name = clip.map_or("blend space".to_owned(), |clip| clip.name().to_owned());
                    (name, share, action.time)
                })
                .collect();
            let slider = Slider::new(&mut weight, 0.0..=1.0).text(name.as_str()).fixed_decimals(2);
            // What is past cannot be changed.
            let response = ui.add_enabled(self.past.is_none(), slider);
            places.note(format!("layer/{index}"), response.rect);
            if response.changed() {
                // The layer is there.
                let _ = character.give(Input::LayerWeight { layer: id, weight });
            }
            for (name, share, time) in actions {
                let text = egui::RichText::new(format!("{name} {time:.2}")).small();
                ui.add(egui::ProgressBar::new(share.clamp(0.0, 1.0)).desired_height(13.0).text(text));
            }
            if is_fading {
                ui.small(format!("fade of {seconds:.2} s, {:.0} %", progress * 100.0));
            }
        }
        self.spaces(ui, character, places);
        ui.heading("Procedural layers");
        let shown = self.shown(character);
        for layer in &shown.layers.layers {
            let weight = layer.weight();
            let text = egui::RichText::new(format!("{} {weight:.2}", layer.layer_name())).small();
            ui.add(egui::ProgressBar::new(weight.clamp(0.0, 1.0)).desired_height(13.0).text(text));
        }
        if shown.layers.layers.is_empty() {
            ui.weak("none");
        }
    }

    /// Blend spaces that no machine places: their position can be dragged.
    fn spaces(&mut self, ui: &mut egui::Ui, character: &mut Recorder, places: &mut Places) {
        for index in 0.. {
            let motion = Motion::Space(index);
            let Some(position) = self.shown(character).mixer.blend_position(motion) else { break };
            let Some(space) = character.mixer.blend_space(motion).cloned() else { break };
            ui.label(format!("Blend space {index} at {:.2}, {:.2}", position.x, position.y));
            let size =
                egui::vec2(ui.available_width().clamp(120.0, 300.0), if space.is_plane() { 120.0 } else { 46.0 });
            let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click_and_drag());
            places.note(format!("space/{index}"), rect);
            let low = space.samples().iter().fold(Vec2::INFINITY, |low, sample| low.min(sample.position));
            let high = space.samples().iter().fold(Vec2::NEG_INFINITY, |high, sample| high.max(sample.position));
            let extent = (high - low).max(Vec2::splat(1e-3));
            let inner = rect.shrink(10.0);
            let at = |place: Vec2| {
                let part = (place - low) / extent;
                let y = if space.is_plane() { inner.bottom() - part.y * inner.height() } else { inner.center().y };
                Pos2::new(inner.left() + part.x * inner.width(), y)
            };
            let painter = ui.painter_at(rect);
            painter.rect_filled(rect, 3.0, ui.visuals().extreme_bg_color);
            let weights = space.weights(position);
            for (sample, entry) in space.samples().iter().enumerate() {
                let weight = weights.iter().find(|(of, _)| *of == sample).map_or(0.0, |(_, weight)| *weight);
                let name = character.mixer.clips().get(entry.clip).map_or("", |clip| clip.name());
                let color = ui.visuals().selection.bg_fill.gamma_multiply(0.3 + 0.7 * weight);
                painter.circle_filled(at(entry.position), 4.0 + 5.0 * weight, color);
                let font = egui::FontId::proportional(9.5);
                let below = at(entry.position) + egui::vec2(0.0, 6.0);
                painter.text(below, egui::Align2::CENTER_TOP, name, font, ui.visuals().text_color());
            }
            painter.circle_stroke(at(position), 5.0, Stroke::new(2.0, ui.visuals().strong_text_color()));
            let dragged = response.interact_pointer_pos().filter(|_| response.is_pointer_button_down_on());
            if let Some(pointer) = dragged.filter(|_| self.past.is_none()) {
                let part = (pointer - inner.min) / inner.size();
                let y = if space.is_plane() { low.y + (1.0 - part.y.clamp(0.0, 1.0)) * extent.y } else { 0.0 };
                let position = Vec2::new(low.x + part.x.clamp(0.0, 1.0) * extent.x, y);
                self.place_space(character, motion, position);
            }
        }
    }

    /// Looks at a blend space elsewhere: by the parameters of the machine that places it, if one does.
    fn place_space(&mut self, character: &mut Recorder, motion: Motion, position: Vec2) {
        if self.desk.is_on && self.desk.place(character, motion, position) {
            return;
        }
        if let Err(error) = character.give(Input::BlendPosition { space: motion, position }) {
            self.message = Some(error.to_string());
        }
    }
}
