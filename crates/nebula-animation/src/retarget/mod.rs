//! Clips for other bodies: played by a character with other proportions, or with left and right exchanged.
//!
//! Both are done once, when clips are loaded: [`Retarget`] is made from two rigs, [`Mirror`](crate::retarget::Mirror) from a skeleton, and they
//! turn clips into clips. Where skeletons hang together alike, every keyframe is carried over by itself, so that times and kinds of
//! interpolation stay as they are.

mod align;
mod bake;
mod faces;
mod ground;
mod hands;
mod mirror;
mod names;
mod options;
mod pairs;
mod report;
mod rest;
mod transfer;
mod trunk;
mod twist;
mod two;

pub use mirror::Mirror;
pub use names::mirrored_name;
pub use options::{HandPlaces, RetargetOptions};
pub use report::{JointPair, PairedBy, RetargetError, RetargetReport, Soles, Unpaired, WhyUnpaired};
pub use transfer::Retarget;

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
