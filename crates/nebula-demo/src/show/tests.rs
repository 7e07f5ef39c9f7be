//! The numbers behind the pictures.

mod images;
mod looks;
mod samplers;
mod surfaces;
