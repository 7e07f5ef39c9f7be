//! Ground that moves, and characters that leave it.

use std::cell::Cell;

use glam::{DVec3, Quat, Vec3};
use nebula_animation::frame::ShownClip;
use nebula_animation::{FootPlacement, GroundPoint, ProceduralAnimationStack};

use super::walker::{Frames, Humanoid, stands};

fn stack(humanoid: &Humanoid) -> ProceduralAnimationStack {
    let mut stack = ProceduralAnimationStack::default();
    stack.push(FootPlacement::new(humanoid.feet.clone()));
    stack
}

/// Where a platform is, and how it moves.
type Ride = fn(f32) -> (Vec3, Vec3);

/// Up and down, straight on at one speed, both, and from side to side.
const RIDES: [(&str, Ride); 5] = [
    ("up", |t| (Vec3::Y * 0.8 * t, Vec3::Y * 0.8)),
    ("up and down", |t| (Vec3::Y * 0.5 * (1.7 * t).sin(), Vec3::Y * 0.85 * (1.7 * t).cos())),
    ("along", |t| (Vec3::new(1.5, 0.0, -0.7) * t, Vec3::new(1.5, 0.0, -0.7))),
    ("aslant", |t| (Vec3::new(1.0, 0.6, 0.5) * t, Vec3::new(1.0, 0.6, 0.5))),
    ("to and fro", |t| (Vec3::X * 0.3 * (1.5 * t).sin(), Vec3::X * 0.45 * (1.5 * t).cos())),
];

/// A sole that stands is 5 mm from its place on the platform at most, whether the character stands there or walks on it.
#[test]
fn a_planted_foot_rides_along() {
    let humanoid = Humanoid::load();
    for (title, ride) in RIDES {
        for (name, speed, cycle) in [("idle", 0.0, 6.0), ("stroll", 0.6, 2.0)] {
            for hertz in [30.0, 60.0, 144.0] {
                let platform = Cell::new(ride(0.0));
                let ground = |_: Vec3| {
                    let (place, velocity) = platform.get();
                    Some(GroundPoint::level(place.y).moving(velocity))
                };
                let mut frames = Frames::new(&humanoid, stack(&humanoid), ground);
                let clip = humanoid.clip(name);
                let mut landed: [Option<Vec<DVec3>>; 2] = [None, None];
                let (mut off, mut slid, mut measured) = (0.0_f64, 0.0_f64, 0);
                for frame in 0..(6.0 * hertz) as u16 {
                    let time = f32::from(frame) / hertz;
                    platform.set(ride(time));
                    let (place, _) = platform.get();
                    let shown = time % cycle;
                    let own = Vec3::Z * (speed * time);
                    frames.frame(1.0 / hertz, &[ShownClip::alone(clip, shown)], place + own, 0.0, true);
                    for (side, sole) in frames.soles().into_iter().enumerate() {
                        // On the platform, and while it is flat: after landing, before the heel rises.
                        let sole: Vec<DVec3> = sole.into_iter().map(|vertex| vertex - place.as_dvec3()).collect();
                        let is_flat = match (name, side) {
                            ("stroll", 0) => shown > 1.55,
                            ("stroll", _) => (0.55..1.0).contains(&shown),
                            _ => true,
                        };
                        assert!(!is_flat || stands(name, side, f64::from(shown)));
                        if !is_flat {
                            landed[side] = None;
                            continue;
                        }
                        let lowest = sole.iter().map(|vertex| vertex.y).fold(f64::INFINITY, f64::min);
                        off = off.max(lowest.abs());
                        let landed = landed[side].get_or_insert_with(|| sole.clone());
                        let moved = landed.iter().zip(&sole).map(|(from, to)| from.distance(*to));
                        slid = moved.fold(slid, f64::max);
                        measured += 1;
                    }
                }
                println!("{name} {title} at {hertz} Hz: {:.1} mm off, slides {:.1} mm", off * 1e3, slid * 1e3);
                assert!(measured > 60, "{measured}");
                assert!(off < 0.005 && slid < 0.005, "{name} {title} at {hertz} Hz: {off} off, slides {slid}");
            }
        }
    }
}

/// Whoever walks on a fast lift moves as on still ground, also when it stops: the entity rises by more in a frame than on a stair.
#[test]
fn a_fast_lift_takes_the_body_along() {
    let humanoid = Humanoid::load();
    let walk = humanoid.clip("walk");
    for hertz in [30.0, 60.0, 144.0] {
        let lift = Cell::new(0.0_f32);
        let velocity = Cell::new(Vec3::ZERO);
        let moving = |_: Vec3| Some(GroundPoint::level(lift.get()).moving(velocity.get()));
        let mut riding = Frames::new(&humanoid, stack(&humanoid), moving);
        let mut standing = Frames::new(&humanoid, stack(&humanoid), |_: Vec3| Some(GroundPoint::level(0.0)));
        for frame in 0..(4.0 * hertz) as u16 {
            let time = f32::from(frame) / hertz;
            lift.set(3.0 * time.min(2.0));
            velocity.set(if time <= 2.0 { Vec3::Y * 3.0 } else { Vec3::ZERO });
            let own = Vec3::Z * (1.4 * time);
            let shown = [ShownClip::alone(walk, time % 1.0)];
            riding.frame(1.0 / hertz, &shown, own + Vec3::Y * lift.get(), 0.0, true);
            standing.frame(1.0 / hertz, &shown, own, 0.0, true);
            for (joint, (on_lift, on_ground)) in riding.pose.iter().zip(&standing.pose).enumerate() {
                let off = on_lift.0.distance(on_ground.0);
                assert!(off < 2e-3, "{hertz} Hz, {time} s, joint {joint}: {off}");
                let turned = on_lift.1.angle_between(on_ground.1);
                assert!(turned < 0.02, "{hertz} Hz, {time} s, joint {joint}: {turned} radians");
            }
        }
    }
}

/// A platform that did not say how it moves would drag its passengers' feet behind: the first test can fail.
#[test]
fn a_platform_that_keeps_its_speed_to_itself_is_slid_over() {
    let humanoid = Humanoid::load();
    let mut frames = Frames::new(&humanoid, stack(&humanoid), |_: Vec3| Some(GroundPoint::level(0.0)));
    let idle = humanoid.clip("idle");
    let mut slid = 0.0_f64;
    let mut first: Option<Vec<DVec3>> = None;
    for frame in 0..60_u16 {
        let place = Vec3::X * (0.5 * f32::from(frame) / 60.0);
        frames.frame(1.0 / 60.0, &[ShownClip::alone(idle, 0.0)], place, 0.0, true);
        let [sole, _] = frames.soles();
        let sole: Vec<DVec3> = sole.into_iter().map(|vertex| vertex - place.as_dvec3()).collect();
        let first = first.get_or_insert_with(|| sole.clone());
        slid = slid.max(first[0].distance(sole[0]));
    }
    assert!(slid > 0.1, "{slid}");
}

/// In a jump, as the game's controller tells it, the clip has its way, although that has its feet on the ground; back on it, the feet
/// stand where they land, and nothing jumps on the way.
#[test]
fn feet_let_go_while_the_character_is_not_grounded() {
    let humanoid = Humanoid::load();
    let slope = |place: Vec3| Some(GroundPoint::new(0.3 * place.z, Vec3::new(0.0, 1.0, -0.3)));
    let mut frames = Frames::new(&humanoid, stack(&humanoid), slope);
    let idle = humanoid.clip("idle");
    let mut clip_pose = humanoid.skeleton.bind_pose();
    let mut before: Option<[Vec<DVec3>; 2]> = None;
    for frame in 0..240_u16 {
        let time = f32::from(frame) / 60.0;
        // A second in the air, half a metre up and a metre on.
        let air = (time - 1.0).clamp(0.0, 1.0);
        frames.is_grounded = !(60..120).contains(&frame);
        let place = Vec3::new(0.0, 0.3 * air + 4.0 * 0.5 * air * (1.0 - air), air);
        frames.frame(1.0 / 60.0, &[ShownClip::alone(idle, time % 6.0)], place, 0.0, true);
        nebula_animation::sample_pose(&humanoid.clips[idle], &humanoid.skeleton, time % 6.0, &mut clip_pose);
        let away = |(bent, clip): (&nebula_animation::JointPose, &nebula_animation::JointPose)| {
            bent.1.angle_between(clip.1).max(bent.0.distance(clip.0))
        };
        let bent = frames.pose.iter().zip(&clip_pose).map(away).fold(0.0, f32::max);
        let soles = frames.soles();
        let lowest = soles
            .each_ref()
            .map(|sole| sole.iter().map(|vertex| vertex.y - 0.3 * vertex.z).fold(f64::INFINITY, f64::min));
        match frame {
            10..60 => assert!(bent > 0.05 && lowest.iter().all(|low| low.abs() < 0.005), "{frame}: {bent}, {lowest:?}"),
            75..120 => assert!(bent < 0.01, "the clip alone in frame {frame}: {bent}"),
            140.. => assert!(bent > 0.05 && lowest.iter().all(|low| low.abs() < 0.005), "{frame}: {bent}, {lowest:?}"),
            _ => {}
        }
        if let Some(before) = before.replace(soles.clone()) {
            let moved = before.iter().flatten().zip(soles.iter().flatten()).map(|(from, to)| from.distance(*to));
            // It jumps off at 2.3 m/s.
            assert!(moved.fold(0.0, f64::max) < 0.06, "no jump in frame {frame}");
        }
    }
}

/// On a turntable, feet stay where they are on it and turn along.
#[test]
fn feet_ride_on_a_turntable() {
    let humanoid = Humanoid::load();
    let idle = humanoid.clip("idle");
    for spin in [0.5_f32, -1.0] {
        for hertz in [30.0, 60.0, 144.0] {
            let ground = |place: Vec3| Some(GroundPoint::level(0.0).turning(spin, Vec3::ZERO, place));
            let mut frames = Frames::new(&humanoid, stack(&humanoid), ground);
            let mut start: Option<[Vec<DVec3>; 2]> = None;
            let mut off = 0.0_f64;
            for frame in 0..(4.0 * hertz) as u16 {
                let time = f32::from(frame) / hertz;
                let turn = Quat::from_rotation_y(spin * time);
                let place = turn * Vec3::X;
                frames.frame(1.0 / hertz, &[ShownClip::alone(idle, time % 6.0)], place, spin * time, true);
                let back = turn.inverse().as_dquat();
                let soles = frames.soles().map(|sole| sole.into_iter().map(|vertex| back * vertex).collect::<Vec<_>>());
                let start = start.get_or_insert_with(|| soles.clone());
                for (now, then) in soles.iter().flatten().zip(start.iter().flatten()) {
                    off = off.max(now.distance(*then));
                }
            }
            assert!(off < 0.01, "{spin} rad/s at {hertz} Hz: {off} m off");
        }
    }
}
