//! Arguments that make no sense, and things to use them on.

use glam::{Mat4, Quat, Vec2, Vec3};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, Channel, Interpolation, JointPose, Keyframe, Rig, Skeleton,
};

pub use crate::player::rig::{chain, slide, turn};

/// Numbers that nobody should give, and some that are hard.
pub const NUMBERS: [f32; 11] =
    [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e-45, -1e-30, 1e15, -1.0, -0.0, 0.0];

/// Indices of joints, clips, layers and states that are not there.
pub const INDICES: [usize; 6] = [3, 7, 65_535, 65_536, u32::MAX as usize, usize::MAX];

/// Joints that are not there, for a skeleton of three.
pub const JOINTS: [u16; 4] = [3, 255, 65_534, 65_535];

/// Names that nothing has.
pub const NAMES: [&str; 5] = ["", "nobody", "*", "\u{0}", "\u{202e}\u{1f9d1}\u{200d}\u{1f680}"];

pub fn numbers() -> impl Iterator<Item = f32> + Clone {
    NUMBERS.into_iter()
}

/// The same and a few more, as `f64`.
pub fn times() -> impl Iterator<Item = f64> + Clone {
    numbers().map(f64::from).chain([f64::MAX, f64::MIN, 1e300, -1e18, 5e-324])
}

pub fn vectors() -> impl Iterator<Item = Vec3> + Clone {
    numbers().flat_map(|number| [Vec3::splat(number), Vec3::new(1.0, number, 0.0)])
}

pub fn places() -> impl Iterator<Item = Vec2> + Clone {
    numbers().flat_map(|number| [Vec2::splat(number), Vec2::new(0.5, number)])
}

pub fn rotations() -> impl Iterator<Item = Quat> + Clone {
    numbers()
        .flat_map(|number| [Quat::from_xyzw(number, number, number, number), Quat::from_xyzw(0.0, number, 0.0, 1.0)])
}

pub fn matrices() -> impl Iterator<Item = Mat4> + Clone {
    numbers()
        .flat_map(|number| [Mat4::from_cols_array(&[number; 16]), Mat4::from_scale(Vec3::splat(number)), Mat4::ZERO])
}

/// Poses of any length, with any numbers.
pub fn poses() -> Vec<Vec<JointPose>> {
    let at_rest = (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE);
    let mut poses = vec![Vec::new(), vec![at_rest], vec![at_rest; 2], vec![at_rest; 20]];
    poses.extend(
        numbers()
            .map(|number| vec![(Vec3::splat(number), Quat::from_xyzw(number, 0.0, 0.0, 1.0), Vec3::splat(number)); 3]),
    );
    poses
}

/// Skeletons that no file has: nothing in them, numbers that are none, parents that come later or are not there.
pub fn skeletons() -> Vec<Skeleton> {
    let mut skeletons = vec![Skeleton::default(), chain(1), chain(3), chain(9)];
    let mut change = |change: &dyn Fn(&mut Skeleton)| {
        let mut skeleton = chain(3);
        change(&mut skeleton);
        skeletons.push(skeleton);
    };
    change(&|skeleton| skeleton.joints[0].parent = Some(2));
    change(&|skeleton| skeleton.joints[1].parent = Some(1));
    change(&|skeleton| skeleton.joints[2].parent = Some(900));
    change(&|skeleton| skeleton.joints.iter_mut().for_each(|joint| joint.index = 65_535));
    change(&|skeleton| skeleton.joints.iter_mut().for_each(|joint| joint.name.clear()));
    change(&|skeleton| skeleton.joints[1].bind_rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    for number in numbers() {
        change(&|skeleton| skeleton.joints[1].bind_translation = Vec3::splat(number));
        change(&|skeleton| skeleton.joints[1].bind_scale = Vec3::splat(number));
        change(&|skeleton| skeleton.joints[1].bind_rotation = Quat::from_xyzw(number, number, 0.0, 1.0));
        change(&|skeleton| skeleton.joints[1].inverse_bind_matrix = Mat4::from_cols_array(&[number; 16]));
    }
    skeletons
}

/// Clips that no file has, of every kind of interpolation.
pub fn clips() -> Vec<AnimationClip> {
    let mut clips = vec![AnimationClip::default(), slide(0, 1.0), slide(2, 0.5), slide(60_000, 1.0), turn(1, 5, 0.4)];
    let mut change = |change: &dyn Fn(&mut AnimationClip)| {
        for interpolation in [Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline] {
            let mut clip =
                AnimationClip { translation_channels: slide(1, 1.0).translation_channels, ..turn(1, 5, 0.4) };
            clip.rotation_channels[0].interpolation = interpolation;
            clip.translation_channels[0].interpolation = interpolation;
            change(&mut clip);
            clips.push(clip);
        }
    };
    change(&|clip| clip.rotation_channels[0].keyframes.clear());
    change(&|clip| clip.translation_channels[0].keyframes.truncate(1));
    change(&|clip| clip.rotation_channels[0].keyframes.reverse());
    change(&|clip| clip.rotation_channels[0].keyframes.iter_mut().for_each(|key| key.time = 0.5));
    change(&|clip| clip.rotation_channels[0].keyframes.iter_mut().for_each(|key| key.tangents = None));
    change(&|clip| clip.rotation_channels.push(clip.rotation_channels[0].clone()));
    change(&|clip| {
        clip.rotation_channels.push(Channel {
            joint_index: 1,
            keyframes: Vec::new(),
            ..clip.rotation_channels[0].clone()
        });
    });
    for number in numbers() {
        change(&|clip| clip.duration = number);
        change(&|clip| clip.rotation_channels[0].keyframes[2].time = number);
        change(&|clip| clip.rotation_channels[0].keyframes[2].value = Quat::from_xyzw(number, 0.0, 0.0, 1.0));
        change(&|clip| {
            clip.rotation_channels[0].keyframes[0].tangents = Some((Quat::IDENTITY * number, Quat::IDENTITY * number));
        });
        change(&|clip| clip.translation_channels[0].keyframes[1].value = Vec3::splat(number));
        let key =
            Keyframe { time: number, value: Vec3::splat(number), tangents: Some((Vec3::splat(number), Vec3::ONE)) };
        change(&|clip| clip.translation_channels[0].keyframes.insert(1, key.clone()));
    }
    clips
}

/// Clips compiled for a skeleton.
pub fn library_of(skeleton: &Skeleton, clips: &[AnimationClip]) -> AnimationClipLibrary {
    AnimationClipLibrary::new(&Rig::new(skeleton), clips)
}

/// A healthy library of three clips for three joints.
pub fn library() -> AnimationClipLibrary {
    library_of(&chain(3), &[slide(0, 1.0), turn(1, 5, 0.4), AnimationClip { name: "c".into(), ..slide(2, 2.0) }])
}

pub fn is_finite(poses: &[JointPose]) -> bool {
    poses.iter().all(|pose| pose.0.is_finite() && pose.1.is_finite() && pose.2.is_finite())
}
