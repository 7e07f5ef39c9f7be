use glam::{Mat4, Vec3};

use super::CompiledClip;
use crate::clip::{AnimationClip, Marker};
use crate::math::isa::Isa;
use crate::math::{Fingerprint, clean_seconds};
use crate::rig::{FeetRig, Leg, Rig};
use crate::sample::sample_pose;
use crate::skeleton::{JointPose, Skeleton};

/// When each foot of a clip is on the ground, computed once per clip.
///
/// ```
/// use nebula_animation::{Marker, compile::ContactTrack};
///
/// let marker = |name: &str, time| Marker { name: name.into(), time };
/// let markers = [marker("left_up", 0.4), marker("right_down", 0.3), marker("left_down", 0.8), marker("right_up", 0.9)];
/// let names = [["left_down", "left_up"], ["right_down", "right_up"]];
/// let walk = ContactTrack::from_markers(1.0, &markers, &names);
/// assert!(walk.is_planted(0, 0.1), "the left foot stands over the end of the loop");
/// assert!(!walk.is_planted(0, 0.6));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContactTrack {
    duration: f32,
    floor: f32,
    /// For each leg, when it lands and when it leaves. It leaves before it lands where it stands over the end of the clip.
    legs: Vec<Vec<[f32; 2]>>,
}

impl ContactTrack {
    /// Detects the contacts of a clip from height and speed of the lowest points of its soles.
    ///
    /// A foot stands while the lowest point of its sole is near the ground, and moves like it: not
    /// at all in a clip with root motion, and backwards at a constant speed in a clip that walks in place.
    #[must_use]
    pub fn from_clip(clip: &AnimationClip, skeleton: &Skeleton, feet: &FeetRig) -> Self {
        let sample = |time: f32, pose: &mut [JointPose]| sample_pose(clip, skeleton, time, pose);
        Self::of_steps(&Steps::of(clip.duration, skeleton, feet, sample), feet).0
    }

    /// The contacts of a compiled clip, and the velocity at which its feet walk, in model space.
    pub(crate) fn of_compiled(clip: &CompiledClip, rig: &Rig, feet: &FeetRig) -> (Self, Vec3) {
        let mut blocks = rig.rest.to_vec();
        let sample = |time: f32, pose: &mut [JointPose]| {
            clip.sample(Isa::best(), time, true, &mut blocks);
            rig.write_pose(&blocks, pose);
        };
        let steps = Steps::of(clip.duration(), rig, feet, sample);
        let (track, drift) = Self::of_steps(&steps, feet);
        let stands = track.legs.iter().any(|spans| !spans.is_empty());
        let travelled = if steps.duration > 0.0 { steps.travelled / steps.duration } else { Vec3::ZERO };
        let velocity = travelled - drift;
        (track, if stands && velocity.is_finite() { velocity } else { Vec3::ZERO })
    }

    fn of_steps(steps: &Steps, feet: &FeetRig) -> (Self, Vec3) {
        let floor = steps.floor(feet);
        let drift = steps.drift(feet, floor);
        let legs = (0..feet.legs.len()).map(|leg| steps.spans(feet, leg, floor, drift)).collect();
        (Self { duration: steps.duration, floor, legs }, drift)
    }

    /// Its length, its floor, and the spans of each leg.
    pub(super) fn parts(&self) -> (f32, f32, &[Vec<[f32; 2]>]) {
        (self.duration, self.floor, &self.legs)
    }

    /// Of the same.
    pub(super) fn of_parts(duration: f32, floor: f32, legs: Vec<Vec<[f32; 2]>>) -> Self {
        Self { duration, floor, legs }
    }

    /// Adds what tells it from others.
    pub(super) fn add_to(&self, hash: &mut Fingerprint) {
        hash.numbers([self.duration, self.floor]);
        for spans in &self.legs {
            hash.word(spans.len() as u32);
            hash.numbers(spans.iter().flatten().copied());
        }
    }

    /// Bytes that the track takes in memory beside itself.
    pub(crate) fn bytes(&self) -> usize {
        self.legs.iter().map(|spans| size_of_val(spans) + size_of_val(&spans[..])).sum()
    }

    /// Contacts from a clip's markers: for each leg, in the rig's order, the names of the markers at which it lands and
    /// lifts off. A leg without markers is always standing. The clip's duration is in seconds.
    #[must_use]
    pub fn from_markers(duration: f32, markers: &[Marker], names: &[[&str; 2]]) -> Self {
        let duration = clean_seconds(duration) as f32;
        let times = |name: &str| {
            let mut times: Vec<f32> = markers.iter().filter(|m| m.name == name).map(|m| m.time as f32).collect();
            times.retain(|time| time.is_finite());
            times.sort_by(f32::total_cmp);
            times
        };
        let legs = names.iter().map(|[down, up]| {
            let (downs, ups) = (times(down), times(up));
            match (downs.is_empty(), ups.is_empty()) {
                (true, true) => vec![[0.0, f32::INFINITY]],
                (true, false) => vec![[0.0, ups[0]]],
                (false, _) => {
                    let leaves = |landed: f32| ups.iter().copied().find(|&up| up > landed);
                    // One that is not met any more in this pass is met in the next one.
                    let next = |landed| leaves(landed).or(ups.first().copied()).unwrap_or(f32::INFINITY);
                    let mut spans: Vec<[f32; 2]> = downs.iter().map(|&landed| [landed, next(landed)]).collect();
                    if ups.first().is_some_and(|&up| up < downs[0]) && !spans.iter().any(|[start, end]| end < start) {
                        spans.push([0.0, ups[0]]);
                    }
                    spans
                }
            }
        });
        Self { duration, floor: 0.0, legs: legs.collect() }
    }

    /// The same, with another floor: the height in model space on which the clip's feet stand.
    #[must_use]
    pub fn with_floor(self, floor: f32) -> Self {
        Self { floor: if floor.is_finite() { floor } else { 0.0 }, ..self }
    }

    /// `true` if a leg stands at a time of the clip, in seconds. A leg that the track does not have always stands.
    #[must_use]
    pub fn is_planted(&self, leg: usize, time: f32) -> bool {
        let Some(spans) = self.legs.get(leg) else { return true };
        spans.iter().any(
            |&[start, end]| {
                if start <= end { time >= start && time <= end } else { time >= start || time <= end }
            },
        )
    }

    /// The times at which a foot lands, of all legs, in clip seconds. A foot that stands from the start does not land
    /// there.
    pub fn landings(&self) -> impl Iterator<Item = f64> {
        let starts = self.legs.iter().flatten().map(|[start, _]| f64::from(*start));
        starts.filter(|start| *start > 0.0 && start.is_finite())
    }

    /// When a leg stands, in clip seconds: from landing to lift-off, wrapping around the end of the clip if the first
    /// is larger.
    #[must_use]
    pub fn spans(&self, leg: usize) -> &[[f32; 2]] {
        self.legs.get(leg).map_or(&[], Vec::as_slice)
    }

    /// The height in model space on which the clip's feet stand; 0 in most clips.
    #[must_use]
    pub fn floor(&self) -> f32 {
        self.floor
    }

    /// The clip's duration in seconds.
    #[must_use]
    pub fn duration(&self) -> f32 {
        self.duration
    }
}

/// The feet of a clip, many times a second.
struct Steps {
    duration: f32,
    /// Seconds from one sample to the next.
    seconds: f32,
    /// Whether the clip ends as it begins.
    is_cyclic: bool,
    /// For each leg, all samples; one more than there are intervals.
    feet: Vec<Vec<Low>>,
    /// How far the pelvis is at the end from where it was at the start, along the ground.
    travelled: Vec3,
}

/// A foot in one sample, in model space.
#[derive(Clone, Copy)]
struct Low {
    /// How high the lowest point of the sole is, and how it moves.
    height: f32,
    velocity: Vec3,
    /// How high the ankle is.
    ankle: f32,
}

/// Near the ground, in lengths of the leg: about two centimetres of an adult.
const NEAR: f32 = 0.025;
/// A foot whose ankle is not higher above the lowest that it gets in the clip, in lengths of the leg, is not in the middle of its swing, although some
/// clips point toes through the ground there.
const SUNK: f32 = 0.1;
/// A foot that is slower than this over the ground, in metres a second, stands; and so does one that is slower than this part of the walk.
const SLOW: f32 = 0.5;
const SLOW_PART: f32 = 0.25;
/// And it is no higher above the floor, in metres.
const LOW: f32 = 0.01;
/// The same in lengths of the leg, and those a second, at least and at most: not all models are made in metres.
const LOW_OF_LEG: [f32; 2] = [0.0125, 0.03];
const SLOW_OF_LEG: [f32; 2] = [0.6, 1.5];

impl Steps {
    fn of(
        duration: f32,
        skeleton: &Skeleton,
        feet: &FeetRig,
        mut sample_at: impl FnMut(f32, &mut [JointPose]),
    ) -> Self {
        let duration = clean_seconds(duration) as f32;
        let count = ((duration * 120.0).ceil() as usize).clamp(1, 4096);
        let seconds = duration / count as f32;
        let mut pose = skeleton.bind_pose();
        let mut matrices = vec![Mat4::IDENTITY; pose.len()];
        let mut soles: Vec<Vec<Outline>> = feet.legs.iter().map(|_| Vec::with_capacity(count + 1)).collect();
        let mut first: Vec<Mat4> = Vec::new();
        for sample in 0..=count {
            sample_at(duration * sample as f32 / count as f32, &mut pose);
            model_matrices(skeleton, &pose, &mut matrices);
            for (leg, soles) in feet.legs.iter().zip(&mut soles) {
                soles.push(Outline::of(leg, &matrices));
            }
            if sample == 0 {
                first.clone_from(&matrices);
            }
        }
        let place = |matrices: &[Mat4], joint: u16| {
            matrices.get(usize::from(joint)).map_or(Vec3::ZERO, |m| m.w_axis.truncate())
        };
        let travelled = (place(&matrices, feet.pelvis) - place(&first, feet.pelvis)).with_y(0.0);
        let is_cyclic = feet.legs.iter().all(|leg| {
            let ankle = leg.limb.joints[2];
            place(&first, ankle).distance(place(&matrices, ankle)) < NEAR * leg.length
        });
        let feet = soles.iter().map(|soles| lows(soles, seconds, is_cyclic)).collect();
        Self { duration, seconds, is_cyclic, feet, travelled }
    }

    /// The samples of a leg in which its foot is not in the middle of its swing.
    fn sunk<'a>(&'a self, leg: &Leg, index: usize) -> impl Iterator<Item = &'a Low> {
        let feet = &self.feet[index];
        let lowest = feet.iter().map(|low| low.ankle).fold(f32::INFINITY, f32::min);
        let highest = lowest + SUNK * leg.length;
        feet.iter().filter(move |low| low.ankle < highest && low.height.is_finite())
    }

    /// The height on which the feet stand: the one in which they stay for longest, of those that are not in the middle of a swing.
    fn floor(&self, feet: &FeetRig) -> f32 {
        let sunk = feet.legs.iter().enumerate().flat_map(|(index, leg)| self.sunk(leg, index));
        let mut lows: Vec<f32> = sunk.map(|low| low.height).collect();
        let length = feet.legs.first().map_or(1.0, |leg| leg.length);
        lows.sort_by(f32::total_cmp);
        // Feet stay for longer on the ground than in any other height.
        let within = |from: usize| lows[from..].partition_point(|&low| low <= lows[from] + NEAR * length);
        let Some(first) = (0..lows.len()).rev().max_by_key(|&from| within(from)) else { return 0.0 };
        let floor = lows[first + within(first) / 2];
        // Less is how exactly the sole is known, and more is no floor but a flight.
        if (0.01 * length..0.25 * length).contains(&floor.abs()) { floor } else { 0.0 }
    }

    /// How the ground moves below the character, in model space: the median over the soles that are on it.
    fn drift(&self, feet: &FeetRig, floor: f32) -> Vec3 {
        let (mut along_x, mut along_z) = (Vec::new(), Vec::new());
        for (index, leg) in feet.legs.iter().enumerate() {
            let near = self.sunk(leg, index).filter(|low| (low.height - floor).abs() < NEAR * leg.length);
            for low in near.filter(|low| low.velocity.is_finite()) {
                along_x.push(low.velocity.x);
                along_z.push(low.velocity.z);
            }
        }
        let median = |mut values: Vec<f32>| {
            values.sort_by(f32::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or(0.0)
        };
        Vec3::new(median(along_x), 0.0, median(along_z))
    }

    /// When a leg stands.
    fn spans(&self, feet: &FeetRig, index: usize, floor: f32, drift: Vec3) -> Vec<[f32; 2]> {
        let leg = &feet.legs[index];
        let samples = self.feet[index].len();
        let walked = if self.duration > 0.0 { self.travelled / self.duration - drift } else { Vec3::ZERO };
        let slow = SLOW.clamp(SLOW_OF_LEG[0] * leg.length, SLOW_OF_LEG[1] * leg.length);
        let fastest = slow.max(SLOW_PART * walked.length());
        let near = LOW.clamp(LOW_OF_LEG[0] * leg.length, LOW_OF_LEG[1] * leg.length);
        let stands = |sample: usize| {
            let low = &self.feet[index][sample];
            low.height - floor < near && low.velocity.distance(drift) < fastest
        };
        if samples < 3 || self.duration <= 0.0 {
            return if stands(0) { vec![[0.0, f32::INFINITY]] } else { Vec::new() };
        }
        let mut is_down: Vec<bool> = (0..samples).map(stands).collect();
        // The last sample of a cycle is the first one again.
        is_down.truncate(if self.is_cyclic { samples - 1 } else { samples });
        // Shorter breaks and shorter contacts are noise: those within one interval of the usual keyframes.
        let shortest = |secs: f32| ((secs / self.seconds) as usize).max(1);
        fill_short_runs(&mut is_down, false, shortest(0.05), self.is_cyclic);
        fill_short_runs(&mut is_down, true, shortest(1.0 / 30.0), self.is_cyclic);
        let mut spans = Vec::new();
        // Feet land and leave between two samples.
        let landing = |sample: usize| (sample as f32 - 0.5).max(0.0) * self.seconds;
        let mut start = None;
        for (sample, &down) in is_down.iter().enumerate() {
            match (down, start) {
                (true, None) => start = Some(sample),
                (false, Some(from)) => {
                    spans.push([landing(from), (sample as f32 - 0.5) * self.seconds]);
                    start = None;
                }
                _ => {}
            }
        }
        if let Some(from) = start {
            spans.push([landing(from), if self.is_cyclic { f32::INFINITY } else { self.duration }]);
        }
        join_over_the_end(&mut spans, self.is_cyclic);
        spans
    }
}

/// The points of a sole in a pose, and its ankle.
struct Outline {
    points: Vec<Vec3>,
    ankle: f32,
}

impl Outline {
    fn of(leg: &Leg, matrices: &[Mat4]) -> Self {
        let place = |joint: u16, point: Vec3| {
            matrices.get(usize::from(joint)).map_or(point, |matrix| matrix.transform_point3(point))
        };
        let points = leg.outline.iter().map(|sole| {
            let own = place(sole.joint, sole.point);
            sole.blend.map_or(own, |blend| own.lerp(place(blend.joint, blend.point), blend.share))
        });
        Self { points: points.collect(), ankle: place(leg.limb.joints[2], Vec3::ZERO).y }
    }
}

/// The lowest point of a sole in each of its samples, and how it moves from the one before to the next one.
fn lows(soles: &[Outline], seconds: f32, is_cyclic: bool) -> Vec<Low> {
    let last = soles.len() - 1;
    let low = |sample: usize| {
        let sole = &soles[sample];
        let lowest = (0..sole.points.len()).min_by(|&a, &b| sole.points[a].y.total_cmp(&sole.points[b].y));
        let Some(lowest) = lowest else { return Low { height: sole.ankle, velocity: Vec3::ZERO, ankle: sole.ankle } };
        let [before, after] = match sample {
            0 if is_cyclic => [last.saturating_sub(1), 1],
            0 => [0, 1],
            _ if sample == last && is_cyclic => [last - 1, 1],
            _ => [sample - 1, (sample + 1).min(last)],
        };
        let steps = if is_cyclic || (sample > 0 && sample < last) { 2.0 } else { 1.0 };
        let moved = soles[after.min(last)].points[lowest] - soles[before].points[lowest];
        let velocity = if seconds > 0.0 { moved / (steps * seconds) } else { Vec3::ZERO };
        Low { height: sole.points[lowest].y, velocity, ankle: sole.ankle }
    };
    (0..soles.len()).map(low).collect()
}

/// `model_from_joint` of every joint.
fn model_matrices(skeleton: &Skeleton, pose: &[JointPose], matrices: &mut [Mat4]) {
    for (index, (joint, &(translation, rotation, scale))) in skeleton.joints.iter().zip(pose).enumerate() {
        let local = Mat4::from_scale_rotation_translation(scale, rotation, translation);
        let parent = joint.parent.map(usize::from).filter(|&parent| parent < index);
        matrices[index] = parent.map_or(local, |parent| matrices[parent] * local);
    }
}

/// One span over the end of a cycle instead of two that meet there.
fn join_over_the_end(spans: &mut Vec<[f32; 2]>, is_cyclic: bool) {
    let (Some(&first), Some(&last)) = (spans.first(), spans.last()) else { return };
    if is_cyclic && spans.len() > 1 && first[0] <= 0.0 && last[1].is_infinite() {
        spans.remove(0);
        if let Some(joined) = spans.last_mut() {
            joined[1] = first[1];
        }
    }
}

/// Turns runs of `value` that are shorter than so many samples into their opposite; round the end of a cycle too.
fn fill_short_runs(samples: &mut [bool], value: bool, shortest: usize, is_cyclic: bool) {
    let count = samples.len();
    // Begins behind a sample of the other value, so that a run over the end is seen as one.
    let Some(offset) = (0..count).find(|&sample| samples[sample] != value) else { return };
    let offset = if is_cyclic { offset } else { 0 };
    let mut run = 0;
    for step in 0..=count {
        let at = (offset + step) % count;
        if step < count && samples[at] == value {
            run += 1;
        } else {
            if run > 0 && run < shortest {
                for back in 1..=run {
                    samples[(offset + step - back) % count] = !value;
                }
            }
            run = 0;
        }
    }
}
