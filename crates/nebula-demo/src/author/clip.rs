use glam::{DQuat, DVec3};

use super::pose::Pose;
use super::rig::Rig;
use super::schema::Marker;

/// A clip before it is turned into keys: a pose for every moment, and how to sample it.
pub(super) struct ClipSource {
    pub name: &'static str,
    /// Length in seconds; the last key lies exactly here.
    pub seconds: f64,
    /// Number of equal intervals between keys.
    pub intervals: usize,
    /// Whether the last pose equals the first (apart from the root joint, where it travels).
    pub looping: bool,
    pub style: KeyStyle,
    /// Joints that get tracks; none means every joint that leaves its rest pose.
    pub only_joints: Option<Vec<usize>>,
    /// Joints whose rotation jumps from key to key.
    pub stepped_joints: Vec<usize>,
    /// Metres along +Z in one pass.
    pub distance: f64,
    /// Radians to the left in one pass.
    pub turn: f64,
    pub root_motion: bool,
    pub markers: Vec<Marker>,
    pub pose: Box<dyn Fn(f64) -> Pose>,
}

/// How the values between keys come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyStyle {
    Linear,
    /// Hermite splines with the motion's own velocity as tangents: few keys for slow motion.
    CubicSpline,
    Step,
}

/// The keys of one joint's translation or rotation.
#[derive(Clone, Debug)]
pub(super) struct Track<T> {
    pub joint: usize,
    pub style: KeyStyle,
    pub times: Vec<f64>,
    /// One value a key; for splines three: in-tangent, value, out-tangent.
    pub values: Vec<T>,
}

/// All tracks of a clip.
#[derive(Clone, Debug, Default)]
pub(super) struct Tracks {
    pub translations: Vec<Track<DVec3>>,
    pub rotations: Vec<Track<DQuat>>,
}

/// Samples the clip's poses into keys. A joint that never leaves its rest pose gets no track; one that holds still in
/// another pose gets a single key.
pub(super) fn bake(rig: &Rig, clip: &ClipSource) -> Tracks {
    let times = (0..=clip.intervals).map(|key| clip.seconds * key as f64 / clip.intervals as f64).collect::<Vec<_>>();
    let poses = times.iter().map(|&time| (clip.pose)(time)).collect::<Vec<_>>();
    let slopes = times.iter().map(|&time| Slope::at(clip, time)).collect::<Vec<_>>();
    let mut tracks = Tracks::default();
    for joint in 0..rig.joints.len() {
        if clip.only_joints.as_ref().is_some_and(|only| !only.contains(&joint)) {
            continue;
        }
        let style = if clip.stepped_joints.contains(&joint) { KeyStyle::Step } else { clip.style };
        let (rest_translation, rest_rotation) = rig.local_rest(joint);
        let local = |pose: &Pose| pose.local(rig, joint);

        let places = poses.iter().map(|pose| local(pose).0).collect::<Vec<_>>();
        let velocities = slopes.iter().map(|slope| slope.of(|pose| local(pose).0)).collect::<Vec<_>>();
        let still = |value: &DVec3| value.distance(rest_translation) < 1e-7;
        if !places.iter().all(still) {
            let moves = places.iter().any(|place| place.distance(places[0]) > 1e-7);
            tracks.translations.push(track(joint, style, &times, &places, &velocities, moves));
        }

        let turns = same_hemisphere(poses.iter().map(|pose| local(pose).1).collect());
        let near = |a: DQuat, b: DQuat| a.dot(b).abs() > 1.0 - 1e-13;
        let rates = slopes.iter().zip(&turns).map(|(slope, &turn)| {
            let aligned = |pose: &Pose| if local(pose).1.dot(turn) < 0.0 { -local(pose).1 } else { local(pose).1 };
            slope.of(aligned)
        });
        if !turns.iter().all(|&turn| near(turn, rest_rotation)) {
            let moves = turns.iter().any(|&turn| !near(turn, turns[0]));
            tracks.rotations.push(track(joint, style, &times, &turns, &rates.collect::<Vec<_>>(), moves));
        }
    }
    tracks
}

fn track<T: Copy>(joint: usize, style: KeyStyle, times: &[f64], values: &[T], slopes: &[T], moves: bool) -> Track<T> {
    if !moves {
        return Track { joint, style: KeyStyle::Linear, times: vec![times[0]], values: vec![values[0]] };
    }
    let values = match style {
        KeyStyle::CubicSpline => values.iter().zip(slopes).flat_map(|(&value, &slope)| [slope, value, slope]).collect(),
        KeyStyle::Linear | KeyStyle::Step => values.to_vec(),
    };
    Track { joint, style, times: times.to_vec(), values }
}

/// Neighbouring keys with a positive dot product, so that plain interpolation of components takes the short way.
fn same_hemisphere(mut turns: Vec<DQuat>) -> Vec<DQuat> {
    for key in 1..turns.len() {
        if turns[key].dot(turns[key - 1]) < 0.0 {
            turns[key] = -turns[key];
        }
    }
    turns
}

/// The poses just before and just after a moment, for the velocity there.
struct Slope {
    before: Pose,
    after: Pose,
    seconds: f64,
}

impl Slope {
    fn at(clip: &ClipSource, time: f64) -> Self {
        // Short enough for slow motion, long enough to keep the last bits of a sine out of the quotient.
        const HALF_STEP: f64 = 1e-3;
        // At the ends of a clip that does not loop there is motion on one side only.
        let (from, to) = (time - HALF_STEP, time + HALF_STEP);
        let inside = |t: f64| if clip.looping { t.rem_euclid(clip.seconds) } else { t.clamp(0.0, clip.seconds) };
        Self { before: (clip.pose)(inside(from)), after: (clip.pose)(inside(to)), seconds: 2.0 * HALF_STEP }
    }

    fn of<T: std::ops::Sub<Output = T> + std::ops::Div<f64, Output = T>>(&self, value: impl Fn(&Pose) -> T) -> T {
        (value(&self.after) - value(&self.before)) / self.seconds
    }
}
