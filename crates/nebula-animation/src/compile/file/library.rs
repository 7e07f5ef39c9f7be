use std::sync::Arc;

use super::{ClipFileError, restore, save};
use crate::clip::AnimationClip;
use crate::compile::LibraryOptions;
use crate::compile::library::{AnimationClipLibrary, Parts};
use crate::compile::packed::Owner;
use crate::compile::root::extract_root_motion;
use crate::rig::Rig;

impl AnimationClipLibrary {
    /// Compiles clips for a rig, and writes them as bytes that [`AnimationClipLibrary::from_bytes`] reads: what a game ships instead of
    /// the files that the clips came in. Clips that are [compressed](LibraryOptions::compression) are as small there as in memory. The authored
    /// keys are not among the bytes, whether [kept](LibraryOptions::keeps_authored) or not.
    ///
    /// ```
    /// use nebula_animation::{AnimationClipLibrary, Compression, LibraryOptions, Rig, load_skeleton_and_clips};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (skeleton, clips) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref())?;
    /// let rig = Rig::new(skeleton);
    /// let options = LibraryOptions { compression: Some(Compression::default()), ..LibraryOptions::default() };
    /// let bytes = AnimationClipLibrary::to_bytes(&rig, &clips, options);
    ///
    /// let library = AnimationClipLibrary::from_bytes(&rig, bytes)?;
    /// assert_eq!(library.len(), clips.len());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn to_bytes(
        rig: &Arc<Rig>,
        clips: &(impl AsRef<[AnimationClip]> + ?Sized),
        options: LibraryOptions,
    ) -> Vec<u8> {
        let root_motion = options.root_motion;
        let library = Self::with_options(rig, clips, options);
        let on_the_spot = |clip: &AnimationClip| {
            root_motion.map_or_else(|| clip.clone(), |options| extract_root_motion(clip, rig, &options).0)
        };
        let sources: Vec<AnimationClip> = clips.as_ref().iter().map(on_the_spot).collect();
        let parts = Parts { has_roots: library.has_roots(), fingerprint: library.fingerprint() };
        save(rig, &library, &sources, &parts)
    }

    /// The clips of a file that [`AnimationClipLibrary::to_bytes`] made for the same rig. Every byte is checked, so that a file of a
    /// stranger is clips or an error. The tracks of compressed clips stay where they are: bytes that are a static array, or a file that
    /// is mapped into memory, are not copied, and bytes in a vector are not copied again.
    ///
    /// # Errors
    /// Bytes that are no such file, damaged ones, and those of another version or rig.
    pub fn from_bytes(rig: &Arc<Rig>, bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, ClipFileError> {
        let owner: Owner = Arc::new(bytes);
        let (clips, markers, parts) = restore(rig, &owner)?;
        Ok(Self::of_parts(rig, clips, markers, &parts))
    }
}
