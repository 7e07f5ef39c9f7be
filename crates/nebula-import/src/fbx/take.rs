//! Takes as animations.

use std::collections::BTreeMap;

use fbx_rs::{BakeOptions, BakedAnimation, BakedKey, Scene};
use glam::DQuat;
use serde_json::{Value, json};

use super::{FbxError, FbxOptions, Morphs, channel_by_id, shown, unit};
use crate::gltf::GltfDocument;

/// Names that say nothing.
const NAMELESS: [&str; 5] = ["mixamo.com", "Take 001", "Take001", "Unreal Take", ""];

pub(super) fn write(
    document: &mut GltfDocument,
    scene: &Scene,
    morphs: &Morphs,
    options: &FbxOptions,
    notes: &mut Vec<String>,
) -> Result<(), FbxError> {
    let mut takes = Vec::new();
    for (index, stack) in scene.animation_stacks().iter().enumerate() {
        let mut bake = BakeOptions::default();
        bake.trim_start_time = true;
        bake.resample_rate = if options.rate.is_finite() { options.rate.clamp(1.0, 1000.0) } else { 60.0 };
        bake.minimum_sample_rate = bake.resample_rate * 0.65;
        bake.max_keyframe_segments = 1 << 12;
        bake.key_reduction_rotation = true;
        bake.max_keys = 8 << 20;
        bake.max_allocation = 512 << 20;
        match scene.bake_animation(Some(index), &bake) {
            Ok(baked) => takes.push((stack.name.clone(), baked)),
            Err(error) => notes.push(format!("take {} is left out: {error}", shown(&stack.name))),
        }
    }
    // Tools leave empty takes behind.
    takes.retain(|(_, baked)| !baked.nodes.is_empty() || !baked.properties.is_empty());
    let is_single = takes.len() == 1;
    for (name, baked) in takes {
        let name = match NAMELESS.contains(&name.as_str()) && is_single && !options.name.is_empty() {
            true => options.name.clone(),
            false => name,
        };
        let span = Span::of(&baked);
        let mut animation = Animation { document, channels: Vec::new(), samplers: Vec::new() };
        for node in &baked.nodes {
            animation.add(node.node, "translation", "VEC3", &span.cut(&node.translation_keys, straight))?;
            animation.add(node.node, "rotation", "VEC4", &span.cut(&node.rotation_keys, turned))?;
            animation.add(node.node, "scale", "VEC3", &span.cut(&node.scale_keys, straight))?;
        }
        let mut channels: BTreeMap<usize, Vec<Key<3>>> = BTreeMap::new();
        for property in baked.properties.iter().filter(|property| property.name == b"DeformPercent") {
            if let Some(channel) = channel_by_id(scene, property.source_id) {
                channels.insert(channel, span.cut(&property.keys, straight));
            }
        }
        for (node, targets) in morphs {
            if targets.iter().any(|target| channels.contains_key(target)) {
                animation.add_weights(scene, *node, targets, &channels)?;
            }
        }
        let Animation { channels, samplers, .. } = animation;
        if !channels.is_empty() {
            document.push("animations", &json!({ "name": name, "channels": channels, "samplers": samplers }))?;
        }
    }
    Ok(())
}

/// A moment of the take, in seconds from its beginning, and what is there.
type Key<const N: usize> = (f64, [f64; N]);

/// The part of its curves that a take plays. Files keep keys before and behind it, and takes may begin before all keys and end behind them.
struct Span {
    /// Added to times of keys.
    shift: f64,
    /// Length in seconds; none for a take that says none, which plays all keys from 0 on.
    length: Option<f64>,
}

/// Less than any two keys are apart.
const MOMENT: f64 = 1e-6;

impl Span {
    fn of(baked: &BakedAnimation) -> Self {
        let (begin, length) = (baked.playback_time_begin, baked.playback_duration);
        // Beginnings after 0 are taken off already.
        let shift = if begin < 0.0 && begin > -1e6 { -begin } else { 0.0 };
        Self { shift, length: Some(length).filter(|length| *length > MOMENT && *length < 1e6) }
    }

    /// The keys within it, with one at each end where curves go on beyond it, or stop before.
    fn cut<const N: usize>(
        &self,
        keys: &[BakedKey<N>],
        between: impl Fn([f64; N], [f64; N], f64) -> [f64; N],
    ) -> Vec<Key<N>> {
        let is_sound = |key: &Key<N>| key.0.is_finite() && key.1.iter().all(|number| number.is_finite());
        let all: Vec<Key<N>> = keys.iter().map(|key| (key.time + self.shift, key.value)).filter(is_sound).collect();
        let Some(last) = all.last() else { return Vec::new() };
        let end = self.length.unwrap_or(last.0.max(0.0));
        let at = |time: f64| {
            let after = all.partition_point(|key| key.0 <= time);
            let (before, after) = (after.checked_sub(1).and_then(|before| all.get(before)), all.get(after));
            match (before, after) {
                (Some(a), Some(b)) => between(a.1, b.1, (time - a.0) / (b.0 - a.0)),
                (a, b) => a.or(b).unwrap_or(last).1,
            }
        };
        let mut cut: Vec<Key<N>> = all.iter().filter(|key| key.0 >= 0.0 && key.0 <= end + MOMENT).copied().collect();
        if all.first().is_some_and(|first| first.0 < 0.0) && cut.first().is_none_or(|first| first.0 > MOMENT) {
            cut.insert(0, (0.0, at(0.0)));
        }
        if self.length.is_some() && cut.last().is_none_or(|last| last.0 < end - MOMENT) {
            cut.push((end, at(end)));
        }
        cut
    }
}

fn straight<const N: usize>(from: [f64; N], to: [f64; N], along: f64) -> [f64; N] {
    std::array::from_fn(|part| from[part] + (to[part] - from[part]) * along)
}

fn turned(from: [f64; 4], to: [f64; 4], along: f64) -> [f64; 4] {
    let [from, to] = [unit(from), unit(to)].map(DQuat::from_array);
    from.slerp(to, along).to_array()
}

struct Animation<'a> {
    document: &'a mut GltfDocument,
    channels: Vec<Value>,
    samplers: Vec<Value>,
}

impl Animation<'_> {
    fn add<const N: usize>(&mut self, node: usize, path: &str, shape: &str, keys: &[Key<N>]) -> Result<(), FbxError> {
        let (mut times, mut values): (Vec<f32>, Vec<f32>) = (Vec::new(), Vec::new());
        for (time, value) in keys {
            let time = *time as f32;
            if times.last().is_none_or(|last| time > *last) {
                times.push(time);
                let value = <[f64; 4]>::try_from(value.as_slice()).map_or(value.to_vec(), |turn| unit(turn).to_vec());
                values.extend(value.iter().map(|number| *number as f32));
            }
        }
        if times.is_empty() {
            return Ok(());
        }
        let (input, output) = (self.document.times(&times)?, self.document.floats(&values, shape)?);
        self.sampler(node, path, input, output);
        Ok(())
    }

    /// All weights of a mesh at every time at which one of them has a key.
    fn add_weights(
        &mut self,
        scene: &Scene,
        node: usize,
        targets: &[usize],
        channels: &BTreeMap<usize, Vec<Key<3>>>,
    ) -> Result<(), FbxError> {
        let of = |target: &usize| channels.get(target).map_or(&[][..], Vec::as_slice);
        let mut times: Vec<f32> = targets.iter().flat_map(|target| of(target).iter().map(|key| key.0 as f32)).collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        if times.is_empty() || times.len().saturating_mul(targets.len()) > 16 << 20 {
            return Ok(());
        }
        let mut values = Vec::with_capacity(times.len() * targets.len());
        for time in &times {
            for target in targets {
                let rest = scene.blend_channels()[*target].weight as f32;
                values.push(percent(of(target), f64::from(*time)).map_or(rest, |percent| (percent * 0.01) as f32));
            }
        }
        let (input, output) = (self.document.times(&times)?, self.document.floats(&values, "SCALAR")?);
        self.sampler(node, "weights", input, output);
        Ok(())
    }

    fn sampler(&mut self, node: usize, path: &str, input: usize, output: usize) {
        self.samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
        let sampler = self.samplers.len() - 1;
        self.channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }
}

/// The value of straight lines from key to key.
fn percent(keys: &[Key<3>], time: f64) -> Option<f64> {
    let after = keys.partition_point(|key| key.0 <= time);
    let (first, last) = (keys.first()?, keys.last()?);
    let value = match (after.checked_sub(1).and_then(|before| keys.get(before)), keys.get(after)) {
        (None, _) => first.1[0],
        (_, None) => last.1[0],
        (Some(a), Some(b)) => straight(a.1, b.1, (time - a.0) / (b.0 - a.0))[0],
    };
    value.is_finite().then_some(value)
}
