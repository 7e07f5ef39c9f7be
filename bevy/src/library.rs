//! Libraries of clips from several files, compiled once for all characters that play them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use bevy::prelude::*;
use nebula_animation::skinning::Bounds;
use nebula_animation::{AnimationClip, AnimationClipLibrary, ClipId, Retarget};

use crate::asset::CharacterAsset;
use crate::bind::Scenes;
use crate::reach::Outlines;
use crate::trouble::NebulaError;

/// The libraries of characters that take clips from other files, by the file and those of the others that are there.
#[derive(Resource, Debug, Default)]
pub(crate) struct Libraries(HashMap<Vec<AssetId<CharacterAsset>>, Compiled>);

/// Clips, and a number that those of no other library have.
#[derive(Debug, Clone)]
pub(crate) struct Library {
    pub number: u64,
    pub clips: AnimationClipLibrary,
    outlines: Arc<Outlines>,
    /// How far the meshes reach in each clip, as soon as somebody has asked.
    reach: Arc<[OnceLock<Option<Bounds>>]>,
}

impl Library {
    pub fn new(clips: AnimationClipLibrary, outlines: Arc<Outlines>) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let reach = clips.iter().map(|_| OnceLock::new()).collect();
        Self { number: COUNT.fetch_add(1, Ordering::Relaxed), clips, outlines, reach }
    }

    /// The box that holds the skinned meshes at all times of a clip, in model space; `None` where that is not known.
    pub fn reach_of(&self, clip: ClipId) -> Option<Bounds> {
        let (reach, clip) = (self.reach.get(clip.index())?, self.clips.get(clip.index())?);
        *reach.get_or_init(|| self.outlines.of_clip(self.clips.rig(), clip))
    }

    /// A library of other clips for the same body.
    fn with_clips(&self, clips: AnimationClipLibrary) -> Self {
        Self::new(clips, Arc::clone(&self.outlines))
    }
}

#[derive(Debug)]
struct Compiled {
    library: Library,
    /// Which clips are not in it, and why: every character is told.
    errors: Vec<NebulaError>,
}

impl Libraries {
    /// Forgets all of them: a file has changed.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The library of a character of a file, with the clips of others. Clips that cannot be taken over are left out, with an error.
    pub fn get(
        &mut self,
        (own, asset): (&Handle<CharacterAsset>, &CharacterAsset),
        others: &[Handle<CharacterAsset>],
        files: &Scenes,
        mut say: impl FnMut(NebulaError),
    ) -> Library {
        let mut loaded = Vec::new();
        for handle in others {
            match files.assets.get(handle) {
                Some(other) => loaded.push((handle.id(), other)),
                None => say(files.why_missing(handle.id().untyped(), "its clips are left out")),
            }
        }
        if loaded.is_empty() {
            return asset.own_library();
        }
        let key = std::iter::once(own.id()).chain(loaded.iter().map(|(id, _)| *id)).collect();
        let compiled = self.0.entry(key).or_insert_with(|| Compiled::new(asset, &loaded, files));
        compiled.errors.iter().cloned().for_each(say);
        compiled.library.clone()
    }
}

impl Compiled {
    fn new(asset: &CharacterAsset, others: &[(AssetId<CharacterAsset>, &CharacterAsset)], files: &Scenes) -> Self {
        let (mut clips, mut errors) = (Vec::new(), Vec::new());
        for (id, other) in others {
            match Retarget::new(other.rig(), asset.rig()) {
                Ok(retarget) => {
                    clips.extend(other.clips.iter().map(|clip| with_face(asset, other, clip, retarget.clip(clip))));
                }
                Err(error) => errors.push(NebulaError::Retarget { file: files.name(id.untyped()), error }),
            }
        }
        Self { library: asset.own_library().with_clips(asset.library_with(clips)), errors }
    }
}

/// A clip of another file with its face, where both are avatars.
fn with_face(
    asset: &CharacterAsset,
    other: &CharacterAsset,
    played: &AnimationClip,
    mut clip: AnimationClip,
) -> AnimationClip {
    if let (Some(own), Some(theirs)) = (&asset.avatar, &other.avatar) {
        own.add_expression_tracks(theirs, played, asset.rig().morphs(), &mut clip);
        own.add_gaze_tracks(theirs, played, asset.rig(), &mut clip);
    }
    clip
}
