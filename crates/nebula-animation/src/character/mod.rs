//! A complete character for a game: everything that animates it, in the right order.

pub(crate) mod abreast;
mod ahead;
mod explain;
pub(crate) mod many;
mod saved;

use std::any::Any;
use std::sync::Arc;

use glam::{Mat4, Vec3};

use crate::clip::AnimationClip;
use crate::compile::{AnimationClipLibrary, RootDelta};
use crate::frame::{Frame, Surroundings};
use crate::math::ExactSum;
use crate::mixer::{AnimationMixer, MixerEvents, StateMachinePlayer};
use crate::palette::BoneAttachment;
use crate::procedural::{
    Asked, ModelPose, ProceduralAnimationStack, ProceduralContext, ProceduralLayer, Trace, with_lanes,
};
use crate::rig::{Rig, RigOptions};
use crate::skeleton::{Skeleton, UnknownJoint};

/// One animated character: a mixer, state machines, procedural layers, attachments, and the frame that they produce.
///
/// [`update`](Character::update) runs everything in order: the state machines decide, the mixer plays, layers adapt the
/// pose to the surroundings, and the frame gets its palette, morph weights and attachments. To do something in between,
/// use the public parts: [`AnimationMixer::update`], [`ProceduralAnimationStack::apply_in_model`] and
/// [`Frame::finish`]. With `bevy_ecs` it is a component.
///
/// ```
/// use nebula_animation::{Character, Surroundings, load_skeleton_and_clips};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (skeleton, clips) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref())?;
/// let mut character = Character::new(skeleton, &clips);
/// character.mixer.play("idle", 0.3)?;
/// character.add_layer(character.rig().humanoid().breathing()?);
/// character.update(1.0 / 60.0, &Surroundings::default());
/// let matrices_for_the_gpu: &[glam::Mat4] = character.palette();
/// assert_eq!(matrices_for_the_gpu.len(), character.rig().joint_count());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Character {
    /// The clips that play, on one layer or several.
    pub mixer: AnimationMixer,
    /// State machines that decide what the mixer plays, each driving its own layer; none by default.
    pub machines: Vec<StateMachinePlayer>,
    /// Layers that adjust the pose after the clips, in order; none by default.
    pub layers: ProceduralAnimationStack,
    /// Objects attached to its joints.
    attachments: Vec<BoneAttachment>,
    frame: Frame,
    /// Seconds since it was made, as the mixer counts them.
    elapsed: ExactSum,
    /// Seconds that the layers have not seen yet.
    passed: f64,
    /// How many seconds from now the frame is; 0 but in a troupe.
    ahead: f64,
    /// What the layers did in the last update, if the character is traced.
    trace: Option<Box<Trace>>,
    /// The number of the mixer's [held](AnimationMixer::held) pose whose constant parts the frame already has.
    followed: Option<u64>,
}

/// An object attached to a [`Character`]: see [`Character::attach`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AttachmentId(usize);

impl Character {
    /// Creates a character from a skeleton and its clips. It plays the first clip, or shows the rest pose if there are
    /// no clips.
    ///
    /// Compiles the clips. To share them between characters of one kind, use [`of`](Character::of) with a common
    /// library.
    #[must_use]
    pub fn new(skeleton: impl Into<Skeleton>, clips: &(impl AsRef<[AnimationClip]> + ?Sized)) -> Self {
        let options =
            RigOptions { morphs: crate::clip::MorphLayout::of_clips(clips.as_ref()), ..RigOptions::default() };
        let rig = Rig::with_options(skeleton, options);
        let mut character = Self::of(AnimationClipLibrary::new(&rig, clips));
        if !clips.as_ref().is_empty() {
            // The clip is known to be there.
            let _ = character.mixer.play(0, 0.0);
        }
        character.update(0.0, &Surroundings::default());
        character
    }

    /// Creates a character from a shared library. It starts in its rest pose and plays nothing yet.
    #[must_use]
    pub fn of(library: AnimationClipLibrary) -> Self {
        Self {
            frame: Frame::new(library.rig()),
            mixer: AnimationMixer::new(library),
            machines: Vec::new(),
            layers: ProceduralAnimationStack::default(),
            attachments: Vec::new(),
            elapsed: ExactSum::default(),
            passed: 0.0,
            ahead: 0.0,
            trace: None,
            followed: None,
        }
    }

    /// The rig of this character.
    #[must_use]
    pub fn rig(&self) -> &Arc<Rig> {
        self.mixer.rig()
    }

    /// Adds a procedural layer, to run after all others.
    pub fn add_layer(&mut self, layer: impl ProceduralLayer) {
        self.layers.push(layer);
    }

    /// The first procedural layer of type `L`, to change its target or weight.
    pub fn layer_mut<L: ProceduralLayer + Any>(&mut self) -> Option<&mut L> {
        self.layers.layer_mut()
    }

    /// Attaches an object to a joint: see [`attachment`](Character::attachment).
    ///
    /// # Errors
    /// The rig has no such joint; similar names are listed.
    pub fn attach(&mut self, mut attachment: BoneAttachment) -> Result<AttachmentId, UnknownJoint> {
        attachment.resolve(self.mixer.rig())?;
        self.attachments.push(attachment);
        Ok(AttachmentId(self.attachments.len() - 1))
    }

    /// The matrix from attachment space to model space.
    #[must_use]
    pub fn attachment(&self, attachment: AttachmentId) -> Mat4 {
        self.frame.attachment(attachment.0).copied().unwrap_or(Mat4::IDENTITY)
    }

    /// The offset of an attached object in joint space, to modify; `None` if the id belongs to another character.
    pub fn attachment_mut(&mut self, attachment: AttachmentId) -> Option<&mut BoneAttachment> {
        self.attachments.get_mut(attachment.0)
    }

    /// Advances time by `dt` seconds (`f32` or `f64`) and updates the frame. A negative `dt` rewinds; one that is not
    /// finite counts as 0. Does not allocate once buffers have grown to size.
    ///
    /// Calls [`advance`](Character::advance), then [`finish`](Character::finish).
    pub fn update(&mut self, dt: impl Into<f64>, surroundings: &Surroundings<'_>) {
        self.advance(dt);
        self.finish(surroundings);
    }

    /// The first half of an update: the state machines decide, and the mixer plays. Returns the root motion step, so
    /// that you can move the character before its layers query the world.
    pub fn advance(&mut self, dt: impl Into<f64>) -> RootDelta {
        let Self { mixer, machines, frame, elapsed, passed, .. } = self;
        machines.iter_mut().for_each(|machine| machine.update(mixer));
        let dt = dt.into();
        mixer.update(dt);
        frame.shown.reserve(mixer.most_shown().saturating_sub(frame.shown.len()));
        mixer.fill(frame);
        let scaled = dt * f64::from(mixer.time_scale);
        *passed = if scaled.is_finite() { scaled } else { 0.0 };
        elapsed.add(*passed);
        frame.root_step
    }

    /// The second half of an update: layers adapt the pose to the surroundings, and the frame gets its palette, morph
    /// weights and attachments.
    pub fn finish(&mut self, surroundings: &Surroundings<'_>) {
        if self.layers.layers.is_empty() {
            self.follow();
            return self.frame.finish(&self.attachments);
        }
        self.followed = None;
        let Self { mixer, layers, attachments, frame, elapsed, passed, trace, ahead, .. } = self;
        let context = context(mixer.rig(), std::mem::take(passed), elapsed.value + *ahead, surroundings);
        with_lanes(mixer.lanes(), |local| {
            if let Some(trace) = trace {
                let asked = Asked::new(surroundings);
                let around = asked.around(surroundings);
                let mut pose = ModelPose::in_lanes(mixer.clips(), local, &around, &frame.shown);
                layers.apply_traced(&context, &mut pose, trace, &asked);
            } else {
                let mut pose = ModelPose::in_lanes(mixer.clips(), local, surroundings, &frame.shown);
                layers.apply_in_model(&context, &mut pose);
            }
            frame.set_local(local);
        });
        frame.finish(attachments);
    }

    /// Takes over the pose of the mixer unchanged, if there are no layers.
    fn follow(&mut self) {
        let Self { mixer, frame, followed, passed, .. } = self;
        *passed = 0.0;
        match mixer.held() {
            Some((number, moves)) if *followed == Some(number) => frame.set_moving(mixer.lanes(), moves),
            held => {
                // What compares as equal is not taken over, and may differ in the sign of a zero.
                let is_taken = frame.set_local(mixer.lanes());
                *followed = held.filter(|_| is_taken).map(|(number, _)| number);
            }
        }
    }

    /// The result of the last update.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The skinning matrices of the last update, one per joint, ready to upload. Empty if the palette is [switched
    /// off](Character::want_palette).
    #[must_use]
    pub fn palette(&self) -> &[Mat4] {
        self.frame.palette()
    }

    /// Sets whether updates compute the palette; default true. See [`Frame::want_palette`].
    pub fn want_palette(&mut self, is_wanted: bool) {
        self.frame.want_palette(is_wanted);
    }

    /// The markers that clips passed in the last update. See [`AnimationMixer::events`].
    #[must_use]
    pub fn events(&self) -> MixerEvents<'_> {
        self.mixer.events()
    }

    /// Seconds since the character was created, scaled by its mixer's time scale.
    #[must_use]
    pub fn elapsed(&self) -> f64 {
        self.elapsed.value
    }
}

/// The context for layers.
fn context(rig: &Rig, dt: f64, elapsed: f64, surroundings: &Surroundings<'_>) -> ProceduralContext {
    let place = surroundings.world_from_model;
    let front = rig.front().unwrap_or(Vec3::Z);
    ProceduralContext {
        dt: dt as f32,
        elapsed: elapsed as f32,
        entity_position: place.translation.into(),
        entity_forward: place.transform_vector3(front).try_normalize().unwrap_or(Vec3::Z),
        velocity: surroundings.velocity,
    }
}
