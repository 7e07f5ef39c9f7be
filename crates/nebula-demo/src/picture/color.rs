//! sRGB and linear light.

use std::sync::LazyLock;

use glam::{Vec3A, Vec4};

/// A linear colour from the 8-bit values that colour pickers and style sheets show.
#[must_use]
pub fn srgb(red: u8, green: u8, blue: u8) -> Vec4 {
    let [red, green, blue] = [red, green, blue].map(|value| TABLES.decode[usize::from(value)]);
    Vec4::new(red, green, blue, 1.0)
}

/// Conversion tables: a power function for each of a million channel values would take longer than the drawing.
pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

/// Steps of the table from linear light to sRGB. The steepest part of the curve needs 0.0003 for one 8-bit value,
/// more than twice the step.
const STEPS: usize = 8192;

pub(super) struct Tables {
    decode: [f32; 256],
    encode: [u8; STEPS + 1],
}

impl Tables {
    fn new() -> Self {
        let decode = std::array::from_fn(|value| linear_of(value as f32 / 255.0));
        let encode = std::array::from_fn(|step| (srgb_of(step as f32 / STEPS as f32) * 255.0).round() as u8);
        Self { decode, encode }
    }

    /// Linear light of three 8-bit values.
    pub(super) fn decode(&self, [red, green, blue, _]: [u8; 4]) -> Vec3A {
        Vec3A::new(self.decode[usize::from(red)], self.decode[usize::from(green)], self.decode[usize::from(blue)])
    }

    /// An opaque pixel of a linear colour. What is not a number becomes black.
    pub(super) fn encode(&self, color: Vec3A) -> [u8; 4] {
        // The cast of a negative number or of NaN gives zero. To 16 bits it is the quickest.
        let step = color * STEPS as f32 + 0.5;
        let channel = |value: f32| self.encode[usize::from(value as u16).min(STEPS)];
        [channel(step.x), channel(step.y), channel(step.z), 255]
    }
}

fn linear_of(value: f32) -> f32 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn srgb_of(value: f32) -> f32 {
    if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 }
}
