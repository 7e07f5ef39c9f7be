//! nebula's own paths: plain, fast, local poses only, and as components.

mod components;
mod fast;
mod local;
mod plain;

pub use components::Components;
pub use fast::{Many, Single};
pub use local::LocalPoses;
pub use plain::PlainPath;
