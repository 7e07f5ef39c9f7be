mod bodies;
mod mirror;
mod names;
mod transfer;
