//! Thousands of characters that share rigs and clips, evaluated in one call into one buffer.

mod character;
mod clips;
mod error;
mod evaluate;
mod events;
mod palettes;
mod ranks;
mod roster;
mod world;

use std::ops::Range;

use crate::compile::{AnimationClipLibrary, ClipId, LibraryClip};
use crate::palette::PaletteRows;
use crate::rig::RigId;
use character::SecondProgress;
use clips::CrowdClip;
use palettes::Palettes;
use ranks::{Rank, Ranks};
use roster::{MOST_CHARACTERS, Roster};

pub use character::{CrowdCharacter, CrowdProgress, SecondClip};
pub use clips::CrowdClipId;
pub use error::CrowdError;
pub use events::{CrowdEvent, CrowdEvents};
pub use roster::CrowdCharacterId;
pub use world::DrawnCharacter;

/// Many characters: what each of them plays, and the palettes of all.
///
/// Clips come from [`AnimationClipLibrary`]s, which are shared, and bring their rig. Libraries compiled
/// [for palettes](crate::LibraryOptions::for_palettes) are played a third faster.
///
/// A character has a handle that stays, and an index that changes when others come and go: characters of one rig stand side by side,
/// without gaps, in [`characters`](Crowd::characters) as in [`palettes`](Crowd::palettes).
///
/// ```
/// use nebula_animation::{AnimationClip, AnimationClipLibrary, Crowd, Rig, Skeleton};
///
/// # use glam::{Mat4, Quat, Vec3};
/// # use nebula_animation::Joint;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let root = Joint { index: 0, parent: None, inverse_bind_matrix: Mat4::IDENTITY, name: "root".into(),
/// #     bind_translation: Vec3::ZERO, bind_rotation: Quat::IDENTITY, bind_scale: Vec3::ONE };
/// # let skeleton = Skeleton { joints: vec![root] };
/// # let walk = AnimationClip { name: "walk".into(), duration: 1.0, ..AnimationClip::default() };
/// let library = AnimationClipLibrary::new(&Rig::new(skeleton), &[walk]);
/// let mut crowd = Crowd::new();
/// let walk = crowd.add_clip(&library, library.find("walk")?)?;
/// let leader = crowd.spawn(walk)?;
/// for _ in 1..1000 {
///     crowd.spawn(walk)?;
/// }
/// for (index, character) in crowd.characters_mut().iter_mut().enumerate() {
///     character.time = 0.01 * index as f64;
/// }
/// crowd.update(1.0 / 60.0);
/// assert_eq!(crowd.palettes().len(), 1000 * library.rig().joint_count()); // upload this
///
/// crowd.remove(leader);
/// crowd.update(1.0 / 60.0);
/// assert_eq!((crowd.characters().len(), crowd.palette_start(leader)), (999, None));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct Crowd {
    clips: Vec<CrowdClip>,
    /// Whether a clip has markers, or a root that moves.
    tells: bool,
    /// The characters by rig.
    ranks: Ranks,
    /// What each character plays.
    characters: Vec<CrowdCharacter>,
    /// What each character's second clip goes through; empty where no clip has anything to tell.
    seconds: Vec<SecondProgress>,
    /// The handle of each character.
    roster: Roster,
    palettes: Palettes,
    morph_weights: Vec<f32>,
    evaluators: evaluate::Evaluators,
    stream_above: Option<usize>,
}

impl Crowd {
    /// A crowd without characters.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a clip of a library that characters of its rig can play. The library is shared, nothing is compiled or copied; clips of several
    /// libraries of one rig go together.
    ///
    /// # Errors
    /// [`CrowdError::NoSuchClip`]: the handle is one of another library.
    pub fn add_clip(&mut self, library: &AnimationClipLibrary, clip: ClipId) -> Result<CrowdClipId, CrowdError> {
        let clip = CrowdClip::new(library, clip, |rig| self.ranks.find_or_add(rig))?;
        self.tells |= clip.tells();
        self.clips.push(clip);
        if self.tells {
            self.seconds.resize_with(self.characters.len(), SecondProgress::default);
        }
        Ok(CrowdClipId::new(self.clips.len() - 1))
    }

    /// A clip, with its markers and the rest of what its library knows; `None` where it is not of this crowd.
    #[must_use]
    pub fn clip(&self, clip: CrowdClipId) -> Option<&LibraryClip> {
        self.clips.get(clip.index()).map(CrowdClip::get)
    }

    /// Adds a character that plays a clip in a loop from its start, and has the clip's rig. With several rigs, others change their index.
    ///
    /// # Errors
    /// [`CrowdError::NoSuchCrowdClip`]: the clip is one of another crowd. [`CrowdError::Full`] for more joints than a `u32` counts.
    pub fn spawn(&mut self, clip: CrowdClipId) -> Result<CrowdCharacterId, CrowdError> {
        let no_such_clip = CrowdError::NoSuchCrowdClip { index: clip.index(), count: self.clips.len() };
        let rank = self.clips.get(clip.index()).ok_or(no_such_clip)?.rank;
        let joints = self.ranks.joint_count().saturating_add(self.ranks.get(rank).rig.joint_count());
        if u32::try_from(joints).is_err() || self.characters.len() >= MOST_CHARACTERS {
            return Err(CrowdError::Full { joints });
        }
        let id = self.roster.push();
        self.characters.push(CrowdCharacter::new(clip));
        if self.tells {
            self.seconds.push(SecondProgress::default());
        }
        let Self { ranks, characters, seconds, roster, .. } = self;
        ranks.grow(rank, |a, b| swap(characters, seconds, roster, (a, b)));
        Ok(id)
    }

    /// Removes a character: what it was playing, or `None` where it has been removed before. The last character of its rig takes its index;
    /// with several rigs, some of the others change theirs. The cost does not depend on how many characters there are.
    ///
    /// Palettes follow with the next evaluation.
    pub fn remove(&mut self, character: CrowdCharacterId) -> Option<CrowdCharacter> {
        let index = self.index_of(character)?;
        let Self { ranks, characters, seconds, roster, .. } = self;
        ranks.shrink(index, |a, b| swap(characters, seconds, roster, (a, b)));
        roster.pop();
        seconds.pop();
        characters.pop()
    }

    /// Removes all characters; rigs and clips stay.
    pub fn clear(&mut self) {
        self.ranks.clear();
        self.characters.drain(..).for_each(|_| self.roster.pop());
        self.seconds.clear();
        self.palettes.clear();
        self.morph_weights.clear();
    }

    /// What each character plays, without gaps, those of one rig side by side.
    #[must_use]
    pub fn characters(&self) -> &[CrowdCharacter] {
        &self.characters
    }

    /// What each character plays, to change it. A character whose clip belongs to another rig than the clip that it was
    /// spawned with shows its rest pose.
    pub fn characters_mut(&mut self) -> &mut [CrowdCharacter] {
        &mut self.characters
    }

    /// What a character plays; `None` where it has been removed.
    #[must_use]
    pub fn character(&self, character: CrowdCharacterId) -> Option<&CrowdCharacter> {
        self.characters.get(self.index_of(character)?)
    }

    /// What a character plays, to change it; `None` where it has been removed.
    pub fn character_mut(&mut self, character: CrowdCharacterId) -> Option<&mut CrowdCharacter> {
        let index = self.index_of(character)?;
        self.characters.get_mut(index)
    }

    /// Index of a character in [`Crowd::characters`], until the next one is spawned or removed; `None` where it has been removed.
    #[must_use]
    pub fn index_of(&self, character: CrowdCharacterId) -> Option<usize> {
        self.roster.index_of(character)
    }

    /// The character at an index of [`Crowd::characters`]; `None` beyond the last.
    #[must_use]
    pub fn id_at(&self, index: usize) -> Option<CrowdCharacterId> {
        self.roster.id_at(index)
    }

    /// Where a character's palette starts in [`Crowd::palettes`], as the next evaluation fills them: add it to the joint indices of its
    /// vertices. `None` where the character has been removed.
    #[must_use]
    pub fn palette_start(&self, character: CrowdCharacterId) -> Option<usize> {
        let index = self.index_of(character)?;
        Some(self.ranks.get(self.ranks.number_at(index)).joint_start(index))
    }

    /// The palettes of all characters, one after the other, as [`Crowd::update`] or [`Crowd::evaluate`] left them.
    #[must_use]
    pub fn palettes(&self) -> &[PaletteRows] {
        &self.palettes
    }

    /// Where a character's morph weights start in [`Crowd::morph_weights`], as the next evaluation fills them: one for each slot of
    /// its rig's [`morphs`](crate::Rig::morphs), none where the rig has none. `None` where the character has been removed.
    #[must_use]
    pub fn morph_start(&self, character: CrowdCharacterId) -> Option<usize> {
        let index = self.index_of(character)?;
        Some(self.ranks.get(self.ranks.number_at(index)).weight_start(index))
    }

    /// The morph weights of all characters, one after the other, as [`Crowd::update`] or [`Crowd::evaluate`] left them.
    #[must_use]
    pub fn morph_weights(&self) -> &[f32] {
        &self.morph_weights
    }

    /// The indices of the characters of a rig, which stand side by side; empty where the crowd does not know the rig.
    #[must_use]
    pub fn indices_of(&self, rig: RigId) -> Range<usize> {
        self.ranks.iter().find(|rank| rank.rig.id() == rig).map_or(0..0, |rank| rank.characters.clone())
    }

    /// The morph weights of each character of a rig, in the order of [`Crowd::indices_of`], as the last evaluation left them: what
    /// [`Model::set_morphs`](crate::gpu::Model::set_morphs) takes.
    pub fn morph_weights_of(&self, rig: RigId) -> impl ExactSizeIterator<Item = &[f32]> + Clone {
        let rank = self.ranks.iter().find(|rank| rank.rig.id() == rig);
        let indices = rank.map_or(0..0, |rank| rank.characters.clone());
        indices.map(move |index| {
            let weights = |rank: &Rank| rank.weight_start(index)..rank.weight_start(index + 1);
            rank.and_then(|rank| self.morph_weights.get(weights(rank))).unwrap_or_default()
        })
    }

    /// Lets `dt` seconds pass (`f32` or `f64`) for every clock, and evaluates all palettes and morph weights.
    pub fn update(&mut self, dt: impl Into<f64>) {
        self.advance(dt);
        self.evaluate();
    }

    /// Advances every clock by `dt` seconds times its character's speed; negative ones rewind. A step that is not finite is ignored.
    pub fn advance(&mut self, dt: impl Into<f64>) {
        let seconds = dt.into();
        let duration = |clip: CrowdClipId| self.clips.get(clip.index()).map(|clip| clip.duration);
        if self.tells {
            for (character, second) in self.characters.iter_mut().zip(&mut self.seconds) {
                character.advance_and_tell(second, seconds, duration);
            }
        } else {
            for character in &mut self.characters {
                character.advance(seconds, duration);
            }
        }
    }

    /// Evaluates all palettes and morph weights at the characters' present times. Allocates only when the crowd has grown.
    pub fn evaluate(&mut self) {
        self.palettes.resize(self.ranks.joint_count());
        let mut palettes = std::mem::take(&mut self.palettes);
        self.evaluate_into(&mut palettes);
        self.palettes = palettes;
    }
}

/// Lets two characters change places.
fn swap(
    characters: &mut [CrowdCharacter],
    seconds: &mut [SecondProgress],
    roster: &mut Roster,
    (a, b): (usize, usize),
) {
    if a == b {
        return;
    }
    characters.swap(a, b);
    roster.swap(a, b);
    if !seconds.is_empty() {
        seconds.swap(a, b);
    }
}
