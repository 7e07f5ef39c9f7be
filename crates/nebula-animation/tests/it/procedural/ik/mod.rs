//! Limbs and chains that reach for a target.

mod chain;
mod layers;
mod two_bone;
