use glam::Affine3A;

use super::answers::Telling;
use super::error::RecordingError;
use super::input::Input;
use super::op::{self, Op, Reader};
use super::tape::Tape;
use crate::character::Character;
use crate::frame::{GroundQuery, Surroundings, TargetQuery};
use crate::state::CharacterState;

/// Plays a [`Tape`] frame by frame on a character. See [`Tape::playback`].
///
/// ```
/// use nebula_animation::{Character, Surroundings, load_skeleton_and_clips, recorder::{Input, Recorder}};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (skeleton, clips) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref())?;
/// let mut hero = Recorder::new(Character::new(skeleton, &clips), 10.0);
/// let jump = hero.mixer.clips().find("jump")?;
/// for frame in 0..30 {
///     if frame == 10 {
///         hero.give(Input::play(jump, 0.1))?;
///     }
///     hero.update(1.0 / 60.0, &Surroundings::default());
/// }
///
/// // What if it had not jumped?
/// let mut other = hero.clone_character();
/// let mut playback = hero.tape().playback(0)?;
/// while playback.step_with(&mut other, |input| !matches!(input, Input::Play { .. }))? {}
/// assert_ne!(other.palette(), hero.palette());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Playback<'a> {
    tape: &'a Tape,
    segment: usize,
    reader: Reader<'a>,
    next: u64,
    /// Whether the first half of an update is done, and the second is not.
    is_between: bool,
    /// Where the character stood in the last frame.
    place: Affine3A,
    /// Whether nothing has been restored yet.
    is_new: bool,
    /// Whether something was left out: from then on, states of the tape are those of another character.
    is_branched: bool,
}

/// Where the last state is that is written before a frame, and not between the two halves of an update; and the number of the frame that comes
/// after it.
fn last_state(mut reader: Reader<'_>, mut next: u64, frame: u64) -> (Reader<'_>, u64) {
    let mut found = (reader.clone(), next);
    let mut is_between = false;
    while next <= frame {
        let before = reader.clone();
        match reader.next() {
            Ok(Some(Op::State { .. })) if !is_between => found = (before, next),
            Ok(Some(Op::Advance(_))) => is_between = true,
            Ok(Some(Op::Finish { .. })) => (next, is_between) = (next + 1, false),
            Ok(Some(_)) => {}
            Ok(None) | Err(_) => break,
        }
    }
    found
}

impl<'a> Playback<'a> {
    /// From the last whole state before a frame of a segment on: what a character was made of before that does not matter.
    pub(super) fn new(tape: &'a Tape, segment: usize, frame: u64) -> Self {
        let (words, next) = tape.segment(segment).map_or((&[][..], 0), |found| (&found.words[..], found.first));
        let (reader, next) = last_state(Reader::new(words), next, frame);
        let place = Affine3A::IDENTITY;
        Self { tape, segment, reader, next, is_between: false, place, is_new: true, is_branched: false }
    }

    /// The number of the frame that the next step produces.
    #[must_use]
    pub fn next_frame(&self) -> u64 {
        self.next
    }

    /// The transform of the character in the last frame that was played, from its [`Surroundings`].
    ///
    /// ```
    /// use glam::{Affine3A, Vec3};
    /// use nebula_animation::{AnimationClipLibrary, Character, Surroundings, recorder::Recorder};
    ///
    /// let mut hero = Recorder::new(Character::of(AnimationClipLibrary::default()), 10.0);
    /// let place = Affine3A::from_translation(Vec3::X);
    /// hero.update(1.0 / 60.0, &Surroundings::at(place));
    /// let mut playback = hero.tape().playback(0)?;
    /// playback.step(&mut hero.clone_character())?;
    /// assert_eq!(playback.world_from_model(), place);
    /// # Ok::<(), nebula_animation::recorder::RecordingError>(())
    /// ```
    #[must_use]
    pub fn world_from_model(&self) -> Affine3A {
        self.place
    }

    /// Plays one frame; returns `false` at the end of the tape.
    ///
    /// # Errors
    /// The character differs from the recorded one.
    pub fn step(&mut self, character: &mut Character) -> Result<bool, RecordingError> {
        self.step_with(character, |_| true)
    }

    /// Like [`step`](Playback::step), with only those changes for which `keeps` returns `true`: what would have
    /// happened without the others. From the first change that is left out, the states on the tape are ignored, and
    /// with them all changes that were made by other means than [`Recorder::give`](super::Recorder::give).
    ///
    /// # Errors
    /// The character differs from the recorded one.
    pub fn step_with(
        &mut self,
        character: &mut Character,
        mut keeps: impl FnMut(&Input) -> bool,
    ) -> Result<bool, RecordingError> {
        loop {
            let Some(op) = self.reader.next()? else {
                let Some(segment) = self.tape.segment(self.segment + 1) else { return Ok(false) };
                self.segment += 1;
                self.reader = Reader::new(&segment.words);
                continue;
            };
            match op {
                Op::State { words, is_change } => {
                    if self.is_new || (is_change && !self.is_branched) {
                        let state = CharacterState::record(self.tape.rig, |writer| {
                            words.iter().for_each(|word| writer.word(*word));
                        });
                        match self.is_between {
                            true => character.restore_between(&state)?,
                            false => character.restore(&state)?,
                        }
                        self.is_new = false;
                    }
                }
                Op::Advance(dt) => {
                    character.advance(dt);
                    self.is_between = true;
                }
                Op::Finish { place, velocity, flags, answers } => {
                    let telling = Telling::new(answers);
                    let has = |flag: u32| flags & flag != 0;
                    character.finish(&Surroundings {
                        world_from_model: place,
                        velocity,
                        ground: has(op::HAS_GROUND).then_some(&telling as &dyn GroundQuery),
                        is_grounded: has(op::IS_GROUNDED),
                        targets: has(op::HAS_TARGETS).then_some(&telling as &dyn TargetQuery),
                    });
                    (self.next, self.place) = (self.next + 1, place);
                    self.is_between = false;
                    return Ok(true);
                }
                Op::Input { flags, words } => {
                    let input = Input::read(flags, words)?;
                    if keeps(&input) {
                        // What cannot be done was not recorded; of another character it may be, and then it is left out.
                        let _ = input.apply(character);
                    } else {
                        self.is_branched = true;
                    }
                }
            }
        }
    }
}
