use std::sync::Arc;

use super::delta::RootDelta;
use super::extract::{RootMotionOptions, extract_root_motion};
use super::track::RootTrack;
use crate::clip::AnimationClip;
use crate::mixer::AnimationMixer;
use crate::mixer::events::Passed;
use crate::mixer::layer_id::LayerId;
use crate::skeleton::Skeleton;

/// The ways of the roots of a library's clips, clip by clip. Kept beside the clips, and shared by all who play them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RootTracks(Vec<RootTrack>);

impl RootTracks {
    /// Takes the way of a joint out of all clips: gives the clips on the spot, in the same order, and the ways.
    ///
    /// ```
    /// # use std::path::Path;
    /// use nebula_animation::{AnimationMixer, RootMotionOptions, RootTracks, load_skeleton_and_clips};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (skeleton, clips) = load_skeleton_and_clips(Path::new("test_assets/simple_humanoid.glb"))?;
    /// let (clips, ways) = RootTracks::extract(&clips, &skeleton, &RootMotionOptions::default());
    /// let mut mixer = AnimationMixer::new(clips).with_root_tracks(ways);
    /// mixer.play("walk_root_motion", 0.3)?;
    /// mixer.update(&skeleton, 1.0);
    /// assert!((mixer.root_motion().translation.z - 0.6).abs() < 1e-5);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn extract(
        clips: &[AnimationClip],
        skeleton: &Skeleton,
        options: &RootMotionOptions,
    ) -> (Vec<AnimationClip>, Self) {
        let (clips, tracks) = clips.iter().map(|clip| extract_root_motion(clip, skeleton, options)).unzip();
        (clips, Self(tracks))
    }

    /// The way of a clip's root; `None` where there is no such clip.
    #[must_use]
    pub fn of(&self, clip: usize) -> Option<&RootTrack> {
        self.0.get(clip)
    }
}

impl From<Vec<RootTrack>> for RootTracks {
    /// One track for each clip.
    fn from(tracks: Vec<RootTrack>) -> Self {
        Self(tracks)
    }
}

/// What a mixer tells of the root.
#[derive(Debug, Clone, Default)]
pub(in crate::mixer) struct RootReport {
    tracks: Arc<RootTracks>,
    motion: RootDelta,
}

impl RootReport {
    /// Whether anybody asked for it.
    pub fn is_wanted(&self) -> bool {
        !self.tracks.0.is_empty()
    }

    /// Adds up what the actions of the base layer went through, by their mean shares.
    pub fn update(&mut self, passed: &[Passed]) {
        self.motion = RootDelta::ZERO;
        if !self.is_wanted() {
            return;
        }
        let mut left = 1.0;
        let moving = passed.iter().filter(|passed| passed.layer == LayerId::BASE).filter_map(|passed| {
            let share = passed.mean_weight;
            left -= share;
            let track = self.tracks.of(passed.clip)?;
            let [scrubbed, played] = passed.spans.map(|span| track.motion(&passed.clock, span.from, span.to));
            Some((share, scrubbed.then(played)))
        });
        // What is left of the whole stands still.
        let mut sum = RootDelta::ZERO;
        let mut total = 0.0;
        for (share, motion) in moving {
            sum = RootDelta::mean([(total, sum), (share, motion)]);
            total += share;
        }
        self.motion = RootDelta::mean([(total, sum), (left.max(0.0), RootDelta::ZERO)]);
    }
}

impl AnimationMixer {
    /// The same mixer, which reports the way of the root: for clips from which it was taken out.
    #[must_use]
    pub fn with_root_tracks(mut self, tracks: impl Into<Arc<RootTracks>>) -> Self {
        self.set_root_tracks(tracks);
        self
    }

    /// Reports the way of the root, for clips from which it was taken out: see [`root_motion`](AnimationMixer::root_motion).
    pub fn set_root_tracks(&mut self, tracks: impl Into<Arc<RootTracks>>) {
        self.root.tracks = tracks.into();
    }

    /// How far the root went in the last update: the mean of the actions of the base layer, by their share of the pose.
    ///
    /// It follows time, in whichever direction, and a written [`time`](crate::AnimationAction::time), but not
    /// [`seek`](crate::AnimationAction::seek). With an inertialised fade, the motion of the new action counts at once. Add the motions of all updates up with [`RootDelta::then`] or, frame by frame,
    /// move the character by [`RootDelta::applied_to`].
    #[must_use]
    pub fn root_motion(&self) -> RootDelta {
        self.root.motion
    }
}
