//! Rebuilds characters when what they are made of has changed.

use bevy::asset::UntypedAssetId;
use bevy::prelude::*;

use crate::asset::{CharacterAsset, MachineAsset};
use crate::character::{Animator, NebulaCharacter, Unbound};
use crate::library::Libraries;

/// What a character was put together from.
#[derive(Component, Debug)]
pub(crate) struct Bound {
    pub spec: NebulaCharacter,
    /// Files that it does without, because they could not be loaded.
    pub missing: Vec<UntypedAssetId>,
}

impl Bound {
    /// The files that it is made of, and those that it should be made of.
    fn files(&self) -> impl Iterator<Item = UntypedAssetId> {
        let clips = std::iter::once(&self.spec.asset).chain(&self.spec.clips_from);
        clips.map(|handle| handle.id().untyped()).chain(self.spec.machines.iter().map(|handle| handle.id().untyped()))
    }
}

/// What has come to be there, and what is another now than it was.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    added: Vec<UntypedAssetId>,
    modified: Vec<UntypedAssetId>,
}

impl Changes {
    pub fn read<A: Asset>(&mut self, events: &mut MessageReader<AssetEvent<A>>) {
        for event in events.read() {
            match event {
                AssetEvent::Added { id } => self.added.push(id.untyped()),
                AssetEvent::Modified { id } => self.modified.push(id.untyped()),
                _ => {}
            }
        }
    }

    /// Whether something concerns who is made of these files, and misses some of them: the first load of a file that was broken adds it, all
    /// others modify it.
    pub fn concern(&self, mut files: impl Iterator<Item = UntypedAssetId>, missing: &[UntypedAssetId]) -> bool {
        files.any(|file| self.modified.contains(&file)) || missing.iter().any(|file| self.added.contains(file))
    }

    pub fn are_none(&self) -> bool {
        self.added.is_empty() && self.modified.is_empty()
    }
}

/// Binds characters anew whose file, or one that they take clips or machines from, was loaded again, or at last.
pub(crate) fn rebind_changed(
    mut commands: Commands,
    mut files: MessageReader<AssetEvent<CharacterAsset>>,
    mut machines: MessageReader<AssetEvent<MachineAsset>>,
    mut libraries: ResMut<Libraries>,
    characters: Query<(Entity, &Bound), With<Animator>>,
) {
    let mut changes = Changes::default();
    changes.read(&mut files);
    if !changes.modified.is_empty() {
        libraries.clear();
    }
    changes.read(&mut machines);
    if changes.are_none() {
        return;
    }
    for (entity, bound) in &characters {
        if changes.concern(bound.files(), &bound.missing) {
            commands.entity(entity).insert(Unbound::default());
        }
    }
}

/// Takes over a speed that was changed; who is to be made of other files is put together anew.
pub(crate) fn follow_characters(
    mut commands: Commands,
    mut characters: Query<(Entity, &NebulaCharacter, &Bound, &mut Animator), Changed<NebulaCharacter>>,
) {
    for (entity, spec, bound, mut animator) in &mut characters {
        animator.bypass_change_detection().character.mixer.time_scale = spec.speed;
        if !spec.is_made_as(&bound.spec) {
            commands.entity(entity).insert(Unbound::default());
        }
    }
}
