//! Root motion: the motion of a character through the world, extracted from its clips.

mod delta;
mod extract;
mod track;

pub use delta::RootDelta;
pub use extract::{RootMotionOptions, extract_root_motion};
pub use track::RootTrack;
