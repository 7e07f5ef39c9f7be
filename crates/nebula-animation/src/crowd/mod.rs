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
use roster::MOST_CHARACTERS;

pub use character::{CrowdCharacter, CrowdProgress, SecondClip};
pub use clips::CrowdClipId;
pub use error::CrowdError;
pub use events::{CrowdEvent, CrowdEvents};
pub use roster::CrowdCharacterId;
pub(crate) use roster::Roster;
pub use world::DrawnCharacter;

/// Many characters: what each of them plays, and the palettes of all.
///
/// Clips come from [`AnimationClipLibrary`]s, which are shared and include their rig. Libraries compiled [for
/// palettes](crate::LibraryOptions::for_palettes) play a third faster.
///
/// A character has a stable handle, and an index that changes when others are added or removed: characters of one rig
/// are contiguous in [`characters`](Crowd::characters) and in [`palettes`](Crowd::palettes).
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
    /// Creates an empty crowd.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a clip of a library, for characters of its rig. The library is shared; nothing is compiled or copied. Clips
    /// from several libraries of one rig can be combined.
    ///
    /// # Errors
    /// [`CrowdError::NoSuchClip`]: the handle belongs to another library.
    pub fn add_clip(&mut self, library: &AnimationClipLibrary, clip: ClipId) -> Result<CrowdClipId, CrowdError> {
        let clip = CrowdClip::new(library, clip, |rig| self.ranks.find_or_add(rig))?;
        self.tells |= clip.tells();
        self.clips.push(clip);
        if self.tells {
            self.seconds.resize_with(self.characters.len(), SecondProgress::default);
        }
        Ok(CrowdClipId::new(self.clips.len() - 1))
    }

    /// A clip, with its markers and everything else that its library has; `None` if it does not belong to this crowd.
    #[must_use]
    pub fn clip(&self, clip: CrowdClipId) -> Option<&LibraryClip> {
        self.clips.get(clip.index()).map(CrowdClip::get)
    }

    /// Adds a character that loops a clip from its start, and has the clip's rig. With several rigs, this changes the
    /// index of other characters.
    ///
    /// # Errors
    /// [`CrowdError::NoSuchCrowdClip`]: the clip belongs to another crowd. [`CrowdError::Full`]: more joints than a
    /// `u32` can count.
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

    /// Removes a character and returns what it was playing, or `None` if it was already removed. The last character of
    /// its rig takes its index; with several rigs, others change theirs too. The cost does not depend on the number of
    /// characters.
    ///
    /// Palettes are updated by the next evaluation.
    pub fn remove(&mut self, character: CrowdCharacterId) -> Option<CrowdCharacter> {
        let index = self.index_of(character)?;
        let Self { ranks, characters, seconds, roster, .. } = self;
        ranks.shrink(index, |a, b| swap(characters, seconds, roster, (a, b)));
        roster.pop();
        seconds.pop();
        characters.pop()
    }

    /// Removes all characters; rigs and clips are kept.
    pub fn clear(&mut self) {
        self.ranks.clear();
        self.characters.drain(..).for_each(|_| self.roster.pop());
        self.seconds.clear();
        self.palettes.clear();
        self.morph_weights.clear();
    }

    /// What each character plays; contiguous, grouped by rig.
    #[must_use]
    pub fn characters(&self) -> &[CrowdCharacter] {
        &self.characters
    }

    /// What each character plays, to modify. A character whose clip belongs to a different rig than the clip it was
    /// spawned with shows its rest pose.
    pub fn characters_mut(&mut self) -> &mut [CrowdCharacter] {
        &mut self.characters
    }

    /// What a character plays; `None` if it has been removed.
    #[must_use]
    pub fn character(&self, character: CrowdCharacterId) -> Option<&CrowdCharacter> {
        self.characters.get(self.index_of(character)?)
    }

    /// What a character plays, to modify; `None` if it has been removed.
    pub fn character_mut(&mut self, character: CrowdCharacterId) -> Option<&mut CrowdCharacter> {
        let index = self.index_of(character)?;
        self.characters.get_mut(index)
    }

    /// Index of a character in [`Crowd::characters`], until the next one is spawned or removed; `None` if it has been
    /// removed.
    #[must_use]
    pub fn index_of(&self, character: CrowdCharacterId) -> Option<usize> {
        self.roster.index_of(character)
    }

    /// The character at an index of [`Crowd::characters`]; `None` beyond the last.
    #[must_use]
    pub fn id_at(&self, index: usize) -> Option<CrowdCharacterId> {
        self.roster.id_at(index)
    }

    /// Offset of a character's palette in [`Crowd::palettes`] after the next evaluation: add it to the joint indices of
    /// its vertices. `None` if the character has been removed.
    #[must_use]
    pub fn palette_start(&self, character: CrowdCharacterId) -> Option<usize> {
        let index = self.index_of(character)?;
        Some(self.ranks.get(self.ranks.number_at(index)).joint_start(index))
    }

    /// The palettes of all characters, concatenated, as of the last [`Crowd::update`] or [`Crowd::evaluate`].
    #[must_use]
    pub fn palettes(&self) -> &[PaletteRows] {
        &self.palettes
    }

    /// Offset of a character's morph weights in [`Crowd::morph_weights`] after the next evaluation: one weight for each
    /// slot of its rig's [`morphs`](crate::Rig::morphs). `None` if the character has been removed.
    #[must_use]
    pub fn morph_start(&self, character: CrowdCharacterId) -> Option<usize> {
        let index = self.index_of(character)?;
        Some(self.ranks.get(self.ranks.number_at(index)).weight_start(index))
    }

    /// The morph weights of all characters, concatenated, as of the last [`Crowd::update`] or [`Crowd::evaluate`].
    #[must_use]
    pub fn morph_weights(&self) -> &[f32] {
        &self.morph_weights
    }

    /// The indices of the characters of a rig, which are contiguous; empty if the crowd does not have the rig.
    #[must_use]
    pub fn indices_of(&self, rig: RigId) -> Range<usize> {
        self.ranks.iter().find(|rank| rank.rig.id() == rig).map_or(0..0, |rank| rank.characters.clone())
    }

    /// The morph weights of each character of a rig, in the order of [`Crowd::indices_of`], as of the last evaluation:
    /// the input of [`Model::set_morphs`](crate::gpu::Model::set_morphs).
    pub fn morph_weights_of(&self, rig: RigId) -> impl ExactSizeIterator<Item = &[f32]> + Clone {
        let rank = self.ranks.iter().find(|rank| rank.rig.id() == rig);
        let indices = rank.map_or(0..0, |rank| rank.characters.clone());
        indices.map(move |index| {
            let weights = |rank: &Rank| rank.weight_start(index)..rank.weight_start(index + 1);
            rank.and_then(|rank| self.morph_weights.get(weights(rank))).unwrap_or_default()
        })
    }

    /// Advances every clock by `dt` seconds (`f32` or `f64`), and evaluates all palettes and morph weights.
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

    /// Evaluates all palettes and morph weights at the characters' current times. Allocates only if the crowd has
    /// grown.
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
