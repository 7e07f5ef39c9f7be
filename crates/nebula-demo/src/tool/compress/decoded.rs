//! Writes compressed clips as glTF again, for comparison.

use std::fs;
use std::path::Path;

use glam::Vec3;
use nebula_animation::clip::morph_joint;
use nebula_animation::compile::CompiledClip;
use nebula_animation::palette::Evaluator;
use nebula_animation::{AnimationClip, Asset, Channel, Compression, Interpolation, JointPose, Keyframe, Rig};
use nebula_import::ImportError;
use nebula_import::gltf::GltfDocument;

use super::input::Input;
use super::measure::Measured;

/// Writes the decoded clips of an input as a file.
pub fn write(path: &Path, input: &Input, measured: &[(usize, &Measured)]) -> Result<(), String> {
    let told = |problem: &dyn std::fmt::Display| format!("{}: {problem}", path.display());
    let clips: Vec<AnimationClip> =
        measured.iter().map(|(clip, measured)| decoded(&input.rig, &measured.clip, &input.clips[*clip])).collect();
    let (written, notes) = file(input, &clips).map_err(|problem| told(&problem))?;
    notes.iter().for_each(|note| eprintln!("{}", told(note)));
    fs::write(path, written).map_err(|error| told(&error))
}

/// The clip as decoding has it: channels that may be packed at the times of the samples, others, which are kept as they are, by their keys.
fn decoded(rig: &Rig, clip: &CompiledClip, authored: &AnimationClip) -> AnimationClip {
    let times = Compression::sample_times(authored);
    let mut evaluator = Evaluator::new();
    let (mut pose, mut weights) = (rig.bind_pose(), vec![0.0; rig.morphs().slot_count()]);
    let poses: Vec<(Vec<JointPose>, Vec<f32>)> = times
        .iter()
        .map(|time| {
            evaluator.pose(rig, clip, *time, &mut pose);
            clip.morph_weights(rig, *time, &mut weights);
            (pose.clone(), weights.clone())
        })
        .collect();
    // Behind the joints, three morph weights travel as a translation.
    let first_slot = |joint: usize| {
        let is_of = |slot: &usize| morph_joint(*slot).is_some_and(|(of, _)| usize::from(of) == joint);
        (0..rig.morphs().slot_count()).find(is_of)
    };
    let way = |sample: usize, joint: usize| {
        let (pose, weights) = &poses[sample];
        let Some(pose) = pose.get(joint) else {
            let weight = |slot: usize| weights.get(slot).copied().unwrap_or(0.0);
            return first_slot(joint).map(|slot| Vec3::new(weight(slot), weight(slot + 1), weight(slot + 2)));
        };
        Some(pose.0)
    };
    AnimationClip {
        name: authored.name.clone(),
        duration: authored.duration,
        translation_channels: channels(&authored.translation_channels, &times, way),
        rotation_channels: channels(&authored.rotation_channels, &times, |sample, joint| {
            poses[sample].0.get(joint).map(|pose| pose.1)
        }),
        scale_channels: authored.scale_channels.clone(),
    }
}

/// Linear channels with values that are decoded at these times, all others as they are.
fn channels<T: Clone>(
    authored: &[Channel<T>],
    times: &[f32],
    value: impl Fn(usize, usize) -> Option<T>,
) -> Vec<Channel<T>> {
    let decoded = |channel: &Channel<T>| {
        let is_sampled = channel.keyframes.iter().all(|key| is_among(times, key.time));
        if channel.interpolation != Interpolation::Linear || !is_sampled {
            return channel.clone();
        }
        let key = |(sample, time): (usize, &f32)| {
            let value = value(sample, channel.joint_index.into())?;
            Some(Keyframe { time: *time, value, tangents: None })
        };
        let keyframes: Option<Vec<Keyframe<T>>> = times.iter().enumerate().map(key).collect();
        Channel { keyframes: keyframes.unwrap_or_else(|| channel.keyframes.clone()), ..channel.clone() }
    };
    authored.iter().map(decoded).collect()
}

/// Whether a time is one of those of the samples, which keys may be off by a little.
fn is_among(times: &[f32], time: f32) -> bool {
    let step = times.windows(2).map(|pair| pair[1] - pair[0]).fold(f32::INFINITY, f32::min);
    let after = times.partition_point(|sample| *sample < time);
    let near = times.iter().skip(after.saturating_sub(1)).take(2);
    near.fold(f32::INFINITY, |nearest, sample| nearest.min((sample - time).abs())) <= 0.01 * step
}

/// The bytes of a `.glb` with these clips instead of the input's own, and what could not be written as meant.
fn file(input: &Input, clips: &[AnimationClip]) -> Result<(Vec<u8>, Vec<String>), String> {
    let made = || -> Result<(Vec<u8>, Vec<String>), ImportError> {
        let mut document = match &input.opened {
            Some(opened) => opened.document()?,
            None => GltfDocument::of_asset(&Asset { skeleton: input.rig.skeleton().clone(), ..Asset::default() })?,
        };
        let notes = document.add_clips(clips)?;
        Ok((document.into_glb()?, notes))
    };
    made().map_err(|error| error.to_string())
}
