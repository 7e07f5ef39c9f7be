//! Explanations: put together again they are the pose, and they name the true cause.

mod avatars;
mod cases;
mod compose;
mod sums;
mod taken;
pub mod troupe;
