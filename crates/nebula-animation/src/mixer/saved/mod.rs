//! What is remembered of a mixer: all that decides its next frame, and nothing that can be worked out of it.

mod layer;
mod poses;

use super::AnimationMixer;
use super::evaluate::{Moment, View};
use super::motion::MotionContext;
use super::update::SCRATCH;
use crate::compile::{Isa, RootDelta};
use crate::state::{StateError, StateProblem, StateReader, StateWriter, Stateful, stateful};
use poses::{read_differences, read_pose, write_differences, write_pose};

stateful!(RootDelta { translation, yaw });

/// The part of a character's state that its mixer makes; for a mixer with the same clips, layers and blend spaces.
///
/// ```
/// use nebula_animation::{AnimationClipLibrary, AnimationMixer, state::{StateReader, StateWriter}};
///
/// let mut mixer = AnimationMixer::new(AnimationClipLibrary::default());
/// mixer.update(0.5);
/// let mut writer = StateWriter::default();
/// writer.write(&mixer);
///
/// let mut elsewhere = AnimationMixer::new(AnimationClipLibrary::default());
/// StateReader::new(writer.words()).read(&mut elsewhere)?;
/// assert_eq!(elsewhere.elapsed(), 0.5);
/// # Ok::<(), nebula_animation::state::StateError>(())
/// ```
impl Stateful for AnimationMixer {
    fn write_state(&self, writer: &mut StateWriter) {
        writer.write(&self.clips.len());
        writer.write(&self.clips.fingerprint());
        writer.write(&self.spaces.len());
        self.spaces.iter().for_each(|slot| slot.write_state(writer));
        writer.flags([self.has_pose]);
        writer.write(&(self.time_scale, self.differences_left));
        writer.write(&self.elapsed);
        writer.write(&self.layers.len());
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.fit(self.pose.len());
            let context = MotionContext { library: &self.clips, spaces: &self.spaces };
            let moment = Moment { isa: Isa::best(), context, ahead: 0.0, view: View::Old };
            self.layers().for_each(|layer| layer.write(writer, &moment, scratch));
            write_differences(writer, self.differences.get());
            if self.clips.has_roots() {
                writer.write(&self.root.motion);
            }
            if self.has_pose {
                write_pose(writer, &self.pose, &self.work_out_pose(scratch));
            }
        });
    }

    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        expect_count(reader, self.clips.len(), "clips")?;
        let mut fingerprint = 0_u64;
        reader.read(&mut fingerprint)?;
        if fingerprint != self.clips.fingerprint() {
            return Err(StateError::new(StateProblem::Another("library")).within("clips"));
        }
        expect_count(reader, self.spaces.len(), "blend spaces")?;
        for (index, slot) in self.spaces.iter_mut().enumerate() {
            slot.read_state(reader).map_err(|error| error.within(&format!("blend space {index}")))?;
        }
        [self.has_pose] = reader.flags()?;
        reader.read_any(&mut self.time_scale).map_err(|error| error.within("time_scale"))?;
        reader.read_any(&mut self.differences_left).map_err(|error| error.within("differences"))?;
        reader.read(&mut self.elapsed).map_err(|error| error.within("elapsed"))?;
        expect_count(reader, self.layers.len(), "layers above the base layer")?;
        let (library, spaces) = (self.clips.clone(), self.spaces.clone());
        let context = MotionContext { library: &library, spaces: &spaces };
        let moment = Moment { isa: Isa::best(), context, ahead: 0.0, view: View::Old };
        SCRATCH.with_borrow_mut(|scratch| {
            let blocks = self.pose.len();
            scratch.fit(blocks);
            for (index, layer) in self.layers_mut().enumerate() {
                layer
                    .read(reader, &moment, scratch)
                    .map_err(|error| error.within(&format!("layer {index} (\"{}\")", layer.name.escape_debug())))?;
            }
            read_differences(reader, &mut self.differences, blocks).map_err(|error| error.within("differences"))?;
            if library.has_roots() {
                reader.read(&mut self.root.motion).map_err(|error| error.within("root motion"))?;
            }
            self.passed.clear();
            self.pose.copy_from_slice(&library.rig().rest);
            if self.has_pose {
                self.pose = self.work_out_pose(scratch);
                read_pose(reader, &mut self.pose).map_err(|error| error.within("pose"))?;
            }
            Ok(())
        })
    }
}

/// Reads how many there are of something, which have to be as many as here.
pub(crate) fn expect_count(reader: &mut StateReader<'_>, expected: usize, what: &str) -> Result<(), StateError> {
    let mut found = 0_u64;
    reader.read(&mut found).map_err(|error| error.within(what))?;
    let expected = expected as u64;
    if found == expected {
        return Ok(());
    }
    Err(StateError::new(StateProblem::Count { found, expected }).within(what))
}
