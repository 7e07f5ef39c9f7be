pub mod bodies;
mod everyone;
mod hands;
mod limbs;
mod mirror;
mod names;
mod postures;
mod strangers;
mod transfer;
