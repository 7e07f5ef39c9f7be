//! The `gpu` module on a real adapter, which may be a software one: `apt-get install mesa-vulkan-drivers libvulkan1 libegl1
//! libgl1-mesa-dri`. Where there is none the tests say that they did not run; with `NEBULA_REQUIRE_GPU=1` they fail.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on panics, helper functions included")]

mod adapter;
mod counts;
mod faces;
mod faults;
mod files;
mod motion;
mod picture;
mod stage;

#[path = "../it/reference/mod.rs"]
#[allow(dead_code, unused_imports, reason = "made for more tests than these")]
mod reference;
#[path = "../it/support/mod.rs"]
#[allow(dead_code, unused_imports, reason = "made for more tests than these")]
mod support;

#[path = "../it/skinning"]
#[allow(dead_code, reason = "made for more tests than these")]
mod skinning {
    pub mod judge;
    pub mod subjects;
}
