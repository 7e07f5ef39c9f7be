//! Uncompressed channels, stored as keys.

use glam::{Quat, Vec3};

use super::ClipFileError;
use super::reader::Reader;
use super::writer::Writer;
use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe};

/// A value of a key.
trait Value: Copy {
    const NUMBERS: usize;
    fn numbers(&self) -> [f32; 4];
    fn of(numbers: [f32; 4]) -> Self;
}

impl Value for Vec3 {
    const NUMBERS: usize = 3;
    fn numbers(&self) -> [f32; 4] {
        self.extend(0.0).to_array()
    }
    fn of([x, y, z, _]: [f32; 4]) -> Self {
        Self::new(x, y, z)
    }
}

impl Value for Quat {
    const NUMBERS: usize = 4;
    fn numbers(&self) -> [f32; 4] {
        self.to_array()
    }
    fn of(numbers: [f32; 4]) -> Self {
        Self::from_array(numbers)
    }
}

/// The channels of a clip; its name and length are written elsewhere.
pub(super) fn write(writer: &mut Writer, clip: &AnimationClip) {
    write_all(writer, &clip.translation_channels);
    write_all(writer, &clip.rotation_channels);
    write_all(writer, &clip.scale_channels);
}

pub(super) fn read(reader: &mut Reader<'_>, name: &str, duration: f32) -> Result<AnimationClip, ClipFileError> {
    Ok(AnimationClip {
        name: name.to_owned(),
        duration,
        translation_channels: read_all(reader)?,
        rotation_channels: read_all(reader)?,
        scale_channels: read_all(reader)?,
    })
}

fn write_all<T: Value>(writer: &mut Writer, channels: &[Channel<T>]) {
    writer.count(channels.len());
    for channel in channels {
        writer.short(channel.joint_index);
        writer.byte(match channel.interpolation {
            Interpolation::Linear => 0,
            Interpolation::Step => 1,
            Interpolation::CubicSpline => 2,
        });
        writer.count(channel.keyframes.len());
        for key in &channel.keyframes {
            writer.float(key.time);
            writer.byte(key.tangents.is_some().into());
            let tangents = key.tangents.iter().flat_map(|(incoming, outgoing)| [*incoming, *outgoing]);
            for value in [key.value].into_iter().chain(tangents) {
                value.numbers().iter().take(T::NUMBERS).for_each(|number| writer.float(*number));
            }
        }
    }
}

/// Keys may be anything: whatever compiles clips takes them as it takes those of any caller.
fn read_all<T: Value>(reader: &mut Reader<'_>) -> Result<Vec<Channel<T>>, ClipFileError> {
    let count = reader.count(7, "channels")?;
    let mut channels = Vec::with_capacity(count);
    for _ in 0..count {
        let joint_index = reader.short()?;
        let interpolation = [Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline]
            [usize::from(reader.choice(3, "interpolation")?)];
        let keys = reader.count(5 + 4 * T::NUMBERS, "keys")?;
        let mut keyframes = Vec::with_capacity(keys);
        for _ in 0..keys {
            let time = f32::from_bits(reader.word()?);
            let has_tangents = reader.choice(2, "truth value")? == 1;
            let value = read_value(reader)?;
            let tangents = if has_tangents { Some((read_value(reader)?, read_value(reader)?)) } else { None };
            keyframes.push(Keyframe { time, value, tangents });
        }
        channels.push(Channel { joint_index, interpolation, keyframes });
    }
    Ok(channels)
}

fn read_value<T: Value>(reader: &mut Reader<'_>) -> Result<T, ClipFileError> {
    let mut numbers = [0.0; 4];
    for number in numbers.iter_mut().take(T::NUMBERS) {
        *number = f32::from_bits(reader.word()?);
    }
    Ok(T::of(numbers))
}
