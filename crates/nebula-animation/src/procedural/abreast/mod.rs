//! Layers of several characters side by side: up to eight of one rig whose layers are alike, each in a lane of its own.
//!
//! A character alone is one in its company: which layers are applied here, and what comes of them, depends on nobody else, so the bits are
//! the same. What is out of the ordinary (scales that differ by axis, joints at their limits, limbs that fold) is left to the layer itself.

mod gaze;
mod limb;
mod look;
mod math;
mod plane;
mod table;

use std::any::{Any, TypeId};
use std::cell::Cell;

use super::ik::TwoBoneIk;
use super::stack::apply_layer;
use super::warnings::{Trouble, warn};
use super::{AimLayer, ModelPose, ProceduralAnimationStack, ProceduralContext, ProceduralLayer};
use crate::math::lanes::Lanes;
use crate::rig::Link;
use crate::rig::block::LANES;
use gaze::Gaze;
use limb::Limbs;
use table::Table;

/// One of the characters.
pub(crate) struct Member<'m, 'p> {
    pub stack: &'m mut ProceduralAnimationStack,
    pub context: &'m ProceduralContext,
    pub pose: &'m mut ModelPose<'p>,
}

/// What became of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// It has been applied, or there was nothing to be done.
    Done,
    /// It gave up, and has left the pose as it was.
    Rejected,
    /// It has to be applied by itself.
    Odd,
    /// It is about to be applied.
    Turns,
}

/// Layers that can be applied side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Gaze,
    Limb,
}

/// Memory for one call.
#[derive(Debug, Default)]
struct Scratch {
    table: Table,
    gaze: Gaze,
    limbs: Limbs,
}

thread_local! {
    static SPARE: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// Applies the layers of at most eight characters, whose time has passed.
pub(crate) fn apply_abreast(members: &mut [Member<'_, '_>]) {
    for member in members.iter_mut() {
        member.pose.assume_front(member.context.entity_forward);
    }
    let Some((first, others)) = members.split_first() else { return };
    let shape = first.shape();
    if others.iter().all(|other| other.is_like(first, &shape)) {
        apply(members, shape, |_, _, _| {});
    } else {
        for member in members.chunks_mut(1) {
            let shape = member[0].shape();
            apply(member, shape, |_, _, _| {});
        }
    }
}

/// As [`apply_abreast`] of one character, with the same bits. `watch` is told after each layer, by its index, whether it was applied.
pub(crate) fn apply_watched(member: Member<'_, '_>, watch: impl FnMut(usize, &mut Member<'_, '_>, bool)) {
    member.pose.assume_front(member.context.entity_forward);
    let shape = member.shape();
    apply(&mut [member], shape, watch);
}

/// How the first layers can be applied side by side with those of others, if they can; and how many of them there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Shape {
    kinds: [Option<Kind>; MOST_LAYERS],
    count: usize,
}

/// Layers after these are applied one character after the other.
const MOST_LAYERS: usize = 8;

/// Applies layers side by side where they can be, and all others by themselves.
fn apply(members: &mut [Member<'_, '_>], shape: Shape, mut watch: impl FnMut(usize, &mut Member<'_, '_>, bool)) {
    if shape.count > 0 {
        let mut scratch = SPARE.try_with(Cell::take).ok().flatten().unwrap_or_default();
        let Scratch { table, gaze, limbs } = &mut *scratch;
        table.begin(members[0].pose.rig().joint_count(), members.len());
        for (index, kind) in shape.kinds[..shape.count].iter().enumerate() {
            let outcomes = match kind {
                Some(Kind::Gaze) => gaze::apply(members, index, table, gaze),
                Some(Kind::Limb) => limb::apply(members, index, table, limbs),
                None => [Outcome::Odd; LANES],
            };
            for (member, outcome) in members.iter_mut().zip(outcomes) {
                let Member { stack, context, pose } = member;
                let is_applied = match outcome {
                    Outcome::Done | Outcome::Turns => true,
                    Outcome::Rejected => {
                        warn(&*stack.layers[index], index, Trouble::Pose);
                        false
                    }
                    Outcome::Odd => {
                        table.is_stale = true;
                        apply_layer(&mut *stack.layers[index], index, context, pose)
                    }
                };
                watch(index, member, is_applied);
            }
            table.refresh();
        }
        // A thread that is ending has no next frame.
        let _ = SPARE.try_with(|spare| spare.set(Some(scratch)));
    }
    for member in members {
        for index in shape.count..member.stack.layers.len() {
            let Member { stack, context, pose } = member;
            let is_applied = apply_layer(&mut *stack.layers[index], index, context, pose);
            watch(index, member, is_applied);
        }
    }
}

impl<'p> Member<'_, 'p> {
    /// Which layers can be applied side by side with those of others: up to the last one that can.
    fn shape(&self) -> Shape {
        let mut shape = Shape::default();
        for (index, (layer, slot)) in self.stack.layers.iter().zip(&mut shape.kinds).enumerate() {
            *slot = kind_of(&**layer, self.pose);
            if slot.is_some() {
                shape.count = index + 1;
            }
        }
        shape
    }

    /// Whether layers are as those of another character of this shape: for the same joints of the same rig, where they can be applied side
    /// by side.
    fn is_like(&self, other: &Self, shape: &Shape) -> bool {
        let (layers, others) = (&self.stack.layers, &other.stack.layers);
        let is_one_rig = self.pose.rig().id() == other.pose.rig().id();
        let is_alike = |index: usize| match (layers.get(index), shape.kinds[index]) {
            (None, kind) => kind.is_none(),
            (Some(layer), None) => kind_of(&**layer, self.pose).is_none(),
            (Some(layer), Some(kind)) => {
                let (layer, other) = (&**layer, &*others[index]);
                let is_alike = match kind {
                    // What is usual about one gaze is so about all of the same joints.
                    Kind::Gaze => both::<AimLayer>(layer, other).is_some_and(|(a, b)| a.is_shaped_like(b)),
                    Kind::Limb => both::<TwoBoneIk>(layer, other)
                        .is_some_and(|(a, b)| a.is_shaped_like(b) && a.is_usual(self.pose)),
                };
                is_alike && layer.weight() >= 1.0
            }
        };
        is_one_rig && self.pose.joint_count() == other.pose.joint_count() && (0..MOST_LAYERS).all(is_alike)
    }

    /// A layer, the context and the pose.
    fn layer<T: ProceduralLayer>(&mut self, index: usize) -> Option<(&mut T, &ProceduralContext, &mut ModelPose<'p>)> {
        let layer = (&mut **self.stack.layers.get_mut(index)? as &mut dyn Any).downcast_mut()?;
        Some((layer, self.context, self.pose))
    }
}

/// Two layers, if they are of a type.
fn both<'a, T: Any>(a: &'a dyn ProceduralLayer, b: &'a dyn ProceduralLayer) -> Option<(&'a T, &'a T)> {
    downcast(a).zip(downcast(b))
}

fn downcast<T: Any>(layer: &dyn ProceduralLayer) -> Option<&T> {
    (layer as &dyn Any).downcast_ref()
}

/// How a layer can be applied side by side with others, if it can: by what it is and its pose, and not by those of others.
fn kind_of(layer: &dyn ProceduralLayer, pose: &ModelPose<'_>) -> Option<Kind> {
    let any = layer as &dyn Any;
    let kind = if any.type_id() == TypeId::of::<AimLayer>() {
        downcast::<AimLayer>(layer).filter(|layer| layer.is_usual(pose)).map(|_| Kind::Gaze)
    } else if any.type_id() == TypeId::of::<TwoBoneIk>() {
        downcast::<TwoBoneIk>(layer).filter(|layer| layer.is_usual(pose)).map(|_| Kind::Limb)
    } else {
        None
    };
    kind.filter(|_| layer.weight() >= 1.0)
}

/// Finds where what is above a joint is.
#[inline(always)]
fn place_above<L: Lanes>(table: &mut Table, links: &[Link], joint: u16) {
    let parent = links[usize::from(joint)].parent;
    if parent != Link::NONE {
        table.place::<L>(links, parent);
    }
}
