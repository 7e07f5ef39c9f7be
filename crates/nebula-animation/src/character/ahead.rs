//! An update in parts that a troupe makes at different rates: time passes in every frame, and the pose is that of a later moment.

use super::{Character, abreast};
use crate::clip::Position;
use crate::compile::RootDelta;
use crate::frame::Surroundings;
use crate::math::ExactSum;
use crate::mixer::Steady;
use crate::rig::block::LANES;

impl Character {
    /// As [`advance`](Character::advance), without the pose: clocks, state machines, events and the root step alone.
    pub(crate) fn pass(&mut self, dt: f64) -> RootDelta {
        let Self { mixer, machines, frame, elapsed, .. } = self;
        machines.iter_mut().for_each(|machine| machine.update(mixer));
        mixer.pass(dt);
        let scaled = dt * f64::from(mixer.time_scale);
        elapsed.add(if scaled.is_finite() { scaled } else { 0.0 });
        frame.root_step = mixer.root_motion();
        frame.root_step
    }

    /// Computes the pose before layers `ahead` seconds from now, of which layers have not seen the last `step`.
    pub(crate) fn look_ahead(&mut self, ahead: f64, step: f64) {
        let Self { mixer, frame, .. } = self;
        mixer.look_ahead(ahead);
        frame.shown.reserve(mixer.most_shown().saturating_sub(frame.shown.len()));
        mixer.fill_ahead(ahead, frame);
        let scale = f64::from(mixer.time_scale);
        (self.ahead, self.passed) = (ahead * scale, step * scale);
    }

    /// Lets layers follow, after [`look_ahead`](Character::look_ahead) of all; eight of one rig side by side.
    pub(crate) fn finish_ahead(characters: &mut [&mut Self], surroundings: &[Surroundings<'_>]) {
        match (characters.as_mut_array::<LANES>(), surroundings.as_array::<LANES>()) {
            (Some(eight), Some(around)) => abreast::finish(eight, around),
            _ => {
                for (character, around) in characters.iter_mut().zip(surroundings) {
                    character.finish(around);
                }
            }
        }
        characters.iter_mut().for_each(|character| character.ahead = 0.0);
    }

    /// Whether objects hang on its joints, whose matrices are wanted in every frame.
    pub(crate) fn has_attachments(&self) -> bool {
        !self.attachments.is_empty()
    }

    /// The position of a character for whom nothing happens but that a looping clip goes on.
    pub(crate) fn steady(&mut self) -> Option<Steady> {
        let Self { mixer, machines, .. } = self;
        let is_steady = machines.iter().all(|machine| machine.is_waiting(mixer)) && self.attachments.is_empty();
        let steady = mixer.steady().filter(|_| is_steady)?;
        self.frame.root_step = RootDelta::ZERO;
        Some(steady)
    }

    /// Goes on where a [`Steady`] position has come to, after so many seconds.
    pub(crate) fn resume(&mut self, position: Position, seconds: ExactSum) {
        let scale = f64::from(self.mixer.time_scale);
        self.mixer.resume(position, seconds);
        let [value, rest] = seconds.parts();
        self.elapsed.add(value * scale);
        self.elapsed.add(rest * scale);
    }
}
