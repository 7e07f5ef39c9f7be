//! Which morph weights a character has, and in which slots.

use std::ops::Range;

use thiserror::Error;

use super::AnimationClip;
use super::morphs::{MOST_MORPH_SLOTS, WEIGHTS_PER_JOINT};
use crate::skeleton::{listed, near_names};

/// The morph weights of a character: those of all its meshes in one array of slots.
///
/// One entry per node that shows a mesh with morph targets, in node order, whichever meshes are loaded. The weights of
/// a mesh start at a multiple of three, because clips store three in one channel. Slots between two meshes are unused.
///
/// ```
/// use nebula_animation::clip::{MorphLayout, MorphMesh};
///
/// let face = MorphMesh {
///     node: 4,
///     name: "face".into(),
///     first_slot: 0,
///     target_names: vec!["smile".into(), "blink".into()],
///     weights: vec![0.0, 0.25],
/// };
/// let layout = MorphLayout { meshes: vec![face] };
/// assert_eq!(layout.slot_count(), 3);
/// assert_eq!(layout.defaults(), [0.0, 0.25, 0.0]);
/// assert_eq!(layout.find("blink"), Some(vec![1]));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MorphLayout {
    /// The meshes, by ascending first slot.
    pub meshes: Vec<MorphMesh>,
}

/// A mesh with morph targets, as one node shows it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MorphMesh {
    /// The glTF node that shows the mesh.
    pub node: usize,
    /// Name of the mesh, or of its node if the mesh has none; may be empty.
    pub name: String,
    /// The slot of the first weight; a multiple of three. The others follow it.
    pub first_slot: usize,
    /// Names of the morph targets; empty strings if the file has none.
    pub target_names: Vec<String>,
    /// The default weights, one per morph target.
    pub weights: Vec<f32>,
}

impl MorphMesh {
    /// The slots of the weights, one per morph target.
    #[must_use]
    pub fn slots(&self) -> Range<usize> {
        let end = self.first_slot.saturating_add(self.weights.len()).min(MOST_MORPH_SLOTS);
        self.first_slot.min(end)..end
    }
}

impl MorphLayout {
    /// The weights that clips animate, without names and with default 0: for clips whose file is not available.
    #[must_use]
    pub fn of_clips(clips: &[AnimationClip]) -> Self {
        let count = clips.iter().map(AnimationClip::morph_count).max().unwrap_or_default();
        let mesh =
            MorphMesh { target_names: vec![String::new(); count], weights: vec![0.0; count], ..MorphMesh::default() };
        Self { meshes: if count > 0 { vec![mesh] } else { Vec::new() } }
    }

    /// The number of slots; a multiple of three, at most [`MOST_MORPH_SLOTS`].
    #[must_use]
    pub fn slot_count(&self) -> usize {
        let ends = self.meshes.iter().map(|mesh| mesh.slots().end);
        ends.max().unwrap_or_default().next_multiple_of(WEIGHTS_PER_JOINT)
    }

    /// The default weights, one per slot; 0 in unused slots.
    #[must_use]
    pub fn defaults(&self) -> Vec<f32> {
        let mut defaults = vec![0.0; self.slot_count()];
        for mesh in &self.meshes {
            for (default, weight) in defaults[mesh.slots()].iter_mut().zip(&mesh.weights) {
                *default = *weight;
            }
        }
        defaults
    }

    /// The slots of all morph targets with this name, ascending: a face made of several meshes has one in each. `None`
    /// if no target has it; targets without a name are never found.
    ///
    /// This is a linear search: look names up once, when you set up the character, and keep the slots.
    #[must_use]
    pub fn find(&self, target_name: &str) -> Option<Vec<usize>> {
        let of_mesh = |mesh: &'_ MorphMesh| -> Vec<usize> {
            let targets = mesh.slots().zip(&mesh.target_names);
            targets.filter(|(_, name)| *name == target_name).map(|(slot, _)| slot).collect()
        };
        let slots: Vec<usize> = self.meshes.iter().flat_map(of_mesh).collect();
        (!target_name.is_empty() && !slots.is_empty()).then_some(slots)
    }

    /// Like [`MorphLayout::find`], for names that must exist.
    ///
    /// ```
    /// let error = nebula_animation::clip::MorphLayout::default().require("smile").expect_err("there is no face");
    /// assert_eq!(error.to_string(), "there is no morph target \"smile\" among 0 morph targets");
    /// ```
    ///
    /// # Errors
    /// There is no such morph target; similar names are listed.
    pub fn require(&self, target_name: &str) -> Result<Vec<usize>, UnknownMorphTarget> {
        let names = || self.meshes.iter().flat_map(|mesh| &mesh.target_names).map(String::as_str);
        self.find(target_name).ok_or_else(|| UnknownMorphTarget {
            name: target_name.to_owned(),
            near: near_names(target_name, names().filter(|name| !name.is_empty())),
            target_count: names().count(),
        })
    }
}

/// There is no morph target with that name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no morph target \"{}\" among {target_count} morph targets{}", name.escape_debug(), listed(near))]
pub struct UnknownMorphTarget {
    /// The requested name.
    pub name: String,
    /// Similar names of morph targets, best first; at most five.
    pub near: Vec<String>,
    /// How many morph targets the character has.
    pub target_count: usize,
}
