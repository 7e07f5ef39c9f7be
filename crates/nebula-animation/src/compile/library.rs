use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use super::{CompiledClip, Rig};
use crate::clip::AnimationClip;
use crate::skeleton::Skeleton;

/// The clips that players choose from by index; cheap to clone, because the clones share the clips.
///
/// Ten thousand characters of one kind hold ten thousand clones of one library. It derefs to a slice. What the players
/// sample is the compiled form of the clips, which the library makes for each skeleton when it first meets it, and which
/// all clones share: see [`compiled_for`](AnimationClipLibrary::compiled_for).
///
/// ```
/// use nebula_animation::{AnimationClip, AnimationClipLibrary};
///
/// let library = AnimationClipLibrary::new(vec![AnimationClip { name: "walk".into(), ..Default::default() }]);
/// let shared = library.clone();
/// assert_eq!(shared[0].name, "walk");
/// assert_eq!(shared.index_of("walk"), Some(0));
/// ```
#[derive(Debug, Clone, Default)]
pub struct AnimationClipLibrary(Arc<Shelf>);

#[derive(Debug, Default)]
struct Shelf {
    clips: Box<[AnimationClip]>,
    /// The latest last.
    compiled: Mutex<Vec<Arc<CompiledLibrary>>>,
}

/// For how many skeletons a library keeps compiled clips that nobody else holds: enough for any cast, and few enough that
/// an editor which changes a skeleton all the time does not fill the memory.
const KEPT: usize = 8;

impl AnimationClipLibrary {
    /// A library of these clips, in this order.
    #[must_use]
    pub fn new(clips: Vec<AnimationClip>) -> Self {
        Self(Arc::new(Shelf { clips: clips.into(), compiled: Mutex::default() }))
    }

    /// Index of the first clip of this name.
    ///
    /// A linear search: look clips up once, when the character is set up, and keep the index.
    #[must_use]
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.iter().position(|clip| clip.name == name)
    }

    /// The clips compiled for a skeleton, and for every other one with the same numbers in it.
    ///
    /// The first call compiles, later ones find; players call it when they meet a new skeleton. Call it yourself, on any
    /// thread, to have that done before the first frame.
    ///
    /// ```
    /// use nebula_animation::{AnimationClip, AnimationClipLibrary, Skeleton};
    ///
    /// let library = AnimationClipLibrary::from(vec![AnimationClip { duration: 2.0, ..Default::default() }]);
    /// let compiled = library.compiled_for(&Skeleton::default());
    /// assert_eq!(compiled.clips()[0].duration(), 2.0);
    /// ```
    #[must_use]
    pub fn compiled_for(&self, skeleton: &Skeleton) -> Arc<CompiledLibrary> {
        // Held while compiling, so that of many threads that ask at once, one does the work.
        let mut kept = self.0.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = kept.iter().find(|compiled| compiled.rig.is_of(skeleton)) {
            return Arc::clone(found);
        }
        let compiled = Arc::new(CompiledLibrary::new(skeleton, self));
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push(Arc::clone(&compiled));
        compiled
    }
}

/// The clips of a library compiled for one skeleton, with the skeleton's rig.
///
/// ```
/// use nebula_animation::{AnimationClip, Evaluator, compile::CompiledLibrary, Skeleton};
///
/// let skeleton = Skeleton::default();
/// let library = CompiledLibrary::new(&skeleton, &[AnimationClip { duration: 2.0, ..Default::default() }]);
/// Evaluator::new().pose(library.rig(), &library.clips()[0], 0.5, &mut skeleton.bind_pose());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledLibrary {
    rig: Rig,
    clips: Box<[CompiledClip]>,
}

impl CompiledLibrary {
    /// Compiles clips for a skeleton.
    #[must_use]
    pub fn new(skeleton: &Skeleton, clips: &[AnimationClip]) -> Self {
        let rig = Rig::new(skeleton);
        let clips = clips.iter().map(|clip| CompiledClip::new(&rig, clip)).collect();
        Self { rig, clips }
    }

    /// The skeleton's rig.
    #[must_use]
    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// The clips, in the library's order.
    #[must_use]
    pub fn clips(&self) -> &[CompiledClip] {
        &self.clips
    }
}

/// Clips by index: a slice, a `Vec`, or a library, which knows their compiled forms too.
///
/// Players sample slices as they are authored, several times slower than a library's compiled clips.
pub trait Clips: AsRef<[AnimationClip]> {
    /// The compiled form of the clips for a skeleton, if it is kept.
    fn compiled_for(&self, skeleton: &Skeleton) -> Option<Arc<CompiledLibrary>> {
        let _ = skeleton;
        None
    }
}

impl Clips for [AnimationClip] {}
impl<const N: usize> Clips for [AnimationClip; N] {}
impl Clips for Vec<AnimationClip> {}
impl Clips for Box<[AnimationClip]> {}
impl Clips for Arc<[AnimationClip]> {}

impl Clips for AnimationClipLibrary {
    fn compiled_for(&self, skeleton: &Skeleton) -> Option<Arc<CompiledLibrary>> {
        Some(Self::compiled_for(self, skeleton))
    }
}

impl<T: Clips + ?Sized> Clips for &T {
    fn compiled_for(&self, skeleton: &Skeleton) -> Option<Arc<CompiledLibrary>> {
        T::compiled_for(self, skeleton)
    }
}

impl Deref for AnimationClipLibrary {
    type Target = [AnimationClip];

    fn deref(&self) -> &[AnimationClip] {
        &self.0.clips
    }
}

impl AsRef<[AnimationClip]> for AnimationClipLibrary {
    fn as_ref(&self) -> &[AnimationClip] {
        self
    }
}

impl From<Vec<AnimationClip>> for AnimationClipLibrary {
    fn from(clips: Vec<AnimationClip>) -> Self {
        Self::new(clips)
    }
}

impl FromIterator<AnimationClip> for AnimationClipLibrary {
    fn from_iter<I: IntoIterator<Item = AnimationClip>>(clips: I) -> Self {
        Self::new(clips.into_iter().collect())
    }
}
