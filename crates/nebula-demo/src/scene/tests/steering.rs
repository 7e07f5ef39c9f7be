//! The hero under a player's hands.

use glam::Vec2;
use nebula_animation::{Fade, mixer::FadeCurve};

use crate::scene::cast::Cast;
use crate::scene::hero::{Hero, Input};
use crate::scene::terrain::Hills;

fn hero() -> Hero {
    Hero::new(&Cast::load().expect("the models"), Hills::rolling(9.0), Vec2::ZERO).expect("the hero")
}

fn drive(hero: &mut Hero, seconds: f32, input: &Input) {
    for _ in 0..(seconds * 60.0) as usize {
        hero.update(1.0 / 60.0, input);
        assert!(hero.palette().iter().all(|matrix| matrix.is_finite()));
        let ground = hero.hills().height(Vec2::new(hero.place().x, hero.place().z));
        assert!((hero.place().y - ground).abs() < 1e-4, "it stands on the ground");
    }
}

const EAST: Input = Input { direction: Vec2::X, is_running: false };

#[test]
fn it_goes_where_it_is_sent_and_stops() {
    let mut hero = hero();
    drive(&mut hero, 0.5, &EAST);
    assert_eq!(hero.place().x, 0.0, "asleep");
    hero.wake();
    drive(&mut hero, 1.0, &Input::default());
    assert!(hero.playing().iter().any(|playing| playing.name == "idle" && playing.weight > 0.99));
    drive(&mut hero, 3.0, &EAST);
    assert!(hero.forward().x > 0.99 && hero.place().x > 0.8, "{} {}", hero.forward(), hero.place());
    assert!((hero.speed() - 0.6).abs() < 0.02, "{}", hero.speed());
    drive(&mut hero, 2.0, &Input { is_running: true, ..EAST });
    assert!((hero.speed() - 1.7 / 0.7).abs() < 0.05, "{}", hero.speed());
    drive(&mut hero, 1.5, &Input::default());
    let stopped = hero.place();
    drive(&mut hero, 1.0, &Input::default());
    assert!(hero.place().distance(stopped) < 1e-4);
    assert!(hero.contacts().iter().all(|contact| contact.is_planted), "{:?}", hero.contacts());
    hero.rest();
    drive(&mut hero, 1.0, &EAST);
    assert!(hero.playing().is_empty() && hero.place().distance(stopped) < 1e-4, "asleep again");
}

/// Tighter turns lean further, to the inner side.
#[test]
fn it_leans_into_turns() {
    let mut hero = hero();
    hero.wake();
    drive(&mut hero, 2.0, &Input { direction: Vec2::Y, is_running: true });
    let tilt = |hero: &Hero| {
        let [hips, neck] = ["Hips", "Neck"].map(|name| hero.joint_named(name).expect("a joint"));
        // To the left, which is +X of a hero that faces +Z.
        (neck - hips).normalize_or_zero().dot(glam::Vec3::Y.cross(hero.forward()))
    };
    let upright = tilt(&hero);
    drive(&mut hero, 0.4, &Input { direction: Vec2::X, is_running: true });
    assert!(tilt(&hero) > upright + 0.05, "{} {}", tilt(&hero), upright);
    hero.knobs.lean = 0.0;
    drive(&mut hero, 1.0 / 60.0, &Input { direction: Vec2::X, is_running: true });
    assert!(tilt(&hero) < upright + 0.05);
}

#[test]
fn its_gaze_follows_the_lamp() {
    let mut hero = hero();
    hero.wake();
    let look = |hero: &mut Hero, side: f32| {
        hero.gaze = hero.place() + glam::Vec3::new(side, 1.6, 1.5);
        drive(hero, 2.0, &Input::default());
        let head = hero.joints().position(|(name, _)| name == "Head").expect("a head");
        hero.joint(head).z_axis.truncate().normalize_or_zero().x
    };
    assert!(look(&mut hero, 1.2) > 0.4);
    assert!(look(&mut hero, -1.2) < -0.4);
    hero.knobs.aim = 0.0;
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
        (hero.knobs.time_scale, hero.knobs.aim, hero.knobs.feet) = (value, value, value);
        (hero.knobs.lean, hero.knobs.breathing, hero.knobs.fade_length) = (value, value, value);
        drive(&mut hero, 0.2, &EAST);
        hero.rest();
        hero.wake();
        drive(&mut hero, 0.2, &Input::default());
    }
    assert!(hero.play("no such clip", Fade::default()).is_err());
    assert!(hero.gesture(Some("no such clip"), Fade::default()).is_err());
    hero.obey();
    drive(&mut hero, 0.1, &EAST);
}

#[test]
fn every_kind_of_fade_and_gesture_plays() {
    let mut hero = hero();
    for fade in [FadeCurve::Linear, FadeCurve::Smooth, FadeCurve::Inertialised] {
        hero.knobs.fade = fade;
        hero.wake();
        drive(&mut hero, 0.5, &EAST);
        hero.gesture(Some("wave"), Fade::smooth(0.2)).expect("a clip");
        drive(&mut hero, 0.5, &EAST);
        assert!(hero.playing().iter().any(|playing| playing.layer == 1 && playing.name == "wave"));
        hero.gesture(None, Fade::smooth(0.2)).expect("nothing to look up");
        hero.play("jump_root_motion", Fade::inertialised(0.2)).expect("a clip");
        drive(&mut hero, 0.5, &EAST);
        hero.obey();
        drive(&mut hero, 0.5, &Input::default());
        hero.rest();
        drive(&mut hero, 0.8, &Input::default());
    }
}
