use super::AnimationPlayer;
use super::warnings::Trouble;
use crate::compile::Clips;

/// The result of one step of a player.
///
/// ```
/// use nebula_animation::{AnimationClip, AnimationPlayer, advance_time};
///
/// let clips = [AnimationClip { duration: 1.0, ..Default::default() }];
/// let mut player = AnimationPlayer::new(0, clips[0].duration, 3);
/// player.looping = false;
/// assert!(!advance_time(&mut player, &clips, 0.5).is_finished);
/// assert!(advance_time(&mut player, &clips, 0.5).is_finished);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Advance {
    /// How many times a pass ended and another began; saturates at `u32::MAX`.
    pub passes: u32,
    /// Whether the player reached its end in this step, and stopped.
    pub is_finished: bool,
}

/// Advances a player's clock by `dt` seconds (`f32` or `f64`) times its speed; does nothing while it is paused.
///
/// A looping player wraps around, in both directions. Others stop at the end that they move towards. A step that is not
/// finite is ignored. A negative `dt` moves backwards.
///
/// The step is used at its exact value. Note that 1/60 s is not exact as `f32`: it gains 4.5 ms per day. If that
/// matters, pass an `f64`.
///
/// ```
/// use nebula_animation::{AnimationClip, AnimationClipLibrary, AnimationPlayer, Rig, Skeleton, advance_time};
///
/// let clips = [AnimationClip { duration: 2.0, ..Default::default() }];
/// let library = AnimationClipLibrary::new(&Rig::new(Skeleton::default()), &clips);
/// let mut player = AnimationPlayer::new(0, library[0].duration(), 3);
/// let advance = advance_time(&mut player, &library, 5.0);
/// assert_eq!((player.time, advance.passes), (1.0, 2));
/// ```
pub fn advance_time(player: &mut AnimationPlayer, clips: &(impl Clips + ?Sized), dt: impl Into<f64>) -> Advance {
    player.last_advance = player.advance(clips, dt.into());
    player.last_advance
}

impl AnimationPlayer {
    fn advance(&mut self, clips: &(impl Clips + ?Sized), dt: f64) -> Advance {
        if !self.sync(clips) || !self.playing {
            return Advance::default();
        }
        let shown = self.playhead.time();
        let Some(moved) = self.playhead.advance(&self.rules(), dt, None) else {
            if self.warnings.is_first(Trouble::Step) {
                log::warn!("a step of {dt} s at speed {} is not finite: it is ignored, as are later ones", self.speed);
            }
            return Advance::default();
        };
        self.mirror_time(shown);
        if moved.is_at_end {
            self.playing = false;
        }
        Advance { passes: moved.passes, is_finished: moved.is_at_end }
    }
}
