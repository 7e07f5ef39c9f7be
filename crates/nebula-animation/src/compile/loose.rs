//! Tracks with key times of their own: found one by one, computed eight at a time.

use glam::Quat;

use super::block::{LANES, Part, PoseBlock};
use super::timeline::Timeline;
use super::tracks::{RawTrack, SHORTEST, slots_per_key};
use crate::clip::Interpolation;
use crate::math::hermite_basis;
use crate::math::lanes::{Lanes, Scalar, load4, store_all};
use crate::math::slerp::Warp;
use crate::math::unit_quat;

/// Tracks of one part of a pose with `N` components and one interpolation, each with its own timeline.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LooseTracks<const N: usize> {
    part: Part,
    interpolation: Interpolation,
    tracks: Box<[LooseTrack<N>]>,
}

#[derive(Debug, Clone, PartialEq)]
struct LooseTrack<const N: usize> {
    place: u16,
    timeline: Timeline,
    keys: Box<[[f32; N]]>,
}

impl<const N: usize> LooseTracks<N> {
    pub fn new(part: Part, interpolation: Interpolation, tracks: Vec<(Timeline, RawTrack<N>)>) -> Self {
        let loose = |(timeline, track): (Timeline, RawTrack<N>)| LooseTrack {
            place: track.place,
            timeline,
            keys: track.keys.into(),
        };
        Self { part, interpolation, tracks: tracks.into_iter().map(loose).collect() }
    }

    pub fn track_count(&self) -> usize {
        self.tracks.len()
    }

    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    pub fn bytes(&self) -> usize {
        let track =
            |track: &LooseTrack<N>| size_of_val(track) + track.timeline.bytes() + size_of_val::<[_]>(&track.keys);
        self.tracks.iter().map(track).sum()
    }

    /// Writes the values at a time into a pose.
    #[inline(always)]
    pub fn sample<L: Lanes>(&self, time: f32, pose: &mut [PoseBlock]) {
        for tracks in self.tracks.chunks(LANES) {
            let mut out = [[0.0; LANES]; N];
            match self.interpolation {
                Interpolation::Linear => linear::<L, N>(tracks, time, &mut out),
                Interpolation::Step | Interpolation::CubicSpline => {
                    for (lane, track) in tracks.iter().enumerate() {
                        let value = one_value(track, self.interpolation, time);
                        for (component, value) in out.iter_mut().zip(value) {
                            component[lane] = value;
                        }
                    }
                }
            }
            for (lane, track) in tracks.iter().enumerate() {
                let place = usize::from(track.place);
                let block = pose[place / LANES].part_mut(self.part);
                for (component, values) in block.iter_mut().zip(&out) {
                    component[place % LANES] = values[lane];
                }
            }
        }
    }
}

#[inline(always)]
fn linear<L: Lanes, const N: usize>(tracks: &[LooseTrack<N>], time: f32, out: &mut [[f32; LANES]; N]) {
    let mut before = [[0.0; LANES]; N];
    let mut after = [[0.0; LANES]; N];
    let mut fractions = [0.0; LANES];
    for (lane, track) in tracks.iter().enumerate() {
        let place = track.timeline.find(time);
        fractions[lane] = place.fraction;
        let (a, b) = (&track.keys[place.key], &track.keys[place.key + 1]);
        for component in 0..N {
            before[component][lane] = a[component];
            after[component][lane] = b[component];
        }
    }
    for lane in (0..LANES).step_by(L::WIDTH) {
        let fraction = L::load(&fractions[lane..]);
        if N == 4 {
            let turned = Warp::new(fraction).slerp(load4(&before, lane), load4(&after, lane));
            store_all(turned, out, lane);
        } else {
            let rest = L::splat(1.0).sub(fraction);
            for (component, (a, b)) in out.iter_mut().zip(before.iter().zip(&after)) {
                let (a, b) = (L::load(&a[lane..]), L::load(&b[lane..]));
                a.mul(rest).add(b.mul(fraction)).store(&mut component[lane..]);
            }
        }
    }
}

/// Stands for the tangents of a spline key that has none.
pub(crate) const NO_TANGENT: f32 = f32::NAN;

/// Steps and splines, one track at a time. The order of operations is that of the blocks.
fn one_value<const N: usize>(track: &LooseTrack<N>, interpolation: Interpolation, time: f32) -> [f32; N] {
    let place = track.timeline.find(time);
    if interpolation == Interpolation::Step {
        return track.keys[place.key + usize::from(place.is_end)];
    }
    let slots = slots_per_key(interpolation);
    let (before, after) = (&track.keys[place.key * slots..], &track.keys[(place.key + 1) * slots..]);
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
