//! What happens to an entity besides walking straight on.

use glam::{DVec3, Vec3};
use nebula_animation::frame::ShownClip;
use nebula_animation::{FootPlacement, GroundPoint, ProceduralAnimationStack};

use super::walker::{Frames, Humanoid, Terrain, ground, shown, stands};

const HILLS: Terrain = |x, z| 0.25 * (1.2 * z).sin() + 0.2 * (0.9 * x).sin();
const SLOPE: Terrain = |_, z| 0.363_970 * z;
const DT: f32 = 1.0 / 60.0;

fn frames(humanoid: &Humanoid, terrain: Terrain) -> Frames<'_> {
    let mut stack = ProceduralAnimationStack::default();
    stack.push(FootPlacement::new(humanoid.feet.clone()));
    Frames::new(humanoid, stack, ground(terrain))
}

/// A place of the map on the terrain.
fn on(terrain: Terrain, x: f32, z: f32) -> Vec3 {
    Vec3::new(x, terrain(f64::from(x), f64::from(z)) as f32, z)
}

/// The lowest height of a sole above the ground.
fn clearance(sole: &[DVec3], terrain: Terrain) -> f64 {
    sole.iter().map(|place| place.y - terrain(place.x, place.z)).fold(f64::INFINITY, f64::min)
}

/// How far the soles moved at most.
fn moved(from: &[DVec3], to: &[DVec3]) -> f64 {
    from.iter().zip(to).map(|(from, to)| from.distance(*to)).fold(0.0, f64::max)
}

fn only(clip: usize, time: f32) -> [ShownClip; 1] {
    [ShownClip::alone(clip, time)]
}

/// Walks for a while at the clip's speed; the place and time that were reached.
fn walk(frames: &mut Frames<'_>, humanoid: &Humanoid, terrain: Terrain, seconds: f32) -> (Vec3, f32) {
    let clip = humanoid.clip("stroll");
    let (mut time, mut place) = (0.0, on(terrain, 0.0, 0.0));
    for _ in 0..(seconds / DT) as usize {
        time += DT;
        place = on(terrain, 0.0, 0.6 * time);
        frames.frame(DT, &only(clip, time % 2.0), place, 0.0, true);
    }
    (place, time)
}

#[test]
fn a_pause_changes_nothing() {
    let humanoid = Humanoid::load();
    let mut frames = frames(&humanoid, HILLS);
    let (place, time) = walk(&mut frames, &humanoid, HILLS, 2.7);
    let shown = only(humanoid.clip("stroll"), time % 2.0);
    frames.frame(0.0, &shown, place, 0.0, true);
    let before = frames.soles();
    for _ in 0..100 {
        frames.frame(0.0, &shown, place, 0.0, true);
    }
    let after = frames.soles();
    assert!(moved(&before[0], &after[0]).max(moved(&before[1], &after[1])) < 1e-5);
}

/// Standing with the clip at rest: nothing creeps, and both soles are on the slope; the head is upright.
#[test]
fn standing_on_a_slope_is_level_headed() {
    let humanoid = Humanoid::load();
    let idle = humanoid.clip("idle");
    let head = usize::from(humanoid.skeleton.joint_by_name("Head").expect("a head"));
    for heading in [0.0, 1.0, 1.5, 3.1, -2.0] {
        let mut frames = frames(&humanoid, SLOPE);
        let mut first: Option<[Vec<DVec3>; 2]> = None;
        for step in 0..360 {
            frames.frame(DT, &only(idle, step as f32 * DT % 6.0), on(SLOPE, 0.0, 0.0), heading, true);
            let soles = frames.soles();
            for sole in &soles {
                let clearance = clearance(sole, SLOPE);
                assert!(clearance.abs() < 0.003, "heading {heading}: {clearance}");
                // The whole sole, not an edge of it.
                let highest = sole.iter().map(|place| place.y - SLOPE(place.x, place.z)).fold(0.0, f64::max);
                assert!(highest < 0.015, "heading {heading}: {highest}");
            }
            let first = first.get_or_insert_with(|| soles.clone());
            assert!(moved(&first[0], &soles[0]).max(moved(&first[1], &soles[1])) < 0.005, "nothing creeps");
            // Against the clip on level ground: the head is turned by nothing.
            let tipped = |pose: &[nebula_animation::JointPose]| {
                let m = humanoid.models(pose)[head];
                DVec3::new(m[4], m[5], m[6]).angle_between(DVec3::Y).to_degrees()
            };
            assert!(tipped(&frames.pose) < 5.0, "upright: {}", tipped(&frames.pose));
        }
    }
}

/// The entity is elsewhere from one frame to the next: no foot stays behind, and none is dragged along.
#[test]
fn a_teleport_lets_go_at_once() {
    let humanoid = Humanoid::load();
    let mut frames = frames(&humanoid, HILLS);
    let (_, time) = walk(&mut frames, &humanoid, HILLS, 2.7);
    let far = on(HILLS, 40.0, -17.0);
    frames.frame(DT, &only(humanoid.clip("stroll"), time % 2.0), far, 0.0, true);
    for (side, sole) in frames.soles().iter().enumerate() {
        assert!(sole.iter().all(|place| place.distance(far.as_dvec3()) < 1.0), "the foot came along");
        if stands("stroll", side, f64::from(time % 2.0)) {
            let clearance = clearance(sole, HILLS);
            assert!(clearance.abs() < 0.01, "and is on the ground there: {clearance}");
        }
    }
}

/// A character that turns on the spot while its clip stands still: the feet stay, then let go and follow.
#[test]
fn turning_on_the_spot_keeps_the_feet_for_a_while() {
    let humanoid = Humanoid::load();
    let idle = humanoid.clip("idle");
    let mut frames = frames(&humanoid, SLOPE);
    let place = on(SLOPE, 0.0, 0.0);
    frames.frame(DT, &only(idle, 0.0), place, 0.0, true);
    let first = frames.soles();
    let mut before = first.clone();
    for step in 1..=240 {
        let angle = 3.0 * (step as f32 / 240.0);
        frames.frame(DT, &only(idle, 0.0), place, angle, true);
        let soles = frames.soles();
        for side in 0..2 {
            if angle < 0.5 {
                assert!(moved(&first[side], &soles[side]) < 0.003, "locked at {angle}");
            }
            // 0.03 m a frame are 1.8 m/s: as fast as feet move in a walk.
            assert!(moved(&before[side], &soles[side]) < 0.03, "no jump at {angle}");
        }
        before = soles;
    }
    for side in 0..2 {
        assert!(moved(&first[side], &before[side]) > 0.1, "they did follow");
    }
}

/// Backwards, and at other speeds of time: the same contacts, and no slide.
#[test]
fn reversed_playback_and_time_scale_hold() {
    let humanoid = Humanoid::load();
    let walk = humanoid.clip("stroll");
    for scale in [-1.0_f32, 0.5, -2.0, 1.7] {
        let mut frames = frames(&humanoid, SLOPE);
        let mut landed: [Option<Vec<DVec3>>; 2] = [None, None];
        for step in 0..400 {
            let time = step as f32 * DT * scale;
            let shown = time.rem_euclid(2.0);
            frames.frame(DT, &only(walk, shown), on(SLOPE, 0.0, 0.6 * time), 0.0, true);
            let soles = frames.soles();
            for side in 0..2 {
                // While the sole is flat: after landing, before the heel rises.
                let flat = match side {
                    0 => shown > 1.55,
                    _ => (0.55..1.0).contains(&shown),
                };
                if flat {
                    let landed = landed[side].get_or_insert_with(|| soles[side].clone());
                    let slid = moved(landed, &soles[side]);
                    assert!(slid < 0.005, "time scale {scale}, at {shown}: {slid}");
                    assert!(clearance(&soles[side], SLOPE).abs() < 0.01);
                } else {
                    landed[side] = None;
                }
            }
        }
    }
}

/// From a walk to standing in a cross-fade: feet that stand stay, and nothing jumps.
#[test]
fn a_cross_fade_to_a_stop_is_smooth() {
    let humanoid = Humanoid::load();
    let (walking, idle) = (humanoid.clip("stroll"), humanoid.clip("idle"));
    for stop in [2.0_f32, 2.3, 2.6, 2.9, 3.3] {
        let mut frames = frames(&humanoid, HILLS);
        let (mut place, mut time) = walk(&mut frames, &humanoid, HILLS, stop);
        let mut before = frames.soles();
        let mut way = place.z;
        for step in 1..240 {
            let fade = (step as f32 * DT / 0.4).min(1.0);
            time += DT;
            way += 0.6 * DT * (1.0 - fade);
            place = on(HILLS, 0.0, way);
            let clips = [shown(walking, time % 2.0, 1.0 - fade), shown(idle, time % 6.0, fade)];
            frames.frame(DT, &clips, place, 0.0, true);
            let soles = frames.soles();
            for side in 0..2 {
                let moved = moved(&before[side], &soles[side]);
                // 3 m/s: the fade moves feet by itself, a jump would be far more.
                assert!(moved < 0.052, "stop {stop}, step {step}: {moved}");
                if step > 120 {
                    assert!(clearance(&soles[side], HILLS).abs() < 0.01, "on the ground in the end");
                    assert!(moved < 1e-3, "at rest in the end: {moved}");
                }
            }
            before = soles;
        }
    }
}

/// A jump of the entity itself, with both feet off the ground in the clip: in the air the pose is the clip's.
#[test]
fn in_the_air_the_clip_has_its_way() {
    let humanoid = Humanoid::load();
    let jump = humanoid.clip("jump");
    let mut frames = frames(&humanoid, SLOPE);
    let ground = on(SLOPE, 0.0, 0.0);
    let mut clip_pose = humanoid.skeleton.bind_pose();
    for step in 0..130 {
        let time = step as f32 * DT;
        let air = (time - 0.5) / 0.46;
        let height = if (0.0..1.0).contains(&air) { 4.0 * 1.2 * air * (1.0 - air) } else { 0.0 };
        let shown = time.min(1.6);
        frames.frame(DT, &only(jump, shown), ground + Vec3::Y * height, 0.0, true);
        nebula_animation::sample_pose(&humanoid.clips[jump], &humanoid.skeleton, shown, &mut clip_pose);
        let soles = frames.soles();
        if (0.45..0.6).contains(&air) {
            for (bent, clip) in frames.pose.iter().zip(&clip_pose) {
                assert!(bent.1.angle_between(clip.1) < 0.02 && bent.0.distance(clip.0) < 0.005, "at {time}");
            }
        }
        if !(0.4..=1.5).contains(&time) {
            assert!(soles.iter().all(|sole| clearance(sole, SLOPE).abs() < 0.01), "back on the ground at {time}");
        }
    }
}

/// Over the edge of a cliff there is nothing to stand on: the foot goes on as in the clip, without a jump.
#[test]
fn without_ground_a_foot_is_let_go() {
    let humanoid = Humanoid::load();
    let walking = humanoid.clip("stroll");
    let cliff = |place: Vec3| (place.z < 1.5).then(|| GroundPoint::new(0.1 * place.z, Vec3::new(0.0, 1.0, -0.1)));
    let mut stack = ProceduralAnimationStack::default();
    stack.push(FootPlacement::new(humanoid.feet.clone()));
    let mut frames = Frames::new(&humanoid, stack, cliff);
    let mut before: Option<[Vec<DVec3>; 2]> = None;
    for step in 0..400 {
        let time = step as f32 * DT;
        let z = 0.6 * time;
        frames.frame(DT, &only(walking, time % 2.0), Vec3::new(0.0, 0.1 * z.min(1.5), z), 0.0, true);
        let soles = frames.soles();
        if let Some(before) = before {
            for side in 0..2 {
                assert!(moved(&before[side], &soles[side]) < 0.06, "no jump at {time}");
            }
        }
        before = Some(soles);
    }
    let mut clip_pose = humanoid.skeleton.bind_pose();
    nebula_animation::sample_pose(&humanoid.clips[walking], &humanoid.skeleton, (399.0 * DT) % 2.0, &mut clip_pose);
    for (bent, clip) in frames.pose.iter().zip(&clip_pose) {
        assert!(bent.1.angle_between(clip.1) < 0.01 && bent.0.distance(clip.0) < 0.005, "the clip alone");
    }
}
