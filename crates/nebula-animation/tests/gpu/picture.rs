//! The plain renderer: the humanoid is where the CPU says it is.

use nebula_animation::gpu::{Camera, Canvas, Gpu, GpuError, GpuPalettes, Model, PaletteOptions, Part, Transparency};
use nebula_animation::skinning::{Blending, SkinnedVertices};
use nebula_animation::{Asset, Character, Surroundings};

use crate::adapter::{Kind, gpu};

const WIDTH: u32 = 200;
const HEIGHT: u32 = 240;

/// A walking humanoid.
pub struct Scene {
    asset: Asset,
    character: Character,
    pub palettes: GpuPalettes,
    model: Model,
    canvas: Canvas,
    camera: Camera,
}

impl Scene {
    pub fn new(gpu: &Gpu) -> Self {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
        let asset = Asset::load(path).expect("the humanoid");
        let mut character = Character::new(asset.skeleton.clone(), &asset.clips());
        character.update(0.3, &Surroundings::default());
        let palettes = GpuPalettes::new(gpu, &PaletteOptions::default()).expect("palettes");
        let model = Model::new(gpu, &asset).expect("a model");
        let canvas = Canvas::new(gpu, &palettes, WIDTH, HEIGHT).expect("a canvas");
        let bounds = model.bounds(character.palette()).expect("bounds");
        let camera = Camera::around(&bounds, WIDTH as f32 / HEIGHT as f32);
        Self { asset, character, palettes, model, canvas, camera }
    }

    /// The pixels.
    pub fn frame(&mut self, gpu: &Gpu) -> Result<Vec<u8>, GpuError> {
        self.model.upload(gpu, &mut self.palettes, [self.character.frame()])?;
        self.canvas.draw(gpu, &self.palettes, &self.camera, &[self.model.figure()])?;
        self.canvas.pixels(gpu)
    }
}

#[test]
fn the_humanoid_covers_the_pixels_that_the_cpu_says() {
    for kind in [Kind::Vulkan, Kind::WebGl2] {
        let Some(gpu) = gpu("a picture", kind) else { continue };
        let mut scene = Scene::new(&gpu);
        let pixels = scene.frame(&gpu).expect("a frame");
        let pixel = |x: u32, y: u32| {
            let at = ((y * WIDTH + x) * 4) as usize;
            [pixels[at], pixels[at + 1], pixels[at + 2], pixels[at + 3]]
        };
        let background = pixel(0, 0);
        let covered = |x: u32, y: u32| pixel(x, y) != background;

        // Every vertex lands on a pixel that is covered, or beside one.
        let mut skinned = SkinnedVertices::default();
        let primitive = &scene.asset.meshes[0].primitives[0];
        skinned.skin(&primitive.geometry(), &[], scene.character.palette(), Blending::Linear);
        let (mut missed, mut low, mut high) = (0, u32::MAX, 0);
        for &position in &skinned.positions {
            let clip = scene.camera.clip_from_world * position.extend(1.0);
            let x = ((clip.x / clip.w * 0.5 + 0.5) * WIDTH as f32) as u32;
            let y = ((0.5 - clip.y / clip.w * 0.5) * HEIGHT as f32) as u32;
            assert!((1..WIDTH - 1).contains(&x) && (1..HEIGHT - 1).contains(&y), "the camera sees all of it");
            let beside = (y - 1..=y + 1).flat_map(|y| (x - 1..=x + 1).map(move |x| (x, y)));
            missed += usize::from(!beside.into_iter().any(|(x, y)| covered(x, y)));
            (low, high) = (low.min(y), high.max(y));
        }
        assert_eq!(missed, 0, "{kind:?}: vertices on the background");

        // It fills a good part of the picture, upright, and nothing else is drawn.
        assert!(high - low > HEIGHT / 2, "{kind:?}: from line {low} to {high}");
        let count = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))).filter(|&(x, y)| covered(x, y)).count();
        let share = count as f32 / (WIDTH * HEIGHT) as f32;
        assert!((0.05..0.5).contains(&share), "{kind:?}: {share} of the picture");
        for y in (0..low - 1).chain(high + 2..HEIGHT) {
            assert!((0..WIDTH).all(|x| !covered(x, y)), "{kind:?}: line {y} is empty");
        }
        // Lit: there are bright and dark pixels.
        let brightness = |[r, g, b, _]: [u8; 4]| u32::from(r) + u32::from(g) + u32::from(b);
        let lights = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))).filter(|&(x, y)| covered(x, y));
        let lights: Vec<u32> = lights.map(|(x, y)| brightness(pixel(x, y))).collect();
        let (dark, bright) = (lights.iter().min().expect("pixels"), lights.iter().max().expect("pixels"));
        assert!(bright - dark > 150, "{kind:?}: from {dark} to {bright}");
    }
}

/// The share of the picture that is not background, and the mean of its pixels there.
fn seen(scene: &mut Scene, gpu: &Gpu) -> (f32, [f32; 3]) {
    let pixels = scene.frame(gpu).expect("a frame");
    let (pixels, _) = pixels.as_chunks::<4>();
    let covered: Vec<_> = pixels.iter().filter(|pixel| **pixel != pixels[0]).collect();
    let mean = [0, 1, 2]
        .map(|part| covered.iter().map(|pixel| f32::from(pixel[part])).sum::<f32>() / covered.len().max(1) as f32);
    (covered.len() as f32 / pixels.len() as f32, mean)
}

#[test]
fn emissive_unlit_and_transparent_parts_look_so() {
    for kind in [Kind::Vulkan, Kind::WebGl2] {
        let Some(gpu) = gpu("looks", kind) else { continue };
        let mut scene = Scene::new(&gpu);
        let (share, plain) = seen(&mut scene, &gpu);
        let white = vec![[1.0_f32; 4]; scene.asset.meshes[0].primitives[0].positions.len()];
        let change = |scene: &mut Scene, change: &dyn Fn(&mut Part)| scene.model.parts.iter_mut().for_each(change);
        change(&mut scene, &|part| part.emissive = [0.0, 0.5, 0.0]);
        let (_, green) = seen(&mut scene, &gpu);
        assert!(green[1] > plain[1] + 30.0 && (green[0] - plain[0]).abs() < 1.0, "{kind:?}: {plain:?} {green:?}");
        change(&mut scene, &|part| {
            (part.emissive, part.is_unlit, part.color) = ([0.0; 3], true, [1.0, 0.0, 0.0, 0.25]);
            gpu.queue().write_buffer(&part.colors, 0, bytemuck::cast_slice(&white));
        });
        let (_, red) = seen(&mut scene, &gpu);
        // Only the edges are mixed with the background.
        assert!(red[0] > 220.0 && red[1] < 30.0, "{kind:?}: {red:?}");
        change(&mut scene, &|part| part.transparency = Transparency::Blend);
        let (_, mixed) = seen(&mut scene, &gpu);
        assert!(mixed[0] < red[0] - 40.0 && mixed[0] > 60.0, "{kind:?}: {mixed:?}");
        change(&mut scene, &|part| part.transparency = Transparency::Mask(0.2));
        assert!((seen(&mut scene, &gpu).0 - share).abs() < 0.01, "{kind:?}: above the cutoff");
        change(&mut scene, &|part| part.transparency = Transparency::Mask(0.3));
        assert_eq!(seen(&mut scene, &gpu).0, 0.0, "{kind:?}: below the cutoff");
    }
}
