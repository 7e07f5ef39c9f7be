//! Applies changes of what members play.

use std::sync::Arc;

use bevy::prelude::*;
use bevy::world_serialization::WorldInstanceReady;
use nebula_animation::crowd::{CrowdCharacterId, CrowdClipId, CrowdError, SecondClip};
use nebula_animation::{AnimationClipLibrary, ClipId};

use super::{CrowdMember, CrowdSeat, Made, NebulaCrowd, Seatless, Shard};
use crate::asset::CharacterAsset;
use crate::layers::{FeetOnGround, GazeAt};
use crate::library::Library;
use crate::rebind::Changes;
use crate::trouble::{NebulaError, Troubles};

impl CrowdMember {
    /// Whether it plays the same clips as another.
    fn plays_as(&self, other: &Self) -> bool {
        self.clip == other.clip
            && self.second.as_ref().map(|(name, _)| name) == other.second.as_ref().map(|(name, _)| name)
    }

    /// Which clip of a library it plays.
    pub(super) fn find_clip(&self, library: &AnimationClipLibrary) -> Result<ClipId, NebulaError> {
        let no_clip = || NebulaError::Crowd("the file has no clips: a crowd plays some".to_owned());
        match &self.clip {
            Some(name) => Ok(library.find(name)?),
            None => library.ids().next().ok_or_else(no_clip),
        }
    }
}

impl Shard {
    pub(super) fn clip(&mut self, library: &Library, clip: ClipId) -> Result<CrowdClipId, CrowdError> {
        let key = (library.number, clip);
        if let Some(known) = self.clips.get(&key) {
            return Ok(*known);
        }
        let new = self.crowd.add_clip(&library.clips, clip)?;
        self.clips.insert(key, new);
        self.sources.insert(new, (clip, Arc::clone(library.clips.markers())));
        Ok(new)
    }

    /// Takes over what a member is to play. `sought` is the time that was asked for before.
    pub(super) fn apply(
        &mut self,
        id: CrowdCharacterId,
        spec: &CrowdMember,
        library: &Library,
        sought: Option<f64>,
    ) -> Result<(), NebulaError> {
        let to_error = |error: CrowdError| NebulaError::Crowd(error.to_string());
        let clip = self.clip(library, spec.find_clip(&library.clips)?).map_err(to_error)?;
        let second = match &spec.second {
            Some((name, weight)) => Some((self.clip(library, library.clips.find(name)?).map_err(to_error)?, *weight)),
            None => None,
        };
        let Some(member) = self.crowd.character_mut(id) else { return Ok(()) };
        member.speed = spec.speed;
        if clip != member.clip {
            (member.clip, member.time) = (clip, 0.0);
        }
        if sought != Some(spec.time) {
            member.time = spec.time;
        }
        member.second = second.map(|(clip, weight)| {
            let time = member.second.filter(|second| second.clip == clip).map_or(0.0, |second| second.time);
            SecondClip { clip, time, weight }
        });
        Ok(())
    }
}

/// Lets members play something else whose component was changed; who is to be made of other files gets another seat.
pub(crate) fn follow_members(
    mut commands: Commands,
    mut members: Query<(Entity, &CrowdMember, &mut CrowdSeat), Changed<CrowdMember>>,
    mut crowd: ResMut<NebulaCrowd>,
    mut troubles: Troubles,
) {
    for (entity, spec, mut seat) in &mut members {
        if !spec.is_made_as(&seat.made.spec) {
            commands.entity(entity).insert(Seatless::default());
            continue;
        }
        let Some(shard) = crowd.shards.get_mut(seat.shard) else { continue };
        match shard.apply(seat.id, spec, &seat.made.library, Some(seat.made.spec.time)) {
            Ok(()) if spec.plays_as(&seat.made.spec) => seat.made.spec.time = spec.time,
            Ok(()) => {
                seat.made.spec.clone_from(spec);
                seat.bound_meshes(&mut commands);
            }
            Err(error) => troubles.say(entity, error),
        }
    }
}

impl NebulaCrowd {
    /// Frees a seat.
    pub(super) fn leave(&mut self, seat: &mut CrowdSeat) {
        let Some(shard) = self.shards.get_mut(seat.shard) else { return };
        shard.remove(seat.id, seat.made.library.number);
        seat.shard = usize::MAX;
    }
}

impl Shard {
    /// Removes a member, and with the last one who plays a library what is known of it.
    fn remove(&mut self, id: CrowdCharacterId, library: u64) {
        self.crowd.remove(id);
        self.members.remove(&id);
        if self.crowd.characters().is_empty() {
            // Rigs and clips go with it.
            *self = Self { is_posed: self.is_posed, ..Self::default() };
            return;
        }
        if let Some(players) = self.players.get_mut(&library) {
            *players -= 1;
            if *players == 0 {
                self.players.remove(&library);
                let Self { clips, sources, .. } = self;
                clips.retain(|(of, _), clip| *of != library || sources.remove(clip).is_none());
            }
        }
    }
}

/// A member that goes leaves its seat.
pub(crate) fn leave(removed: On<Remove, CrowdSeat>, mut seats: Query<&mut CrowdSeat>, mut crowd: ResMut<NebulaCrowd>) {
    if let Ok(mut seat) = seats.get_mut(removed.entity) {
        crowd.leave(&mut seat);
    }
}

/// A scene was spawned, for the first time or anew because its file has changed.
pub(crate) fn scene_is_ready(
    ready: On<WorldInstanceReady>,
    mut commands: Commands,
    known: Query<(), With<CrowdMember>>,
) {
    if known.contains(ready.entity) {
        commands.entity(ready.entity).insert(Seatless::default());
    }
}

/// Has members seated anew whose file, or one that they take clips from, was loaded again, or at last.
pub(crate) fn rebind_members(
    mut commands: Commands,
    mut files: MessageReader<AssetEvent<CharacterAsset>>,
    members: Query<(Entity, &CrowdSeat)>,
) {
    let mut changes = Changes::default();
    changes.read(&mut files);
    for (entity, seat) in &members {
        let Made { spec, missing, .. } = &*seat.made;
        let files = std::iter::once(&spec.asset).chain(&spec.clips_from).map(|file| file.id().untyped());
        if changes.concern(files, missing) {
            commands.entity(entity).insert(Seatless::default());
        }
    }
}

type Member<'a> = (Entity, Ref<'a, CrowdSeat>, Option<Ref<'a, GazeAt>>, Option<Ref<'a, FeetOnGround>>);
type NewMember = Or<(Added<CrowdSeat>, Added<GazeAt>, Added<FeetOnGround>)>;

/// Says which components do nothing for a member.
pub(crate) fn check_members(members: Query<Member, NewMember>, mut troubles: Troubles) {
    for (entity, seat, gaze, feet) in &members {
        for (component, is_new) in
            [("GazeAt", gaze.map(|gaze| gaze.is_added())), ("FeetOnGround", feet.map(|feet| feet.is_added()))]
        {
            if is_new.is_some_and(|is_new| is_new || seat.is_added()) {
                troubles.say(entity, NebulaError::NotInCrowds { component });
            }
        }
    }
}

/// Forgets what was known of meshes that have changed.
pub(crate) fn forget_meshes(mut changes: MessageReader<AssetEvent<Mesh>>, mut crowd: ResMut<NebulaCrowd>) {
    for event in changes.read() {
        if let AssetEvent::Modified { id } | AssetEvent::Removed { id } = event {
            crowd.used.remove(id);
        }
    }
}
