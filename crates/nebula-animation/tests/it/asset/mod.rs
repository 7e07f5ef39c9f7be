//! glTF files. Every kind of valid file agrees with the reference; every kind of broken one is refused or repaired.

mod accessor;
mod animation;
mod bounds;
mod bytes;
mod container;
mod disk;
mod document;
mod extensions;
mod flips;
mod image;
mod influences;
mod khr_clip;
mod mesh;
mod meshopt;
mod morph;
mod morph_clips;
mod nodes;
mod options;
mod pointer;
mod random;
mod refusal;
mod rig;
mod skin;
mod source;
mod texture;
mod warnings;
