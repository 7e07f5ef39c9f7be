//! Readers of other formats, and the writer.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on panics, helper functions included")]

mod bvh;
mod cmu;
mod corpus;
#[cfg(feature = "draco")]
mod draco;
mod edit;
#[cfg(feature = "fbx")]
mod fbx;
#[cfg(all(feature = "draco", feature = "fbx", feature = "ktx2"))]
mod fuzz;
mod gltf;
#[cfg(all(feature = "draco", feature = "ktx2"))]
mod ktx2;
mod motion;
mod vrma;
