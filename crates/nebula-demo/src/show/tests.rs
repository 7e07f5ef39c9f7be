//! The numbers behind the pictures.

pub(crate) mod avatar;
mod images;
mod looks;
mod samplers;
mod surfaces;
