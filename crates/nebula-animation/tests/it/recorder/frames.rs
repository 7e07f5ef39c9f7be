//! Thousands of frames, each restored.

use glam::{Vec2, Vec3};
use nebula_animation::{
    Character, Fade, LayerId, Recorder,
    mixer::{FadeCurve, Motion, ParameterId, ParameterValue},
    recorder::{Input, Recording},
};

use super::seen;
use crate::characters::Random;
use crate::state::performance::frame_of;
use crate::state::troupe::{Handles, Troupe, options, robot_file, surrounded};

const FRAME: f64 = 1.0 / 60.0;

/// A game: mostly small changes, now and then something else.
fn play(troupe: &Troupe, hero: &mut Recorder, handles: &Handles, frame: u32, random: &mut Random) -> f64 {
    let speed = troupe.walking() * (1.0 + (frame as f32 / 50.0).sin());
    hero.give(Input::BlendPosition { space: handles.gait, position: Vec2::X * speed }).expect("a blend space");
    if random.chance(0.04) {
        hero.give(any_input(troupe, handles, random)).unwrap_or_default();
    }
    if random.chance(0.01) {
        return frame_of(troupe, hero, handles, frame);
    }
    if random.chance(0.02) { f64::from(random.between(-0.01, 0.05)) } else { FRAME }
}

fn any_input(troupe: &Troupe, handles: &Handles, random: &mut Random) -> Input {
    let layer = [LayerId::BASE, handles.arms][random.below(2)];
    let curve = [FadeCurve::Linear, FadeCurve::Smooth, FadeCurve::Inertialised][random.below(3)];
    let fade = Fade { seconds: random.between(0.0, 0.6), curve };
    match random.below(9) {
        0 => Input::Parameter {
            machine: 0,
            parameter: ParameterId::new(0),
            value: ParameterValue::Float(random.between(0.0, 2.0)),
        },
        1 => {
            let value = ParameterValue::Bool(random.chance(0.5));
            Input::Parameter { machine: 0, parameter: ParameterId::new(1), value }
        }
        2 => Input::Trigger { machine: 0, parameter: ParameterId::new(2), seconds: 0.2 },
        3 => Input::Play { layer, motion: Motion::Clip(random.below(troupe.library.len())), fade },
        4 => Input::Play { layer, motion: handles.gait, fade },
        5 => Input::Stop { layer: handles.arms, fade },
        6 => Input::LayerWeight { layer: handles.arms, weight: random.unit() },
        7 => Input::Speed { layer, speed: random.between(-1.0, 2.0) },
        _ => Input::Aim(random.vector(3.0) + Vec3::Y),
    }
}

/// Records, and restores each frame: by itself, and one after the other.
fn record(troupe: &Troupe, frames: u32, every: u32) -> (Recorder, Vec<u64>) {
    let (character, handles) = troupe.whole();
    let mut hero = Recorder::new(character, 1e9).with_states_every(every);
    let mut random = Random::new(11);
    let mut sights = Vec::new();
    for frame in 0..frames {
        let dt = play(troupe, &mut hero, &handles, frame, &mut random);
        surrounded(frame, |surroundings| match frame % 3 {
            0 => {
                hero.advance(dt);
                if frame % 30 == 0 {
                    // Between the two halves of an update, too.
                    hero.mixer.time_scale = 1.0;
                }
                hero.finish(surroundings);
            }
            _ => hero.update(dt, surroundings),
        });
        sights.push(seen(&hero));
    }
    (hero, sights)
}

#[test]
fn ten_thousand_frames_come_back_with_the_same_bits() {
    let troupe = Troupe::humanoid(options(false));
    let (hero, sights) = record(&troupe, 10_000, 40);
    let tape = hero.tape();
    assert_eq!(tape.frames(), 0..10_000);
    let per_frame = tape.bytes() / 10_000;
    println!("{per_frame} bytes a frame");
    assert!(per_frame < 1000, "{per_frame} bytes a frame");
    // From a file, in a character that is made anew.
    let bytes = Recording::of([("hero", tape)]).to_bytes();
    let recording = Recording::from_bytes(&bytes).expect("what was written is read");
    let tape = recording.tape("hero").expect("its name");
    let (mut past, _) = troupe.whole();
    let mut random = Random::new(3);
    let mut order: Vec<usize> = (0..sights.len()).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last + 1));
    }
    for frame in order {
        tape.restore(frame as u64, &mut past).expect("a frame of the tape");
        assert_eq!(seen(&past), sights[frame], "frame {frame}, by itself");
    }
    let (mut past, _) = troupe.whole();
    let mut playback = tape.playback(0).expect("the first frame");
    for (frame, sight) in sights.iter().enumerate() {
        assert!(playback.step(&mut past).expect("the same character"));
        assert_eq!(seen(&past), *sight, "frame {frame}, in order");
    }
    assert!(!playback.step(&mut past).expect("the end"));
}

/// With root motion, and on a robot of another author.
#[test]
fn frames_of_others_come_back_too() {
    let mut troupes = vec![Troupe::humanoid(options(true))];
    troupes.extend(robot_file("frames_of_others_come_back_too").map(|file| Troupe::robot(&file, options(false))));
    for troupe in troupes {
        let (hero, sights) = record(&troupe, 600, 300);
        let mut past = hero.clone_character();
        for frame in (0..600).rev().step_by(7) {
            hero.tape().restore(frame, &mut past).expect("a frame of the tape");
            assert_eq!(seen(&past), sights[frame as usize], "frame {frame}");
        }
    }
}

/// What nobody changes but time and the world takes a few hundred bytes.
#[test]
fn usual_frames_are_small() {
    let troupe = Troupe::humanoid(options(false));
    let (character, _) = troupe.usual();
    let mut hero = Recorder::new(character, 1e9);
    for frame in 0..1200 {
        surrounded(frame, |surroundings| hero.update(FRAME, surroundings));
    }
    let per_frame = hero.tape().bytes() / 1200;
    println!("{per_frame} bytes a frame");
    assert!(per_frame < 500, "{per_frame} bytes a frame");
}

/// The last seconds stay, older ones go, and the numbers of frames go on.
#[test]
fn old_frames_are_forgotten() {
    let troupe = Troupe::humanoid(options(false));
    let (character, _) = troupe.bare();
    let mut hero = Recorder::new(character, 2.0).with_states_every(30);
    let mut most = 0;
    for frame in 0..2000 {
        surrounded(frame, |surroundings| hero.update(FRAME, surroundings));
        most = most.max(hero.tape().bytes());
    }
    let frames = hero.tape().frames();
    assert_eq!(frames.end, 2000);
    let kept = frames.end - frames.start;
    assert!((120..=181).contains(&kept), "{frames:?}");
    assert!((1.99..3.1).contains(&hero.tape().seconds()), "{}", hero.tape().seconds());
    assert!(most < 60_000, "{most} bytes");
    let mut past = hero.clone_character();
    let error = hero.tape().restore(frames.start - 1, &mut past).expect_err("it is forgotten");
    assert_eq!(
        error.to_string(),
        format!("there is no frame {}: the tape has {kept} from {} on", frames.start - 1, frames.start)
    );
    hero.tape().restore(frames.start, &mut past).expect("the oldest one");
}

/// Going back and on from there is the same as never having done the rest.
#[test]
fn rewinding_records_on_from_there() {
    let troupe = Troupe::humanoid(options(false));
    let (character, handles) = troupe.whole();
    let mut hero = Recorder::new(character, 1e9).with_states_every(25);
    let mut straight = None;
    for frame in 0..100 {
        hero.give(Input::BlendPosition { space: handles.gait, position: Vec2::X }).expect("a blend space");
        surrounded(frame, |surroundings| hero.update(FRAME, surroundings));
        if frame == 60 {
            straight = Some(hero.clone());
        }
    }
    let mut straight = straight.expect("frame 60");
    hero.rewind(60).expect("a frame of the tape");
    assert_eq!((hero.tape().frames(), seen(&hero)), (0..61, seen(&straight)));
    for frame in 61..140 {
        for one in [&mut hero, &mut straight] {
            if frame == 70 {
                one.mixer.play_on(handles.arms, troupe.shots[1], 0.2).expect("a clip");
            }
            surrounded(frame, |surroundings| one.update(FRAME, surroundings));
        }
        assert_eq!(seen(&hero), seen(&straight), "frame {frame}");
    }
    let mut past = hero.clone_character();
    hero.tape().restore(139, &mut past).expect("a frame of the tape");
    assert_eq!(seen(&past), seen(&hero));
    assert!(hero.rewind(140).is_err() && hero.tape().frames() == (0..140));
}

/// While it is off, it is the character and nothing else.
#[test]
fn a_recorder_that_is_off_adds_nothing() {
    let troupe = Troupe::humanoid(options(false));
    let (character, handles) = troupe.whole();
    let mut plain = character.clone();
    let mut hero = Recorder::new(character, 5.0);
    hero.set_recording(false);
    for frame in 0..200 {
        if frame == 50 {
            plain.mixer.play_on(handles.arms, troupe.shots[1], 0.2).expect("a clip");
            hero.mixer.play_on(handles.arms, troupe.shots[1], 0.2).expect("a clip");
        }
        surrounded(frame, |surroundings| {
            plain.update(FRAME, surroundings);
            hero.update(FRAME, surroundings);
        });
        assert_eq!(seen(&plain), seen(&hero));
    }
    assert_eq!((hero.tape().frames(), hero.tape().bytes()), (0..0, 0));
    hero.set_recording(true);
    surrounded(200, |surroundings| hero.update(FRAME, surroundings));
    let mut past: Character = hero.clone_character();
    hero.tape().restore(0, &mut past).expect("the first frame since then");
    assert_eq!(seen(&past), seen(&hero));
}
