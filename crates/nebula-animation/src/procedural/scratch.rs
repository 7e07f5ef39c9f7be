use std::cell::Cell;
use std::ops::Range;

use glam::{Affine3A, Quat, Vec3};

use super::RestPose;
use crate::math::lanes::{Lanes, Scalar};
use crate::math::slerp::Warp;
use crate::skeleton::JointPose;

/// The memory of a [`ModelPose`](super::ModelPose): transforms that are known, and what the current layer has changed.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    model_from_joint: Vec<Affine3A>,
    /// A bit for each joint, in the order in which subtrees are side by side: whether its transform is known.
    known: Vec<u64>,
    /// A bit for each joint: whether it is in the journal.
    changed: Vec<u64>,
    /// What joints were before the current layer changed them.
    journal: Vec<(u16, JointPose)>,
    /// Joints from one to be found up to one that is known.
    chain: Vec<u16>,
}

thread_local! {
    /// Waits here for the next pose of the thread.
    static SPARE: Cell<Option<Scratch>> = const { Cell::new(None) };
}

impl Scratch {
    /// Memory for a pose of a rig of so many joints, of which nothing is known.
    pub fn take(joint_count: usize) -> Self {
        let mut scratch = SPARE.try_with(Cell::take).ok().flatten().unwrap_or_default();
        if scratch.model_from_joint.len() < joint_count {
            scratch.model_from_joint.resize(joint_count, Affine3A::IDENTITY);
        }
        let words = joint_count.div_ceil(64);
        for bits in [&mut scratch.known, &mut scratch.changed] {
            bits.clear();
            bits.resize(words, 0);
        }
        scratch.journal.clear();
        scratch
    }

    /// Keeps the memory for the next pose.
    pub fn give_back(self) {
        // A thread that is ending has no next pose.
        let _ = SPARE.try_with(|spare| spare.set(Some(self)));
    }

    /// The transform of a joint that exists.
    #[inline]
    pub fn model_from_joint(&mut self, rest: &RestPose, local: &[JointPose], joint: u16) -> Affine3A {
        if !contains(&self.known, rest.place(joint)) {
            self.find(rest, local, joint);
        }
        self.model_from_joint[usize::from(joint)]
    }

    /// Works out the transform of a joint, and of those above it that are not known.
    fn find(&mut self, rest: &RestPose, local: &[JointPose], joint: u16) {
        let mut above = Some(joint);
        self.chain.clear();
        while let Some(joint) = above.filter(|&joint| !contains(&self.known, rest.place(joint))) {
            self.chain.push(joint);
            above = rest.parent(joint);
        }
        while let Some(joint) = self.chain.pop() {
            let (translation, rotation, scale) = local[usize::from(joint)];
            let parent_from_joint = Affine3A::from_scale_rotation_translation(scale, rotation, translation);
            self.model_from_joint[usize::from(joint)] = match rest.parent(joint) {
                Some(parent) => self.model_from_joint[usize::from(parent)] * parent_from_joint,
                None => parent_from_joint,
            };
            let place = rest.place(joint);
            self.known[place / 64] |= 1 << (place % 64);
        }
    }

    /// Says that the transforms of a subtree are not known any more.
    #[inline]
    pub fn forget(&mut self, subtree: Range<usize>) {
        let Range { start, end } = subtree;
        if start >= end {
            return;
        }
        let (first, last) = (start / 64, (end - 1) / 64);
        // The bits of the first and last word that stay.
        let (below, above) = (!(u64::MAX << (start % 64)), !(u64::MAX >> (63 - (end - 1) % 64)));
        if first == last {
            keep(&mut self.known, first, below | above);
            return;
        }
        keep(&mut self.known, first, below);
        for word in self.known.iter_mut().take(last).skip(first + 1) {
            *word = 0;
        }
        keep(&mut self.known, last, above);
    }

    /// Keeps what a joint was, before it changes for the first time in this layer.
    #[inline]
    pub fn remember(&mut self, joint: u16, pose: &JointPose) {
        let (word, bit) = (usize::from(joint) / 64, usize::from(joint) % 64);
        if self.changed[word] & (1 << bit) == 0 {
            self.changed[word] |= 1 << bit;
            self.journal.push((joint, *pose));
        }
    }

    pub fn clear_journal(&mut self) {
        for (joint, _) in self.journal.drain(..) {
            self.changed[usize::from(joint) / 64] = 0;
        }
    }

    /// Whether all poses in the journal are finite now.
    #[inline]
    pub fn is_finite(&self, local: &[JointPose]) -> bool {
        self.journal.iter().all(|&(joint, _)| is_finite(&local[usize::from(joint)]))
    }

    /// Lets everything in the journal be what it was.
    pub fn take_back(&mut self, rest: &RestPose, local: &mut [JointPose]) {
        for index in 0..self.journal.len() {
            let (joint, before) = self.journal[index];
            local[usize::from(joint)] = before;
            self.forget(rest.subtree(joint));
        }
    }

    /// Blends everything in the journal with what it was, by a weight in `(0, 1)`.
    pub fn blend(&mut self, rest: &RestPose, local: &mut [JointPose], weight: f32) {
        let warp = Warp::<Scalar>::splat(weight);
        for index in 0..self.journal.len() {
            let (joint, before) = self.journal[index];
            let pose = &mut local[usize::from(joint)];
            *pose = blend(&warp, weight, &before, pose);
            self.forget(rest.subtree(joint));
        }
    }
}

/// The pose between two, part by part.
fn blend(warp: &Warp<Scalar>, weight: f32, from: &JointPose, to: &JointPose) -> JointPose {
    (from.0.lerp(to.0, weight), slerp(warp, from.1, to.1), from.2.lerp(to.2, weight))
}

/// The rotation between two, by the shorter way.
#[inline]
pub(super) fn slerp(warp: &Warp<Scalar>, from: Quat, to: Quat) -> Quat {
    let parts = warp.slerp_shorter(from.to_array().map(Scalar::splat), to.to_array().map(Scalar::splat));
    Quat::from_array(parts.map(Scalar::get))
}

/// Whether all numbers are, and none is so large that a matrix of it would not be.
pub(super) fn is_finite((translation, rotation, scale): &JointPose) -> bool {
    let is_within = |vector: &Vec3| vector.abs().max_element() <= 1e18 && !vector.is_nan();
    is_within(translation) && is_within(scale) && rotation.is_finite()
}

#[inline]
fn contains(bits: &[u64], place: usize) -> bool {
    bits.get(place / 64).is_some_and(|word| word & (1 << (place % 64)) != 0)
}

#[inline]
fn keep(bits: &mut [u64], word: usize, mask: u64) {
    if let Some(word) = bits.get_mut(word) {
        *word &= mask;
    }
}
