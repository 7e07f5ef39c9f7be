//! Readers of other formats.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on panics, helper functions included")]

mod bvh;
mod cmu;
