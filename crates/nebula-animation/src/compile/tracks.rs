//! Tracks that share their key times, stored key by key, eight tracks side by side.

use super::timeline::{Place, Timeline};
use crate::clip::Interpolation;
use crate::math::hermite_basis;
use crate::math::lanes::{Lanes, Scalar, store_all};
use crate::math::slerp::{Near, Warp, dot};
use crate::rig::Rig;
use crate::rig::block::{Blocks, Component, LANES, Part, PoseBlock};

/// Tracks of one part of a pose with `N` components, one interpolation and one timeline.
///
/// A key is stored as one record: for each block of eight tracks, component after component, the values of those
/// tracks. The last block is as wide as it has tracks. With tangents, each block has the in-tangents, the values and
/// the out-tangents, in this order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SharedTracks<const N: usize> {
    part: Part,
    interpolation: Interpolation,
    timeline: Timeline,
    /// How far rotations turn from key to key.
    reach: Reach,
    /// For each track, its joint.
    joints: Box<[u16]>,
    /// Whether track `i` drives joint `i`.
    is_aligned: bool,
    /// Whether the last, narrower block drives the last joints of the rig, so that what is written beside them hits
    /// nobody.
    is_tail_direct: bool,
    /// The records, and at the end some floats that nobody looks at: the last block is read as if it were a whole one.
    values: Box<[f32]>,
}

/// One track before it is stored: its joint and its keys, with tangents around each value for splines.
pub(crate) struct RawTrack<const N: usize> {
    pub joint: u16,
    pub keys: Vec<[f32; N]>,
}

impl<const N: usize> SharedTracks<N> {
    /// `tracks` are sorted by joint, and each has as many keys as the timeline (three times as many with tangents).
    pub fn new(
        part: Part,
        interpolation: Interpolation,
        timeline: Timeline,
        tracks: &[RawTrack<N>],
        rig: &Rig,
    ) -> Self {
        let slots = slots_per_key(interpolation);
        let mut values = Vec::with_capacity(timeline.times().len() * slots * N * tracks.len() + LANES);
        for key in 0..timeline.times().len() {
            for block in tracks.chunks(LANES) {
                for slot in key * slots..(key + 1) * slots {
                    for component in 0..N {
                        values.extend(block.iter().map(|track| track.keys[slot][component]));
                    }
                }
            }
        }
        values.extend([0.0; LANES]);
        let joints: Box<[u16]> = tracks.iter().map(|track| track.joint).collect();
        let tail = joints.as_chunks::<LANES>().1;
        // Beside the last joint and the last morph weight, blocks are empty.
        let ends = [rig.joint_count(), rig.lane_count()];
        let is_tail_direct =
            tail.last().is_some_and(|&last| is_run(tail, tail.len()) && ends.contains(&(usize::from(last) + 1)));
        let is_aligned = joints.last().is_none_or(|&last| usize::from(last) + 1 == joints.len());
        let reach = Reach::of(tracks.iter().map(|track| &track.keys[..]));
        Self { part, interpolation, timeline, reach, joints, is_aligned, is_tail_direct, values: values.into() }
    }

    /// Whether every joint of the rig is written, block by block.
    pub fn is_complete(&self, joint_count: usize) -> bool {
        self.joints.len() == joint_count
    }

    pub fn track_count(&self) -> usize {
        self.joints.len()
    }

    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    pub(super) fn reach(&self) -> Reach {
        self.reach
    }

    /// Whether track `i` drives joint `i`.
    pub(super) fn is_aligned(&self) -> bool {
        self.is_aligned
    }

    /// Whether what is written beside the last tracks hits nobody.
    pub(super) fn is_tail_direct(&self) -> bool {
        self.is_tail_direct
    }

    /// The records of the keys around a place, of a value each, and what follows them.
    #[inline(always)]
    pub(super) fn records(&self, place: &Place) -> [&[f32]; 2] {
        let record = N * self.joints.len();
        [&self.values[place.key * record..], &self.values[(place.key + 1) * record..]]
    }

    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.timeline.bytes()
            + size_of_val::<[f32]>(&self.values)
            + size_of_val::<[u16]>(&self.joints)
    }

    /// Whether the keys are at the same times as those of other tracks.
    pub fn is_in_step<const M: usize>(&self, other: &SharedTracks<M>) -> bool {
        self.timeline == other.timeline
    }

    /// Between which keys a time is.
    #[inline(always)]
    pub fn find(&self, time: f32) -> Place {
        self.timeline.find(time)
    }

    /// Writes the values at a place of the timeline into a pose: into these blocks at least.
    #[inline(always)]
    pub fn sample<L: Lanes>(&self, place: &Place, wanted: Blocks, pose: &mut [PoseBlock]) {
        match self.interpolation {
            Interpolation::Step => self.each_block::<1>(place, wanted, pose, &Step { is_last: place.is_end }),
            Interpolation::Linear if N == 4 => match self.reach {
                Reach::Near => self.each_block::<1>(place, wanted, pose, &Near::<L, 4>::splat(place.fraction)),
                Reach::Middle => self.each_block::<1>(place, wanted, pose, &Near::<L, 6>::splat(place.fraction)),
                Reach::Far => self.each_block::<1>(place, wanted, pose, &Warp::<L>::splat(place.fraction)),
            },
            Interpolation::Linear => {
                let (rest, fraction) = (L::splat(1.0 - place.fraction), L::splat(place.fraction));
                self.each_block::<1>(place, wanted, pose, &Mix { rest, fraction });
            }
            Interpolation::CubicSpline => {
                let [a, b, c, d] = hermite_basis(place.fraction, place.seconds);
                self.each_block::<3>(
                    place,
                    wanted,
                    pose,
                    &Spline::<L, N>([L::splat(a), L::splat(b), L::splat(c), L::splat(d)]),
                );
            }
        }
    }

    /// Evaluates every block that is wanted, where tracks lie as joints do, and otherwise all. `SLOTS` is the number of values that a key has.
    #[inline(always)]
    fn each_block<const SLOTS: usize>(
        &self,
        place: &Place,
        wanted: Blocks,
        pose: &mut [PoseBlock],
        between: &impl Between,
    ) {
        let record = SLOTS * N * self.joints.len();
        let whole = SLOTS * N * LANES;
        let (mut before, mut after) = (&self.values[place.key * record..], &self.values[(place.key + 1) * record..]);
        let (blocks, tail) = self.joints.as_chunks::<LANES>();
        if self.is_aligned {
            for stretch in wanted.stretches(blocks.len()) {
                let (mut before, mut after) = (&before[stretch.start * whole..], &after[stretch.start * whole..]);
                for out in &mut pose[stretch] {
                    let ((first, rest_before), (second, rest_after)) = (before.split_at(whole), after.split_at(whole));
                    (before, after) = (rest_before, rest_after);
                    between.evaluate(first, second, LANES, &mut out.part_mut(self.part)[..N]);
                }
            }
            (before, after) = (&before[blocks.len() * whole..], &after[blocks.len() * whole..]);
        }
        for joints in if self.is_aligned { &[] } else { blocks } {
            let ((first, rest_before), (second, rest_after)) = (before.split_at(whole), after.split_at(whole));
            (before, after) = (rest_before, rest_after);
            if is_run(joints, LANES) {
                let out = pose[usize::from(joints[0]) / LANES].part_mut(self.part);
                between.evaluate(first, second, LANES, &mut out[..N]);
            } else {
                let mut out = [[0.0; LANES]; N];
                between.evaluate(first, second, LANES, &mut out);
                self.scatter(joints, &out, pose);
            }
        }
        if self.is_tail_direct {
            let out = pose[usize::from(tail[0]) / LANES].part_mut(self.part);
            between.evaluate(before, after, tail.len(), &mut out[..N]);
        } else if !tail.is_empty() {
            let mut out = [[0.0; LANES]; N];
            between.evaluate(before, after, tail.len(), &mut out);
            self.scatter(tail, &out, pose);
        }
    }

    /// Puts the values of tracks where their joints are.
    #[inline(always)]
    fn scatter(&self, joints: &[u16], values: &[Component; N], pose: &mut [PoseBlock]) {
        for (lane, &joint) in joints.iter().enumerate().take(LANES) {
            let block = pose[usize::from(joint) / LANES].part_mut(self.part);
            for (component, values) in block[..N].iter_mut().zip(values) {
                component[usize::from(joint) % LANES] = values[lane];
            }
        }
    }
}

/// How far rotations turn from key to key, at most: what it takes to interpolate them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    Near,
    Middle,
    Far,
}

impl Reach {
    /// Of tracks of rotations; their signs are aligned. Anything else is far.
    pub fn of<'a, const N: usize>(tracks: impl Iterator<Item = &'a [[f32; N]]>) -> Self {
        let mut farthest = 0.0_f32;
        for keys in tracks {
            for pair in keys.windows(2) {
                let cosine: f32 = pair[0].iter().zip(&pair[1]).map(|(a, b)| a * b).sum();
                if cosine.is_nan() {
                    return Self::Far;
                }
                farthest = farthest.max(1.0 - cosine);
            }
        }
        Self::within(farthest)
    }

    /// Of rotations whose `1 - cos` is at most this.
    pub fn within(farthest: f32) -> Self {
        if farthest <= Near::<Scalar, 4>::REACH {
            Self::Near
        } else if farthest <= Near::<Scalar, 6>::REACH {
            Self::Middle
        } else {
            Self::Far
        }
    }
}

/// How many values a key has.
pub(crate) fn slots_per_key(interpolation: Interpolation) -> usize {
    match interpolation {
        Interpolation::CubicSpline => 3,
        Interpolation::Linear | Interpolation::Step => 1,
    }
}

/// Whether the first `count` tracks drive joints side by side, from the start of a block on.
#[inline(always)]
pub(crate) fn is_run(joints: &[u16], count: usize) -> bool {
    usize::from(joints[0]) % LANES == 0 && usize::from(joints[count - 1]) + 1 == usize::from(joints[0]) + count
}

/// What happens between two keys. (Not a closure: it would not be inlined into the kernel.)
trait Between {
    /// Evaluates one block: its floats in the key before and in the key after, the distance of the components in them,
    /// and where the results go.
    fn evaluate(&self, before: &[f32], after: &[f32], stride: usize, out: &mut [Component]);
}

/// One of the two keys.
struct Step {
    is_last: bool,
}

impl Between for Step {
    #[inline(always)]
    fn evaluate(&self, before: &[f32], after: &[f32], stride: usize, out: &mut [Component]) {
        let key = if self.is_last { after } else { before };
        for (index, component) in out.iter_mut().enumerate() {
            component.copy_from_slice(&key[index * stride..][..LANES]);
        }
    }
}

/// Rotations along the arc.
impl<L: Lanes, const TERMS: usize> Between for Near<L, TERMS> {
    #[inline(always)]
    fn evaluate(&self, before: &[f32], after: &[f32], stride: usize, out: &mut [Component]) {
        for lane in (0..LANES).step_by(L::WIDTH) {
            let p = load_quat::<L>(before, stride, lane);
            let q = load_quat::<L>(after, stride, lane);
            store_all(self.slerp(p, q), out, lane);
        }
    }
}

/// Rotations along the arc.
impl<L: Lanes> Between for Warp<L> {
    #[inline(always)]
    fn evaluate(&self, before: &[f32], after: &[f32], stride: usize, out: &mut [Component]) {
        for lane in (0..LANES).step_by(L::WIDTH) {
            let p = load_quat::<L>(before, stride, lane);
            let q = load_quat::<L>(after, stride, lane);
            store_all(self.slerp(p, q), out, lane);
        }
    }
}

#[inline(always)]
pub(super) fn load_quat<L: Lanes>(key: &[f32], stride: usize, lane: usize) -> [L; 4] {
    [
        L::load(&key[lane..]),
        L::load(&key[stride + lane..]),
        L::load(&key[2 * stride + lane..]),
        L::load(&key[3 * stride + lane..]),
    ]
}

/// Vectors along the straight line.
struct Mix<L> {
    rest: L,
    fraction: L,
}

impl<L: Lanes> Between for Mix<L> {
    #[inline(always)]
    fn evaluate(&self, before: &[f32], after: &[f32], stride: usize, out: &mut [Component]) {
        for lane in (0..LANES).step_by(L::WIDTH) {
            for (index, component) in out.iter_mut().enumerate() {
                let (a, b) = (L::load(&before[index * stride + lane..]), L::load(&after[index * stride + lane..]));
                a.mul(self.rest).add(b.mul(self.fraction)).store(&mut component[lane..]);
            }
        }
    }
}

/// The weights of start value, out-tangent, end value and in-tangent.
struct Spline<L, const N: usize>([L; 4]);

impl<L: Lanes, const N: usize> Between for Spline<L, N> {
    #[inline(always)]
    fn evaluate(&self, before: &[f32], after: &[f32], stride: usize, out: &mut [Component]) {
        let [at_a, at_out, at_b, at_in] = self.0;
        for lane in (0..LANES).step_by(L::WIDTH) {
            let mut parts = [L::splat(0.0); N];
            for (index, part) in parts.iter_mut().enumerate() {
                *part = L::load(&before[(N + index) * stride + lane..])
                    .mul(at_a)
                    .add(L::load(&before[(2 * N + index) * stride + lane..]).mul(at_out))
                    .add(L::load(&after[(N + index) * stride + lane..]).mul(at_b))
                    .add(L::load(&after[index * stride + lane..]).mul(at_in));
            }
            if N == 4 {
                let quat = [parts[0], parts[1], parts[2], parts[3]];
                let squared = dot(quat, quat);
                let scale = L::splat(1.0).div(squared.sqrt());
                for (index, part) in parts.iter_mut().enumerate() {
                    // A spline through zero has no direction there: the key before holds.
                    let key = L::load(&before[(N + index) * stride + lane..]);
                    *part = squared.select_above(L::splat(SHORTEST), part.mul(scale), key);
                }
            }
            store_all(parts, out, lane);
        }
    }
}

/// The square of a quaternion's length below which its direction is noise.
pub(crate) const SHORTEST: f32 = 1e-30;
