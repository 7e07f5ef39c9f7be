//! Clips for other bodies: played by a character with other proportions, or with left and right exchanged.
//!
//! Both are done once, when clips are loaded: [`Retarget`] and [`Mirror`](crate::retarget::Mirror) are made from skeletons, and turn clips into clips.
//! Every keyframe is carried over by itself, so that times and kinds of interpolation stay as they are.

mod fold;
mod ground;
mod mirror;
mod names;
mod rest;
mod transfer;

pub use mirror::Mirror;
pub use names::mirrored_name;
pub use transfer::{Retarget, RetargetOptions};

use crate::clip::{Channel, Keyframe};

/// A channel for another joint, every value and tangent of which is mapped. `tangent` is the linear part of `value`.
fn map_channel<T: Clone>(
    channel: &Channel<T>,
    joint_index: u16,
    value: impl Fn(&T) -> T,
    tangent: impl Fn(&T) -> T,
) -> Channel<T> {
    let map = |key: &Keyframe<T>| Keyframe {
        time: key.time,
        value: value(&key.value),
        tangents: key.tangents.as_ref().map(|(into, out)| (tangent(into), tangent(out))),
    };
    Channel {
        joint_index,
        interpolation: channel.interpolation,
        keyframes: channel.keyframes.iter().map(map).collect(),
    }
}
