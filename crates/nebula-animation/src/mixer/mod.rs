//! Several clips at once: blends of any number of them, cross-fades that never pop, layers, blend spaces.

mod blend;
mod motion;
mod root;
mod space;

pub use blend::{BlendInput, BlendMode, Blender};
pub use motion::Motion;
pub use root::{RootDelta, RootMotionOptions, RootTrack, extract_root_motion};
pub use space::{BlendSample, BlendSpace, BlendSpaceError, BlendWeights};
