//! Branches, explanations of the past, and characters that do not fit.

use glam::Vec3;
use nebula_animation::{
    AimLayer, Character, GroundPoint, Recorder, Surroundings, TargetId,
    explain::LevelSource,
    procedural::ik::TwoBoneIk,
    recorder::{Input, InputError, Recording},
};

use super::seen;
use crate::state::troupe::{Troupe, options, surrounded};

const FRAME: f64 = 1.0 / 60.0;

/// What if it had not waved: everything else is as it was.
#[test]
fn a_branch_leaves_something_out() {
    let troupe = Troupe::humanoid(options(false));
    let make = || troupe.bare();
    let (character, handles) = make();
    let (mut hero, mut never) = (Recorder::new(character, 1e9).with_states_every(20), make().0);
    let wave = Input::Play {
        layer: handles.arms,
        motion: nebula_animation::mixer::Motion::Clip(troupe.shots[1].index()),
        fade: 0.2.into(),
    };
    for frame in 0..90 {
        if frame == 30 {
            hero.give(wave).expect("a clip");
        }
        if frame == 50 {
            let input = Input::Speed { layer: nebula_animation::LayerId::BASE, speed: 1.5 };
            hero.give(input).expect("something plays");
            input.apply(&mut never).expect("something plays");
        }
        surrounded(frame, |surroundings| {
            hero.update(FRAME, surroundings);
            never.update(FRAME, surroundings);
        });
    }
    let mut branch = make().0;
    let mut playback = hero.tape().playback(0).expect("the first frame");
    let mut left_out = 0;
    let mut keeps = |input: &Input| {
        let is_wave = *input == wave;
        left_out += u32::from(is_wave);
        !is_wave
    };
    while playback.step_with(&mut branch, &mut keeps).expect("the same character") {}
    assert_eq!(left_out, 1);
    assert_ne!(seen(&branch), seen(&hero));
    assert_eq!(seen(&branch), seen(&never));
}

/// A recording answers why: the frame of the past, exactly.
#[test]
fn the_past_is_explained() {
    let troupe = Troupe::humanoid(options(false));
    let (mut character, _) = troupe.usual();
    character.set_traced(true);
    let mut hero = Recorder::new(character, 1e9);
    let mut then = None;
    for frame in 0..200 {
        surrounded(frame, |surroundings| hero.update(FRAME, surroundings));
        if frame == 120 {
            then = Some(hero.explain("Head").expect("a head"));
        }
    }
    let mut past = hero.clone_character();
    hero.tape().restore(120, &mut past).expect("a frame of the tape");
    let why = past.explain("Head").expect("a head");
    assert_eq!(Some(&why), then.as_ref());
    assert!(why.mixer.layers[0].levels.iter().any(|level| matches!(level.source, LevelSource::Action(_))));
    assert_eq!(why.changes.len(), 2);
}

#[test]
fn other_characters_are_refused_and_stay_as_they_are() {
    let troupe = Troupe::humanoid(options(false));
    let mut hero = Recorder::new(troupe.usual().0, 1e9);
    (0..20).for_each(|frame| surrounded(frame, |surroundings| hero.update(FRAME, surroundings)));
    let (mut other, _) = troupe.bare();
    let before = seen(&other);
    let error = hero.tape().restore(10, &mut other).expect_err("it has other layers");
    assert!(error.to_string().contains("layers"), "{error}");
    assert_eq!(seen(&other), before);
    let error = Recording::of([("a", hero.tape())]).tape("b").expect_err("another name");
    assert_eq!(error.to_string(), "there is no tape \"b\"");
}

#[test]
fn inputs_that_cannot_be_are_errors_and_not_recorded() {
    let troupe = Troupe::humanoid(options(false));
    let (character, handles) = troupe.bare();
    let mut hero = Recorder::new(character, 1e9);
    hero.update(FRAME, &Surroundings::default());
    let bytes = hero.tape().bytes();
    assert_eq!(hero.give(Input::Aim(Vec3::ZERO)), Err(InputError::NoAim));
    let parameter = nebula_animation::mixer::ParameterId::new(0);
    let trigger = Input::Trigger { machine: 3, parameter, seconds: 1.0 };
    assert_eq!(hero.give(trigger), Err(InputError::NoSuchMachine { machine: 3, count: 0 }));
    let speed = Input::Speed { layer: handles.face, speed: 1.0 };
    assert_eq!(hero.give(speed), Err(InputError::NothingPlays(handles.face)));
    let nowhere = Input::Stop { layer: nebula_animation::LayerId::new(9), fade: 0.1.into() };
    assert!(matches!(hero.give(nowhere), Err(InputError::Play(_))));
    assert_eq!(hero.tape().bytes(), bytes);
}

/// Ground of every kind, and none, answers again with the same bits.
#[test]
fn all_answers_come_back() {
    let troupe = Troupe::humanoid(options(false));
    let mut hero = Recorder::new(troupe.usual().0, 1e9).with_states_every(1000);
    if let Some(aim) = hero.layer_mut::<AimLayer>() {
        aim.follows = Some(TargetId(5));
    }
    let mut sights = Vec::new();
    for frame in 0..120_u32 {
        let ground = |place: Vec3| match frame / 20 {
            0 => Some(GroundPoint::level(0.0)),
            1 => Some(GroundPoint::level(-0.0)),
            2 => None,
            3 => Some(GroundPoint::new(0.02, Vec3::new(0.1, 1.0, -0.0))),
            4 => Some(GroundPoint::level(0.01).moving(Vec3::X * 0.2)),
            _ => Some(GroundPoint::level(0.0).turning(0.3, Vec3::ZERO, place)),
        };
        let targets = |_| (frame % 7 != 0).then(|| Vec3::new(1.0, 1.5, 2.0));
        let targets: Option<&dyn nebula_animation::frame::TargetQuery> =
            if frame < 100 { Some(&targets) } else { None };
        let surroundings =
            Surroundings { ground: Some(&ground), targets, is_grounded: frame % 50 != 49, ..Surroundings::default() };
        hero.update(FRAME, &surroundings);
        sights.push(seen(&hero));
    }
    let mut past: Character = hero.clone_character();
    let mut playback = hero.tape().playback(0).expect("the first frame");
    for (frame, sight) in sights.iter().enumerate() {
        playback.step(&mut past).expect("the same character");
        assert_eq!(seen(&past), *sight, "frame {frame}");
    }
}

/// Explaining a frame of the past asked the world once more, and took the answer that belonged to the next layer: a recording of a character that
/// is not traced came back with a leg elsewhere in one that is.
#[test]
fn being_traced_asks_nothing_more() {
    let troupe = Troupe::humanoid(options(false));
    let mut character = troupe.usual().0;
    let rig = character.rig().clone();
    let leg = rig.feet().expect("legs").legs()[0];
    if let Some(aim) = character.layer_mut::<AimLayer>() {
        aim.follows = Some(TargetId(1));
    }
    let mut limb = TwoBoneIk::new(&rig, [leg.thigh, leg.shin, leg.foot], Vec3::ZERO);
    limb.follows = Some(TargetId(2));
    character.add_layer(limb);
    for is_traced in [false, true] {
        let mut hero = Recorder::new(character.clone(), 1e9);
        hero.set_traced(is_traced);
        let mut asked = 0;
        for frame in 0..40_u32 {
            let count = std::cell::Cell::new(0);
            let targets = |id: TargetId| {
                count.set(count.get() + 1);
                (frame % 9 != 8).then(|| Vec3::new(0.2 * id.0 as f32, 0.3, 0.5 + 0.01 * frame as f32))
            };
            hero.update(FRAME, &Surroundings { targets: Some(&targets), ..Surroundings::default() });
            asked += count.get();
        }
        let mut past = character.clone();
        past.set_traced(!is_traced);
        hero.tape().restore(39, &mut past).expect("a frame of the tape");
        assert_eq!(seen(&past), seen(&hero));
        assert!((80..100).contains(&asked), "{asked} questions in 40 frames of two layers");
    }
}
