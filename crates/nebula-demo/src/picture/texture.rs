//! Images on surfaces.

use glam::{Vec2, Vec3A, Vec4};

use super::color::TABLES;

/// An image of 8-bit sRGB pixels with alpha, ready for drawing: smaller copies of it are made once, so that far
/// surfaces neither flicker nor take longer than near ones.
#[derive(Debug, Clone)]
pub struct Texture {
    /// The image, then copies of half the size each, down to one pixel.
    levels: Vec<Level>,
    wrap: Wrap,
}

/// What lies beyond the edges of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wrap {
    /// The texture again.
    #[default]
    Repeat,
    /// The texture again, every second time mirrored.
    Mirror,
    /// The pixels of the edge.
    Clamp,
}

#[derive(Debug, Clone)]
struct Level {
    width: i32,
    height: i32,
    pixels: Vec<[u8; 4]>,
}

impl Texture {
    /// A texture of `width * height` pixels, row by row from the top; none if their number is another, or zero.
    #[must_use]
    pub fn new(width: u32, height: u32, rgba: &[u8], wrap: Wrap) -> Option<Self> {
        let (width, height) = (i32::try_from(width).ok()?, i32::try_from(height).ok()?);
        let (pixels, rest) = rgba.as_chunks::<4>();
        if pixels.is_empty() || !rest.is_empty() || pixels.len() as u64 != width as u64 * height as u64 {
            return None;
        }
        let mut levels = vec![Level { width, height, pixels: pixels.to_vec() }];
        while let Some(smaller) = levels.last().and_then(Level::halved) {
            levels.push(smaller);
        }
        Some(Self { levels, wrap })
    }

    /// The image and its smaller copies: width, height and pixels of each.
    #[cfg(feature = "gpu")]
    pub(crate) fn levels(&self) -> impl Iterator<Item = (u32, u32, &[[u8; 4]])> {
        self.levels.iter().map(|level| (level.width.cast_unsigned(), level.height.cast_unsigned(), &*level.pixels))
    }

    /// What lies beyond its edges.
    #[cfg(feature = "gpu")]
    pub(crate) fn wrap(&self) -> Wrap {
        self.wrap
    }

    /// Linear colour at a texture coordinate; `along_x` and `along_y` are its changes from pixel to pixel of the
    /// picture.
    pub(super) fn sample(&self, uv: Vec2, along_x: Vec2, along_y: Vec2) -> Vec4 {
        let size = Vec2::new(self.levels[0].width as f32, self.levels[0].height as f32);
        let footprint = (along_x * size).length_squared().max((along_y * size).length_squared());
        // Half a level sharper than the widest direction asks for: surfaces seen at an angle would blur.
        let level = (footprint.log2() * 0.5 - 0.5).clamp(0.0, (self.levels.len() - 1) as f32);
        let (first, fraction) = if level.is_finite() { (level as usize, level.fract()) } else { (0, 0.0) };
        let color = self.levels[first].sample(uv, self.wrap);
        match self.levels.get(first + 1) {
            Some(next) if fraction > 0.0 => color.lerp(next.sample(uv, self.wrap), fraction),
            _ => color,
        }
    }
}

impl Level {
    /// A copy of half the size, averaged in linear light; none of a single pixel.
    fn halved(&self) -> Option<Self> {
        if self.width == 1 && self.height == 1 {
            return None;
        }
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut pixels = Vec::with_capacity((width * height) as usize);
        for y in 0..height {
            for x in 0..width {
                let mut color = Vec3A::ZERO;
                let mut alpha = 0;
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let pixel = self.pixel((x * 2 + dx).min(self.width - 1), (y * 2 + dy).min(self.height - 1));
                    color += TABLES.decode(pixel);
                    alpha += u32::from(pixel[3]);
                }
                let [red, green, blue, _] = TABLES.encode(color * 0.25);
                pixels.push([red, green, blue, ((alpha + 2) / 4) as u8]);
            }
        }
        Some(Self { width, height, pixels })
    }

    /// The mix of the four pixels around a texture coordinate.
    fn sample(&self, uv: Vec2, wrap: Wrap) -> Vec4 {
        let place = uv * Vec2::new(self.width as f32, self.height as f32) - 0.5;
        let corner = place.floor();
        let fraction = place - corner;
        // The cast bounds what is too large and makes NaN zero.
        let (x, y) = (corner.x as i32, corner.y as i32);
        let (left, right) = (wrap.apply(x, self.width), wrap.apply(x.saturating_add(1), self.width));
        let (top, bottom) = (wrap.apply(y, self.height), wrap.apply(y.saturating_add(1), self.height));
        let linear = |x, y| {
            let pixel = self.pixel(x, y);
            Vec4::from((TABLES.decode(pixel), f32::from(pixel[3]) / 255.0))
        };
        let upper = linear(left, top).lerp(linear(right, top), fraction.x);
        let lower = linear(left, bottom).lerp(linear(right, bottom), fraction.x);
        upper.lerp(lower, fraction.y)
    }

    fn pixel(&self, x: i32, y: i32) -> [u8; 4] {
        self.pixels[(y * self.width + x) as usize]
    }
}

impl Wrap {
    /// The pixel between zero and `size` that stands for any pixel.
    fn apply(self, pixel: i32, size: i32) -> i32 {
        match self {
            Self::Repeat => pixel.rem_euclid(size),
            Self::Clamp => pixel.clamp(0, size - 1),
            Self::Mirror => {
                let pixel = i64::from(pixel).rem_euclid(2 * i64::from(size)) as i32;
                if pixel < size { pixel } else { 2 * size - 1 - pixel }
            }
        }
    }
}
