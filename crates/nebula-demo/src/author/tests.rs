mod anatomy;
mod others;
mod reader;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use glam::{DMat4, DVec3};
use reader::Read;

use super::{assets, humanoid::humanoid_file};

/// The person's file, made and read once for all tests.
fn humanoid() -> &'static Read {
    static HUMANOID: LazyLock<Read> = LazyLock::new(|| Read::new(&humanoid_file().unwrap()));
    &HUMANOID
}

/// The files in the repository are what this program writes. `nebula-demo author FOLDER` makes them anew.
#[test]
fn the_committed_files_are_the_authored_ones() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../nebula-animation/test_assets");
    for (name, bytes) in assets().unwrap() {
        assert!(bytes.len() < 1_000_000, "{name}: {} bytes", bytes.len());
        assert!(std::fs::read(folder.join(name)).unwrap() == bytes, "{name} differs from what the program writes");
    }
}

#[test]
fn the_person_has_the_joints_size_and_triangles_that_were_asked_for() {
    let read = humanoid();
    let joints = read.json["skins"][0]["joints"].as_array().unwrap();
    assert_eq!(joints.len(), 25);
    let in_order = joints.iter().enumerate().all(|(index, joint)| joint.as_u64() == Some(index as u64));
    assert!(in_order, "the skin's joints are the first nodes, parents first");
    let triangles = read.triangles.len();
    assert!((5_000..=15_000).contains(&triangles), "{triangles} triangles");
    let heights = read.positions.iter().map(|p| p.y);
    let (low, high) = (heights.clone().fold(f64::MAX, f64::min), heights.fold(f64::MIN, f64::max));
    assert!(low.abs() < 0.002 && (high - 1.75).abs() < 0.01, "from {low} to {high}");
    assert_eq!(read.json["animations"][0]["name"], "stroll");
    assert_eq!(read.seconds(read.clip("walk")), 1.0);
    assert_eq!(read.seconds(read.clip("stroll")), 2.0);
    let entries = read.json["extensions"]["KHR_animation_clip"]["clips"].as_array().unwrap();
    assert_eq!(entries.len(), read.json["animations"].as_array().unwrap().len());
}

/// Every edge of a closed surface is passed in one direction as often as in the other.
#[test]
fn the_surfaces_are_closed() {
    for (name, bytes) in assets().unwrap() {
        let read = Read::new(&bytes);
        let mut corners = BTreeMap::new();
        // Corners are told apart by their place: a sharp edge has several vertices there.
        let mut corner = |vertex: usize| {
            let next = corners.len();
            *corners.entry(read.positions[vertex].to_array().map(f64::to_bits)).or_insert(next)
        };
        let mut balance = BTreeMap::new();
        for triangle in &read.triangles {
            let [a, b, c] = triangle.map(&mut corner);
            for (from, to) in [(a, b), (b, c), (c, a)].into_iter().filter(|(from, to)| from != to) {
                *balance.entry((from.min(to), from.max(to))).or_insert(0) += if from < to { 1 } else { -1 };
            }
        }
        assert!(balance.values().all(|&sum| sum == 0), "{name}");
    }
}

/// The ball of the foot stays where it is on the ground from the moment the sole is flat until the toes leave, and the
/// ankle until the heel rises.
#[test]
fn planted_joints_go_with_the_ground() {
    let read = humanoid();
    for (name, side) in ["walk", "stroll", "run"].into_iter().flat_map(|name| [(name, "left"), (name, "right")]) {
        let clip = read.clip(name);
        let seconds = read.seconds(clip);
        let speed = clip["extras"]["distance"].as_f64().unwrap() / seconds;
        let prefix = if side == "left" { "Left" } else { "Right" };
        for (joint, until) in [("ToeBase", "up"), ("Foot", "heel_off")] {
            let from = read.marker(clip, &format!("{side}_flat"));
            let length = (read.marker(clip, &format!("{side}_{until}")) - from).rem_euclid(seconds);
            let node = read.node(&format!("{prefix}{joint}"));
            let place = |step: i32| {
                let passed = length * f64::from(step) / 50.0;
                let at = read.placed(clip, (from + passed).rem_euclid(seconds))[node].w_axis.truncate();
                at + DVec3::Z * speed * passed
            };
            let drift = (0..=50).map(|step| place(step).distance(place(0))).fold(0.0, f64::max);
            println!("{name}: {prefix}{joint} drifts by {:.2} mm", drift * 1e3);
            assert!(drift < 0.001, "{name}, {prefix}{joint}: {drift} m");
        }
    }
}

/// A point of a shoe that touches the ground must go with it: its path over the ground, from touching to leaving, stays
/// within 5 mm.
#[test]
fn planted_feet_do_not_slide() {
    let read = humanoid();
    for name in ["walk", "stroll", "run", "idle", "walk_root_motion", "run_root_motion", "turn_left_root_motion"] {
        let clip = read.clip(name);
        let seconds = read.seconds(clip);
        let in_place = clip["extras"]["root_motion"] == false;
        let speed = if in_place { clip["extras"]["distance"].as_f64().unwrap() / seconds } else { 0.0 };
        let steps = (seconds * 240.0).round() as usize;
        let soles = (0..read.positions.len()).filter(|&vertex| read.positions[vertex].y < 0.03).collect::<Vec<_>>();
        let mut touched: BTreeMap<usize, DVec3> = BTreeMap::new();
        let mut drift: f64 = 0.0;
        for step in 0..=steps {
            let time = seconds * step as f64 / steps as f64;
            for (vertex, place) in read.skinned_some(clip, time, soles.iter().copied()).into_iter().enumerate() {
                if place.y > 0.002 {
                    touched.remove(&vertex);
                    continue;
                }
                let on_ground = DVec3::new(place.x, 0.0, place.z + speed * time);
                drift = drift.max(touched.entry(vertex).or_insert(on_ground).distance(on_ground));
            }
        }
        println!("{name}: {:.2} mm of drift", drift * 1e3);
        assert!(drift < 0.005, "{name}: {drift} m");
    }
}

#[test]
fn the_lowest_point_stays_at_the_ground() {
    let read = humanoid();
    for (name, highest) in
        [("walk", 0.01), ("stroll", 0.01), ("run", 0.01), ("idle", 0.01), ("turn_left", 0.01), ("jump", 1.0)]
    {
        let clip = read.clip(name);
        let seconds = read.seconds(clip);
        let lows = (0..=120).map(|step| {
            let places = read.skinned(clip, seconds * f64::from(step) / 120.0);
            places.iter().map(|p| p.y).fold(f64::MAX, f64::min)
        });
        let (low, high) = lows.fold((f64::MAX, f64::MIN), |(low, high), y| (low.min(y), high.max(y)));
        println!("{name}: the lowest point lies between {:.1} and {:.1} mm", low * 1e3, high * 1e3);
        assert!(low > -0.01 && high < highest, "{name}: {low} to {high}");
    }
}

/// The seam of a loop: equal poses against the root, and velocities that differ by less than 5 % of the joint's highest
/// speed, measured over a millisecond on either side. Clips that are not meant to loop end as they began all the same.
#[test]
fn loops_close_in_value_and_velocity() {
    const MOMENT: f64 = 1e-3;
    let read = humanoid();
    let joints = read.json["skins"][0]["joints"].as_array().unwrap().len();
    for clip in read.json["animations"].as_array().unwrap() {
        let name = &clip["name"];
        let seconds = read.seconds(clip);
        // Each joint's place and a point 10 cm out on each of its axes, in the frame of the root.
        let probes = |time: f64| -> Vec<DVec3> {
            let placed = read.placed(clip, time);
            let from_model = placed[0].inverse();
            let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|axis| axis * 0.1);
            let at = |joint: &DMat4| points.map(|point| (from_model * *joint).transform_point3(point));
            placed.iter().take(joints).flat_map(at).collect()
        };
        let speeds = |from: f64, to: f64| -> Vec<DVec3> {
            probes(from).iter().zip(probes(to)).map(|(a, b)| (b - *a) / (to - from)).collect()
        };
        let gap = probes(0.0).iter().zip(probes(seconds)).map(|(a, b)| a.distance(b)).fold(0.0, f64::max);
        assert!(gap < 1e-5, "{name}: the ends lie {gap} m apart");
        let mut top = vec![1e-3_f64; probes(0.0).len()];
        for step in 0..60 {
            let time = seconds * f64::from(step) / 60.0;
            for (top, speed) in top.iter_mut().zip(speeds(time, time + MOMENT)) {
                *top = top.max(speed.length());
            }
        }
        let (leaving, arriving) = (speeds(0.0, MOMENT), speeds(seconds - MOMENT, seconds));
        let shares = (0..top.len()).map(|probe| leaving[probe].distance(arriving[probe]) / top[probe]);
        let worst = shares.fold(0.0, f64::max);
        println!("{name}: velocity differs by {:.1} % at the seam", worst * 100.0);
        assert!(worst < 0.05, "{name}: {worst}");
    }
}
