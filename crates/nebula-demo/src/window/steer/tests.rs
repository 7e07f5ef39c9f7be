//! The demo without a window.

mod panels;

use super::*;

fn run(steering: &mut Steering, seconds: f32) {
    (0..(seconds * 60.0) as usize).for_each(|_| steering.update(1.0 / 60.0));
}

#[test]
fn keys_send_the_hero_away_from_the_camera_and_shift_makes_it_run() {
    let mut steering = Steering::new().unwrap();
    run(&mut steering, 2.0);
    assert!(steering.hero.walker.speed < 0.05, "it waits");
    steering.hold(Held { forward: true, ..Held::default() });
    run(&mut steering, 4.0);
    let walked = steering.hero.walker.place();
    let to_camera = Vec3::new(0.6_f32.sin(), 0.0, 0.6_f32.cos());
    assert!(walked.dot(to_camera) < -1.5, "{walked}");
    let walking = steering.hero.walker.speed;
    steering.hold(Held { forward: true, run: true, ..Held::default() });
    run(&mut steering, 3.0);
    assert!(steering.hero.walker.speed > walking * 1.5, "{} after {walking}", steering.hero.walker.speed);
    steering.hold(Held::default());
    run(&mut steering, 2.0);
    assert!(steering.hero.walker.speed < 0.05, "it stands again");
}

#[test]
fn the_terrain_and_the_camera_follow() {
    let mut steering = Steering::new().unwrap();
    steering.hold(Held { right: true, run: true, ..Held::default() });
    run(&mut steering, 12.0);
    let place = steering.hero.walker.place();
    assert!(Vec2::new(place.x, place.z).distance(steering.middle) <= STRAY + 0.1);
    assert!(steering.camera.target.distance(place + Vec3::Y) < 1.5);
    for way in [Vec2::NAN, Vec2::splat(1e20), Vec2::new(-3.0, 0.4)] {
        steering.handle(Event::Orbit(way));
        steering.handle(Event::Zoom(way.x));
    }
    let camera = steering.camera();
    assert!(
        camera.eye.is_finite()
            && camera.eye.y > steering.hero.walker.hills.height(Vec2::new(camera.eye.x, camera.eye.z))
    );
}

/// Opens the panels, which record from then on.
fn record(steering: &mut Steering) {
    steering.inspector.is_open = true;
    steering.follow_inspector();
}

#[test]
fn who_goes_on_from_the_past_stands_where_it_stood() {
    let mut steering = Steering::new().unwrap();
    run(&mut steering, 1.0);
    record(&mut steering);
    steering.hold(Held { forward: true, ..Held::default() });
    run(&mut steering, 2.0);
    let frame = steering.hero.character.tape().frames().end - 1;
    let (place, speed, time) = (steering.hero.walker.place(), steering.hero.walker.speed, steering.time);
    let [then, _] = steering.hero.bodies().map(|body| body.palette.to_vec());
    let gaze = steering.hero.gaze;
    steering.hold(Held { right: true, run: true, ..Held::default() });
    run(&mut steering, 3.0);
    let later = [steering.hero.walker.place(), steering.hero.gaze];
    assert!(later[0].distance(place) > 2.0, "it has gone elsewhere");
    // Looking at the past changes nothing of the present.
    steering.inspector.go_to(&steering.hero.character, frame);
    steering.follow_inspector();
    assert_eq!(steering.hero.bodies()[0].palette, then);
    assert_eq!(steering.hero.walker.place(), later[0]);
    steering.inspector.branch(&mut steering.hero.character);
    steering.follow_inspector();
    assert_eq!((steering.hero.walker.place(), steering.hero.walker.speed, steering.time), (place, speed, time));
    assert_eq!((steering.hero.gaze, steering.hero.bodies()[0].palette), (gaze, &then[..]), "and what it looks at");
    // The same inputs lead to the same place, now that everything is as it was.
    steering.hold(Held { right: true, run: true, ..Held::default() });
    run(&mut steering, 3.0);
    assert!(steering.hero.walker.place().distance(later[0]) < 1e-3, "{} or {}", steering.hero.walker.place(), later[0]);
}

#[test]
fn what_waved_then_waves_again() {
    let mut steering = Steering::new().unwrap();
    run(&mut steering, 1.0);
    record(&mut steering);
    run(&mut steering, 0.5);
    let frame = steering.hero.character.tape().frames().end - 1;
    steering.show.is_waving = true;
    steering.hero.wave(true);
    run(&mut steering, 1.0);
    assert!(steering.hero.playing().any(|(name, _)| name == "wave"));
    steering.inspector.go_to(&steering.hero.character, frame);
    steering.inspector.branch(&mut steering.hero.character);
    steering.follow_inspector();
    assert!(!steering.show.is_waving, "the switch says what the arm does");
    run(&mut steering, 0.5);
    assert!(steering.hero.playing().all(|(name, _)| name != "wave"));
}
