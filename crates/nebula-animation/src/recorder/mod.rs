//! What a character did in the last seconds: recorded as state and inputs, gone back to, stepped through, branched off from, saved.
//!
//! Poses are functions of state and time, so none are kept. A [`Recorder`] writes down what a character is told: how much time passes, where
//! it stands, what the ground and its targets answered, and what the game changed. Every few seconds it writes the whole
//! [state](crate::CharacterState) as well. Any frame of a [`Tape`](crate::recorder::Tape) can be restored, with the same bits; a [`Recording`](crate::recorder::Recording) is a file of
//! tapes, for a bug report that reproduces.

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

use answers::Asking;
pub use error::{RecordingError, RecordingProblem};
pub use file::Recording;
pub use input::{Input, InputError};
pub use playback::Playback;
pub use tape::Tape;

/// A character whose last seconds are recorded.
///
/// It derefs to the [`Character`], so that it takes its place: whatever is changed through it is in the recording. Frames in which nothing
/// but time and surroundings changed take about 150 bytes. A change through `&mut` writes the whole state once more, which takes
/// microseconds: what changes every frame is better [given](Recorder::give) as an [`Input`], of a few bytes.
///
/// Settings of layers are part of a state, so that frames from before a change come back as they were. What the character is made of is not: where a
/// layer, a machine or an attachment is added or taken away, frames on the other side are refused by name, and can be restored into a
/// character that is made as it was then.
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

    /// Goes on from the last frame of a tape, as of a [`Recording`] that somebody sent: all of its frames can be gone back to. The character
    /// has to be made as the one that was recorded, from the same files.
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
    /// Where the character is another one.
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

    /// The same with a whole state at least every so many frames, at least 1; default 600. Fewer make going back faster, and the tape
    /// longer.
    #[must_use]
    pub fn with_states_every(mut self, frames: u32) -> Self {
        self.tape.set_states_every(frames);
        self
    }

    /// Stops recording, or begins anew: what was recorded before stays on the tape until it does. While it is off, a frame costs
    /// what it does without a recorder.
    pub fn set_recording(&mut self, is_recording: bool) {
        if is_recording && !self.is_recording {
            self.tape.clear();
            self.is_touched = true;
        }
        self.is_recording = is_recording;
    }

    /// Whether it records.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        self.is_recording
    }

    /// What is recorded.
    #[must_use]
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// A copy of the character as it is now: to look at frames of the past without leaving the present.
    #[must_use]
    pub fn clone_character(&self) -> Character {
        self.character.clone()
    }

    /// The character alone.
    #[must_use]
    pub fn into_character(self) -> Character {
        self.character
    }

    /// Changes something, and records that in a few bytes.
    ///
    /// # Errors
    /// Where it cannot be done; nothing has changed, and nothing is recorded.
    pub fn give(&mut self, input: Input) -> Result<(), InputError> {
        self.note_changes();
        input.apply(&mut self.character)?;
        if self.is_recording {
            self.tape.input(&input);
        }
        Ok(())
    }

    /// As [`Character::update`].
    pub fn update(&mut self, dt: impl Into<f64>, surroundings: &Surroundings<'_>) {
        self.advance(dt);
        self.finish(surroundings);
    }

    /// Lets `dt` seconds pass for many characters, each recorded on a tape of its own, in which frames have the same numbers if they began
    /// together. `surroundings` is asked as in [`Character::update_all`], and the bits are the same.
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
        let (mut askings, mut begun): ([Option<Asking<'_>>; LANES], _) = (Default::default(), [None; LANES]);
        let mut notes = askings.iter_mut().zip(&mut begun).zip(around);
        let mut characters = eight.each_mut().map(|Self { character, tape, is_recording, .. }| {
            if let Some(((asking, begun), around)) = notes.next().filter(|_| *is_recording) {
                *begun = Some(tape.begin_finish(around));
                *asking = Some(tape.ask(around));
            }
            character
        });
        let asked = std::array::from_fn(|index| {
            let around = &around[index];
            askings[index].as_ref().map_or(*around, |asking| asking.around(around))
        });
        abreast::finish(&mut characters, &asked);
        for (recorder, begun) in eight.iter_mut().zip(begun) {
            if let Some(begun) = begun {
                recorder.tape.end_finish(begun);
            }
        }
    }

    /// As [`Character::advance`].
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

    /// As [`Character::finish`].
    pub fn finish(&mut self, surroundings: &Surroundings<'_>) {
        if !self.is_recording {
            return self.character.finish(surroundings);
        }
        self.note_changes();
        self.tape.finish(surroundings, |surroundings| self.character.finish(surroundings));
    }

    /// Goes back to a frame of the tape, and records on from there. What came after it is gone.
    ///
    /// # Errors
    /// Where the tape has no such frame; or the character has got other layers, machines or attachments since then. It then is as it
    /// was.
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
