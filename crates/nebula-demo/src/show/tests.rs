//! The numbers behind the pictures.

mod images;
mod surfaces;
