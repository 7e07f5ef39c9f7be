//! Several clips at once: actions that take over from each other without a jump, layers on top of each other, markers that
//! are met on the way; blends by place, state machines, and the way of a character through the world.
//!
//! An [`AnimationMixer`] is what a [`Character`](crate::Character) plays its clips with. Underneath, [`Blender`](crate::mixer::Blender) blends any number of clips without any state.

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
pub use update::{blend_poses, update_mixer};

/// Plays the clips of a library on one character: one action at a time in each layer, each taking over from the one before.
///
/// It derefs to its base layer: `mixer.play("walk", 0.3)` plays there, and [`current_action`](MixerLayer::current_action),
/// [`fading_action`](MixerLayer::fading_action), [`fade_progress`](MixerLayer::fade_progress) and
/// [`fade_duration`](MixerLayer::fade_duration) are the base layer's.
///
/// Fades may be interrupted by any other at any time, every frame if need be. The pose is continuous throughout, and where
/// a fade is inertialised, so is its velocity. Up to four actions run at once in a layer; of more, the oldest become a
/// pose that stands still. Nothing is allocated after the first update.
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
    /// Seconds that pass in the mixer per second, fades included; default 1. 0 pauses everything. A number that is not
    /// finite counts as 0.
    pub time_scale: f32,
    /// Tells mixers apart, for machines; clones have the same one, and the same blend spaces.
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
    /// A mixer that plays nothing yet, for the clips of a library.
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

    /// The clips to choose from.
    #[must_use]
    pub fn clips(&self) -> &AnimationClipLibrary {
        &self.clips
    }

    /// Seconds that have passed in the mixer: the sum of all steps, each times its [`time_scale`](AnimationMixer::time_scale).
    #[must_use]
    pub fn elapsed(&self) -> f64 {
        self.elapsed.value
    }

    /// Adds a layer on top of all others. It overrides what is below as soon as something plays in it.
    pub fn add_layer(&mut self, name: impl Into<String>) -> LayerId {
        let mut layer = MixerLayer::new(name.into(), self.clips.clone(), false);
        layer.space_count = self.spaces.len();
        // Layers are large and few.
        self.layers.reserve_exact(1);
        self.layers.push(layer);
        self.is_prepared = false;
        LayerId::new(self.layers.len())
    }

    /// Adds a layer on top of all others that acts on some joints, or on some by a part.
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

    /// A layer, to change it; `None` if the handle belongs to another mixer.
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

    /// Asks for what tells where the memory of an update is.
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

    /// The markers that actions passed in the last update: layer by layer, the oldest action of each first, and the markers of
    /// an action in the order in which it passed them.
    ///
    /// Every marker that time, in whichever direction, or a written [`time`](AnimationAction::time) carried the action over is
    /// reported exactly once, however long the step. Where clips of a blend space have markers of the same name, the heaviest of
    /// them reports for all, with the weight of all. [`seek`](AnimationAction::seek) reports nothing. A marker at the very
    /// place at which an action begins is met when it begins. The iterator is lazy and takes no memory.
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
