//! Broken files. Each table names a fault, what must come of it, and beside it the valid file that differs in one value.

mod bombs;
mod buffers;
mod channels;
mod container;
mod extensions;
mod json;
mod keys;
mod nodes;
mod ranges;
mod skin;
mod sparse;
mod traversal;
mod types;
mod vertices;
