//! Foot placement, judged by where the skin of the soles is.

mod contacts;
mod events;
mod hills;
mod lifts;
#[cfg(feature = "ecs")]
mod systems;
mod trouble;
mod walker;
