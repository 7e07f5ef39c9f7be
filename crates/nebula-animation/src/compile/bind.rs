//! Clips in bind space: see [`BindSpace`].

use glam::Vec3;

use super::build::with_signs;
use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe};
use crate::rig::BindSpace;
use crate::rig::block::LARGEST;

/// The clip with its keys in bind space, rotations with the signs of the shorter way; `None` where it scales a joint or
/// moves one too far for `f32`.
///
/// The signs are those of the authored keys: rounding of half a turn in bind space must not choose the other way.
pub(super) fn clip_in_bind_space(space: &BindSpace, clip: &AnimationClip) -> Option<AnimationClip> {
    let keeps_scale = |channel: &Channel<Vec3>| {
        let Some(maps) = space.joints.get(usize::from(channel.joint_index)) else { return true };
        let is_flat = |key: &Keyframe<Vec3>| {
            key.value.abs_diff_eq(maps.scale, 1e-6 * maps.scale.abs().max_element())
                && key.tangents.is_none_or(|(a, b)| a == Vec3::ZERO && b == Vec3::ZERO)
        };
        channel.keyframes.iter().all(is_flat)
    };
    if !clip.scale_channels.iter().all(keeps_scale) {
        return None;
    }
    let rotations = clip.rotation_channels.iter().filter_map(|channel| {
        let maps = space.joints.get(usize::from(channel.joint_index))?;
        let mut turned = mapped(channel, |value| maps.rotation(value), |tangent| maps.rotation(tangent));
        if channel.interpolation != Interpolation::CubicSpline {
            for (key, value) in turned.keyframes.iter_mut().zip(with_signs(&channel.keyframes)) {
                key.value = maps.rotation(value);
            }
        }
        Some(turned)
    });
    let translations = clip.translation_channels.iter().map(|channel| {
        let Some(maps) = space.joints.get(usize::from(channel.joint_index)) else {
            // Morph weights are the same in every space.
            return channel.clone();
        };
        let tangent = |tangent: Vec3| maps.to_translation.transform_vector3(tangent.as_dvec3()).as_vec3();
        mapped(channel, |value| maps.translation(value), tangent)
    });
    let translations: Vec<Channel<Vec3>> = translations.collect();
    let is_tame = |key: &Keyframe<Vec3>| key.value.abs().max_element() < LARGEST;
    if !translations.iter().flat_map(|channel| &channel.keyframes).all(is_tame) {
        return None;
    }
    Some(AnimationClip {
        name: clip.name.clone(),
        duration: clip.duration,
        rotation_channels: rotations.collect(),
        translation_channels: translations,
        scale_channels: Vec::new(),
    })
}

fn mapped<T: Copy>(channel: &Channel<T>, value: impl Fn(T) -> T, tangent: impl Fn(T) -> T) -> Channel<T> {
    let key = |key: &Keyframe<T>| Keyframe {
        time: key.time,
        value: value(key.value),
        tangents: key.tangents.map(|(incoming, outgoing)| (tangent(incoming), tangent(outgoing))),
    };
    Channel {
        joint_index: channel.joint_index,
        interpolation: channel.interpolation,
        keyframes: channel.keyframes.iter().map(key).collect(),
    }
}
