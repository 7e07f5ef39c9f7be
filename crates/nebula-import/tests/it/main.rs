//! Readers of other formats.

mod bvh;
mod cmu;
