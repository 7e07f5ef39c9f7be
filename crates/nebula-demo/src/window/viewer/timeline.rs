//! A timeline bar for a clip.

/// Draws a timeline; the time that it is dragged to, if it is. `marks` are times that are marked on it.
pub fn timeline(ui: &mut egui::Ui, time: f32, duration: f32) -> (egui::Response, Option<f32>) {
    let size = egui::vec2(ui.available_width().max(40.0), 22.0);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click_and_drag());
    let visuals = ui.visuals();
    let bar = rect.shrink2(egui::vec2(6.0, 7.0));
    let painter = ui.painter();
    painter.rect_filled(bar, 3.0, visuals.extreme_bg_color);
    painter.rect_stroke(bar, 3.0, visuals.widgets.noninteractive.bg_stroke, egui::StrokeKind::Inside);
    let part = if duration > 0.0 { (time / duration).clamp(0.0, 1.0) } else { 0.0 };
    let at = bar.left() + bar.width() * part;
    let accent = visuals.selection.bg_fill;
    painter.rect_filled(bar.with_max_x(at), 3.0, accent);
    let knob = if response.hovered() || response.dragged() { 8.0 } else { 6.5 };
    let stroke = egui::Stroke::new(1.5, visuals.strong_text_color());
    painter.circle(egui::pos2(at, bar.center().y), knob, accent, stroke);
    let pointed = response
        .interact_pointer_pos()
        .filter(|_| response.dragged() || response.clicked() || response.is_pointer_button_down_on());
    let dragged = pointed.map(|pointer| ((pointer.x - bar.left()) / bar.width().max(1.0)).clamp(0.0, 1.0) * duration);
    (response, dragged)
}
