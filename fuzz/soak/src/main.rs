//! Characters that are loaded, play, fade and are unloaded at random, for millions of frames: `soak [FRAMES] [SEED]`.
//!
//! Ends with an error where the resident memory grows, a warning is repeated, a clock drifts or an event is lost.
#![allow(clippy::panic, reason = "a promise that is not kept ends the run")]

#[path = "../../../crates/nebula-animation/tests/soak/run.rs"]
mod run;

use std::process::ExitCode;

/// By how much of itself the resident memory of the second half may be above that of the first.
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
    // The first tenth fills buffers and the allocator's own lists.
    let settled = &resident[resident.len() / 10..];
    let (early, late) = settled.split_at(settled.len() / 2);
    let most = |part: &[u64]| part.iter().copied().max().unwrap_or_default() as f64;
    let growth = most(late) / most(early).max(1.0) - 1.0;
    println!("resident memory of the second half against the first: {:+.3} %", growth * 100.0);
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
