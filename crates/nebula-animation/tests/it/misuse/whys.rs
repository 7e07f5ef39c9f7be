//! Explanations and recordings.

use glam::{Quat, Vec2, Vec3};
use nebula_animation::{
    AnimationClipLibrary, Character, ClipId, Fade, LayerId, Recorder, Rig, Surroundings,
    explain::{Change, Limit, LimitKind, LimitUnit, Reason},
    mixer::{Motion, ParameterId, ParameterValue},
    recorder::{Input, Recording},
};

use super::Table;
use super::fixtures::{INDICES, JOINTS, NAMES, chain, numbers, places, rotations, slide, times, vectors};

fn character() -> Character {
    let library = AnimationClipLibrary::new(&Rig::new(chain(3)), &[slide(1, 1.0)]);
    let mut character = Character::of(library);
    character.mixer.play(0, 0.0).expect("the clip");
    character
}

fn recorder() -> Recorder {
    let mut recorder = Recorder::new(character(), 10.0);
    recorder.update(0.1, &Surroundings::default());
    recorder
}

pub fn rows(table: &mut Table) {
    explanations(table);
    recorders(table);
    tapes(table);
}

fn explanations(table: &mut Table) {
    let pose = (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE);
    table.row("Change::between", || {
        for (vector, rotation) in vectors().zip(rotations()) {
            let change = Change::between(&(vector, rotation, vector), &pose);
            assert!(change.turn.is_finite(), "{change:?}");
        }
    });
    table.row("Change::of", || {
        for (vector, rotation) in vectors().zip(rotations()) {
            let _ = Change { offset: vector, turn: rotation, growth: vector }.of(&pose);
        }
    });
    table.row("Change::is_within", || {
        assert!(numbers().filter(|number| number.is_nan()).all(|number| !Change::NONE.is_within(number)));
    });
    table.row("Limit::new", || {
        for number in numbers() {
            let limit = Limit::new(LimitKind::Cone, "", number, number, LimitUnit::Degrees);
            assert!(!limit.to_string().is_empty());
        }
    });
    table
        .row("Reason::new", || NAMES.into_iter().for_each(|name| assert!(Reason::new(65_535, name).limits.is_empty())));
    table.row("Reason::limited", || assert!(Reason::new(0, "").limited(None).limits.is_empty()));
    table.row("Character::explain", || {
        assert!(NAMES.into_iter().all(|name| character().explain(name).is_err()));
    });
    table.row("Character::explain_joint", || {
        let mut character = character();
        assert!(JOINTS.into_iter().all(|joint| character.explain_joint(joint).is_none()));
        for time in times() {
            character.update(time, &Surroundings::default());
            assert!(character.explain_joint(1).is_some_and(|why| !why.to_string().is_empty()));
        }
    });
    table.row("Character::set_traced", || {
        let mut character = Character::of(AnimationClipLibrary::default());
        for is_traced in [true, true, false] {
            character.set_traced(is_traced);
            character.update(0.1, &Surroundings::default());
        }
        assert!(!character.is_traced());
    });
    table.row("ParameterId::new", || {
        INDICES.into_iter().for_each(|index| assert_eq!(ParameterId::new(index).index(), index));
    });
    table.row("AnimationMixer::blend_space", || {
        let character = character();
        let motions = INDICES.into_iter().flat_map(|index| [Motion::Clip(index), Motion::Space(index)]);
        assert!(motions.into_iter().all(|motion| character.mixer.blend_space(motion).is_none()));
    });
}

fn recorders(table: &mut Table) {
    table.row("Recorder::new", || {
        for seconds in times() {
            let mut recorder = Recorder::new(character(), seconds).with_states_every(2);
            (0..9).for_each(|_| recorder.update(0.1, &Surroundings::default()));
            assert_eq!(recorder.tape().frames().end, 9);
        }
    });
    table.row("Recorder::with_states_every", || {
        for frames in [0, 1, u32::MAX] {
            let mut recorder = Recorder::new(character(), 1.0).with_states_every(frames);
            (0..3).for_each(|_| recorder.update(0.1, &Surroundings::default()));
            assert!(recorder.rewind(2).is_ok());
        }
    });
    table.row("Recorder::set_recording", || {
        let mut recorder = recorder();
        [false, false, true, true].into_iter().for_each(|is_on| recorder.set_recording(is_on));
        assert!(recorder.tape().frames().is_empty());
    });
    table.row("Recorder::update", || {
        let mut recorder = recorder();
        for (time, vector) in times().zip(vectors()) {
            recorder.update(time, &Surroundings { velocity: vector, ..Surroundings::default() });
            assert!(recorder.palette().iter().all(|matrix| matrix.is_finite()));
        }
    });
    table.row("Recorder::update_all", || {
        let mut recorders = [recorder(), recorder()];
        for time in times() {
            Recorder::update_all(&mut recorders, time, |_, _| Surroundings::default());
            assert!(recorders.iter().all(|one| one.palette().iter().all(|matrix| matrix.is_finite())));
        }
        Recorder::update_all(&mut [], 0.1, |_, _| Surroundings::default());
    });
    table.row("Recorder::advance", || {
        let mut recorder = recorder();
        times().for_each(|time| _ = recorder.advance(time));
        recorder.finish(&Surroundings::default());
        assert!(recorder.rewind(1).is_ok());
    });
    table.row("Recorder::finish", || {
        let mut recorder = recorder();
        (0..3).for_each(|_| recorder.finish(&Surroundings::default()));
        assert_eq!(recorder.tape().frames(), 0..4);
    });
    table.row("Recorder::rewind", || {
        let mut recorder = recorder();
        assert!([1, u64::MAX].into_iter().all(|frame| recorder.rewind(frame).is_err()));
    });
    let inputs = || {
        let index = INDICES.into_iter().flat_map(|index| {
            let (layer, parameter) = (LayerId::new(index), ParameterId::new(index));
            let value = ParameterValue::Bool(true);
            [
                Input::Parameter { machine: index, parameter, value },
                Input::Trigger { machine: index, parameter, seconds: f64::NAN },
                Input::BlendPosition { space: Motion::Space(index), position: Vec2::ZERO },
                Input::Play { layer, motion: Motion::Clip(index), fade: Fade::NONE },
                Input::Play { layer: LayerId::BASE, motion: Motion::Space(index), fade: Fade::NONE },
                Input::Stop { layer, fade: Fade::linear(f32::NAN) },
                Input::LayerWeight { layer, weight: 1.0 },
                Input::Speed { layer, speed: 1.0 },
            ]
        });
        index.chain(places().map(|place| Input::Aim(place.extend(0.0))))
    };
    table.row("Recorder::give", || {
        let mut recorder = recorder();
        let bytes = recorder.tape().bytes();
        assert!(inputs().all(|input| recorder.give(input).is_err()));
        assert_eq!(recorder.tape().bytes(), bytes);
        for number in numbers() {
            let layer = LayerId::BASE;
            recorder.give(Input::LayerWeight { layer, weight: number }).expect("the layer is there");
            recorder.give(Input::Speed { layer, speed: number }).expect("it plays");
            recorder.give(Input::TimeScale(number)).expect("always");
            recorder.update(0.1, &Surroundings::default());
            assert!(recorder.palette().iter().all(|matrix| matrix.is_finite()));
        }
        let now = recorder.palette().to_vec();
        recorder.rewind(recorder.tape().frames().end - 1).expect("the last frame");
        assert_eq!(recorder.palette(), now);
    });
    table.row("Input::apply", || assert!(inputs().all(|input| input.apply(&mut character()).is_err())));
    table.row("Input::play", || {
        let fades = numbers().map(|number| Input::play(ClipId::new(0), number));
        fades.for_each(|input| input.apply(&mut character()).expect("the clip is there"));
    });
}

fn tapes(table: &mut Table) {
    table.row("Tape::restore", || {
        let recorder = recorder();
        let mut other = Character::of(AnimationClipLibrary::default());
        assert!(recorder.tape().restore(0, &mut other).is_err());
        assert!([1, u64::MAX].into_iter().all(|frame| recorder.tape().restore(frame, &mut character()).is_err()));
    });
    table.row("Tape::playback", || {
        assert!([1, u64::MAX].into_iter().all(|frame| recorder().tape().playback(frame).is_err()));
    });
    table.row("Playback::step", || {
        let recorder = recorder();
        let mut playback = recorder.tape().playback(0).expect("the first frame");
        assert!(playback.step(&mut Character::of(AnimationClipLibrary::default())).is_err());
    });
    table.row("Playback::step_with", || {
        let recorder = recorder();
        let mut playback = recorder.tape().playback(0).expect("the first frame");
        let mut past = character();
        while playback.step_with(&mut past, |_| false).expect("the same character") {}
        assert_eq!(playback.step_with(&mut past, |_| true), Ok(false));
    });
    table.row("Recording::of", || assert_eq!(Recording::of([]).tapes.len(), 0));
    table.row("Recording::tape", || {
        let recording = Recording::of([("hero", recorder().tape())]);
        assert!(NAMES.into_iter().all(|name| recording.tape(name).is_err()));
    });
    table.row("Recorder::resume", || {
        let empty = Recorder::new(character(), 1.0).tape().clone();
        assert!(Recorder::resume(character(), empty).is_ok_and(|recorder| recorder.tape().frames().is_empty()));
        let other = Character::of(AnimationClipLibrary::default());
        assert!(Recorder::resume(other, recorder().tape().clone()).is_err());
    });
    table.row("Recording::with_document", || {
        for name in NAMES {
            let recording = Recording::default().with_document(name, name);
            assert_eq!(Recording::from_bytes(&recording.to_bytes()), Ok(recording));
        }
    });
    table.row("Recording::document", || {
        assert!(NAMES.into_iter().all(|name| Recording::default().document(name).is_none()));
    });
    table.row("Recording::from_bytes", || {
        let all = [&b""[..], b"NBRC", &[255; 64], b"NBRC\x01\0\0\0\x01\0\0\0\xff\xff\xff\xff\0\0\0\0\0\0\0\0"];
        assert!(all.into_iter().all(|bytes| Recording::from_bytes(bytes).is_err()));
    });
}
