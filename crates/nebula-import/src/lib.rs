//! Any motion and any character, as the skeletons and clips of [`nebula_animation`]: other formats than glTF in, glTF out.
//!
//! [`open()`] reads a file by what it is: glTF with whatever compression, VRM, VRM animations, BVH, FBX. [`gltf`] writes it, with other clips where
//! you like. A game that ships `.glb` files needs neither.
//!
//! Files of strangers are safe: nothing here panics or recurses over a file's data. Memory grows with the size of a file by a small factor, but
//! for what is compressed in it, which has limits per file: 256 MB of geometry in Draco, 2^28 pixels in KTX2 of which one picture of at most
//! 2^26 is decoded at a time, and in FBX 512 MB of unpacked data and 2^25 corners, each counted once more for every blend shape. What is wrong
//! is an error or a note that names the object or the line.

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
