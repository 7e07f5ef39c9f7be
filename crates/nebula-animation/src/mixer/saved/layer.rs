//! The saved state of a layer.

use super::poses::{read_pose, read_turns, write_pose, write_turns};
use crate::math::{Fingerprint, clean_weight};
use crate::mixer::action::AnimationAction;
use crate::mixer::blend::BlendMode;
use crate::mixer::evaluate::{Moment, Scratch};
use crate::mixer::fade::{FadeIn, LONGEST};
use crate::mixer::layer::{Level, MixerLayer, OLDER};
use crate::mixer::memory::TRACKS;
use crate::mixer::motion::MotionContext;
use crate::rig::Rig;
use crate::rig::block::{Blocks, PoseBlock};
use crate::skeleton::JointMask;
use crate::state::{StateError, StateProblem, StateReader, StateWriter, stateful};

impl MixerLayer {
    // What is kept beside actions and poses.
    stateful!(
        flags { is_shown, is_unshown_fade, is_cut, has_just_finished }
        given { weight, fade_progress, fade_duration, curve }
        kept { track, fading, next_id }
    );

    pub(super) fn write(&self, writer: &mut StateWriter, moment: &Moment, scratch: &mut Scratch) {
        let rig = moment.context.library.rig();
        writer.word(name_word(&self.name));
        writer.flags([self.mode == BlendMode::Additive, self.mask.is_some(), self.memory.has_snapshot]);
        if let Some(mask) = &self.mask {
            writer.runs(
                (0..rig.joint_count()).map(|joint| mask.weight(joint)).chain([mask.morph_weight()]).map(f32::to_bits),
            );
        }
        self.write_state(writer);
        for action in [&self.fading_action, &self.current_action] {
            write_action(action.as_ref(), writer);
        }
        writer.count(self.older.len());
        for level in &self.older {
            write_action(level.action.as_ref(), writer);
            writer.write(&level.fade);
        }
        if self.memory.has_snapshot {
            writer.write(&self.memory.snapshot_alpha);
            write_pose(writer, self.memory.snapshot.get(), &rig.rest);
        }
        for (track, action) in self.tracks() {
            let known = moment.known_turns(action, scratch);
            write_turns(writer, self.memory.turns(track), known);
        }
    }

    pub(super) fn read(
        &mut self,
        reader: &mut StateReader<'_>,
        moment: &Moment,
        scratch: &mut Scratch,
    ) -> Result<(), StateError> {
        let (context, rig) = (&moment.context, moment.context.library.rig());
        if reader.word()? != name_word(&self.name) {
            return Err(StateProblem::Another("layer").into());
        }
        let [is_additive, has_mask, has_snapshot] = reader.flags()?;
        self.mode = if is_additive { BlendMode::Additive } else { BlendMode::Override };
        self.read_mask(reader, rig, has_mask).map_err(|error| error.within("mask"))?;
        self.read_state(reader)?;
        // What dies away is measured by it.
        if !(0.0..=LONGEST).contains(&self.fade_duration) {
            return Err(StateError::new(StateProblem::TooLarge).within("fade_duration"));
        }
        self.fading_action = read_action(reader, context).map_err(|error| error.within("fading_action"))?;
        self.current_action = read_action(reader, context).map_err(|error| error.within("current_action"))?;
        self.read_older(reader, context).map_err(|error| error.within("older"))?;
        let blocks = rig.rest.len();
        self.memory.has_snapshot = has_snapshot;
        self.memory.give_back(std::iter::empty());
        if has_snapshot {
            let memory = &mut self.memory;
            reader.read(&mut memory.snapshot_alpha).map_err(|error| error.within("snapshot"))?;
            memory.snapshot_alpha = clean_weight(memory.snapshot_alpha);
            let snapshot = memory.snapshot.take(blocks);
            snapshot.copy_from_slice(&rig.rest);
            read_pose(reader, snapshot, context.library).map_err(|error| error.within("snapshot"))?;
        }
        let tracks: Vec<_> = self.tracks().map(|(track, action)| (track, action.cloned())).collect();
        for (track, action) in tracks {
            let known = moment.known_turns(action.as_ref(), scratch);
            read_turns(reader, self.memory.track(track, blocks), known).map_err(|error| error.within("track"))?;
        }
        Ok(())
    }

    /// The tracks that follow actions, or the rest pose, the oldest level first.
    fn tracks(&self) -> impl Iterator<Item = (u8, Option<&AnimationAction>)> {
        let older = self.older.iter().map(|level| (level.fade.track, level.action.as_ref()));
        let fading = (self.fading.and_then(|fade| fade.track), self.fading_action.as_ref());
        let all = older.chain([fading, (self.track, self.current_action.as_ref())]);
        all.filter_map(|(track, action)| Some((track?, action)))
    }

    fn read_mask(&mut self, reader: &mut StateReader<'_>, rig: &Rig, has_mask: bool) -> Result<(), StateError> {
        if !has_mask {
            self.set_mask(None);
            return Ok(());
        }
        let joints = rig.joint_count();
        let mut weights = vec![0.0; joints + 1];
        let mut is_clean = true;
        reader.runs(joints + 1, |index, bits| {
            let weight = f32::from_bits(bits);
            is_clean &= clean_weight(weight) == weight;
            weights[index] = weight;
        })?;
        if !is_clean {
            return Err(StateProblem::NotFinite.into());
        }
        let mask = JointMask::from_weights(&weights[..joints]).with_morphs(weights[joints]);
        let is_known = |known: &JointMask| {
            known.morph_weight() == mask.morph_weight()
                && (0..joints).all(|joint| known.weight(joint) == mask.weight(joint))
        };
        if !self.mask.as_ref().is_some_and(is_known) {
            self.set_mask(mask);
        }
        Ok(())
    }

    fn read_older(&mut self, reader: &mut StateReader<'_>, context: &MotionContext) -> Result<(), StateError> {
        let count = reader.word()?;
        // One more may have come since the last update.
        if count as usize > OLDER + 1 {
            return Err(StateProblem::OutOfRange(count.into()).into());
        }
        self.older.clear();
        for _ in 0..count {
            let action = read_action(reader, context)?;
            let mut fade = FadeIn::default();
            reader.read(&mut fade)?;
            self.older.push(Level { action, fade });
        }
        let older = self.older.iter().map(|level| level.fade.track);
        let mut tracks = older.chain([self.fading.and_then(|fade| fade.track), self.track]).flatten();
        match tracks.find(|track| usize::from(*track) >= TRACKS) {
            Some(track) => Err(StateProblem::OutOfRange(track.into()).into()),
            None => Ok(()),
        }
    }
}

impl Moment<'_> {
    /// What an action shows, or the rest pose: what a track followed in the last update, unless something was changed since.
    fn known_turns<'a>(&self, action: Option<&AnimationAction>, scratch: &'a mut Scratch) -> &'a [PoseBlock] {
        let rest = &self.context.library.rig().rest;
        let Scratch { blender, inputs, sample, .. } = scratch;
        let sample = &mut sample[..rest.len()];
        match action {
            Some(action) => self.sample(action, blender, inputs, Blocks::ALL, sample),
            None => sample.copy_from_slice(rest),
        }
        sample
    }
}

fn write_action(action: Option<&AnimationAction>, writer: &mut StateWriter) {
    writer.flags([action.is_some()]);
    if let Some(action) = action {
        action.write(writer);
    }
}

fn read_action(reader: &mut StateReader<'_>, context: &MotionContext) -> Result<Option<AnimationAction>, StateError> {
    let [is_there] = reader.flags()?;
    is_there.then(|| AnimationAction::read(reader, context)).transpose()
}

/// A word that identifies a layer.
fn name_word(name: &str) -> u32 {
    let mut hash = Fingerprint::new();
    hash.text(name);
    hash.short()
}
