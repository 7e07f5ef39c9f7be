use glam::{Quat, Vec3};
use nebula_animation::{AnimationClip, Channel, Interpolation, Keyframe};

use super::{Random, half_turned, unit};

/// What a clip is like. The seed decides the rest.
#[derive(Debug, Clone, Copy)]
pub struct ClipRecipe {
    /// Keys of a channel.
    pub keys: usize,
    pub curves: Curves,
    pub timing: Timing,
    /// The share of the joints that have a translation, a rotation, a scale.
    pub shares: [f32; 3],
    /// Whether some channels are empty, constant, doubled, for joints that are not there, have one key, no tangents,
    /// half turns, or keys at equal times.
    pub is_odd: bool,
    /// Translations are up to this far from the parent, on each axis.
    pub extent: f32,
    pub seed: u64,
}

/// Which interpolations there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Curves {
    One(Interpolation),
    Mixed,
}

/// Which timelines there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timing {
    /// One for all, 30 keys a second.
    Uniform,
    /// One for all, with keys anywhere.
    Irregular,
    /// One for each channel, with keys anywhere.
    Own,
    /// All of these, and some that only a few channels share.
    Mixed,
}

impl ClipRecipe {
    /// A clip for a skeleton of so many joints.
    pub fn clip(&self, joints: usize) -> AnimationClip {
        let mut random = Random::new(self.seed ^ 0xc11b);
        let shared = [uniform(self.keys), irregular(self.keys, &mut random), irregular(self.keys, &mut random)];
        let mut clip = AnimationClip { name: format!("clip {}", self.seed), ..AnimationClip::default() };
        let extent = self.extent;
        for joint in 0..joints {
            if random.chance(self.shares[0]) {
                let value = move |_: Vec3, random: &mut Random, _: bool| random.vector(extent);
                self.add(joint, joints, &shared, &mut random, &mut clip.translation_channels, value);
            }
            if random.chance(self.shares[1]) {
                self.add(joint, joints, &shared, &mut random, &mut clip.rotation_channels, next_rotation);
            }
            if random.chance(self.shares[2]) {
                let value = |_: Vec3, random: &mut Random, _: bool| Vec3::ONE + random.vector(0.1);
                self.add(joint, joints, &shared, &mut random, &mut clip.scale_channels, value);
            }
        }
        let ends =
            clip.translation_channels.iter().filter_map(end).chain(clip.rotation_channels.iter().filter_map(end));
        clip.duration = ends.chain(clip.scale_channels.iter().filter_map(end)).fold(0.0, f32::max);
        clip
    }

    fn add<T: Value>(
        &self,
        joint: usize,
        joints: usize,
        shared: &[Vec<f32>; 3],
        random: &mut Random,
        channels: &mut Vec<Channel<T>>,
        next: impl Fn(T, &mut Random, bool) -> T,
    ) {
        let mut channel = self.channel(joint as u16, shared, random, &next);
        if self.is_odd {
            match random.below(24) {
                0 => channel.keyframes.clear(),
                1 => channel.keyframes.truncate(1),
                2 => channel.joint_index = (joints + random.below(1000)) as u16,
                3 => channels.push(self.channel(joint as u16, shared, random, &next)),
                4 => hold(&mut channel),
                5 | 6 => crowd_together(&mut channel, random),
                7 => {
                    let key = random.below(channel.keyframes.len());
                    channel.keyframes[key].tangents = None;
                }
                _ => {}
            }
        }
        channels.push(channel);
    }

    fn channel<T: Value>(
        &self,
        joint_index: u16,
        shared: &[Vec<f32>; 3],
        random: &mut Random,
        next: &impl Fn(T, &mut Random, bool) -> T,
    ) -> Channel<T> {
        let times = match self.timing {
            Timing::Uniform => shared[0].clone(),
            Timing::Irregular => shared[1].clone(),
            Timing::Own => irregular(self.keys, random),
            Timing::Mixed => match random.below(4) {
                0 => irregular(self.keys, random),
                which => shared[which - 1].clone(),
            },
        };
        let interpolation = match self.curves {
            Curves::One(interpolation) => interpolation,
            Curves::Mixed => [Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline][random.below(3)],
        };
        let is_spline = interpolation == Interpolation::CubicSpline;
        let mut value = T::start(random);
        let keyframes = times.into_iter().map(|time| {
            value = next(value.clone(), random, self.is_odd && !is_spline);
            let tangents = is_spline.then(|| (T::tangent(random), T::tangent(random)));
            Keyframe { time, value: value.clone(), tangents }
        });
        Channel { joint_index, interpolation, keyframes: keyframes.collect() }
    }
}

/// The rotation after another one: near it, anywhere, half a turn away; with either sign where `is_wild`.
///
/// Splines through rotations of opposite sign come near zero, where the direction is mostly rounding: they stay tame.
fn next_rotation(before: Quat, random: &mut Random, is_wild: bool) -> Quat {
    if !is_wild {
        return random.near(before);
    }
    let next = match random.below(6) {
        0 => half_turned(before, random.below(3)),
        1 => random.quat(),
        _ => random.near(before),
    };
    if random.chance(0.3) { -next } else { next }
}

/// What keys hold.
trait Value: Clone {
    fn start(random: &mut Random) -> Self;
    fn tangent(random: &mut Random) -> Self;
}

impl Value for Vec3 {
    fn start(_: &mut Random) -> Self {
        Self::ZERO
    }
    fn tangent(random: &mut Random) -> Self {
        random.vector(1.0)
    }
}

impl Value for Quat {
    fn start(random: &mut Random) -> Self {
        random.quat()
    }
    fn tangent(random: &mut Random) -> Self {
        let [x, y, z, w] = unit(std::array::from_fn(|_| random.between(0.01, 1.0))).to_array();
        Self::from_xyzw(x - 0.5, 0.5 - y, z - 0.5, 0.5 - w)
    }
}

fn uniform(keys: usize) -> Vec<f32> {
    (0..keys).map(|key| key as f32 / 30.0).collect()
}

/// Times at distances from nothing much to a fifth of a second; the first one is often not 0.
fn irregular(keys: usize, random: &mut Random) -> Vec<f32> {
    let mut time = if random.chance(0.5) { 0.0 } else { random.between(0.0, 0.5) };
    let mut next = || {
        let now = time;
        time += if random.chance(0.1) { 0.0005 } else { random.between(0.005, 0.2) };
        now
    };
    (0..keys).map(|_| next()).collect()
}

/// Makes a channel constant.
fn hold<T: Value>(channel: &mut Channel<T>) {
    let first = channel.keyframes[0].value.clone();
    for key in &mut channel.keyframes {
        key.value = first.clone();
        key.tangents = None;
    }
}

/// Gives some neighbouring keys, perhaps all, the time of the first of them.
fn crowd_together<T: Value>(channel: &mut Channel<T>, random: &mut Random) {
    let count = channel.keyframes.len();
    let start = random.below(count);
    let end = if random.chance(0.2) { count } else { (start + 1 + random.below(3)).min(count) };
    let start = if random.chance(0.2) { 0 } else { start };
    let time = channel.keyframes[start].time;
    for key in &mut channel.keyframes[start..end] {
        key.time = time;
    }
}

fn end<T: Clone>(channel: &Channel<T>) -> Option<f32> {
    channel.keyframes.last().map(|key| key.time)
}
