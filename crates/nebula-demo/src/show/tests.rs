//! The numbers behind the pictures.

mod images;
mod samplers;
mod surfaces;
