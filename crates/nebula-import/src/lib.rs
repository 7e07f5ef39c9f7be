//! Any motion and any character, as the skeletons and clips of [`nebula_animation`]: other formats than glTF in, glTF out.
//!
//! [`open()`] reads a file by what it is: glTF with whatever compression, VRM, VRM animations, BVH, FBX. [`gltf`] writes it, with other clips where
//! you like. A game that ships `.glb` files needs neither.
//!
//! Files of strangers are safe: nothing here panics, recurses over a file's data, or takes more memory than a file is large by a small
//! factor. What is wrong is an error that names the object or the line.

/// BVH: motion capture as text.
pub mod bvh;
pub mod edit;
#[cfg(feature = "fbx")]
pub mod fbx;
pub mod gltf;
mod memory;
mod open;

pub use memory::open_bytes;
pub use open::{ImportError, OpenOptions, Opened, open, open_with};
