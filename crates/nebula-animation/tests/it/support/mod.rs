//! What the tests stand on: a builder of glTF files, sample rigs, and the two ways to judge a file — agreement with the
//! [reference](crate::reference), or a table of refusals.

mod agree;
mod array;
mod case;
mod folder;
mod gltf;
pub mod humanoid;
mod load;
mod maths;
pub mod meshopt;
mod outcome;
mod pack;
pub mod rigs;
mod watchdog;

pub use agree::{agree, agree_bytes, agree_with};
pub use array::Component::{F32, I8, I16, U8, U16, U32};
pub use array::{Array, Component};
pub use case::{Case, case, check};
pub use folder::Folder;
pub use gltf::Gltf;
pub use load::{
    every_node, keep_as_seed, load, load_with, strict, try_load, try_load_resolved, try_load_with, warning_of,
};
pub use maths::{at, noise, spin, turn, turned};
pub use outcome::{Kind, finite_problem};
pub use pack::{base64, chunk, glb_of, with_length};
pub use watchdog::within_a_minute;
