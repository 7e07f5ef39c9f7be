//! States: a character that goes on elsewhere shows the same, bit for bit, and no record does harm.

mod cast;
mod damage;
mod layers;
mod performance;
mod record;
mod troupe;
mod values;
