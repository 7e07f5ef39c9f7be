use std::ops::Deref;
use std::sync::Arc;

use super::AnimationClip;

/// The clips that players choose from by index; cheap to clone, because the clones share the clips.
///
/// Ten thousand characters of one kind hold ten thousand clones of one library. It derefs to a slice.
///
/// ```
/// use nebula_animation::{AnimationClip, AnimationClipLibrary};
///
/// let library = AnimationClipLibrary::new(vec![AnimationClip { name: "walk".into(), ..Default::default() }]);
/// let shared = library.clone();
/// assert_eq!(shared[0].name, "walk");
/// assert_eq!(shared.index_of("walk"), Some(0));
/// ```
#[derive(Debug, Clone)]
pub struct AnimationClipLibrary(Arc<[AnimationClip]>);

impl AnimationClipLibrary {
    /// A library of these clips, in this order.
    #[must_use]
    pub fn new(clips: Vec<AnimationClip>) -> Self {
        Self(clips.into())
    }

    /// Index of the first clip of this name.
    ///
    /// A linear search: look clips up once, when the character is set up, and keep the index.
    #[must_use]
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.iter().position(|clip| clip.name == name)
    }
}

impl Default for AnimationClipLibrary {
    /// No clips.
    fn default() -> Self {
        Self(Arc::new([]))
    }
}

impl Deref for AnimationClipLibrary {
    type Target = [AnimationClip];

    fn deref(&self) -> &[AnimationClip] {
        &self.0
    }
}

impl AsRef<[AnimationClip]> for AnimationClipLibrary {
    fn as_ref(&self) -> &[AnimationClip] {
        &self.0
    }
}

impl From<Vec<AnimationClip>> for AnimationClipLibrary {
    fn from(clips: Vec<AnimationClip>) -> Self {
        Self::new(clips)
    }
}

impl FromIterator<AnimationClip> for AnimationClipLibrary {
    fn from_iter<I: IntoIterator<Item = AnimationClip>>(clips: I) -> Self {
        Self(clips.into_iter().collect())
    }
}
