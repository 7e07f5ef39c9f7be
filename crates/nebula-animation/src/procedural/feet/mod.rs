//! Foot placement: feet that stay on slopes, hills and steps without sliding.
//!
//! A [`ContactTrack`](crate::compile::ContactTrack) says when a clip's feet stand. While one stands, [`FootPlacement`]
//! keeps it in its footprint. While it swings, it moves over the ground as the clip moves it over the clip's floor. The
//! pelvis is lowered so that the lower foot can reach the ground.

mod damped;
mod foot;
mod layer;
mod level;
mod live;
mod pelvis;
mod print;
mod reach;
mod settings;
mod step;
mod stride;
mod swing;
mod told;
mod why;

pub use layer::FootPlacement;
pub use settings::FootSettings;
