//! What the hero can do, and when it does what.

use std::sync::Arc;

use nebula_animation::{
    AnimationClip, AnimationMixer, Asset, BlendSpace, Fade, JointMask, LayerId, PlayError, RootTracks,
    compile::RootMotionOptions, mixer::Motion,
};

use super::{Hero, Input, Posture};

/// Metres per second of its walk and of its run: the distance of the clip divided by its length.
pub(super) const WALK: f32 = 0.6;
pub(super) const RUN: f32 = 1.7 / 0.7;

/// Metres per second squared from the one to the other.
pub(super) const ACCELERATION: f32 = 2.4;

/// Radians per second.
pub(super) const FASTEST_TURN: f64 = 2.2;

/// Where in its cycle the first step begins: the left foot is on the ground and the right one swings past it.
const FIRST_STEP: f64 = 0.86;

pub(super) struct Moves {
    pub mixer: AnimationMixer,
    pub gait: Motion,
    pub space: Arc<BlendSpace>,
    pub arm: LayerId,
}

/// A mixer for the clips of the character, whose root motion is taken out of them.
pub(super) fn moves(asset: &Asset) -> Result<Moves, String> {
    let clips: Vec<AnimationClip> = asset.animations.iter().map(|animation| animation.to_clip()).collect();
    let (clips, ways) = RootTracks::extract(&clips, &asset.skeleton, &RootMotionOptions::default());
    let find = |name: &str| {
        let found = clips.iter().position(|clip| clip.name == name);
        found.ok_or_else(|| format!("the character has no clip {name:?}"))
    };
    let samples = [(WALK, find("walk_root_motion")?), (RUN, find("run_root_motion")?)];
    find("idle")?;
    let space = Arc::new(BlendSpace::line(&clips, &samples).map_err(|error| error.to_string())?);
    let mut mixer = AnimationMixer::new(clips).with_root_tracks(ways);
    let gait = mixer.add_blend_space(Arc::clone(&space));
    let arm = mixer.add_layer("sword arm");
    if let Some(layer) = mixer.layer_mut(arm) {
        let mask = JointMask::none(&asset.skeleton).with_subtree(&asset.skeleton, "RightShoulder", 1.0);
        layer.set_mask(mask.map_err(|error| error.to_string())?);
    }
    Ok(Moves { mixer, gait, space, arm })
}

impl Hero {
    /// From the T-pose to standing at ease.
    pub fn wake(&mut self) {
        if self.posture == Posture::TPose {
            self.posture = Posture::Standing;
            self.life.fade_to(1.0, 0.8);
            // The clip is known to be there.
            let _ = self.mixer.play("idle", self.knobs.fade(0.6));
        }
    }

    /// Back to the T-pose.
    pub fn rest(&mut self) {
        self.posture = Posture::TPose;
        self.life.fade_to(0.0, 0.5);
        self.mixer.stop(self.knobs.fade(0.6));
    }

    /// Plays a clip of the character, whatever the inputs say, until [`obey`](Hero::obey).
    ///
    /// # Errors
    /// There is no such clip.
    pub fn play(&mut self, clip: &str, fade: Fade) -> Result<(), PlayError> {
        self.mixer.play(clip, fade)?;
        self.posture = Posture::Performing;
        self.life.fade_to(1.0, 0.8);
        Ok(())
    }

    /// Does what the inputs say again.
    pub fn obey(&mut self) {
        if self.posture == Posture::Performing {
            self.posture = Posture::Standing;
            let _ = self.mixer.play("idle", self.knobs.fade(0.4));
        }
    }

    /// Lets the sword arm play a clip on top of what the rest of the body does; none lets it go back.
    ///
    /// # Errors
    /// There is no such clip.
    pub fn gesture(&mut self, clip: Option<&str>, fade: Fade) -> Result<(), PlayError> {
        let Some(layer) = self.mixer.layer_mut(self.arm) else { return Ok(()) };
        match clip {
            Some(clip) => layer.play(clip, fade).map(|_| ()),
            None => {
                layer.stop(fade);
                Ok(())
            }
        }
    }

    /// Begins to walk, or stops, as the input says.
    pub(super) fn decide(&mut self, input: &Input) {
        let is_wanted = input.direction.length() >= 0.1;
        match self.posture {
            Posture::Standing if is_wanted => {
                self.posture = Posture::Moving;
                self.pace = WALK;
                self.breath.fade_to(0.3, 0.8);
                if let Ok(action) = self.mixer.play(self.gait, self.knobs.fade(0.45)) {
                    action.seek(FIRST_STEP);
                }
            }
            Posture::Moving if !is_wanted => {
                self.posture = Posture::Standing;
                self.breath.fade_to(1.0, 1.5);
                let _ = self.mixer.play("idle", self.knobs.fade(0.5));
            }
            _ => {}
        }
    }
}
