use glam::{Affine3A, DMat3, DVec3, Mat4, Quat, Vec2, Vec3};
use nebula_animation::{
    AnimationClipLibrary, BodyLean, Character, HumanoidJoint, Rig, Surroundings, load_skeleton_and_clips,
};

use super::degrees_between;
use crate::determinism::corpus;
use crate::support::humanoid::humanoid;

/// Characters that lean, at rest but for that.
fn leaners(test: &str) -> Vec<Character> {
    let mut skeletons = vec![humanoid().0];
    if let Some(shared) = corpus(test) {
        for file in ["kaykit-knight.glb", "m2m-human-sophia.glb", "vrm1-example.vrm"] {
            skeletons.push(load_skeleton_and_clips(&shared.join("characters").join(file)).expect("it loads").0);
        }
    }
    let lean = |skeleton| {
        let mut character = Character::of(AnimationClipLibrary::new(&Rig::new(skeleton), &[]));
        character.add_layer(character.rig().humanoid().lean().expect("a spine"));
        character
    };
    skeletons.into_iter().map(lean).collect()
}

/// How an entity moves: how fast it goes ahead, how far it has turned to the left and where it is, at a time.
type Way<'a> = &'a dyn Fn(f32) -> (f32, f32, Vec3);

fn surroundings(character: &Character, (speed, turned, place): (f32, f32, Vec3)) -> Surroundings<'static> {
    let turn = Quat::from_rotation_y(turned);
    let front = character.rig().front().expect("it has a face");
    let world_from_model = Affine3A::from_rotation_translation(turn, place);
    Surroundings { world_from_model, velocity: turn * front * speed, ..Surroundings::default() }
}

/// Which way the spine's own up is tilted, in degrees to the left and forward of the entity, by the matrices in f64.
fn tilt(character: &Character, turned: f32) -> (f64, f64) {
    let spine = character.rig().humanoid().require(HumanoidJoint::Spine).expect("a spine");
    let axes = |matrix: Mat4| DMat3::from_mat4(glam::DMat4::from_cols_array(&matrix.to_cols_array().map(f64::from)));
    let rest = axes(Mat4::from(character.rig().model_from_joint(spine)));
    let turn = axes(character.frame().model_matrix(spine)) * rest.inverse();
    let _ = turned;
    let front = character.rig().front().expect("it has a face").as_dvec3();
    let (up, left) = ((turn * DVec3::Y).normalize(), DVec3::Y.cross(front));
    (up.dot(left).atan2(up.y).to_degrees(), up.dot(front).atan2(up.y).to_degrees())
}

/// Goes a way, and tells the tilt after each frame.
fn go(character: &mut Character, rate: u16, seconds: f32, way: Way<'_>) -> Vec<(f64, f64)> {
    let frames = 0..(seconds * f32::from(rate)).round() as u16;
    let frame = |number: u16| {
        let now = way(f32::from(number) / f32::from(rate));
        let around = surroundings(character, now);
        character.update(1.0 / f64::from(rate), &around);
        tilt(character, now.1)
    };
    frames.map(frame).collect()
}

/// A steady curve to the left.
fn curve(speed: f32, turning: f32) -> impl Fn(f32) -> (f32, f32, Vec3) {
    move |time| (speed, turning * time, Quat::from_rotation_y(turning * time) * Vec3::NEG_X * (speed / turning))
}

/// In a steady curve, inwards by the arc tangent of the acceleration over that of gravity, and not further than the limit; nothing to
/// begin with.
#[test]
fn a_steady_curve_is_leaned_into_by_what_balance_asks_for() {
    for character in leaners("body_lean::a_steady_curve_is_leaned_into_by_what_balance_asks_for") {
        for (speed, turning) in [(4.0, 1.0), (4.0, -1.0), (1.5, 0.5), (2.0, -2.0), (6.0, 3.0), (-3.0, 1.0)] {
            let expected = f64::from(speed * turning).atan2(9.81).to_degrees().clamp(-25.0, 25.0);
            for rate in [30, 60, 144] {
                let tilts = go(&mut character.clone(), rate, 3.0, &curve(speed, turning));
                let (left, forward) = tilts[tilts.len() - 1];
                assert!((left - expected).abs() < 0.1, "{speed} m/s, {turning}/s at {rate} Hz: {left}, not {expected}");
                assert!(forward.abs() < 0.1, "{speed} m/s, {turning}/s at {rate} Hz: {forward} forward");
                assert!(tilts[0].0.abs() < 1e-3, "it begins upright");
                let largest = tilts.iter().map(|(left, _)| left.abs()).fold(0.0, f64::max);
                assert!(largest < expected.abs() + 0.3, "it overshoots: {largest}");
            }
        }
    }
}

/// Speeding up leans forward, braking back, and a steady way not at all, also to the side and backwards.
#[test]
fn speeding_up_and_braking() {
    let [character, ..] = &leaners("body_lean::speeding_up_and_braking")[..] else { panic!("our own is there") };
    // A second at 1 m/s2 for a start, then 2 s at 3 m/s, then braking by 2 m/s2.
    let speed = |time: f32| if time < 3.0 { (1.5 * time).min(3.0) } else { (3.0 - 2.0 * (time - 3.0)).max(0.0) };
    let place =
        |time: f32| Vec3::Z * (0..(time * 1000.0) as u32).map(|ms| speed(ms as f32 / 1000.0) / 1000.0).sum::<f32>();
    for rate in [30_u16, 60, 144] {
        let tilts = go(&mut character.clone(), rate, 6.5, &|time| (speed(time), 0.0, place(time)));
        let at = |seconds: f32| tilts[(seconds * f32::from(rate)) as usize];
        let angle = |acceleration: f64| acceleration.atan2(9.81).to_degrees();
        for (seconds, expected) in [(1.6, angle(1.5)), (2.95, 0.0), (4.3, angle(-2.0)), (6.4, 0.0)] {
            let (left, forward) = at(seconds);
            assert!((forward - expected).abs() < 0.3 && left.abs() < 0.01, "{seconds} s at {rate} Hz: {forward}");
        }
    }
    for velocity in [Vec3::X * 3.0, Vec3::NEG_Z * 2.0] {
        let mut character = character.clone();
        for frame in 0..120_u8 {
            let place = velocity * (f32::from(frame) / 60.0);
            let around = Surroundings { velocity, ..Surroundings::at(Affine3A::from_translation(place)) };
            character.update(1.0 / 60.0, &around);
        }
        let (left, forward) = tilt(&character, 0.0);
        assert!(left.abs() < 0.01 && forward.abs() < 0.01, "a steady way asks for nothing");
    }
}

/// Into a curve and out of it, with a start from standing: the way of the lean is the same at every frame rate, and never jumps.
#[test]
fn the_way_of_the_lean_does_not_depend_on_the_frame_rate() {
    for character in leaners("body_lean::the_way_of_the_lean_does_not_depend_on_the_frame_rate") {
        // The heading is the integral of a turn that comes and goes within two seconds.
        let turned = |time: f32| if time < 2.0 { 0.5 * (1.0 - (std::f32::consts::PI * time).cos()) * 1.2 } else { 0.0 };
        let place = |time: f32| Vec3::Z * 3.0 * time;
        let ways = [30_u16, 60, 120, 240].map(|rate| {
            let tilts = go(&mut character.clone(), rate, 4.0, &|time| (3.0, turned(time), place(time)));
            let largest = tilts.windows(2).map(|pair| (pair[1].0 - pair[0].0).abs()).fold(0.0, f64::max);
            assert!(largest * f64::from(rate) < 120.0, "{} degrees a second", largest * f64::from(rate));
            tilts.into_iter().step_by(usize::from(rate) / 10).collect::<Vec<_>>()
        });
        let most = ways[3].iter().map(|(left, _)| left.abs()).fold(0.0, f64::max);
        assert!(most > 8.0, "it leans: {most}");
        for way in &ways {
            for (number, (is, finest)) in way.iter().zip(&ways[3]).enumerate() {
                let apart = (is.0 - finest.0).abs().max((is.1 - finest.1).abs());
                assert!(apart < 0.6, "{apart} degrees apart at {number}/10 s");
            }
        }
    }
}

/// A character that is put elsewhere, turned round in a frame, or left out for a while leans no more than before.
#[test]
fn teleports_do_not_whip_it() {
    let [character, ..] = &leaners("body_lean::teleports_do_not_whip_it")[..] else { panic!("our own is there") };
    type Jump = fn(f32) -> (f32, f32, Vec3);
    let jumps: [Jump; 3] = [
        // Into the middle of a walk, elsewhere.
        |time| if time < 1.0 { (0.0, 0.0, Vec3::ZERO) } else { (6.0, 2.0, Vec3::new(40.0, 0.0, 6.0 * time)) },
        // Out of a run, to stand still elsewhere.
        |time| if time < 1.0 { (6.0, 0.0, Vec3::Z * 6.0 * time) } else { (0.0, 1.0, Vec3::Y * 30.0) },
        // Turned round on the spot.
        |time| if time < 1.0 { (0.0, 0.0, Vec3::ZERO) } else { (0.0, 3.0, Vec3::ZERO) },
    ];
    for (number, way) in jumps.into_iter().enumerate() {
        let tilts = go(&mut character.clone(), 60, 3.0, &way);
        let largest = tilts.iter().map(|(left, forward)| left.abs().max(forward.abs())).fold(0.0, f64::max);
        assert!(largest < 0.01, "jump {number}: {largest} degrees");
    }
    // From a curve to elsewhere: it straightens up at leisure.
    let ends = |time: f32| if time < 2.0 { curve(4.0, 1.0)(time) } else { (0.0, 0.0, Vec3::X * 99.0) };
    let tilts = go(&mut character.clone(), 60, 4.0, &ends);
    let largest = tilts.windows(2).map(|pair| (pair[1].0 - pair[0].0).abs()).fold(0.0, f64::max);
    assert!(largest < 2.5 && tilts[119].0 > 20.0 && tilts[239].0.abs() < 0.1, "{largest} degrees in a frame");
}

/// In the air it straightens up, without weight it does nothing, and what is not a number leaves the pose alone.
#[test]
fn in_the_air_without_weight_and_with_nonsense() {
    let [character, ..] = &leaners("body_lean::in_the_air_without_weight_and_with_nonsense")[..] else {
        panic!("our own is there")
    };
    let mut flying = character.clone();
    go(&mut flying, 60, 2.0, &curve(4.0, 1.0));
    let lean = |character: &mut Character| character.layer_mut::<BodyLean>().expect("the layer").lean();
    assert!(lean(&mut flying).x < -0.35, "to the left");
    for frame in 120..240_u8 {
        let around = surroundings(&flying, curve(4.0, 1.0)(f32::from(frame) / 60.0));
        flying.update(1.0 / 60.0, &Surroundings { is_grounded: false, ..around });
    }
    assert!(lean(&mut flying).length() < 1e-3);

    let mut weightless = character.clone();
    weightless.layer_mut::<BodyLean>().expect("the layer").weight = 0.0;
    assert!(go(&mut weightless, 60, 2.0, &curve(4.0, 1.0)).iter().all(|(left, _)| left.abs() < 1e-4));

    let mut bad = character.clone();
    go(&mut bad, 60, 2.0, &curve(4.0, 1.0));
    for velocity in [Vec3::NAN, Vec3::splat(f32::INFINITY), Vec3::splat(f32::MAX), Vec3::ZERO] {
        bad.update(1.0 / 60.0, &Surroundings { velocity, ..Surroundings::default() });
        assert!(bad.palette().iter().all(Mat4::is_finite) && lean(&mut bad).is_finite(), "{velocity}");
    }
    let mut upright = character.clone();
    let limited = upright.layer_mut::<BodyLean>().expect("the layer");
    (limited.max_side, limited.max_forward) = (-1.0, 0.0);
    go(&mut upright, 60, 2.0, &curve(4.0, 1.0));
    assert_eq!(lean(&mut upright), Vec2::ZERO);
}

/// A model that is mirrored, or faces the other way in its entity, leans into the same curve.
#[test]
fn mirrored_models_lean_inwards_too() {
    let [character, ..] = &leaners("body_lean::mirrored_models_lean_inwards_too")[..] else {
        panic!("our own is there")
    };
    let spine = character.rig().humanoid().require(HumanoidJoint::Spine).expect("a spine");
    for model in [Vec3::ONE, Vec3::new(-1.0, 1.0, 1.0), Vec3::splat(0.01)] {
        let mut character = character.clone();
        let mut up = Vec3::Y;
        for frame in 0..120_u8 {
            let around = surroundings(&character, curve(4.0, 1.0)(f32::from(frame) / 60.0));
            let world_from_model = around.world_from_model * Affine3A::from_scale(model);
            character.update(1.0 / 60.0, &Surroundings { world_from_model, ..around });
            let turn =
                character.frame().model_matrix(spine) * Mat4::from(character.rig().model_from_joint(spine)).inverse();
            up = around
                .world_from_model
                .inverse()
                .transform_vector3(world_from_model.transform_vector3(turn.transform_vector3(Vec3::Y)));
        }
        let expected = DVec3::new(22.2_f64.to_radians().sin(), 22.2_f64.to_radians().cos(), 0.0);
        assert!(degrees_between(up.as_dvec3(), expected) < 0.3, "{model}: {up}");
    }
}
