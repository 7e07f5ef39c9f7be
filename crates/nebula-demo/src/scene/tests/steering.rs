//! The hero under a player's hands.

use glam::Vec2;
use nebula_animation::{AimLayer, BodyLean, BreathingLayer, Fade, FootPlacement, mixer::FadeCurve, procedural::Faded};

use crate::scene::cast::Cast;
use crate::scene::hero::Hero;
use crate::scene::terrain::Hills;
use crate::scene::walker::Input;

fn hero() -> Hero {
    Hero::new(&Cast::load().expect("the models"), Hills::rolling(9.0), Vec2::ZERO).expect("the hero")
}

fn drive(hero: &mut Hero, seconds: f32, input: &Input) {
    for _ in 0..(seconds * 60.0) as usize {
        hero.update(1.0 / 60.0, input);
        assert!(hero.bodies()[0].palette.iter().all(|matrix| matrix.is_finite()));
        let ground = hero.walker.hills.height(Vec2::new(hero.walker.place().x, hero.walker.place().z));
        assert!((hero.walker.place().y - ground).abs() < 1e-4, "it stands on the ground");
    }
}

const EAST: Input = Input { direction: Vec2::X, is_running: false };

#[test]
fn it_goes_where_it_is_sent_and_stops() {
    let mut hero = hero();
    drive(&mut hero, 0.5, &EAST);
    assert_eq!(hero.walker.place().x, 0.0, "asleep");
    hero.wake();
    drive(&mut hero, 1.0, &Input::default());
    assert!(hero.playing().any(|(name, shown)| name == "idle" && shown.weight > 0.99));
    drive(&mut hero, 3.0, &EAST);
    assert!(
        hero.walker.forward().x > 0.99 && hero.walker.place().x > 0.8,
        "{} {}",
        hero.walker.forward(),
        hero.walker.place()
    );
    assert!((hero.walker.speed - 0.6).abs() < 0.02, "{}", hero.walker.speed);
    drive(&mut hero, 2.0, &Input { is_running: true, ..EAST });
    assert!((hero.walker.speed - 1.7 / 0.7).abs() < 0.05, "{}", hero.walker.speed);
    drive(&mut hero, 1.5, &Input::default());
    let stopped = hero.walker.place();
    drive(&mut hero, 1.0, &Input::default());
    assert!(hero.walker.place().distance(stopped) < 1e-4);
    assert!(hero.feet().iter().all(|(is_planted, _)| *is_planted), "{:?}", hero.feet());
    hero.rest();
    drive(&mut hero, 1.0, &EAST);
    assert!(hero.playing().count() == 0 && hero.walker.place().distance(stopped) < 1e-4, "asleep again");
}

/// Tighter turns lean further, to the inner side.
#[test]
fn it_leans_into_turns() {
    let mut hero = hero();
    hero.wake();
    drive(&mut hero, 2.0, &Input { direction: Vec2::Y, is_running: true });
    let tilt = |hero: &Hero| {
        let place = |name: &str| hero.joints().find(|(other, _)| *other == name).expect("a joint").1;
        let [hips, neck] = ["Hips", "Neck"].map(place);
        // To the left, which is +X of a hero that faces +Z.
        (neck - hips).normalize_or_zero().dot(glam::Vec3::Y.cross(hero.walker.forward()))
    };
    let upright = tilt(&hero);
    drive(&mut hero, 0.4, &Input { direction: Vec2::X, is_running: true });
    assert!(tilt(&hero) > upright + 0.05, "{} {}", tilt(&hero), upright);
    hero.character.layer_mut::<BodyLean>().expect("a layer").weight = 0.0;
    drive(&mut hero, 1.0 / 60.0, &Input { direction: Vec2::X, is_running: true });
    assert!(tilt(&hero) < upright + 0.05);
}

#[test]
fn its_gaze_follows_the_lamp() {
    let mut hero = hero();
    hero.wake();
    let look = |hero: &mut Hero, side: f32| {
        hero.gaze = hero.walker.place() + glam::Vec3::new(side, 1.6, 1.5);
        drive(hero, 2.0, &Input::default());
        let head = hero.joints().position(|(name, _)| name == "Head").expect("a head");
        hero.joint(head as u16).z_axis.truncate().normalize_or_zero().x
    };
    assert!(look(&mut hero, 1.2) > 0.4);
    assert!(look(&mut hero, -1.2) < -0.4);
    hero.character.layer_mut::<Faded<AimLayer>>().expect("a layer").layer.weight = 0.0;
    assert!(look(&mut hero, 1.2).abs() < 0.2);
}

#[test]
fn nonsense_does_no_harm() {
    let mut hero = hero();
    hero.wake();
    for value in [f32::NAN, f32::INFINITY, -1.0, 0.0, 1e30] {
        let inputs = [Vec2::splat(value), Vec2::new(value, 1.0)];
        for direction in inputs {
            hero.update(value, &Input { direction, is_running: true });
            drive(&mut hero, 0.1, &Input { direction, is_running: false });
        }
        let character = &mut hero.character;
        character.mixer.time_scale = value;
        character.layer_mut::<Faded<AimLayer>>().expect("a layer").layer.weight = value;
        character.layer_mut::<FootPlacement>().expect("a layer").weight = value;
        character.layer_mut::<BodyLean>().expect("a layer").weight = value;
        character.layer_mut::<Faded<BreathingLayer>>().expect("a layer").layer.weight = value;
        hero.fade.seconds = value;
        drive(&mut hero, 0.2, &EAST);
        hero.rest();
        hero.wake();
        drive(&mut hero, 0.2, &Input::default());
    }
    assert!(hero.play("no such clip", Fade::default()).is_err());
    assert!(hero.gesture(Some("no such clip"), Fade::default()).is_err());
    hero.wake();
    drive(&mut hero, 0.1, &EAST);
}

#[test]
fn every_kind_of_fade_and_gesture_plays() {
    let mut hero = hero();
    for fade in [FadeCurve::Linear, FadeCurve::Smooth, FadeCurve::Inertialised] {
        hero.fade.curve = fade;
        hero.wake();
        drive(&mut hero, 0.5, &EAST);
        hero.gesture(Some("wave"), Fade::smooth(0.2)).expect("a clip");
        drive(&mut hero, 0.5, &EAST);
        assert!(hero.playing().any(|(name, shown)| shown.layer.index() == 1 && name == "wave"));
        hero.gesture(None, Fade::smooth(0.2)).expect("nothing to look up");
        hero.play("jump_root_motion", Fade::inertialised(0.2)).expect("a clip");
        drive(&mut hero, 0.5, &EAST);
        hero.wake();
        drive(&mut hero, 0.5, &Input::default());
        hero.rest();
        drive(&mut hero, 0.8, &Input::default());
    }
}
