//! Finds how coarsely curves can be rounded within the bound, segment by segment.
//!
//! Joints are processed from the root outwards, and each is rounded towards its target in model space rather than
//! relative to its parent: children correct the errors of their parents, so errors do not add up.

use glam::{DQuat, DVec3};

use super::Compression;
use super::curve::Curve;
use super::frame::{numbers, turn};
use super::groups::Placed as PlacedCurves;
use super::motion::{Authored, Placed};
use super::tracks::{Kind, Reach, Track};
use crate::compile::packed::{Kind as GroupKind, LARGEST_WIDE, SCALES, SEGMENT, VECTOR};
use crate::rig::block::LANES;

/// The factor that is one.
const EVEN: u8 = 10;

/// Everything that an attempt to round needs.
pub(super) struct Search<'a> {
    pub motion: &'a Authored,
    pub tracks: &'a [Track],
    pub compression: &'a Compression,
    pub segments: usize,
}

/// Curves that keep the bound, the factors of segments, and what steps are multiples of.
pub(super) struct Found {
    pub curves: Vec<PlacedCurves>,
    pub scales: Vec<u8>,
    pub turn_unit: f32,
    pub way_unit: f32,
}

/// What came of an attempt.
pub(super) struct Attempt {
    /// The largest error inside of each segment, as a part of the bound.
    pub errors: Vec<f64>,
    /// The same at the knots.
    pub at_knots: f64,
    pub curves: Vec<PlacedCurves>,
}

impl Search<'_> {
    /// The curves whose errors are at most this part of the bound; `None` where none are found.
    pub fn run(&self, limit: f64) -> Option<Found> {
        let mut fineness = self.first_fineness(limit)?;
        for _ in 0..10 {
            if let Some(scales) = self.scales(fineness, limit) {
                let attempt = self.attempt(fineness, &scales)?;
                let Steps { turn_unit, way_unit, .. } = Steps::of(self.tracks, fineness);
                return Some(Found { curves: attempt.curves, scales, turn_unit, way_unit });
            }
            fineness *= 0.75;
        }
        None
    }

    /// A factor of all steps with which half of the segments keep the bound.
    fn first_fineness(&self, limit: f64) -> Option<f64> {
        let mut fineness = 1.0;
        let even = vec![EVEN; self.segments];
        for _ in 0..4 {
            let attempt = self.attempt(fineness, &even);
            let Some(attempt) = attempt else {
                fineness *= 4.0;
                continue;
            };
            let mut errors = attempt.errors;
            errors.sort_by(f64::total_cmp);
            let middle = errors[errors.len() / 2].max(1e-3);
            let change = (limit / middle).min(0.95 * limit / attempt.at_knots.max(1e-3));
            fineness *= change.clamp(0.05, 20.0);
            if (0.93..1.07).contains(&change) {
                break;
            }
        }
        Some(fineness)
    }

    /// For each segment the largest factor that keeps the bound.
    fn scales(&self, fineness: f64, limit: f64) -> Option<Vec<u8>> {
        let mut found: Vec<Option<u8>> = vec![None; self.segments];
        for scale in (0..SCALES.len() as u8).rev() {
            let Some(attempt) = self.attempt(fineness, &vec![scale; self.segments]) else { continue };
            if attempt.at_knots > limit {
                return None;
            }
            for (found, error) in found.iter_mut().zip(&attempt.errors) {
                if found.is_none() && *error <= limit {
                    *found = Some(scale);
                }
            }
            if found.iter().all(Option::is_some) {
                break;
            }
        }
        found.into_iter().collect()
    }

    /// Rounds all curves; `None` where a number is too large.
    pub fn attempt(&self, fineness: f64, scales: &[u8]) -> Option<Attempt> {
        let Self { motion, tracks, compression, .. } = *self;
        let samples = motion.samples;
        let steps = Steps::of(tracks, fineness);
        let mut decoded: Vec<Vec<Placed>> = Vec::with_capacity(motion.joints.len());
        let mut attempt = Attempt { errors: vec![0.0; self.segments], at_knots: 0.0, curves: Vec::new() };
        let mut next = 0;
        let mut of_lane = |lane: usize, is_rotation: bool| {
            let track = tracks.get(next).filter(|track| track.lane == lane);
            let track = track.filter(|track| matches!(track.kind, Kind::Rotation { .. }) == is_rotation)?;
            next += 1;
            Some((next - 1, track))
        };
        for (joint, truth) in motion.joints.iter().enumerate() {
            let above: Vec<Placed> = (0..samples).map(|sample| motion.above(&decoded, joint, sample)).collect();
            let mut translations = truth.translation.clone();
            if let Some((index, track)) = of_lane(joint, false)
                && let Kind::Translation { origin, map, back } = &track.kind
            {
                let wanted = |sample: usize| {
                    let above = &above[sample];
                    let there = above.linear.inverse() * (truth.placed[sample].position - above.position);
                    let there = if there.is_finite() { there } else { truth.translation[sample] };
                    padded(map.transform_point3(there) - origin.as_dvec3())
                };
                let values = (0..samples).map(wanted).collect();
                let rounded = self.round(&steps, index, values, scales, &mut attempt.curves)?;
                for (translation, rounded) in translations.iter_mut().zip(rounded) {
                    *translation = back.transform_point3(first(&rounded) + origin.as_dvec3());
                }
            }
            let mut rotations = truth.rotation.clone();
            if let Some((index, track)) = of_lane(joint, true)
                && let Kind::Rotation { frame, left, right, reach } = &track.kind
            {
                let (before, after) = (frame.before.conjugate() * *left, *right * frame.after.conjugate());
                let (before_back, after_back) = (before.conjugate(), after.conjugate());
                let mut last: Option<DQuat> = None;
                let wanted = |sample: usize| {
                    let local = if motion.is_even && *reach != Reach::Still {
                        above[sample].turn.conjugate() * truth.placed[sample].turn
                    } else {
                        truth.rotation[sample]
                    };
                    // Which of the two quaternions is decided by the authored rotations: of what is a little off, the way round
                    // could be the other one where a joint makes half a turn from one sample to the next.
                    let own = before * truth.rotation[sample] * after;
                    let own = if last.is_some_and(|last| own.dot(last) < 0.0) { -own } else { own };
                    last = Some(own);
                    let from = before * local * after;
                    if from.dot(own) < 0.0 { -from } else { from }
                };
                let mut turns: Vec<DQuat> = (0..samples).map(wanted).collect();
                if *reach != Reach::Far && turns.iter().map(|turn| turn.w).sum::<f64>() < 0.0 {
                    turns.iter_mut().for_each(|turn| *turn = -*turn);
                }
                let values = turns.iter().map(|from| match reach {
                    Reach::Far => from.to_array(),
                    Reach::Near if frame.is_hinge => [from.x.atan2(from.w), 0.0, 0.0, 0.0],
                    Reach::Near => padded(numbers(*from)),
                    Reach::Still => [0.0; 4],
                });
                let values = values.collect();
                let rounded = self.round(&steps, index, values, scales, &mut attempt.curves)?;
                for (rotation, [x, y, z, w]) in rotations.iter_mut().zip(rounded) {
                    let from = match reach {
                        Reach::Far => DQuat::from_xyzw(x, y, z, w).normalize(),
                        Reach::Near if frame.is_hinge => DQuat::from_xyzw(x.sin(), 0.0, 0.0, x.cos()),
                        Reach::Near | Reach::Still => turn(DVec3::new(x, y, z)),
                    };
                    *rotation = before_back * from * after_back;
                }
            }
            let distance = f64::from(compression.distance_of(joint));
            let bound = f64::from(compression.error);
            let mut placed = Vec::with_capacity(samples);
            for sample in 0..samples {
                let here = above[sample].child(translations[sample], rotations[sample], truth.scale[sample]);
                attempt.note(sample, here.error(&truth.placed[sample], distance) / bound);
                placed.push(here);
            }
            if motion.is_loop {
                attempt.note(samples - 1, placed[samples - 1].error(&placed[0], distance) / bound);
            }
            decoded.push(placed);
        }
        for (index, track) in tracks.iter().enumerate() {
            let Kind::Weights { origin, samples } = &track.kind else { continue };
            let values = samples.iter().map(|weights| padded(*weights - origin.as_dvec3())).collect();
            let rounded = self.round(&steps, index, values, scales, &mut attempt.curves)?;
            for (sample, (rounded, truth)) in rounded.iter().zip(samples).enumerate() {
                let off = (first(rounded) + origin.as_dvec3() - *truth).abs().max_element();
                attempt.note(sample, off / f64::from(compression.weight_error));
            }
        }
        Some(attempt)
    }

    /// Rounds the curves of a track.
    fn round(
        &self,
        steps: &Steps,
        index: usize,
        mut values: Vec<[f64; 4]>,
        scales: &[u8],
        curves: &mut Vec<PlacedCurves>,
    ) -> Option<Vec<[f64; 4]>> {
        let track = &self.tracks[index];
        let target = track.lane as u16;
        let mut placed = PlacedCurves {
            kind: GroupKind::Vectors,
            target,
            shorts: Vec::new(),
            floats: Vec::new(),
            curves: Vec::new(),
        };
        let (unit, origin) = match &track.kind {
            Kind::Rotation { frame, reach, .. } => {
                let quats = |quats: &[DQuat]| quats.iter().flat_map(|quat| quat.as_quat().to_array()).collect();
                match reach {
                    Reach::Still => (placed.kind, placed.floats) = (GroupKind::Still, quats(&[frame.before])),
                    Reach::Near if frame.is_hinge => {
                        (placed.kind, placed.floats) = (GroupKind::Hinges, quats(&frame.hinge()));
                    }
                    Reach::Near => {
                        (placed.kind, placed.shorts) = (GroupKind::Turns, frame.packed.as_flattened().to_vec());
                    }
                    Reach::Far => placed.kind = GroupKind::Far,
                }
                (steps.turn_unit, None)
            }
            Kind::Translation { origin, .. } | Kind::Weights { origin, .. } => (steps.way_unit, Some(*origin)),
        };
        let axes = if origin.is_some() { 3 } else { placed.kind.axes() };
        for axis in 0..4 {
            if axis >= axes {
                values.iter_mut().for_each(|value| value[axis] = 0.0);
                continue;
            }
            let (step, size) = steps.of_track(track.steps[axis], unit);
            let mut curve: Vec<f64> = values.iter().map(|value| value[axis]).collect();
            let rounded = Curve::round(&mut curve, size, scales)?;
            values.iter_mut().zip(curve).for_each(|(value, curve)| value[axis] = curve);
            if let Some(origin) = origin {
                let target = (track.lane / LANES * VECTOR + axis * LANES + track.lane % LANES) as u16;
                let (curve, floats) = (vec![(step, rounded)], vec![origin[axis]]);
                curves.push(PlacedCurves { kind: placed.kind, target, shorts: Vec::new(), floats, curves: curve });
            } else {
                placed.curves.push((step, rounded));
            }
        }
        if origin.is_none() {
            curves.push(placed);
        }
        Some(values)
    }
}

impl Attempt {
    /// Notes the error of a sample.
    fn note(&mut self, sample: usize, error: f64) {
        // What is no number is too far off.
        let error = if error.is_nan() { f64::INFINITY } else { error };
        if sample.is_multiple_of(SEGMENT) {
            self.at_knots = self.at_knots.max(error);
        } else if let Some(worst) = self.errors.get_mut(sample / SEGMENT) {
            *worst = worst.max(error);
        }
    }
}

/// Three numbers and one that nobody looks at.
fn padded(vector: DVec3) -> [f64; 4] {
    [vector.x, vector.y, vector.z, 0.0]
}

fn first([x, y, z, _]: &[f64; 4]) -> DVec3 {
    DVec3::new(*x, *y, *z)
}

/// What steps are multiples of: those of rotations, and those of vectors.
pub(super) struct Steps {
    fineness: f64,
    turn_unit: f32,
    way_unit: f32,
}

impl Steps {
    fn of(tracks: &[Track], fineness: f64) -> Self {
        let unit = |is_rotation: bool| {
            let steps = tracks.iter().filter(|track| matches!(track.kind, Kind::Rotation { .. }) == is_rotation);
            let largest = steps.flat_map(|track| track.steps).fold(0.0, f64::max);
            (fineness * largest / f64::from(LARGEST_WIDE)) as f32
        };
        Self { fineness, turn_unit: unit(true), way_unit: unit(false) }
    }

    /// The step of a track in units, and as decoding has it.
    fn of_track(&self, step: f64, unit: f32) -> (i16, f64) {
        let units = (self.fineness * step / f64::from(unit)).round().clamp(1.0, f64::from(LARGEST_WIDE));
        (units as i16, f64::from(units as f32 * unit))
    }
}
