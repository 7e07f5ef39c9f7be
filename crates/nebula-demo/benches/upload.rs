//! Ten thousand characters of 67 joints each frame: what evaluation takes, and what the upload adds.
//! `cargo bench -p nebula-demo --bench upload`.
//!
//! Times are of the calling thread, wall clock and time on a core; the last line is until the GPU has the bytes.

use std::time::{Duration, Instant};

use nebula_animation::gpu::{Gpu, GpuPalettes, PaletteOptions};
use nebula_animation::{AnimationClipLibrary, Crowd, LibraryOptions, Rig};
use nebula_demo::bench::rig::{self, Keys};

const CHARACTERS: usize = 10_000;
const FRAMES: usize = 60;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // `cargo test` and `cargo bench -- --test` only want to know that it starts.
    let frames = if std::env::args().any(|argument| argument == "--test") { 2 } else { FRAMES };
    let instance = wgpu::Instance::new(&wgpu::InstanceDescriptor::from_env_or_default());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))?;
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default()))?;
    let gpu = Gpu::new(device, queue);
    println!("{}, {:?}", adapter.get_info().name, adapter.get_info().backend);

    let mut crowd = Crowd::new();
    let skeleton = rig::skeleton();
    let walk = rig::walk(&skeleton, Keys::Sparse);
    let options = LibraryOptions { for_palettes: true, ..LibraryOptions::default() };
    let library = AnimationClipLibrary::with_options(&Rig::new(&skeleton), &[walk], options);
    let walk = crowd.add_clip(&library, library.find("walk")?)?;
    for _ in 0..CHARACTERS {
        crowd.spawn(walk)?;
    }
    for (index, character) in crowd.characters_mut().iter_mut().enumerate() {
        character.time = index as f64 * 0.013;
    }
    let mut palettes = GpuPalettes::new(&gpu, &PaletteOptions::default())?;
    let [mut evaluation, mut upload, mut arrival] = [Times::default(), Times::default(), Times::default()];
    let mut bytes = 0;
    for _ in 0..frames + 2 {
        evaluation.measure(|| {
            crowd.update(1.0 / 60.0);
            Ok(())
        })?;
        upload.measure(|| {
            let report = palettes.upload(&gpu, crowd.palettes())?;
            assert_eq!(report.writes, 1, "one write");
            bytes = report.bytes;
            Ok(())
        })?;
        // Nothing is copied before a submission.
        arrival.measure(|| {
            gpu.queue().submit([]);
            Ok(gpu.wait()?)
        })?;
    }
    println!(
        "{CHARACTERS} characters x {} joints, {bytes} bytes a frame, median of {frames} frames",
        skeleton.joints.len()
    );
    evaluation.print("evaluation", bytes);
    upload.print("upload", bytes);
    arrival.print("until the GPU has it", bytes);
    Ok(())
}

#[derive(Default)]
struct Times {
    wall: Vec<Duration>,
    core: Vec<Duration>,
}

impl Times {
    fn measure(
        &mut self,
        work: impl FnOnce() -> Result<(), Box<dyn std::error::Error>>,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let (wall, core) = (Instant::now(), on_a_core());
        work()?;
        self.wall.push(wall.elapsed());
        self.core.extend(on_a_core().zip(core).map(|(after, before)| after - before));
        Ok(())
    }

    fn print(mut self, what: &str, bytes: u64) {
        let median = |times: &mut Vec<Duration>| {
            // The first two frames make the memory.
            let mut times = times.split_off(2.min(times.len()));
            times.sort_unstable();
            times.get(times.len() / 2).copied().unwrap_or_default()
        };
        let (wall, core) = (median(&mut self.wall), median(&mut self.core));
        let rate = bytes as f64 / 1e6 / wall.as_secs_f64();
        println!("{what:<24} {:>8.3} ms, {:>8.3} ms on a core, {rate:>8.0} MB/s", ms(wall), ms(core));
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// How long this thread has run on a core; only Linux says.
fn on_a_core() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
