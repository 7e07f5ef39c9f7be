//! Characters in a real Bevy app, without a display. One binary: linking Bevy takes longer than the tests.
#![allow(clippy::expect_used, reason = "in the functions that tests share, too")]

mod avatar;
mod behaviour;
mod bounds;
mod changes;
mod crowd;
mod crowd_life;
mod files;
mod fixture;
mod ground;
mod log;
mod messages;
mod palettes;
mod picture;
mod reflection;
mod reload;
#[cfg(feature = "render")]
mod renderer;
mod stage;
mod threads;
mod tidy;
mod troubles;
