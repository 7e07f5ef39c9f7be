//! Limbs: inverse kinematics, springs, feet.

use glam::Vec3;
use nebula_animation::procedural::feet::FootSettings;
use nebula_animation::procedural::ik::{ChainSettings, TwoBoneLimb, TwoBoneLimits, solve_chain, solve_two_bone};
use nebula_animation::{
    AnimationClipLibrary, FootPlacement, GroundPoint, GroundQuery, LibraryOptions, Marker, Rig, Skeleton, Surroundings,
    compile::ContactTrack,
    frame::ShownClip,
    procedural::{
        ik::{ChainIk, TwoBoneIk},
        springs::{SpringChain, SpringCollider, SpringSettings},
    },
    rig::{FeetRig, LegJoints},
};

use super::Table;
use super::fixtures::{INDICES, JOINTS, chain, clips, numbers, skeletons, slide, times, vectors};
use super::procedural::{bends, bends_in};

pub fn rows(table: &mut Table) {
    inverse_kinematics(table);
    springs(table);
    feet(table);
}

fn inverse_kinematics(table: &mut Table) {
    table.row("TwoBoneIk::new", || {
        let rig = Rig::new(chain(3));
        for target in vectors() {
            bends(TwoBoneIk::new(&rig, [0, 1, 2], target));
        }
        for joint in JOINTS {
            bends(TwoBoneIk::new(&rig, [joint, joint, joint], Vec3::X));
            bends(TwoBoneIk::new(&rig, [2, 1, joint], Vec3::X));
        }
        bends(TwoBoneIk::new(&Rig::new(Skeleton::default()), [0, 1, 2], Vec3::X));
    });
    table.row("solve_two_bone", || {
        let good = TwoBoneLimb { start: Vec3::Y, middle: Vec3::new(0.0, 0.5, 0.1), end: Vec3::ZERO, hinge: Vec3::X };
        let finite = |limb: &TwoBoneLimb, target: Vec3, pole: Option<Vec3>, limits: &TwoBoneLimits| {
            if let Some(bent) = solve_two_bone(limb, target, pole, limits) {
                assert!(bent.upper_turn.is_finite() && bent.lower_turn.is_finite(), "{bent:?} for {target}");
                assert!(bent.middle.is_finite() && bent.end.is_finite(), "{bent:?} for {target}");
            }
        };
        for vector in vectors() {
            finite(&good, vector, None, &TwoBoneLimits::default());
            finite(&good, Vec3::X, Some(vector), &TwoBoneLimits::default());
            for limb in [
                TwoBoneLimb { start: vector, ..good },
                TwoBoneLimb { middle: vector, ..good },
                TwoBoneLimb { end: vector, ..good },
                TwoBoneLimb { hinge: vector, ..good },
                TwoBoneLimb { start: vector, middle: vector, end: vector, hinge: vector },
            ] {
                finite(&limb, Vec3::X, None, &TwoBoneLimits::default());
            }
        }
        for number in numbers() {
            finite(&good, Vec3::X, None, &TwoBoneLimits { min_bend: number, max_bend: number, softness: number });
        }
    });
    table.row("ChainIk::new", || {
        for target in vectors() {
            bends(ChainIk::new(vec![0, 1, 2], target));
        }
        for joint in JOINTS {
            bends(ChainIk::new(vec![joint, 0, joint], Vec3::X));
        }
        bends(ChainIk::new(Vec::new(), Vec3::X));
        bends(ChainIk::new(vec![1; 9], Vec3::X));
        bends(ChainIk::new(vec![2, 1, 0], Vec3::X));
    });
    table.row("solve_chain", || {
        let good = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
        for vector in vectors() {
            let mut points = good;
            solve_chain(&mut points, &[1.0; 2], vector, &ChainSettings::default());
            assert!(points.iter().all(|point| point.is_finite()), "{points:?} for {vector}");
            solve_chain(&mut [Vec3::ZERO, vector, Vec3::X], &[1.0; 2], Vec3::ONE, &ChainSettings::default());
        }
        for number in numbers() {
            let settings = ChainSettings { tolerance: number, max_bend: number, max_iterations: u32::MAX };
            let mut points = good;
            // Out of reach, and within it: more turns than there is time for.
            for target in [Vec3::splat(9.0), Vec3::new(0.3, 0.4, 0.5), Vec3::ZERO] {
                solve_chain(&mut points, &[1.0; 2], target, &settings);
                assert!(points.iter().all(|point| point.is_finite()), "{points:?} with {number}");
            }
            solve_chain(&mut points, &[number; 2], Vec3::ONE, &ChainSettings::default());
        }
        for lengths in [&[][..], &[1.0], &[1.0; 9]] {
            assert!(solve_chain(&mut [], lengths, Vec3::X, &ChainSettings::default()).is_infinite());
            solve_chain(&mut good.clone(), lengths, Vec3::ONE, &ChainSettings::default());
        }
    });
}

fn springs(table: &mut Table) {
    table.row("SpringChain::new", || {
        bends(SpringChain::new(Vec::new()));
        for joint in JOINTS {
            bends(SpringChain::new(vec![joint]));
            bends(SpringChain::new(vec![2, 1, joint, 0]));
        }
        bends(SpringChain::new(vec![1, 1, 1]));
    });
    table.row("SpringChain::with_settings", || {
        for number in numbers() {
            let settings =
                SpringSettings { stiffness: number, damping: number, gravity: Vec3::splat(number), radius: number };
            let mut springs = SpringChain::new(vec![1, 2]).with_settings(settings);
            (springs.tip, springs.weight) = (Some(Vec3::splat(number)), 1.0);
            bends(springs);
        }
    });
    table.row("SpringChain::with_colliders", || {
        bends(SpringChain::new(vec![0, 1, 2]).with_colliders([]));
        for joint in JOINTS {
            bends(SpringChain::new(vec![0, 1, 2]).with_colliders([SpringCollider::sphere(joint, Vec3::ZERO, 1.0)]));
        }
    });
    table.row("SpringCollider::sphere", || {
        for (centre, radius) in vectors().zip(numbers().cycle()) {
            bends(SpringChain::new(vec![0, 1, 2]).with_colliders([SpringCollider::sphere(0, centre, radius)]));
        }
    });
    table.row("SpringCollider::capsule", || {
        for (end, radius) in vectors().zip(numbers().cycle()) {
            bends(SpringChain::new(vec![0, 1, 2]).with_colliders([SpringCollider::capsule(0, [end, Vec3::X], radius)]));
        }
    });
}

/// One leg of a chain of three.
pub const LEG: LegJoints = LegJoints { thigh: 0, shin: 1, foot: 2, toes: None };

pub fn level(_: Vec3) -> Option<GroundPoint> {
    Some(GroundPoint::level(0.0))
}

fn feet(table: &mut Table) {
    let rig = Rig::new(chain(3));
    let feet = || FeetRig::new(&rig, 0, &[LEG]);
    table.row("FeetRig::new", || {
        for joint in JOINTS {
            let leg = LegJoints { thigh: joint, shin: joint, foot: joint, toes: Some(joint) };
            bends(FootPlacement::new(FeetRig::new(&rig, joint, &[leg, LEG, leg])));
        }
        bends(FootPlacement::new(FeetRig::new(&rig, 0, &[])));
        for skeleton in skeletons() {
            bends(FootPlacement::new(FeetRig::new(&Rig::new(&skeleton), 0, &[LEG])));
        }
    });
    table.row("FeetRig::named", || {
        let nobody: [&[&str]; 4] = [&[], &[""], &["none", "none", "none"], &["none"; 9]];
        for legs in [&nobody[..0], &nobody[..1], &nobody] {
            assert!(FeetRig::named(&rig, "none", legs).is_err());
        }
        for skeleton in skeletons() {
            let rig = Rig::new(&skeleton);
            let name = skeleton.joints.first().map_or("", |joint| joint.name.as_str());
            assert!(FeetRig::named(&rig, name, &[&[name; 3]]).is_err(), "a joint is not its own leg");
        }
    });
    table.row("FootPlacement::new", || {
        for number in numbers() {
            for point in [
                GroundPoint::level(number),
                GroundPoint::new(0.0, Vec3::splat(number)),
                GroundPoint::level(0.0).moving(Vec3::splat(number)),
            ] {
                let ground = |_: Vec3| Some(point);
                let surroundings = Surroundings { ground: Some(&ground), ..Surroundings::default() };
                bends_in(FootPlacement::new(feet()), &surroundings, &[], &AnimationClipLibrary::default());
            }
        }
        let nowhere = |_: Vec3| None;
        for ground in [None, Some(&nowhere as &dyn GroundQuery)] {
            let surroundings = Surroundings { ground, is_grounded: false, ..Surroundings::default() };
            bends_in(FootPlacement::new(feet()), &surroundings, &[], &AnimationClipLibrary::default());
        }
    });
    // Feet that are told that they walk by a track.
    let told = |contacts: Vec<ContactTrack>| {
        let options = LibraryOptions { contacts, ..LibraryOptions::default() };
        let library = AnimationClipLibrary::with_options(&rig, &[slide(0, 1.0)], options);
        let surroundings = Surroundings { ground: Some(&level), ..Surroundings::default() };
        bends_in(FootPlacement::new(feet()), &surroundings, &[ShownClip::alone(0, 0.2)], &library);
    };
    table.row("FootPlacement::with_settings", || {
        for number in numbers() {
            let settings = FootSettings {
                max_slope: number,
                max_step: number,
                max_drop: number,
                max_slide: number,
                max_twist: number,
                fade_secs: number,
                pelvis_rate: number,
                max_stretch: number,
            };
            bends(FootPlacement::new(feet()).with_settings(settings));
        }
    });
    table.row("FootPlacement::is_planted", || {
        INDICES.into_iter().for_each(|leg| assert!(!FootPlacement::new(feet()).is_planted(leg)));
    });
    table.row("ContactTrack::from_clip", || {
        for skeleton in skeletons().into_iter().step_by(3) {
            clips().iter().step_by(2).for_each(|clip| drop(ContactTrack::from_clip(clip, &skeleton, &feet())));
        }
    });
    let track = |duration, time| {
        let markers = [Marker { name: "down".into(), time }, Marker { name: "up".into(), time: 0.5 }];
        ContactTrack::from_markers(duration, &markers, &[["down", "up"], ["nobody", "nobody"], ["down", "down"]])
    };
    table.row("ContactTrack::from_markers", || {
        for (duration, time) in numbers().zip(times()) {
            let track = track(duration, time);
            assert!(track.duration().is_finite(), "{duration}");
            (0..4).for_each(|leg| drop(format!("{}", track.is_planted(leg, 0.3))));
            told(vec![track; 3]);
        }
        told(vec![ContactTrack::from_markers(f32::NAN, &[], &[])]);
    });
    table.row("ContactTrack::with_floor", || {
        for floor in numbers() {
            told(vec![track(1.0, 0.1).with_floor(floor)]);
        }
    });
    table.row("ContactTrack::is_planted", || {
        for leg in INDICES {
            numbers().for_each(|time| assert!(track(1.0, 0.1).is_planted(leg, time), "a leg that nobody knows stands"));
        }
        numbers().filter(|time| time.is_nan()).for_each(|time| assert!(!track(1.0, 0.1).is_planted(0, time)));
    });
    table.row("ContactTrack::spans", || {
        INDICES.into_iter().for_each(|leg| assert!(track(1.0, 0.1).spans(leg).is_empty()));
    });
}
