//! Small skeletons and clips.

use glam::{Mat4, Quat, Vec3};
use nebula_animation::{AnimationClip, Channel, Interpolation, Joint, Keyframe, Skeleton};

/// A chain of joints, each a metre above its parent, each turned by a little.
pub fn chain(joint_count: u16) -> Skeleton {
    let joint = |index: u16| Joint {
        index,
        parent: index.checked_sub(1),
        inverse_bind_matrix: Mat4::from_translation(Vec3::new(0.0, -f32::from(index), 0.0)),
        name: format!("Joint {index}"),
        bind_translation: Vec3::Y,
        bind_rotation: Quat::from_rotation_x(0.1),
        bind_scale: Vec3::ONE,
    };
    Skeleton { joints: (0..joint_count).map(joint).collect() }
}

/// A clip in which `joint` moves from 0 to `duration` metres along X, one metre a second.
pub fn slide(joint: u16, duration: f32) -> AnimationClip {
    AnimationClip {
        name: format!("slide {joint}"),
        duration,
        translation_channels: vec![Channel {
            joint_index: joint,
            interpolation: Interpolation::Linear,
            keyframes: vec![
                Keyframe { time: 0.0, value: Vec3::ZERO, tangents: None },
                Keyframe { time: duration, value: Vec3::new(duration, 0.0, 0.0), tangents: None },
            ],
        }],
        ..AnimationClip::default()
    }
}

/// A clip in which `joint` turns about Z by `radians` a key, by splines without tangents, and grows.
pub fn turn(joint: u16, keys: u16, radians: f32) -> AnimationClip {
    let time = |key: u16| f32::from(key) * 0.3;
    let rotation = |key: u16| Keyframe {
        time: time(key),
        value: Quat::from_rotation_z(f32::from(key) * radians),
        tangents: Some((Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), Quat::from_xyzw(0.1, 0.0, 0.3, 0.0))),
    };
    let scale = |key: u16| Keyframe { time: time(key), value: Vec3::splat(1.0 + f32::from(key)), tangents: None };
    AnimationClip {
        name: format!("turn {joint}"),
        duration: time(keys - 1),
        translation_channels: Vec::new(),
        rotation_channels: vec![Channel {
            joint_index: joint,
            interpolation: Interpolation::CubicSpline,
            keyframes: (0..keys).map(rotation).collect(),
        }],
        scale_channels: vec![Channel {
            joint_index: joint,
            interpolation: Interpolation::Step,
            keyframes: (0..keys).map(scale).collect(),
        }],
    }
}
