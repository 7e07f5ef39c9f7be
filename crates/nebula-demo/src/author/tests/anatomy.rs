use glam::{DQuat, DVec3, dvec3};

use super::humanoid;
use crate::author::field::{ellipsoid, round_cone};

const CLIPS: [&str; 7] = ["walk", "stroll", "idle", "run", "jump", "turn_left", "jump_root_motion"];
const FRAMES: usize = 60;

/// In degrees against the rest pose; knees bend backwards and elbows forwards.
#[test]
fn knees_and_elbows_bend_the_right_way_only() {
    let read = humanoid();
    for name in CLIPS.into_iter().chain(["wave"]) {
        let clip = read.clip(name);
        let mut range = [(f64::MAX, f64::MIN); 2];
        for frame in 0..FRAMES {
            let placed = read.placed(clip, read.seconds(clip) * frame as f64 / FRAMES as f64);
            for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
                let bend = |upper: &str, lower: &str, end: &str, hinge: DVec3| {
                    let [upper, lower, end] =
                        [upper, lower, end].map(|part| placed[read.node(&format!("{side}{part}"))]);
                    let bone = upper.inverse().transform_vector3(end.w_axis.truncate() - lower.w_axis.truncate());
                    let rest =
                        if hinge == DVec3::X { dvec3(0.0, -0.415, -0.025) } else { dvec3(0.245 * sign, 0.0, 0.01) };
                    let turned = rest.cross(bone).dot(hinge);
                    turned.atan2(rest.dot(bone)).to_degrees()
                };
                let knee = bend("UpLeg", "Leg", "Foot", DVec3::X);
                let elbow = bend("Arm", "ForeArm", "Hand", dvec3(0.0, -sign, 0.0));
                for (range, angle) in range.iter_mut().zip([knee, elbow]) {
                    *range = (range.0.min(angle), range.1.max(angle));
                }
            }
        }
        println!(
            "{name}: knees {:.0} to {:.0} degrees, elbows {:.0} to {:.0}",
            range[0].0, range[0].1, range[1].0, range[1].1
        );
        assert!(range.iter().all(|(low, high)| *low > -4.0 && *high < 130.0), "{name}: {range:?}");
    }
}

type Solid = fn(DVec3) -> f64;

/// Solids a little inside the body's surface, each carried by one joint.
const CORE: [(&str, Solid); 7] = [
    ("Spine2", |p| ellipsoid(p, dvec3(0.0, 1.28, 0.0), dvec3(0.16, 0.15, 0.105))),
    ("Spine", |p| ellipsoid(p, dvec3(0.0, 1.08, 0.0), dvec3(0.135, 0.14, 0.095))),
    ("Hips", |p| ellipsoid(p, dvec3(0.0, 0.94, -0.005), dvec3(0.15, 0.1, 0.105))),
    ("LeftUpLeg", |p| round_cone(p, dvec3(0.092, 0.85, 0.0), dvec3(0.092, 0.52, 0.01), 0.075, 0.055)),
    ("RightUpLeg", |p| round_cone(p, dvec3(-0.092, 0.85, 0.0), dvec3(-0.092, 0.52, 0.01), 0.075, 0.055)),
    ("LeftLeg", |p| round_cone(p, dvec3(0.092, 0.46, 0.005), dvec3(0.092, 0.13, -0.012), 0.055, 0.045)),
    ("RightLeg", |p| round_cone(p, dvec3(-0.092, 0.46, 0.005), dvec3(-0.092, 0.13, -0.012), 0.055, 0.045)),
];

/// Hands and forearms stay out of trunk and legs, and each foot and shin out of the other leg.
#[test]
fn no_limb_passes_through_the_body() {
    let read = humanoid();
    let carrier = |vertex: usize| {
        let slot = (0..4).max_by(|&a, &b| read.weights[vertex][a].total_cmp(&read.weights[vertex][b])).unwrap();
        read.json["nodes"][read.joints[vertex][slot]]["name"].as_str().unwrap().to_owned()
    };
    let carriers = (0..read.positions.len()).map(carrier).collect::<Vec<_>>();
    for name in CLIPS {
        let clip = read.clip(name);
        let mut worst = (f64::MAX, String::new());
        for frame in 0..FRAMES {
            let time = read.seconds(clip) * frame as f64 / FRAMES as f64;
            let (placed, bodies) = (read.placed(clip, time), read.skinned(clip, time));
            for (joint, solid) in CORE {
                let node = read.node(joint);
                let into_rest = (placed[node] * read.inverse_bind(node)).inverse();
                for (vertex, place) in bodies.iter().enumerate() {
                    let part = carriers[vertex].as_str();
                    let is_arm = ["ForeArm", "Hand", "Fingers"].iter().any(|end| part.ends_with(end));
                    let is_leg =
                        ["Leg", "Foot", "ToeBase"].iter().any(|end| part.ends_with(end)) && !part.ends_with("UpLeg");
                    let other_side = joint.starts_with("Left") != part.starts_with("Left");
                    if is_arm || (is_leg && other_side && joint.ends_with("Leg")) {
                        let depth = solid(into_rest.transform_point3(*place));
                        if depth < worst.0 {
                            worst = (depth, format!("{part} in {joint} at {time:.2} s"));
                        }
                    }
                }
            }
        }
        println!("{name}: the closest approach to the core is {:.0} mm, {}", worst.0 * 1e3, worst.1);
        assert!(worst.0 > 0.0, "{name}: {worst:?}");
    }
}

/// With plain linear skinning a ring of vertices in the middle of a bend of 120 degrees keeps half of its distance from
/// the joint, whatever the weights; the grid is laid so that no ring is quite there.
#[test]
fn bent_elbows_and_knees_keep_their_volume() {
    let read = humanoid();
    for (upper, lower, hinge) in [("LeftArm", "LeftForeArm", DVec3::NEG_Y), ("LeftUpLeg", "LeftLeg", DVec3::X)] {
        let (upper, lower) = (read.node(upper), read.node(lower));
        let joint = -read.inverse_bind(lower).w_axis.truncate();
        let bend = DQuat::from_axis_angle(hinge, 120_f64.to_radians());
        let mut least: f64 = 1.0;
        for (vertex, &rest) in read.positions.iter().enumerate() {
            let share = |wanted: usize| -> f64 {
                (0..4).filter(|&slot| read.joints[vertex][slot] == wanted).map(|slot| read.weights[vertex][slot]).sum()
            };
            let (above, below) = (share(upper), share(lower));
            if above > 0.0 && below > 0.0 && above + below > 0.999 {
                let bent = joint + (rest - joint) * above + bend * (rest - joint) * below;
                least = least.min(bent.distance(joint) / rest.distance(joint));
            }
        }
        println!("joint {lower}: {:.0} % of the distance from the joint is left", least * 100.0);
        assert!(least > 0.5, "joint {lower}: {least}");
    }
}

/// The pelvis of a walk rises and falls twice a stride by about four centimetres and sways, and the chest turns against it by ten degrees.
#[test]
fn the_walk_moves_pelvis_and_torso() {
    let read = humanoid();
    let clip = read.clip("walk");
    let (hips, chest) = (read.node("Hips"), read.node("Spine2"));
    let samples = 200;
    let at = |sample: usize| read.placed(clip, read.seconds(clip) * sample as f64 / samples as f64);
    let placed: Vec<_> = (0..samples).map(|sample| (at(sample)[hips], at(sample)[chest])).collect();
    let heights: Vec<f64> = placed.iter().map(|(hips, _)| hips.w_axis.y).collect();
    let range = |values: &[f64]| {
        values.iter().copied().fold(f64::MIN, f64::max) - values.iter().copied().fold(f64::MAX, f64::min)
    };
    assert!((0.035..0.05).contains(&range(&heights)), "{}", range(&heights));
    let is_peak = |sample: &usize| {
        let [before, here, after] = [sample + samples - 1, *sample, sample + 1].map(|sample| heights[sample % samples]);
        here > before && here >= after
    };
    assert_eq!((0..samples).filter(is_peak).count(), 2, "twice a stride");
    let sways: Vec<f64> = placed.iter().map(|(hips, _)| hips.w_axis.x).collect();
    assert!((0.03..0.06).contains(&range(&sways)), "{}", range(&sways));
    let turn = |m: &glam::DMat4| m.z_axis.x.atan2(m.z_axis.z).to_degrees();
    let hips: Vec<f64> = placed.iter().map(|(hips, _)| turn(hips)).collect();
    let chest: Vec<f64> = placed.iter().map(|(_, chest)| turn(chest)).collect();
    assert!((8.0..16.0).contains(&range(&hips)), "{}", range(&hips));
    assert!((17.0..24.0).contains(&range(&chest)), "ten degrees to either side: {}", range(&chest));
    let against = hips.iter().zip(&chest).map(|(hips, chest)| hips * chest).sum::<f64>();
    assert!(against < 0.0, "against each other");
}
