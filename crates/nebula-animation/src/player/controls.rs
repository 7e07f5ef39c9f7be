use super::warnings::Trouble;
use super::{Advance, AnimationPlayer, Sources};
use crate::clip::{Clock, SentTo};
use crate::compile::Clips;
use crate::skeleton::Skeleton;

impl AnimationPlayer {
    /// Plays a clip from its beginning, or from its end if `speed` is negative: from 0 to its duration, looping or once
    /// depending on `looping`.
    ///
    /// ```
    /// let mut player = nebula_animation::AnimationPlayer::new(0, 2.0, 3);
    /// player.looping = false;
    /// player.play(1);
    /// assert_eq!((player.clip_index, player.time, player.playing), (1, 0.0, true));
    /// ```
    pub fn play(&mut self, clip_index: usize) {
        self.playhead.set_range(None);
        self.switch_to(clip_index);
    }

    /// Plays a clip by a custom clock, from the clock's beginning: part of a clip, ping-pong, a number of repetitions.
    ///
    /// `looping` is set to whether the clock is endless. `speed`, which multiplies the clock's own, is set to 1. A
    /// clock that is not endless stops where it began when rewound by a negative `speed`.
    ///
    /// ```
    /// use nebula_animation::{AnimationClip, AnimationPlayer, Clock, advance_time};
    ///
    /// let clips = [AnimationClip { duration: 9.0, ..Default::default() }];
    /// let mut player = AnimationPlayer::new(0, clips[0].duration, 3);
    /// player.play_by(0, Clock { start: 2.0, end: Some(4.0), reverse: true, ..Clock::default() });
    /// advance_time(&mut player, &clips, 2.5);
    /// assert_eq!(player.time, 3.5);
    /// ```
    pub fn play_by(&mut self, clip_index: usize, clock: Clock) {
        self.looping = clock.repetitions < 0 && clock.end.is_some();
        self.speed = 1.0;
        self.playhead.set_range(Some(clock));
        self.switch_to(clip_index);
    }

    /// Plays the same clip again from its beginning.
    pub fn restart(&mut self) {
        self.switch_to(self.clip_index);
    }

    /// Jumps to `seconds` of the clip, like writing [`time`](AnimationPlayer::time), but in `f64`.
    ///
    /// A number that is not finite is ignored. Does not resume a player that is paused or finished.
    pub fn seek(&mut self, seconds: f64) {
        if seconds.is_finite() {
            self.go_to(SentTo::Time(seconds));
        } else {
            self.warn_of_seek(seconds);
        }
    }

    /// Jumps to what the clock shows at a total time, in seconds since its start: for rewinding, rolling back, or
    /// following another clock. Does not resume a player that is paused or finished.
    ///
    /// ```
    /// let mut player = nebula_animation::AnimationPlayer::new(0, 2.0, 3);
    /// player.seek_total(7.5);
    /// assert_eq!((player.time, player.pass()), (1.5, 3));
    /// ```
    pub fn seek_total(&mut self, total_time: f64) {
        self.go_to(SentTo::Total(total_time));
    }

    /// The clip time that is shown, in seconds, in `f64`; [`time`](AnimationPlayer::time) mirrors it.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.playhead.seconds(&self.rules())
    }

    /// Seconds of the player's [`clock`](AnimationPlayer::clock) since its start; negative if an endless clock was
    /// rewound past its start. Grows with `speed`, and stops while the player is paused.
    ///
    /// ```
    /// use nebula_animation::{AnimationClip, AnimationPlayer, Marker, advance_time};
    ///
    /// let clips = [AnimationClip { duration: 1.0, ..Default::default() }];
    /// let steps = [Marker { name: "left foot".into(), time: 0.2 }, Marker { name: "right foot".into(), time: 0.7 }];
    /// let mut player = AnimationPlayer::new(0, clips[0].duration, 3);
    ///
    /// let before = player.total_time();
    /// advance_time(&mut player, &clips, 0.5);
    /// for hit in player.clock().markers_between(&steps, before, player.total_time()) {
    ///     assert_eq!(hit.marker.name, "left foot");
    /// }
    /// ```
    #[must_use]
    pub fn total_time(&self) -> f64 {
        self.playhead.total_time(&self.rules())
    }

    /// Number of the current pass, from 0; negative if a looping player runs backwards.
    #[must_use]
    pub fn pass(&self) -> i64 {
        self.playhead.pass()
    }

    /// `true` if the player is at the end that its speed moves it towards, and would stay there.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.playhead.is_at_end(&self.rules())
    }

    /// `true` if [`local_poses`](AnimationPlayer::local_poses) is not the pose at the player's current time, or was
    /// sampled from another library than this one. After editing authored clips or skeletons, call
    /// [`mark_pose_stale`](AnimationPlayer::mark_pose_stale).
    #[must_use]
    pub fn needs_sampling(&self, skeleton: &Skeleton, clips: &(impl Clips + ?Sized)) -> bool {
        self.is_stale || self.sources != Sources::of(skeleton, clips) || self.local_poses.len() != skeleton.joints.len()
    }

    /// The result of the last step.
    #[must_use]
    pub fn last_advance(&self) -> Advance {
        self.last_advance
    }

    /// Marks [`local_poses`](AnimationPlayer::local_poses) as modified, so that the next frame samples the clip again
    /// even if time stands still.
    pub fn mark_pose_stale(&mut self) {
        self.is_stale = true;
    }

    /// Whether nobody has sampled since [`mark_pose_stale`](AnimationPlayer::mark_pose_stale).
    #[cfg(feature = "ecs")]
    pub(crate) fn is_pose_stale(&self) -> bool {
        self.is_stale
    }

    fn switch_to(&mut self, clip_index: usize) {
        self.clip_index = clip_index;
        self.active_clip = clip_index;
        self.playing = true;
        self.is_stale = true;
        self.warnings.forget(Trouble::ZeroLength);
        self.go_to(SentTo::Start);
    }
}
