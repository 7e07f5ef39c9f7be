//! Records the last seconds of a character as states and inputs: restore any frame, step through it, branch off, save
//! it.
//!
//! Poses are functions of state and time, so they are not stored. A [`Recorder`] writes down a character's inputs: time
//! steps, transform, the answers of ground and target queries, and changes made by the game. Every few seconds it also
//! stores the full [state](crate::CharacterState). Any frame of a [`Tape`](crate::recorder::Tape) can be restored, with
//! the same bits. A [`Recording`](crate::recorder::Recording) is a file of tapes, for reproducible bug reports.

mod answers;
mod error;
mod file;
mod input;
mod op;
mod playback;
mod tape;

use std::ops::{Deref, DerefMut};

use crate::character::{Character, abreast, many::FEW};
use crate::compile::RootDelta;
use crate::frame::Surroundings;
use crate::rig::block::LANES;
use crate::state::{StateError, StateProblem};

use answers::{Asking, ROOM};
pub use error::{RecordingError, RecordingProblem};
pub use file::Recording;
pub use input::{Input, InputError};
pub use playback::Playback;
pub use tape::Tape;

/// A character whose last seconds are recorded.
///
/// It dereferences to the [`Character`] and can replace it: all changes made through it are recorded. A frame in which
/// only time and surroundings change takes about 150 bytes. A change through `&mut` stores the full state once more,
/// which takes microseconds; for changes in every frame, prefer to [give](Recorder::give) an [`Input`], which takes a
/// few bytes.
///
/// Layer settings are part of a state, so frames before a change of settings are restored as they were. The composition
/// of the character is not: if a layer, state machine or attachment is added or removed, frames on the other side of
/// that change are refused with a reason. They can be restored into a character that is built as it was then.
///
/// ```
/// use nebula_animation::{Character, Surroundings, load_skeleton_and_clips, recorder::Recorder};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (skeleton, clips) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref())?;
/// let mut hero = Recorder::new(Character::new(skeleton, &clips), 10.0);
/// hero.mixer.play("walk", 0.3)?;
/// for _ in 0..60 {
///     hero.update(1.0 / 60.0, &Surroundings::default());
/// }
/// let now = hero.palette().to_vec();
/// hero.mixer.play("jump", 0.1)?;
/// hero.update(0.1, &Surroundings::default());
///
/// // Why did it look like that, a frame ago?
/// let mut past = hero.clone_character();
/// past.set_traced(true);
/// hero.tape().restore(59, &mut past)?;
/// assert_eq!(past.palette(), now);
/// println!("{}", past.explain("LeftFoot")?);
///
/// // And if it had not jumped?
/// hero.rewind(59)?;
/// hero.update(0.1, &Surroundings::default());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Recorder {
    character: Character,
    tape: Tape,
    is_recording: bool,
    /// Whether something may have been changed that is not on the tape.
    is_touched: bool,
}

impl Recorder {
    /// Records the last `seconds` of a character, and up to a few seconds more.
    #[must_use]
    pub fn new(character: Character, seconds: f64) -> Self {
        let tape = Tape::new(character.rig().fingerprint, seconds);
        Self { character, tape, is_recording: true, is_touched: true }
    }

    /// Continues from the last frame of a tape, such as one from a [`Recording`] that was sent to you: all its frames
    /// can be restored. The character must be built like the recorded one, from the same files.
    ///
    /// ```
    /// use nebula_animation::{Character, Surroundings, load_skeleton_and_clips, recorder::Recorder};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (skeleton, clips) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref())?;
    /// let make = || Character::new(skeleton.clone(), &clips);
    /// let mut hero = Recorder::new(make(), 10.0);
    /// (0..60).for_each(|_| hero.update(1.0 / 60.0, &Surroundings::default()));
    ///
    /// let mut elsewhere = Recorder::resume(make(), hero.tape().clone())?;
    /// assert_eq!(elsewhere.palette(), hero.palette());
    /// elsewhere.rewind(30)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The character differs from the recorded one.
    pub fn resume(mut character: Character, tape: Tape) -> Result<Self, RecordingError> {
        let frames = tape.frames();
        if character.rig().fingerprint != tape.rig {
            return Err(StateError::new(StateProblem::Rig).into());
        }
        if !frames.is_empty() {
            tape.restore(frames.end - 1, &mut character)?;
        }
        Ok(Self { character, tape, is_recording: true, is_touched: frames.is_empty() })
    }

    /// Sets the maximum number of frames between full states, at least 1; default 600. A smaller number makes restoring
    /// faster, and the tape longer.
    #[must_use]
    pub fn with_states_every(mut self, frames: u32) -> Self {
        self.tape.set_states_every(frames);
        self
    }

    /// Stops recording, or starts a new one; what was recorded before stays on the tape until then. While it is off, a
    /// frame costs the same as without a recorder.
    pub fn set_recording(&mut self, is_recording: bool) {
        if is_recording && !self.is_recording {
            self.tape.clear();
            self.is_touched = true;
        }
        self.is_recording = is_recording;
    }

    /// `true` while it records.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        self.is_recording
    }

    /// The recorded tape.
    #[must_use]
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// A copy of the character in its current state, for looking at past frames without leaving the present.
    #[must_use]
    pub fn clone_character(&self) -> Character {
        self.character.clone()
    }

    /// The character, without the recorder.
    #[must_use]
    pub fn into_character(self) -> Character {
        self.character
    }

    /// Makes a change, and records it in a few bytes.
    ///
    /// # Errors
    /// The change cannot be made; nothing has changed, and nothing is recorded.
    pub fn give(&mut self, input: Input) -> Result<(), InputError> {
        self.note_changes();
        input.apply(&mut self.character)?;
        if self.is_recording {
            self.tape.input(&input);
        }
        Ok(())
    }

    /// Like [`Character::update`].
    pub fn update(&mut self, dt: impl Into<f64>, surroundings: &Surroundings<'_>) {
        self.advance(dt);
        self.finish(surroundings);
    }

    /// Advances many characters by `dt` seconds, each recorded on its own tape. If they started together, their frames
    /// have the same numbers. `surroundings` is called as in [`Character::update_all`], and the bits are the same.
    ///
    /// ```
    /// use nebula_animation::{AnimationClipLibrary, Character, Surroundings, recorder::{Recorder, Recording}};
    ///
    /// let mut all = vec![Recorder::new(Character::of(AnimationClipLibrary::default()), 10.0); 3];
    /// Recorder::update_all(&mut all, 1.0 / 60.0, |_, _| Surroundings::default());
    /// let names = ["hero", "guard", "horse"];
    /// let recording = Recording::of(names.into_iter().zip(all.iter().map(Recorder::tape)));
    /// assert_eq!(recording.tapes.len(), 3);
    /// ```
    pub fn update_all<'s>(
        recorders: &mut [Self],
        dt: impl Into<f64>,
        mut surroundings: impl FnMut(usize, &Character) -> Surroundings<'s>,
    ) {
        let (are_many, dt) = (recorders.len() > FEW, dt.into());
        for first in (0..recorders.len()).step_by(LANES) {
            let end = recorders.len().min(first + LANES);
            for index in first..end {
                if are_many {
                    Character::prefetch_from(recorders, index + LANES, |recorder| &recorder.character);
                }
                recorders[index].advance(dt);
            }
            let some = &mut recorders[first..end];
            match some.as_mut_array::<LANES>() {
                Some(eight) => {
                    let around = std::array::from_fn(|index| surroundings(first + index, &eight[index].character));
                    Self::finish_eight(eight, &around);
                }
                None => {
                    for (index, recorder) in some.iter_mut().enumerate() {
                        let around = surroundings(first + index, &recorder.character);
                        recorder.finish(&around);
                    }
                }
            }
        }
    }

    /// As [`finish`](Recorder::finish) of each, side by side. What one asks the world is written on its own tape.
    fn finish_eight(eight: &mut [Self; LANES], around: &[Surroundings<'_>; LANES]) {
        eight.iter_mut().for_each(Self::note_changes);
        let mut rooms = [[0; ROOM]; LANES];
        let mut askings: [Option<Asking<'_>>; LANES] = Default::default();
        let mut notes = askings.iter_mut().zip(&mut rooms).zip(around);
        let mut characters = eight.each_mut().map(|Self { character, tape, is_recording, .. }| {
            if let Some(((asking, room), around)) = notes.next().filter(|_| *is_recording) {
                *asking = Some(tape.ask(around, room));
            }
            character
        });
        let asked = std::array::from_fn(|index| {
            let around = &around[index];
            askings[index].as_ref().map_or(*around, |asking| asking.around(around))
        });
        abreast::finish(&mut characters, &asked);
        askings.iter_mut().flatten().for_each(Asking::finish);
        for recorder in eight.iter_mut().filter(|recorder| recorder.is_recording) {
            recorder.tape.end_frame();
        }
    }

    /// Like [`Character::advance`].
    pub fn advance(&mut self, dt: impl Into<f64>) -> RootDelta {
        let dt = dt.into();
        if self.is_recording {
            if self.tape.is_due() {
                self.tape.begin(&self.character, std::mem::take(&mut self.is_touched));
            }
            self.note_changes();
            self.tape.advance(dt);
        }
        self.character.advance(dt)
    }

    /// Like [`Character::finish`].
    pub fn finish(&mut self, surroundings: &Surroundings<'_>) {
        if !self.is_recording {
            return self.character.finish(surroundings);
        }
        self.note_changes();
        self.tape.finish(surroundings, |surroundings| self.character.finish(surroundings));
    }

    /// Restores a frame of the tape, and continues recording from there. Everything after it is discarded.
    ///
    /// # Errors
    /// The tape has no such frame, or layers, state machines or attachments were added or removed since. The character
    /// is unchanged then.
    pub fn rewind(&mut self, frame: u64) -> Result<(), RecordingError> {
        let mut character = self.character.clone();
        self.tape.restore(frame, &mut character)?;
        self.character = character;
        self.tape.cut_after(frame);
        self.is_touched = false;
        Ok(())
    }

    /// Writes down what was changed through `&mut`.
    #[inline]
    fn note_changes(&mut self) {
        if self.is_touched && self.is_recording {
            self.is_touched = false;
            self.tape.changed(&self.character);
        }
    }
}

impl Deref for Recorder {
    type Target = Character;

    fn deref(&self) -> &Character {
        &self.character
    }
}

/// Whatever is done with it is recorded with the next frame.
impl DerefMut for Recorder {
    fn deref_mut(&mut self) -> &mut Character {
        self.is_touched = true;
        &mut self.character
    }
}
