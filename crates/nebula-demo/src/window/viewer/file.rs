//! Loading and reloading of files.

use std::path::Path;

use super::Viewer;
use super::puppet::Puppet;
use super::watch::Watch;
use crate::show::model::Model;
use crate::show::played::{Played, driven};
use crate::show::side;

impl Viewer {
    /// Shows a file, or, of a recording, the frames of the model that is open.
    pub(super) fn load(&mut self, file: &Path) {
        if file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("recording")) {
            self.error = self.show_recording(file).err();
            return;
        }
        // Before it is read: what is written meanwhile counts.
        let watch = Watch::new(file);
        let is_again = file == self.file;
        self.take(file, watch, load(file), is_again);
    }

    /// Shows the frames of a recording of the model that is open.
    ///
    /// # Errors
    /// One line: why the recording cannot be read, or is not of this model. What is shown stays.
    pub fn show_recording(&mut self, file: &Path) -> Result<(), String> {
        let model = self.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Self { inspector, puppet, .. } = self;
        let plain = Played::of(&puppet.model.asset).character;
        let make = |documents: &[_]| driven(&plain, documents);
        inspector.open_recording(file, &model, &mut puppet.character, &make)?;
        self.follow_past();
        Ok(())
    }

    /// Shows what was loaded, or says what is wrong with it; whether it is shown. One that comes again is the file that is shown, with
    /// changes: it is seen as the one before.
    pub(super) fn take(&mut self, file: &Path, watch: Watch, loaded: Result<Puppet, String>, is_again: bool) -> bool {
        let is_good = loaded.is_ok();
        match loaded {
            Ok(puppet) => {
                let (clip, time, is_playing) = (self.current_clip_name(), self.time(), self.playback.is_playing);
                self.puppet = puppet;
                self.compare.forget();
                self.inspector.reset();
                self.inspector.save_beside(file);
                self.record();
                self.error = None;
                self.file = file.to_owned();
                self.watch = watch;
                self.start();
                if is_again {
                    // Where one was looking, someone has only changed the file.
                    let same = clip.and_then(|name| self.puppet.clips().position(|clip| clip == name));
                    if let Some(clip) = same {
                        self.play(clip);
                        self.scrub(time);
                        self.playback.is_playing = is_playing;
                    }
                } else {
                    (self.show.skin, self.is_placed) = (None, false);
                    self.orbit.look_from(side::best(&self.puppet.body()));
                    self.frame();
                }
            }
            Err(error) => {
                self.error = Some(error);
                if is_again {
                    // It may refer to other files now, which may not be there yet.
                    self.watch = watch;
                }
            }
        }
        is_good
    }
}

pub(super) fn load(file: &Path) -> Result<Puppet, String> {
    puppet(file, Model::load(file)?)
}

pub(super) fn puppet(file: &Path, model: Model) -> Result<Puppet, String> {
    if model.parts.is_empty() && model.asset.skeleton.joints.is_empty() {
        return Err(format!("{}: there is nothing to see in it", file.display()));
    }
    Ok(Puppet::new(model))
}

pub(super) fn first_clip(puppet: &Puppet) -> Option<usize> {
    (!puppet.model.asset.animations.is_empty()).then_some(0)
}
