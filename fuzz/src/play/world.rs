//! Skeletons and clips made of an input.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, Channel, ClipMarkers, Interpolation, Joint, Keyframe, Marker, Skeleton,
};

use super::draw::Draw;

/// What there is to be played, and on whom.
pub struct World {
    pub skeletons: Vec<Skeleton>,
    /// More than one, so that clips can be taken away from those who play them.
    pub libraries: Vec<AnimationClipLibrary>,
    pub markers: Arc<ClipMarkers>,
}

/// The names of clips and of parameters.
pub const NAMES: [&str; 4] = ["a", "b", "c", "d"];

impl World {
    pub fn new(draw: &mut Draw) -> Self {
        let skeletons = (0..=draw.below(3)).map(|_| skeleton(draw)).collect();
        let libraries = (0..=draw.below(2))
            .map(|_| (0..draw.below(5)).map(|index| clip(draw, index)).collect::<Vec<_>>().into())
            .collect();
        let mut markers = ClipMarkers::new();
        for _ in 0..draw.below(6) {
            markers.add(draw.below(5), Marker { name: draw.pick(&NAMES).into(), time: f64::from(draw.wild()) });
        }
        Self { skeletons, libraries, markers: markers.into() }
    }

    pub fn skeleton(&self, draw: &mut Draw) -> &Skeleton {
        &self.skeletons[draw.below(self.skeletons.len())]
    }

    pub fn library(&self, draw: &mut Draw) -> &AnimationClipLibrary {
        &self.libraries[draw.below(self.libraries.len())]
    }
}

fn skeleton(draw: &mut Draw) -> Skeleton {
    let count = draw.below(14);
    let joint = |index: usize, draw: &mut Draw| {
        let parent = match draw.below(8) {
            0 => None,
            // A file never has such a parent; a user may.
            7 if !draw.is_tame => Some(draw.joint()),
            6 => Some((draw.below(index.max(1))) as u16),
            _ => index.checked_sub(1).map(|parent| parent as u16),
        };
        let inverse_bind_matrix = match draw.below(4) {
            0 => Mat4::IDENTITY,
            1 => Mat4::from_rotation_translation(draw.rotation(), draw.vector()),
            2 => Mat4::from_scale_rotation_translation(draw.scale(), draw.rotation(), draw.vector()),
            _ => Mat4::from_translation(draw.vector()),
        };
        Joint {
            index: index as u16,
            parent: parent.filter(|&parent| usize::from(parent) < index || !draw.is_tame),
            inverse_bind_matrix,
            name: ["Hips", "Spine", "Head", "LeftFoot", "RightFoot", ""][draw.below(6)].into(),
            bind_translation: draw.vector(),
            bind_rotation: draw.rotation(),
            bind_scale: draw.scale(),
        }
    };
    Skeleton { joints: (0..count).map(|index| joint(index, draw)).collect() }
}

fn clip(draw: &mut Draw, index: usize) -> AnimationClip {
    let duration = match draw.below(8) {
        0 => 0.0,
        7 => draw.number(),
        _ => 0.1 + f32::from(draw.byte()) / 100.0,
    };
    let clip = AnimationClip {
        name: NAMES[index % NAMES.len()].into(),
        duration,
        translation_channels: (0..draw.below(4)).map(|_| channel(draw)).collect(),
        rotation_channels: (0..draw.below(6)).map(|_| channel(draw)).collect(),
        scale_channels: (0..draw.below(3)).map(|_| scales(draw)).collect(),
    };
    if draw.is_tame { AnimationClip { duration: clip.duration.max(0.0), ..clip } } else { clip }
}

/// What can be a key's value.
trait Value: Clone {
    fn value(draw: &mut Draw) -> Self;
    fn tangent(draw: &mut Draw) -> Self;
}

impl Value for Vec3 {
    fn value(draw: &mut Draw) -> Self {
        draw.vector()
    }

    fn tangent(draw: &mut Draw) -> Self {
        draw.vector() * 0.1
    }
}

impl Value for Quat {
    fn value(draw: &mut Draw) -> Self {
        draw.rotation()
    }

    fn tangent(draw: &mut Draw) -> Self {
        Quat::from_xyzw(draw.number(), draw.number(), draw.number(), draw.number())
    }
}

fn channel<T: Value>(draw: &mut Draw) -> Channel<T> {
    let interpolation = draw.pick(&[Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline]);
    let mut time = if draw.yes() { 0.0 } else { draw.number().abs() };
    let is_even = draw.yes();
    let mut key = |draw: &mut Draw| {
        let has_tangents = interpolation == Interpolation::CubicSpline && (draw.is_tame || !draw.one_in(6));
        let key = Keyframe {
            time,
            value: T::value(draw),
            tangents: has_tangents.then(|| (T::tangent(draw), T::tangent(draw))),
        };
        time += if is_even { 0.25 } else { f32::from(draw.byte()) / 128.0 };
        if !draw.is_tame && draw.one_in(8) {
            time = draw.wild();
        }
        key
    };
    // Only files never have a channel without keys.
    let count = if draw.is_tame { 1 + draw.below(5) } else { draw.below(6) };
    let keyframes = (0..count).map(|_| key(draw)).collect();
    Channel { joint_index: draw.joint(), interpolation, keyframes }
}

/// A channel of scales that do not grow beyond all bounds along a chain.
fn scales(draw: &mut Draw) -> Channel<Vec3> {
    let mut channel = channel::<Vec3>(draw);
    for key in &mut channel.keyframes {
        key.value *= 0.25;
    }
    channel
}
