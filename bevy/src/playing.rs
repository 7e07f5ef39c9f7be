//! What is playing, for inspectors.

use bevy::prelude::*;

use crate::character::Animator;
use crate::crowd::{CrowdSeat, NebulaCrowd};

/// What a character, or a member of a crowd, is currently playing, for inspectors and debugging. Add it to an entity,
/// and the plugin keeps it up to date; writing to it has no effect.
///
/// ```
/// use bevy::prelude::*;
/// use nebula_bevy::{NebulaCharacter, NowPlaying};
///
/// fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
///     commands.spawn((NebulaCharacter::new(assets.load("knight.glb")), NowPlaying::default()));
/// }
/// ```
#[derive(Component, Debug, Clone, Default, PartialEq, Reflect)]
#[reflect(Component, Debug, Clone, Default, PartialEq)]
pub struct NowPlaying {
    /// Name of the clip with the largest share of its layer, of the topmost such layer; empty if there is none.
    pub clip: String,
    /// Time in the clip, in seconds.
    pub time: f32,
    /// Its weight, from 0 to 1.
    pub weight: f32,
    /// Name of the state of the first state machine; empty without one.
    pub state: String,
}

impl NowPlaying {
    /// Takes over what is another, so that nobody is told of changes that are none.
    fn note(this: &mut Mut<Self>, clip: &str, time: f32, weight: f32, state: &str) {
        let is_same = (&*this.clip, this.time, this.weight, &*this.state) == (clip, time, weight, state);
        if is_same {
            return;
        }
        (this.time, this.weight) = (time, weight);
        clip.clone_into(&mut this.clip);
        state.clone_into(&mut this.state);
    }
}

/// Keeps up to date what characters play.
pub(crate) fn note_characters(mut characters: Query<(&Animator, &mut NowPlaying)>) {
    for (Animator { character, .. }, mut playing) in &mut characters {
        let shown = character.frame().shown().iter().max_by(|a, b| a.weight.total_cmp(&b.weight));
        let state = character.machines.first().map_or("", |machine| machine.state_name());
        let (clip, time, weight) = shown.map_or(("", 0.0, 0.0), |shown| {
            (character.mixer.clips().get(shown.clip.index()).map_or("", |clip| clip.name()), shown.time, shown.weight)
        });
        NowPlaying::note(&mut playing, clip, time, weight, state);
    }
}

/// Keeps up to date what members of crowds play.
pub(crate) fn note_members(
    crowd: Res<NebulaCrowd>,
    mut members: Query<(&CrowdSeat, &mut NowPlaying), Without<Animator>>,
) {
    for (seat, mut playing) in &mut members {
        let (clip, time, weight) = crowd.shown(seat).unwrap_or_default();
        NowPlaying::note(&mut playing, clip, time, weight, "");
    }
}
