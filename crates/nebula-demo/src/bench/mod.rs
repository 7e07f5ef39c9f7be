//! The workload of the benchmarks.

pub mod rig;
