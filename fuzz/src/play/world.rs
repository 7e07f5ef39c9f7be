//! Skeletons and clips made of an input.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, Channel, ClipMarkers, Interpolation, Joint, Keyframe, LibraryOptions, Marker,
    Rig, Skeleton,
    clip::{MorphLayout, MorphMesh},
    compile::{ContactTrack, RootMotionOptions},
    rig::{RigOptions, SolePoint},
};

use super::draw::Draw;

/// What there is to be played, and on whom.
pub struct World {
    pub rigs: Vec<Arc<Rig>>,
    /// Lists of clips as they are authored.
    pub clips: Vec<Vec<AnimationClip>>,
    /// Each of a rig and a list.
    pub libraries: Vec<AnimationClipLibrary>,
    pub markers: ClipMarkers,
}

/// The names of joints: enough of them for a body with legs.
pub const JOINTS: [&str; 12] = [
    "Hips",
    "Spine",
    "Head",
    "LeftFoot",
    "RightFoot",
    "",
    "LeftUpLeg",
    "LeftLeg",
    "RightUpLeg",
    "RightLeg",
    "Neck",
    "LeftToeBase",
];

/// The names of clips and of parameters.
pub const NAMES: [&str; 4] = ["a", "b", "c", "d"];

impl World {
    pub fn new(draw: &mut Draw) -> Self {
        let rigs: Vec<_> = (0..=draw.below(3)).map(|_| rig(draw)).collect();
        let clips: Vec<Vec<_>> =
            (0..=draw.below(2)).map(|_| (0..draw.below(5)).map(|index| clip(draw, index)).collect()).collect();
        let mut markers = ClipMarkers::new();
        for _ in 0..draw.below(6) {
            markers.add(draw.below(5), Marker { name: draw.pick(&NAMES).into(), time: f64::from(draw.wild()) });
        }
        let mut world = Self { rigs, clips, libraries: Vec::new(), markers };
        world.libraries = (0..=draw.below(3)).map(|_| world.compile(draw)).collect();
        world
    }

    /// Some of the clips for some of the rigs.
    fn compile(&self, draw: &mut Draw) -> AnimationClipLibrary {
        let root = draw.one_in(3).then(|| RootMotionOptions {
            y: draw.yes(),
            yaw: draw.yes(),
            ..RootMotionOptions::of_joint(draw.joint())
        });
        let options = LibraryOptions {
            markers: if draw.yes() { self.markers.clone() } else { ClipMarkers::new() },
            root_motion: root,
            keeps_authored: draw.one_in(8),
            for_palettes: draw.one_in(4),
            step_marker: draw.one_in(4).then(|| draw.pick(&NAMES).into()),
            contacts: if draw.one_in(4) { vec![self.contacts(draw)] } else { Vec::new() },
            compression: None,
            additive_bases: Vec::new(),
        };
        let library = AnimationClipLibrary::with_options(self.rig(draw), self.authored(draw), options);
        assert!(library.bytes() > 0 && library.iter().all(|clip| clip.velocity().is_finite()));
        library
    }

    /// When feet stand, by markers that may be anything.
    fn contacts(&self, draw: &mut Draw) -> ContactTrack {
        ContactTrack::from_markers(draw.wild(), self.markers.of(0), &[["a", "b"], ["c", "d"]]).with_floor(draw.wild())
    }

    pub fn rig(&self, draw: &mut Draw) -> &Arc<Rig> {
        &self.rigs[draw.below(self.rigs.len())]
    }

    pub fn authored(&self, draw: &mut Draw) -> &[AnimationClip] {
        &self.clips[draw.below(self.clips.len())]
    }

    pub fn library(&self, draw: &mut Draw) -> &AnimationClipLibrary {
        &self.libraries[draw.below(self.libraries.len())]
    }
}

fn rig(draw: &mut Draw) -> Arc<Rig> {
    let skeleton = skeleton(draw);
    let options = RigOptions {
        front: draw.one_in(4).then(|| draw.wild_vector()),
        up: draw.one_in(4).then(|| draw.wild_vector()),
        humanoid: None,
        morphs: morphs(draw),
        soles: (0..draw.below(4))
            .map(|_| SolePoint { joint: draw.joint(), point: draw.wild_vector(), blend: None })
            .collect(),
    };
    Rig::with_options(skeleton, options)
}

fn morphs(draw: &mut Draw) -> MorphLayout {
    let mesh = |index: usize, draw: &mut Draw| MorphMesh {
        first_slot: if draw.is_tame { 6 * index } else { draw.below(64) },
        target_names: vec![draw.pick(&NAMES).into(), String::new()],
        weights: (0..draw.below(5)).map(|_| draw.number()).collect(),
        ..MorphMesh::default()
    };
    MorphLayout { meshes: (0..draw.below(3)).map(|index| mesh(index, draw)).collect() }
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
            name: draw.pick(&JOINTS).into(),
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
    let mut clip = AnimationClip {
        name: NAMES[index % NAMES.len()].into(),
        duration,
        translation_channels: (0..draw.below(4)).map(|_| channel(draw)).collect(),
        rotation_channels: (0..draw.below(6)).map(|_| channel(draw)).collect(),
        scale_channels: (0..draw.below(3)).map(|_| scales(draw)).collect(),
    };
    if draw.one_in(3) {
        let times = [0.0, f32::from(draw.byte()) / 100.0];
        let values: Vec<f32> = (0..2 * draw.below(5)).map(|_| draw.number()).collect();
        let _ = clip.set_morph_weights(3 * draw.below(4), Interpolation::Linear, &times, &values, values.len() / 2);
    }
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
