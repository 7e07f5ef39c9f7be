//! Fingerprints that identify the clips of a library across processes.

use crate::clip::{AnimationClip, Channel, Interpolation, Marker};
use crate::math::Fingerprint;

/// Adds a clip: its name, its keys, its markers.
pub(super) fn add_clip(hash: &mut Fingerprint, clip: &AnimationClip, markers: &[Marker]) {
    hash.text(&clip.name);
    hash.numbers([clip.duration]);
    add_channels(hash, &clip.translation_channels, |value| value.to_array());
    add_channels(hash, &clip.rotation_channels, |value| value.to_array());
    add_channels(hash, &clip.scale_channels, |value| value.to_array());
    for marker in markers {
        hash.text(&marker.name);
        let bits = marker.time.to_bits();
        hash.word(bits as u32);
        hash.word((bits >> 32) as u32);
    }
}

fn add_channels<T: Clone, const N: usize>(
    hash: &mut Fingerprint,
    channels: &[Channel<T>],
    numbers: impl Fn(&T) -> [f32; N],
) {
    for channel in channels {
        hash.word(
            u32::from(channel.joint_index) << 2
                | match channel.interpolation {
                    Interpolation::Linear => 0,
                    Interpolation::Step => 1,
                    Interpolation::CubicSpline => 2,
                },
        );
        for key in &channel.keyframes {
            hash.numbers([key.time]);
            hash.numbers(numbers(&key.value));
            if let Some((start, end)) = &key.tangents {
                hash.numbers(numbers(start));
                hash.numbers(numbers(end));
            }
        }
        hash.word(u32::MAX);
    }
    hash.word(u32::MAX);
}
