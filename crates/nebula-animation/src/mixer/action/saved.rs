//! The saved state of an action.

use super::AnimationAction;
use crate::mixer::motion::{Motion, MotionContext};
use crate::state::{StateError, StateProblem, StateReader, StateWriter, stateful};

/// More passes than this, per second or since the last frame, are treated as damage: each may have events.
const MOST_PASSES: f64 = 1e6;

impl AnimationAction {
    // What is kept beside the motion, which comes first and gives the length.
    stateful!(
        flags { looping, back_and_forth, playing }
        given { time, speed, repetitions, weight, hand_back }
        kept { id, playhead, trip, last_step, last_place }
    );

    /// Writes the motion, and how it is played.
    pub(in crate::mixer) fn write(&self, writer: &mut StateWriter) {
        writer.write(&self.motion);
        self.write_state(writer);
    }

    /// Reads what [`write`](AnimationAction::write) wrote.
    pub(in crate::mixer) fn read(reader: &mut StateReader<'_>, context: &MotionContext) -> Result<Self, StateError> {
        let mut motion = Motion::Clip(0);
        reader.read(&mut motion)?;
        let Some(clock) = motion.clock(context) else {
            let (name, index) = match motion {
                Motion::Clip(index) => ("clip", index),
                Motion::Space(index) => ("blend space", index),
            };
            return Err(StateError::new(StateProblem::OutOfRange(index as u64)).within(name));
        };
        let mut action = Self::new(motion, 0, clock);
        action.read_state(reader)?;
        action.check(context)?;
        Ok(action)
    }

    /// Whether one second can be reported, at this time scale of the mixer.
    pub(in crate::mixer) fn check_pace(&self, time_scale: f32) -> Result<(), StateError> {
        // A clip of a microsecond has its million passes.
        let most = MOST_PASSES * (1.0 / f64::from(self.playhead.length())).max(1.0);
        if self.playhead.pace(&self.rules()) * f64::from(time_scale.abs()) > most && time_scale.is_finite() {
            return Err(StateError::new(StateProblem::TooLarge).within("speed"));
        }
        Ok(())
    }

    /// Whether the time since the last frame can be reported.
    fn check(&self, context: &MotionContext) -> Result<(), StateError> {
        let too_far = |name: &str| StateError::new(StateProblem::TooLarge).within(name);
        if self.playhead.passes_ahead(&self.rules()) > MOST_PASSES {
            return Err(too_far("playhead"));
        }
        let [from, to] = self.trip.gap();
        if self.clock().passes_between(from, to) as f64 > MOST_PASSES {
            return Err(too_far("trip"));
        }
        let Some((total_time, place)) = self.last_place else { return Ok(()) };
        let is_sound = match self.motion {
            Motion::Space(index) => {
                context.spaces.get(index).is_some_and(|slot| slot.is_near(place, self, total_time, MOST_PASSES))
            }
            Motion::Clip(_) => false,
        };
        if is_sound { Ok(()) } else { Err(too_far("last_place")) }
    }
}
