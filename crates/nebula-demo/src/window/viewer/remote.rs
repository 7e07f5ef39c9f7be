//! The viewer's external interface: links that reproduce a view, and commands from a page.

use std::fmt::Write;
use std::path::Path;

use glam::Vec3;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::compare::Compare;
use super::file::puppet;
use super::panel::repeat_name;
use super::playback::Playback;
use super::watch::Watch;
use super::{Show, Viewer};
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

    /// Shows another model, or says what is wrong with it and shows the last one; whether it is shown. Names say nothing here: many
    /// folders have a `scene.gltf`.
    pub fn show(&mut self, name: &str, model: Result<Model, String>) -> bool {
        let file = Path::new(name);
        self.take(file, Watch::new(file), model.and_then(|model| puppet(file, model)), false)
    }

    /// Says what is wrong with something that could not be had.
    pub fn complain(&mut self, error: String) {
        self.error = Some(error);
    }

    /// What is shown, as the part of a link after the model: `clip=walk&time=0.5&camera=0.54,0.3,4.2,0,0.9,0`. The time is there while
    /// nothing plays, `index` where a clip has no name of its own, and `show` lists what is switched on; `speed`, `repeat`, `tilt`, `skin`,
    /// `morphs` (`SLOT:WEIGHT`, those set by hand) and `compare` (the bound) are there where they are not as they are at first. What goes by
    /// the pointer or by the viewer's own time, a gaze and the ground's tilt, is not told.
    #[must_use]
    pub fn link(&self) -> String {
        let mut link = String::new();
        if let Some(clip) = self.current_clip() {
            let name = self.puppet.clips().nth(clip).unwrap_or_default();
            if !name.is_empty() {
                let _ = write!(link, "clip={}&", utf8_percent_encode(name, NON_ALPHANUMERIC));
            }
            // A name that others have, or none, does not tell which one it is.
            if self.puppet.model.asset.animation_by_name(name) != Some(clip) || name.is_empty() {
                let _ = write!(link, "index={clip}&");
            }
        }
        if !self.playback.is_playing {
            let _ = write!(link, "time={}&", self.time());
        }
        let (orbit, target) = (&self.orbit, self.orbit.target - self.gone);
        // As exact for what is small as for what is large.
        let digits = (4.0 - orbit.distance.log10().floor()).clamp(0.0, 9.0) as usize;
        let _ = write!(link, "camera={:.4},{:.4},{:.digits$}", orbit.turn, orbit.rise, orbit.distance);
        let _ = write!(link, ",{:.digits$},{:.digits$},{:.digits$}", target.x, target.y, target.z);
        let shown: Vec<&str> =
            self.switches_for_links().into_iter().filter(|(_, on)| *on).map(|(name, _)| name).collect();
        // The floor is there unless it is switched off.
        if shown != ["floor"] {
            let _ = write!(link, "&show={}", shown.join(","));
        }
        for (name, value) in self.settings() {
            let _ = write!(link, "&{name}={}", value.replace(' ', "%20"));
        }
        link
    }

    /// What else is seen, where it is not as it is at first.
    fn settings(&self) -> impl Iterator<Item = (&'static str, String)> {
        let (Playback { speed, repeat, .. }, Show { tilt, skin, .. }) = (self.playback, self.show);
        let weights = self.puppet.set_weights.iter().enumerate();
        let weights: Vec<String> =
            weights.filter_map(|(slot, weight)| Some(format!("{slot}:{}", (*weight)?))).collect();
        let usual = Playback::default();
        [
            ("speed", (speed != usual.speed).then(|| speed.to_string())),
            ("repeat", (repeat != usual.repeat).then(|| repeat_name(repeat).to_owned())),
            ("tilt", (tilt != Show::default().tilt).then(|| tilt.to_string())),
            ("skin", skin.map(|skin| skin.to_string())),
            ("morphs", (!weights.is_empty()).then(|| weights.join(","))),
            ("compare", self.compare.is_on.then(|| self.compare.bound.to_string())),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
    }

    /// Sets what [`link`](Viewer::link) tells beside clip, time and camera as it is at first.
    fn forget_settings(&mut self) {
        let usual = Playback::default();
        (self.playback.speed, self.playback.repeat) = (usual.speed, usual.repeat);
        self.playback.is_playing = usual.is_playing;
        self.show = Show::default();
        self.puppet.set_weights.fill(None);
        (self.compare.is_on, self.compare.bound) = (false, Compare::default().bound);
    }

    /// Takes what a link says beside clip, time and camera.
    fn set(&mut self, name: &str, value: &str) {
        match name {
            "speed" | "repeat" | "tilt" | "skin" => self.command(name, value),
            "morphs" => {
                for (slot, weight) in value.split(',').filter_map(|set| set.split_once(':')) {
                    self.command(&format!("morph {slot}"), weight);
                }
            }
            "compare" => {
                self.command("bound", value);
                self.command(name, "true");
            }
            "show" => {
                for (name, _) in self.switches_for_links() {
                    self.switch(name, value.split(',').any(|on| on == name));
                }
            }
            _ => {}
        }
    }

    pub(super) fn switches_for_links(&self) -> [(&'static str, bool); 8] {
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

    /// Shows what a link says, with or without its `#`. One with a camera is a whole view: what it does not say, but for the clip, is as it
    /// is at first. What any other does not say stays. A clip that is not there is told as an error.
    pub fn follow_link(&mut self, link: &str) {
        let parts: Vec<(&str, String)> = link
            .trim_start_matches('#')
            .split('&')
            .filter_map(|part| part.split_once('='))
            .map(|(name, value)| (name, percent_decode_str(value).decode_utf8_lossy().into_owned()))
            .collect();
        let find = |wanted: &str| parts.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.as_str());
        let camera: Option<Vec<f32>> =
            find("camera").and_then(|text| text.split(',').map(|part| part.parse().ok()).collect());
        let camera = camera
            .and_then(|numbers| <[f32; 6]>::try_from(numbers).ok())
            .filter(|numbers| numbers.iter().all(|number| number.is_finite()) && numbers[2] > 0.0);
        if camera.is_some() {
            self.forget_settings();
        }
        let index = find("index").and_then(|index| index.parse::<usize>().ok());
        let is_meant = |name: &str| find("clip").is_none_or(|clip| clip == name);
        let index = index.filter(|index| self.puppet.clips().nth(*index).is_some_and(is_meant));
        let named = || find("clip").map(|clip| self.puppet.model.clip(clip));
        if let Some(clip) = index.map(Ok).or_else(named) {
            match clip {
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
        for (name, value) in &parts {
            self.set(name, value);
        }
        self.update(0.0);
        if let Some([turn, rise, distance, x, y, z]) = camera {
            (self.orbit.turn, self.orbit.rise, self.orbit.distance) = (turn, rise, distance);
            self.orbit.target = Vec3::new(x, y, z) + self.gone;
            // Within what the camera can do.
            self.orbit.orbit(glam::Vec2::ZERO);
            self.orbit.zoom(0.0);
            self.is_placed = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::viewer::tests::faces::face;

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

    /// All that is seen beside clip, time and camera is told, and is as it was at first where a whole view says nothing of it.
    #[test]
    fn links_show_everything_that_controls_change() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../nebula-animation/test_assets");
        let robot = || Viewer::open(&folder.join("robot.glb")).expect("our own file");
        let person = || Viewer::showing("face.glb", face([0.0, 0.25], &[[1.0, 0.75]])).expect("seen");
        let settings = [
            ("speed", "-0.75"),
            ("repeat", "back and forth"),
            ("tilt", "7.5"),
            ("skin", "0"),
            ("morph 0", "0.25"),
            ("morph 1", "0"),
            ("compare", "true"),
            ("wireframe", "true"),
        ];
        for (name, value) in settings {
            let open = || if name.starts_with("morph") { person() } else { robot() };
            let plain = open().link();
            let mut one = open();
            one.command(name, value);
            one.update(0.0);
            let link = one.link();
            assert_ne!(link, plain, "{name} is not told");
            assert!(link.is_ascii() && !link.contains(' '), "{link}");
            let mut other = open();
            other.follow_link(&link);
            assert_eq!((other.link(), other.report()), (link.clone(), one.report()), "{name}");
            // And back: nothing of it is left.
            other.follow_link(&plain);
            assert_eq!((other.link(), other.report()), (plain, open().report()), "after {name}");
        }
        let mut one = robot();
        one.command("time", "0.123456");
        one.command("compare", "true");
        one.command("bound", "0.75");
        one.update(0.0);
        let mut other = robot();
        other.follow_link(&one.link());
        assert_eq!((other.time(), other.compare.bound, other.compare.is_on), (one.time(), 0.75, true));
        assert_eq!(other.compare.errors, one.compare.errors);
        // What is no whole view changes what it says, and nothing else.
        other.follow_link("speed=2");
        assert_eq!((other.playback.speed, other.compare.is_on, other.time()), (2.0, true, one.time()));
    }

    /// A camera before something tiny is as exact as one before a person.
    #[test]
    fn links_are_exact_for_small_things() {
        let mut one = viewer();
        one.follow_link("camera=0.5,0.25,0.0123,0.00123,0.00321,0");
        assert!((one.orbit.target - Vec3::new(0.00123, 0.00321, 0.0)).length() < 1e-6, "{}", one.orbit.target);
        let mut other = viewer();
        other.follow_link(&one.link());
        assert!((other.orbit.camera().eye - one.orbit.camera().eye).length() < 1e-5);
    }

    #[test]
    fn links_with_nonsense_do_no_harm() {
        let mut viewer = viewer();
        let before = viewer.link();
        let settings = "speed=fast&repeat=odd&tilt=nan&morphs=0,1:2:3,99999:1,:&skin=99";
        for link in
            ["", "#", "#camera=1,2", "camera=nan,0,1,0,0,0", "time=inf&camera=0,0,-1,0,0,0", "%zz=%", "clip", settings]
        {
            viewer.follow_link(link);
            assert_eq!(viewer.link(), before, "{link}");
        }
        viewer.follow_link("clip=wlak");
        assert!(viewer.error.as_deref().is_some_and(|error| error.contains("wlak")));
    }

    /// Clips without a name, and clips that share one, are told by their place in the file.
    #[test]
    fn links_tell_clips_apart_whose_names_do_not() {
        let mut one = viewer();
        for index in [1, 2, 3] {
            one.puppet.model.asset.animations[index].name = if index == 3 { String::new() } else { "same".into() };
        }
        for clip in [1, 2, 3, 4] {
            one.play(clip);
            let link = one.link();
            assert_eq!(link.contains("index="), clip == 2 || clip == 3, "{link}");
            one.play(0);
            one.follow_link(&link);
            assert_eq!((one.current_clip(), one.error.as_deref()), (Some(clip), None), "{link}");
        }
        // A file that has changed meanwhile: the name decides.
        one.follow_link("clip=same&index=4");
        assert_eq!(one.current_clip(), Some(1));
        one.follow_link("index=999");
        assert_eq!(one.current_clip(), Some(1));
    }

    /// What is opened on a page is another file, whatever its name is.
    #[test]
    fn files_of_one_name_are_two_files() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../nebula-animation/test_assets");
        let load = |name: &str| Model::load(&folder.join(name));
        let mut viewer =
            Viewer::showing("scene.glb", load("simple_humanoid.glb").expect("our own file")).expect("seen");
        viewer.follow_link("clip=walk&time=0.4&camera=1.25,0.5,3.5,0.1,0.9,-0.2");
        let before = viewer.orbit.camera().eye;
        assert!(viewer.show("scene.glb", load("robot.glb")));
        assert_eq!((viewer.current_clip(), viewer.time(), viewer.playback.is_playing), (Some(0), 0.0, true));
        assert!((viewer.orbit.camera().eye - before).length() > 0.05 && !viewer.is_placed);
        viewer.follow_link("time=0.2");
        let link = viewer.link();
        assert!(!viewer.show("scene.glb", Err("scene.glb: broken".into())));
        assert_eq!((viewer.error.as_deref(), viewer.link()), (Some("scene.glb: broken"), link));
    }
}
