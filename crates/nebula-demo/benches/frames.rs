//! How long a picture of the demo and of its crowd takes, and what its parts cost: `cargo bench -p nebula-demo --bench frames`.
//!
//! Each row leaves something out. Wall clock and time on all cores, for a frame of 640x360 that is drawn and waited for; the
//! latter tells more where other programs run. On Linux only, that is: elsewhere it is zero.

use std::time::{Duration, Instant};

use nebula_demo::gpu::{Look, Renderer};
use nebula_demo::picture::Canvas;
use nebula_demo::scene::{Play, Scene};
use nebula_demo::show::shot::{Floor, Shot};

const WIDTH: u32 = 640;
const HEIGHT: u32 = 360;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // `cargo test` and `cargo bench -- --test` only want to know that it starts.
    let is_test = std::env::args().any(|argument| argument == "--test");
    let mut renderer = match Renderer::new() {
        Ok(renderer) => renderer,
        Err(problem) => {
            println!("skipped: {problem}");
            return Ok(());
        }
    };
    println!("{}", renderer.device().name());
    for (name, scene, frames) in [("demo", None, 24), ("crowd", Some(Scene::Crowd), 6)] {
        let frames = if is_test { 1 } else { frames };
        let mut play = Play::new(scene, if is_test { Some(0.2) } else { Some(12.0) })?;
        let mut measure = |row: &str, change: fn(&mut Shot<'_>), is_read: bool| -> Result<(), String> {
            let mut canvas = Canvas::new(WIDTH, HEIGHT);
            let (mut wall, mut cores) = (Duration::ZERO, Duration::ZERO);
            for step in 0..=frames {
                // The first one makes pipelines, and is not counted.
                let frame = step * play.frame_count() / (frames + 1);
                play.show(frame, WIDTH as f32 / HEIGHT as f32, |shot| {
                    let mut shot = *shot;
                    change(&mut shot);
                    let (start, used) = (Instant::now(), used());
                    if is_read {
                        renderer.render(&shot, &Look::default(), &mut canvas)?;
                    } else {
                        renderer.draw(&shot, &Look::default(), WIDTH, HEIGHT)?;
                        renderer.device().gpu.wait().map_err(|error| error.to_string())?;
                    }
                    if step > 0 {
                        wall += start.elapsed();
                        cores += self::used().saturating_sub(used);
                    }
                    Ok::<(), String>(())
                })?;
            }
            let of = |time: Duration| time.as_secs_f64() * 1e3 / frames as f64;
            println!("{name:6} {row:24} {:8.1} ms, {:8.1} ms on all cores", of(wall), of(cores));
            Ok(())
        };
        measure("drawn and read", |_| {}, true)?;
        measure("drawn", |_| {}, false)?;
        measure("without hills", |shot| shot.floor = Floor::None, false)?;
        measure("without bodies", |shot| shot.bodies = &[], false)?;
        measure("sky alone", |shot| (shot.floor, shot.bodies) = (Floor::None, &[]), false)?;
    }
    Ok(())
}

/// The time that this program has spent on all cores.
fn used() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name, which may hold spaces: user and system time are the 12th and 13th number, in hundredths of a second.
    let numbers = stat.rsplit_once(')').map_or("", |(_, numbers)| numbers);
    let ticks: u64 = numbers.split_whitespace().skip(11).take(2).filter_map(|number| number.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}
