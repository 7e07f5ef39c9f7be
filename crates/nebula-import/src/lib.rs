//! Imports motion and characters from other formats into [`nebula_animation`], and writes glTF.
//!
//! [`open()`] detects the format of a file: glTF with any compression, VRM, VRM animations, BVH, FBX. [`gltf`] writes
//! glTF, with other clips if you like. A game that ships `.glb` files needs neither.
//!
//! Untrusted files are safe: nothing here panics or recurses over a file's data. Memory grows with the size of a file
//! by a small factor. Compressed data has limits per file: 256 MB of Draco geometry, 2^28 pixels of KTX2 images
//! (decoded one at a time, each at most 2^26), and for FBX 512 MB of unpacked data and 2^25 corners, each counted once
//! more per blend shape. Problems are reported as an error or a note that names the object or the line.

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
