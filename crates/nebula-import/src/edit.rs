//! Edits clips on their way from a recording to a game: resample, trim, loop, reduce keys.

use glam::{Mat4, Quat, Vec3};
use nebula_animation::clip::is_morph_joint;
use nebula_animation::palette::model_matrices;
use nebula_animation::sample::Interpolatable;
use nebula_animation::{
    AnimationClip, Channel, Interpolation, JointPose, Keyframe, Rig, Skeleton, sample_channel, sample_pose,
};

/// Resamples the clip at a rate in samples per second, with linear interpolation. Channels that step, or have a single
/// key, stay as they are.
///
/// The last sample is at the end of the clip, which is shortened to a multiple of the sample interval.
#[must_use]
pub fn resampled(clip: &AnimationClip, rate: f64) -> AnimationClip {
    let rate = if rate.is_finite() { rate.clamp(0.1, 10_000.0) } else { 60.0 };
    let last = (f64::from(clip.duration) * rate).round().clamp(1.0, 1e6);
    let times: Vec<f32> = (0..=last as usize).map(|sample| (sample as f64 / rate) as f32).collect();
    AnimationClip {
        name: clip.name.clone(),
        duration: times.last().copied().unwrap_or(clip.duration),
        translation_channels: each(&clip.translation_channels, |channel| sampled(channel, &times)),
        rotation_channels: each(&clip.rotation_channels, |channel| sampled(channel, &times)),
        scale_channels: each(&clip.scale_channels, |channel| sampled(channel, &times)),
    }
}

fn each<T: Clone>(channels: &[Channel<T>], change: impl FnMut(&Channel<T>) -> Channel<T>) -> Vec<Channel<T>> {
    channels.iter().map(change).collect()
}

fn sampled<T: Interpolatable>(channel: &Channel<T>, times: &[f32]) -> Channel<T> {
    if channel.interpolation == Interpolation::Step || channel.keyframes.len() < 2 {
        return channel.clone();
    }
    let key = |time: &f32| Keyframe { time: *time, value: sample_channel(channel, *time), tangents: None };
    Channel {
        joint_index: channel.joint_index,
        interpolation: Interpolation::Linear,
        keyframes: times.iter().map(key).collect(),
    }
}

/// How far a pose may be from the first or last one to count as standing still: as a part of the skeleton's size.
const STILL: f32 = 0.01;
/// How far from joints the points are that are looked at, likewise: with the above, about four degrees of any joint are a motion.
const AROUND: f32 = 0.15;
/// How far morph weights may be from the first or last ones.
const STILL_WEIGHT: f32 = 0.02;
/// Looks a second.
const LOOKS: f32 = 30.0;

/// Points around joints, and morph weights.
type Look = (Vec<[Vec3; 3]>, Vec<Vec3>);

/// Trims parts of the clip in which nothing moves at both ends: translations, rotations and faces. A clip that never
/// moves keeps its first moment.
#[must_use]
pub fn trimmed(clip: &AnimationClip, skeleton: &Skeleton) -> AnimationClip {
    let looks = ((clip.duration * LOOKS).ceil() as usize).clamp(1, 1_000_000);
    let time = |look: usize| clip.duration * look as f32 / looks as f32;
    let size = size(skeleton);
    let shells = Shells::new(skeleton, AROUND * size);
    let at = |look: usize| {
        let weights = clip.morph_channels().map(|(_, channel)| sample_channel(channel, time(look)));
        (shells.at(clip, time(look)), weights.collect::<Vec<Vec3>>())
    };
    let is_still = |a: &Look, b: &Look| {
        let mut points = a.0.as_flattened().iter().zip(b.0.as_flattened());
        let mut weights = a.1.iter().zip(&b.1);
        points.all(|(a, b)| a.distance(*b) <= STILL * size)
            && weights.all(|(a, b)| (*a - *b).abs().max_element() <= STILL_WEIGHT)
    };
    let (first, last) = (at(0), at(looks));
    let begin = (1..=looks).find(|look| !is_still(&at(*look), &first)).map_or(0, |look| look - 1);
    let end = (0..looks).rev().find(|look| !is_still(&at(*look), &last)).map_or(begin, |look| look + 1);
    cut(clip, time(begin), time(end.max(begin)))
}

/// Cuts the clip from one time to another, which become 0 and its duration. Cubic channels are sampled at 60 Hz.
#[must_use]
pub fn cut(clip: &AnimationClip, begin: f32, end: f32) -> AnimationClip {
    if begin <= 0.0 && end >= clip.duration {
        return clip.clone();
    }
    fn channel<T: Interpolatable>(channel: &Channel<T>, begin: f32, end: f32) -> Channel<T> {
        let straight;
        let source = if channel.interpolation == Interpolation::CubicSpline {
            let count = ((end - begin).max(0.0) * 60.0).ceil().clamp(1.0, 1e6) as usize;
            let times: Vec<f32> = (0..=count).map(|key| begin + (end - begin) * key as f32 / count as f32).collect();
            straight = sampled(channel, &times);
            &straight
        } else {
            channel
        };
        let key = |time: f32| Keyframe { time: time - begin, value: sample_channel(source, time), tangents: None };
        let mut keyframes = vec![key(begin)];
        let inside = source.keyframes.iter().filter(|key| key.time > begin && key.time < end);
        keyframes.extend(inside.map(|key| Keyframe { time: key.time - begin, ..key.clone() }));
        if end > begin {
            keyframes.push(key(end));
        }
        Channel { joint_index: channel.joint_index, interpolation: source.interpolation, keyframes }
    }
    AnimationClip {
        name: clip.name.clone(),
        duration: (end - begin).max(0.0),
        translation_channels: each(&clip.translation_channels, |it| channel(it, begin, end)),
        rotation_channels: each(&clip.rotation_channels, |it| channel(it, begin, end)),
        scale_channels: each(&clip.scale_channels, |it| channel(it, begin, end)),
    }
}

/// The part of a clip in which its end is led to its beginning.
const CLOSING: f32 = 0.25;

/// Makes the end of the clip meet its beginning: over its last quarter, every channel is blended to its first value.
/// The distance that joints without a parent, and those of `travelling`, cover along the ground is kept, as it is the
/// path of a walk. The ground is perpendicular to the skeleton's up direction, whatever the axes of the joints above.
#[must_use]
pub fn looped(clip: &AnimationClip, skeleton: &Skeleton, travelling: &[u16]) -> AnimationClip {
    let share = |time: f32| {
        let along = 1.0 - (clip.duration - time) / (clip.duration * CLOSING).max(1e-6);
        let along = along.clamp(0.0, 1.0);
        along * along * (3.0 - 2.0 * along)
    };
    let clip_of = straight(clip);
    let travels = |joint: u16| {
        let parent = skeleton.joints.get(usize::from(joint)).map(|joint| joint.parent);
        (parent == Some(None) && !is_morph_joint(joint, skeleton.joints.len())) || travelling.contains(&joint)
    };
    let up = Rig::new(skeleton).up();
    let rest = models(skeleton, &skeleton.bind_pose());
    let upwards = |joint: u16, gap: Vec3| {
        let parent = skeleton.joints.get(usize::from(joint)).and_then(|joint| joint.parent);
        let above = parent.and_then(|parent| rest.get(usize::from(parent))).copied().unwrap_or(Mat4::IDENTITY);
        let height = up * above.transform_vector3(gap).dot(up);
        // Below a scale of zero there is no way along the ground.
        Some(above.inverse().transform_vector3(height)).filter(|gap| gap.is_finite()).unwrap_or(Vec3::ZERO)
    };
    let vectors = |channels: &[Channel<Vec3>]| {
        each(channels, |channel| {
            let mut gap = sample_channel(channel, 0.0) - sample_channel(channel, clip.duration);
            if travels(channel.joint_index) {
                gap = upwards(channel.joint_index, gap);
            }
            led(channel, |time, value| value + gap * share(time))
        })
    };
    AnimationClip {
        name: clip.name.clone(),
        duration: clip.duration,
        translation_channels: vectors(&clip_of.translation_channels),
        rotation_channels: each(&clip_of.rotation_channels, |channel| {
            let (first, last) = (sample_channel(channel, 0.0), sample_channel(channel, clip.duration));
            let gap = first * last.conjugate();
            let gap = if gap.w < 0.0 { -gap } else { gap };
            led(channel, |time, value: Quat| {
                let led = Quat::IDENTITY.slerp(gap, share(time)) * value;
                if led.length_squared() > 0.0 { led * led.length_recip() } else { value }
            })
        }),
        scale_channels: each(&clip_of.scale_channels, |channel| {
            let gap = sample_channel(channel, 0.0) - sample_channel(channel, clip.duration);
            led(channel, |time, value| value + gap * share(time))
        }),
    }
}

/// Every key changed by its time.
fn led<T: Interpolatable>(channel: &Channel<T>, change: impl Fn(f32, T) -> T) -> Channel<T> {
    let key =
        |key: &Keyframe<T>| Keyframe { time: key.time, value: change(key.time, key.value.clone()), tangents: None };
    Channel { keyframes: channel.keyframes.iter().map(key).collect(), ..channel.clone() }
}

/// The clip with samples at 60 Hz where it is curved, and wherever a channel has too few keys to be bent.
fn straight(clip: &AnimationClip) -> AnimationClip {
    // Evenly, with one exactly at the end.
    let count = (clip.duration * 60.0).ceil().clamp(1.0, 1e6) as usize;
    let times: Vec<f32> = (0..=count).map(|key| clip.duration * (key as f32 / count as f32)).collect();
    AnimationClip {
        name: clip.name.clone(),
        duration: clip.duration,
        translation_channels: each(&clip.translation_channels, |channel| sampled(channel, &times)),
        rotation_channels: each(&clip.rotation_channels, |channel| sampled(channel, &times)),
        scale_channels: each(&clip.scale_channels, |channel| sampled(channel, &times)),
    }
}

/// Reduces the clip to as few keys as linear interpolation needs to keep every point 3 cm from a joint within `error`
/// metres, in model space, at the times of all keys. Channels that step, and morph weights, stay as they are.
#[must_use]
pub fn reduced(clip: &AnimationClip, skeleton: &Skeleton, error: f32) -> AnimationClip {
    let times = key_times(clip);
    let shells = Shells::new(skeleton, SHELL);
    let wanted: Vec<Vec<[Vec3; 3]>> = times.iter().map(|time| shells.at(clip, *time)).collect();
    // Errors of all joints from a root on add up.
    let mut allowed = error;
    for _ in 0..12 {
        let made = fewer(clip, skeleton, allowed);
        let is_within = times.iter().zip(&wanted).all(|(time, wanted)| {
            let found = shells.at(&made, *time);
            found.as_flattened().iter().zip(wanted.as_flattened()).all(|(a, b)| a.distance(*b) <= error)
        });
        if is_within {
            return made;
        }
        allowed *= 0.6;
    }
    clip.clone()
}

fn key_times(clip: &AnimationClip) -> Vec<f32> {
    fn of<T: Clone>(channels: &[Channel<T>]) -> impl Iterator<Item = f32> {
        channels.iter().flat_map(|channel| channel.keyframes.iter().map(|key| key.time))
    }
    let all = of(&clip.translation_channels).chain(of(&clip.rotation_channels)).chain(of(&clip.scale_channels));
    let mut times: Vec<f32> = all.collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

fn fewer(clip: &AnimationClip, skeleton: &Skeleton, allowed: f32) -> AnimationClip {
    let reach = reaches(skeleton);
    let rest = models(skeleton, &skeleton.bind_pose());
    // Translations are in the space of the joint above.
    let scale_above = |joint: u16| {
        let parent = skeleton.joints.get(usize::from(joint)).and_then(|joint| joint.parent);
        let above = parent.and_then(|parent| rest.get(usize::from(parent)));
        above.map_or(1.0, |above| lengths(above).max_element()).max(1e-9)
    };
    let of = |joint: u16| reach.get(usize::from(joint)).copied().unwrap_or(1.0);
    AnimationClip {
        translation_channels: each(&clip.translation_channels, |channel| {
            if is_morph_joint(channel.joint_index, skeleton.joints.len()) {
                return channel.clone();
            }
            let scale = scale_above(channel.joint_index);
            kept(channel, |a, b| scale * a.distance(*b), allowed)
        }),
        rotation_channels: each(&clip.rotation_channels, |channel| {
            let reach = of(channel.joint_index);
            // Quaternions are half as far apart as the points at a distance of 1 that they rotate. By their difference, not by their dot
            // product: that is 1 to within rounding for angles that move a hand by half a millimetre.
            let apart = |a: &Quat, b: &Quat| 2.0 * reach * (*a - *b).length().min((*a + *b).length());
            kept(channel, apart, allowed)
        }),
        scale_channels: each(&clip.scale_channels, |channel| {
            let reach = of(channel.joint_index);
            kept(channel, |a, b| reach * a.distance(*b), allowed)
        }),
        ..clip.clone()
    }
}

/// The keys without which straight lines would be off: the worst one is kept, and both halves are looked at again.
fn kept<T: Interpolatable>(channel: &Channel<T>, apart: impl Fn(&T, &T) -> f32, allowed: f32) -> Channel<T> {
    let keys = &channel.keyframes;
    if channel.interpolation != Interpolation::Linear || keys.len() < 2 {
        return channel.clone();
    }
    let mut is_kept = vec![false; keys.len()];
    (is_kept[0], is_kept[keys.len() - 1]) = (true, true);
    let mut open = vec![(0, keys.len() - 1)];
    while let Some((from, to)) = open.pop() {
        let line = Channel { keyframes: vec![keys[from].clone(), keys[to].clone()], ..channel.clone() };
        let off = |key: usize| apart(&sample_channel(&line, keys[key].time), &keys[key].value);
        let worst = (from + 1..to).map(|key| (key, off(key))).max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((worst, off)) = worst
            && !(off <= allowed)
        {
            is_kept[worst] = true;
            open.push((from, worst));
            open.push((worst, to));
        }
    }
    let mut left: Vec<Keyframe<T>> =
        keys.iter().zip(&is_kept).filter(|(_, kept)| **kept).map(|(key, _)| key.clone()).collect();
    // What never moves needs one key.
    if left.len() == 2 && apart(&left[0].value, &left[1].value) == 0.0 {
        left.truncate(1);
    }
    Channel { keyframes: left, ..channel.clone() }
}

/// How far from each joint anything that it carries can be, 3 cm at least.
fn reaches(skeleton: &Skeleton) -> Vec<f32> {
    let at: Vec<Vec3> = models(skeleton, &skeleton.bind_pose()).iter().map(|model| model.w_axis.truncate()).collect();
    let mut reaches = vec![SHELL; skeleton.joints.len()];
    for (index, joint) in skeleton.joints.iter().enumerate() {
        let mut above = joint.parent;
        let mut steps = 0;
        while let Some(parent) = above.filter(|parent| usize::from(*parent) < at.len() && steps < at.len()) {
            let reach = &mut reaches[usize::from(parent)];
            *reach = reach.max(at[index].distance(at[usize::from(parent)]) + SHELL);
            above = skeleton.joints[usize::from(parent)].parent;
            steps += 1;
        }
    }
    reaches
}

fn models(skeleton: &Skeleton, pose: &[JointPose]) -> Vec<Mat4> {
    let mut models = vec![Mat4::IDENTITY; pose.len()];
    model_matrices(skeleton, pose, &mut models);
    models
}

fn posed(skeleton: &Skeleton, clip: &AnimationClip, time: f32) -> Vec<Mat4> {
    let mut pose = skeleton.bind_pose();
    sample_pose(clip, skeleton, time, &mut pose);
    models(skeleton, &pose)
}

/// Metres from a joint at which points are looked at, where nothing else is said.
const SHELL: f32 = 0.03;

/// How long the axes of a transform are.
fn lengths(model: &Mat4) -> Vec3 {
    Vec3::new(model.x_axis.length(), model.y_axis.length(), model.z_axis.length())
}

/// Three points around each joint, at a distance in model space while nothing is animated.
struct Shells<'a> {
    skeleton: &'a Skeleton,
    /// The distance along each axis of a joint, in its own space.
    distances: Vec<Vec3>,
}

impl<'a> Shells<'a> {
    fn new(skeleton: &'a Skeleton, distance: f32) -> Self {
        let of = |model: &Mat4| distance / lengths(model).max(Vec3::splat(1e-9));
        Self { skeleton, distances: models(skeleton, &skeleton.bind_pose()).iter().map(of).collect() }
    }

    /// The points in model space at a time of a clip.
    fn at(&self, clip: &AnimationClip, time: f32) -> Vec<[Vec3; 3]> {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let of = |(model, far): (&Mat4, &Vec3)| axes.map(|axis| model.transform_point3(axis * *far));
        posed(self.skeleton, clip, time).iter().zip(&self.distances).map(of).collect()
    }
}

/// The largest extent of the skeleton at rest.
fn size(skeleton: &Skeleton) -> f32 {
    let at = models(skeleton, &skeleton.bind_pose());
    let (mut least, mut most) = (Vec3::MAX, Vec3::MIN);
    for model in &at {
        least = least.min(model.w_axis.truncate());
        most = most.max(model.w_axis.truncate());
    }
    if at.is_empty() { 1.0 } else { (most - least).max_element().max(1e-6) }
}
