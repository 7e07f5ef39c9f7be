//! Writes clips as animations.

use std::collections::{HashMap, HashSet, VecDeque};

use glam::Vec3;
use nebula_animation::clip::MorphMesh;
use nebula_animation::{AnimationClip, Channel, Interpolation, Keyframe, sample_channel};
use serde_json::{Value, json};

use super::GltfDocument;
use super::error::GltfError;
use super::read::number;

/// Adds clips to a document; each replaces an animation of its name that no other has replaced, if there is one, but for what that moves
/// and no clip can. Returns what could not be written as meant.
pub(super) fn append(document: &mut GltfDocument, clips: &[AnimationClip]) -> Result<Vec<String>, GltfError> {
    // Files may have two animations of one name: each is replaced by one clip only.
    let mut names: HashMap<String, VecDeque<usize>> = HashMap::new();
    for index in 0..document.json.count("animations") {
        let name = document.json.get("animations", index)?.get("name").and_then(Value::as_str).map(str::to_owned);
        names.entry(name.unwrap_or_else(|| format!("Animation_{index}"))).or_default().push_back(index);
    }
    let mut notes = Vec::new();
    for clip in clips {
        let place = names.get_mut(&clip.name).and_then(VecDeque::pop_front);
        let mut animation =
            Animation { document, clip, channels: Vec::new(), samplers: Vec::new(), notes: &mut notes, end: 0.0 };
        animation.add("translation", "VEC3", &clip.translation_channels, |value| value.to_array().to_vec())?;
        animation.add("rotation", "VEC4", &clip.rotation_channels, |value| value.to_array().to_vec())?;
        animation.add("scale", "VEC3", &clip.scale_channels, |value| value.to_array().to_vec())?;
        animation.add_weights()?;
        animation.hold_end()?;
        if let Some(index) = place {
            animation.keep(index)?;
        }
        let Animation { channels, samplers, .. } = animation;
        if channels.is_empty() {
            notes.push(format!("{:?} moves nothing that the file has: left out", clip.name));
            continue;
        }
        let made = json!({ "name": clip.name, "channels": channels, "samplers": samplers });
        match place {
            Some(index) => {
                document.json.set("animations", index, &made)?;
                document.has_leftovers = true;
            }
            None => {
                document.json.push("animations", &made)?;
            }
        }
    }
    notes.sort();
    notes.dedup();
    Ok(notes)
}

struct Animation<'a> {
    document: &'a mut GltfDocument,
    clip: &'a AnimationClip,
    channels: Vec<Value>,
    samplers: Vec<Value>,
    notes: &'a mut Vec<String>,
    /// The last time of any channel.
    end: f32,
}

impl Animation<'_> {
    fn add<T: Clone>(
        &mut self,
        path: &str,
        shape: &str,
        channels: &[Channel<T>],
        numbers: impl Fn(&T) -> Vec<f32>,
    ) -> Result<(), GltfError> {
        // Of two channels for one joint, the last one counts.
        let mut seen = HashSet::new();
        let mut counted: Vec<&Channel<T>> =
            channels.iter().rev().filter(|channel| seen.insert(channel.joint_index)).collect();
        counted.reverse();
        for channel in counted {
            let mut keys: Vec<&Keyframe<T>> = Vec::with_capacity(channel.keyframes.len());
            for key in channel.keyframes.iter().filter(|key| key.time.is_finite() && key.time >= 0.0) {
                // glTF wants times that grow.
                if keys.last().is_none_or(|last| key.time > last.time) {
                    keys.push(key);
                }
            }
            if keys.is_empty() {
                continue;
            }
            let Some(node) = self.node(channel.joint_index)? else { continue };
            let times: Vec<f32> = keys.iter().map(|key| key.time).collect();
            self.reach(&times);
            let is_cubic = channel.interpolation == Interpolation::CubicSpline;
            let mut values: Vec<f32> = Vec::new();
            for key in &keys {
                let value = numbers(&key.value);
                if is_cubic {
                    let none = vec![0.0; value.len()];
                    let [into, out] = match &key.tangents {
                        Some((into, out)) => [numbers(into), numbers(out)],
                        None => [none.clone(), none],
                    };
                    values.extend(into.into_iter().chain(value).chain(out));
                } else {
                    values.extend(value);
                }
            }
            let input = self.document.times(&times)?;
            let output = self.document.floats(&values, shape)?;
            self.sampler(node, path, [input, output], channel.interpolation);
        }
        Ok(())
    }

    /// Takes over what the animation that is replaced moves and no clip can: nodes that are no joints, and pointers.
    fn keep(&mut self, index: usize) -> Result<(), GltfError> {
        if self.channels.is_empty() {
            return Ok(());
        }
        let targets = &self.document.targets;
        let joints: HashSet<usize> = targets.joints.iter().filter_map(|target| target.node).collect();
        let meshes: HashSet<usize> = targets.morphs.iter().map(|mesh| mesh.node).collect();
        let old = self.document.json.get("animations", index)?;
        let list = |name: &str| old.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
        let samplers = list("samplers");
        let mut kept: Vec<String> = Vec::new();
        for channel in list("channels") {
            let Some(target) = channel.get("target") else { continue };
            let path = target.get("path").and_then(Value::as_str).unwrap_or_default();
            let node = target.get("node").map(|node| number(Some(node)));
            let is_ours = match node {
                Some(node) if path == "weights" => meshes.contains(&node),
                Some(node) => joints.contains(&node),
                None => path != "pointer",
            };
            let Some(sampler) = samplers.get(number(channel.get("sampler"))).filter(|_| !is_ours) else { continue };
            self.samplers.push(sampler.clone());
            let mut channel = channel.clone();
            channel["sampler"] = json!(self.samplers.len() - 1);
            self.channels.push(channel);
            let node = node.map(|node| self.document.json.get("nodes", node)).transpose()?;
            let name = node.and_then(|node| node.get("name").and_then(Value::as_str).map(str::to_owned));
            kept.push(format!("{:?}", name.unwrap_or_else(|| path.into())));
        }
        kept.sort();
        kept.dedup();
        if !kept.is_empty() {
            let what = kept.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
            self.notes.push(format!("{:?} moves what is no joint, which stays as it was: {what}", self.clip.name));
        }
        Ok(())
    }

    /// The weights of each mesh whose morph targets the clip moves.
    fn add_weights(&mut self) -> Result<(), GltfError> {
        for mesh in self.document.targets.morphs.clone() {
            let groups: Vec<usize> = mesh.slots().step_by(3).map(|slot| slot / 3).collect();
            let channel = |group: &usize| {
                self.clip.morph_channels().filter(|(other, _)| other == group).last().map(|(_, channel)| channel)
            };
            let channels: Vec<Option<&Channel<Vec3>>> = groups.iter().map(channel).collect();
            let Some(first) = channels.iter().flatten().next() else { continue };
            // All targets of a mesh have their keys at the same times in clips that were made for it.
            let is_alike = |other: &Option<&Channel<Vec3>>| {
                other.is_some_and(|other| {
                    other.interpolation == first.interpolation
                        && other.keyframes.len() == first.keyframes.len()
                        && other.keyframes.iter().zip(&first.keyframes).all(|(a, b)| a.time == b.time)
                })
            };
            let (interpolation, times, values) = if channels.iter().all(is_alike) {
                together(&mesh, &channels, first)
            } else {
                let (times, values) = at_all_times(&mesh, &channels);
                (Interpolation::Linear, times, values)
            };
            self.reach(&times);
            let input = self.document.times(&times)?;
            let output = self.document.floats(&values, "SCALAR")?;
            self.sampler(mesh.node, "weights", [input, output], interpolation);
        }
        Ok(())
    }

    fn reach(&mut self, times: &[f32]) {
        self.end = times.iter().copied().fold(self.end, f32::max);
    }

    /// A clip is as long as it was, also where its end moves nothing: a joint that the clip leaves alone has a key there, at rest.
    fn hold_end(&mut self) -> Result<(), GltfError> {
        if !(self.end < self.clip.duration) || self.channels.is_empty() {
            return Ok(());
        }
        let driven: HashSet<(u64, String)> = self
            .channels
            .iter()
            .filter_map(|channel| {
                let target = channel.get("target")?;
                Some((target.get("node")?.as_u64()?, target.get("path")?.as_str()?.to_owned()))
            })
            .collect();
        let joints = self.document.targets.joints.iter().enumerate();
        let free = joints.filter_map(|(joint, target)| Some((joint, target.node?, target.bind))).find_map(|it| {
            let path = ["scale", "translation", "rotation"];
            path.into_iter().find(|path| !driven.contains(&(it.1 as u64, (*path).to_owned()))).map(|path| (it, path))
        });
        let Some(((joint, _, bind), path)) = free else {
            self.notes.push(format!("{:?} is {} s long instead of {}", self.clip.name, self.end, self.clip.duration));
            return Ok(());
        };
        let Some(node) = self.node(joint as u16)? else { return Ok(()) };
        let (values, shape) = match path {
            "scale" => (bind.2.to_array().to_vec(), "VEC3"),
            "translation" => (bind.0.to_array().to_vec(), "VEC3"),
            _ => (bind.1.to_array().to_vec(), "VEC4"),
        };
        let input = self.document.times(&[self.clip.duration])?;
        let output = self.document.floats(&values, shape)?;
        self.sampler(node, path, [input, output], Interpolation::Step);
        Ok(())
    }

    fn sampler(&mut self, node: usize, path: &str, [input, output]: [usize; 2], interpolation: Interpolation) {
        let interpolation = match interpolation {
            Interpolation::Step => "STEP",
            Interpolation::Linear => "LINEAR",
            Interpolation::CubicSpline => "CUBICSPLINE",
        };
        self.samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        let sampler = self.samplers.len() - 1;
        self.channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }

    /// The node that has the transform of a joint, without a matrix.
    fn node(&mut self, joint: u16) -> Result<Option<usize>, GltfError> {
        let Some(target) = self.document.targets.joints.get(usize::from(joint)) else { return Ok(None) };
        let Some(node) = target.node else {
            self.notes
                .push(format!("{:?} is not animated: its node has a matrix that no rotation stands for", target.name));
            return Ok(None);
        };
        let (translation, rotation, scale) = target.bind;
        let mut value = self.document.json.get("nodes", node)?;
        if let Some(own) = value.as_object_mut()
            && own.remove("matrix").is_some()
        {
            own.insert("translation".into(), json!(translation.to_array()));
            own.insert("rotation".into(), json!(rotation.to_array()));
            own.insert("scale".into(), json!(scale.to_array()));
            self.document.json.set("nodes", node, &value)?;
        }
        Ok(Some(node))
    }
}

/// Keys that all channels of a mesh have at the same times.
fn together(
    mesh: &MorphMesh,
    channels: &[Option<&Channel<Vec3>>],
    first: &Channel<Vec3>,
) -> (Interpolation, Vec<f32>, Vec<f32>) {
    let (mut times, mut values): (Vec<f32>, Vec<f32>) = (Vec::new(), Vec::new());
    let is_cubic = first.interpolation == Interpolation::CubicSpline;
    for (key, time) in first.keyframes.iter().map(|key| key.time).enumerate() {
        if times.last().is_some_and(|last| *last >= time) {
            continue;
        }
        times.push(time);
        for part in if is_cubic { 0..3 } else { 1..2 } {
            values.extend(mesh.slots().map(|slot| {
                let slot = slot - mesh.first_slot;
                let key = channels[slot / 3].and_then(|channel| channel.keyframes.get(key));
                let Some(key) = key else { return 0.0 };
                let tangents = key.tangents.unwrap_or_default();
                [tangents.0, key.value, tangents.1][part][slot % 3]
            }));
        }
    }
    (first.interpolation, times, values)
}

/// The weights at every time at which any of them has a key; those that the clip does not move stay as they are at rest.
fn at_all_times(mesh: &MorphMesh, channels: &[Option<&Channel<Vec3>>]) -> (Vec<f32>, Vec<f32>) {
    let mut times: Vec<f32> =
        channels.iter().flatten().flat_map(|channel| channel.keyframes.iter().map(|key| key.time)).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    let mut values = Vec::with_capacity(times.len() * mesh.weights.len());
    for &time in &times {
        for (target, rest) in mesh.weights.iter().enumerate() {
            values.push(channels[target / 3].map_or(*rest, |channel| sample_channel(channel, time)[target % 3]));
        }
    }
    (times, values)
}
