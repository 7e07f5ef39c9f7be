//! Moments in which much is remembered: a character that is restored in them goes on with the same bits.

use glam::{Vec2, Vec3};
use nebula_animation::{
    AnimationClipLibrary, Character, Fade, FootPlacement, LayerId, StateMachinePlayer,
    mixer::{FadeCurve, ParameterValue},
};

use super::troupe::{Handles, Troupe, assert_same, options, sent, step};

const FRAME: f64 = 1.0 / 60.0;

/// Restores a character that was led to a moment, in one that is new, and goes on with both. Without the state it would be another
/// one. The bytes that the state takes.
fn goes_on(
    troupe: &Troupe,
    make: impl Fn(&Troupe) -> (Character, Handles),
    lead: impl Fn(&mut Character, &Handles, &mut u32),
    what: &str,
) -> usize {
    let (mut original, handles) = make(troupe);
    let mut now = 0;
    lead(&mut original, &handles, &mut now);
    let state = original.state();
    let (mut restored, _) = make(troupe);
    restored.restore(&sent(&state)).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(restored.state() == state, "{what}: what was restored is written in another way");
    let ((mut forgetful, _), mut clone) = (make(troupe), original.clone());
    let mut differences = 0;
    for frame in now..now + 90 {
        let own = step(&mut original, frame, FRAME);
        assert!(own.is_finite, "{what}, frame {frame}");
        assert_same(&own, &step(&mut restored, frame, FRAME), &format!("{what}, frame {frame}"));
        assert_same(&own, &step(&mut clone, frame, FRAME), &format!("{what}, frame {frame} of a clone"));
        differences += usize::from(own != step(&mut forgetful, frame, FRAME));
    }
    assert!(differences > 0, "{what}: without the state it would be the same, so this test shows nothing");
    state.to_bytes().len()
}

/// Lets some frames pass.
fn pass(character: &mut Character, now: &mut u32, frames: u32) {
    for _ in 0..frames {
        step(character, *now, FRAME);
        *now += 1;
    }
}

fn troupe() -> Troupe {
    Troupe::humanoid(options(false))
}

#[test]
fn fades_of_all_curves_go_on() {
    let troupe = troupe();
    for curve in [FadeCurve::Linear, FadeCurve::Smooth, FadeCurve::Inertialised] {
        let fade = Fade { seconds: 0.5, curve };
        goes_on(
            &troupe,
            Troupe::bare,
            |character, handles, now| {
                pass(character, now, 20);
                character.mixer.play(troupe.shots[0], fade).expect("a jump");
                character.mixer.play_on(handles.arms, troupe.shots[1], fade).expect("a wave");
                character.mixer.play_on(handles.face, "frown", fade).expect("a face");
                pass(character, now, 12);
                assert!(character.mixer.is_fading());
                assert!(character.frame().morph_weights().iter().any(|weight| *weight > 0.01), "the face takes part");
            },
            &format!("{curve:?}"),
        );
    }
}

/// More than four actions at once, so that some have become a pose that stands still; with the last fade not shown yet.
#[test]
fn fades_that_were_interrupted_go_on() {
    let troupe = troupe();
    let curves = [FadeCurve::Linear, FadeCurve::Smooth, FadeCurve::Inertialised];
    for (first, second) in curves.into_iter().flat_map(|first| curves.map(|second| (first, second))) {
        for frames_after in [0, 1, 5] {
            goes_on(
                &troupe,
                Troupe::bare,
                |character, _, now| {
                    pass(character, now, 10);
                    for index in 0..7 {
                        let curve = if index % 2 == 0 { first } else { second };
                        let clip = [troupe.gaits[0], troupe.shots[0], troupe.gaits[2], troupe.shots[1]][index % 4];
                        character.mixer.play(clip, Fade { seconds: 0.8, curve }).expect("a clip");
                        pass(character, now, if index == 6 { frames_after } else { 3 });
                    }
                },
                &format!("{first:?} and {second:?}, {frames_after} frames after"),
            );
        }
    }
}

#[test]
fn feet_that_stand_go_on_standing() {
    for has_root_motion in [false, true] {
        let troupe = Troupe::humanoid(options(has_root_motion));
        let bytes = goes_on(
            &troupe,
            Troupe::usual,
            |character, handles, now| {
                pass(character, now, 40);
                character.mixer.play(troupe.shots[1], 1.0).expect("a wave");
                character.mixer.play_on(handles.arms, troupe.shots[0], Fade::smooth(1.0)).expect("a jump");
                let stands = |character: &Character| {
                    let feet = character.layers.layer::<FootPlacement>().expect("feet");
                    (0..2).any(|leg| feet.is_planted(leg))
                };
                pass(character, now, 3);
                while !stands(character) {
                    pass(character, now, 1);
                }
                assert!(character.mixer.is_fading());
            },
            "feet",
        );
        // Mid-fade with blend space, masked layer, aim and feet.
        assert!(bytes < 1792, "{bytes} bytes");
    }
}

#[test]
fn a_machine_goes_on_with_its_transition_and_its_triggers() {
    let troupe = troupe();
    goes_on(
        &troupe,
        Troupe::whole,
        |character, _, now| {
            let name = |machine: &StateMachinePlayer, name| machine.parameter(name).expect("a parameter");
            pass(character, now, 5);
            let machine = &mut character.machines[0];
            machine.set_bool(name(machine, "busy"), true).expect("true or false");
            machine.set_float(name(machine, "speed"), 1.8).expect("a number");
            pass(character, now, 6);
            let machine = &mut character.machines[0];
            assert_eq!(machine.state_name(), "fast");
            // One that waits for its exit time, one that is forgotten before anything takes notice, and one that was just set.
            machine.trigger_for(name(machine, "cheer"), 2.0).expect("a trigger");
            machine.trigger_for(name(machine, "wave"), 0.2).expect("a trigger");
            pass(character, now, 2);
            let machine = &mut character.machines[0];
            machine.set_float(name(machine, "speed"), 0.5).expect("a number");
            let wave = name(machine, "wave");
            assert_eq!(machine.value(wave), Some(ParameterValue::Trigger(true)), "pending");
            assert!(character.mixer.layer(LayerId::new(1)).is_some_and(|arms| arms.is_fading()));
        },
        "machine",
    );
}

/// What [`StateMachinePlayer::go_to`] did is told by the next update, also elsewhere.
#[test]
fn a_state_that_was_gone_to_is_told() {
    let troupe = troupe();
    goes_on(
        &troupe,
        Troupe::whole,
        |character, _, now| {
            pass(character, now, 5);
            let Character { machines, mixer, .. } = character;
            let waving = machines[0].state_named("waving").expect("a state");
            machines[0].go_to(mixer, waving, 0.3).expect("it can wave");
            assert_eq!(machines[0].changes().len(), 1);
        },
        "go_to",
    );
}

#[test]
fn one_shots_hand_back_as_they_would_have() {
    let troupe = troupe();
    for (fade_out, frames) in [(Fade::linear(0.4), 20), (Fade::smooth(0.4), 50), (Fade::inertialised(0.5), 60)] {
        goes_on(
            &troupe,
            Troupe::bare,
            |character, handles, now| {
                pass(character, now, 10);
                let wave = character.mixer.play_once_on(handles.arms, troupe.shots[1], 0.2, fade_out).expect("a wave");
                wave.speed = 1.5;
                pass(character, now, frames);
            },
            &format!("{fade_out:?}"),
        );
    }
}

#[test]
fn springs_go_on_swinging() {
    let troupe = troupe();
    goes_on(&troupe, Troupe::whole, |character, _, now| pass(character, now, 33), "springs");
}

/// Everything that a game may do between two frames is in the state, though no frame has seen it.
#[test]
fn what_was_just_changed_is_kept() {
    type Change = fn(&Troupe, &mut Character, &Handles);
    let changes: [(&str, Change); 12] = [
        ("seek", |_, character, _| action(character).seek(0.3)),
        ("scrub", |_, character, _| action(character).time = 0.4),
        ("speed", |_, character, _| action(character).speed = -1.5),
        ("back and forth", |_, character, _| action(character).back_and_forth = true),
        ("once", |_, character, _| action(character).looping = false),
        ("weight", |_, character, _| action(character).weight = 0.3),
        ("restart", |_, character, _| action(character).restart()),
        ("clock", |_, character, _| {
            let clock = nebula_animation::Clock { start: 0.1, end: Some(0.7), reverse: true, ..Default::default() };
            action(character).play_by(clock);
        }),
        ("cut", |troupe, character, _| {
            character.mixer.play(troupe.shots[0], 0.0).expect("a jump");
        }),
        ("position", |_, character, handles| {
            character.mixer.set_blend_position(handles.gait, Vec2::X * 9.0).expect("a space of its own");
        }),
        ("time scale", |_, character, _| character.mixer.time_scale = 0.25),
        ("mask", |troupe, character, handles| {
            let layer = character.mixer.layer_mut(handles.arms).expect("a layer");
            layer.set_mask(troupe.library.rig().upper_body().expect("a chest").inverted());
        }),
    ];
    for has_root_motion in [false, true] {
        let troupe = Troupe::humanoid(options(has_root_motion));
        for (what, change) in &changes {
            for frames in [0, 1, 30] {
                goes_on(
                    &troupe,
                    Troupe::bare,
                    |character, handles, now| {
                        character.mixer.play_on(handles.arms, troupe.shots[1], 0.5).expect("a wave");
                        pass(character, now, frames);
                        change(&troupe, character, handles);
                        // A fade to another pose starts at what was shown.
                        character.mixer.play_on(handles.face, "frown", Fade::inertialised(0.3)).expect("a face");
                    },
                    &format!("{what} after {frames} frames"),
                );
            }
        }
    }
}

fn action(character: &mut Character) -> &mut nebula_animation::AnimationAction {
    character.mixer.current_action.as_mut().expect("something plays")
}

/// A state of before the first frame is a state too, also in a character whose machine has handed its blend spaces to the mixer.
#[test]
fn a_character_can_begin_again() {
    let troupe = troupe();
    let (mut character, _) = troupe.whole();
    let state = character.state();
    let run = |character: &mut Character| -> Vec<_> {
        let busy = character.machines[0].parameter("busy").expect("a parameter");
        character.machines[0].set_bool(busy, true).expect("true or false");
        (0..60).map(|frame| step(character, frame, FRAME)).collect()
    };
    let first = run(&mut character);
    character.restore(&state).expect("its own state");
    assert!(character.state() == state);
    assert!(run(&mut character) == first);
    assert!(run(&mut character) != first, "without it, it goes on");
}

/// What was shown before a state was restored is not what a renderer has to draw.
#[test]
fn the_next_frame_counts_as_changed() {
    let (mut character, _) = troupe().bare();
    let standing = |character: &mut Character| {
        step(character, 0, 0.0);
        character.frame().is_changed()
    };
    character.mixer.time_scale = 0.0;
    standing(&mut character);
    assert!(!standing(&mut character));
    let state = character.state();
    character.restore(&state).expect("its own state");
    assert!(standing(&mut character));
    assert!(!standing(&mut character));
}

/// A thing that was hung on another joint stays there.
#[test]
fn what_is_held_stays_where_it_is() {
    let troupe = troupe();
    let (mut character, _) = troupe.whole();
    let thing = super::troupe::first_attachment();
    let other = nebula_animation::BoneAttachment::new(troupe.library.rig(), "Head").expect("a head");
    *character.attachment_mut(thing).expect("a sword") = other.at(Vec3::Y, glam::Quat::IDENTITY).with_joint_scale();
    let (mut elsewhere, _) = troupe.whole();
    elsewhere.restore(&sent(&character.state())).expect("the same set-up");
    assert_eq!(elsewhere.attachment_mut(thing), character.attachment_mut(thing));
}

#[test]
fn characters_without_anything_have_states() {
    let mut nobody = Character::of(AnimationClipLibrary::default());
    let state = nobody.state();
    assert_eq!(nobody.restore(&sent(&state)), Ok(()));
    step(&mut nobody, 0, FRAME);
    assert_ne!(nobody.state(), state, "time has passed");
}

#[test]
fn states_are_small() {
    let troupe = troupe();
    let bytes = |make: fn(&Troupe) -> (Character, Handles), fade: Option<Fade>| {
        let (mut character, handles) = make(&troupe);
        let mut now = 0;
        pass(&mut character, &mut now, 30);
        if let Some(fade) = fade {
            character.mixer.play(troupe.shots[0], fade).expect("a jump");
            character.mixer.play_on(handles.arms, troupe.shots[1], fade).expect("a wave");
            pass(&mut character, &mut now, 5);
        }
        character.state().to_bytes().len()
    };
    let fades = [None, Some(Fade::linear(0.5)), Some(Fade::inertialised(0.5))];
    let [bare, usual, whole] =
        [Troupe::bare, Troupe::usual, Troupe::whole].map(|make| fades.map(|fade| bytes(make, fade)));
    // Standing, fading, inertialised.
    let limits = [[512, 768, 1280], [1536, 1792, 2304], [2048, 2304, 2816]];
    for (bytes, limits) in [bare, usual, whole].iter().zip(limits) {
        assert!(bytes.iter().zip(limits).all(|(bytes, limit)| *bytes <= limit), "{bytes:?}, at most {limits:?}");
    }
}
