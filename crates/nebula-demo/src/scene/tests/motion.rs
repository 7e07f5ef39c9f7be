//! Nothing pops, no planted foot slides, the sword stays in the hand; and each of these checks sees a fault that is planted.

use glam::{Vec2, Vec3};
use nebula_animation::FootPlacement;

use super::record::{fastest_in_clips, record};
use crate::scene::Scene;
use crate::scene::cast::Cast;
use crate::scene::hero::Hero;
use crate::scene::script::DEMO_WAY;
use crate::scene::terrain::Hills;
use crate::scene::walker::Input;

/// Moments in a second at which pops are looked for: a jump is as far however short the step, and everything else is not.
const FINE: f32 = 200.0;

/// Where the hand holds the sword, by the numbers of the hero's file.
const IN_HAND: Vec3 = Vec3::new(-0.078, -0.03, 0.004);

/// What fades and layers may add to the fastest clip, in metres per second: a hand that comes down from the T-pose goes 1.1 m
/// in 0.6 s, at most one and a half times as fast as on the mean, and feet catch up with a leg's length in half a second.
const ALLOWANCE: f32 = 1.5 * 1.1 / 0.6 + 0.83 / 0.5;

fn limit(names: &[&str]) -> f32 {
    fastest_in_clips(&Cast::load().expect("the models"), names) + ALLOWANCE
}

#[test]
fn nothing_pops_in_the_whole_demo() {
    let (speed, time) = record(None, FINE, |_| {}).fastest_joint();
    let limit = limit(&["idle", "stroll", "run"]);
    println!("{speed} m/s at {time} s, at most {limit}");
    assert!(speed < limit, "a joint moves at {speed} m/s at {time} s, at most {limit}");
}

#[test]
fn nothing_pops_while_fades_are_interrupted() {
    let (speed, time) = record(Some(Scene::Crossfade), FINE, |_| {}).fastest_joint();
    let limit = limit(&["idle", "stroll", "run", "jump", "turn_left"]);
    println!("{speed} m/s at {time} s, at most {limit}");
    assert!(speed < limit, "a joint moves at {speed} m/s at {time} s, at most {limit}");
}

/// From where it stands, and from its stroll.
#[test]
fn nothing_pops_in_a_jump() {
    let limit = limit(&["idle", "stroll", "run", "jump"]);
    for direction in [Vec2::ZERO, Vec2::Y] {
        let input = Input { direction, is_running: false };
        let mut hero =
            Hero::new(&Cast::load().expect("the models"), Hills::rolling(9.0), Vec2::ZERO).expect("the hero");
        hero.wake();
        // Far ahead: it does not come to what it looks at.
        hero.gaze += Vec3::Z * 50.0;
        let (mut before, mut states) = (Vec::new(), Vec::<String>::new());
        for step in 0..(6.0 * FINE) as u32 {
            if step == (2.0 * FINE) as u32 {
                hero.jump();
            }
            hero.update(1.0 / FINE, &input);
            let model_from_world = hero.bodies()[0].place.inverse();
            let now: Vec<Vec3> = hero.joints().map(|(_, place)| model_from_world.transform_point3(place)).collect();
            for (before, now) in before.iter().zip(&now) {
                let speed = now.distance(*before) * FINE;
                assert!(speed < limit, "{direction}: {speed} m/s at {} s, at most {limit}", step as f32 / FINE);
            }
            before = now;
            let state = hero.character.machines[0].state_name();
            if states.last().is_none_or(|last| last != state) {
                states.push(state.to_owned());
            }
        }
        let at_ease = if direction == Vec2::ZERO { "idle" } else { "gait" };
        assert!(states.ends_with(&[at_ease.into(), "jump".into(), at_ease.into()]), "{states:?}");
    }
}

/// The fault: gaits that switch at once.
#[test]
fn a_popping_transition_is_found() {
    let (speed, _) = record(None, FINE, |hero| hero.fade.seconds = 0.0).fastest_joint();
    let limit = limit(&["idle", "stroll", "run"]);
    println!("{speed} m/s, at most {limit}");
    assert!(speed > 2.0 * limit, "{speed} m/s, at most {limit}");
}

#[test]
fn planted_feet_neither_slide_nor_float() {
    // From gait to gait too, where one clip has a foot on the ground and the other does not.
    let limits = [(None, 0.003, 0.015), (Some(Scene::Walk), 0.002, 0.015), (Some(Scene::Slope), 0.002, 0.015)];
    for (scene, slide_limit, gap_limit) in limits {
        let record = record(scene, 50.0, |_| {});
        let ((slide, when), (gap, at)) = (record.worst_slide(), record.worst_gap());
        println!("{scene:?}: slides {:.2} mm at {when} s, floats {:.1} mm at {at} s", slide * 1e3, gap * 1e3);
        assert!(slide < slide_limit, "{scene:?}: {:.1} mm in a fiftieth of a second at {when} s", slide * 1e3);
        assert!(gap < gap_limit, "{scene:?}: {:.1} mm above or below the ground at {at} s", gap * 1e3);
    }
}

/// The fault: the hero goes faster than its feet, and the layer that would hold them is almost off.
#[test]
fn a_sliding_foot_is_found() {
    let plant = |hero: &mut Hero| {
        hero.walker.slip = 1.4;
        hero.character.layer_mut::<FootPlacement>().expect("feet").weight = 0.1;
    };
    let (slide, _) = record(Some(Scene::Walk), 50.0, plant).worst_slide();
    println!("slides {:.1} mm", slide * 1e3);
    assert!(slide > 0.004, "{:.1} mm", slide * 1e3);
}

#[test]
fn the_sword_stays_in_the_hand() {
    for scene in [None, Some(Scene::Attach)] {
        let grip = record(scene, 50.0, |_| {}).worst_grip(IN_HAND);
        println!("{scene:?}: {grip} m");
        assert!(grip < 1e-5, "{scene:?}: {grip} m");
    }
}

/// The fault: a sword that is drawn where the hand was a frame ago.
#[test]
fn a_sword_that_lags_behind_is_found() {
    let mut record = record(Some(Scene::Attach), 50.0, |_| {});
    for step in (1..record.moments.len()).rev() {
        record.moments[step].sword = record.moments[step - 1].sword;
    }
    assert!(record.worst_grip(IN_HAND) > 1e-3);
}

/// The hills repeat after as many metres as the hero comes, and the last frame goes on as the first.
#[test]
fn the_whole_demo_ends_as_it_begins() {
    let record = record(None, 50.0, |_| {});
    let (first, last) = (&record.moments[0], &record.moments[record.moments.len() - 1]);
    let way = last.place - first.place;
    println!("way {way}, facing {}", last.forward);
    assert!((way.z - DEMO_WAY).abs() < 0.005, "{} m", way.z);
    assert!(way.x.abs() < 0.02, "{} m", way.x);
    assert!(last.forward.angle_between(first.forward) < 0.02, "{}", last.forward);
    for (first, last) in first.joints.iter().zip(&last.joints) {
        assert!(first.distance(*last) < 0.02, "{first} {last}");
    }
}

/// So do the scenes that are one gait.
#[test]
fn walking_repeats_without_a_seam() {
    for scene in [Scene::Walk, Scene::Slope] {
        let record = record(Some(scene), 50.0, |_| {});
        let (first, last) = (&record.moments[0], &record.moments[record.moments.len() - 1]);
        for (first, last) in first.joints.iter().zip(&last.joints) {
            assert!(first.distance(*last) < 0.004, "{scene:?}: {first} {last}");
        }
        assert!((last.place.y - first.place.y).abs() < 1e-3 && (last.place.x - first.place.x).abs() < 1e-3);
    }
}
