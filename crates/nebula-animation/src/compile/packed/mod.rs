//! Tracks of a compressed clip: curves of single numbers, in segments of eight samples, with random access at constant
//! cost.
//!
//! A curve is sampled on the clip's grid. Knots between segments are shared by both neighbours; the samples between two
//! knots are predicted from smooth motion, plus a residual each ([`basis`]). Evaluating a time needs the two samples
//! around it, interpolated as in the authored clip: along an arc or a line.
//!
//! Eight joints that need about the same number of bits are read side by side: each number takes as many bits as the
//! largest of the eight. Curves of vectors are read in groups of eight too, of any joints and axes.

mod basis;
mod bytes;
mod check;
mod layout;
mod moment;
mod out;
mod parts;
mod turns;

use super::tracks::Reach;
use crate::math::lanes::Lanes;
use crate::math::slerp::{Near, Warp};
use crate::rig::block::{LANES, PoseBlock};

pub(super) use basis::{LEVELS, NUMBERS, SAMPLES, SEGMENT, level, sample};
pub(super) use bytes::{ClipBytes, Owner};
pub(super) use layout::{Axis, Contents, GroupContents, MOST_BITS, Member, bits_of};
pub(super) use parts::{Group, Head, Kind};

use moment::{Cursor, Moment};
use out::{EightPoses, OnePose, Out};
use parts::word;
use turns::Arc;

/// Bytes that are read beyond the last ones, because eight numbers are read at once.
const PADDING: usize = 32;
/// The largest number of 16 bits with a sign.
pub(super) const LARGEST_WIDE: f32 = 32767.0;

/// The curves of a clip.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::compile) struct PackedTracks {
    head: Head,
    segments: usize,
    groups: Box<[Group]>,
    /// Curves of all groups, bytes of one knot of all of them, and of what does not change.
    curves: usize,
    knot_bytes: usize,
    constants: usize,
    /// What does not change (frames, steps, origins), the knots, where segments begin, the segments, and padding.
    bytes: ClipBytes,
}

/// The factors of the steps of a segment: `2^((n - 10) / 8)`.
pub(super) const SCALES: [f32; 16] = [
    0.420_448_2,
    0.458_502_02,
    0.5,
    0.545_253_9,
    0.594_603_54,
    0.648_419_8,
    std::f32::consts::FRAC_1_SQRT_2,
    0.771_105_4,
    0.840_896_4,
    0.917_004_05,
    1.0,
    1.090_507_7,
    1.189_207_1,
    1.296_839_6,
    std::f32::consts::SQRT_2,
    1.542_210_8,
];

impl PackedTracks {
    /// Writes the values at a time into a pose.
    #[inline(always)]
    pub fn sample<L: Lanes>(&self, time: f32, pose: &mut [PoseBlock]) {
        self.sample_times::<L, 1>(&[time], &mut OnePose(pose));
    }

    /// Writes the values at eight times into as many poses, one after the other, but for rotations: those go to `turned`, a block for each
    /// joint, lanes being times. It has one block more than the rig has lanes. What does not change from time to time is read once.
    #[inline(always)]
    pub fn sample_eight<L: Lanes>(&self, times: &[f32; LANES], poses: &mut [PoseBlock], turned: &mut [PoseBlock]) {
        // A rig without joints has no blocks, and no groups.
        let stride = (poses.len() / LANES).max(1);
        self.sample_times::<L, LANES>(times, &mut EightPoses { poses, stride, turned });
    }

    #[inline(always)]
    fn sample_times<L: Lanes, const N: usize>(&self, times: &[f32; N], out: &mut impl Out<N>) {
        let mut places = [(0, 0.0); N];
        for (place, time) in places.iter_mut().zip(times) {
            *place = self.find(*time);
        }
        match self.head.reach {
            Reach::Near => self.sample_at::<L, Near<L, 4>, N>(places, out),
            Reach::Middle => self.sample_at::<L, Near<L, 6>, N>(places, out),
            Reach::Far => self.sample_at::<L, Warp<L>, N>(places, out),
        }
    }

    /// Writes the values between samples and the next ones, each some way towards it.
    #[inline(always)]
    fn sample_at<L: Lanes, A: Arc<L>, const N: usize>(&self, places: [(usize, f32); N], out: &mut impl Out<N>) {
        // Not by a closure: it would not be inlined into the kernel.
        let mut moments = [self.moment::<L, A>(places[0]); N];
        for (moment, place) in moments.iter_mut().zip(places).skip(1) {
            *moment = self.moment(place);
        }
        let mut constants = 0;
        for group in &self.groups {
            let at = constants;
            constants += usize::from(group.members) * group.kind.constant_bytes();
            match group.kind {
                Kind::Still => moment::still(&moments, group, at, out),
                Kind::Hinges => moment::hinges(&mut moments, group, at, out),
                Kind::Turns => moment::turns(&mut moments, group, at, out),
                Kind::Far => moment::far(&mut moments, group, at, out),
                Kind::Vectors => moment::vectors(&mut moments, group, at, out),
            }
        }
    }

    /// What is needed for the values between a sample and the next one.
    #[inline(always)]
    fn moment<L: Lanes, A: Arc<L>>(&self, (sample, fraction): (usize, f32)) -> Moment<'_, L, A> {
        let data = self.bytes.get();
        let (segment, interval) = (sample / SEGMENT, sample % SEGMENT);
        let body = self.body(data, segment);
        let scale = SCALES[usize::from(data[body] & 15)];
        let headers = body + 2;
        let cursor =
            Cursor { knots: self.constants + segment * self.knot_bytes, headers, numbers: headers + 2 * self.curves };
        let units = [self.head.turn_unit, self.head.way_unit];
        Moment::new(data, interval, fraction, scale, units, self.knot_bytes, cursor)
    }

    /// The sample before a time, which is not the last one, and how far towards the next one.
    #[inline(always)]
    fn find(&self, time: f32) -> (usize, f32) {
        let passed = (f64::from(time) - f64::from(self.head.start)) * self.head.per_second;
        // Not a number counts as the start.
        let place = if passed > 0.0 { passed.min(f64::from(self.head.last)) } else { 0.0 };
        let sample = (place as usize).min(self.head.last as usize - 1);
        (sample, (place - sample as f64) as f32)
    }

    /// Where a segment begins in the bytes.
    #[inline(always)]
    fn body(&self, data: &[u8], segment: usize) -> usize {
        let table = self.constants + (self.segments + 1) * self.knot_bytes;
        table + 4 * self.segments + word(data, table + 4 * segment) as usize
    }
}

/// Numbers of the vectors of eight joints, and a few that none has.
pub(super) const VECTOR: usize = 4 * LANES;
