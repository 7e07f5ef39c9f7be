//! Texture sampling.

use glam::{Vec2, Vec3A, Vec4};
use nebula_animation::asset::{TextureFilter, TextureSampler, TextureWrap};

use super::color::TABLES;

/// An image of 8-bit pixels with alpha, sRGB or data, ready for drawing: smaller copies of it are made once, so that far
/// surfaces neither flicker nor take longer than near ones.
#[derive(Debug, Clone)]
pub struct Texture {
    /// Whether the values are numbers as they are, as those of normals.
    is_data: bool,
    /// The image, then copies of half the size each, down to one pixel.
    levels: Vec<Level>,
}

#[derive(Debug, Clone)]
struct Level {
    width: i32,
    height: i32,
    pixels: Vec<[u8; 4]>,
}

impl Texture {
    /// A texture of `width * height` sRGB pixels, row by row from the top; none if their number is another, or zero.
    #[must_use]
    pub fn new(width: u32, height: u32, rgba: &[u8]) -> Option<Self> {
        Self::of(width, height, rgba, false)
    }

    /// The same for values that are no colours, but numbers from 0 to 1.
    #[must_use]
    pub fn data(width: u32, height: u32, rgba: &[u8]) -> Option<Self> {
        Self::of(width, height, rgba, true)
    }

    fn of(width: u32, height: u32, rgba: &[u8], is_data: bool) -> Option<Self> {
        let (width, height) = (i32::try_from(width).ok()?, i32::try_from(height).ok()?);
        let (pixels, rest) = rgba.as_chunks::<4>();
        if pixels.is_empty() || !rest.is_empty() || pixels.len() as u64 != width as u64 * height as u64 {
            return None;
        }
        let mut levels = vec![Level { width, height, pixels: pixels.to_vec() }];
        while let Some(smaller) = levels.last().and_then(|level: &Level| level.halved(is_data)) {
            levels.push(smaller);
        }
        Some(Self { is_data, levels })
    }

    /// Whether the values are numbers as they are.
    #[cfg(feature = "gpu")]
    pub(crate) fn is_data(&self) -> bool {
        self.is_data
    }

    /// The image and its smaller copies: width, height and pixels of each.
    pub(crate) fn levels(&self) -> impl Iterator<Item = (u32, u32, &[[u8; 4]])> {
        self.levels.iter().map(|level| (level.width.cast_unsigned(), level.height.cast_unsigned(), &*level.pixels))
    }

    /// Linear colour at a texture coordinate; `along_x` and `along_y` are its changes from pixel to pixel of the
    /// picture.
    pub(super) fn sample(&self, sampler: &TextureSampler, uv: Vec2, along_x: Vec2, along_y: Vec2) -> Vec4 {
        let size = Vec2::new(self.levels[0].width as f32, self.levels[0].height as f32);
        let footprint = (along_x * size).length_squared().max((along_y * size).length_squared());
        // Half a level sharper than the widest direction asks for: surfaces seen at an angle would blur.
        let level = footprint.log2() * 0.5 - 0.5;
        let filter = if level > 0.0 { sampler.minified } else { sampler.magnified };
        let level = level.clamp(0.0, (self.levels.len() - 1) as f32);
        let (first, fraction) = match sampler.mipmaps {
            _ if !level.is_finite() => (0, 0.0),
            None => (0, 0.0),
            Some(TextureFilter::Nearest) => ((level + 0.5) as usize, 0.0),
            Some(TextureFilter::Linear) => (level as usize, level.fract()),
        };
        let color = self.levels[first].sample(uv, sampler.wrap, filter, self.is_data);
        match self.levels.get(first + 1) {
            Some(next) if fraction > 0.0 => color.lerp(next.sample(uv, sampler.wrap, filter, self.is_data), fraction),
            _ => color,
        }
    }
}

impl Level {
    /// A copy of half the size, averaged in linear light, or as numbers; none of a single pixel.
    fn halved(&self, is_data: bool) -> Option<Self> {
        if self.width == 1 && self.height == 1 {
            return None;
        }
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut pixels = Vec::with_capacity((width * height) as usize);
        for y in 0..height {
            for x in 0..width {
                let mut color = Vec3A::ZERO;
                let mut numbers = [0_u32; 4];
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let pixel = self.pixel((x * 2 + dx).min(self.width - 1), (y * 2 + dy).min(self.height - 1));
                    color += TABLES.decode(pixel);
                    numbers.iter_mut().zip(pixel).for_each(|(sum, number)| *sum += u32::from(number));
                }
                let [red, green, blue, _] = TABLES.encode(color * 0.25);
                let mean = numbers.map(|sum| ((sum + 2) / 4) as u8);
                pixels.push(if is_data { mean } else { [red, green, blue, mean[3]] });
            }
        }
        Some(Self { width, height, pixels })
    }

    /// The mix of the four pixels around a texture coordinate, or the one that it lies in.
    fn sample(&self, uv: Vec2, wrap: [TextureWrap; 2], filter: TextureFilter, is_data: bool) -> Vec4 {
        let place = uv * Vec2::new(self.width as f32, self.height as f32);
        let place = if filter == TextureFilter::Nearest { place } else { place - 0.5 };
        let corner = place.floor();
        let fraction = place - corner;
        // The cast bounds what is too large and makes NaN zero.
        let (x, y) = (corner.x as i32, corner.y as i32);
        let column = |x: i32| wrapped(wrap[0], x, self.width);
        let row = |y: i32| wrapped(wrap[1], y, self.height);
        let linear = |x, y| {
            let pixel = self.pixel(x, y);
            if is_data {
                return Vec4::from(pixel.map(f32::from)) * (1.0 / 255.0);
            }
            Vec4::from((TABLES.decode(pixel), f32::from(pixel[3]) / 255.0))
        };
        if filter == TextureFilter::Nearest {
            return linear(column(x), row(y));
        }
        let (left, right) = (column(x), column(x.saturating_add(1)));
        let (top, bottom) = (row(y), row(y.saturating_add(1)));
        let upper = linear(left, top).lerp(linear(right, top), fraction.x);
        let lower = linear(left, bottom).lerp(linear(right, bottom), fraction.x);
        upper.lerp(lower, fraction.y)
    }

    fn pixel(&self, x: i32, y: i32) -> [u8; 4] {
        self.pixels[(y * self.width + x) as usize]
    }
}

/// The pixel between zero and `size` that stands for any pixel.
fn wrapped(wrap: TextureWrap, pixel: i32, size: i32) -> i32 {
    match wrap {
        TextureWrap::Repeat => pixel.rem_euclid(size),
        TextureWrap::Clamp => pixel.clamp(0, size - 1),
        TextureWrap::Mirror => {
            let pixel = i64::from(pixel).rem_euclid(2 * i64::from(size)) as i32;
            if pixel < size { pixel } else { 2 * size - 1 - pixel }
        }
    }
}
