//! Tests of the library as its users see it. The modules mirror `src/`; `reference` works out what glTF means, `support`
//! builds files and judges how they load, `characters` makes rigs and clips.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on panics, helper functions included")]

mod asset;
mod character;
mod characters;
mod clip;
mod clip_clock;
mod compile;
mod crowd;
mod determinism;
#[cfg(feature = "ecs")]
mod ecs;
mod explain;
mod frame;
mod fuzz;
mod guides;
mod misuse;
mod mixer;
mod palette;
mod player;
mod printed_loader;
mod printed_playback;
mod procedural;
mod recorder;
mod reference;
mod retarget;
mod rig;
mod sample;
mod shader;
mod skeleton;
mod skinning;
mod state;
mod support;
mod threads;
mod tidy;
mod troupe;
