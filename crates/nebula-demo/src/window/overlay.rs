//! Common parts of the demo's windows: a full-window picture with a dark panel in its corner.

use super::event::{Event, events};
use super::places::Places;

/// Takes the whole window for the picture, and gives what a person did to it.
pub fn picture(ui: &egui::Ui, places: &mut Places) -> Vec<Event> {
    if ui.ctx().theme() != egui::Theme::Dark {
        ui.ctx().set_theme(egui::Theme::Dark);
    }
    let rect = ui.max_rect();
    places.clear();
    places.note("picture", rect);
    events(ui, &ui.interact(rect, ui.id().with("picture"), egui::Sense::click_and_drag()))
}

/// Draws a panel of so many points that can be moved, and scrolls where the window is too low for it.
pub fn panel(ui: &egui::Ui, width: f32, content: impl FnOnce(&mut egui::Ui)) {
    let rect = ui.max_rect();
    let window = egui::Window::new("Nebula").default_pos(rect.min + egui::vec2(12.0, 12.0)).resizable(false);
    window.show(ui.ctx(), |ui| {
        ui.set_width(width);
        egui::ScrollArea::vertical().max_height((rect.height() - 80.0).max(40.0)).show(ui, content);
    });
}
