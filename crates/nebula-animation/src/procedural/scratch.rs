use std::cell::Cell;
use std::ops::{Deref, DerefMut};

use glam::{Quat, Vec3, Vec3A};

use super::local::Local;
use super::placed::{Even, Placed};
use crate::math::lanes::Scalar;
use crate::math::slerp::Warp;
use crate::palette::joint_toward;
use crate::rig::Link;
use crate::rig::block::LANES;
use crate::skeleton::JointPose;

/// The memory of a [`ModelPose`](super::ModelPose): transforms that are known, and what the current layer has changed.
#[derive(Debug)]
pub(super) struct Scratch {
    /// By place, see [`Link`]. After the last joint comes what is above the roots.
    placed: Vec<Placed>,
    /// A bit for each place: whether it is known what is there.
    known: Vec<u64>,
    /// For each joint, the layer that has put it into the journal last. Layers count on from pose to pose.
    changed: Vec<u32>,
    layer: u32,
    /// Joints that the current layer has changed, and their previous poses: as many as `changes` says. There is room
    /// for all joints, so that nothing is allocated on the way.
    journal: Vec<u16>,
    before: Vec<JointPose>,
    changes: usize,
    /// The sum of the squares of what the current layer has written: not finite where one of these numbers is not.
    written: f32,
    /// Joints from one to be found up to one that is known, with room for all.
    chain: Vec<u16>,
}

/// As many poses as are bent side by side.
const MOST_WAITING: usize = LANES;

#[allow(clippy::vec_box, reason = "what is lent stays where it is, and poses are small")]
type Spare = Vec<Box<Scratch>>;

thread_local! {
    /// Wait here for the next poses of the thread.
    static SPARE: Cell<Spare> = const { Cell::new(Vec::new()) };
}

/// The memory of a pose, from the first time on that it is needed: layers that are applied side by side go without.
#[derive(Debug)]
pub(super) struct Lent {
    scratch: Option<Box<Scratch>>,
    joint_count: usize,
}

impl Lent {
    /// For a pose of a rig with this many joints, of which nothing is known.
    pub fn new(joint_count: usize) -> Self {
        Self { scratch: None, joint_count }
    }

    /// Says that it is not known any more where a joint and those below it are.
    #[inline]
    pub fn forget_if_known(&mut self, link: Link) {
        if let Some(scratch) = &mut self.scratch {
            scratch.forget(link);
        }
    }
}

/// Of which nothing is known.
static NOTHING: Scratch = Scratch::NOTHING;

impl Deref for Lent {
    type Target = Scratch;

    #[inline(always)]
    fn deref(&self) -> &Scratch {
        self.scratch.as_deref().unwrap_or(&NOTHING)
    }
}

impl DerefMut for Lent {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Scratch {
        let Self { scratch, joint_count } = self;
        scratch.get_or_insert_with(|| Scratch::take(*joint_count))
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(scratch) = self.scratch.take() {
            scratch.give_back();
        }
    }
}

impl Scratch {
    const NOTHING: Self = Self {
        placed: Vec::new(),
        known: Vec::new(),
        changed: Vec::new(),
        layer: 0,
        journal: Vec::new(),
        before: Vec::new(),
        changes: 0,
        written: 0.0,
        chain: Vec::new(),
    };

    /// Memory for a pose of a rig with this many joints, of which nothing is known.
    #[inline(never)]
    fn take(joint_count: usize) -> Box<Self> {
        let spare = SPARE.try_with(|spare| {
            let mut waiting = spare.take();
            let scratch = waiting.pop();
            spare.set(waiting);
            scratch
        });
        let mut scratch = spare.ok().flatten().unwrap_or_else(|| Box::new(Self::NOTHING));
        if scratch.placed.len() <= joint_count {
            scratch.placed.resize(joint_count + 1, Placed::IDENTITY);
            scratch.journal.resize(joint_count, 0);
            scratch.chain.resize(joint_count, 0);
            scratch.before.resize(joint_count, IDENTITY);
            scratch.changed.resize(joint_count, 0);
        }
        scratch.placed[joint_count] = Placed::IDENTITY;
        let words = joint_count / 64 + 1;
        scratch.known.clear();
        scratch.known.resize(words, 0);
        scratch.known[joint_count / 64] |= 1 << (joint_count % 64);
        scratch.clear_journal();
        scratch
    }

    /// Keeps the memory for the next pose.
    fn give_back(self: Box<Self>) {
        // A thread that is ending has no next pose.
        let _ = SPARE.try_with(|spare| {
            let mut waiting = spare.take();
            if waiting.len() < MOST_WAITING {
                waiting.push(self);
            }
            spare.set(waiting);
        });
    }

    /// Where the joint of a place is, if that is known.
    #[inline]
    pub fn known(&self, place: u16) -> Option<&Placed> {
        if contains(&self.known, place) { self.placed.get(usize::from(place)) } else { None }
    }

    /// Where a joint is that exists.
    #[inline(always)]
    pub fn placed(&mut self, links: &[Link], local: &Local<'_>, joint: u16) -> &Placed {
        let link = links[usize::from(joint)];
        if !contains(&self.known, link.place) {
            self.find(links, local, joint);
        }
        &self.placed[usize::from(link.place)]
    }

    /// Where the parent is of a joint that exists.
    #[inline(always)]
    pub fn above(&mut self, links: &[Link], local: &Local<'_>, joint: u16) -> &Placed {
        let link = links[usize::from(joint)];
        if !contains(&self.known, link.above) {
            self.find(links, local, link.parent);
        }
        &self.placed[usize::from(link.above)]
    }

    /// Puts a joint in its place, where that is known, and forgets where those below it are.
    #[inline(always)]
    pub fn put(&mut self, link: Link, even: Even) {
        self.forget(link);
        self.placed[usize::from(link.place)].put(even);
        self.known[usize::from(link.place / 64)] |= 1 << (link.place % 64);
    }

    /// Works out where a joint is, and those above it that are not known.
    #[inline(never)]
    fn find(&mut self, links: &[Link], local: &Local<'_>, joint: u16) {
        let Self { placed, known, chain, .. } = self;
        let mut joint = usize::from(joint);
        let mut link = &links[joint];
        let mut waiting = 0;
        while !contains(known, link.above) {
            chain[waiting] = joint as u16;
            waiting += 1;
            joint = usize::from(link.parent);
            link = &links[joint];
        }
        let mut above = placed[usize::from(link.above)].even();
        loop {
            let place = usize::from(link.place);
            if let Some(even) = above.of_child(&local.get(joint)) {
                placed[place].put(even);
                above = even;
            } else {
                work_out_uneven(placed, link, &local.get(joint));
                above = placed[place].even();
            }
            known[place / 64] |= 1 << (place % 64);
            if waiting == 0 {
                return;
            }
            waiting -= 1;
            joint = usize::from(chain[waiting]);
            link = &links[joint];
        }
    }

    /// Says that it is not known any more where a joint and those below it are.
    #[inline]
    pub fn forget(&mut self, link: Link) {
        // Where a joint is not known, nothing below it is.
        if contains(&self.known, link.place) {
            for_words(link, |word, mask| self.known[word] &= !mask);
        }
    }

    /// Moves a joint and its descendants, as far as their positions are known.
    pub fn translate(&mut self, link: Link, offset: Vec3A) {
        for_words(link, |word, mask| {
            let mut bits = self.known.get(word).map_or(0, |known| known & mask);
            while bits != 0 {
                let place = word * 64 + bits.trailing_zeros() as usize;
                self.placed[place].translate(offset);
                bits &= bits - 1;
            }
        });
    }

    /// Keeps what a joint was, before it changes for the first time in this layer.
    #[inline]
    pub fn remember(&mut self, joint: u16, pose: &JointPose) {
        let changed = &mut self.changed[usize::from(joint)];
        if *changed != self.layer {
            *changed = self.layer;
            self.before[self.changes] = *pose;
            self.journal[self.changes] = joint;
            self.changes += 1;
        }
    }

    pub fn clear_journal(&mut self) {
        self.changes = 0;
        self.written = 0.0;
        self.layer = self.layer.wrapping_add(1);
        if self.layer == 0 {
            // Once in four thousand million layers.
            self.changed.fill(0);
            self.layer = 1;
        }
    }

    /// Counts in what was written.
    #[inline(always)]
    pub fn note(&mut self, squares: f32) {
        self.written += squares;
    }

    /// Whether all that was written is finite.
    #[inline]
    pub fn is_sound(&self) -> bool {
        // Comparisons with what is not a number are false.
        self.written <= LARGEST
    }

    /// Whether all poses in the journal are finite now.
    pub fn is_finite(&self, local: &Local<'_>) -> bool {
        self.journal[..self.changes].iter().all(|&joint| is_finite(&local.get(usize::from(joint))))
    }

    /// Lets everything in the journal be what it was.
    pub fn take_back(&mut self, links: &[Link], local: &mut Local<'_>) {
        for index in 0..self.changes {
            let joint = usize::from(self.journal[index]);
            local.set(joint, self.before[index]);
            self.forget(links[joint]);
        }
    }

    /// Blends everything in the journal with what it was, by a weight in `(0, 1)`.
    pub fn blend(&mut self, links: &[Link], local: &mut Local<'_>, weight: f32) {
        let warp = Warp::<Scalar>::splat(weight);
        for index in 0..self.changes {
            let joint = usize::from(self.journal[index]);
            local.set(joint, joint_toward(&warp, weight, &self.before[index], &local.get(joint)));
            self.forget(links[joint]);
        }
    }
}

/// Works out where a joint is whose parent is known, where scales differ by axis.
#[inline(never)]
fn work_out_uneven(placed: &mut [Placed], link: &Link, local: &JointPose) {
    placed[usize::from(link.place)] = placed[usize::from(link.above)].of_uneven_child(local);
}

/// Whether all numbers are, and none is so large that a matrix of it would not be.
#[inline]
pub(super) fn is_finite(pose: &JointPose) -> bool {
    squares(pose) <= LARGEST
}

/// The sum of all squares. Squares keep what is not finite.
#[inline]
pub(super) fn squares((translation, rotation, scale): &JointPose) -> f32 {
    translation.length_squared() + scale.length_squared() + rotation.length_squared()
}

/// Sums of squares beyond this are those of poses that are of no use.
const LARGEST: f32 = 1e36;

#[inline]
fn contains(bits: &[u64], place: u16) -> bool {
    bits.get(usize::from(place / 64)).is_some_and(|word| word & (1 << (place % 64)) != 0)
}

/// No change of a joint.
pub(super) const IDENTITY: JointPose = (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE);

/// Goes through the words in which a joint and those below it have bits, with these bits.
#[inline(always)]
fn for_words(link: Link, mut on_word: impl FnMut(usize, u64)) {
    let (start, last) = (usize::from(link.place), usize::from(link.end) - 1);
    let (mut from, to) = (u64::MAX << (start % 64), u64::MAX >> (63 - last % 64));
    for word in start / 64..last / 64 {
        on_word(word, from);
        from = u64::MAX;
    }
    on_word(last / 64, from & to);
}
