use thiserror::Error;

/// Why a [`Crowd`](super::Crowd) rejected a call; it is unchanged.
///
/// ```
/// use nebula_animation::{AnimationClip, AnimationClipLibrary, Crowd, Rig, Skeleton};
///
/// let clip = |name: &str| AnimationClip { name: name.into(), ..Default::default() };
/// let rig = Rig::new(Skeleton::default());
/// let library = AnimationClipLibrary::new(&rig, &[clip("walk"), clip("run")]);
/// let other = AnimationClipLibrary::new(&rig, &[clip("walk")]);
/// let error = Crowd::new().add_clip(&other, library.find("run")?).expect_err("a handle of another library");
/// assert_eq!(error.to_string(), "there is no clip 1 in a library of 1 clips");
/// # Ok::<(), nebula_animation::compile::UnknownClip>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// The library has no such clip: the handle belongs to another library.
    #[error("there is no clip {index} in a library of {count} clips")]
    NoSuchClip {
        /// Index of the clip that was asked for.
        index: usize,
        /// How many clips the library has.
        count: usize,
    },
    /// The crowd has no such clip: the handle belongs to another crowd.
    #[error("there is no clip {index} among the {count} clips of this crowd")]
    NoSuchCrowdClip {
        /// Number of the clip that was asked for.
        index: usize,
        /// How many clips the crowd has.
        count: usize,
    },
    /// There is no room for another character.
    #[error("{joints} joints: a crowd has at most 2^32 - 1, and as many characters")]
    Full {
        /// How many joints all characters together would have.
        joints: usize,
    },
}
