//! From the numbers of a file to a skeleton and a clip.

use glam::{DQuat, DVec3, Mat4, Quat, Vec3};
use nebula_animation::{AnimationClip, Channel, Interpolation, Joint, Keyframe, Skeleton};

use super::error::{BvhError, BvhFault};
use super::parse::{File, FileChannel};
use super::{Bvh, BvhOptions};

/// Metres per unit: metres, feet, the CMU database as it is usually converted, inches, centimetres, millimetres.
const UNITS: [f64; 6] = [1.0, 0.3048, 0.056_444, 0.0254, 0.01, 0.001];
/// The height of a human in metres, without what is above the last joint.
const HEIGHT: f64 = 1.65;

pub(super) fn convert(file: &File, options: &BvhOptions) -> Result<Bvh, BvhError> {
    let told = options.unit.map(f64::from).filter(|unit| unit.is_finite() && *unit > 0.0);
    let unit = told.unwrap_or_else(|| guess(file));
    let per_frame = file.channels.len();
    let frames = file.numbers.chunks_exact(per_frame).skip(usize::from(options.drops_first_frame));
    let frames: Vec<&[f64]> = frames.step_by(options.every.max(1)).collect();
    if frames.is_empty() {
        return Err(BvhError { line: file.motion_line, joint: String::new(), fault: BvhFault::NoFrames });
    }
    let seconds = file.seconds_per_frame * options.every.max(1) as f64;
    let mut clip = AnimationClip {
        name: options.name.clone(),
        duration: (seconds * (frames.len() - 1) as f64) as f32,
        ..AnimationClip::default()
    };
    for (index, joint) in file.joints.iter().enumerate() {
        let channels: Vec<(usize, FileChannel)> =
            (0..per_frame).filter(|at| file.channels[*at].0 == index).map(|at| (at, file.channels[at].1)).collect();
        let moves = channels.iter().any(|(_, channel)| matches!(channel, FileChannel::Position(_)));
        let turns = channels.iter().any(|(_, channel)| matches!(channel, FileChannel::Rotation(_)));
        let key = |frame: usize| (frame as f64 * seconds) as f32;
        if moves {
            let value = |frame: &[f64]| (place(&channels, frame, joint.offset) * unit).as_vec3();
            let keyframes = frames.iter().enumerate();
            let keyframes =
                keyframes.map(|(at, frame)| Keyframe { time: key(at), value: value(frame), tangents: None });
            clip.translation_channels.push(channel(index, keyframes.collect()));
        }
        if turns {
            let mut before = Quat::IDENTITY;
            let value = |frame: &[f64]| {
                let turn = turn(&channels, frame).as_quat();
                before = if turn.dot(before) < 0.0 { -turn } else { turn };
                before
            };
            let values: Vec<Quat> = frames.iter().copied().map(value).collect();
            let keyframes = values.into_iter().enumerate();
            let keyframes = keyframes.map(|(at, value)| Keyframe { time: key(at), value, tangents: None });
            clip.rotation_channels.push(channel(index, keyframes.collect()));
        }
    }
    Ok(Bvh { skeleton: skeleton(file, unit), clip, unit: unit as f32, rate: 1.0 / seconds })
}

fn channel<T: Clone>(joint: usize, keyframes: Vec<Keyframe<T>>) -> Channel<T> {
    Channel { joint_index: joint as u16, interpolation: Interpolation::Linear, keyframes }
}

fn place(channels: &[(usize, FileChannel)], frame: &[f64], offset: DVec3) -> DVec3 {
    let mut place = offset;
    for (at, channel) in channels {
        if let FileChannel::Position(axis) = channel {
            place[*axis] = frame[*at];
        }
    }
    place
}

fn turn(channels: &[(usize, FileChannel)], frame: &[f64]) -> DQuat {
    let mut turn = DQuat::IDENTITY;
    for (at, channel) in channels {
        let angle = frame[*at].to_radians();
        turn *= match channel {
            FileChannel::Rotation(0) => DQuat::from_rotation_x(angle),
            FileChannel::Rotation(1) => DQuat::from_rotation_y(angle),
            FileChannel::Rotation(_) => DQuat::from_rotation_z(angle),
            FileChannel::Position(_) => DQuat::IDENTITY,
        };
    }
    turn
}

fn skeleton(file: &File, unit: f64) -> Skeleton {
    let placed = placed(file);
    let joint = |(index, joint): (usize, &super::parse::FileJoint)| Joint {
        index: index as u16,
        name: joint.name.clone(),
        parent: joint.parent.map(|parent| parent as u16),
        inverse_bind_matrix: Mat4::from_translation((-placed[index] * unit).as_vec3()),
        bind_translation: (joint.offset * unit).as_vec3(),
        bind_rotation: Quat::IDENTITY,
        bind_scale: Vec3::ONE,
    };
    Skeleton { joints: file.joints.iter().enumerate().map(joint).collect() }
}

/// Where the joints are at rest, in the file's units.
fn placed(file: &File) -> Vec<DVec3> {
    let mut placed: Vec<DVec3> = Vec::with_capacity(file.joints.len());
    for joint in &file.joints {
        let above = joint.parent.map_or(DVec3::ZERO, |parent| placed[parent]);
        placed.push(above + joint.offset);
    }
    placed
}

/// The unit with which the skeleton is about as tall as a human, whichever axis is up.
fn guess(file: &File) -> f64 {
    let placed = placed(file);
    let ends = file.ends.iter().map(|(joint, offset)| placed[*joint] + *offset);
    let all: Vec<DVec3> = placed.iter().copied().chain(ends).collect();
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
