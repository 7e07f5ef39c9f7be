//! The viewer's controls outside the picture: commands from a page's controls, and their state.

use nebula_animation::mixer::FadeCurve;
use serde_json::{Value, json};

use super::playback::{Repeat, STEP};
use super::{Show, Viewer};

/// Names of choices, as commands and reports have them.
const REPEATS: [(&str, Repeat); 3] =
    [("loop", Repeat::Loop), ("back and forth", Repeat::BackAndForth), ("once", Repeat::Once)];
const CURVES: [(&str, FadeCurve); 3] =
    [("linear", FadeCurve::Linear), ("smooth", FadeCurve::Smooth), ("inertialised", FadeCurve::Inertialised)];

/// The choice of a name.
fn named<T: Copy>(choices: &[(&str, T)], name: &str) -> Option<T> {
    choices.iter().find(|(choice, _)| *choice == name).map(|(_, value)| *value)
}

fn name_of<T: PartialEq>(choices: &[(&'static str, T)], value: &T) -> &'static str {
    choices.iter().find(|(_, choice)| choice == value).map_or("", |(name, _)| name)
}

impl Viewer {
    pub(super) fn switch(&mut self, name: &str, is_on: bool) {
        let show = &mut self.show;
        let switch = match name {
            "floor" => &mut show.floor,
            "skeleton" => &mut show.skeleton,
            "names" => &mut show.names,
            "bounds" => &mut show.bounds,
            "wireframe" => &mut show.wireframe,
            "dark" => &mut show.is_dark,
            "aim" => &mut show.aim,
            "feet" => &mut show.feet,
            _ => return,
        };
        *switch = is_on;
    }

    /// Does what a control of a page says: `clip` by its number, `play` and the switches by `true` and `false`, `time`, `speed`, `fade` and
    /// `tilt` by a number, `repeat` and `curve` by a name, `skin` by its number or nothing for all joints, `morph N` by a weight or nothing
    /// for the clip's, `step` by a number of frames, `frame` and `dismiss` by anything. What is unknown does nothing.
    pub fn command(&mut self, name: &str, value: &str) {
        let number = value.parse::<f32>().ok().filter(|number| number.is_finite());
        if let Some(slot) = name.strip_prefix("morph ").and_then(|slot| slot.parse::<usize>().ok()) {
            if let Some(weight) = self.puppet.set_weights.get_mut(slot) {
                *weight = number.map(|weight| weight.clamp(0.0, 1.0));
            }
            return;
        }
        match (name, number) {
            ("clip", _) => {
                if let Some(clip) = value.parse().ok().filter(|clip| *clip < self.puppet.clips().count()) {
                    self.play(clip);
                }
            }
            ("play", _) => {
                if (value == "true") != self.playback.is_playing {
                    self.toggle_playing();
                }
            }
            ("time", Some(time)) => {
                self.playback.is_playing = false;
                self.scrub(time);
            }
            ("step", Some(frames)) => self.step(frames.clamp(-1000.0, 1000.0) * STEP),
            ("speed", Some(speed)) => self.playback.speed = speed.clamp(-4.0, 4.0),
            ("fade", Some(seconds)) => self.playback.fade_secs = seconds.clamp(0.0, 5.0),
            ("curve", _) => self.playback.fade_curve = named(&CURVES, value).unwrap_or(self.playback.fade_curve),
            ("repeat", _) => self.playback.repeat = named(&REPEATS, value).unwrap_or(self.playback.repeat),
            ("tilt", Some(degrees)) => self.show.tilt = degrees.clamp(0.0, 30.0),
            ("skin", _) => {
                let count = self.puppet.model.asset.skins.len();
                self.show.skin = value.parse().ok().filter(|skin| *skin < count);
            }
            ("compare", _) => {
                self.compare.is_on = value == "true";
                self.frame();
            }
            ("bound", Some(millimetres)) => self.compare.bound = millimetres.clamp(0.01, 20.0),
            ("why", _) => {
                self.inspector.is_open = value == "true";
                self.record();
            }
            ("frame", _) => self.frame(),
            ("dismiss", _) => self.error = None,
            _ => self.switch(name, value == "true"),
        }
    }

    /// What a page's controls show.
    #[must_use]
    pub fn report(&self) -> Value {
        let Show { tilt, skin, .. } = self.show;
        let asset = &self.puppet.model.asset;
        let skins = asset.skins.iter().map(|skin| format!("{}, {} joints", skin.name, skin.joints.len()));
        let on = self.switches_for_links().into_iter().map(|(name, on)| (name.to_owned(), json!(on)));
        let others = [("why", self.inspector.is_open), ("compare", self.compare.is_on)];
        let on = on.chain(others.map(|(name, on)| (name.to_owned(), json!(on))));
        json!({
            "file": self.file.to_string_lossy(),
            "error": self.error,
            "clips": self.puppet.clips().collect::<Vec<_>>(),
            "clip": self.current_clip(),
            "isPlaying": self.playback.is_playing,
            "time": self.time(),
            "duration": self.duration(),
            "speed": self.playback.speed,
            "repeat": name_of(&REPEATS, &self.playback.repeat),
            "fade": self.playback.fade_secs,
            "curve": name_of(&CURVES, &self.playback.fade_curve),
            "tilt": tilt,
            "bound": self.compare.bound,
            "skin": skin,
            "skins": skins.collect::<Vec<_>>(),
            "morphs": self.morphs_for_controls(),
            "show": on.collect::<serde_json::Map<_, _>>(),
            "whyNot": { "aim": self.puppet.no_aim, "feet": self.puppet.no_feet },
            "joints": asset.skeleton.joints.len(),
            "notes": self.puppet.model.notes,
        })
    }

    /// The morph targets as the panel lists them: slot, name, weight, and whether somebody has set it.
    fn morphs_for_controls(&self) -> Vec<Value> {
        let meshes = self.puppet.character.rig().morphs().meshes.iter();
        let targets = meshes.flat_map(|mesh| mesh.slots().zip(&mesh.target_names).enumerate().take(200));
        let told = targets.filter_map(|(index, (slot, name))| {
            let name = if name.is_empty() { format!("target {index}") } else { name.clone() };
            let weight = self.puppet.morph_weights.get(slot)?;
            let is_set = self.puppet.set_weights.get(slot)?.is_some();
            Some(json!({ "slot": slot, "name": name, "weight": weight, "isSet": is_set }))
        });
        told.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::window::viewer::tests::faces::face;

    fn viewer(file: &str) -> Viewer {
        Viewer::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../nebula-animation/test_assets").join(file))
            .expect("our own file")
    }

    #[test]
    fn commands_do_what_controls_say() {
        let mut viewer = viewer("simple_humanoid.glb");
        for (name, value) in [("clip", "2"), ("play", "false"), ("time", "0.2"), ("speed", "2"), ("skeleton", "true")] {
            viewer.command(name, value);
        }
        viewer.update(0.0);
        let report = viewer.report();
        assert_eq!(report["clip"], 2);
        assert_eq!((report["isPlaying"].as_bool(), report["show"]["skeleton"].as_bool()), (Some(false), Some(true)));
        assert!((report["time"].as_f64().expect("a number") - 0.2).abs() < 1e-6);
        viewer.command("clip", "999");
        viewer.command("nonsense", "true");
        assert_eq!(viewer.report(), report);
    }

    /// Everything that the panel in the picture offers.
    #[test]
    fn controls_offer_what_the_panel_offers() {
        let mut viewer = viewer("simple_humanoid.glb");
        let commands =
            [("repeat", "once"), ("fade", "0.75"), ("curve", "linear"), ("tilt", "20"), ("skin", "0"), ("bound", "2")];
        for (name, value) in commands {
            viewer.command(name, value);
        }
        viewer.command("compare", "true");
        viewer.command("why", "true");
        viewer.command("time", "0.5");
        viewer.update(0.0);
        let before = viewer.report()["time"].as_f64().expect("a number");
        viewer.command("step", "-2");
        viewer.update(0.0);
        let report = viewer.report();
        assert!((before - report["time"].as_f64().expect("a number") - 2.0 / 30.0).abs() < 1e-4);
        assert_eq!([&report["repeat"], &report["curve"]], ["once", "linear"]);
        assert_eq!(
            [&report["fade"], &report["tilt"], &report["bound"]].map(Value::as_f64),
            [0.75, 20.0, 2.0].map(Some)
        );
        assert_eq!(report["skin"], 0);
        assert!(report["show"]["compare"] == true && report["show"]["why"] == true);
        for (name, value) in [("repeat", "odd"), ("curve", "odd"), ("fade", "nan"), ("morph 99999", "1")] {
            viewer.command(name, value);
        }
        viewer.command("skin", "");
        assert_eq!(viewer.report()["skin"], Value::Null);
        assert_eq!((&viewer.report()["repeat"], &viewer.report()["fade"]), (&report["repeat"], &report["fade"]));
    }

    #[test]
    fn morph_targets_are_set_and_given_back() {
        let mut viewer = Viewer::showing("face.glb", face([0.0, 0.25], &[[1.0, 0.75]])).expect("seen");
        let count = viewer.report()["morphs"].as_array().map_or(0, Vec::len);
        assert_eq!(count, 2);
        for slot in 0..count {
            viewer.command(&format!("morph {slot}"), "0.5");
        }
        viewer.update(0.0);
        let is_set = |morph: &Value| morph["isSet"] == true && morph["weight"] == 0.5;
        assert!(viewer.report()["morphs"].as_array().is_some_and(|morphs| morphs.iter().all(is_set)));
        for slot in 0..count {
            viewer.command(&format!("morph {slot}"), "");
        }
        assert!(viewer.puppet.set_weights.iter().all(Option::is_none));
    }
}
