//! Poses that answer to the world.

mod feet;
mod ik;
mod springs;
