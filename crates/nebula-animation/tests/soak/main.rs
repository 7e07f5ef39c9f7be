//! The short version of the soak, with every byte counted; `fuzz/soak` is the long one.
//!
//! A binary of its own, because the allocator and the log are those of the whole process.
#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on panics, helper functions included")]

#[path = "../counting/mod.rs"]
mod counting;
mod crowd;
mod run;

use counting::held;

/// Frames of the run: `NEBULA_SOAK=10000000` asks for more.
fn frames() -> u64 {
    std::env::var("NEBULA_SOAK").ok().and_then(|frames| frames.parse().ok()).unwrap_or(40_000)
}

#[test]
fn a_life_of_loading_playing_and_unloading_leaks_nothing_drifts_nowhere_and_warns_once() {
    let mut held = Vec::with_capacity(64);
    let report = run::run(frames(), 1, |_| held.push(self::held()));
    run::check(&report);
    // Scratch memory of the thread grows to its size in the first part. From then on, whenever everybody is gone, not a byte more.
    let settled = held.len() / 4;
    assert!(settled > 5, "{held:?}");
    let (least, most) =
        held[settled..].iter().fold((isize::MAX, isize::MIN), |(least, most), &now| (least.min(now), most.max(now)));
    assert!(most == least, "between {least} and {most} bytes while nobody is there: {held:?}");
}

/// The same seed is the same life.
#[test]
fn a_run_can_be_repeated() {
    let [first, second] = [7, 7].map(|seed| format!("{:?}", run::run(2_000, seed, |_| {}).fades));
    assert_eq!(first, second);
}
