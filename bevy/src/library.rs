//! Libraries of clips from several files, compiled once for all characters that play them.

use std::collections::HashMap;

use bevy::asset::UntypedAssetId;
use bevy::prelude::*;
use nebula_animation::{AnimationClipLibrary, Retarget};

use crate::asset::CharacterAsset;
use crate::character::NebulaCharacter;
use crate::trouble::NebulaError;

/// The libraries of characters that take clips from other files, by the file and the others.
#[derive(Resource, Debug, Default)]
pub(crate) struct Libraries(HashMap<Vec<AssetId<CharacterAsset>>, AnimationClipLibrary>);

impl Libraries {
    /// Forgets all of them: a file has changed.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The library of a character. Clips that cannot be taken over are left out, with an error.
    pub fn get(
        &mut self,
        spec: &NebulaCharacter,
        asset: &CharacterAsset,
        assets: &Assets<CharacterAsset>,
        name: impl Fn(UntypedAssetId) -> String,
        mut say: impl FnMut(NebulaError),
    ) -> AnimationClipLibrary {
        if spec.clips_from.is_empty() {
            return asset.library.clone();
        }
        let key: Vec<_> = std::iter::once(&spec.asset).chain(&spec.clips_from).map(Handle::id).collect();
        let compile = || {
            let mut more = Vec::new();
            for handle in &spec.clips_from {
                let id = handle.id().untyped();
                let Some(other) = assets.get(handle) else {
                    say(NebulaError::NotLoaded { file: name(id), reason: "its clips are left out".to_owned() });
                    continue;
                };
                match Retarget::new(other.rig(), asset.rig()) {
                    Ok(retarget) => more.extend(other.clips.iter().map(|clip| retarget.clip(clip))),
                    Err(error) => say(NebulaError::Retarget { file: name(id), error }),
                }
            }
            asset.library_with(more)
        };
        self.0.entry(key).or_insert_with(compile).clone()
    }
}
