//! Players, by every way of using and misusing them.

mod closed_form;
mod controls;
mod drift;
pub mod fuzz;
mod inputs;
mod misuse;
mod morphs;
mod poses;
pub mod rig;
pub mod warnings;
