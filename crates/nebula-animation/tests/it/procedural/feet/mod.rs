//! Foot placement, judged by where the skin of the soles is.

mod contacts;
mod events;
mod hills;
mod trouble;
mod walker;
