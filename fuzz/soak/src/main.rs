//! Characters that are loaded, play, fade and are unloaded at random, for millions of frames: `soak [FRAMES] [SEED]`.
//!
//! Ends with an error where the resident memory grows, a warning is repeated, a clock drifts or an event is lost.
#![allow(clippy::panic, reason = "a promise that is not kept ends the run")]

#[path = "../../../crates/nebula-animation/tests/soak/run.rs"]
mod run;

use std::process::ExitCode;

/// By how much of itself the least resident memory of the later part may be above that of the earlier part.
const GROWTH: f64 = 0.01;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map_while(|argument| argument.parse::<u64>().ok());
    let frames = arguments.next().unwrap_or(10_000_000);
    let seed = arguments.next().unwrap_or(1);
    let start = std::time::Instant::now();
    let mut resident = Vec::new();
    let report = run::run(frames, seed, |frame| {
        let bytes = resident_bytes();
        resident.push(bytes);
        println!("frame {frame:>10}: {:>8} KiB resident, {:.0} s", bytes / 1024, start.elapsed().as_secs_f64());
    });
    println!("{report:#?}");
    run::check(&report);
    // The first quarter fills buffers and the allocator's own lists. From then on the allocator takes a little more now and then, and gives
    // it back: what counts is the low-water mark, which a leak of a tenth of a byte per frame would raise.
    let settled = &resident[resident.len() / 4..];
    let (early, late) = settled.split_at(settled.len() / 2);
    let least = |part: &[u64]| part.iter().copied().min().unwrap_or_default() as f64;
    let growth = least(late) / least(early).max(1.0) - 1.0;
    println!("least resident memory of the later part against the earlier: {:+.3} %", growth * 100.0);
    if growth > GROWTH {
        eprintln!("the resident memory grows");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Pages of this process that are in memory, in bytes; 0 where the system does not say so in Linux's way.
fn resident_bytes() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = statm.split_whitespace().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or_default();
    pages * 4096
}
