//! Motion in other formats than glTF, as the skeletons and clips of [`nebula_animation`].
//!
//! Files of strangers are safe: nothing here panics, recurses over a file's data, or takes more memory than a file is large by a small
//! factor. What is wrong is an error that names the line.

/// BVH: motion capture as text.
pub mod bvh;
