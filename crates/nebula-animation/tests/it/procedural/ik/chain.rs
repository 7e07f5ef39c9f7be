use glam::Vec3;
use nebula_animation::procedural::ik::{ChainSettings, solve_chain};

use crate::characters::Random;

/// A crooked chain and the lengths of its bones.
fn random_chain(random: &mut Random, bones: usize) -> (Vec<Vec3>, Vec<f32>) {
    let mut points = vec![random.vector(1.0)];
    let mut lengths = Vec::new();
    for _ in 0..bones {
        let length = random.between(0.2, 0.5);
        let last = points[points.len() - 1];
        points.push(last + random.quat() * Vec3::X * length);
        lengths.push(length);
    }
    (points, lengths)
}

fn assert_lengths(points: &[Vec3], lengths: &[f32]) {
    for (pair, length) in points.windows(2).zip(lengths) {
        assert!((pair[0].distance(pair[1]) - length).abs() < 1e-5, "bones keep their lengths");
    }
}

#[test]
fn targets_within_reach_are_met() {
    let mut random = Random::new(21);
    let mut stuck = 0;
    for _ in 0..5_000 {
        let bones = 3 + random.below(8);
        let (mut points, lengths) = random_chain(&mut random, bones);
        let (start, total) = (points[0], lengths.iter().sum::<f32>());
        let target = start + random.quat() * Vec3::X * (random.between(0.2, 0.9) * total);
        let left = solve_chain(&mut points, &lengths, target, &ChainSettings::default());
        assert!(points[0] == start);
        assert_lengths(&points, &lengths);
        let really_left = points[bones].distance(target);
        assert!((left - really_left).abs() < 1e-5 && left < 1e-3 * total, "{left} of {total}");
        stuck += u32::from(left > 1.1e-4 * total);
    }
    assert!(stuck < 25, "{stuck} of 5000 are not quite there");
}

#[test]
fn a_target_beyond_reach_is_pointed_at() {
    let mut random = Random::new(22);
    for _ in 0..1_000 {
        let (mut points, lengths) = random_chain(&mut random, 5);
        let (start, total) = (points[0], lengths.iter().sum::<f32>());
        let way = random.quat() * Vec3::X;
        let left = solve_chain(&mut points, &lengths, start + way * (total * 1.5), &ChainSettings::default());
        assert!((left - 0.5 * total).abs() < 1e-4 * total);
        assert!(points[5].distance(start + way * total) < 1e-4 * total);
    }
}

/// On a straight line with its target, no round would ever push a chain aside.
#[test]
fn a_straight_chain_bends_for_a_target_on_its_line() {
    for target in [Vec3::Z, Vec3::NEG_Z * 0.7, Vec3::Z * 2.5, Vec3::ZERO] {
        let mut points = [0.0, 1.0, 2.0, 3.0].map(|z| Vec3::Z * z);
        let left = solve_chain(&mut points, &[1.0; 3], target, &ChainSettings::default());
        assert!(left < 2e-3, "{target}: {left}");
        assert_lengths(&points, &[1.0; 3]);
    }
}

#[test]
fn bones_bend_no_more_than_they_may() {
    let mut random = Random::new(23);
    let settings = ChainSettings { max_bend: 0.5, ..ChainSettings::default() };
    for _ in 0..2_000 {
        let mut points: Vec<Vec3> = (0..8).map(|z| Vec3::Z * z as f32 * 0.3).collect();
        let target = Vec3::new(random.between(-1.2, 1.2), random.between(-1.2, 1.2), random.between(0.8, 1.8));
        solve_chain(&mut points, &[0.3; 7], target, &settings);
        for three in points.windows(3) {
            let bend = (three[1] - three[0]).angle_between(three[2] - three[1]);
            assert!(bend < 0.5 + 1e-3, "{bend}");
        }
    }
}

#[test]
fn what_cannot_be_solved_is_left_alone() {
    let line = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
    let settings = ChainSettings::default();
    for (points, lengths, target) in [
        (line, [1.0, 1.0], Vec3::NAN),
        (line, [0.0, 0.0], Vec3::X),
        (line, [1.0, f32::NAN], Vec3::X),
        (line, [-1.0, 1.0], Vec3::X),
        ([Vec3::NAN, Vec3::X, Vec3::Y], [1.0, 1.0], Vec3::X),
    ] {
        let mut moved = points;
        assert!(solve_chain(&mut moved, &lengths, target, &settings).is_infinite());
        assert_eq!(
            moved.map(|point| point.to_array().map(f32::to_bits)),
            points.map(|p| p.to_array().map(f32::to_bits))
        );
    }
    assert!(solve_chain(&mut [], &[], Vec3::X, &settings).is_infinite());
    assert!(solve_chain(&mut [Vec3::X], &[], Vec3::X, &settings).is_infinite());
    // A bone without length among others is no trouble.
    let mut points = [Vec3::ZERO, Vec3::X, Vec3::X, Vec3::X * 2.0];
    assert!(solve_chain(&mut points, &[1.0, 0.0, 1.0], Vec3::Y, &settings) < 1e-3);
}
