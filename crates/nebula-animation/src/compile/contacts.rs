use glam::{Mat4, Vec3};

use super::CompiledClip;
use crate::clip::{AnimationClip, Marker};
use crate::math::isa::Isa;
use crate::math::{Fingerprint, clean_seconds};
use crate::rig::{FeetRig, Rig, Sole};
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
    /// Detects the contacts of a clip from height and speed of heel and ball.
    ///
    /// A foot stands while its heel or ball is near the lowest position that feet reach, and moves like the ground: not
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

/// The soles of a clip's feet, many times a second.
struct Steps {
    duration: f32,
    /// Seconds from one sample to the next.
    seconds: f32,
    /// Whether the clip ends as it begins.
    is_cyclic: bool,
    /// For each leg, all samples; one more than there are intervals.
    soles: Vec<Vec<Sole>>,
    /// How far the pelvis is at the end from where it was at the start, along the ground.
    travelled: Vec3,
}

/// Near the ground, in lengths of the leg: about two centimetres of an adult.
const NEAR: f32 = 0.025;

impl Steps {
    fn of(
        duration: f32,
        skeleton: &Skeleton,
        feet: &FeetRig,
        mut sample_at: impl FnMut(f32, &mut [JointPose]),
    ) -> Self {
        let duration = clean_seconds(duration) as f32;
        let count = ((duration * 120.0).ceil() as usize).clamp(1, 4096);
        let mut pose = skeleton.bind_pose();
        let mut matrices = vec![Mat4::IDENTITY; pose.len()];
        let mut soles = vec![Vec::with_capacity(count + 1); feet.legs.len()];
        let mut is_cyclic = true;
        let mut first: Vec<Mat4> = Vec::new();
        let mut travelled = Vec3::ZERO;
        for sample in 0..=count {
            sample_at(duration * sample as f32 / count as f32, &mut pose);
            model_matrices(skeleton, &pose, &mut matrices);
            for (leg, soles) in feet.legs.iter().zip(&mut soles) {
                let model = |joint: u16| {
                    let matrix = matrices.get(usize::from(joint)).copied().unwrap_or(Mat4::IDENTITY);
                    glam::Affine3A::from_mat4(matrix)
                };
                let ball = model(leg.ball_joint).transform_point3a(leg.ball);
                let foot = model(leg.limb.joints[2]);
                soles.push(Sole::new(foot.transform_point3a(leg.heel), ball, foot.transform_vector3a(leg.side)));
            }
            if sample == 0 {
                first.clone_from(&matrices);
            } else if sample == count {
                let pelvis = usize::from(feet.pelvis);
                let place = |matrices: &[Mat4]| matrices.get(pelvis).map_or(Vec3::ZERO, |m| m.w_axis.truncate());
                travelled = (place(&matrices) - place(&first)).with_y(0.0);
                is_cyclic = feet.legs.iter().all(|leg| {
                    let at = usize::from(leg.limb.joints[2]);
                    let place = |matrices: &[Mat4]| matrices.get(at).map_or(Vec3::ZERO, |m| m.w_axis.truncate());
                    place(&first).distance(place(&matrices)) < NEAR * leg.length
                });
            }
        }
        Self { duration, seconds: duration / count as f32, is_cyclic, soles, travelled }
    }

    /// The height on which the feet stand.
    fn floor(&self, feet: &FeetRig) -> f32 {
        let mut lows = Vec::new();
        for sample in 0..self.soles.first().map_or(0, Vec::len) {
            let heights = feet.legs.iter().zip(&self.soles).flat_map(|(leg, soles)| soles[sample].heights(leg, 0.0));
            lows.push(heights.fold(f32::INFINITY, f32::min));
        }
        let length = feet.legs.first().map_or(1.0, |leg| leg.length);
        lows.retain(|low| low.is_finite());
        lows.sort_by(f32::total_cmp);
        let Some(&lowest) = lows.first() else { return 0.0 };
        let on_the_ground = lows.partition_point(|&low| low < lowest + 2.0 * NEAR * length);
        let floor = lows[on_the_ground / 2];
        // Less is how exactly the sole is known, and more is no floor but a flight.
        if (0.01 * length..0.25 * length).contains(&floor.abs()) { floor } else { 0.0 }
    }

    /// The velocity of a point in model space, in units per second.
    fn velocity(&self, leg: usize, sample: usize, place: impl Fn(&Sole) -> Vec3) -> Vec3 {
        let soles = &self.soles[leg];
        let last = soles.len() - 1;
        let [before, after] = match sample {
            0 if self.is_cyclic => [last.saturating_sub(1), 1],
            0 => [0, 1],
            _ if sample == last && self.is_cyclic => [last - 1, 1],
            _ => [sample - 1, (sample + 1).min(last)],
        };
        let steps = if self.is_cyclic || (sample > 0 && sample < last) { 2.0 } else { 1.0 };
        if self.seconds > 0.0 {
            (place(&soles[after.min(last)]) - place(&soles[before])) / (steps * self.seconds)
        } else {
            Vec3::ZERO
        }
    }

    /// How the ground moves below the character, in model space: the median over the points that are near it.
    fn drift(&self, feet: &FeetRig, floor: f32) -> Vec3 {
        let (mut along_x, mut along_z) = (Vec::new(), Vec::new());
        for (index, leg) in feet.legs.iter().enumerate() {
            for sample in 0..self.soles[index].len() {
                let [heel, ball] = self.soles[index][sample].heights(leg, floor);
                let velocity = if heel < ball {
                    self.velocity(index, sample, |sole| sole.heel.into())
                } else {
                    self.velocity(index, sample, |sole| sole.ball.into())
                };
                if heel.min(ball) < 0.5 * NEAR * leg.length && velocity.is_finite() {
                    along_x.push(velocity.x);
                    along_z.push(velocity.z);
                }
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
        let samples = self.soles[index].len();
        let fastest = (0.4 * leg.length).max(0.4 * drift.length());
        let stands = |sample: usize| {
            let [heel, ball] = self.soles[index][sample].heights(leg, floor);
            let touches = |height: f32, velocity: Vec3| {
                let sliding = Vec3::new(velocity.x - drift.x, 0.0, velocity.z - drift.z).length();
                height < NEAR * leg.length && sliding < fastest && velocity.y.abs() < fastest
            };
            touches(heel, self.velocity(index, sample, |sole| sole.heel.into()))
                || touches(ball, self.velocity(index, sample, |sole| sole.ball.into()))
        };
        if samples < 3 || self.duration <= 0.0 {
            return if stands(0) { vec![[0.0, f32::INFINITY]] } else { Vec::new() };
        }
        let mut is_down: Vec<bool> = (0..samples).map(stands).collect();
        if self.is_cyclic {
            // The last sample is the first one again.
            is_down.pop();
        }
        // Shorter breaks and shorter contacts are noise.
        let shortest = ((0.05 / self.seconds) as usize).max(1);
        fill_short_runs(&mut is_down, false, shortest, self.is_cyclic);
        fill_short_runs(&mut is_down, true, shortest, self.is_cyclic);
        let mut spans = Vec::new();
        let time = |sample: usize| sample as f32 * self.seconds;
        let mut start = None;
        for (sample, &down) in is_down.iter().enumerate() {
            match (down, start) {
                (true, None) => start = Some(sample),
                (false, Some(from)) => {
                    spans.push([time(from), time(sample - 1)]);
                    start = None;
                }
                _ => {}
            }
        }
        if let Some(from) = start {
            spans.push([time(from), if self.is_cyclic { f32::INFINITY } else { self.duration }]);
        }
        join_over_the_end(&mut spans, self.is_cyclic);
        spans
    }
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
