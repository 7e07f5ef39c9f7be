//! Writes poses to Bevy's components: joint `Transform`s and `MorphWeights`.

use bevy::ecs::change_detection::{ContiguousMut, Tick};
use bevy::mesh::morph::MorphWeights;
use bevy::prelude::*;

use crate::character::{AnimatedJoint, AnimatedMorphs, Animator};
use crate::pieces::for_each_piece;

/// Joints in one piece of work for a thread.
const PIECE: usize = 2048;

/// How many joints of a kind a character has, before one was seen.
const LIKELY: usize = 16;

/// Joints that lie side by side in the world, and where they are to be.
struct Joints<'a> {
    joints: &'a [AnimatedJoint],
    transforms: &'a mut [Transform],
    /// When each was changed last, and what counts as now.
    changed: &'a mut [Tick],
    now: Tick,
}

/// Writes the `Transform`s of joints, on all threads. A joint that has not moved counts as unchanged.
pub(crate) fn write_joints(animators: Query<&Animator>, mut joints: Query<(&AnimatedJoint, &mut Transform)>) {
    let Ok(tables) = joints.contiguous_iter_mut() else { return };
    let mut tables: Vec<_> =
        tables.map(|(joints, transforms)| (joints, ContiguousMut::bypass_change_detection_split(transforms))).collect();
    let pieces = tables.iter_mut().flat_map(|(joints, (transforms, ticks))| {
        let now = ticks.this_run();
        joints
            .chunks(PIECE)
            .zip(transforms.chunks_mut(PIECE))
            .zip(ticks.changed_mut().chunks_mut(PIECE))
            .map(move |((joints, transforms), changed)| Joints { joints, transforms, changed, now })
    });
    for_each_piece(pieces, |piece| piece.write(&animators));
}

impl Joints<'_> {
    fn write(self, animators: &Query<&Animator>) {
        let poses_of = |entity: Entity| {
            let animator = animators.get(entity).ok().filter(|animator| animator.is_changed)?;
            Some(animator.character.frame().locals())
        };
        // Joints of one character lie side by side: most need no look-up. Whose turn is next is guessed by how many the last one had, so that its poses are there by
        // then.
        let (mut known, mut poses) = (Entity::PLACEHOLDER, None);
        let (mut next, mut next_poses) = (Entity::PLACEHOLDER, None);
        let mut first = 0;
        for (index, ((joint, transform), changed)) in
            self.joints.iter().zip(self.transforms).zip(self.changed).enumerate()
        {
            if known != joint.animator {
                let last = std::mem::replace(&mut known, joint.animator);
                poses = if known == next { next_poses } else { poses_of(known) };
                let count = if last == Entity::PLACEHOLDER { LIKELY } else { index - first };
                first = index;
                next = self.joints.get(index + count).map_or(Entity::PLACEHOLDER, |joint| joint.animator);
                next_poses = poses_of(next);
                if let Some(poses) = &next_poses {
                    poses.prefetch();
                }
            }
            let Some((translation, rotation, scale)) = poses.and_then(|poses| poses.get(joint.joint)) else { continue };
            // Most that move turn.
            if transform.rotation != rotation || transform.translation != translation || transform.scale != scale {
                *transform = Transform { translation, rotation, scale };
                *changed = self.now;
            }
        }
    }
}

/// Writes the weights of morph targets, where they have changed.
pub(crate) fn write_morphs(animators: Query<&Animator>, mut meshes: Query<(&AnimatedMorphs, &mut MorphWeights)>) {
    for (mesh, mut weights) in &mut meshes {
        let Some(animator) = animators.get(mesh.animator).ok().filter(|animator| animator.is_changed) else { continue };
        let count = weights.weights().len();
        let new = animator.character.frame().morph_weights_of(mesh.first_slot, count);
        if new.len() == count && weights.weights() != new {
            weights.weights_mut().copy_from_slice(new);
        }
    }
}
