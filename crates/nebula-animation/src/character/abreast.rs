//! The second half of the updates of eight characters, computed side by side.

use super::{Character, context};
use crate::frame::{Frame, Surroundings};
use crate::procedural::{Member, ModelPose, apply_abreast, with_eight};
use crate::rig::block::LANES;

/// As [`Character::finish`] of each.
pub(crate) fn finish(characters: &mut [&mut Character; LANES], surroundings: &[Surroundings<'_>; LANES]) {
    if characters.iter().any(|character| character.trace.is_some()) {
        // Somebody watches what the layers do.
        for (character, around) in characters.iter_mut().zip(surroundings) {
            character.finish(around);
        }
        return;
    }
    if characters.iter().all(|character| character.layers.layers.is_empty()) {
        characters.iter_mut().for_each(|character| character.follow());
    } else {
        characters.iter_mut().for_each(|character| character.followed = None);
        bend(characters, surroundings);
    }
    Frame::finish_eight(
        characters.each_mut().map(|character| (&mut character.frame, character.attachments.as_slice())),
    );
}

/// Applies the layers.
fn bend(characters: &mut [&mut Character; LANES], surroundings: &[Surroundings<'_>; LANES]) {
    let most_blocks = characters.iter().map(|character| character.mixer.lanes().len()).max().unwrap_or_default();
    with_eight(most_blocks, |poses| {
        let (mut left, mut around) = (poses.iter_mut(), surroundings.iter());
        let mut parts = characters.each_mut().map(|character| {
            let Character { mixer, layers, frame, elapsed, passed, ahead, .. } = &mut **character;
            let lanes = mixer.lanes();
            // There is one of each for each.
            let local = left.next().map(|pose| &mut pose[..lanes.len()]).unwrap_or_default();
            local.copy_from_slice(lanes);
            let around = around.next().unwrap_or(&surroundings[0]);
            let context = context(mixer.rig(), std::mem::take(passed), elapsed.value + *ahead, around);
            layers.update(&context);
            (layers, context, ModelPose::in_lanes(mixer.clips(), local, around, &frame.shown))
        });
        apply_abreast(&mut parts.each_mut().map(|(stack, context, pose)| Member { stack, context, pose }));
        drop(parts);
        for (character, pose) in characters.iter_mut().zip(poses) {
            character.frame.take_local(pose);
        }
    });
}
