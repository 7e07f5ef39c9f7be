mod bodies;
mod everyone;
mod mirror;
mod names;
mod transfer;
