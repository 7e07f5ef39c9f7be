use super::Compression;
use super::contacts::ContactTrack;
use super::root::RootMotionOptions;
use crate::clip::ClipMarkers;
use crate::skeleton::JointPose;

/// Options for compiling a library.
///
/// ```
/// use nebula_animation::{AnimationClip, AnimationClipLibrary, ClipMarkers, LibraryOptions, Marker, Rig, Skeleton};
///
/// let mut markers = ClipMarkers::new();
/// markers.add(0, Marker { name: "left foot".into(), time: 0.2 });
/// let options = LibraryOptions { markers, ..LibraryOptions::default() };
/// let rig = Rig::new(Skeleton::default());
/// let library = AnimationClipLibrary::with_options(&rig, &[AnimationClip::default()], options);
/// assert_eq!(library[0].markers()[0].name, "left foot");
/// ```
#[derive(Debug, Clone, Default)]
pub struct LibraryOptions {
    /// Markers of the clips, reported as events and used to synchronise blended clips; none by default.
    pub markers: ClipMarkers,
    /// Which part of a joint's motion is extracted from the poses and reported as steps of the character; `None`, the
    /// default, leaves the clips as they are.
    pub root_motion: Option<RootMotionOptions>,
    /// Whether to keep the authored keys, for [`LibraryClip::authored`](super::LibraryClip::authored), at about five
    /// times the memory. Default false.
    pub keeps_authored: bool,
    /// Whether to compile a second copy of each clip for palettes, which crowds play a third faster, at twice the
    /// memory. Default false.
    pub for_palettes: bool,
    /// Name of a marker to add to every clip wherever a foot lands, for footsteps; `None`, the default, adds none.
    pub step_marker: Option<String>,
    /// When the feet of clips stand, clip by clip. For clips beyond the list, which is empty by default, it is detected
    /// from their poses if the rig has [feet](crate::Rig::feet).
    pub contacts: Vec<ContactTrack>,
    /// How far poses may deviate from those of the clips, in return for much less memory; `None`, the default, keeps
    /// every key exactly.
    pub compression: Option<Compression>,
    /// For additive clips, by index: the pose to which each is added, one entry per joint, at which its error is
    /// bounded, instead of [`Compression::base`]. None by default.
    pub additive_bases: Vec<(usize, Vec<JointPose>)>,
}

impl LibraryOptions {
    /// How a clip is compressed, by its index: on the base of its own, if it has one.
    pub(super) fn compression_of(&self, clip: usize) -> Option<Compression> {
        let base = self.additive_bases.iter().find(|(of, _)| *of == clip).map(|(_, base)| base);
        self.compression
            .clone()
            .map(|compression| Compression { base: base.cloned().or(compression.base), ..compression })
    }
}
