//! Libraries of clips from several files, compiled once for all characters that play them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use bevy::prelude::*;
use nebula_animation::retarget::{RetargetReport, Unpaired, WhyUnpaired};
use nebula_animation::skinning::Bounds;
use nebula_animation::{AnimationClip, AnimationClipLibrary, ClipId, Retarget, Rig};

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
        let compiled = self.0.entry(key).or_insert_with(|| Compiled::new((own.id(), asset), &loaded, files));
        compiled.errors.iter().cloned().for_each(say);
        compiled.library.clone()
    }
}

impl Compiled {
    fn new(
        (own, asset): (AssetId<CharacterAsset>, &CharacterAsset),
        others: &[(AssetId<CharacterAsset>, &CharacterAsset)],
        files: &Scenes,
    ) -> Self {
        let (mut clips, mut errors): (Vec<AnimationClip>, _) = (Vec::new(), Vec::new());
        let own = files.name(own.untyped());
        for (id, other) in others {
            let file = files.name(id.untyped());
            let retarget = match Retarget::new(other.rig(), asset.rig()) {
                Ok(retarget) => retarget,
                Err(error) => {
                    errors.push(NebulaError::Retarget { file, error });
                    continue;
                }
            };
            warn_of_joints(&file, other.rig(), &own, asset.rig(), retarget.report());
            let known = |name: &str| asset.clips.iter().chain(&clips).any(|clip| clip.name == name);
            let hidden: Vec<_> = other.clips.iter().map(|clip| &*clip.name).filter(|name| known(name)).collect();
            if !hidden.is_empty() {
                warn!(
                    "clips of {file} are hidden by those of {own} and before it, which have the same names: {}",
                    hidden.join(", ")
                );
            }
            clips.extend(other.clips.iter().map(|clip| with_face(asset, other, clip, retarget.clip(clip))));
        }
        Self { library: asset.own_library().with_clips(asset.library_with(clips)), errors }
    }
}

/// Says which joints have no partner in the other body, and which parts of a face have none.
fn warn_of_joints(file: &str, from: &Rig, own: &str, to: &Rig, report: &RetargetReport) {
    let names = |rig: &Rig, unpaired: &[Unpaired]| {
        let alone = unpaired.iter().filter(|unpaired| unpaired.why != WhyUnpaired::SharesTwist);
        let joint = |unpaired: &Unpaired| {
            rig.skeleton().joints.get(usize::from(unpaired.joint)).map(|joint| joint.name.clone())
        };
        alone.filter_map(joint).collect::<Vec<_>>().join(", ")
    };
    let lost = [
        (format!("joints of {file} that {own} does not have"), names(from, &report.missing_in_target)),
        (format!("joints of {own} that stay at rest in clips of {file}"), names(to, &report.missing_in_source)),
        (format!("parts of faces of {file} that {own} does not have"), report.missing_morphs.join(", ")),
    ];
    for (what, names) in lost.iter().filter(|(_, names)| !names.is_empty()) {
        warn!("{what}: {names}");
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
