//! The timeline of the recorded frames: clips, fades, events, contacts, foot locks and states, with scrubbing.

use egui::{Color32, Pos2, Rect, Stroke};
use nebula_animation::Recorder;

use super::Inspector;
use super::moments::Moment;
use crate::window::places::Places;

/// Height of a row, in points.
const ROW: f32 = 13.0;
/// Width of the names.
const NAMES: f32 = 108.0;
/// The most clips, and the most states, that have a row of their own.
const MOST: usize = 12;

const COLORS: [Color32; 6] = [
    Color32::from_rgb(70, 130, 220),
    Color32::from_rgb(220, 120, 50),
    Color32::from_rgb(80, 170, 90),
    Color32::from_rgb(180, 90, 190),
    Color32::from_rgb(190, 160, 40),
    Color32::from_rgb(60, 170, 170),
];

/// A row: its name, and how much of it each moment has, from 0 to 1, in which colour.
struct Row {
    name: String,
    color: Color32,
    amounts: Vec<f32>,
}

impl Inspector {
    /// Draws the timeline, and goes where it is dragged to.
    pub fn timeline(&mut self, ui: &mut egui::Ui, character: &mut Recorder, places: &mut Places) {
        ui.horizontal(|ui| {
            let frames = character.tape().frames();
            let now = self.past.as_ref().map(|past| past.frame);
            let mut button = |ui: &mut egui::Ui, name: &str, text: &str, hint: &str, is_on: bool| {
                let response = ui.add_enabled(is_on, egui::Button::new(text));
                places.note(format!("past/{name}"), response.rect);
                response.on_hover_text(hint).clicked()
            };
            let at = now.unwrap_or(frames.end.saturating_sub(1));
            if button(ui, "back", "◀", "A recorded frame back", at > frames.start) {
                self.go_to(character, at - 1);
            }
            if button(ui, "on", "▶", "A recorded frame on", now.is_some_and(|now| now + 1 < frames.end)) {
                self.go_to(character, at + 1);
            }
            if button(ui, "live", "Live", "Back to the present", now.is_some()) {
                self.go_live();
            }
            if button(ui, "branch", "Go on from here", "What came after it has not happened", now.is_some()) {
                self.branch(character);
            }
            // Pages have no files of their own.
            let hint = self.recording.display().to_string();
            if cfg!(not(target_arch = "wasm32")) && button(ui, "save", "Save", &hint, !frames.is_empty()) {
                self.save_recording(character);
            }
            let is_there = cfg!(not(target_arch = "wasm32")) && self.recording.is_file();
            if is_there && button(ui, "open", "Open", &hint, true) {
                self.wants_saved = true;
            }
            let kilobytes = character.tape().bytes() as f32 / 1024.0;
            let shown = now.map_or("now".to_owned(), |now| format!("frame {now}"));
            ui.weak(format!(
                "{shown} of {}..{}; {:.1} s in {kilobytes:.0} KB",
                frames.start,
                frames.end,
                character.tape().seconds()
            ));
        });
        let rows = self.rows(character);
        let size = egui::vec2(ui.available_width().max(200.0), ROW * rows.len().max(3) as f32 + 4.0);
        let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click_and_drag());
        let bar = rect.with_min_x(rect.left() + NAMES);
        places.note("tracks", bar);
        self.draw_seconds(ui, bar);
        self.draw_rows(ui, rect, bar, &rows);
        let frames = character.tape().frames();
        let count = (frames.end - frames.start).max(1) as f32;
        let frame_at = |x: f32| {
            let part = ((x - bar.left()) / bar.width().max(1.0)).clamp(0.0, 1.0);
            frames.start + (part * (count - 1.0)).round() as u64
        };
        if let Some(at) = response.hover_pos().filter(|at| at.x >= bar.left())
            && let Some(moment) = self.moments.of(frame_at(at.x))
        {
            response.clone().on_hover_text_at_pointer(told(moment, character));
        }
        let pointer =
            response.interact_pointer_pos().filter(|_| response.is_pointer_button_down_on() || response.clicked());
        if let Some(pointer) = pointer.filter(|pointer| pointer.x >= bar.left()) {
            self.go_to(character, frame_at(pointer.x));
        }
        let now = self.past.as_ref().map_or(frames.end.saturating_sub(1), |past| past.frame);
        let x = bar.left() + bar.width() * (now.saturating_sub(frames.start)) as f32 / (count - 1.0).max(1.0);
        let stroke = Stroke::new(1.5, ui.visuals().strong_text_color());
        ui.painter().line_segment([Pos2::new(x, bar.top()), Pos2::new(x, bar.bottom())], stroke);
    }

    fn rows(&self, character: &Recorder) -> Vec<Row> {
        let moments = || self.moments.iter();
        let row = |name: &str, color: Color32, amount: &dyn Fn(&Moment) -> f32| Row {
            name: name.to_owned(),
            color,
            amounts: moments().map(amount).collect(),
        };
        let mut clips: Vec<usize> = Vec::new();
        for (clip, _) in moments().flat_map(|moment| &moment.clips) {
            if !clips.contains(clip) {
                clips.push(*clip);
            }
        }
        let mut rows = Vec::new();
        let (shown, others) = clips.split_at(clips.len().min(MOST));
        for (nth, clip) in shown.iter().enumerate() {
            let name = character.mixer.clips().get(*clip).map_or("", |clip| clip.name());
            let weight = |moment: &Moment| {
                moment.clips.iter().filter(|(of, _)| of == clip).map(|(_, weight)| weight).sum::<f32>().min(1.0)
            };
            rows.push(row(name, COLORS[nth % COLORS.len()], &weight));
        }
        if !others.is_empty() {
            let is_other = |moment: &&(usize, f32)| others.contains(&moment.0);
            let weight =
                |moment: &Moment| moment.clips.iter().filter(is_other).map(|(_, weight)| weight).sum::<f32>().min(1.0);
            rows.push(row(&format!("and {} more clips", others.len()), Color32::GRAY, &weight));
        }
        rows.push(row("fade left", Color32::GRAY, &|moment| moment.fade));
        let mut states: Vec<&str> = Vec::new();
        for state in moments().flat_map(|moment| &moment.states) {
            if !states.contains(&state.as_str()) {
                states.push(state);
            }
        }
        let (shown, others) = states.split_at(states.len().min(MOST));
        for (nth, state) in shown.iter().enumerate() {
            let is_in = |moment: &Moment| f32::from(moment.states.iter().any(|name| name == state));
            rows.push(row(&format!("state {state}"), COLORS[(nth + 3) % COLORS.len()], &is_in));
        }
        if !others.is_empty() {
            let is_in = |moment: &Moment| f32::from(moment.states.iter().any(|name| others.contains(&name.as_str())));
            rows.push(row(&format!("and {} more states", others.len()), Color32::GRAY, &is_in));
        }
        let legs = character.rig().feet().map_or(0, |feet| feet.legs().len());
        for leg in 0..legs {
            let of = |moment: &Moment| {
                let (is_down, is_locked) = moment.feet.get(leg).copied().unwrap_or_default();
                if is_locked { 1.0 } else { f32::from(is_down) * 0.4 }
            };
            rows.push(row(&format!("foot {leg}: down, locked"), Color32::from_rgb(40, 160, 80), &of));
        }
        if moments().any(|moment| !moment.events.is_empty()) {
            let of = |moment: &Moment| f32::from(!moment.events.is_empty());
            rows.push(row("events", Color32::from_rgb(230, 60, 90), &of));
        }
        rows
    }

    /// Names of the rows, and their amounts frame by frame.
    #[cfg(test)]
    pub(in crate::window) fn timeline_rows(&self, character: &Recorder) -> Vec<(String, Vec<f32>)> {
        self.rows(character).into_iter().map(|row| (row.name, row.amounts)).collect()
    }

    /// A line and a number for each whole second, or for every few of them.
    fn draw_seconds(&self, ui: &egui::Ui, bar: Rect) {
        let times: Vec<f64> = self.moments.iter().map(|moment| moment.seconds).collect();
        let (Some(first), Some(last)) = (times.first(), times.last()) else { return };
        let apart = if (last - first).abs() > 12.0 { 5.0 } else { 1.0 };
        let painter = ui.painter_at(bar);
        painter.rect_filled(bar, 2.0, ui.visuals().extreme_bg_color);
        let color = ui.visuals().weak_text_color().gamma_multiply(0.5);
        for (index, pair) in times.windows(2).enumerate() {
            let [before, after] = [pair[0], pair[1]].map(|time| (time / apart).floor());
            if before != after {
                let x = bar.left() + bar.width() * (index + 1) as f32 / times.len() as f32;
                painter.line_segment([Pos2::new(x, bar.top()), Pos2::new(x, bar.bottom())], Stroke::new(1.0, color));
                let text = format!("{} s", after.max(before) * apart);
                let font = egui::FontId::proportional(9.0);
                painter.text(Pos2::new(x + 2.0, bar.top()), egui::Align2::LEFT_TOP, text, font, color);
            }
        }
    }

    fn draw_rows(&self, ui: &egui::Ui, rect: Rect, bar: Rect, rows: &[Row]) {
        let painter = ui.painter_at(rect);
        for (nth, row) in rows.iter().enumerate() {
            let top = bar.top() + 2.0 + ROW * nth as f32;
            let font = egui::FontId::proportional(10.0);
            let color = ui.visuals().text_color();
            let at = Pos2::new(rect.left() + 2.0, top + ROW * 0.5);
            painter.text(at, egui::Align2::LEFT_CENTER, &row.name, font, color);
            let count = row.amounts.len().max(1) as f32;
            // Runs of the same amount are one rectangle.
            let mut start = 0;
            for end in 1..=row.amounts.len() {
                let amount = row.amounts[start];
                if end < row.amounts.len() && (row.amounts[end] - amount).abs() < 0.02 {
                    continue;
                }
                if amount > 0.0 {
                    let x = |index: usize| bar.left() + bar.width() * index as f32 / count;
                    let height = (ROW - 3.0) * amount.clamp(0.15, 1.0);
                    let bottom = top + ROW - 1.5;
                    let run = Rect::from_min_max(
                        Pos2::new(x(start), bottom - height),
                        Pos2::new(x(end).max(x(start) + 1.5), bottom),
                    );
                    painter.rect_filled(run, 0.0, row.color.gamma_multiply(0.35 + 0.65 * amount));
                }
                start = end;
            }
        }
    }
}

/// What a moment had, for people.
fn told(moment: &Moment, character: &Recorder) -> String {
    let mut text = format!("frame {}, {:.2} s", moment.frame, moment.seconds);
    for (clip, weight) in moment.clips.iter().filter(|(_, weight)| *weight > 0.005) {
        let name = character.mixer.clips().get(*clip).map_or("", |clip| clip.name());
        text += &format!("\n{name} {:.0} %", weight * 100.0);
    }
    if moment.fade > 0.0 {
        text += &format!("\nfading, {:.0} % left", moment.fade * 100.0);
    }
    if !moment.states.is_empty() {
        text += &format!("\nstate {}", moment.states.join(", "));
    }
    for (leg, (is_down, is_locked)) in moment.feet.iter().enumerate().filter(|(_, feet)| feet.0 || feet.1) {
        let contact = if *is_down { "down" } else { "up" };
        text += &format!("\nfoot {leg} {contact}{}", if *is_locked { ", locked" } else { "" });
    }
    if !moment.events.is_empty() {
        text += &format!("\nevents: {}", moment.events.join(", "));
    }
    text
}
