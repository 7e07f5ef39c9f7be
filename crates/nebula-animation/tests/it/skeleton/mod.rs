//! Joints by name and by meaning.

mod conventions;
mod humanoid;
mod names;
mod naming;
mod shape;
