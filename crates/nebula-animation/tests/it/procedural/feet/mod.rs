//! Foot placement, judged by where the skin of the soles is.

mod walker;

mod hills;
