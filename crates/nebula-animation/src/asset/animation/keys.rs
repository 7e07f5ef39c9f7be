//! Reads keys from the flat arrays of tracks, for the common sampler.

use glam::{Quat, Vec3};

use super::{MorphTrack, Track};
use crate::clip::Interpolation;
use crate::sample::Keys;

/// The keys of a translation or a scale.
pub(super) struct VectorKeys<'a>(pub &'a Track);
/// The keys of a rotation.
pub(super) struct RotationKeys<'a>(pub &'a Track);
/// The keys of one morph target's weight.
pub(super) struct WeightKeys<'a> {
    pub track: &'a MorphTrack,
    pub target: usize,
}

/// The position in the flat array of a key's value, counted in values, and those of its tangents.
struct Slots {
    value: usize,
    tangents: Option<(usize, usize)>,
}

fn slots(interpolation: Interpolation, key: usize) -> Slots {
    match interpolation {
        Interpolation::CubicSpline => Slots { value: 3 * key + 1, tangents: Some((3 * key, 3 * key + 2)) },
        Interpolation::Linear | Interpolation::Step => Slots { value: key, tangents: None },
    }
}

fn number<const N: usize>(values: &[f32], slot: usize) -> [f32; N] {
    let mut number = [0.0; N];
    number.copy_from_slice(&values[slot * N..][..N]);
    number
}

impl Keys<Vec3> for VectorKeys<'_> {
    fn count(&self) -> usize {
        self.0.times.len()
    }
    fn time(&self, key: usize) -> f32 {
        self.0.times[key]
    }
    fn value(&self, key: usize) -> Vec3 {
        number(&self.0.values, slots(self.0.interpolation, key).value).into()
    }
    fn tangents(&self, key: usize) -> Option<(Vec3, Vec3)> {
        let (incoming, outgoing) = slots(self.0.interpolation, key).tangents?;
        Some((number(&self.0.values, incoming).into(), number(&self.0.values, outgoing).into()))
    }
}

impl Keys<Quat> for RotationKeys<'_> {
    fn count(&self) -> usize {
        self.0.times.len()
    }
    fn time(&self, key: usize) -> f32 {
        self.0.times[key]
    }
    fn value(&self, key: usize) -> Quat {
        Quat::from_array(number(&self.0.values, slots(self.0.interpolation, key).value))
    }
    fn tangents(&self, key: usize) -> Option<(Quat, Quat)> {
        let (incoming, outgoing) = slots(self.0.interpolation, key).tangents?;
        let quat = |slot| Quat::from_array(number(&self.0.values, slot));
        Some((quat(incoming), quat(outgoing)))
    }
}

impl Keys<f32> for WeightKeys<'_> {
    fn count(&self) -> usize {
        self.track.times.len()
    }
    fn time(&self, key: usize) -> f32 {
        self.track.times[key]
    }
    fn value(&self, key: usize) -> f32 {
        self.weight(slots(self.track.interpolation, key).value)
    }
    fn tangents(&self, key: usize) -> Option<(f32, f32)> {
        let (incoming, outgoing) = slots(self.track.interpolation, key).tangents?;
        Some((self.weight(incoming), self.weight(outgoing)))
    }
}

impl WeightKeys<'_> {
    fn weight(&self, slot: usize) -> f32 {
        self.track.values[slot * self.track.target_count + self.target]
    }
}
