//! Poses that answer to the world.

mod feet;
