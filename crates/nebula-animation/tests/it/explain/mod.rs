//! Explanations: put together again they are the pose, and they name the true cause.

mod cases;
mod compose;
mod sums;
pub mod troupe;
