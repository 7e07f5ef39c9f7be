//! Numbers that a fault would change: in the hero's motion, in its answer to a player, and in the ground that it walks on.

mod hills;
mod motion;
mod people;
mod record;
mod steering;
