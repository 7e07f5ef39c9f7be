//! Feet that stay on the ground: on slopes, hills and steps, without sliding.
//!
//! A [`ContactTrack`](crate::compile::ContactTrack) says when a clip's feet stand. While one does, [`FootPlacement`] keeps it in its footprint; while
//! it swings, it is carried over the ground as the clip carries it over its floor. The pelvis is lowered so that
//! the lower foot reaches.

mod damped;
mod foot;
mod layer;
mod live;
mod pelvis;
mod print;
mod settings;
mod step;
mod stride;
mod swing;
mod told;
mod why;

pub use layer::FootPlacement;
pub use settings::FootSettings;
