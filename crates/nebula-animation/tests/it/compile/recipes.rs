//! What the property tests choose from.

use nebula_animation::Interpolation;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::characters::{Binds, ClipRecipe, Curves, RestScales, RigRecipe, Shape, Timing};

/// So many cases, the same ones in each run: a red test on an innocent change helps nobody. `PROPTEST_CASES` and
/// `PROPTEST_RNG_SEED` look at others.
pub fn cases(count: u32) -> ProptestConfig {
    let from_environment = ProptestConfig::default();
    let is_set = |name| std::env::var_os(name).is_some();
    ProptestConfig {
        cases: if is_set("PROPTEST_CASES") { from_environment.cases } else { count },
        rng_seed: if is_set("PROPTEST_RNG_SEED") { from_environment.rng_seed } else { RngSeed::Fixed(20_240_229) },
        failure_persistence: None,
        max_shrink_iters: 200,
        ..from_environment
    }
}

/// From 1 to 300 joints, small rigs as often as large ones.
fn joint_counts() -> impl Strategy<Value = usize> {
    prop_oneof![1..=9_usize, 1..=40_usize, 1..=300_usize, Just(8), Just(64)]
}

pub fn any_binds() -> impl Strategy<Value = Binds> {
    prop_oneof![
        Just(Binds::OfRest),
        Just(Binds::Rigid),
        Just(Binds::Noisy),
        Just(Binds::Uniform),
        Just(Binds::Uneven),
        Just(Binds::Sheared),
    ]
}

pub fn any_scales() -> impl Strategy<Value = RestScales> {
    prop_oneof![Just(RestScales::One), Just(RestScales::Uniform), Just(RestScales::Uneven)]
}

pub fn rigs(
    binds: impl Strategy<Value = Binds>,
    rest_scales: impl Strategy<Value = RestScales>,
) -> impl Strategy<Value = RigRecipe> {
    let shape = prop_oneof![Just(Shape::Chain), Just(Shape::Star), Just(Shape::Tree), Just(Shape::Limbs)];
    let extent = prop_oneof![Just(0.3_f32), Just(0.01), Just(50.0)];
    (joint_counts(), shape, binds, rest_scales, extent, any::<u64>()).prop_map(
        |(joints, shape, binds, rest_scales, extent, seed)| RigRecipe {
            joints,
            shape,
            binds,
            rest_scales,
            extent,
            seed,
        },
    )
}

pub fn clips() -> impl Strategy<Value = ClipRecipe> {
    let curves = prop_oneof![
        Just(Curves::One(Interpolation::Linear)),
        Just(Curves::One(Interpolation::Step)),
        Just(Curves::One(Interpolation::CubicSpline)),
        Just(Curves::Mixed),
    ];
    let timing = prop_oneof![Just(Timing::Uniform), Just(Timing::Irregular), Just(Timing::Own), Just(Timing::Mixed)];
    let share = || prop_oneof![Just(0.0_f32), Just(0.2), Just(1.0)];
    let extent = prop_oneof![Just(0.3_f32), Just(50.0)];
    (1..=40_usize, curves, timing, [share(), share(), share()], any::<bool>(), extent, any::<u64>()).prop_map(
        |(keys, curves, timing, shares, is_odd, extent, seed)| ClipRecipe {
            keys,
            curves,
            timing,
            shares,
            is_odd,
            extent,
            seed,
        },
    )
}
