//! Advancing the time of an action.

use super::AnimationAction;
use crate::clip::Moved;
use crate::mixer::motion::MotionContext;

impl AnimationAction {
    /// Takes over what was written into the public fields, and what has become of the motion.
    pub(in crate::mixer) fn sync(&mut self, context: &MotionContext) {
        let mut length = self.playhead.length();
        if let Some(motion_clock) = self.motion.clock(context) {
            (length, self.unit_rate) = (motion_clock.length, motion_clock.rate);
        }
        self.playhead.sync(&self.rules(), length, self.time, Some(&mut self.trip));
        self.time = self.playhead.time();
    }

    /// Lets `dt` seconds pass.
    pub(in crate::mixer) fn advance(&mut self, dt: f64) {
        self.last_step = Moved::default();
        if !self.playing {
            return;
        }
        let Some(moved) = self.playhead.advance(&self.rules(), dt, Some(&mut self.trip)) else {
            if !std::mem::replace(&mut self.has_warned, true) {
                log::warn!("a step of {dt} s at speed {} is not finite: it is ignored, as are later ones", self.speed);
            }
            return;
        };
        self.time = self.playhead.time();
        self.playing = !moved.is_at_end;
        self.last_step = moved;
    }
}
