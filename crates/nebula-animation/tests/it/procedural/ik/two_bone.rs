use glam::{DVec3, Quat, Vec3};
use nebula_animation::procedural::ik::{TwoBoneLimb, TwoBoneLimits, TwoBoneSolution, solve_two_bone};

use crate::characters::Random;

/// A vector turned by a quaternion, in `f64` and by another formula than the library's.
fn turned(turn: Quat, vector: DVec3) -> DVec3 {
    let turn = turn.as_dquat();
    assert!((turn.length() - 1.0).abs() < 1e-5, "a turn of unit length: {turn}");
    let (axis, real) = (turn.xyz() / turn.length(), turn.w / turn.length());
    vector * (real * real - axis.length_squared()) + axis * (2.0 * axis.dot(vector)) + axis.cross(vector) * (2.0 * real)
}

/// The bent limb, from the turns alone.
struct Bent {
    start: DVec3,
    middle: DVec3,
    end: DVec3,
    /// The hinge, carried along by the upper bone.
    hinge: DVec3,
    length: f64,
}

fn bent(limb: &TwoBoneLimb, solution: &TwoBoneSolution) -> Bent {
    let [start, middle, end] = [limb.start, limb.middle, limb.end].map(|place| place.as_dvec3());
    let new_middle = start + turned(solution.upper_turn, middle - start);
    let new_end = new_middle + turned(solution.lower_turn, end - middle);
    let length = start.distance(middle) + middle.distance(end);
    assert!(new_middle.distance(solution.middle.as_dvec3()) < 1e-5 * length, "the turns lead to the places");
    assert!(new_end.distance(solution.end.as_dvec3()) < 1e-5 * length, "the turns lead to the places");
    assert!((new_middle.distance(start) - middle.distance(start)).abs() < 1e-5 * length);
    assert!((new_end.distance(new_middle) - end.distance(middle)).abs() < 1e-5 * length);
    let hinge = turned(solution.upper_turn, limb.hinge.as_dvec3());
    Bent { start, middle: new_middle, end: new_end, hinge, length }
}

impl Bent {
    /// The bend about the hinge, in radians; negative is backwards. A limb that is folded flat counts as bent by π.
    fn bend(&self) -> f64 {
        let (upper, lower) = (self.middle - self.start, self.end - self.middle);
        let bend = upper.cross(lower).dot(self.hinge.normalize()).atan2(upper.dot(lower));
        if bend < 1e-3 - std::f64::consts::PI { bend + std::f64::consts::TAU } else { bend }
    }
}

/// A limb in any direction, bent by up to 2.5 radians, with its hinge square to the bones.
fn random_limb(random: &mut Random) -> TwoBoneLimb {
    let (turn, bend) = (random.quat(), random.between(0.0, 2.5));
    let (upper, lower) = (random.between(0.1, 1.0), random.between(0.1, 1.0));
    let start = random.vector(2.0);
    let middle = start + turn * Vec3::NEG_Y * upper;
    // About +X, which brings a bone that hangs down backwards.
    let end = middle + turn * (Quat::from_rotation_x(bend) * Vec3::NEG_Y) * lower;
    TwoBoneLimb { start, middle, end, hinge: turn * Vec3::X }
}

/// Within reach the end is on the target, beyond it the limb is straight towards it, and the knee bends one way only.
#[test]
fn a_million_targets_are_met() {
    let mut random = Random::new(11);
    let (mut within, mut beyond, mut worst) = (0, 0, 0.0_f64);
    for _ in 0..1_000_000 {
        let limb = random_limb(&mut random);
        let (upper, lower) = (limb.start.distance(limb.middle), limb.middle.distance(limb.end));
        let target = limb.start + random.quat() * Vec3::X * (random.between(0.0, 1.4) * (upper + lower));
        let pole = random.chance(0.5).then(|| random.quat() * Vec3::Y * random.between(0.01, 100.0));
        let solution = solve_two_bone(&limb, target, pole, &TwoBoneLimits::default()).expect("a sound limb");
        let bent = bent(&limb, &solution);
        let (away, length) = (bent.start.distance(target.as_dvec3()), bent.length);
        let (longest, shortest) = (length, f64::from((upper - lower).abs()));
        assert!(bent.bend() > -1e-3, "backwards by {}: {limb:?} {target} {pole:?}", bent.bend());
        if away > longest {
            beyond += 1;
            let way = (target.as_dvec3() - bent.start) / away;
            assert!(bent.end.distance(bent.start + way * length) < 1e-4 * length, "straight: {limb:?} {target}");
            assert!((bent.middle - bent.start).cross(way).length() < 1e-3 * length);
        } else if away > shortest {
            within += 1;
            let left = bent.end.distance(target.as_dvec3()) / length;
            worst = worst.max(left);
            assert!(left < 1e-4, "{left}: {limb:?} {target} {pole:?}");
        } else {
            assert!((bent.end.distance(bent.start) - shortest).abs() < 1e-4 * length, "as near as it comes");
        }
        if let Some(pole) = pole {
            let way = (target.as_dvec3() - bent.start) / away;
            let aside = (bent.middle - bent.start) - way * (bent.middle - bent.start).dot(way);
            let pole = pole.as_dvec3().normalize();
            let pole_aside = (pole - way * pole.dot(way)).length();
            // A pole along the limb says nothing.
            assert!(pole_aside < 0.01 || aside.dot(pole) > -1e-4 * length, "the middle is on the pole's side");
        }
    }
    println!("{within} within reach, off by {worst:.1e} at most; {beyond} beyond");
    assert!(within > 300_000 && beyond > 200_000);
}

#[test]
fn limits_of_the_knee_are_kept() {
    let limits = TwoBoneLimits { min_bend: 0.2, max_bend: 2.0, softness: 0.0 };
    let mut random = Random::new(12);
    for _ in 0..20_000 {
        let limb = random_limb(&mut random);
        let target = limb.start + random.vector(2.0);
        let solution = solve_two_bone(&limb, target, None, &limits).expect("a sound limb");
        let bend = bent(&limb, &solution).bend();
        assert!((0.2 - 1e-3..2.0 + 1e-3).contains(&bend), "{bend}");
    }
}

/// With softening the end is exact up to where it begins, never beyond the target, and moves without a jump or a kink.
#[test]
fn softening_eases_into_full_reach() {
    let limb = TwoBoneLimb { start: Vec3::ZERO, middle: Vec3::NEG_Y, end: Vec3::NEG_Y * 2.0, hinge: Vec3::X };
    let limits = TwoBoneLimits { softness: 0.1, ..TwoBoneLimits::default() };
    let reached = |distance: f32| {
        let target = Vec3::new(0.0, -distance, 0.0);
        let solution = solve_two_bone(&limb, target, Some(Vec3::Z), &limits).expect("a sound limb");
        (bent(&limb, &solution).end.length(), bent(&limb, &solution).bend())
    };
    for step in 1..=80 {
        let distance = 1.8 * step as f32 / 80.0;
        assert!((reached(distance).0 - f64::from(distance)).abs() < 1e-4, "exact before the easing");
    }
    let mut before = reached(1.8);
    for step in 1..=200 {
        let distance = 1.8 + 0.01 * step as f32;
        let now = reached(distance);
        let (gained, straightened) = (now.0 - before.0, before.1 - now.1);
        assert!((0.0..=0.01 + 1e-5).contains(&gained), "never faster than the target: {gained}");
        assert!(now.0 < 2.0 && straightened < 0.025, "no snap: {straightened}");
        before = now;
    }
    assert!(before.0 > 1.97);
}

#[test]
fn degenerate_limbs_and_targets_are_survived() {
    let limits = TwoBoneLimits::default();
    let limb = TwoBoneLimb { start: Vec3::ZERO, middle: Vec3::NEG_Y, end: Vec3::NEG_Y * 2.0, hinge: Vec3::X };
    // Refused.
    assert!(solve_two_bone(&limb, Vec3::NAN, None, &limits).is_none());
    assert!(solve_two_bone(&limb, Vec3::splat(f32::INFINITY), None, &limits).is_none());
    assert!(solve_two_bone(&TwoBoneLimb { middle: Vec3::ZERO, ..limb }, Vec3::X, None, &limits).is_none());
    assert!(solve_two_bone(&TwoBoneLimb { end: Vec3::NEG_Y, ..limb }, Vec3::X, None, &limits).is_none());
    assert!(solve_two_bone(&TwoBoneLimb { start: Vec3::NAN, ..limb }, Vec3::X, None, &limits).is_none());
    // Accepted: a target at the start, straight behind, straight ahead, far away; poles and hinges that say nothing.
    let targets = [Vec3::ZERO, Vec3::Y, Vec3::NEG_Y, Vec3::NEG_Y * 2.0, Vec3::X, Vec3::splat(1e30), Vec3::splat(1e-30)];
    let poles = [None, Some(Vec3::ZERO), Some(Vec3::Y), Some(Vec3::NEG_Y), Some(Vec3::NAN), Some(Vec3::splat(1e30))];
    for hinge in [Vec3::X, Vec3::ZERO, Vec3::Y, Vec3::NEG_X, Vec3::splat(1e-30), Vec3::NAN] {
        for target in targets {
            for pole in poles {
                let limb = TwoBoneLimb { hinge, ..limb };
                let solution = solve_two_bone(&limb, target, pole, &limits).expect("a sound limb");
                let limb = TwoBoneLimb { hinge: Vec3::X, ..limb };
                let bent = bent(&limb, &solution);
                let reach = target.as_dvec3().length().min(2.0);
                assert!((bent.end.length() - reach).abs() < 2e-4, "{hinge} {target} {pole:?}: {}", bent.end);
            }
        }
    }
    for odd in [f32::NAN, f32::INFINITY, -1.0] {
        let limits = TwoBoneLimits { min_bend: odd, max_bend: odd, softness: odd };
        let solution = solve_two_bone(&limb, Vec3::new(0.3, -1.0, 0.2), None, &limits).expect("a sound limb");
        assert!(solution.end.is_finite() && solution.upper_turn.is_finite());
    }
}

/// A target that moves past the straight line from every side: the limb moves as little as the target does.
#[test]
fn a_target_that_moves_little_moves_the_limb_little() {
    let limb = TwoBoneLimb {
        start: Vec3::ZERO,
        middle: Vec3::new(0.0, -0.9, 0.3),
        end: Vec3::new(0.0, -1.8, 0.0),
        hinge: Vec3::X,
    };
    let mut before: Option<TwoBoneSolution> = None;
    for step in 0..4000 {
        let angle = step as f32 * 0.002;
        let target = Vec3::new(0.5 * (3.0 * angle).sin(), -1.2 + 0.5 * angle.cos(), 0.6 * angle.sin());
        let solution = solve_two_bone(&limb, target, None, &TwoBoneLimits::default()).expect("a sound limb");
        if let Some(before) = before {
            assert!(solution.middle.distance(before.middle) < 0.02, "step {step}");
        }
        before = Some(solution);
    }
}
