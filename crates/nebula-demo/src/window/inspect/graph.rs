//! The state machine as a graph, with an editor.

use std::f32::consts::TAU;

use egui::{Color32, Pos2, Rect, Stroke, vec2};
use nebula_animation::{
    Recorder,
    explain::MachinePart,
    mixer::{FadeCurve, MachineDocument, ParameterId, ParameterValue},
    recorder::Input,
};

use super::Inspector;
use super::machine::MachineDesk;
use crate::window::places::Places;

const ACTIVE: Color32 = Color32::from_rgb(40, 150, 90);
const TAKEN: Color32 = Color32::from_rgb(230, 130, 30);

impl Inspector {
    pub(super) fn graph(&mut self, ui: &mut egui::Ui, character: &mut Recorder, places: &mut Places) {
        let joint = self.joint.unwrap_or(0);
        let parts = self.shown(character).explain_joint(joint).map(|why| why.machines).unwrap_or_default();
        if self.desk.documents.is_empty() {
            return self.begin_machine(ui, character, places);
        }
        // Above all that may have to be scrolled.
        let mut is_off = false;
        ui.horizontal(|ui| {
            // Pages have no files of their own.
            if cfg!(not(target_arch = "wasm32")) {
                let response = ui.button("Save").on_hover_text(self.desk.file.display().to_string());
                places.note("machine/save", response.rect);
                if response.clicked() {
                    self.save_document(character, false);
                }
                if self.desk.asks {
                    let response = ui.button("Replace it");
                    places.note("machine/replace", response.rect);
                    if response.clicked() {
                        self.save_document(character, true);
                    }
                }
            }
            if !self.is_driven {
                let response = ui.button("Turn off");
                places.note("machine/off", response.rect);
                is_off = response.clicked();
            }
        });
        if is_off {
            self.desk.documents.clear();
            return self.stop_machine(character);
        }
        for nth in 0..self.desk.documents.len() {
            // The first one, mostly the only one, has the plain names.
            let prefix = if nth == 0 { String::new() } else { format!("{nth}:") };
            let document = self.desk.documents[nth].clone();
            if nth > 0 {
                ui.separator();
                let layer = parts.get(nth).map_or(0, |part| part.layer);
                ui.label(format!("Machine {nth}, layer {layer}"));
            }
            let marked = draw(ui, &document, parts.get(nth), &prefix, places);
            if nth == 0 {
                self.marked = marked;
            }
            for exit in parts.get(nth).iter().flat_map(|part| &part.exits) {
                ui.small(exit.to_string());
            }
            ui.separator();
            let mut edited = document.clone();
            // What is past cannot be changed.
            ui.add_enabled_ui(self.past.is_none(), |ui| {
                self.parameters(ui, character, nth, &prefix, places);
                ui.separator();
                transitions(ui, &mut edited, &prefix, places);
                samples(ui, &mut edited, &prefix, places);
            });
            if edited != document {
                self.edit(character, nth, edited);
            }
        }
    }

    /// How one comes by a machine.
    fn begin_machine(&mut self, ui: &mut egui::Ui, character: &mut Recorder, places: &mut Places) {
        ui.label("No machine decides what plays.");
        let response = ui.button("Make one of the clips");
        places.note("machine/make", response.rect);
        if response.clicked() {
            match MachineDesk::of_clips(character) {
                Some(document) => self.use_document(character, document),
                None => self.message = Some("the file has no clips".into()),
            }
        }
        // Pages have no files of their own.
        if cfg!(target_arch = "wasm32") {
            return;
        }
        let file = self.desk.file.clone();
        let response = ui.add_enabled(file.is_file(), egui::Button::new("Open the saved one"));
        places.note("machine/open", response.rect);
        if response.clicked() {
            self.open_document(character, &file);
        }
    }

    fn parameters(
        &mut self,
        ui: &mut egui::Ui,
        character: &mut Recorder,
        machine: usize,
        prefix: &str,
        places: &mut Places,
    ) {
        let Some(player) = self.shown(character).machines.get(machine).cloned() else { return };
        let mut given = None;
        for (index, (name, _)) in player.machine().parameters().iter().enumerate() {
            let parameter = ParameterId::new(index);
            let response = match player.value(parameter) {
                Some(ParameterValue::Float(mut value)) => {
                    let response = ui.add(
                        egui::Slider::new(&mut value, 0.0..=6.0)
                            .text(name.as_str())
                            .clamping(egui::SliderClamping::Never),
                    );
                    if response.changed() {
                        given = Some((parameter, ParameterValue::Float(value)));
                    }
                    response
                }
                Some(ParameterValue::Bool(mut value)) => {
                    let response = ui.checkbox(&mut value, name.as_str());
                    if response.changed() {
                        given = Some((parameter, ParameterValue::Bool(value)));
                    }
                    response
                }
                Some(ParameterValue::Trigger(is_set)) => {
                    let response = ui.add(egui::Button::new(name.as_str()).selected(is_set));
                    if response.clicked() {
                        given = Some((parameter, ParameterValue::Trigger(true)));
                    }
                    response
                }
                None => continue,
            };
            places.note(format!("parameter/{prefix}{name}"), response.rect);
        }
        if let Some((parameter, value)) = given
            && let Err(error) = character.give(Input::Parameter { machine, parameter, value })
        {
            self.message = Some(error.to_string());
        }
    }
}

/// Names of the states, those of machines within after the state that holds them.
fn states(document: &MachineDocument, prefix: &str) -> Vec<String> {
    let mut all = Vec::new();
    for state in &document.states {
        let name = format!("{prefix}{}", state.name);
        if let Some(within) = &state.machine {
            all.extend(states(within, &format!("{name}/")));
        } else {
            all.push(name);
        }
    }
    all
}

/// The name of a state without those that it is within.
fn last(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Ends of all transitions.
fn ways(document: &MachineDocument, prefix: &str) -> Vec<[String; 2]> {
    let own = document.transitions.iter().map(|way| [&way.from, &way.to].map(|name| format!("{prefix}{name}")));
    let mut all: Vec<[String; 2]> = own.collect();
    for state in &document.states {
        if let Some(within) = &state.machine {
            all.extend(ways(within, &format!("{prefix}{}/", state.name)));
        }
    }
    all
}

/// Draws states on an ellipse, and arrows between them; which of these are marked.
fn draw(
    ui: &mut egui::Ui,
    document: &MachineDocument,
    part: Option<&MachinePart>,
    prefix: &str,
    places: &mut Places,
) -> String {
    let names = states(document, "");
    let size = vec2(ui.available_width().clamp(220.0, 420.0), 90.0 + 22.0 * names.len().min(10) as f32);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    places.note(format!("{prefix}graph"), rect);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, ui.visuals().extreme_bg_color);
    let center = |index: usize| {
        let turn = TAU * index as f32 / names.len().max(1) as f32 - 0.25 * TAU;
        // Neighbours at the bottom would cover each other.
        let aside = if index.is_multiple_of(2) { -11.0 } else { 11.0 };
        let radii = vec2(rect.width() * 0.5 - 58.0, rect.height() * 0.5 - 28.0);
        rect.center() + vec2(turn.cos() * radii.x, turn.sin() * radii.y + aside)
    };
    let at = |name: &str| {
        let found = names.iter().position(|known| known == name || known.starts_with(&format!("{name}/")));
        found.map(center)
    };
    let active = part.map(|part| part.states.join("/"));
    let taken = part.and_then(|part| part.taken.as_ref()).map(|taken| (taken.from.as_str(), taken.to.as_str()));
    let mut marked = Vec::new();
    for [from, to] in ways(document, "") {
        let is_taken = taken.is_some_and(|(left, entered)| last(&from) == left && last(&to) == entered);
        if is_taken {
            marked.push(format!("{from} -> {to}"));
        }
        let stroke = match is_taken {
            true => Stroke::new(2.5, TAKEN),
            false => Stroke::new(1.0, ui.visuals().weak_text_color()),
        };
        // A way from anywhere comes from outside.
        let Some(end) = at(&to) else { continue };
        let start = at(&from).unwrap_or(end + (end - rect.center()) * 0.35);
        let way = end - start;
        let side = vec2(-way.y, way.x).normalized() * 4.0;
        let (start, end) = (start + way * 0.18 + side, end - way * 0.18 + side);
        let ahead = (end - start).normalized() * 7.0;
        let aside = vec2(-ahead.y, ahead.x) * 0.45;
        for [from, to] in [[start, end], [end - ahead + aside, end], [end - ahead - aside, end]] {
            painter.line_segment([from, to], stroke);
        }
    }
    for (index, name) in names.iter().enumerate() {
        let is_active = active.as_deref() == Some(name);
        let font = egui::FontId::proportional(11.0);
        let color = if is_active { Color32::WHITE } else { ui.visuals().text_color() };
        let galley = painter.layout_no_wrap(name.clone(), font, color);
        let node = Rect::from_center_size(center(index), galley.size() + vec2(12.0, 6.0));
        let fill = if is_active { ACTIVE } else { ui.visuals().widgets.inactive.bg_fill };
        painter.rect(node, 6.0, fill, ui.visuals().widgets.inactive.fg_stroke, egui::StrokeKind::Inside);
        let corner: Pos2 = node.center() - galley.size() * 0.5;
        painter.galley(corner, galley, color);
        places.note(format!("state/{prefix}{name}"), node);
    }
    marked.join(", ")
}

/// Fades of transitions, to be changed.
fn transitions(ui: &mut egui::Ui, document: &mut MachineDocument, prefix: &str, places: &mut Places) {
    for (index, way) in document.transitions.iter_mut().enumerate() {
        ui.horizontal(|ui| {
            let seconds = egui::DragValue::new(&mut way.fade).range(0.0..=10.0).speed(0.01).suffix(" s");
            let response = ui.add(seconds);
            places.note(format!("fade/{prefix}{index}"), response.rect);
            let name = |curve: FadeCurve| match curve {
                FadeCurve::Linear => "linear",
                FadeCurve::Smooth => "smooth",
                FadeCurve::Inertialised => "inertialised",
            };
            let combo = egui::ComboBox::from_id_salt(format!("curve {prefix}{index}")).width(90.0);
            let shown = combo.selected_text(name(way.curve)).show_ui(ui, |ui| {
                for curve in [FadeCurve::Linear, FadeCurve::Smooth, FadeCurve::Inertialised] {
                    let option = ui.selectable_value(&mut way.curve, curve, name(curve));
                    places.note(format!("curve/{prefix}{index}/{}", name(curve)), option.rect);
                }
            });
            places.note(format!("curve/{prefix}{index}"), shown.response.rect);
            ui.small(format!("{prefix}{} → {}", way.from, way.to));
        });
    }
    for state in &mut document.states {
        if let Some(within) = &mut state.machine {
            transitions(ui, within, &format!("{prefix}{}/", state.name), places);
        }
    }
}

/// Places of clips in blends, to be changed.
fn samples(ui: &mut egui::Ui, document: &mut MachineDocument, prefix: &str, places: &mut Places) {
    for state in &mut document.states {
        if let Some(blend) = &mut state.blend {
            ui.label(format!("{prefix}{} by {}", state.name, blend.x));
            let is_plane = blend.y.is_some();
            for (index, sample) in blend.samples.iter_mut().enumerate() {
                ui.horizontal(|ui| {
                    let response = ui.add(egui::DragValue::new(&mut sample.x).speed(0.02).fixed_decimals(2));
                    places.note(format!("sample/{prefix}{}/{index}", state.name), response.rect);
                    if is_plane {
                        ui.add(egui::DragValue::new(&mut sample.y).speed(0.02).fixed_decimals(2));
                    }
                    ui.small(&sample.clip);
                });
            }
        }
        if let Some(within) = &mut state.machine {
            samples(ui, within, &format!("{prefix}{}/", state.name), places);
        }
    }
}
