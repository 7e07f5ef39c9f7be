//! The viewer from outside its panels: links that show what one sees, and commands of a page.

use std::fmt::Write;
use std::path::Path;

use glam::Vec3;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::{Value, json};

use super::Viewer;
use super::file::puppet;
use super::watch::Watch;
use crate::show::model::Model;

impl Viewer {
    /// Shows a model that was loaded by others, under a name.
    ///
    /// # Errors
    /// There is nothing to see in it.
    pub fn showing(name: &str, model: Model) -> Result<Self, String> {
        let file = Path::new(name);
        Ok(Self::of(file, puppet(file, model)?))
    }

    /// Shows another model, or says what is wrong with it and shows the last one.
    pub fn show(&mut self, name: &str, model: Result<Model, String>) {
        let file = Path::new(name);
        self.take(file, Watch::new(file), model.and_then(|model| puppet(file, model)));
    }

    /// Says what is wrong with something that could not be had.
    pub fn complain(&mut self, error: String) {
        self.error = Some(error);
    }

    /// What is shown, as the part of a link after the model: `clip=walk&time=0.5&camera=0.54,0.3,4.2,0,0.9,0`. The time is there while
    /// nothing plays, and `show` lists what is switched on.
    #[must_use]
    pub fn link(&self) -> String {
        let mut link = String::new();
        if let Some(clip) = self.current_clip_name() {
            let _ = write!(link, "clip={}&", utf8_percent_encode(&clip, NON_ALPHANUMERIC));
        }
        if !self.playback.is_playing {
            let _ = write!(link, "time={:.3}&", self.time());
        }
        let (orbit, target) = (&self.orbit, self.orbit.target - self.gone);
        let _ = write!(link, "camera={:.3},{:.3},{:.4}", orbit.turn, orbit.rise, orbit.distance);
        let _ = write!(link, ",{:.3},{:.3},{:.3}", target.x, target.y, target.z);
        let shown: Vec<&str> =
            self.switches_for_links().into_iter().filter(|(_, on)| *on).map(|(name, _)| name).collect();
        // The floor is there unless it is switched off.
        if shown != ["floor"] {
            let _ = write!(link, "&show={}", shown.join(","));
        }
        link
    }

    fn switches_for_links(&self) -> [(&'static str, bool); 8] {
        let show = &self.show;
        [
            ("floor", show.floor),
            ("skeleton", show.skeleton),
            ("names", show.names),
            ("bounds", show.bounds),
            ("wireframe", show.wireframe),
            ("dark", show.is_dark),
            ("aim", show.aim),
            ("feet", show.feet),
        ]
    }

    /// Shows what a link says, with or without its `#`; what it does not say stays. A clip that is not there is told as an error.
    pub fn follow_link(&mut self, link: &str) {
        let parts: Vec<(&str, String)> = link
            .trim_start_matches('#')
            .split('&')
            .filter_map(|part| part.split_once('='))
            .map(|(name, value)| (name, percent_decode_str(value).decode_utf8_lossy().into_owned()))
            .collect();
        let find = |wanted: &str| parts.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.as_str());
        if let Some(clip) = find("clip") {
            match self.puppet.model.clip(clip) {
                Ok(clip) => {
                    // A link shows the clip, not the way to it.
                    let fade = std::mem::take(&mut self.playback.fade_secs);
                    self.play(clip);
                    self.playback.fade_secs = fade;
                }
                Err(problem) => self.error = Some(problem),
            }
        }
        if let Some(time) = find("time").and_then(|time| time.parse::<f32>().ok()).filter(|time| time.is_finite()) {
            self.playback.is_playing = false;
            self.scrub(time);
        }
        if let Some(shown) = find("show") {
            for (name, is_on) in
                self.switches_for_links().map(|(name, _)| (name, shown.split(',').any(|on| on == name)))
            {
                self.switch(name, is_on);
            }
        }
        self.update(0.0);
        let camera: Option<Vec<f32>> =
            find("camera").and_then(|text| text.split(',').map(|part| part.parse().ok()).collect());
        if let Some(&[turn, rise, distance, x, y, z]) = camera.as_deref()
            && [turn, rise, distance, x, y, z].iter().all(|number| number.is_finite())
            && distance > 0.0
        {
            (self.orbit.turn, self.orbit.rise, self.orbit.distance) = (turn, rise, distance);
            self.orbit.target = Vec3::new(x, y, z) + self.gone;
            // Within what the camera can do.
            self.orbit.orbit(glam::Vec2::ZERO);
            self.orbit.zoom(0.0);
            self.is_placed = true;
        }
    }

    fn switch(&mut self, name: &str, is_on: bool) {
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

    /// Does what a control of a page says: `clip` by its number, `play` and the switches by `true` and `false`, `time` and `speed` by a number,
    /// `frame` and `dismiss` by anything. What is unknown does nothing.
    pub fn command(&mut self, name: &str, value: &str) {
        let number = value.parse::<f32>().ok().filter(|number| number.is_finite());
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
            ("speed", Some(speed)) => self.playback.speed = speed.clamp(-4.0, 4.0),
            ("frame", _) => self.frame(),
            ("dismiss", _) => self.error = None,
            _ => self.switch(name, value == "true"),
        }
    }

    /// What a page's controls show.
    #[must_use]
    pub fn report(&self) -> Value {
        let current = self.puppet.character.mixer.current_action.as_ref().and_then(|action| action.clip());
        json!({
            "file": self.file.to_string_lossy(),
            "error": self.error,
            "clips": self.puppet.clips().collect::<Vec<_>>(),
            "clip": current,
            "isPlaying": self.playback.is_playing,
            "time": self.time(),
            "duration": self.duration(),
            "speed": self.playback.speed,
            "show": self.switches_for_links().into_iter().map(|(name, on)| (name.to_owned(), json!(on))).collect::<serde_json::Map<_, _>>(),
            "joints": self.puppet.model.asset.skeleton.joints.len(),
            "notes": self.puppet.model.notes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn viewer() -> Viewer {
        Viewer::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../nebula-animation/test_assets/simple_humanoid.glb"))
            .expect("our own file")
    }

    /// What a link says is what a viewer that follows it shows, and says again.
    #[test]
    fn links_show_what_was_seen() {
        let mut one = viewer();
        one.follow_link(
            "#model=x.glb&clip=walk%5Froot_motion&time=0.4&camera=1.25,0.5,3.5,0.1,0.9,-0.2&show=skeleton,dark",
        );
        assert_eq!((one.current_clip_name().as_deref(), one.time()), (Some("walk_root_motion"), 0.4));
        assert!(one.show.skeleton && one.show.is_dark && !one.show.floor && !one.playback.is_playing);
        let mut other = viewer();
        other.follow_link(&one.link());
        assert_eq!(other.link(), one.link());
        assert!((other.orbit.camera().eye - one.orbit.camera().eye).length() < 1e-3);
        assert_eq!(other.puppet.character.palette(), one.puppet.character.palette());
    }

    #[test]
    fn links_with_nonsense_do_no_harm() {
        let mut viewer = viewer();
        let before = viewer.link();
        for link in ["", "#", "#camera=1,2", "camera=nan,0,1,0,0,0", "time=inf&camera=0,0,-1,0,0,0", "%zz=%", "clip"] {
            viewer.follow_link(link);
            assert_eq!(viewer.link(), before, "{link}");
        }
        viewer.follow_link("clip=wlak");
        assert!(viewer.error.as_deref().is_some_and(|error| error.contains("wlak")));
    }

    #[test]
    fn commands_do_what_controls_say() {
        let mut viewer = viewer();
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
}
