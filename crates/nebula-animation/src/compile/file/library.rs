use std::sync::Arc;

use super::{ClipFileError, restore, save};
use crate::clip::AnimationClip;
use crate::compile::LibraryOptions;
use crate::compile::library::{AnimationClipLibrary, Parts};
use crate::compile::packed::Owner;
use crate::compile::root::extract_root_motion;
use crate::rig::Rig;

impl AnimationClipLibrary {
    /// Compiles clips for a rig and writes them as bytes for [`AnimationClipLibrary::from_bytes`]: ship these instead
    /// of the source files. [Compressed](LibraryOptions::compression) clips are as small as in memory. Authored keys
    /// are not included, even if they are [kept](LibraryOptions::keeps_authored).
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

    /// Reads the clips that [`AnimationClipLibrary::to_bytes`] wrote for the same rig. All bytes are validated, so an
    /// untrusted file gives either clips or an error. The tracks of compressed clips are used in place: bytes in a
    /// static array, a memory-mapped file or a vector are not copied.
    ///
    /// # Errors
    /// The bytes are not such a file, are damaged, or are of another version or rig.
    pub fn from_bytes(rig: &Arc<Rig>, bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, ClipFileError> {
        let owner: Owner = Arc::new(bytes);
        let (clips, markers, parts) = restore(rig, &owner)?;
        Ok(Self::of_parts(rig, clips, markers, &parts))
    }
}
