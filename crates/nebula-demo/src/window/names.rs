//! Joint names next to joints.

use glam::Vec3;

use crate::picture::View;

/// The most joints whose names are shown: more cannot be read.
const MOST: usize = 400;

/// Writes names at places of the world, onto a picture that is seen in a rectangle. One that would cover another is left out.
pub fn draw<'a>(
    ui: &egui::Ui,
    rect: egui::Rect,
    view: &View,
    names: impl Iterator<Item = (&'a str, Vec3)>,
    is_dark: bool,
) {
    let painter = ui.painter_at(rect);
    let font = egui::FontId::proportional(11.0);
    let (text, shade) = if is_dark {
        (egui::Color32::from_rgb(255, 225, 160), egui::Color32::from_black_alpha(200))
    } else {
        (egui::Color32::from_rgb(40, 24, 4), egui::Color32::from_white_alpha(170))
    };
    let mut taken: Vec<egui::Rect> = Vec::new();
    for (name, place) in names.take(MOST) {
        let Some(pixel) = view.pixel_of(place) else { continue };
        let at = rect.min + egui::vec2(pixel.x + 6.0, pixel.y);
        let galley = painter.layout_no_wrap(name.to_owned(), font.clone(), text);
        let label = egui::Align2::LEFT_CENTER.anchor_size(at, galley.size());
        if rect.contains_rect(label) && !taken.iter().any(|other| other.intersects(label)) {
            painter.rect_filled(label.expand2(egui::vec2(2.0, 0.0)), 2.0, shade);
            painter.galley(label.min, galley, text);
            taken.push(label);
        }
    }
}
