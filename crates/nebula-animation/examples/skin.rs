//! Load a .glb, play it, upload its palette and its face, draw it, save a PNG.
use nebula_animation::gpu::{Camera, Canvas, Gpu, GpuPalettes, Model, PaletteOptions};
use nebula_animation::{AnimationClipLibrary, Asset, Character, Surroundings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).unwrap_or("crates/nebula-animation/test_assets/simple_humanoid.glb".into());
    let asset = Asset::load(file)?;
    let mut character = Character::of(AnimationClipLibrary::new(&asset.rig(), &asset.clips()));
    character.mixer.play(0, 0.0).ok(); // the first clip, if there is one

    let adapter = pollster::block_on(wgpu::Instance::default().request_adapter(&Default::default()))?;
    let (device, queue) = pollster::block_on(adapter.request_device(&Default::default()))?;
    let gpu = Gpu::new(device, queue);
    let (mut palettes, mut model) = (GpuPalettes::new(&gpu, &PaletteOptions::default())?, Model::new(&gpu, &asset)?);
    let mut canvas = Canvas::new(&gpu, &palettes, 640, 640)?;

    character.update(0.4, &Surroundings::default()); // each frame
    model.upload(&gpu, &mut palettes, [character.frame()])?;
    let bounds = model.bounds(character.palette()).ok_or("there is nothing to see")?;
    canvas.draw(&gpu, &palettes, &Camera::around(&bounds, 1.0), &[model.figure()])?;

    let mut png = png::Encoder::new(std::fs::File::create("skin.png")?, 640, 640);
    png.set_color(png::ColorType::Rgba);
    png.write_header()?.write_image_data(&canvas.pixels(&gpu)?)?;
    Ok(())
}
