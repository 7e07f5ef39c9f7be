//! The program from outside: what it prints, what it draws, how it exits, and how it stands up to the two corpora.

// Clippy's own exception for tests does not reach their helpers.
#![allow(clippy::expect_used)]

mod clock;
mod command_line;
mod conformance;
mod corpus;
mod hostile;
mod show;
