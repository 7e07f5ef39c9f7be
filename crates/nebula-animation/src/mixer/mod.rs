//! Several clips at once: cross-fades without pops, layers, marker events, blend spaces, state machines and root
//! motion.
//!
//! A [`Character`](crate::Character) plays its clips with an [`AnimationMixer`]. Underneath, a
//! [`Blender`](crate::mixer::Blender) blends any number of clips and has no state.

mod action;
#[cfg(test)]
mod arcs_tests;
mod blend;
mod crossfade;
mod error;
mod evaluate;
mod events;
mod explain;
mod fade;
mod hand_back;
mod held;
mod inertia;
mod layer;
mod layer_id;
mod lease;
mod levels;
mod machine;
mod mean;
mod memory;
mod motion;
mod over;
mod root;
mod saved;
mod shown;
mod space;
mod steady;
mod update;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::compile::AnimationClipLibrary;
use crate::math::ExactSum;
use crate::math::lanes::prefetch;
use crate::rig::Rig;
use crate::rig::block::PoseBlock;
use crate::skeleton::JointMask;
use events::Passed;
use held::Held;
use inertia::Difference;
use lease::Lease;
use root::RootReport;
use space::SpaceSlot;

pub use crate::frame::LayerId;
pub use action::AnimationAction;
pub use blend::{BlendInput, BlendMode, Blender};
pub use error::{Cue, PlayError, UnknownName};
pub use events::{MixerEvent, MixerEvents};
pub use fade::{Fade, FadeCurve};
pub use layer::MixerLayer;
pub(crate) use machine::number_spaces;
pub use machine::{
    BlendDocument, BlendSampleDocument, Interruption, MachineDocument, MachineError, ParameterError, ParameterId,
    ParameterValue, StateChange, StateDocument, StateId, StateMachine, StateMachinePlayer, TransitionDocument,
};
pub use motion::Motion;
pub use space::{BlendSample, BlendSpace, BlendSpaceError, BlendWeights};
pub(crate) use steady::Steady;
pub use update::{blend_poses, update_mixer};

/// Plays the clips of a library on one character: one action at a time in each layer, each fading from the one before.
///
/// It dereferences to its base layer: `mixer.play("walk", 0.3)` plays there, and
/// [`current_action`](MixerLayer::current_action), [`fading_action`](MixerLayer::fading_action),
/// [`fade_progress`](MixerLayer::fade_progress) and [`fade_duration`](MixerLayer::fade_duration) are those of the base
/// layer.
///
/// A fade can be interrupted by another at any time, even every frame. The pose is always continuous, and with
/// inertialised fades so is its velocity. Up to four actions run at once in a layer; beyond that, the oldest are frozen
/// into a pose. Nothing is allocated after the first update.
///
/// ```
/// use nebula_animation::{AnimationClip, AnimationClipLibrary, AnimationMixer, Fade, Rig, Skeleton};
///
/// # fn main() -> Result<(), nebula_animation::PlayError> {
/// let clip = |name: &str| AnimationClip { name: name.into(), duration: 1.0, ..Default::default() };
/// let rig = Rig::new(Skeleton::default());
/// let mut mixer = AnimationMixer::new(AnimationClipLibrary::new(&rig, &[clip("idle"), clip("walk")]));
/// mixer.play("idle", 0.3)?;
/// mixer.update(1.0 / 60.0);
/// mixer.play("walk", Fade::inertialised(0.2))?;
/// mixer.update(1.0 / 60.0);
/// let mut pose = rig.bind_pose();
/// mixer.write_pose(&mut pose);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct AnimationMixer {
    /// Time scale of the mixer, including fades; default 1. 0 pauses everything. A number that is not finite counts as 0.
    pub time_scale: f32,
    /// Identifies the mixer for state machines; clones share it, and the same blend spaces.
    id: u64,
    base: MixerLayer,
    layers: Vec<MixerLayer>,
    clips: AnimationClipLibrary,
    /// The longest translation of any joint in its rest pose: the scale of the character.
    extent: f32,
    /// The pose of the last update.
    pose: Vec<PoseBlock>,
    /// The clip that alone has made `pose`.
    held: Option<Held>,
    /// Whether `pose` has been shown.
    has_pose: bool,
    /// Whether the thread has been asked for the memory that fades of this many layers need.
    is_prepared: bool,
    differences: Lease<Difference>,
    /// Seconds until the last of the differences is gone.
    differences_left: f64,
    /// What the actions went through in the last update.
    passed: Vec<Passed>,
    has_warned: bool,
    /// The blend spaces that actions may play, and where they are looked at.
    spaces: Vec<SpaceSlot>,
    root: RootReport,
    /// Seconds that have passed.
    elapsed: ExactSum,
}

impl AnimationMixer {
    /// Creates a mixer for the clips of a library. It plays nothing yet.
    #[must_use]
    pub fn new(clips: AnimationClipLibrary) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        Self {
            time_scale: 1.0,
            id: COUNT.fetch_add(1, Ordering::Relaxed),
            base: MixerLayer::new("base".into(), clips.clone(), true),
            layers: Vec::new(),
            extent: update::extent_of(clips.rig()),
            pose: clips.rig().rest.to_vec(),
            clips,
            held: None,
            has_pose: false,
            is_prepared: false,
            differences: Lease::default(),
            differences_left: 0.0,
            passed: Vec::new(),
            has_warned: false,
            spaces: Vec::new(),
            root: RootReport::default(),
            elapsed: ExactSum::default(),
        }
    }

    fn id(&self) -> u64 {
        self.id
    }

    /// The rig that the clips are compiled for.
    #[must_use]
    pub fn rig(&self) -> &Arc<Rig> {
        self.clips.rig()
    }

    /// The library of clips.
    #[must_use]
    pub fn clips(&self) -> &AnimationClipLibrary {
        &self.clips
    }

    /// Time that has passed in the mixer, in seconds: the sum of all steps, each scaled by
    /// [`time_scale`](AnimationMixer::time_scale).
    #[must_use]
    pub fn elapsed(&self) -> f64 {
        self.elapsed.value
    }

    /// Adds a layer on top of all others. It overrides what is below as soon as it plays something.
    pub fn add_layer(&mut self, name: impl Into<String>) -> LayerId {
        let mut layer = MixerLayer::new(name.into(), self.clips.clone(), false);
        layer.space_count = self.spaces.len();
        // Layers are large and few.
        self.layers.reserve_exact(1);
        self.layers.push(layer);
        self.is_prepared = false;
        LayerId::new(self.layers.len())
    }

    /// Adds a layer on top of all others, restricted by a joint mask.
    pub fn add_masked_layer(&mut self, name: impl Into<String>, mask: JointMask) -> LayerId {
        let layer = self.add_layer(name);
        if let Some(layer) = self.layer_mut(layer) {
            layer.set_mask(mask);
        }
        layer
    }

    /// A layer; `None` if the handle belongs to another mixer.
    #[must_use]
    pub fn layer(&self, layer: LayerId) -> Option<&MixerLayer> {
        match layer.index().checked_sub(1) {
            None => Some(&self.base),
            Some(above) => self.layers.get(above),
        }
    }

    /// A layer, to modify; `None` if the handle belongs to another mixer.
    #[must_use]
    pub fn layer_mut(&mut self, layer: LayerId) -> Option<&mut MixerLayer> {
        match layer.index().checked_sub(1) {
            None => Some(&mut self.base),
            Some(above) => self.layers.get_mut(above),
        }
    }

    /// All layers, the base layer first.
    pub fn layers(&self) -> impl Iterator<Item = &MixerLayer> {
        std::iter::once(&self.base).chain(&self.layers)
    }

    /// Prefetches what locates the memory of an update.
    pub(crate) fn prefetch_outline(&self) {
        prefetch(&self.layers[..]);
        prefetch(&self.spaces[..]);
    }

    /// Asks for the memory of an update, after its outline.
    pub(crate) fn prefetch(&self) {
        prefetch(&self.pose[..]);
        self.layers.iter().for_each(|layer| layer.memory.prefetch_mask());
    }

    fn layers_mut(&mut self) -> impl Iterator<Item = &mut MixerLayer> {
        std::iter::once(&mut self.base).chain(&mut self.layers)
    }

    /// The markers that actions passed in the last update: layer by layer, within a layer the oldest action first, and
    /// within an action in the order in which it passed them.
    ///
    /// A marker is reported exactly once when playback (in either direction) or a write to
    /// [`time`](AnimationAction::time) passes it, however long the step. If clips of a blend space have markers of the
    /// same name, the heaviest clip reports for all, with the weight of all. [`seek`](AnimationAction::seek) reports
    /// nothing. A marker exactly at the start position of an action is reported when it starts. The iterator is lazy
    /// and does not allocate.
    ///
    /// ```
    /// use nebula_animation::{
    ///     AnimationClip, AnimationClipLibrary, AnimationMixer, ClipMarkers, LibraryOptions, Marker, Rig, Skeleton,
    /// };
    ///
    /// # fn main() -> Result<(), nebula_animation::PlayError> {
    /// let mut markers = ClipMarkers::new();
    /// markers.add(0, Marker { name: "left foot".into(), time: 0.2 });
    /// let walk = AnimationClip { name: "walk".into(), duration: 1.0, ..Default::default() };
    /// let options = LibraryOptions { markers, ..LibraryOptions::default() };
    /// let rig = Rig::new(Skeleton::default());
    /// let mut mixer = AnimationMixer::new(AnimationClipLibrary::with_options(&rig, &[walk], options));
    /// mixer.play("walk", 0.0)?;
    /// mixer.update(1.5);
    /// assert_eq!(mixer.events().map(|event| event.marker.name.as_str()).collect::<Vec<_>>(), ["left foot"; 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn events(&self) -> MixerEvents<'_> {
        MixerEvents::new(self.clips.markers(), &self.passed)
    }
}

impl Deref for AnimationMixer {
    type Target = MixerLayer;

    /// The base layer.
    fn deref(&self) -> &MixerLayer {
        &self.base
    }
}

impl DerefMut for AnimationMixer {
    fn deref_mut(&mut self) -> &mut MixerLayer {
        &mut self.base
    }
}
