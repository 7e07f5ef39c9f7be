use std::ops::Deref;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::block::PoseBlock;
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
#[derive(Debug, Clone)]
pub struct AnimationClipLibrary(Arc<Shelf>);

#[derive(Debug)]
struct Shelf {
    clips: Box<[AnimationClip]>,
    /// Told apart by a number, because addresses are used again.
    number: u32,
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
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Self(Arc::new(Shelf { clips: clips.into(), number, compiled: Mutex::default() }))
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
    /// The clips in bind space, where they can be: palettes without a detour over poses.
    bound: Box<[Option<CompiledClip>]>,
    is_finite: bool,
}

impl CompiledLibrary {
    /// Compiles clips for a skeleton.
    #[must_use]
    pub fn new(skeleton: &Skeleton, clips: &[AnimationClip]) -> Self {
        let rig = Rig::new(skeleton);
        let bound = |clip| Some(CompiledClip::for_palettes(&rig, clip)).filter(|clip| clip.is_in_bind_space);
        let bound = clips.iter().map(bound).collect();
        let clips: Box<[_]> = clips.iter().map(|clip| CompiledClip::new(&rig, clip)).collect();
        // Blends of rotations that are far from unit length may be no numbers.
        let is_sound = |block: &PoseBlock| block.is_tame() && block.is_of_unit_turns();
        let is_finite = rig.rest.iter().all(is_sound) && clips.iter().all(|clip| clip.is_finite);
        Self { rig, clips, bound, is_finite }
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

    /// Whether every pose of every clip is finite, and every blend of them.
    pub(crate) fn is_finite(&self) -> bool {
        self.is_finite
    }

    /// A clip as [`CompiledClip::for_palettes`] compiles it, where that is faster.
    #[must_use]
    pub fn for_palettes(&self, clip: usize) -> Option<&CompiledClip> {
        self.bound.get(clip)?.as_ref()
    }
}

/// Clips by index: a slice, a `Vec`, or a library, which knows their compiled forms too.
///
/// Players sample slices as they are authored, several times slower than a library's compiled clips.
pub trait Clips: AsRef<[AnimationClip]> {
    /// A number by which a player notices that these are other clips than before: by default, of their address.
    fn identity(&self) -> u32 {
        // Two that differ in the rest only are 32 GB apart.
        (self.as_ref().as_ptr().addr() >> 3) as u32
    }

    /// The compiled form of the clips for a skeleton, if it is kept.
    fn compiled_for(&self, skeleton: &Skeleton) -> Option<Arc<CompiledLibrary>> {
        let _ = skeleton;
        None
    }
}

impl Default for AnimationClipLibrary {
    /// No clips.
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl Clips for [AnimationClip] {}
impl<const N: usize> Clips for [AnimationClip; N] {}
impl Clips for Vec<AnimationClip> {}
impl Clips for Box<[AnimationClip]> {}
impl Clips for Arc<[AnimationClip]> {}

impl Clips for AnimationClipLibrary {
    fn identity(&self) -> u32 {
        self.0.number
    }

    fn compiled_for(&self, skeleton: &Skeleton) -> Option<Arc<CompiledLibrary>> {
        Some(Self::compiled_for(self, skeleton))
    }
}

impl<T: Clips + ?Sized> Clips for &T {
    fn identity(&self) -> u32 {
        T::identity(self)
    }

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
