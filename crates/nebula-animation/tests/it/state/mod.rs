//! States: a character that goes on elsewhere shows the same, bit for bit, and no record does harm.

mod cast;
mod damage;
mod layers;
mod moments;
mod performance;
mod process;
mod record;
mod refusal;
mod tampering;
mod troupe;
mod values;
