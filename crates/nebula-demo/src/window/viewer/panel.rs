//! The viewer's panels.

use egui::{Align, Layout, RichText, Slider};
use nebula_animation::mixer::FadeCurve;

use super::{Repeat, Viewer, timeline};
use crate::picture::View;
use crate::window::event::{Event, Key, events};
use crate::window::names;

/// Points below which there is no room for a list beside the picture.
const NARROW: f32 = 480.0;

impl Viewer {
    /// Draws the panels, and does what was asked for in them and in the picture.
    pub fn ui(&mut self, ui: &mut egui::Ui) {
        self.places.clear();
        let theme = if self.show.is_dark { egui::Theme::Dark } else { egui::Theme::Light };
        if ui.ctx().theme() != theme {
            ui.ctx().set_theme(theme);
            ui.ctx().request_repaint();
        }
        egui::Panel::bottom("transport").show_inside(ui, |ui| self.transport(ui));
        // A narrow window is for the picture.
        if ui.available_width() >= NARROW {
            egui::Panel::left("side").default_size(210.0).min_size(150.0).max_size(420.0).show_inside(ui, |ui| {
                egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| self.side(ui));
            });
        }
        if self.inspector.is_open {
            self.inspect(ui);
        }
        let mut picture = None;
        egui::CentralPanel::no_frame().show_inside(ui, |ui| {
            let rect = ui.max_rect();
            let response = ui.interact(rect, ui.id().with("picture"), egui::Sense::click_and_drag());
            self.names(ui, rect);
            self.notices(ui, rect);
            picture = Some((rect, events(ui, &response)));
        });
        let Some((rect, events)) = picture else { return };
        self.see(rect);
        self.places.note("picture", rect);
        for event in events {
            self.handle(event);
        }
    }

    /// Why it moves as it does: beside the picture, and below it.
    fn inspect(&mut self, ui: &mut egui::Ui) {
        let Self { inspector, puppet, places, .. } = self;
        egui::Panel::bottom("recorded").show_inside(ui, |ui| inspector.timeline(ui, &mut puppet.character, places));
        egui::Panel::right("why").default_size(330.0).min_size(220.0).max_size(640.0).show_inside(ui, |ui| {
            inspector.ui(ui, &mut puppet.character, places);
        });
        if let Some(file) = inspector.take_wanted() {
            self.load(&file);
        }
        self.follow_past();
    }

    /// Shows the frame that the panels show.
    pub(super) fn follow_past(&mut self) {
        if let Some(past) = self.inspector.take_moved() {
            self.puppet.show(past.map(|(frame, _)| frame));
        }
    }

    /// Takes a new place for the picture. The first one frames the model.
    fn see(&mut self, rect: egui::Rect) {
        let is_first = self.time < 1e-6;
        let has_changed = (rect.aspect_ratio() - self.picture.aspect_ratio()).abs() > 0.01;
        self.picture = rect;
        if is_first && has_changed && rect.is_positive() && !self.is_placed {
            self.orbit.frame(self.framed, rect.aspect_ratio());
        }
    }

    /// Clips and switches.
    fn side(&mut self, ui: &mut egui::Ui) {
        ui.add_space(4.0);
        ui.heading("Clips");
        let names: Vec<String> = self.puppet.clips().map(str::to_owned).collect();
        let current = self.puppet.action().and_then(|action| action.clip());
        if names.is_empty() {
            ui.weak("The file has none.");
        }
        let mut chosen = None;
        for (index, name) in names.iter().enumerate() {
            let label = if name.is_empty() { format!("clip {index}") } else { name.clone() };
            let response = ui.selectable_label(current == Some(index), label);
            self.places.note(format!("clip/{index}"), response.rect);
            if response.clicked() {
                chosen = Some(index);
            }
        }
        if let Some(clip) = chosen {
            self.play(clip);
        }
        ui.horizontal(|ui| {
            ui.label("Fade");
            ui.add(egui::DragValue::new(&mut self.playback.fade_secs).range(0.0..=5.0).speed(0.01).suffix(" s"));
            egui::ComboBox::from_id_salt("fade")
                .width(90.0)
                .selected_text(curve_name(self.playback.fade_curve))
                .show_ui(ui, |ui| {
                    for curve in [FadeCurve::Linear, FadeCurve::Smooth, FadeCurve::Inertialised] {
                        ui.selectable_value(&mut self.playback.fade_curve, curve, curve_name(curve));
                    }
                });
        });
        ui.separator();
        self.switches(ui);
        self.record();
        self.morphs(ui);
        ui.separator();
        if self.compare.ui(ui, &mut self.places) {
            self.frame();
        }
        ui.separator();
        self.facts(ui);
    }

    fn switches(&mut self, ui: &mut egui::Ui) {
        ui.heading("Show");
        let places = &mut self.places;
        let show = &mut self.show;
        let mut switch = |ui: &mut egui::Ui, value: &mut bool, name: &str, label: &str| {
            let response = ui.checkbox(value, label);
            places.note(format!("show/{name}"), response.rect);
        };
        switch(ui, &mut show.skeleton, "skeleton", "Skeleton");
        ui.add_enabled_ui(show.skeleton, |ui| switch(ui, &mut show.names, "names", "Joint names"));
        switch(ui, &mut show.bounds, "bounds", "Bounds");
        switch(ui, &mut show.wireframe, "wireframe", "Wireframe");
        switch(ui, &mut show.floor, "floor", "Floor");
        switch(ui, &mut show.is_dark, "dark", "Dark");
        switch(ui, &mut self.inspector.is_open, "why", "Why? Explain and rewind");
        let mut layer = |ui: &mut egui::Ui, value: &mut bool, name: &str, label: &str, why_not: &Option<String>| {
            let response = ui.add_enabled_ui(why_not.is_none(), |ui| switch(ui, value, name, label)).response;
            if let Some(reason) = why_not {
                response.on_hover_text(format!("Not for this file: {reason}"));
                ui.label(RichText::new("no humanoid was found").small().weak());
            }
        };
        layer(ui, &mut show.aim, "aim", "Look at the mouse", &self.puppet.no_aim);
        layer(ui, &mut show.feet, "feet", "Feet on tilting ground", &self.puppet.no_feet);
        if show.feet && self.puppet.no_feet.is_none() {
            ui.add(Slider::new(&mut show.tilt, 0.0..=30.0).suffix("°").text("tilt"));
        }
        let skins = &self.puppet.model.asset.skins;
        if !skins.is_empty() {
            let name = |skin: usize| {
                let count = skins[skin].joints.len();
                match skins[skin].name.as_str() {
                    "" => format!("skin {skin}, {count} joints"),
                    name => format!("{name}, {count} joints"),
                }
            };
            let shown = show.skin.map_or("all joints".into(), name);
            ui.horizontal(|ui| {
                ui.label("Skin");
                egui::ComboBox::from_id_salt("skin").width(130.0).truncate().selected_text(shown).show_ui(ui, |ui| {
                    ui.selectable_value(&mut show.skin, None, "all joints");
                    for skin in 0..skins.len().min(100) {
                        ui.selectable_value(&mut show.skin, Some(skin), name(skin));
                    }
                });
            });
        }
    }

    /// A slider for each morph target.
    fn morphs(&mut self, ui: &mut egui::Ui) {
        if self.puppet.morph_weights.is_empty() {
            return;
        }
        ui.separator();
        ui.heading("Morph targets");
        for (mesh_index, mesh) in self.puppet.character.rig().morphs().meshes.iter().enumerate() {
            for (index, (slot, name)) in mesh.slots().zip(&mesh.target_names).enumerate().take(200) {
                let name = if name.is_empty() { format!("target {index}") } else { name.clone() };
                let (mut value, set) = (self.puppet.morph_weights[slot], &mut self.puppet.set_weights[slot]);
                ui.horizontal(|ui| {
                    ui.spacing_mut().slider_width = 80.0;
                    let response = ui.add(Slider::new(&mut value, 0.0..=1.0).text(name).fixed_decimals(2));
                    self.places.note(format!("morph/{mesh_index}/{index}"), response.rect);
                    if response.changed() {
                        *set = Some(value);
                    }
                    if set.is_some() && ui.small_button("↺").on_hover_text("Back to the clip's weight").clicked() {
                        *set = None;
                    }
                });
            }
        }
    }

    /// What is in the file.
    fn facts(&self, ui: &mut egui::Ui) {
        let model = &self.puppet.model;
        let primitives = || model.parts.iter().map(|part| model.primitive(part));
        let vertices: usize = primitives().map(|primitive| primitive.positions.len()).sum();
        let triangles: usize = primitives().map(|primitive| primitive.indices.len() / 3).sum();
        let size = self.framed[1] - self.framed[0];
        let facts = [
            format!(
                "{}, {}",
                count(model.asset.skeleton.joints.len(), "joint"),
                count(model.asset.skins.len(), "skin")
            ),
            format!("{vertices} vertices, {}", count(triangles, "triangle")),
            format!("{} x {} x {} m", short(size.x), short(size.y), short(size.z)),
        ];
        for fact in facts {
            ui.label(RichText::new(fact).small().weak());
        }
        for note in model.notes.iter().take(5) {
            ui.label(RichText::new(note).small().color(ui.visuals().warn_fg_color));
        }
        ui.label(RichText::new("Drag: turn · right drag: move · wheel: zoom").small().weak());
        ui.label(RichText::new("Space, arrows, Home, F: frame, Esc").small().weak());
    }

    /// Buttons and the timeline.
    fn transport(&mut self, ui: &mut egui::Ui) {
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let has_clip = self.puppet.action().is_some();
            let mut pressed = None;
            let mut button = |ui: &mut egui::Ui, name: &str, text: &str, hint: &str, key: Key| {
                let response = ui.add_enabled(has_clip, egui::Button::new(text).min_size(egui::vec2(26.0, 22.0)));
                self.places.note(name, response.rect);
                if response.on_hover_text(hint).clicked() {
                    pressed = Some(key);
                }
            };
            button(ui, "start", "⏮", "To the start (Home)", Key::Home);
            button(ui, "back", "-1", "A frame back (left arrow)", Key::Left);
            let (text, hint) =
                if self.playback.is_playing { ("⏸", "Pause (space)") } else { ("▶", "Play (space)") };
            button(ui, "play", text, hint, Key::Space);
            button(ui, "on", "+1", "A frame on (right arrow)", Key::Right);
            if let Some(key) = pressed {
                self.handle(Event::Key(key));
            }
            let (time, duration) = (self.time(), self.duration());
            // A narrow window keeps the buttons and the timeline.
            let is_wide = ui.available_width() > 380.0;
            if is_wide {
                ui.label(RichText::new(format!("{time:6.2} / {duration:.2} s")).monospace());
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if is_wide {
                    egui::ComboBox::from_id_salt("repeat")
                        .width(96.0)
                        .selected_text(repeat_name(self.playback.repeat))
                        .show_ui(ui, |ui| {
                            for repeat in [Repeat::Loop, Repeat::BackAndForth, Repeat::Once] {
                                ui.selectable_value(&mut self.playback.repeat, repeat, repeat_name(repeat));
                            }
                        });
                    let speed = egui::DragValue::new(&mut self.playback.speed).range(-4.0..=4.0).speed(0.01);
                    let response =
                        ui.add(speed.fixed_decimals(2).prefix("× ")).on_hover_text("Speed: drag, or click and type");
                    self.places.note("speed", response.rect);
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let (response, dragged) = timeline::timeline(ui, time, duration);
                    self.places.note("timeline", response.rect);
                    self.playback.is_scrubbing = dragged.is_some() && has_clip;
                    if let Some(time) = dragged {
                        self.scrub(time);
                    }
                });
            });
        });
        ui.add_space(3.0);
    }

    /// Names beside the joints.
    fn names(&self, ui: &egui::Ui, rect: egui::Rect) {
        if !(self.show.names && self.show.skeleton) {
            return;
        }
        let view = View::new(&self.orbit.camera(), rect.width().max(1.0) as u32, rect.height().max(1.0) as u32);
        let asset = &self.puppet.model.asset;
        let joints = asset.skeleton.joints.iter().zip(&self.puppet.joints).enumerate();
        let shown = joints.filter(|(index, _)| self.is_joint_shown(*index));
        let named = shown.map(|(_, (joint, matrix))| (joint.name.as_str(), matrix.w_axis.truncate()));
        names::draw(ui, rect, &view, named, self.show.is_dark);
    }

    /// What is wrong, and that a file may be dropped.
    fn notices(&mut self, ui: &egui::Ui, rect: egui::Rect) {
        let is_hovering = ui.input(|input| !input.raw.hovered_files.is_empty());
        let frame =
            |ctx: &egui::Context, color: egui::Color32| egui::Frame::popup(&ctx.global_style()).stroke((1.5, color));
        if let Some(error) = self.error.clone() {
            let ctx = ui.ctx().clone();
            let color = ui.visuals().error_fg_color;
            // In the corner where least of a character is.
            let area = egui::Area::new(egui::Id::new("error"))
                .pivot(egui::Align2::LEFT_BOTTOM)
                .fixed_pos(rect.left_bottom() + egui::vec2(12.0, -12.0));
            let shown = area.show(&ctx, |ui| {
                ui.set_max_width((rect.width() - 40.0).clamp(80.0, 620.0));
                frame(&ctx, color).show(ui, |ui| {
                    ui.label(RichText::new(error).color(color));
                    ui.small("The last good file is still shown.");
                    ui.button("Dismiss").clicked()
                })
            });
            self.places.note("error", shown.response.rect);
            if shown.inner.inner {
                self.error = None;
            }
        }
        if is_hovering {
            let painter = ui.painter_at(rect);
            painter.rect_filled(rect, 0.0, egui::Color32::from_black_alpha(110));
            let font = egui::FontId::proportional(22.0);
            painter.text(
                rect.center(),
                egui::Align2::CENTER_CENTER,
                "Drop a .glb, .vrm or .gltf file",
                font,
                egui::Color32::WHITE,
            );
        }
    }
}

fn curve_name(curve: FadeCurve) -> &'static str {
    match curve {
        FadeCurve::Linear => "linear",
        FadeCurve::Smooth => "smooth",
        FadeCurve::Inertialised => "inertialised",
    }
}

pub(super) fn repeat_name(repeat: Repeat) -> &'static str {
    match repeat {
        Repeat::Once => "once",
        Repeat::Loop => "loop",
        Repeat::BackAndForth => "back and forth",
    }
}

/// A number of things.
fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// A length with three digits.
fn short(metres: f32) -> String {
    let digits = if metres >= 100.0 {
        0
    } else if metres >= 10.0 {
        1
    } else if metres >= 1.0 {
        2
    } else {
        3
    };
    format!("{metres:.digits$}")
}
