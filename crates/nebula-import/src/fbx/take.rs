//! Takes as animations.

use std::collections::BTreeMap;

use fbx_rs::{BakeOptions, BakedKey, Scene};
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
        // Trimmed times begin at 0 where the first key is before the take's own beginning.
        let mut animation = Animation { document, channels: Vec::new(), samplers: Vec::new() };
        for node in &baked.nodes {
            animation.add(node.node, "translation", "VEC3", &node.translation_keys, |value| value)?;
            animation.add(node.node, "rotation", "VEC4", &node.rotation_keys, unit)?;
            animation.add(node.node, "scale", "VEC3", &node.scale_keys, |value| value)?;
        }
        let mut channels: BTreeMap<usize, &[BakedKey<3>]> = BTreeMap::new();
        for property in baked.properties.iter().filter(|property| property.name == b"DeformPercent") {
            if let Some(channel) = channel_by_id(scene, property.source_id) {
                channels.insert(channel, &property.keys);
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

struct Animation<'a> {
    document: &'a mut GltfDocument,
    channels: Vec<Value>,
    samplers: Vec<Value>,
}

impl Animation<'_> {
    fn add<const N: usize>(
        &mut self,
        node: usize,
        path: &str,
        shape: &str,
        keys: &[BakedKey<N>],
        value: impl Fn([f64; N]) -> [f64; N],
    ) -> Result<(), FbxError> {
        let (mut times, mut values): (Vec<f32>, Vec<f32>) = (Vec::new(), Vec::new());
        for key in keys {
            let time = key.time.max(0.0) as f32;
            let is_later = times.last().is_none_or(|last| time > *last);
            if time.is_finite() && is_later && key.value.iter().all(|number| number.is_finite()) {
                times.push(time);
                values.extend(value(key.value).map(|number| number as f32));
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
        channels: &BTreeMap<usize, &[BakedKey<3>]>,
    ) -> Result<(), FbxError> {
        let of = |target: &usize| channels.get(target).copied().unwrap_or(&[]);
        let mut times: Vec<f32> =
            targets.iter().flat_map(|target| of(target).iter().map(|key| key.time.max(0.0) as f32)).collect();
        times.retain(|time| time.is_finite());
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
fn percent(keys: &[BakedKey<3>], time: f64) -> Option<f64> {
    let after = keys.partition_point(|key| key.time <= time);
    let (first, last) = (keys.first()?, keys.last()?);
    let value = match (after.checked_sub(1).and_then(|before| keys.get(before)), keys.get(after)) {
        (None, _) => first.value[0],
        (_, None) => last.value[0],
        (Some(a), Some(b)) => {
            let along = (time - a.time) / (b.time - a.time);
            a.value[0] + (b.value[0] - a.value[0]) * along
        }
    };
    value.is_finite().then_some(value)
}
