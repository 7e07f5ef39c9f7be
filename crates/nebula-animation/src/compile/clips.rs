use std::sync::Arc;

use super::AnimationClipLibrary;
use crate::clip::AnimationClip;

/// Access to clips by index: a slice or a `Vec` of authored clips, or a library of compiled ones.
///
/// Slices are sampled as authored, by glTF's own formulas, which is several times slower than a library.
pub trait Clips {
    /// How many clips there are.
    fn clip_count(&self) -> usize;

    /// Name of a clip; `None` where there is no such clip.
    fn clip_name(&self, clip: usize) -> Option<&str>;

    /// Length of a clip in seconds; `None` where there is no such clip.
    fn clip_duration(&self, clip: usize) -> Option<f32>;

    /// A clip as it was authored, where that is how it is played.
    fn authored(&self, clip: usize) -> Option<&AnimationClip>;

    /// The library, where the clips are compiled.
    fn library(&self) -> Option<&AnimationClipLibrary> {
        None
    }
}

impl Clips for [AnimationClip] {
    fn clip_count(&self) -> usize {
        self.len()
    }

    fn clip_name(&self, clip: usize) -> Option<&str> {
        self.get(clip).map(|clip| clip.name.as_str())
    }

    fn clip_duration(&self, clip: usize) -> Option<f32> {
        self.get(clip).map(|clip| clip.duration)
    }

    fn authored(&self, clip: usize) -> Option<&AnimationClip> {
        self.get(clip)
    }
}

/// Whatever lends its clips is used as they are.
macro_rules! as_what_it_lends {
    ($([$($generics:tt)*] $type:ty),+ $(,)?) => {
        $(impl<$($generics)*> Clips for $type {
            fn clip_count(&self) -> usize {
                (**self).clip_count()
            }
            fn clip_name(&self, clip: usize) -> Option<&str> {
                (**self).clip_name(clip)
            }
            fn clip_duration(&self, clip: usize) -> Option<f32> {
                (**self).clip_duration(clip)
            }
            fn authored(&self, clip: usize) -> Option<&AnimationClip> {
                (**self).authored(clip)
            }
            fn library(&self) -> Option<&AnimationClipLibrary> {
                (**self).library()
            }
        })+
    };
}

as_what_it_lends!([] Vec<AnimationClip>, [] Box<[AnimationClip]>, [] Arc<[AnimationClip]>, [T: Clips + ?Sized] &T);

impl<const N: usize> Clips for [AnimationClip; N] {
    fn clip_count(&self) -> usize {
        N
    }

    fn clip_name(&self, clip: usize) -> Option<&str> {
        self.as_slice().clip_name(clip)
    }

    fn clip_duration(&self, clip: usize) -> Option<f32> {
        self.as_slice().clip_duration(clip)
    }

    fn authored(&self, clip: usize) -> Option<&AnimationClip> {
        self.get(clip)
    }
}

impl Clips for AnimationClipLibrary {
    fn clip_count(&self) -> usize {
        self.len()
    }

    fn clip_name(&self, clip: usize) -> Option<&str> {
        self.get(clip).map(|clip| clip.name())
    }

    fn clip_duration(&self, clip: usize) -> Option<f32> {
        self.get(clip).map(|clip| clip.duration())
    }

    fn authored(&self, _clip: usize) -> Option<&AnimationClip> {
        None
    }

    fn library(&self) -> Option<&AnimationClipLibrary> {
        Some(self)
    }
}
