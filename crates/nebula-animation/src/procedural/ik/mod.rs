//! Inverse kinematics: limbs and chains that reach for a target.
//!
//! [`solve_two_bone`] and [`solve_chain`] are plain functions over points. [`TwoBoneIk`] and [`ChainIk`] are layers that
//! apply them to a pose.

mod chain;
mod fabrik;
mod limb;
mod two_bone;
mod why;

pub use chain::ChainIk;
pub use fabrik::{ChainSettings, solve_chain};
pub use limb::TwoBoneIk;
pub(crate) use limb::bend_limb;
pub use two_bone::{TwoBoneLimb, TwoBoneLimits, TwoBoneSolution, solve_two_bone};
