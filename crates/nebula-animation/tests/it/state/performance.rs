//! A long performance in which everything happens at random: states of any of its frames go on with the same bits.

use glam::{Quat, Vec2, Vec3};
use nebula_animation::{
    AimLayer, Character, Clock, Fade, FootPlacement, JointMask, StateMachinePlayer,
    mixer::{BlendMode, FadeCurve, Motion},
    procedural::springs::SpringChain,
};

use super::troupe::{
    Handles, Sight, Troupe, assert_same, first_attachment, options, played, robot_file, sent, step, surrounded,
};
use crate::characters::Random;

fn fade(random: &mut Random) -> Fade {
    let curve = [FadeCurve::Linear, FadeCurve::Smooth, FadeCurve::Inertialised][random.below(3)];
    Fade { seconds: [0.0, 0.1, 0.3, 0.8][random.below(4)] * random.between(0.5, 1.5), curve }
}

/// What a game does before a frame.
fn act(troupe: &Troupe, character: &mut Character, handles: &Handles, random: &mut Random) {
    if random.chance(0.6) {
        return;
    }
    let motion = match random.below(4) {
        0 => handles.gait,
        _ => Motion::Clip(random.below(troupe.library.len())),
    };
    let layer = [nebula_animation::LayerId::BASE, handles.arms, handles.face][random.below(3)];
    let face = troupe.library.find("frown").expect("it was added");
    let mixer = &mut character.mixer;
    match random.below(22) {
        0..4 => mixer.play_on(layer, motion, fade(random)).map(|_| ()).expect("it is there"),
        4 => {
            let layer = mixer.layer_mut(layer).expect("a layer");
            layer.restart(motion, fade(random)).expect("it is there");
        }
        5 | 6 => {
            let shot = troupe.shots[random.below(2)];
            let action = mixer.play_once_on(layer, shot, fade(random), fade(random)).expect("it is there");
            action.speed = random.between(0.5, 3.0);
        }
        7 => mixer.layer_mut(layer).expect("a layer").stop(fade(random)),
        8 => mixer.play_on(handles.face, face, fade(random)).map(|_| ()).expect("it is there"),
        9 => {
            let layer = mixer.layer_mut(layer).expect("a layer");
            if random.chance(0.3) { layer.pause() } else { layer.resume() }
        }
        10 => mixer.layer_mut(handles.arms).expect("a layer").weight = random.between(-0.2, 1.2),
        11 => {
            let arms = mixer.layer_mut(handles.arms).expect("a layer");
            arms.mode = if random.chance(0.2) { BlendMode::Additive } else { BlendMode::Override };
        }
        12 => {
            let rig = troupe.library.rig();
            let mask = rig.upper_body().expect("a chest").with_morphs(random.unit());
            let mask = if random.chance(0.2) { JointMask::all(rig) } else { mask };
            mixer.layer_mut(handles.arms).expect("a layer").set_mask(mask);
        }
        13 => mixer.time_scale = [1.0, 1.0, 0.5, 2.0, 0.0][random.below(5)],
        14 => machine(&mut character.machines, random),
        15 => layers(character, random),
        16 => {
            if let Some(sword) = character.attachment_mut(first_attachment()) {
                *sword = sword.clone().at(random.vector(0.1), Quat::from_rotation_x(random.unit()));
            }
        }
        _ => {
            let layer = mixer.layer_mut(layer).expect("a layer");
            let Some(action) = layer.current_action.as_mut() else { return };
            match random.below(8) {
                0 => action.seek(f64::from(random.between(-0.5, 2.0))),
                1 => action.time = random.between(0.0, 1.5),
                2 => action.speed = random.between(-2.0, 2.0),
                3 => action.looping = random.chance(0.5),
                4 => (action.back_and_forth, action.repetitions) = (random.chance(0.5), random.below(4) as i32),
                5 => action.weight = random.between(0.0, 1.3),
                6 => action.restart(),
                _ => {
                    let end = Some(f64::from(random.between(0.3, 1.0)));
                    let (start, hold) = (0.2, if random.chance(0.5) { 0.1 } else { 0.0 });
                    let repetitions = random.below(4) as i32 - 1;
                    action.play_by(Clock { start, end, hold, repetitions, reverse: hold == 0.0, ..Clock::default() });
                }
            }
        }
    }
}

fn machine(machines: &mut [StateMachinePlayer], random: &mut Random) {
    let Some(machine) = machines.first_mut() else { return };
    let [speed, busy, wave, cheer] =
        ["speed", "busy", "wave", "cheer"].map(|name| machine.parameter(name).expect("a parameter"));
    let result = match random.below(6) {
        0 => machine.set_bool(busy, random.chance(0.7)),
        1 => machine.trigger(wave),
        2 => machine.trigger_for(cheer, f64::from(random.between(-0.1, 0.5))),
        3 => machine.reset_trigger(wave),
        _ => machine.set_float(speed, random.between(-0.5, 2.5)),
    };
    result.expect("of the right kind");
}

fn layers(character: &mut Character, random: &mut Random) {
    if let Some(aim) = character.layer_mut::<AimLayer>() {
        (aim.target, aim.weight) = (random.vector(2.0) + Vec3::Y, random.unit());
        aim.follows = random.chance(0.5).then_some(nebula_animation::TargetId(3));
    }
    if let Some(springs) = character.layer_mut::<SpringChain>() {
        (springs.weight, springs.settings.stiffness) = (random.unit(), random.between(20.0, 120.0));
    }
    if let Some(feet) = character.layer_mut::<FootPlacement>() {
        (feet.weight, feet.settings.max_slide) = (random.between(0.5, 1.0), random.between(0.1, 0.5));
    }
}

/// The blend follows a speed that changes all the time; frames differ in length, and some go back.
pub fn frame_of(troupe: &Troupe, character: &mut Character, handles: &Handles, frame: u32) -> f64 {
    let mut random = Random::new(0xc0ffee ^ u64::from(frame));
    act(troupe, character, handles, &mut random);
    if frame % 7 < 5 {
        let speed = troupe.walking() * (1.0 + (frame as f32 / 50.0).sin());
        character.mixer.set_blend_position(handles.gait, Vec2::new(speed, 0.0)).expect("a space of its own");
    }
    match random.below(20) {
        0 => 0.0,
        1 => -0.02,
        2 => 0.3,
        _ => f64::from(random.between(0.005, 0.03)),
    }
}

/// Goes through the frames with a twin that is made anew, or led astray, and then restored, again and again: after a frame, after
/// the game has done something, and between the halves of an update.
fn perform(troupe: &Troupe, make: impl Fn(&Troupe) -> (Character, Handles), frames: u32, name: &str) {
    let ((mut original, handles), (mut twin, _)) = (make(troupe), make(troupe));
    let mut random = Random::new(7);
    let (mut restored, mut largest) = (0, 0);
    for frame in 0..frames {
        let when = random.below(40);
        let mut renew = |original: &Character, twin: &mut Character| {
            let state = original.state();
            largest = largest.max(state.to_bytes().len());
            if random.chance(0.5) {
                *twin = make(troupe).0;
            } else {
                for wrong in 0..random.below(20) as u32 {
                    let seconds = frame_of(troupe, twin, &handles, frame * 31 + wrong);
                    surrounded(wrong, |surroundings| twin.update(seconds, surroundings));
                }
            }
            twin.restore(&sent(&state)).unwrap_or_else(|error| panic!("{name}, frame {frame}: {error}"));
            assert!(twin.state() == state, "{name}, frame {frame}: what was restored is written in another way");
            assert_eq!(played(twin), played(original), "{name}, frame {frame}");
            restored += 1;
        };
        if when == 0 {
            renew(&original, &mut twin);
        }
        let seconds = frame_of(troupe, &mut original, &handles, frame);
        if when == 1 {
            renew(&original, &mut twin);
        } else {
            frame_of(troupe, &mut twin, &handles, frame);
        }
        original.advance(seconds);
        if when == 2 {
            // What an update told is over.
            let events = format!("{:?}", original.events().collect::<Vec<_>>());
            renew(&original, &mut twin);
            assert!(twin.events().next().is_none(), "{events}");
            assert_eq!(twin.frame().root_step(), original.frame().root_step(), "{name}, frame {frame}");
            assert_eq!(twin.frame().shown(), original.frame().shown(), "{name}, frame {frame}");
        } else {
            twin.advance(seconds);
        }
        surrounded(frame, |surroundings| original.finish(surroundings));
        surrounded(frame, |surroundings| twin.finish(surroundings));
        let [own, other] = [&original, &twin].map(Sight::of);
        assert!(own.is_finite, "{name}, frame {frame}");
        if when == 2 {
            assert!(own.numbers == other.numbers, "{name}, frame {frame}");
        } else {
            assert_same(&own, &other, &format!("{name}, frame {frame}, after {restored} times"));
        }
    }
    assert!(restored > frames as usize / 30, "{restored} times only");
    assert!(largest < 8192, "{name}: {largest} bytes");
}

#[test]
fn any_frame_of_a_performance_can_be_restored() {
    for has_root_motion in [false, true] {
        let troupe = Troupe::humanoid(options(has_root_motion));
        perform(&troupe, Troupe::whole, 2000, &format!("humanoid, root motion {has_root_motion}"));
    }
}

#[test]
fn any_frame_of_another_character_can_be_restored() {
    let test = "any_frame_of_another_character_can_be_restored";
    let Some(file) = robot_file(test) else { return };
    for has_root_motion in [false, true] {
        let troupe = Troupe::robot(&file, options(has_root_motion));
        perform(&troupe, Troupe::whole, 2000, &format!("robot, root motion {has_root_motion}"));
    }
}

/// The clone has memory of its own, layers included.
#[test]
fn clones_go_on_with_the_same_bits() {
    let troupe = Troupe::humanoid(options(false));
    let (mut original, handles) = troupe.whole();
    let mut clone = original.clone();
    for frame in 0..600 {
        if frame % 23 == 0 {
            clone = original.clone();
        }
        let seconds = frame_of(&troupe, &mut original, &handles, frame);
        let own = step(&mut original, frame, seconds);
        frame_of(&troupe, &mut clone, &handles, frame);
        assert_same(&own, &step(&mut clone, frame, seconds), &format!("frame {frame}"));
    }
}
