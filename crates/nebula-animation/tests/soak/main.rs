//! The short version of the soak, with every byte counted; `fuzz/soak` is the long one.
//!
//! A binary of its own, because the allocator and the log are those of the whole process.
#![allow(unsafe_code, reason = "an allocator cannot be written without it")]
#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on panics, helper functions included")]

mod crowd;
mod run;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    /// Bytes that this thread holds.
    static BYTES: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator as it came; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = BYTES.try_with(|held| held.set(held.get() + layout.size() as isize));
        // SAFETY: the caller's promises are those of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let _ = BYTES.try_with(|held| held.set(held.get() - layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that this thread holds.
fn held() -> isize {
    BYTES.with(Cell::get)
}

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
