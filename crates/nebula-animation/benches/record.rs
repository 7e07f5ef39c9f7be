//! What recording costs, beside a full character's update: three clips blended, a masked layer, both legs by IK, a gaze, the palette.
//!
//! `cargo bench -p nebula-animation --bench record [FILE.glb]` lets copies of a character run in turn without a recorder, with one that is off
//! and with one that is on: short turns, a thousand of each, in an order that changes, so that whatever else the machine does meets all
//! alike. With `update_all`, too, which works out eight of them side by side: without recorders, and with those that are on. It reports the 5th
//! percentile of each, the median of what each turn took beside the one without, and the bytes of a frame.
//! Whole states are written by another character in each frame, so that every turn has its share of them.

use std::hint::black_box;
use std::time::Instant;

use glam::{Affine3A, Quat, Vec2, Vec3};
use nebula_animation::procedural::ik::TwoBoneIk;
use nebula_animation::{AnimationClipLibrary, Asset, BlendSpace, Character, Recorder, Surroundings, TargetId};

const CHARACTERS: usize = 32;
/// Frames of a turn.
const FRAMES: u32 = 20;
const TURNS: u32 = 1000;
/// Frames before all turns: until the tapes are as long as they get.
const BEFORE: u32 = 1500;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // `cargo test --benches` only asks whether it starts.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let file = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb").to_owned();
    let character = character(&file.unwrap_or(shipped))?;
    println!("{} joints", character.rig().joint_count());
    let mut plain = vec![character.clone(); CHARACTERS];
    let mut off: Vec<Recorder> = plain.iter().map(|character| Recorder::new(character.clone(), 5.0)).collect();
    let mut on = off.clone();
    off.iter_mut().for_each(|recorder| recorder.set_recording(false));
    // Their tapes begin at different frames.
    for (index, one) in on.iter_mut().enumerate() {
        timed(0, index as u32 * 37, |surroundings| one.update(STEP, surroundings));
    }
    let (mut plain_together, mut on_together) = (plain.clone(), on.clone());
    let mut times: [Vec<f64>; 5] = Default::default();
    for turn in 0..TURNS + 1 {
        // The first turn is long, and does not count.
        let (first, frames) = if turn == 0 { (0, BEFORE) } else { (BEFORE + turn * FRAMES, FRAMES) };
        for nth in 0..5 {
            let which = ((turn + nth) % 5) as usize;
            let time = match which {
                0 => timed(first, frames, |around| plain.iter_mut().for_each(|one| one.update(STEP, around))),
                1 => timed(first, frames, |around| off.iter_mut().for_each(|one| one.update(STEP, around))),
                2 => timed(first, frames, |around| on.iter_mut().for_each(|one| one.update(STEP, around))),
                3 => timed(first, frames, |around| Character::update_all(&mut plain_together, STEP, |_, _| *around)),
                _ => timed(first, frames, |around| Recorder::update_all(&mut on_together, STEP, |_, _| *around)),
            };
            if turn > 0 {
                times[which].push(time);
            }
        }
    }
    black_box((&plain, &off, &on, &plain_together, &on_together));
    let beside = |which: usize, what: usize| {
        let ratios = times[which].iter().zip(&times[what]).map(|(time, plain)| 100.0 * (time / plain - 1.0));
        percentile(ratios.collect(), 0.5)
    };
    let [without, while_off, recorded, together, recorded_together] =
        times.clone().map(|times| percentile(times, 0.05));
    let tape = on[0].tape();
    let frames = (tape.frames().end - tape.frames().start).max(1);
    println!("5th percentile, ns a frame: without {without:.1}, off {while_off:.1}, on {recorded:.1}");
    println!("beside the one without, in per cent: off {:+.2}, on {:+.2}", beside(1, 0), beside(2, 0));
    println!("update_all: without {together:.1}, on {recorded_together:.1}, {:+.2} per cent", beside(4, 3));
    println!("{} bytes a frame", tape.bytes() as u64 / frames);
    Ok(())
}

fn percentile(mut numbers: Vec<f64>, part: f64) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers[((numbers.len() - 1) as f64 * part) as usize]
}

const STEP: f64 = 1.0 / 60.0;

/// Nanoseconds of a frame of a character.
fn timed(first: u32, frames: u32, mut update: impl FnMut(&Surroundings<'_>)) -> f64 {
    let start = Instant::now();
    for frame in first..first + frames {
        let (sine, cosine) = (frame as f32 / 60.0).sin_cos();
        let targets = |TargetId(id): TargetId| {
            Some(if id == 0 {
                Vec3::new(4.0 * sine, 1.5, 4.0 * cosine)
            } else {
                Vec3::new(0.1 * sine, 0.1, 0.1 * cosine)
            })
        };
        let place = Vec3::new(sine, 0.0, 0.02 * frame as f32);
        update(&Surroundings {
            world_from_model: Affine3A::from_rotation_translation(Quat::from_rotation_y(sine), place),
            velocity: Vec3::new(cosine, 0.0, 1.2),
            targets: Some(&targets),
            ..Surroundings::default()
        });
    }
    start.elapsed().as_nanos() as f64 / (f64::from(frames.max(1)) * CHARACTERS as f64)
}

fn character(file: &str) -> Result<Character, Box<dyn std::error::Error>> {
    let asset = Asset::load(std::path::Path::new(file))?;
    let (rig, clips) = (asset.rig(), asset.clips());
    let library = AnimationClipLibrary::new(&rig, &clips);
    let last = library.len().saturating_sub(1);
    let places = [(Vec2::ZERO, 0), (Vec2::X, 1.min(last)), (Vec2::Y, 2.min(last))];
    let space = BlendSpace::plane(&library, &places)?;
    let mut character = Character::of(library);
    let space = character.mixer.add_blend_space(space);
    character.mixer.play(space, 0.0)?;
    character.mixer.set_blend_position(space, Vec2::new(0.3, 0.3))?;
    let upper = character.mixer.add_masked_layer("upper body", rig.upper_body()?);
    character.mixer.play_on(upper, 3.min(last), 0.0)?;
    character.add_layer(rig.humanoid().aim(&rig, Vec3::Z)?.following(TargetId(0)));
    for (leg, id) in rig.feet().ok_or("there are no legs")?.legs().iter().zip(1..) {
        let mut limb = TwoBoneIk::new(&rig, [leg.thigh, leg.shin, leg.foot], rig.position(leg.foot));
        limb.follows = Some(TargetId(id));
        character.add_layer(limb);
    }
    Ok(character)
}
