//! Tracks with individual key times: found one by one, computed eight at a time.

mod block;

use glam::Quat;

use super::timeline::{KEYS_PER_STRETCH, Place, Stretches, Timeline};
use super::tracks::{RawTrack, Reach, SHORTEST, is_run, slots_per_key};
use crate::clip::Interpolation;
use crate::math::hermite_basis;
use crate::math::lanes::{Lanes, Scalar, WINDOW, store_all};
use crate::math::slerp::{Near, Warp};
use crate::math::unit_quat;
use crate::rig::block::{LANES, Part, PoseBlock};
use block::{LAG, LooseBlock, LooseTrack, SHORT, even_rate, whole};

/// Tracks of one part of a pose with `N` components and one interpolation, each with its own timeline.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LooseTracks<const N: usize> {
    part: Part,
    interpolation: Interpolation,
    /// How far rotations turn from key to key.
    reach: Reach,
    track_count: usize,
    blocks: Box<[LooseBlock]>,
    /// The key times of all tracks, and at the end some that belong to nobody: times are read [`WINDOW`] at once.
    times: Box<[f32]>,
    /// For each of a number of equal stretches of a track's time, a key before it; the first key for the first. Of tracks
    /// only whose keys are too uneven to be guessed.
    stretches: Box<[u16]>,
    /// The keys of all tracks, and at the end some numbers that belong to nobody: keys are read [`PAIR`] at once. Splines have
    /// three values of `N` numbers for each time, short rotations one of [`SHORT`].
    keys: Box<[f32]>,
}

/// How many numbers are read for two keys: those of two rotations.
const PAIR: usize = 8;
/// Bytes that a clip takes beyond its keys, not counting the index of its rotations.
const ELSEWHERE: usize = 1024;

/// An array of a value for each lane, which a compiler can keep in registers: what a loop stores one by one, and the next one
/// loads as a vector, waits for the memory.
macro_rules! each_lane {
    ($lane:ident => $value:expr) => {
        [
            each_lane!($lane, 0, $value),
            each_lane!($lane, 1, $value),
            each_lane!($lane, 2, $value),
            each_lane!($lane, 3, $value),
            each_lane!($lane, 4, $value),
            each_lane!($lane, 5, $value),
            each_lane!($lane, 6, $value),
            each_lane!($lane, 7, $value),
        ]
    };
    ($lane:ident, $index:literal, $value:expr) => {{
        let $lane: usize = $index;
        $value
    }};
}

/// A timeline and the tracks that have it.
pub(crate) type Batch<const N: usize> = (Timeline, Vec<RawTrack<N>>);

impl<const N: usize> LooseTracks<N> {
    /// Of timelines and the tracks that have them.
    pub fn new(part: Part, interpolation: Interpolation, batches: Vec<Batch<N>>) -> Self {
        let reach = Reach::of(batches.iter().flat_map(|(_, tracks)| tracks).map(|track| &track.keys[..]));
        let mut all: Vec<LooseTrack<N>> = Vec::new();
        let (mut times, mut stretches) = (Vec::new(), Vec::new());
        for (timeline, tracks) in batches {
            let keys_per_second = even_rate(timeline.times());
            let table = Stretches::of(timeline.times());
            for track in tracks {
                all.push(LooseTrack {
                    joint: track.joint,
                    keys: track.keys,
                    first_stretch: stretches.len() as u32,
                    stretches_per_second: table.per_second,
                    keys_per_second,
                    first_time: times.len() as u32,
                    time_count: timeline.times().len() as u32,
                });
            }
            times.extend_from_slice(timeline.times());
            stretches.extend(table.keys);
        }
        if all.iter().all(|track| track.keys_per_second.is_some()) {
            stretches.clear();
        }
        all.sort_by_key(|track| track.joint);
        times.extend([0.0; WINDOW]);
        let mut keys = Vec::new();
        let mut excess = (ELSEWHERE + size_of_val(&stretches[..])) as isize;
        let make = |tracks: &[LooseTrack<N>]| {
            excess += size_of::<LooseBlock>() as isize;
            let can_be_short = interpolation == Interpolation::Linear && tracks.iter().all(LooseTrack::is_short);
            let is_short = excess > 0 && can_be_short;
            if is_short {
                excess -= tracks.iter().map(|track| size_of::<f32>() * track.keys.len()).sum::<usize>() as isize;
            }
            LooseBlock::new(tracks, &times, is_short, &mut keys)
        };
        let blocks = all.chunks(LANES).map(make).collect();
        keys.extend([0.0; PAIR]);
        Self {
            part,
            interpolation,
            reach,
            track_count: all.len(),
            blocks,
            times: times.into(),
            stretches: stretches.into(),
            keys: keys.into(),
        }
    }

    pub fn track_count(&self) -> usize {
        self.track_count
    }

    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    pub fn bytes(&self) -> usize {
        size_of_val::<[_]>(&self.blocks)
            + size_of_val::<[_]>(&self.times)
            + size_of_val::<[_]>(&self.stretches)
            + size_of_val::<[_]>(&self.keys)
    }

    /// Writes the values at a time into a pose.
    #[inline(always)]
    pub fn sample<L: Lanes>(&self, time: f32, pose: &mut [PoseBlock]) {
        for (index, block) in self.blocks.iter().enumerate() {
            let count = (self.track_count - index * LANES).min(LANES);
            let mut out = [[0.0; LANES]; N];
            self.values::<L>(block, time, &mut out);
            if count == LANES && is_run(&block.joints, LANES) {
                pose[usize::from(block.joints[0]) / LANES].part_mut(self.part)[..N].copy_from_slice(&out);
                continue;
            }
            for (lane, &joint) in block.joints[..count].iter().enumerate() {
                let part = pose[usize::from(joint) / LANES].part_mut(self.part);
                for (component, values) in part.iter_mut().zip(&out) {
                    component[usize::from(joint) % LANES] = values[lane];
                }
            }
        }
    }

    #[inline(always)]
    fn values<L: Lanes>(&self, block: &LooseBlock, time: f32, out: &mut [[f32; LANES]; N]) {
        let keys = self.find::<L>(block, time);
        let times = each_lane!(lane => &self.times[(block.first_time[lane] + keys[lane]) as usize..][..2]);
        let (earlier, later) = (each_lane!(lane => times[lane][0]), each_lane!(lane => times[lane][1]));
        let mut fractions = [0.0; LANES];
        let (now, zero, one) = (L::splat(time), L::splat(0.0), L::splat(1.0));
        for lane in (0..LANES).step_by(L::WIDTH) {
            let (earlier, later) = (L::load(&earlier[lane..]), L::load(&later[lane..]));
            let (passed, seconds) = (now.sub(earlier), later.sub(earlier));
            // Up to the first key nothing has passed; from the last on everything has, also where it is at the time of the one
            // before it.
            let at_once = now.select_above(L::load(&block.start[lane..]), one, zero);
            let fraction = passed.select_above(zero, passed.div(seconds), seconds.select_above(zero, zero, at_once));
            one.select_above(fraction, fraction, one).store(&mut fractions[lane..]);
        }
        match self.interpolation {
            Interpolation::Linear => self.linear::<L>(block, &keys, &fractions, out),
            Interpolation::Step | Interpolation::CubicSpline => {
                for lane in 0..LANES {
                    let end = self.times[(block.first_time[lane] + block.last_key[lane]) as usize];
                    let is_end = time >= end && time > block.start[lane];
                    let (fraction, seconds) = (fractions[lane], later[lane] - earlier[lane]);
                    let place = Place { key: keys[lane] as usize, fraction, seconds, is_end };
                    let value = self.one_value(block.first_key[lane] as usize, &place);
                    for (component, value) in out.iter_mut().zip(value) {
                        component[lane] = value;
                    }
                }
            }
        }
    }

    /// For each track, the key before `time`, counted from its first: the first, or the last but one, where it lies
    /// outside or is not a number.
    #[inline(always)]
    fn find<L: Lanes>(&self, block: &LooseBlock, time: f32) -> [u32; LANES] {
        let mut keys = [0; LANES];
        let (zero, lag) = (L::splat(0.0), L::splat(if block.is_even { LAG } else { 0.0 }));
        for lane in (0..LANES).step_by(L::WIDTH) {
            let passed = L::splat(time).sub(L::load(&block.start[lane..]));
            let guess = passed.mul(L::load(&block.per_second[lane..])).sub(lag);
            guess.select_above(zero, guess, zero).store_whole(&mut keys[lane..]);
        }
        if block.is_even {
            for (key, last) in keys.iter_mut().zip(&block.last_key) {
                *key = (*key).min(*last);
            }
            return each_lane!(lane => {
                let times = &self.times[(block.first_time[lane] + keys[lane]) as usize..];
                let after = keys[lane] + L::leading_not_above(times, time) as u32;
                after.min(block.last_key[lane]).max(1) - 1
            });
        }
        for (lane, key) in keys.iter_mut().enumerate() {
            let last = block.last_key[lane];
            let stretch = (*key).min(last / KEYS_PER_STRETCH as u32);
            let times = &self.times[block.first_time[lane] as usize..];
            let mut after = u32::from(self.stretches[(block.first_stretch[lane] + stretch) as usize]);
            // Mostly one window: keys that crowd together, or so many that they have no stretches, take more.
            while after <= last {
                let passed = L::leading_not_above(&times[after as usize..], time) as u32;
                after += passed;
                if passed < WINDOW as u32 {
                    break;
                }
            }
            *key = if time > block.start[lane] { after.min(last).max(1) - 1 } else { 0 };
        }
        keys
    }

    #[inline(always)]
    fn linear<L: Lanes>(
        &self,
        block: &LooseBlock,
        keys: &[u32; LANES],
        fractions: &[f32; LANES],
        out: &mut [[f32; LANES]; N],
    ) {
        let numbers = if block.is_short { SHORT as u32 } else { N as u32 };
        let pairs = each_lane!(lane => self.pair(block.first_key[lane] + keys[lane] * numbers));
        for lane in (0..LANES).step_by(L::WIDTH) {
            let fraction = L::load(&fractions[lane..]);
            if N == 4 {
                let pairs = &pairs[lane..];
                let (a, b) = if block.is_short {
                    (whole(L::load_turned::<0, PAIR>(pairs)), whole(L::load_turned::<SHORT, PAIR>(pairs)))
                } else {
                    (L::load_turned::<0, PAIR>(pairs), L::load_turned::<4, PAIR>(pairs))
                };
                let turned = match self.reach {
                    Reach::Near => Near::<L, 4>::new(fraction).slerp(a, b),
                    Reach::Middle => Near::<L, 6>::new(fraction).slerp(a, b),
                    Reach::Far => Warp::new(fraction).slerp(a, b),
                };
                store_all(turned, out, lane);
            } else {
                let rest = L::splat(1.0).sub(fraction);
                for (index, component) in out.iter_mut().enumerate() {
                    let (mut a, mut b) = ([0.0; LANES], [0.0; LANES]);
                    for lane in lane..lane + L::WIDTH {
                        (a[lane], b[lane]) = (pairs[lane][index], pairs[lane][N + index]);
                    }
                    let (a, b) = (L::load(&a[lane..]), L::load(&b[lane..]));
                    a.mul(rest).add(b.mul(fraction)).store(&mut component[lane..]);
                }
            }
        }
    }

    /// The numbers of a key and of the next one, if not more.
    #[inline(always)]
    fn pair(&self, first: u32) -> &[f32; PAIR] {
        // There always are as many.
        self.keys[first as usize..].first_chunk().unwrap_or(&[0.0; PAIR])
    }

    /// Steps and splines, one track at a time. The order of operations is that of the blocks.
    fn one_value(&self, first_key: usize, place: &Place) -> [f32; N] {
        let keys = self.keys[first_key..].as_chunks::<N>().0;
        if self.interpolation == Interpolation::Step {
            return keys[place.key + usize::from(place.is_end)];
        }
        let slots = slots_per_key(self.interpolation);
        let (before, after) = (&keys[place.key * slots..], &keys[(place.key + 1) * slots..]);
        if before[2][0].is_nan() || after[0][0].is_nan() {
            return straight(&before[1], &after[1], place.fraction);
        }
        let [at_a, at_out, at_b, at_in] = hermite_basis(place.fraction, place.seconds);
        let mut value: [f32; N] = std::array::from_fn(|part| {
            before[1][part] * at_a + before[2][part] * at_out + after[1][part] * at_b + after[0][part] * at_in
        });
        if N == 4 {
            let squared = value[0] * value[0] + value[1] * value[1] + value[2] * value[2] + value[3] * value[3];
            if !(squared > SHORTEST && squared.is_finite()) {
                let quat = Quat::from_xyzw(value[0], value[1], value[2], value[3]);
                return unit_quat(quat).map_or(before[1], |quat| std::array::from_fn(|part| quat.to_array()[part]));
            }
            let scale = 1.0 / squared.sqrt();
            value = value.map(|part| part * scale);
        }
        value
    }
}

/// Stands for the tangents of a spline key that has none.
pub(crate) const NO_TANGENT: f32 = f32::NAN;

/// Between two keys of a spline without tangents: the line or the shorter arc.
fn straight<const N: usize>(a: &[f32; N], b: &[f32; N], fraction: f32) -> [f32; N] {
    if N == 4 {
        let quat = |key: &[f32; N]| std::array::from_fn(|part| Scalar::splat(key[part]));
        let turned = Warp::new(Scalar::splat(fraction)).slerp_shorter(quat(a), quat(b));
        std::array::from_fn(|part| turned[part].get())
    } else {
        std::array::from_fn(|part| a[part] * (1.0 - fraction) + b[part] * fraction)
    }
}
