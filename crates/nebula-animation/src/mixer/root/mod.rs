//! Root motion of a mixer: the steps of its actions, weighted by their share of the pose.

mod report;
mod shares;

pub(super) use report::RootReport;
