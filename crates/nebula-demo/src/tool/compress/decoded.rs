//! Compressed clips as glTF again, so that anyone can compare them.

use std::fs;
use std::path::{Path, PathBuf};

use nebula_animation::compile::CompiledClip;
use nebula_animation::palette::Evaluator;
use nebula_animation::{AnimationClip, Asset, Channel, Interpolation, Keyframe, Rig};
use nebula_import::gltf::{GltfDocument, GltfError};

use super::input::Input;
use super::measure::Measured;

/// Writes a file for each input: `out` itself where there is one, else files of their names in a folder.
pub fn write(out: &Path, inputs: &[Input], jobs: &[(usize, usize)], measured: &[Measured]) -> Result<(), String> {
    let is_file = out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("glb"));
    if inputs.len() > 1 && is_file {
        return Err(format!("{}: {} files need a folder to be written to", out.display(), inputs.len()));
    }
    for (index, input) in inputs.iter().enumerate() {
        let path: PathBuf = if is_file {
            out.to_owned()
        } else {
            fs::create_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
            out.join(input.file.file_stem().unwrap_or_default()).with_extension("glb")
        };
        let own = jobs.iter().zip(measured).filter(|((file, _), _)| *file == index);
        let clips: Vec<AnimationClip> = own
            .map(|((_, clip), measured)| decoded(&input.rig, &measured.clip, &input.clips[*clip], measured))
            .collect();
        let written = file(input, &clips).map_err(|problem| format!("{}: {problem}", path.display()))?;
        fs::write(&path, written).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// The clip as decoding has it, at the times of its samples.
fn decoded(rig: &Rig, clip: &CompiledClip, authored: &AnimationClip, measured: &Measured) -> AnimationClip {
    let times = times(authored, measured.errors.samples);
    let mut evaluator = Evaluator::new();
    let mut pose = rig.bind_pose();
    let poses: Vec<Vec<_>> = times
        .iter()
        .map(|time| {
            evaluator.pose(rig, clip, *time, &mut pose);
            pose.clone()
        })
        .collect();
    fn channels<T: Clone>(
        joints: impl Iterator<Item = u16>,
        times: &[f32],
        value: impl Fn(usize, u16) -> T,
    ) -> Vec<Channel<T>> {
        let channel = |joint_index: u16| {
            let key = |(sample, time): (usize, &f32)| Keyframe {
                time: *time,
                value: value(sample, joint_index),
                tangents: None,
            };
            let keyframes = times.iter().enumerate().map(key).collect();
            Channel { joint_index, interpolation: Interpolation::Linear, keyframes }
        };
        joints.map(channel).collect()
    }
    let count = rig.joint_count() as u16;
    let known = |joint: &u16| *joint < count;
    let ways = authored.translation_channels.iter().map(|channel| channel.joint_index).filter(known);
    let sizes = authored.scale_channels.iter().map(|channel| channel.joint_index).filter(known);
    AnimationClip {
        name: authored.name.clone(),
        duration: authored.duration,
        translation_channels: channels(ways, &times, |sample, joint| poses[sample][usize::from(joint)].0),
        rotation_channels: channels(0..count, &times, |sample, joint| poses[sample][usize::from(joint)].1),
        scale_channels: channels(sizes, &times, |sample, joint| poses[sample][usize::from(joint)].2),
    }
}

/// The times of the fullest channel, which are those of the samples, or as many at equal distances.
fn times(authored: &AnimationClip, samples: usize) -> Vec<f32> {
    fn of<T: Clone>(channels: &[Channel<T>]) -> impl Iterator<Item = Vec<f32>> {
        channels.iter().map(|channel| channel.keyframes.iter().map(|key| key.time).collect())
    }
    let all = of(&authored.rotation_channels).chain(of(&authored.translation_channels));
    let fullest = all.max_by_key(Vec::len).filter(|times| times.len() == samples);
    let step = |sample: usize| authored.duration * sample as f32 / (samples.max(2) - 1) as f32;
    fullest.unwrap_or_else(|| (0..samples.max(2)).map(step).collect())
}

/// The bytes of a `.glb` with these clips instead of the input's own.
fn file(input: &Input, clips: &[AnimationClip]) -> Result<Vec<u8>, String> {
    let made = || -> Result<Vec<u8>, GltfError> {
        let mut document = match &input.asset {
            Some(asset) => GltfDocument::of_file(&input.file, asset)?,
            None => GltfDocument::of_asset(&Asset { skeleton: input.rig.skeleton().clone(), ..Asset::default() })?,
        };
        document.add_clips(clips)?;
        document.into_glb()
    };
    made().map_err(|error| error.to_string())
}
