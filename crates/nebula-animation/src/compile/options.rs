use super::Compression;
use super::contacts::ContactTrack;
use super::root::RootMotionOptions;
use crate::clip::ClipMarkers;
use crate::skeleton::JointPose;

/// What a library is compiled with, beside its clips.
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
    /// Moments of clips that are reported as events and by which blended clips keep step; none by default.
    pub markers: ClipMarkers,
    /// What of a joint's motion is taken out of the poses and reported as steps of the character; `None`, the default, leaves the
    /// clips as they are.
    pub root_motion: Option<RootMotionOptions>,
    /// Whether the authored keys are kept, for [`LibraryClip::authored`](super::LibraryClip::authored): about five times the memory. Default false.
    pub keeps_authored: bool,
    /// Whether clips are compiled once more for palettes alone, which crowds play a third faster, for twice the memory. Default
    /// false.
    pub for_palettes: bool,
    /// Name of a marker that every clip gets wherever a foot of the rig lands, for footsteps; `None`, the default, for no such markers.
    pub step_marker: Option<String>,
    /// When the feet of clips stand, clip by clip; clips beyond the list, and all by default, find it out from their poses where the
    /// rig has [feet](crate::Rig::feet).
    pub contacts: Vec<ContactTrack>,
    /// How far poses may be from those of the clips, for a fraction of the memory; `None`, the default, keeps every key as it is.
    pub compression: Option<Compression>,
    /// For additive clips, by their index: the pose that each is put on top of, one entry per joint, on which its error is bounded in place
    /// of [`Compression::base`]. None by default.
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
