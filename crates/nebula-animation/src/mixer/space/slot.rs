use std::sync::Arc;

use glam::Vec2;

use super::sync::Means;
use super::{BlendSpace, BlendWeights, Place};
use crate::clip::{Clock, Span, before};
use crate::frame::LayerId;
use crate::mixer::AnimationMixer;
use crate::mixer::action::AnimationAction;
use crate::mixer::blend::Input;
use crate::mixer::error::PlayError;
use crate::mixer::events::Passed;
use crate::mixer::layer::{MixerLayer, OLDER};
use crate::mixer::motion::{Motion, MotionClock};
use crate::state::{StateError, StateProblem, StateReader, StateWriter};

/// A blend space that a mixer can play, and its position.
#[derive(Debug, Clone)]
pub(crate) struct SpaceSlot {
    pub(in crate::mixer) space: Arc<BlendSpace>,
    position: Vec2,
    weights: BlendWeights,
    /// What follows from the weights.
    means: Means,
    clock: MotionClock,
}

impl SpaceSlot {
    fn new(space: Arc<BlendSpace>, position: Vec2) -> Self {
        let weights = space.weights(position);
        let means = space.means(&weights);
        Self { clock: clock_of(&means), means, space, position, weights }
    }

    /// Looks at it elsewhere.
    fn look_at(&mut self, position: Vec2) {
        self.position = position;
        self.weights = self.space.weights(position);
        self.means = self.space.means(&self.weights);
        self.clock = clock_of(&self.means);
    }

    fn locate(&self, phase: f64) -> Place {
        self.space.locate(&self.weights, &self.means, phase)
    }

    /// Where it is looked at.
    pub fn position(&self) -> Vec2 {
        self.position
    }

    pub fn clock(&self) -> MotionClock {
        self.clock
    }

    pub fn expand(&self, phase: f64, inputs: &mut Vec<Input>) {
        let push = |clip, time, weight| inputs.push(Input { clip, time: time as f32, weight });
        self.visit(phase, push);
    }

    pub fn visit(&self, phase: f64, visit: impl FnMut(usize, f64, f32)) {
        self.space.visit(&self.weights, self.locate(phase), visit);
    }

    /// Writes its position, and a word that identifies the space.
    pub fn write_state(&self, writer: &mut StateWriter) {
        writer.word(self.space.fingerprint());
        writer.write(&self.position);
    }

    pub fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        if reader.word()? != self.space.fingerprint() {
            return Err(StateProblem::Another("blend space").into());
        }
        let mut position = self.position;
        reader.read_any(&mut position)?;
        self.look_at(position);
        Ok(())
    }

    /// Whether the phase at which the last update of an action ended belongs to the space, and is close enough to its
    /// clock to report what lies between.
    pub(in crate::mixer) fn is_near(
        &self,
        place: Place,
        action: &AnimationAction,
        total_time: f64,
        cycles: f64,
    ) -> bool {
        let here = self.locate(phase(&action.clock(), total_time));
        place.is_near(here, self.space.pieces(), cycles)
    }

    /// What each clip went through in an update of an action that plays the space.
    fn report(&self, action: &mut AnimationAction, report: Passed, passed: &mut Vec<Passed>) {
        let clock = action.clock();
        let mut places = [[None; 2]; 2];
        for (ends, span) in places.iter_mut().zip(action.spans()).filter(|(_, span)| span.from != span.to) {
            // The same phase is another place when the weights have changed: go on from where the last update ended.
            let known = action.last_place.filter(|(total_time, _)| *total_time == span.from);
            let from = known.map_or_else(|| self.locate(phase(&clock, span.from)), |(_, place)| place);
            let to = self.locate(phase(&clock, span.to)).beyond_cut(self.space.pieces());
            let is_turned_by_weights = known.is_some() && !clock.reverse && (to < from) != (span.to < span.from);
            let to = if is_turned_by_weights { from } else { to };
            action.last_place = Some((span.to, to));
            *ends = [Some((from, known.is_none())), Some((to, false))];
        }
        let first = passed.len();
        for &(index, weight) in self.weights.iter() {
            let Some(sample) = self.space.samples().get(index) else { continue };
            let (_, duration) = self.space.seconds_at(index, Place::default());
            let spans = places.map(|[from, to]| {
                let (Some((from, is_new)), Some((to, _))) = (from, to) else { return Span::default() };
                let [from, to] = [from, to].map(|place| self.space.seconds_at(index, place).0);
                // A marker at the very beginning is met: by all clips, however they round.
                Span { from: if is_new && to > from { before(from) - Place::NEXT * duration } else { from }, to }
            });
            passed.push(Passed {
                clip: sample.clip,
                clock: Clock::looping(duration),
                spans,
                weight: report.weight * weight,
                mean_weight: report.mean_weight * f64::from(weight),
                ..report
            });
        }
        let count = (passed.len() - first) as u8;
        for (index, mate) in passed[first..].iter_mut().enumerate() {
            mate.mates = (index as u8, count);
        }
    }
}

/// The clock of a motion that counts its phase.
fn clock_of(means: &Means) -> MotionClock {
    let duration = means.duration;
    MotionClock { length: 1.0, rate: if duration > 0.0 { 1.0 / duration } else { 0.0 } }
}

/// Passes of an action's clock and the phase in the last one. A ping-pong clock has no passes that add up.
fn phase(clock: &Clock, total_time: f64) -> f64 {
    let state = clock.at(total_time);
    if clock.reverse { state.time } else { state.pass as f64 + state.time }
}

impl MixerLayer {
    /// Adds what the actions went through in an update, for the clips that are wanted.
    pub(in crate::mixer) fn report(
        &mut self,
        layer: LayerId,
        spaces: &[SpaceSlot],
        is_wanted: impl Fn(usize) -> bool,
        passed: &mut Vec<Passed>,
    ) {
        let of_layer = self.clean_weight();
        let mut shares = [0.0; OLDER + 3];
        for (slot, (_, share)) in shares.iter_mut().zip(self.actions()) {
            *slot = share * of_layer;
        }
        for (action, weight) in self.actions_mut().zip(shares) {
            let mean_weight = action.mean_share * f64::from(of_layer);
            let report = |action: &AnimationAction, clip: usize| {
                let (clock, spans) = (action.clock(), action.spans());
                Passed { layer, action: action.id(), clip, mates: (0, 1), weight, mean_weight, clock, spans }
            };
            match action.motion() {
                Motion::Clip(clip) if is_wanted(clip) => passed.push(report(action, clip)),
                Motion::Clip(_) => {}
                Motion::Space(space) => {
                    let slot = spaces.get(space);
                    let has_wanted =
                        |slot: &&SpaceSlot| slot.space.samples().iter().any(|sample| is_wanted(sample.clip));
                    if let Some(slot) = slot.filter(has_wanted) {
                        slot.report(action, report(action, 0), passed);
                    }
                }
            }
        }
    }
}

impl AnimationMixer {
    /// Adds a blend space to the mixer. Play it with `mixer.play(motion, fade)`, using the returned motion. Its
    /// position starts at the origin; set it with [`set_blend_position`](AnimationMixer::set_blend_position).
    ///
    /// ```
    /// use glam::Vec2;
    /// use nebula_animation::{AnimationClip, AnimationClipLibrary, AnimationMixer, BlendSpace, Rig, Skeleton};
    ///
    /// let clip = |name: &str, duration| AnimationClip { name: name.into(), duration, ..Default::default() };
    /// let clips = AnimationClipLibrary::new(&Rig::new(Skeleton::default()), &[clip("walk", 2.0), clip("run", 1.0)]);
    /// let gait = BlendSpace::line(&clips, &[(1.0, 0), (3.0, 1)])?;
    /// let mut mixer = AnimationMixer::new(clips);
    /// let gait = mixer.add_blend_space(gait);
    /// mixer.play(gait, 0.3)?;
    /// mixer.set_blend_position(gait, Vec2::new(2.0, 0.0))?;
    /// mixer.update(0.75);
    /// assert_eq!(mixer.current_action.as_ref().map(|action| action.time), Some(0.5), "half of a pass of 1.5 s");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_blend_space(&mut self, space: impl Into<Arc<BlendSpace>>) -> Motion {
        let space = space.into();
        self.is_prepared = false;
        self.spaces.reserve_exact(1);
        self.spaces.push(SpaceSlot::new(space, Vec2::ZERO));
        let count = self.spaces.len();
        self.layers_mut().for_each(|layer| layer.space_count = count);
        Motion::Space(count - 1)
    }

    /// Forgets the blend spaces from a number on.
    pub(in crate::mixer) fn truncate_spaces(&mut self, count: usize) {
        self.spaces.truncate(count);
        let count = self.spaces.len();
        self.layers_mut().for_each(|layer| layer.space_count = count);
    }

    /// Sets the position of a blend space, from the next update on. Move it smoothly: the pose follows at once. A NaN
    /// coordinate counts as 0; on a line only `x` counts.
    ///
    /// # Errors
    /// The motion is not a blend space of this mixer.
    pub fn set_blend_position(&mut self, space: Motion, position: Vec2) -> Result<(), PlayError> {
        let count = self.spaces.len();
        let Motion::Space(index) = space else { return Err(PlayError::NotASpace { motion: space }) };
        let slot = self.spaces.get_mut(index).ok_or(PlayError::NoSuchSpace { index, count })?;
        if slot.position != position {
            slot.look_at(position);
        }
        Ok(())
    }

    /// A blend space of this mixer; `None` if the motion is not one.
    #[must_use]
    pub fn blend_space(&self, space: Motion) -> Option<&Arc<BlendSpace>> {
        match space {
            Motion::Space(index) => self.spaces.get(index).map(|slot| &slot.space),
            Motion::Clip(_) => None,
        }
    }

    /// The position of a blend space; `None` if the motion is not a blend space of this mixer.
    #[must_use]
    pub fn blend_position(&self, space: Motion) -> Option<Vec2> {
        match space {
            Motion::Space(index) => self.spaces.get(index).map(|slot| slot.position),
            Motion::Clip(_) => None,
        }
    }
}
