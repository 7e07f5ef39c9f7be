//! Shows what contributed to the pose of a joint.

use egui::RichText;
use nebula_animation::Recorder;

use super::Inspector;
use crate::window::places::Places;

impl Inspector {
    pub(super) fn why(&mut self, ui: &mut egui::Ui, character: &Recorder, places: &mut Places) {
        let rig = character.rig();
        let name = |joint: u16| rig.joints.get(usize::from(joint)).map_or("", |joint| joint.name.as_str());
        let chosen = self.joint.map_or("click a joint, or choose one", name);
        let combo = egui::ComboBox::from_id_salt("joint").width(200.0).selected_text(chosen);
        let shown = combo.show_ui(ui, |ui| {
            for joint in 0..rig.joint_count().min(1000) as u16 {
                ui.selectable_value(&mut self.joint, Some(joint), name(joint));
            }
        });
        places.note("joint", shown.response.rect);
        let Some(joint) = self.joint else { return };
        let frame = self.past.as_ref().map_or(character.tape().frames().end, |past| past.frame);
        if self.explanation.as_ref().is_none_or(|(of, at, _)| (*of, *at) != (frame, joint)) {
            let why = self.shown(character).explain_joint(joint);
            self.explanation = why.map(|why| (frame, joint, why.to_string()));
        }
        let text = self.explanation.as_ref().map_or("there is no such joint", |(_, _, text)| text.as_str());
        let response = ui.add(egui::Label::new(RichText::new(text).monospace().size(11.0)).selectable(true));
        places.note("explanation", response.rect);
    }

    /// What is explained at present.
    #[cfg(test)]
    pub(in crate::window) fn told(&self) -> Option<&str> {
        self.explanation.as_ref().map(|(_, _, text)| text.as_str())
    }
}
