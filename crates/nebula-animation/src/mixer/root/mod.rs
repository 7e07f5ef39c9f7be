//! Root motion: the way of a character through the world, taken out of its clips and told as steps.

mod delta;
mod extract;
mod report;
mod shares;
mod track;

pub use delta::RootDelta;
pub use extract::{RootMotionOptions, extract_root_motion};
pub(super) use report::RootReport;
pub use report::RootTracks;
pub use track::RootTrack;
