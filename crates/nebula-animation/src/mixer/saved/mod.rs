//! The saved state of a mixer: everything that determines its next frame, and nothing that can be recomputed.

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
        writer.count(self.clips.len());
        writer.write(&self.clips.fingerprint());
        writer.count(self.spaces.len());
        self.spaces.iter().for_each(|slot| slot.write_state(writer));
        writer.flags([self.has_pose]);
        writer.write(&(self.time_scale, self.differences_left));
        writer.write(&self.elapsed);
        writer.count(self.layers.len());
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
        reader.expect_count(self.clips.len(), "clips")?;
        let mut fingerprint = 0_u64;
        reader.read(&mut fingerprint)?;
        if fingerprint != self.clips.fingerprint() {
            return Err(StateError::new(StateProblem::Another("library")).within("clips"));
        }
        reader.expect_count(self.spaces.len(), "blend spaces")?;
        for (index, slot) in self.spaces.iter_mut().enumerate() {
            slot.read_state(reader).map_err(|error| error.within(&format!("blend space {index}")))?;
        }
        [self.has_pose] = reader.flags()?;
        reader.read_any(&mut self.time_scale).map_err(|error| error.within("time_scale"))?;
        reader.read_any(&mut self.differences_left).map_err(|error| error.within("differences"))?;
        reader.read(&mut self.elapsed).map_err(|error| error.within("elapsed"))?;
        reader.expect_count(self.layers.len(), "layers above the base layer")?;
        let (library, spaces) = (self.clips.clone(), self.spaces.clone());
        let context = MotionContext { library: &library, spaces: &spaces };
        let moment = Moment { isa: Isa::best(), context, ahead: 0.0, view: View::Old };
        let time_scale = self.time_scale;
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.fit(self.pose.len());
            for (index, layer) in self.layers_mut().enumerate() {
                let read = layer.read(reader, &moment, scratch);
                let read = read.and_then(|()| layer.actions_mut().try_for_each(|action| action.check_pace(time_scale)));
                read.map_err(|error| error.within(&format!("layer {index} (\"{}\")", layer.name.escape_debug())))?;
            }
            read_differences(reader, &mut self.differences, &library).map_err(|error| error.within("differences"))?;
            if library.has_roots() {
                reader.read(&mut self.root.motion).map_err(|error| error.within("root motion"))?;
            }
            self.passed.clear();
            self.held = None;
            self.pose.copy_from_slice(&library.rig().rest);
            if self.has_pose {
                self.pose = self.work_out_pose(scratch);
                read_pose(reader, &mut self.pose, &library).map_err(|error| error.within("pose"))?;
            }
            Ok(())
        })
    }
}
