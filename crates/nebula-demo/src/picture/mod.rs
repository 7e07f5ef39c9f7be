//! A small software renderer, and picture and film files: no GPU or display needed.
//!
//! How a frame is made:
//! 1. `camera` projects the vertices, `clip` cuts triangles at the near plane, `walk` finds the samples inside
//!    them, four in each pixel, and `raster` notes which triangle is nearest there. No colour is computed yet.
//! 2. `shadow` draws the same triangles, but those of the terrain, along the light onto a level plane, as a map of
//!    `heights`, and blurs it in a `pyramid`. Floor and terrain look into it.
//! 3. `resolve` walks over the pixels: sky and floor come from `ground`, and each triangle that owns samples of a
//!    pixel is lit once, with its own weights (`face`), its `looks` at that point (`surface`, `texture`) and light (`shade`, and from all
//!    around `environment`), and fades in the fog. The mix is made in linear light and stored as sRGB (`color`).
//! 4. `lines` draws the overlay on top.
//!
//! Lighting a triangle once per pixel, not once per sample, costs a quarter and shows the same edges.
//!
//! All colours that go in are linear, as in glTF; `srgb` makes one from the usual 8-bit values. `encode` writes
//! PNG files and, with a `palette`, GIF films; `apng` films that lose nothing, and `video` those of other programs.

mod apng;
mod camera;
mod clip;
mod color;
mod encode;
pub(crate) mod environment;
mod face;
pub(crate) mod ground;
mod heights;
pub(crate) mod lines;
mod looks;
mod palette;
pub(crate) mod pyramid;
mod raster;
mod resolve;
pub(crate) mod shade;
pub(crate) mod shadow;
mod surface;
#[cfg(test)]
mod tests;
mod texture;
mod video;
mod walk;

use glam::{Quat, Vec2, Vec3, Vec4};
use nebula_animation::asset::Alpha;

pub use apng::ApngWriter;
pub use camera::Camera;
pub(crate) use camera::View;
pub use color::srgb;
pub use encode::{GifWriter, write_gif, write_png};
pub use environment::radiance;
pub use ground::{HORIZON, NADIR, ZENITH};
#[cfg(feature = "gpu")]
pub(crate) use heights::Placement;
pub use looks::{Answer, Drawn, Looks, Map, affine};
pub use palette::Palette;
pub use texture::Texture;
pub use video::VideoWriter;

/// Draws one picture. A program that draws many keeps a [`Renderer`] instead.
#[must_use]
pub fn render(scene: &Scene, camera: &Camera, width: u32, height: u32) -> Canvas {
    let mut canvas = Canvas::new(width, height);
    Renderer::default().render(scene, camera, &mut canvas);
    canvas
}

/// Draws pictures and keeps its working memory, so that an animation allocates nothing once the largest frame
/// was drawn.
#[derive(Debug, Default)]
pub struct Renderer {
    raster: raster::Raster,
    shadow: shadow::Shadow,
    backdrop: ground::Backdrop,
}

impl Renderer {
    /// Draws the scene over the whole canvas. The same input gives the same bytes, whatever was drawn before.
    pub fn render(&mut self, scene: &Scene, camera: &Camera, canvas: &mut Canvas) {
        if canvas.width == 0 || canvas.height == 0 {
            return;
        }
        let scene = &Scene { ground: scene.ground.and_then(Ground::checked), ..*scene };
        let view = View::new(camera, canvas.width, canvas.height);
        self.raster.draw(scene, &view);
        self.shadow.draw(scene);
        self.backdrop.prepare(scene, &view);
        resolve::resolve(scene, &view, &self.raster, &self.shadow, &self.backdrop, canvas);
        lines::draw(scene.lines, &view, canvas);
    }
}

/// An image of 8-bit sRGB pixels with alpha, row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Canvas {
    width: u32,
    height: u32,
    pixels: Vec<[u8; 4]>,
}

impl Canvas {
    /// A black canvas.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, pixels: vec![[0, 0, 0, 255]; width as usize * height as usize] }
    }

    /// Width in pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Red, green, blue and alpha of each pixel.
    #[must_use]
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// The pixels for a program that draws on the picture; their number does not change.
    #[must_use]
    pub fn pixels_mut(&mut self) -> &mut [[u8; 4]] {
        &mut self.pixels
    }

    /// The same pixels as bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.pixels.as_flattened()
    }

    /// Copies a canvas onto this one, for contact sheets; what lies outside is left out.
    pub fn paste(&mut self, picture: &Canvas, left: u32, top: u32) {
        let columns = picture.width.min(self.width.saturating_sub(left)) as usize;
        let rows = picture.height.min(self.height.saturating_sub(top)) as usize;
        if columns == 0 {
            return;
        }
        for row in 0..rows {
            let from = row * picture.width as usize;
            let to = (row + top as usize) * self.width as usize + left as usize;
            self.pixels[to..to + columns].copy_from_slice(&picture.pixels[from..from + columns]);
        }
    }
}

/// What to draw. The caller owns everything; the scene only points to it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scene<'a> {
    /// Surfaces.
    pub meshes: &'a [Mesh<'a>],
    /// An overlay, drawn on top of everything, for instance a skeleton.
    pub lines: &'a [Line],
    /// The floor; without it the figure floats in the sky.
    pub ground: Option<Ground>,
    /// The light.
    pub light: Light,
    /// Distance from the camera at which everything has faded into the sky; no fog without it.
    pub fog: Option<f32>,
}

/// A surface of triangles in world space, skinned already.
///
/// Triangles with an index out of range, with a coordinate that is not finite or without an area are left out.
#[derive(Debug, Clone, Copy)]
pub struct Mesh<'a> {
    /// Positions of the vertices.
    pub positions: &'a [Vec3],
    /// Normals of the vertices, of any length; flat shading where there are fewer than positions.
    pub normals: &'a [Vec3],
    /// Tangents of the vertices, and in `w` the side of the bitangent; those of the triangles where there are fewer than positions.
    pub tangents: &'a [Vec4],
    /// Colours of the vertices, linear; white where there are fewer than positions.
    pub colors: &'a [Vec4],
    /// Two sets of texture coordinates of the vertices; images are left out where there are fewer than positions.
    pub uvs: [&'a [Vec2]; 2],
    /// Three vertices for each triangle, counter-clockwise as seen from the front.
    pub indices: &'a [u32],
    /// How it answers to light.
    pub looks: Looks<'a>,
    /// How much of the surface can be seen. Where it lets light through, alpha chooses how many samples of a pixel it covers, so
    /// that the order of the triangles does not matter.
    pub alpha: Alpha,
    /// Whether triangles are drawn from behind too.
    pub double_sided: bool,
    /// Whether triangles are clockwise instead, as those of a mirrored surface.
    pub is_mirrored: bool,
    /// Whether it is ground that the other meshes stand on: matt, shaded as softly as the floor, and itself without a
    /// shadow.
    pub is_terrain: bool,
    /// Whether it casts no shadow.
    pub is_shadowless: bool,
}

impl Default for Mesh<'_> {
    /// No triangles, white, opaque, drawn from both sides.
    fn default() -> Self {
        Self {
            positions: &[],
            normals: &[],
            tangents: &[],
            colors: &[],
            uvs: [&[]; 2],
            indices: &[],
            looks: Looks::default(),
            alpha: Alpha::Opaque,
            double_sided: true,
            is_mirrored: false,
            is_terrain: false,
            is_shadowless: false,
        }
    }
}

/// A line of the overlay, with round ends; one whose ends are the same point is a dot.
#[derive(Debug, Clone, Copy)]
pub struct Line {
    /// Where it begins.
    pub start: Vec3,
    /// Where it ends.
    pub end: Vec3,
    /// Width in pixels at the start and at the end; a bone that tapers shows its direction.
    pub widths: [f32; 2],
    /// Colour, linear, with alpha.
    pub color: Vec4,
}

/// An endless floor that fades into the sky.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ground {
    /// Its world y.
    pub height: f32,
    /// Size of what stands on it, in metres: the distance of the grid lines and of the fading follow from it.
    pub size: f32,
}

impl Ground {
    /// The floor below a box.
    #[must_use]
    pub fn below(min: Vec3, max: Vec3) -> Self {
        Self { height: min.y, size: (max - min).length() }
    }

    /// Distance of the grid lines: the largest of 1, 2, 5, 10 and so on that is at most a quarter of the size.
    pub(crate) fn cell(&self) -> f32 {
        let limit = self.size * 0.25;
        let decade = 10.0_f32.powf(limit.log10().floor());
        [5.0, 2.0].into_iter().map(|step| step * decade).find(|&cell| cell <= limit).unwrap_or(decade)
    }

    /// One divided by the square of the distance from the camera's target at which half of the floor is haze.
    pub(crate) fn fade(&self) -> f32 {
        (self.size * 3.0).powi(-2)
    }

    /// The height below which it hides things. A model's own floor may lie at the same height; it goes first.
    pub(crate) fn obstacle_height(&self) -> f32 {
        self.height - self.size * 1e-3
    }

    /// The same with a size above zero; none if the height is not finite.
    pub(crate) fn checked(self) -> Option<Self> {
        let size = if self.size.is_finite() && self.size > 0.0 { self.size } else { 1.0 };
        self.height.is_finite().then_some(Self { size, ..self })
    }
}

/// One directional light and the light of the sky and of the floor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Light {
    /// From the scene towards the light; of any length. A shadow needs a light above the horizon.
    pub direction: Vec3,
    /// Colour of the directional light, linear.
    pub key: Vec3,
    /// Light from straight above.
    pub sky: Vec3,
    /// Light from straight below.
    pub floor: Vec3,
}

impl Light {
    /// The light of one who is seen from another side than +Z: turned with it about the vertical.
    #[must_use]
    pub fn seen_from(self, side: Vec3) -> Self {
        Self { direction: Quat::from_rotation_y(side.x.atan2(side.z)) * self.direction, ..self }
    }
}

impl Default for Light {
    /// A warm light from the upper left of a camera that looks at the front, and a cooler sky.
    fn default() -> Self {
        Self {
            direction: Vec3::new(-0.42, 0.80, 0.55),
            key: Vec3::new(0.96, 0.89, 0.79),
            sky: Vec3::new(0.36, 0.41, 0.48),
            floor: Vec3::new(0.17, 0.155, 0.14),
        }
    }
}
