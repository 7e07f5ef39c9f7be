//! Finds the times and keys of eight tracks.

use crate::math::lanes::{Lanes, Scalar};
use crate::rig::block::LANES;

/// Where the times, stretches and keys of eight tracks are. Times and stretches may be those of other tracks too. The last
/// block is filled up with copies of its last track.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(super) struct LooseBlock {
    pub start: [f32; LANES],
    /// Keys per second where all tracks are even, else stretches.
    pub per_second: [f32; LANES],
    pub first_stretch: [u32; LANES],
    pub first_time: [u32; LANES],
    pub last_key: [u32; LANES],
    /// Counted in numbers.
    pub first_key: [u32; LANES],
    pub joints: [u16; LANES],
    /// Whether the keys are rotations without w.
    pub is_short: bool,
    /// Whether keys are where their number says, give or take [`LAG`]: then one window has the key, without a table.
    pub is_even: bool,
}

/// How many keys before the guessed one the search begins. Of the [`WINDOW`](crate::math::lanes::WINDOW) times there, the
/// first that is later than the time sought is one, where no key is more than [`MOST_UNEVEN`] places away from where its number would have it.
pub(super) const LAG: f32 = 3.0;
/// Less than [`LAG`] and than `WINDOW - LAG - 2`, by more than what rounding makes of 65,536 keys.
const MOST_UNEVEN: f32 = 2.9;

/// Numbers of a rotation of which w is left out, because it follows from the others. That takes time to find, so it is done
/// for as many blocks as it takes to make up for the index: a clip is not larger than its keys.
pub(super) const SHORT: usize = 3;

/// One track of a block.
pub(super) struct LooseTrack<const N: usize> {
    pub joint: u16,
    pub keys: Vec<[f32; N]>,
    pub first_stretch: u32,
    pub stretches_per_second: f32,
    pub keys_per_second: Option<f32>,
    pub first_time: u32,
    pub time_count: u32,
}

impl<const N: usize> LooseTrack<N> {
    /// Whether the keys are rotations whose w follows from the others, as exactly as the numbers themselves are.
    pub fn is_short(&self) -> bool {
        self.keys.iter().all(|key| {
            let &[x, y, z, w] = &key[..] else { return false };
            let [.., found] = whole([x, y, z, w].map(Scalar::splat));
            w >= 0.5 && (found.get() - w).abs() <= 2.0 * f32::EPSILON
        })
    }
}

impl LooseBlock {
    /// Of one to eight tracks, whose keys are put after the others.
    pub fn new<const N: usize>(tracks: &[LooseTrack<N>], times: &[f32], is_short: bool, keys: &mut Vec<f32>) -> Self {
        let numbers = if is_short { SHORT } else { N };
        let mut first_keys = [keys.len() as u32; LANES];
        for (lane, track) in tracks.iter().enumerate() {
            first_keys[lane..].fill(keys.len() as u32);
            keys.extend(track.keys.iter().flat_map(|key| &key[..numbers]));
        }
        let of = |lane: usize| &tracks[lane.min(tracks.len() - 1)];
        let is_even = tracks.iter().all(|track| track.keys_per_second.is_some());
        let rate =
            |track: &LooseTrack<N>| track.keys_per_second.filter(|_| is_even).unwrap_or(track.stretches_per_second);
        Self {
            start: std::array::from_fn(|lane| times[of(lane).first_time as usize]),
            per_second: std::array::from_fn(|lane| rate(of(lane))),
            first_stretch: std::array::from_fn(|lane| of(lane).first_stretch),
            first_time: std::array::from_fn(|lane| of(lane).first_time),
            last_key: std::array::from_fn(|lane| of(lane).time_count - 1),
            first_key: first_keys,
            joints: std::array::from_fn(|lane| of(lane).joint),
            is_short,
            is_even,
        }
    }
}

/// A rotation of unit length, of which w is above zero and need not be told.
#[inline(always)]
pub(super) fn whole<L: Lanes>([x, y, z, _]: [L; 4]) -> [L; 4] {
    let squares = x.mul(x).add(y.mul(y)).add(z.mul(z));
    [x, y, z, L::splat(1.0).sub(squares).sqrt()]
}

/// The keys per second of times that are where their number says, but for [`MOST_UNEVEN`] places.
pub(super) fn even_rate(times: &[f32]) -> Option<f32> {
    let (&first, &last) = (times.first()?, times.last()?);
    let rate = (times.len() - 1) as f32 / (last - first);
    let is_near = |(key, &time): (usize, &f32)| ((time - first) * rate - key as f32).abs() <= MOST_UNEVEN;
    // Where two keys are at the very beginning, it is the first that counts at that time, and not the last.
    let is_even = times.len() <= 1 << 16 && times[1] > first && times.iter().enumerate().all(is_near);
    (is_even && rate.is_finite()).then_some(rate)
}
