//! Foot placement, judged by where the skin of the soles is.

mod contacts;
mod events;
mod fades;
mod hills;
mod legs;
mod lifts;
#[cfg(feature = "ecs")]
mod systems;
mod table;
mod trouble;
mod walker;
