use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::{DMat4, DVec3, Quat, Vec3};
use nebula_animation::compile::RootDelta;
use proptest::prelude::*;

fn matrix(delta: RootDelta) -> DMat4 {
    DMat4::from_translation(delta.translation) * DMat4::from_rotation_y(delta.yaw)
}

fn any_delta() -> impl Strategy<Value = RootDelta> {
    let yaw = prop_oneof![Just(0.0), Just(1e-9), Just(TAU), Just(PI), Just(FRAC_PI_2), -3.0..3.0_f64];
    (yaw, prop::array::uniform3(-2.0..2.0_f64)).prop_map(|(yaw, step)| RootDelta { translation: step.into(), yaw })
}

proptest! {
    #[test]
    fn deltas_are_the_matrices_that_they_stand_for(a in any_delta(), b in any_delta(), count in -40_i64..40) {
        prop_assert!(matrix(a.then(b)).abs_diff_eq(matrix(a) * matrix(b), 1e-9));
        prop_assert!(matrix(a.inverse()).abs_diff_eq(matrix(a).inverse(), 1e-9));
        let one = if count < 0 { matrix(a).inverse() } else { matrix(a) };
        let product = (0..count.abs()).fold(DMat4::IDENTITY, |product, _| product * one);
        prop_assert!(matrix(a.repeated(count)).abs_diff_eq(product, 1e-7), "{:?}", a.repeated(count));
        prop_assert!((a.repeated(count).yaw - a.yaw * count as f64).abs() < 1e-9);
    }

    #[test]
    fn parts_of_a_motion_add_up_to_it(a in any_delta(), parts in 1_i64..50) {
        prop_assume!(a.yaw.abs() < 3.5);
        prop_assert!(matrix(a.scaled(1.0 / parts as f64).repeated(parts)).abs_diff_eq(matrix(a), 1e-9));
    }

    /// A mean of steady motions does not depend on how many steps it is taken in.
    #[test]
    fn means_do_not_depend_on_the_steps(a in any_delta(), b in any_delta(), weight in 0.0..1.0_f64, parts in 1_i64..50) {
        prop_assume!(a.yaw.abs() < 3.5 && b.yaw.abs() < 3.5);
        let whole = RootDelta::mean([(1.0 - weight, a), (weight, b)]);
        let share = 1.0 / parts as f64;
        let part = RootDelta::mean([(1.0 - weight, a.scaled(share)), (weight, b.scaled(share))]);
        prop_assert!(matrix(part.repeated(parts)).abs_diff_eq(matrix(whole), 1e-9));
    }
}

#[test]
fn weights_that_are_none_count_for_nothing() {
    let step = RootDelta { translation: DVec3::X, yaw: 0.25 };
    assert_eq!(RootDelta::mean([]), RootDelta::ZERO);
    assert_eq!(RootDelta::mean([(0.0, step), (f64::NAN, step), (-1.0, step), (f64::INFINITY, step)]), RootDelta::ZERO);
    let mean = RootDelta::mean([(f64::NAN, RootDelta::ZERO), (3.0, step)]);
    assert!(matrix(mean).abs_diff_eq(matrix(step), 1e-12));
}

#[test]
fn an_entity_steps_in_its_own_direction() {
    let step = RootDelta { translation: DVec3::Z, yaw: FRAC_PI_2 };
    let (place, turn) = step.applied_to(Vec3::new(5.0, 0.0, 0.0), Quat::from_rotation_y(std::f32::consts::FRAC_PI_2));
    assert!(place.abs_diff_eq(Vec3::new(6.0, 0.0, 0.0), 1e-6));
    assert!((turn * Vec3::Z).abs_diff_eq(Vec3::NEG_Z, 1e-6));
}
