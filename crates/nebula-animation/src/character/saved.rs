//! The state of a character.

use super::Character;
use crate::mixer::number_spaces;
use crate::state::{CharacterState, StateError, StateWriter};

impl Character {
    /// All that decides the frames to come, as a small value: clocks, fades, machines, layers, feet, attachments.
    ///
    /// [Restored](Character::restore) in a character that was made in the same way, here or in another process, it gives the same
    /// bits from the next frame on: for rollback, saved games, replays, and to hand a character over to another machine. What was
    /// changed since the last update is in it too, so that it may be taken at any time, also between
    /// [`advance`](Character::advance) and [`finish`](Character::finish). What the last update told (events, and changes of state
    /// machines) is over and not in it.
    ///
    /// It is small, because what can be worked out is left out. The shipped humanoid of 25 joints with a blend space and two masked
    /// layers takes 464 bytes, 728 while it fades in two of them, and 1,156 while inertialised fades die away, which is when poses
    /// cannot be worked out; aim and feet add about 740. [`to_bytes`](CharacterState::to_bytes) makes bytes of it, which tell when they
    /// were damaged; with the feature `serde` it goes into documents of your own.
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

    /// Goes on where [`state`](Character::state) was called: from the next frame on with the same bits, as long as it is told the same.
    ///
    /// The character has to be made in the same way as that other one, from the same files: the same rig, clips, layers, blend spaces,
    /// machines and attachments, in the same order. A blend space of a machine need not have been used yet. What changes from frame
    /// to frame may be anything. The next update counts as a change of the pose ([`Frame::is_changed`](crate::Frame::is_changed)), whatever
    /// it comes to; until then the frame shows what it did before.
    ///
    /// # Errors
    /// Where the state is of another rig or another set-up, or where its bytes were tampered with, with the place; the character
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

    /// The same between the two halves of an update: what its first half has told of events and changes is not over.
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
