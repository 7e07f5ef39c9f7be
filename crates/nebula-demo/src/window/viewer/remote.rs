//! The viewer from outside its panels: links that show what one sees, and commands of a page.

use std::fmt::Write;
use std::path::Path;

use glam::Vec3;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

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
    /// nothing plays, `index` where a clip has no name of its own, and `show` lists what is switched on.
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

    /// Shows what a link says, with or without its `#`; what it does not say stays. A clip that is not there is told as an error.
    pub fn follow_link(&mut self, link: &str) {
        let parts: Vec<(&str, String)> = link
            .trim_start_matches('#')
            .split('&')
            .filter_map(|part| part.split_once('='))
            .map(|(name, value)| (name, percent_decode_str(value).decode_utf8_lossy().into_owned()))
            .collect();
        let find = |wanted: &str| parts.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.as_str());
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
