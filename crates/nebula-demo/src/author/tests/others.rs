use glam::DVec3;

use super::reader::Read;
use crate::author::{robot::robot_file, sword::sword_file};

/// The robot exists to differ: a joint with a child has its own X axis pointing at it.
#[test]
fn the_robots_joints_point_along_x() {
    let read = Read::new(&robot_file().unwrap());
    let joints = read.json["skins"][0]["joints"].as_array().unwrap().len();
    let mut checked = 0;
    for (bone, end) in [
        ("pelvis", "torso"),
        ("torso", "head"),
        ("upper_arm.L", "forearm.L"),
        ("forearm.R", "gripper.R"),
        ("thigh.L", "shin.L"),
        ("shin.R", "foot.R"),
    ] {
        let (bone, end) = (read.node(bone), read.node(end));
        let along = read.inverse_bind(bone).transform_point3(read.inverse_bind(end).inverse().w_axis.truncate());
        assert!(along.normalize().distance(DVec3::X) < 1e-5, "{bone}: {along}");
        checked += 1;
    }
    assert_eq!((joints, checked), (21, 6));
}

#[test]
fn the_robots_feet_stay_on_the_ground() {
    let read = Read::new(&robot_file().unwrap());
    let clip = read.clip("walk");
    let seconds = read.seconds(clip);
    let speed = clip["extras"]["distance"].as_f64().unwrap() / seconds;
    let foot = read.node("foot.L");
    let place = |time: f64| read.placed(clip, time)[foot].w_axis.truncate() + DVec3::Z * speed * time;
    let up = read.marker(clip, "left_up");
    for step in 0..=100 {
        let drift = place(up * f64::from(step) / 100.0).distance(place(0.0));
        assert!(drift < 0.001, "{drift} m");
        let low = read.skinned(clip, seconds * f64::from(step) / 100.0).iter().map(|p| p.y).fold(f64::MAX, f64::min);
        assert!(low.abs() < 0.005, "{low} m");
    }
}

#[test]
fn the_sword_is_held_at_its_origin() {
    let read = Read::new(&sword_file().unwrap());
    let low = read.positions.iter().copied().reduce(DVec3::min).unwrap();
    let high = read.positions.iter().copied().reduce(DVec3::max).unwrap();
    assert!(low.z < -0.08 && high.z > 0.7, "the grip is behind, the blade ahead: {low} to {high}");
    assert!((low.y + high.y).abs() < 1e-6 && (low.x + high.x).abs() < 1e-6, "{low} to {high}");
    let around_the_origin = read.positions.iter().filter(|p| p.z.abs() < 0.04).map(|p| p.truncate().length());
    assert!(around_the_origin.fold(0.0, f64::max) < 0.02, "a hand can close around it");
}
