use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use glam::Vec3;
use thiserror::Error;

use super::clip_id::ClipId;
use super::contacts::ContactTrack;
use super::fingerprint;
use super::options::LibraryOptions;
use super::root::{RootTrack, extract_root_motion};
use super::{Clips, CompiledClip, Compression};
use crate::clip::{AnimationClip, ClipMarkers, Marker};
use crate::math::Fingerprint;
use crate::rig::Rig;
use crate::rig::block::PoseBlock;
use crate::skeleton::{listed, near_names};

/// The clips of a character, compiled for its rig. Cheap to clone, because clones share the data.
///
/// Ten thousand characters of one kind hold ten thousand clones of one library. It dereferences to a slice of
/// [`LibraryClip`]s. Each clip includes its markers, its root motion, its contacts and its morph weights. For another
/// rig, build another library from the same clips.
///
/// ```
/// use nebula_animation::{AnimationClip, AnimationClipLibrary, Rig, Skeleton};
///
/// let rig = Rig::new(Skeleton::default());
/// let library = AnimationClipLibrary::new(&rig, &[AnimationClip { name: "walk".into(), ..Default::default() }]);
/// let shared = library.clone();
/// assert_eq!(shared[0].name(), "walk");
/// assert_eq!(shared.find("walk").map(|clip| clip.index()), Ok(0));
/// assert_eq!(shared.find("wlak").expect_err("misspelt").near, ["walk"]);
/// ```
#[derive(Debug, Clone)]
pub struct AnimationClipLibrary(Arc<ClipSet>);

#[derive(Debug)]
struct ClipSet {
    /// A number that no other library of the process has; clones share it.
    id: u64,
    rig: Arc<Rig>,
    clips: Box<[LibraryClip]>,
    /// The markers of all clips once more, as events look them up.
    markers: Arc<ClipMarkers>,
    has_roots: bool,
    is_finite: bool,
    /// A hash of everything in it that decides what is played.
    fingerprint: u64,
}

/// What belongs to all clips of a library.
pub(super) struct Parts {
    pub has_roots: bool,
    pub fingerprint: u64,
}

/// A library has no clip with that name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no clip \"{}\" among {count} clips{}", name.escape_debug(), listed(near))]
pub struct UnknownClip {
    /// The requested name.
    pub name: String,
    /// Similar clip names, best first; at most five.
    pub near: Vec<String>,
    /// The number of clips.
    pub count: usize,
}

impl AnimationClipLibrary {
    /// Compiles clips for a rig, in this order.
    #[must_use]
    pub fn new(rig: &Arc<Rig>, clips: &(impl AsRef<[AnimationClip]> + ?Sized)) -> Self {
        Self::with_options(rig, clips, LibraryOptions::default())
    }

    /// Compiles clips for a rig into a fraction of the memory, with a bounded error.
    #[must_use]
    pub fn compressed(
        rig: &Arc<Rig>,
        clips: &(impl AsRef<[AnimationClip]> + ?Sized),
        compression: &Compression,
    ) -> Self {
        let compression = Some(compression.clone());
        Self::with_options(rig, clips, LibraryOptions { compression, ..LibraryOptions::default() })
    }

    /// Compiles clips for a rig with options.
    #[must_use]
    pub fn with_options(
        rig: &Arc<Rig>,
        clips: &(impl AsRef<[AnimationClip]> + ?Sized),
        options: LibraryOptions,
    ) -> Self {
        let compressions: Vec<Option<Compression>> =
            (0..clips.as_ref().len()).map(|clip| options.compression_of(clip)).collect();
        let LibraryOptions { mut markers, root_motion, keeps_authored, for_palettes, step_marker, contacts, .. } =
            options;
        let mut contacts = contacts.into_iter();
        let mut hash = Fingerprint::new();
        let clips: Box<[LibraryClip]> = clips
            .as_ref()
            .iter()
            .enumerate()
            .map(|(index, clip)| {
                let split = root_motion.map(|options| extract_root_motion(clip, rig, &options));
                let on_the_spot = split.as_ref().map_or(clip, |(clip, _)| clip);
                let compression = &compressions[index];
                let (compiled, bound) = match compression {
                    Some(compression) => (
                        CompiledClip::compressed(rig, on_the_spot, compression),
                        for_palettes.then(|| CompiledClip::compressed_for_palettes(rig, on_the_spot, compression)),
                    ),
                    None => (
                        CompiledClip::new(rig, on_the_spot),
                        for_palettes.then(|| CompiledClip::for_palettes(rig, on_the_spot)),
                    ),
                };
                let bound = bound.filter(|clip| clip.is_in_bind_space).map(Arc::new);
                let (contacts, velocity) = match (contacts.next(), rig.feet()) {
                    (given, Some(feet)) => {
                        // Feet stand when they do as authored, however a clip is rounded.
                        let exact = compression.is_some().then(|| CompiledClip::new(rig, on_the_spot));
                        let (found, velocity) =
                            ContactTrack::of_compiled(exact.as_ref().unwrap_or(&compiled), rig, feet);
                        (Some(given.unwrap_or(found)), velocity)
                    }
                    (given, None) => (given, Vec3::ZERO),
                };
                if let (Some(name), Some(contacts)) = (&step_marker, &contacts) {
                    contacts.landings().for_each(|time| markers.add(index, Marker { name: name.clone(), time }));
                }
                fingerprint::add_clip(&mut hash, clip, markers.of(index));
                if let Some((clip, _)) = &split {
                    fingerprint::add_clip(&mut hash, clip, &[]);
                }
                if let Some(contacts) = &contacts {
                    contacts.add_to(&mut hash);
                }
                LibraryClip {
                    compiled,
                    bound,
                    markers: markers.of(index).into(),
                    authored: keeps_authored.then(|| clip.clone()),
                    root: split.map(|(_, track)| track.thinned(compression.as_ref().map(|bound| bound.error))),
                    contacts,
                    velocity,
                }
            })
            .collect();
        let parts = Parts { has_roots: root_motion.is_some(), fingerprint: hash.value() };
        Self::of_parts(rig, clips, markers, &parts)
    }

    pub(super) fn of_parts(rig: &Arc<Rig>, clips: Box<[LibraryClip]>, markers: ClipMarkers, parts: &Parts) -> Self {
        // Blends of rotations that are far from unit length may be no numbers.
        let is_sound = |block: &PoseBlock| block.is_tame() && block.is_of_unit_turns();
        let is_finite = rig.rest.iter().all(is_sound) && clips.iter().all(|clip| clip.compiled.is_finite);
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let (id, rig, markers) = (COUNT.fetch_add(1, Ordering::Relaxed), Arc::clone(rig), Arc::new(markers));
        let Parts { has_roots, fingerprint } = *parts;
        Self(Arc::new(ClipSet { id, rig, clips, markers, has_roots, is_finite, fingerprint }))
    }

    /// The rig that the clips are compiled for.
    #[must_use]
    pub fn rig(&self) -> &Arc<Rig> {
        &self.0.rig
    }

    /// The first clip with this name.
    ///
    /// This is a linear search: look clips up once, when you set up the character, and keep the handle.
    ///
    /// # Errors
    /// There is no such clip; similar names are listed.
    pub fn find(&self, name: &str) -> Result<ClipId, UnknownClip> {
        find_clip(self, name)
    }

    /// The first clip with one of these names, tried in order: `["walk", "Walking"]`.
    ///
    /// # Errors
    /// There is no such clip; names similar to the first one are listed.
    pub fn find_any(&self, names: &[&str]) -> Result<ClipId, UnknownClip> {
        let found = names.iter().find_map(|name| self.index_of(name)).map(ClipId::new);
        found.map_or_else(|| self.find(names.first().copied().unwrap_or_default()), Ok)
    }

    /// The handles of all clips, in library order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = ClipId> + use<> {
        (0..self.len()).map(ClipId::new)
    }

    /// Index of the first clip with this name.
    #[must_use]
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.iter().position(|clip| clip.name() == name)
    }

    /// Total size of the clips in bytes: keys, markers, root motion, contacts. Clones share them. The rig, which is
    /// shared as well, is not included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<ClipSet>() + self.iter().map(LibraryClip::bytes).sum::<usize>()
    }

    /// The markers of all clips.
    #[must_use]
    pub fn markers(&self) -> &Arc<ClipMarkers> {
        &self.0.markers
    }

    /// The number of this library, which no other one of the process has; clones have the same.
    pub(crate) fn id(&self) -> u64 {
        self.0.id
    }

    /// A number that another library hardly ever has: of clips, markers, contacts, and what was taken out of them.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.0.fingerprint
    }

    /// Whether the clips tell the way of their root.
    pub(crate) fn has_roots(&self) -> bool {
        self.0.has_roots
    }

    /// Whether every pose of every clip is finite, and every blend of them.
    pub(crate) fn is_finite(&self) -> bool {
        self.0.is_finite
    }
}

/// The first clip of a name, or names that come close.
pub(crate) fn find_clip(clips: &(impl Clips + ?Sized), name: &str) -> Result<ClipId, UnknownClip> {
    let names = || (0..clips.clip_count()).filter_map(|clip| clips.clip_name(clip));
    names().position(|known| known == name).map(ClipId::new).ok_or_else(|| UnknownClip {
        name: name.to_owned(),
        near: near_names(name, names()),
        count: clips.clip_count(),
    })
}

/// A clip of an [`AnimationClipLibrary`]: compiled, with everything that belongs to it. Dereferences to the compiled
/// clip.
#[derive(Debug)]
pub struct LibraryClip {
    compiled: CompiledClip,
    /// In bind space, where that was asked for and is possible. Crowds share it.
    bound: Option<Arc<CompiledClip>>,
    markers: Box<[Marker]>,
    authored: Option<AnimationClip>,
    root: Option<RootTrack>,
    contacts: Option<ContactTrack>,
    velocity: Vec3,
}

impl LibraryClip {
    /// As a file has it.
    pub(super) fn of_parts(
        compiled: CompiledClip,
        bound: Option<CompiledClip>,
        markers: Box<[Marker]>,
        root: Option<RootTrack>,
        contacts: Option<ContactTrack>,
        velocity: Vec3,
    ) -> Self {
        Self { compiled, bound: bound.map(Arc::new), markers, authored: None, root, contacts, velocity }
    }

    /// The markers of the clip, by time.
    #[must_use]
    pub fn markers(&self) -> &[Marker] {
        &self.markers
    }

    /// The root motion that was extracted from the poses; `None` unless [`LibraryOptions::root_motion`] asks for it.
    #[must_use]
    pub fn root(&self) -> Option<&RootTrack> {
        self.root.as_ref()
    }

    /// When each foot of the rig stands; `None` if the rig has no feet.
    #[must_use]
    pub fn contacts(&self) -> Option<&ContactTrack> {
        self.contacts.as_ref()
    }

    /// The velocity at which the clip walks, in model space and units per second: move the character at this velocity,
    /// and its feet do not slide. Zero for clips that stand, and for rigs without feet.
    ///
    /// ```
    /// use nebula_animation::{AnimationClipLibrary, Rig, load_skeleton_and_clips};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (skeleton, clips) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref())?;
    /// let library = AnimationClipLibrary::new(&Rig::new(skeleton), &clips);
    /// let walk = &library[library.find("walk")?];
    /// assert!((walk.velocity().z - 1.4).abs() < 0.05);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn velocity(&self) -> Vec3 {
        self.velocity
    }

    /// The authored clip; `None` unless [`LibraryOptions::keeps_authored`] is set.
    #[must_use]
    pub fn authored(&self) -> Option<&AnimationClip> {
        self.authored.as_ref()
    }

    /// The clip as compiled by [`CompiledClip::for_palettes`], if the library has it; otherwise the clip itself.
    #[must_use]
    pub fn for_palettes(&self) -> &CompiledClip {
        self.bound.as_deref().unwrap_or(&self.compiled)
    }

    /// The clip in the form for palettes alone, where the library has it.
    pub(crate) fn bound(&self) -> Option<&Arc<CompiledClip>> {
        self.bound.as_ref()
    }

    fn bytes(&self) -> usize {
        let keys = |clip: &AnimationClip| {
            let vectors = clip.translation_channels.iter().chain(&clip.scale_channels);
            let vectors: usize = vectors.map(|channel| size_of_val(&channel.keyframes[..])).sum();
            let rotations = clip.rotation_channels.iter().map(|channel| size_of_val(&channel.keyframes[..]));
            vectors + rotations.sum::<usize>()
        };
        let own = size_of::<Self>() - size_of::<CompiledClip>();
        own + self.compiled.report().bytes
            + self.bound.as_ref().map_or(0, |clip| clip.report().bytes)
            + self.markers.iter().map(|marker| size_of::<Marker>() + marker.name.len()).sum::<usize>()
            + self.authored.as_ref().map_or(0, keys)
            + self.root.as_ref().map_or(0, RootTrack::bytes)
            + self.contacts.as_ref().map_or(0, ContactTrack::bytes)
    }
}

impl Deref for LibraryClip {
    type Target = CompiledClip;

    fn deref(&self) -> &CompiledClip {
        &self.compiled
    }
}

impl Default for AnimationClipLibrary {
    /// No clips, of a rig without joints.
    fn default() -> Self {
        Self::new(&Rig::new(crate::skeleton::Skeleton::default()), &[])
    }
}

impl Deref for AnimationClipLibrary {
    type Target = [LibraryClip];

    fn deref(&self) -> &[LibraryClip] {
        &self.0.clips
    }
}
