//! Morph weights: targets with the same name are paired.

use super::bake::key_times;
use super::names::plain_name;
use crate::clip::{AnimationClip, Channel, Interpolation, MorphLayout, MorphMesh};
use crate::sample::sample_morph_weights;

/// Which morph targets of two characters have the same name.
#[derive(Debug, Clone)]
pub(super) struct Faces {
    /// The weights of the source while nothing drives them.
    source_defaults: Vec<f32>,
    /// For each mesh of the target, and each of its morph targets, the slot of the source's.
    meshes: Vec<(MorphMesh, Vec<Option<usize>>)>,
    /// Names that both have, and names of the source that the target lacks.
    pub paired: Vec<String>,
    pub missing: Vec<String>,
}

impl Faces {
    pub fn new(source: &MorphLayout, target: &MorphLayout) -> Self {
        let named = |mesh: &MorphMesh| -> Vec<(usize, String)> {
            mesh.slots().zip(mesh.target_names.iter().map(|name| plain_name(name))).collect()
        };
        let own: Vec<(&MorphMesh, Vec<(usize, String)>)> =
            source.meshes.iter().map(|mesh| (mesh, named(mesh))).collect();
        let find = |mesh: &MorphMesh, name: &str| {
            // Faces of several meshes have the same target in each.
            let same_mesh = own.iter().filter(|(other, _)| other.name == mesh.name);
            let mut slots = same_mesh.chain(&own).flat_map(|(_, targets)| targets);
            slots.find(|(_, other)| !name.is_empty() && other == name).map(|(slot, _)| *slot)
        };
        let meshes: Vec<(MorphMesh, Vec<Option<usize>>)> = target
            .meshes
            .iter()
            .map(|mesh| (mesh.clone(), named(mesh).iter().map(|(_, name)| find(mesh, name)).collect()))
            .collect();
        let (mut paired, mut missing) = (Vec::new(), Vec::new());
        let others: Vec<String> =
            target.meshes.iter().flat_map(&named).map(|(_, name)| name).filter(|name| !name.is_empty()).collect();
        for (name, plain) in own.iter().flat_map(|(mesh, plain)| mesh.target_names.iter().zip(plain)) {
            let list = if others.contains(&plain.1) { &mut paired } else { &mut missing };
            if !list.contains(name) {
                list.push(name.clone());
            }
        }
        Self { source_defaults: source.defaults(), meshes, paired, missing }
    }

    /// Gives a clip that was made the weights of the source's clip.
    pub fn carry(&self, clip: &AnimationClip, made: &mut AnimationClip) {
        for (mesh, slots) in &self.meshes {
            let channel = |slot: usize| {
                let channels = clip.morph_channels().filter(|(group, _)| *group == slot / 3);
                channels.last().map(|(_, channel)| channel)
            };
            let channels: Vec<Option<&Channel<glam::Vec3>>> = slots.iter().map(|slot| slot.and_then(channel)).collect();
            let Some(first) = channels.iter().flatten().next() else { continue };
            let times =
                |channel: &Channel<glam::Vec3>| -> Vec<f32> { channel.keyframes.iter().map(|key| key.time).collect() };
            let mut when = times(first);
            let is_same =
                |other: &&Channel<glam::Vec3>| other.interpolation == first.interpolation && times(other) == when;
            let are_same = channels.iter().flatten().all(is_same);
            let (mut values, mut interpolation) = (Vec::new(), first.interpolation);
            let targets = || slots.iter().zip(&channels).zip(&mesh.weights);
            if are_same {
                let is_cubic = interpolation == Interpolation::CubicSpline;
                for key in 0..when.len() {
                    // Tangents in, the weights, tangents out.
                    for part in if is_cubic { 0..3 } else { 1..2 } {
                        values.extend(targets().map(|((slot, channel), default)| {
                            let Some((key, slot)) = channel.map(|channel| &channel.keyframes[key]).zip(*slot) else {
                                return if part == 1 { *default } else { 0.0 };
                            };
                            let tangents = key.tangents.unwrap_or_default();
                            [tangents.0, key.value, tangents.1][part][slot % 3]
                        }));
                    }
                }
            } else {
                when = key_times(channels.iter().flatten().flat_map(|channel| times(channel)));
                interpolation = Interpolation::Linear;
                let mut weights = self.source_defaults.clone();
                for &time in &when {
                    sample_morph_weights(clip, &self.source_defaults, time, &mut weights);
                    values.extend(targets().map(|((slot, channel), default)| {
                        let weight = channel.zip(*slot).and_then(|(_, slot)| weights.get(slot));
                        weight.copied().unwrap_or(*default)
                    }));
                }
            }
            if let Err(error) = made.set_morph_weights(mesh.first_slot, interpolation, &when, &values, slots.len()) {
                log::warn!("clip {:?}: morph weights of mesh {:?} are left out: {error}", clip.name, mesh.name);
            }
        }
    }
}
