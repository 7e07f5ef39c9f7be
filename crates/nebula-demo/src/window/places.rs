//! Positions on the screen, for tests and for the trace.

use std::collections::BTreeMap;

/// Where the panels' parts are, by name, in points.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Places(BTreeMap<String, egui::Rect>);

impl Places {
    /// Forgets all places, before a new frame.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Notes where something is.
    pub fn note(&mut self, name: impl Into<String>, rect: egui::Rect) {
        self.0.insert(name.into(), rect);
    }

    /// Where something is.
    #[cfg(test)]
    pub fn get(&self, name: &str) -> egui::Rect {
        *self.0.get(name).unwrap_or_else(|| panic!("no {name} among {:?}", self.0.keys()))
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&str, egui::Rect)> {
        self.0.iter().map(|(name, rect)| (name.as_str(), *rect))
    }
}
