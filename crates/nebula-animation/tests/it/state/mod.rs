//! States: a character that goes on elsewhere shows the same, bit for bit, and no record does harm.

mod cast;
mod damage;
mod layers;
mod moments;
pub mod performance;
mod process;
mod record;
mod refusal;
mod tampering;
pub mod troupe;
mod values;
