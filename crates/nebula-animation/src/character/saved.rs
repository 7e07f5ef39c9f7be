//! Saving and restoring a character.

use super::Character;
use crate::mixer::number_spaces;
use crate::state::{CharacterState, StateError, StateWriter};

impl Character {
    /// Everything that determines future frames, as a small value: clocks, fades, state machines, layers, feet,
    /// attachments.
    ///
    /// [Restore](Character::restore) it into a character that was built in the same way, here or in another process,
    /// and the following frames have the same bits. Use it for rollback, saved games, replays, or to move a character
    /// to another machine. You can call it at any time, even between [`advance`](Character::advance) and
    /// [`finish`](Character::finish); changes made since the last update are included. Results of the last update
    /// (events, state changes) are not.
    ///
    /// It is small because everything that can be recomputed is left out. The included humanoid of 25 joints with a
    /// blend space and two masked layers takes 464 bytes, 728 while two of its layers fade, and 1,156 during
    /// inertialised fades, whose poses cannot be recomputed. Look-at and feet add about 740. Use
    /// [`to_bytes`](CharacterState::to_bytes) for bytes with a checksum, or the feature `serde` for your own documents.
    ///
    /// ```
    /// use nebula_animation::{Character, CharacterState, Surroundings, load_skeleton_and_clips};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (skeleton, clips) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref())?;
    /// let make = || Character::new(skeleton.clone(), &clips);
    /// let mut hero = make();
    /// hero.mixer.play("walk", 0.5)?;
    /// hero.update(0.25, &Surroundings::default()); // Half way from one clip to the other.
    /// let saved: Vec<u8> = hero.state().to_bytes();
    /// assert!(saved.len() < 500);
    ///
    /// // The next frames turn out to be wrong, as a packet from another player tells: back to where it was.
    /// hero.mixer.play("run", 0.1)?;
    /// hero.update(0.1, &Surroundings::default());
    /// hero.restore(&CharacterState::from_bytes(&saved)?)?;
    /// hero.update(0.1, &Surroundings::default());
    ///
    /// // Another program loads the game.
    /// let mut elsewhere = make();
    /// elsewhere.restore(&CharacterState::from_bytes(&saved)?)?;
    /// elsewhere.update(0.1, &Surroundings::default());
    /// assert_eq!(elsewhere.palette(), hero.palette());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn state(&self) -> CharacterState {
        CharacterState::record(self.rig().fingerprint, |writer| self.write(writer))
    }

    /// Continues from where [`state`](Character::state) was called. Given the same inputs, the following frames have
    /// the same bits.
    ///
    /// The character must have been built in the same way, from the same files: the same rig, clips, layers, blend
    /// spaces, state machines and attachments, in the same order. (A blend space of a state machine need not have been
    /// used yet.) Whatever changes from frame to frame may differ. The next update counts as a change of the pose
    /// ([`Frame::is_changed`](crate::Frame::is_changed)); until then, the frame keeps its old contents.
    ///
    /// # Errors
    /// Where the state belongs to another rig or another set-up, or where its bytes were tampered with, with the place; the character
    /// then is as it was.
    pub fn restore(&mut self, state: &CharacterState) -> Result<(), StateError> {
        let rig = self.rig().fingerprint;
        let (mut mixer, mut machines) = (self.mixer.clone(), self.machines.clone());
        let (mut layers, mut attachments) = (self.layers.clone(), self.attachments.clone());
        let (mut elapsed, mut passed) = (self.elapsed, self.passed);
        state.restore(rig, |reader| {
            reader.expect_count(machines.len(), "machines")?;
            let mut first_spaces = Vec::with_capacity(machines.len());
            for (index, machine) in machines.iter_mut().enumerate() {
                let first = machine.read(reader).map_err(|error| error.within(&format!("machine {index}")))?;
                first_spaces.push(first);
            }
            number_spaces(&mut machines, &first_spaces, &mut mixer).map_err(|error| error.within("machines"))?;
            reader.read(&mut mixer).map_err(|error| error.within("mixer"))?;
            reader.expect_count(attachments.len(), "attachments")?;
            for (index, attachment) in attachments.iter_mut().enumerate() {
                let read = attachment.read(reader, mixer.rig());
                read.map_err(|error| error.within(&format!("attachment {index}")))?;
            }
            reader.read(&mut layers)?;
            reader.read(&mut elapsed).map_err(|error| error.within("elapsed"))?;
            reader.read(&mut passed).map_err(|error| error.within("passed"))
        })?;
        (self.mixer, self.machines, self.layers, self.attachments) = (mixer, machines, layers, attachments);
        (self.elapsed, self.passed) = (elapsed, passed);
        self.followed = None;
        self.mixer.fill(&mut self.frame);
        self.frame.mark_changed();
        Ok(())
    }

    /// The same, between the two halves of an update: events and changes reported by the first half are still valid.
    pub(crate) fn restore_between(&mut self, state: &CharacterState) -> Result<(), StateError> {
        let (mixer, machines) = (self.mixer.told(), self.machines.clone());
        self.restore(state)?;
        self.mixer.tell_again(mixer);
        self.machines.iter_mut().zip(&machines).for_each(|(machine, before)| machine.tell_again(before));
        Ok(())
    }

    /// Writes the words of a state.
    pub(crate) fn write(&self, writer: &mut StateWriter) {
        writer.count(self.machines.len());
        self.machines.iter().for_each(|machine| machine.write(writer));
        writer.write(&self.mixer);
        writer.count(self.attachments.len());
        self.attachments.iter().for_each(|attachment| attachment.write(writer));
        writer.write(&self.layers);
        writer.write(&self.elapsed);
        writer.write(&self.passed);
    }
}
