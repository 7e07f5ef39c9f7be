use nebula_animation::{AnimationClip, Marker, compile::ContactTrack};

use super::walker::Humanoid;

/// Landing and leaving of left and right, as the file's markers have them.
const WALK: [[f32; 2]; 2] = [[0.67, 0.28], [0.17, 0.78]];
const STROLL: [[f32; 2]; 2] = [[1.34, 0.62], [0.34, 1.62]];
const RUN: [[f32; 2]; 2] = [[0.469, 0.07], [0.119, 0.42]];

#[test]
fn contacts_are_those_that_the_animator_marked() {
    let humanoid = Humanoid::load();
    for (name, expected, close) in [("walk", WALK, 0.04), ("stroll", STROLL, 0.05), ("run", RUN, 0.04)] {
        let track = humanoid.track(humanoid.clip(name));
        for (leg, expected) in expected.iter().enumerate() {
            let [span] = track.spans(leg) else { panic!("{name}: one step a cycle, not {:?}", track.spans(leg)) };
            for (found, marked) in span.iter().zip(expected) {
                assert!((found - marked).abs() < close, "{name}, leg {leg}: {span:?}");
            }
        }
        assert_eq!(track.floor(), 0.0, "{name}");
    }
    for name in ["idle", "wave"] {
        let track = humanoid.track(humanoid.clip(name));
        assert!((0..=60).all(|step| track.is_planted(0, step as f32 * 0.1) && track.is_planted(1, step as f32 * 0.1)));
    }
    let jump = humanoid.track(humanoid.clip("jump"));
    for leg in 0..2 {
        assert!(jump.is_planted(leg, 0.2) && !jump.is_planted(leg, 0.75) && jump.is_planted(leg, 1.4));
    }
}

#[test]
fn root_motion_clips_are_told_by_the_same_times() {
    let humanoid = Humanoid::load();
    let (still, moving) = (humanoid.clip("walk"), humanoid.clip("walk_root_motion"));
    for step in 0..100 {
        let time = step as f32 * 0.01;
        let near_an_edge = WALK.as_flattened().iter().any(|edge| (edge - time).abs() < 0.06);
        if !near_an_edge && (0.05..0.95).contains(&time) {
            for leg in 0..2 {
                let planted = [still, moving].map(|clip| humanoid.track(clip).is_planted(leg, time));
                assert_eq!(planted[0], planted[1], "leg {leg} at {time}");
            }
        }
    }
}

#[test]
fn markers_become_contacts() {
    let marker = |name: &str, time: f64| Marker { name: name.into(), time };
    let names = [["l_down", "l_up"], ["r_down", "r_up"]];
    // Over the end of the loop, and twice in a cycle.
    let markers = [
        marker("l_up", 0.2),
        marker("r_down", 0.1),
        marker("r_up", 0.3),
        marker("l_down", 0.8),
        marker("r_down", 0.6),
        marker("r_up", 0.7),
    ];
    let track = ContactTrack::from_markers(1.0, &markers, &names);
    let expected = |leg: usize, time: f32| match leg {
        0 => !(0.2..0.8).contains(&time),
        _ => (0.1..0.3).contains(&time) || (0.6..0.7).contains(&time),
    };
    for step in 0..100 {
        let time = step as f32 * 0.01 + 0.005;
        for leg in 0..2 {
            assert_eq!(track.is_planted(leg, time), expected(leg, time), "leg {leg} at {time}");
        }
    }
    // Without markers a foot stands; a leg that nobody knows does, too.
    let track = ContactTrack::from_markers(1.0, &[], &names);
    assert!(track.is_planted(0, 0.5) && track.is_planted(7, 0.5));
    let odd = [marker("l_down", f64::NAN), marker("l_up", f64::INFINITY)];
    assert!(ContactTrack::from_markers(f32::NAN, &odd, &names).is_planted(0, 0.5));
}

#[test]
fn clips_without_feet_or_length_are_no_trouble() {
    let humanoid = Humanoid::load();
    let empty = AnimationClip::default();
    let track = ContactTrack::from_clip(&empty, &humanoid.skeleton, &humanoid.feet);
    assert!(track.is_planted(0, 0.0) && track.is_planted(1, 3.0), "the bind pose stands");
    let odd = AnimationClip { duration: f32::NAN, ..AnimationClip::default() };
    assert!(ContactTrack::from_clip(&odd, &humanoid.skeleton, &humanoid.feet).is_planted(0, 0.0));
    let track = ContactTrack::from_clip(&humanoid.clips[0], &nebula_animation::Skeleton::default(), &humanoid.feet);
    assert!(track.floor().is_finite());
}
