//! An allocator that counts, for test binaries that watch memory: it is that of the whole process. Counts are those of the thread that
//! asks, so that neighbouring tests, and the test runner's own thread, do not disturb each other.
#![allow(unsafe_code, reason = "an allocator cannot be written without it")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, with a tally.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    static HELD: Cell<isize> = const { Cell::new(0) };
}

/// Calls of this thread so far that gave it memory.
#[allow(dead_code, reason = "not every binary asks")]
pub fn allocations() -> u64 {
    ALLOCATIONS.get()
}

/// Bytes that this thread holds.
pub fn held() -> isize {
    HELD.get()
}

/// Adds to the tally. A thread that is ending has none left.
fn tally(allocations: u64, bytes: isize) {
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + allocations));
    let _ = HELD.try_with(|held| held.set(held.get() + bytes));
}

// SAFETY: every call is handed on to the system's allocator as it came; the tally allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        tally(1, layout.size() as isize);
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        tally(1, layout.size() as isize);
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        tally(1, size as isize - layout.size() as isize);
        // SAFETY: the caller keeps the contract.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        tally(0, -(layout.size() as isize));
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
