//! What recording costs, beside a full character's update: three clips blended, a masked layer, both legs by IK, a gaze, the palette.
//!
//! `cargo bench -p nebula-animation --bench record [FILE.glb]` lets copies of a character run in turn without a recorder, with one that is off
//! and with one that is on, and reports the lowest time a frame of each, and the bytes of a frame.

use std::hint::black_box;
use std::time::Instant;

use glam::{Affine3A, Quat, Vec2, Vec3};
use nebula_animation::procedural::ik::TwoBoneIk;
use nebula_animation::{AnimationClipLibrary, Asset, BlendSpace, Character, Recorder, Surroundings, TargetId};

const CHARACTERS: usize = 32;
const FRAMES: u32 = 600;
const ROUNDS: usize = 40;

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
    let mut lowest = [f64::INFINITY; 3];
    let mut frame = 0;
    for _ in 0..ROUNDS {
        let times = [
            timed(frame, |surroundings| plain.iter_mut().for_each(|one| one.update(STEP, surroundings))),
            timed(frame, |surroundings| off.iter_mut().for_each(|one| one.update(STEP, surroundings))),
            timed(frame, |surroundings| on.iter_mut().for_each(|one| one.update(STEP, surroundings))),
        ];
        frame += FRAMES / 10;
        for (lowest, time) in lowest.iter_mut().zip(times) {
            *lowest = lowest.min(time);
        }
    }
    black_box((&plain, &off, &on));
    let [plain, off, recorded] = lowest;
    let tape = on[0].tape();
    let frames = (tape.frames().end - tape.frames().start).max(1);
    println!(
        "without {plain:.0} ns a frame; off {off:.0} ({:+.1} %); on {recorded:.0} ({:+.1} %)",
        100.0 * (off / plain - 1.0),
        100.0 * (recorded / plain - 1.0)
    );
    println!("{} bytes a frame", tape.bytes() as u64 / frames);
    Ok(())
}

const STEP: f64 = 1.0 / 60.0;

/// Nanoseconds of a frame of a character.
fn timed(first: u32, mut update: impl FnMut(&Surroundings<'_>)) -> f64 {
    let frames = FRAMES / 10;
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
    start.elapsed().as_nanos() as f64 / (f64::from(frames) * CHARACTERS as f64)
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
