//! Converts the numbers of a file to a skeleton and a clip.

use glam::{DVec3, Quat};
use nebula_animation::{AnimationClip, Channel, Interpolation, Keyframe};

use super::error::{BvhError, BvhFault};
use super::parse::{File, FileChannel};
use super::pose::{Body, Place};
use super::{Bvh, BvhOptions, UpAxis, rest};

/// Metres per unit: metres, feet, the CMU database as it is usually converted, inches, centimetres, millimetres.
const UNITS: [f64; 6] = [1.0, 0.3048, 0.056_444, 0.0254, 0.01, 0.001];
/// The height of a human in metres, without what is above the last joint.
const HEIGHT: f64 = 1.65;

pub(super) fn convert(file: &File, options: &BvhOptions) -> Result<Bvh, BvhError> {
    let all: Vec<&[f64]> = file.numbers.chunks_exact(file.channels.len()).collect();
    let frames = all.iter().copied().skip(usize::from(options.drops_first_frame));
    let frames: Vec<&[f64]> = frames.step_by(options.every.max(1)).collect();
    if frames.is_empty() {
        return Err(BvhError { line: file.motion_line, joint: String::new(), fault: BvhFault::NoFrames });
    }
    let up = options.up.unwrap_or_else(|| rest::up(&Body::new(file, UpAxis::Y), &all));
    let body = Body::new(file, up);
    let (locals, rest_frame) = rest::rest(&body, &all, options.rest);
    let told = options.unit.map(f64::from).filter(|unit| unit.is_finite() && *unit > 0.0);
    let unit = told.unwrap_or_else(|| guess(&body, &locals));
    let seconds = file.seconds_per_frame * options.every.max(1) as f64;
    let mut clip = AnimationClip {
        name: options.name.clone(),
        duration: (seconds * (frames.len() - 1) as f64) as f32,
        ..AnimationClip::default()
    };
    let key = |frame: usize| (frame as f64 * seconds) as f32;
    for (joint, channels) in body.channels.iter().enumerate() {
        if channels.iter().any(|(_, channel)| matches!(channel, FileChannel::Position(_))) {
            let value = |frame: &[f64]| (body.place(joint, frame) * unit).as_vec3();
            let keys = frames.iter().enumerate();
            let keys = keys.map(|(at, frame)| Keyframe { time: key(at), value: value(frame), tangents: None });
            clip.translation_channels.push(channel(joint, keys.collect()));
        }
        if channels.iter().any(|(_, channel)| matches!(channel, FileChannel::Rotation(_))) {
            let mut before = Quat::IDENTITY;
            let value = |frame: &[f64]| {
                let turn = body.turn(joint, frame).as_quat();
                before = if turn.dot(before) < 0.0 { -turn } else { turn };
                before
            };
            let values: Vec<Quat> = frames.iter().copied().map(value).collect();
            let keys = values.into_iter().enumerate();
            let keys = keys.map(|(at, value)| Keyframe { time: key(at), value, tangents: None });
            clip.rotation_channels.push(channel(joint, keys.collect()));
        }
    }
    let mut notes = Vec::new();
    if all.len() > file.frames_told {
        notes.push(format!("says {} frames and has {}: all are read", file.frames_told, all.len()));
    }
    if file.is_cut {
        notes.push(format!("what follows frame {} is none: left out", all.len()));
    }
    if up == UpAxis::Z {
        notes.push("Z is up in this file: turned upright".into());
    }
    if let Some(frame) = rest_frame {
        notes.push(format!("where all rotations are zero nobody stands: frame {} is the rest pose", frame + 1));
    }
    let skeleton = body.skeleton(&locals, unit);
    Ok(Bvh { skeleton, clip, unit: unit as f32, rate: 1.0 / seconds, up, rest_frame, notes })
}

fn channel<T: Clone>(joint: usize, keyframes: Vec<Keyframe<T>>) -> Channel<T> {
    Channel { joint_index: joint as u16, interpolation: Interpolation::Linear, keyframes }
}

/// The unit with which the skeleton is about as tall as a human, whichever axis is up.
fn guess(body: &Body, rest: &[Place]) -> f64 {
    let placed = body.globals(rest);
    let end = |(joint, offset): &(usize, DVec3)| placed[*joint].0 + placed[*joint].1 * body.upright(*offset);
    let all: Vec<DVec3> = placed.iter().map(|(place, _)| *place).chain(body.file.ends.iter().map(end)).collect();
    let size = |axis: usize| {
        let (least, most) = all.iter().fold((f64::MAX, f64::MIN), |(a, b), at| (a.min(at[axis]), b.max(at[axis])));
        most - least
    };
    // In a T-pose arms reach as wide as a human is tall; elsewhere one axis is longest.
    let tall = size(1).max(size(2)).max(size(0));
    let off = |unit: &f64| {
        let ratio = tall * unit / HEIGHT;
        ratio.max(1.0 / ratio)
    };
    UNITS.into_iter().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(1.0)
}
