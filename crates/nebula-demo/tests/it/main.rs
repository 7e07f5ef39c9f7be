//! The program from outside: what it prints, what it draws, how it exits, and how it stands up to the two corpora.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on panics, helper functions included")]

mod act;
#[cfg(all(feature = "gpu", target_os = "linux"))]
mod adapter;
mod bench;
mod clock;
mod command_line;
mod compress;
mod conformance;
mod convert;
mod corpus;
mod explain;
mod formats;
mod hostile;
mod limits;
mod report;
mod retarget;
mod show;
mod snapshots;
#[cfg(all(feature = "window", target_os = "linux"))]
mod window;
