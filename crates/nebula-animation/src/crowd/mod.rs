//! Thousands of characters that share rigs and clips, evaluated in one call into one buffer.

mod character;
mod evaluate;

use std::num::NonZeroU32;
use std::sync::Arc;

use crate::clip::AnimationClip;
use crate::compile::CompiledClip;
use crate::palette::PaletteRows;
use crate::rig::Rig;

pub use character::{CrowdCharacter, CrowdProgress, SecondClip};

/// Many characters: their rigs, their clips, what each of them plays, and the palettes of all.
///
/// ```
/// use nebula_animation::{AnimationClip, Crowd, Joint, Rig, Skeleton};
/// # use glam::{Mat4, Quat, Vec3};
/// # let root = Joint { index: 0, parent: None, inverse_bind_matrix: Mat4::IDENTITY, name: "root".into(),
/// #     bind_translation: Vec3::ZERO, bind_rotation: Quat::IDENTITY, bind_scale: Vec3::ONE };
/// # let skeleton = Skeleton { joints: vec![root] };
/// # let walk = AnimationClip { duration: 1.0, ..AnimationClip::default() };
///
/// let mut crowd = Crowd::new();
/// let rig = crowd.add_rig(&Rig::new(&skeleton));
/// let walk = crowd.add_clip(rig, &walk).expect("the rig is of this crowd");
/// for index in 0..1000 {
///     let character = crowd.spawn(walk).expect("the clip is of this crowd");
///     crowd.characters_mut()[character].time = f64::from(index) * 0.01;
/// }
/// crowd.update(1.0 / 60.0);
/// assert_eq!(crowd.palettes().len(), 1000 * skeleton.joints.len()); // upload this
/// ```
#[derive(Debug, Default)]
pub struct Crowd {
    rigs: Vec<Arc<Rig>>,
    clips: Vec<CrowdClip>,
    characters: Vec<CrowdCharacter>,
    /// For each character, its rig and its part of the palettes.
    placements: Vec<Placement>,
    palettes: Vec<PaletteRows>,
    evaluators: evaluate::Evaluators,
}

/// A character's rig, and where its palette starts.
#[derive(Debug, Clone, Copy)]
struct Placement {
    rig: CrowdRigId,
    start: u32,
}

#[derive(Debug)]
struct CrowdClip {
    rig: CrowdRigId,
    clip: Arc<CompiledClip>,
}

/// A rig of a [`Crowd`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CrowdRigId(u32);

/// A clip of a [`Crowd`].
// One more than its index: what may be without a clip needs no further byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CrowdClipId(NonZeroU32);

impl CrowdClipId {
    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl Crowd {
    /// A crowd without characters.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a rig that characters can have.
    pub fn add_rig(&mut self, rig: &Arc<Rig>) -> CrowdRigId {
        self.rigs.push(Arc::clone(rig));
        CrowdRigId((self.rigs.len() - 1) as u32)
    }

    /// Compiles a clip for a rig. `None` where the rig is not of this crowd.
    pub fn add_clip(&mut self, rig: CrowdRigId, clip: &AnimationClip) -> Option<CrowdClipId> {
        let compiled = CompiledClip::for_palettes(self.rigs.get(rig.0 as usize)?, clip);
        self.clips.push(CrowdClip { rig, clip: Arc::new(compiled) });
        NonZeroU32::new(self.clips.len() as u32).map(CrowdClipId)
    }

    /// A clip as it was compiled; `None` where it is not of this crowd.
    #[must_use]
    pub fn clip(&self, clip: CrowdClipId) -> Option<&CompiledClip> {
        self.clips.get(clip.index()).map(|clip| &*clip.clip)
    }

    /// Adds a character that plays a clip in a loop from its start; its index. `None` where the clip is not of this
    /// crowd, or the palettes would have more than 2^32 entries.
    pub fn spawn(&mut self, clip: CrowdClipId) -> Option<usize> {
        let rig = self.clips.get(clip.index())?.rig;
        let start = u32::try_from(self.joint_count()).ok()?;
        self.placements.push(Placement { rig, start });
        self.characters.push(CrowdCharacter::new(clip));
        Some(self.characters.len() - 1)
    }

    /// Removes all characters; rigs and clips stay.
    pub fn clear(&mut self) {
        self.characters.clear();
        self.placements.clear();
        self.palettes.clear();
    }

    /// What each character plays.
    #[must_use]
    pub fn characters(&self) -> &[CrowdCharacter] {
        &self.characters
    }

    /// What each character plays, to change it. A character whose clip belongs to another rig than the clip that it was
    /// spawned with shows its rest pose.
    pub fn characters_mut(&mut self) -> &mut [CrowdCharacter] {
        &mut self.characters
    }

    /// Where a character's palette starts in [`Crowd::palettes`]: add it to the joint indices of its vertices.
    #[must_use]
    pub fn palette_start(&self, character: usize) -> Option<usize> {
        self.placements.get(character).map(|placement| placement.start as usize)
    }

    /// The palettes of all characters, one after the other, as [`Crowd::update`] or [`Crowd::evaluate`] left them.
    #[must_use]
    pub fn palettes(&self) -> &[PaletteRows] {
        &self.palettes
    }

    /// The joints of all characters together.
    fn joint_count(&self) -> usize {
        let end = |last: &Placement| last.start as usize + self.rigs[last.rig.0 as usize].joint_count();
        self.placements.last().map_or(0, end)
    }

    /// Lets `dt` seconds pass (`f32` or `f64`) for every clock, and evaluates all palettes.
    pub fn update(&mut self, dt: impl Into<f64>) {
        self.advance(dt);
        self.evaluate();
    }

    /// Advances every clock by `dt` seconds times its character's speed; negative ones rewind. A step that is not finite is ignored.
    pub fn advance(&mut self, dt: impl Into<f64>) {
        let seconds = dt.into();
        for character in &mut self.characters {
            character.advance(seconds, |clip| self.clips.get(clip.index()).map(|clip| clip.clip.duration()));
        }
    }

    /// Evaluates all palettes at the characters' present times. Allocates only when the crowd has grown.
    pub fn evaluate(&mut self) {
        self.palettes.resize(self.joint_count(), PaletteRows::IDENTITY);
        let mut palettes = std::mem::take(&mut self.palettes);
        self.evaluate_into(&mut palettes);
        self.palettes = palettes;
    }
}
