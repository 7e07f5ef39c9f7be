//! Feet that stay on the ground: on slopes, hills and steps, without sliding.
//!
//! A [`ContactTrack`] says when a clip's feet stand. While one does, [`FootPlacement`] keeps it in its footprint; while
//! it swings, it is carried over the ground as the clip carries it over its floor. The pelvis is lowered so that
//! the lower foot reaches.

mod contacts;
mod damped;
mod foot;
mod ground;
mod layer;
mod live;
mod pelvis;
mod print;
mod rig;
mod settings;

pub use contacts::ContactTrack;
pub use ground::{GroundPoint, GroundQuery};
pub use layer::FootPlacement;
pub use rig::{FeetRig, LegJoints};
pub use settings::FootSettings;
