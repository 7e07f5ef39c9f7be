//! Clips as animations of a glTF document.

use nebula_animation::{AnimationClip, Asset, Channel, Interpolation, Keyframe};
use serde_json::{Value, json};

use super::glb::Glb;

/// Adds clips to a document; one of the same name is replaced. Returns what could not be written as meant.
pub fn append(glb: &mut Glb, asset: &Asset, clips: &[AnimationClip]) -> Result<Vec<String>, String> {
    let mut notes = Vec::new();
    for clip in clips {
        let mut animation =
            Animation { glb, asset, clip, channels: Vec::new(), samplers: Vec::new(), notes: &mut notes };
        animation.add("translation", "VEC3", &clip.translation_channels, |value| value.to_array().to_vec())?;
        animation.add("rotation", "VEC4", &clip.rotation_channels, |value| value.to_array().to_vec())?;
        animation.add("scale", "VEC3", &clip.scale_channels, |value| value.to_array().to_vec())?;
        animation.add_weights()?;
        let Animation { channels, samplers, .. } = animation;
        if channels.is_empty() {
            notes.push(format!("{:?} moves nothing that the target has: left out", clip.name));
            continue;
        }
        let made = json!({ "name": clip.name, "channels": channels, "samplers": samplers });
        let animations = glb.list("animations");
        let same = animations.iter().position(|other| other.get("name").and_then(Value::as_str) == Some(&clip.name));
        match same {
            Some(index) => animations[index] = made,
            None => animations.push(made),
        }
    }
    notes.sort();
    notes.dedup();
    Ok(notes)
}

struct Animation<'a> {
    glb: &'a mut Glb,
    asset: &'a Asset,
    clip: &'a AnimationClip,
    channels: Vec<Value>,
    samplers: Vec<Value>,
    notes: &'a mut Vec<String>,
}

impl Animation<'_> {
    fn add<T: Clone>(
        &mut self,
        path: &str,
        shape: &str,
        channels: &[Channel<T>],
        numbers: impl Fn(&T) -> Vec<f32>,
    ) -> Result<(), String> {
        for (index, channel) in channels.iter().enumerate() {
            // Of two channels for one joint, the last one counts.
            let is_last = channels[index + 1..].iter().all(|other| other.joint_index != channel.joint_index);
            let Some(node) = self.node(channel.joint_index).filter(|_| is_last && !channel.keyframes.is_empty()) else {
                continue;
            };
            self.glb.unpack_matrix(node, self.asset, channel.joint_index);
            let mut keys: Vec<&Keyframe<T>> = Vec::with_capacity(channel.keyframes.len() + 1);
            for key in channel.keyframes.iter().filter(|key| key.time.is_finite() && key.time >= 0.0) {
                // glTF wants times that grow.
                if keys.last().is_none_or(|last| key.time > last.time) {
                    keys.push(key);
                }
            }
            let Some(last) = keys.last().copied() else { continue };
            let mut times: Vec<f32> = keys.iter().map(|key| key.time).collect();
            // A clip is as long as it was, also where its end moves nothing of the target.
            if self.channels.is_empty() && last.time < self.clip.duration {
                keys.push(last);
                times.push(self.clip.duration);
            }
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
            let input = self.glb.accessor(&times, "SCALAR", true)?;
            let output = self.glb.accessor(&values, shape, false)?;
            self.sampler(node, path, [input, output], channel.interpolation);
        }
        Ok(())
    }

    /// The weights of each mesh whose morph targets the clip moves.
    fn add_weights(&mut self) -> Result<(), String> {
        for mesh in &self.asset.morphs.meshes {
            let groups: Vec<_> = mesh.slots().step_by(3).map(|slot| slot / 3).collect();
            let channel = |group: usize| {
                self.clip.morph_channels().filter(|(other, _)| *other == group).last().map(|(_, channel)| channel)
            };
            // All targets of a mesh have their keys at the same times in clips that were made for it.
            let channels: Vec<_> = groups.iter().filter_map(|group| channel(*group)).collect();
            let Some(first) = channels.first().filter(|_| channels.len() == groups.len()) else { continue };
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
                        let Some(key) = channels[slot / 3].keyframes.get(key) else { return 0.0 };
                        let tangents = key.tangents.unwrap_or_default();
                        [tangents.0, key.value, tangents.1][part][slot % 3]
                    }));
                }
            }
            let input = self.glb.accessor(&times, "SCALAR", true)?;
            let output = self.glb.accessor(&values, "SCALAR", false)?;
            self.sampler(mesh.node, "weights", [input, output], first.interpolation);
        }
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

    /// The node that has the transform of a joint.
    fn node(&mut self, joint: u16) -> Option<usize> {
        let node = *self.asset.joint_nodes.get(usize::from(joint))?;
        let is_whole = self.asset.joint_of_node(node) == Some(joint);
        let is_sheared =
            self.asset.joint_nodes.iter().filter(|other| **other == node).count() > 1 && self.glb.has_matrix(node);
        if !is_whole || is_sheared {
            let name = &self.asset.skeleton.joints[usize::from(joint)].name;
            self.notes.push(format!("{name:?} is not animated: its node has a matrix that no rotation stands for"));
            return None;
        }
        Some(node)
    }
}
