//! Converts clips for other bodies: with other proportions, or with left and right swapped.
//!
//! Do this once, when you load clips: create a [`Retarget`] from two rigs, or a [`Mirror`](crate::retarget::Mirror)
//! from a skeleton, and convert clips with it. Where the hierarchies match, every keyframe is converted on its own, so
//! key times and interpolation stay as they are.

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
