//! Files: what is damaged is told, whatever the damage.

use nebula_animation::{
    Recorder,
    recorder::{Input, Recording, RecordingProblem},
};

use crate::state::troupe::{Troupe, options, surrounded};

fn recording() -> (Troupe, Recording) {
    let troupe = Troupe::humanoid(options(false));
    let (character, handles) = troupe.whole();
    let mut hero = Recorder::new(character, 1e9).with_states_every(3);
    for frame in 0..5 {
        let layer = handles.arms;
        hero.give(Input::LayerWeight { layer, weight: 0.5 }).expect("a layer");
        surrounded(frame, |surroundings| hero.update(1.0 / 60.0, surroundings));
    }
    let recording =
        Recording::of([("hero", hero.tape()), ("again", hero.tape())]).with_document("hero", "{\"a\": \"ä\"}");
    (troupe, recording)
}

#[test]
fn bytes_come_back_the_same() {
    let (troupe, recording) = recording();
    let bytes = recording.to_bytes();
    let back = Recording::from_bytes(&bytes).expect("what was written is read");
    assert_eq!(back.to_bytes(), bytes);
    assert_eq!(back.tapes.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["hero", "again"]);
    assert_eq!(back.tapes[1].1.frames(), 0..5);
    let (mut past, _) = troupe.whole();
    back.tapes[1].1.restore(4, &mut past).expect("the last frame");
    assert_eq!((back.document("hero"), back.document("again")), (Some("{\"a\": \"ä\"}"), None));
    let error = back.tape("hera").expect_err("misspelt");
    assert_eq!(error.to_string(), "there is no tape \"hera\": did you mean \"hero\"?");
    assert_eq!(Recording::from_bytes(&Recording::default().to_bytes()), Ok(Recording::default()));
}

#[test]
fn every_damaged_byte_is_told() {
    let bytes = recording().1.to_bytes();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(Recording::from_bytes(&damaged).is_err(), "byte {at}");
    }
    for length in 0..bytes.len() {
        assert!(Recording::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(Recording::from_bytes(&longer).is_err());
    assert_eq!(Recording::from_bytes(b"NBST").map_err(|error| error.problem), Err(RecordingProblem::NotARecording));
    let mut newer = bytes;
    newer[4] = 9;
    let error = Recording::from_bytes(&newer).expect_err("a later version");
    assert_eq!(error.to_string(), "the recording has version 9, expected 3");
}

/// The checksum, as whoever tampers with a file would make it.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// With a sum that fits, whatever the bytes say is read or refused, and what is read can be played or is refused: without a panic, and
/// without a number that is not finite.
#[test]
fn tampered_files_do_no_harm() {
    let (troupe, recording) = recording();
    let bytes = recording.to_bytes();
    let body = &bytes[..bytes.len() - 8];
    let (mut refused, mut played) = (0, 0);
    for at in 0..body.len() {
        let mut tampered = body.to_vec();
        tampered[at] = tampered[at].wrapping_add([1, 0x7f, 0x80][at % 3]);
        let Ok(recording) = Recording::from_bytes(&sealed(tampered)) else {
            refused += 1;
            continue;
        };
        for (_, tape) in &recording.tapes {
            let frames = tape.frames();
            let (mut past, _) = troupe.whole();
            if frames.is_empty() || at % 5 != 0 {
                continue;
            }
            if tape.restore(frames.end - 1, &mut past).is_ok() {
                assert!(past.palette().iter().all(|matrix| matrix.is_finite()), "byte {at}");
                played += 1;
            }
        }
    }
    assert!(refused > 50 && played > 50, "{refused} refused, {played} played");
    assert!(Recording::from_bytes(&sealed(body.to_vec())).is_ok());
}

/// Found by fuzzing: what was read was written with another byte. A length of minus zero seconds counts as one of zero, and was taken.
#[test]
fn lengths_below_zero_are_refused() {
    let recording = recording().1;
    let bytes = recording.to_bytes();
    // After the head, the number of tapes, the name with its length, and the rig.
    let at = 16 + 4 + recording.tapes[0].0.len() + 8;
    for (seconds, is_fine) in [(0.0_f64, true), (2.5, true), (-0.0, false), (-1.0, false), (f64::NAN, false)] {
        let mut changed = bytes[..bytes.len() - 8].to_vec();
        changed[at..at + 8].copy_from_slice(&seconds.to_le_bytes());
        let changed = sealed(changed);
        let read = Recording::from_bytes(&changed);
        assert_eq!(read.is_ok(), is_fine, "{seconds}");
        assert!(read.is_err() || read.is_ok_and(|read| read.to_bytes() == changed), "{seconds}");
    }
}

/// Writes what the fuzz target `recording` begins with, and what it has found: files without their sums. By hand, after the format has changed.
#[test]
#[ignore = "writes files"]
fn write_seeds_of_the_fuzz_target() {
    use glam::Vec3;
    use nebula_animation::{GroundPoint, LayerId, Surroundings, TargetId, mixer::*};

    /// What comes before the seconds of a tape whose name is a letter; after them is the number of its first frame.
    const HEAD: usize = 4 * 5 + 1 + 8;
    let write = |name: &str, recording: &Recording, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = recording.to_bytes();
        bytes.truncate(bytes.len() - 8);
        change(&mut bytes);
        std::fs::write(crate::fuzz::corpus("recording").join(name), bytes).expect("it is written");
    };
    let (layer, parameter) = (LayerId::new(1), ParameterId::new(0));
    let inputs = [
        None,
        Some(Input::Parameter { machine: 0, parameter, value: ParameterValue::Trigger(true) }),
        Some(Input::Trigger { machine: 0, parameter, seconds: 0.5 }),
        Some(Input::Parameter { machine: 0, parameter: ParameterId::new(1), value: ParameterValue::Float(2.0) }),
        Some(Input::BlendPosition { space: Motion::Space(0), position: glam::Vec2::new(0.5, 0.0) }),
        Some(Input::Play { layer, motion: Motion::Clip(2), fade: Fade::inertialised(0.2) }),
        Some(Input::Stop { layer: LayerId::BASE, fade: 0.1.into() }),
        Some(Input::LayerWeight { layer, weight: 0.5 }),
        Some(Input::Speed { layer: LayerId::BASE, speed: -1.0 }),
        Some(Input::TimeScale(0.5)),
    ];
    for (index, input) in inputs.into_iter().enumerate() {
        for (kind, frames) in [1, 4, 9].into_iter().enumerate() {
            let mut hero = Recorder::new(crate::fuzz::recording::character(), 1e9).with_states_every(4);
            for frame in 0..frames {
                let targets = |_: TargetId| (frame != 2).then_some(Vec3::new(0.3, 1.0, 0.2));
                let ground = |_: Vec3| Some(GroundPoint::level(0.1));
                if let Some(input) = input.filter(|_| frame == frames / 2) {
                    hero.give(input).expect("it can be done");
                }
                let around = Surroundings { targets: Some(&targets), ground: Some(&ground), ..Surroundings::default() };
                hero.update(1.0 / 30.0, &around);
            }
            let mut recording = Recording::of([("a", hero.tape())]);
            if kind == 1 {
                recording = recording.with_document("a", "{}");
            }
            write(&format!("seed-{index}-{kind}"), &recording, &|_| {});
        }
    }
    let empty = Recorder::new(crate::fuzz::recording::character(), 0.0);
    let empty = Recording::of([("a", empty.tape())]);
    write("minus-zero-seconds", &empty, &|bytes| bytes[HEAD + 7] = 0x80);
    write("empty-tape-with-a-first-frame", &empty, &|bytes| bytes[HEAD + 8] = 1);
}
