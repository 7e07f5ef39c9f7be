//! The numbers behind the pictures.

mod feet;
mod images;
mod skinning;
