//! The result of one frame of a character: written by whatever plays, read by everything that comes after.

mod ground;
mod poses;
mod shown;
mod surroundings;

use std::sync::Arc;

use glam::Mat4;

use crate::compile::{Moves, RootDelta};
use crate::math::lanes::{Matrices, prefetch};
use crate::palette::{BoneAttachment, palette_of_blocks, palettes_of_eight};
use crate::rig::Rig;
use crate::rig::block::{LANES, PoseBlock};
use crate::skeleton::JointPose;

pub use ground::{GroundPoint, GroundQuery};
pub use poses::LocalPoses;
pub use shown::{LayerId, ShownClip};
pub use surroundings::{Surroundings, TargetId, TargetQuery};

/// The pose of one character in one frame, and everything derived from it: morph weights, the clips that are shown, the
/// root motion step, skinning matrices and attachments.
///
/// A mixer or a player writes the pose, layers adjust it, and [`finish`](Frame::finish) derives the rest. A
/// [`Character`](crate::Character) does all of this in order. If your poses come from elsewhere (a network, a ragdoll),
/// write them with [`set_pose`](Frame::set_pose).
///
/// ```
/// use nebula_animation::{Frame, Rig, Skeleton};
///
/// let rig = Rig::new(Skeleton::default());
/// let mut frame = Frame::new(&rig);
/// frame.set_pose(&rig.bind_pose());
/// frame.finish(&[]);
/// assert_eq!(frame.palette().len(), rig.joint_count());
/// ```
#[derive(Debug, Clone)]
pub struct Frame {
    rig: Arc<Rig>,
    pub(crate) local: Vec<PoseBlock>,
    pub(crate) shown: Vec<ShownClip>,
    pub(crate) root_step: RootDelta,
    palette: Matrices,
    morph_weights: Vec<f32>,
    attachments: Vec<Mat4>,
    /// Whether the pose has changed since the palette was made.
    is_stale: bool,
    /// Whether the last [`Frame::finish`] found another pose than the one before it.
    is_changed: bool,
    /// Whether anybody wants the palette.
    has_palette: bool,
}

impl Frame {
    /// Creates a frame in the rest pose of a rig.
    #[must_use]
    pub fn new(rig: &Arc<Rig>) -> Self {
        let mut frame = Self {
            rig: Arc::clone(rig),
            local: rig.rest.to_vec(),
            shown: Vec::new(),
            root_step: RootDelta::ZERO,
            palette: Matrices::new(rig.joint_count()),
            morph_weights: rig.morphs().defaults(),
            attachments: Vec::new(),
            is_stale: true,
            is_changed: false,
            has_palette: true,
        };
        frame.finish(&[]);
        frame
    }

    /// The rig.
    #[must_use]
    pub fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }

    /// The pose of a joint relative to its parent; the identity for a joint that does not exist.
    #[must_use]
    pub fn local(&self, joint: u16) -> JointPose {
        let joint = usize::from(joint);
        let block = if joint < self.rig.joint_count() { &self.local[joint / LANES] } else { &PoseBlock::IDENTITY };
        block.get(joint % LANES)
    }

    /// The poses of all joints relative to their parents, for random access without a copy.
    #[must_use]
    pub fn locals(&self) -> LocalPoses<'_> {
        LocalPoses::new(&self.local, self.rig.joint_count())
    }

    /// Copies out the poses of all joints relative to their parents. A shorter slice gets the first joints.
    pub fn write_pose(&self, pose: &mut [JointPose]) {
        self.rig.write_pose(&self.local, pose);
    }

    /// Sets the poses of all joints, relative to their parents. Joints that the slice lacks, joints with numbers that
    /// are not finite, and morph weights are set to rest.
    pub fn set_pose(&mut self, pose: &[JointPose]) {
        self.local.copy_from_slice(&self.rig.rest);
        let is_finite = |pose: &JointPose| pose.0.is_finite() && pose.1.is_finite() && pose.2.is_finite();
        for (joint, &entry) in pose.iter().take(self.rig.joint_count()).enumerate().filter(|(_, pose)| is_finite(pose))
        {
            self.local[joint / LANES].set(joint % LANES, entry);
        }
        self.is_stale = true;
    }

    /// Takes over a pose in lanes; whether it differs from the one before.
    pub(crate) fn set_local(&mut self, local: &[PoseBlock]) -> bool {
        let is_other = self.local != local;
        if is_other {
            self.local.copy_from_slice(local);
            self.is_stale = true;
        }
        is_other
    }

    /// As [`Frame::set_local`] of the first blocks of a pose, whose memory may be exchanged for that of the pose before.
    pub(crate) fn take_local(&mut self, local: &mut Vec<PoseBlock>) {
        if self.local.len() != local.len() {
            let blocks = self.local.len();
            self.set_local(&local[..blocks]);
        } else if self.local != *local {
            std::mem::swap(&mut self.local, local);
            self.is_stale = true;
        }
    }

    /// As [`Frame::set_local`], of a pose that differs at most in what moves of each block; rotations always do.
    pub(crate) fn set_moving(&mut self, local: &[PoseBlock], moves: &[Moves]) {
        let mut blocks = self.local.iter().zip(local).zip(moves);
        let is_other = blocks.any(|((old, new), moves)| {
            old.rotation != new.rotation
                || (moves.translation && old.translation != new.translation)
                || (moves.scale && old.scale != new.scale)
        });
        if !is_other {
            return;
        }
        self.is_stale = true;
        for ((own, new), moves) in self.local.iter_mut().zip(local).zip(moves) {
            own.rotation = new.rotation;
            if moves.translation {
                own.translation = new.translation;
            }
            if moves.scale {
                own.scale = new.scale;
            }
        }
    }

    /// The morph weights, in the slots that [`Rig::morphs`] defines; empty for a rig without morph targets.
    #[must_use]
    pub fn morph_weights(&self) -> &[f32] {
        &self.morph_weights
    }

    /// The morph weights of one mesh, starting at its [first slot](crate::clip::MorphLayout); empty if there is no such
    /// slot.
    #[must_use]
    pub fn morph_weights_of(&self, first_slot: usize, count: usize) -> &[f32] {
        self.morph_weights.get(first_slot..first_slot.saturating_add(count)).unwrap_or_default()
    }

    /// The clips that contribute to the pose, with blend spaces expanded.
    #[must_use]
    pub fn shown(&self) -> &[ShownClip] {
        &self.shown
    }

    /// The root motion step of this frame, for clips with extracted root motion.
    #[must_use]
    pub fn root_step(&self) -> RootDelta {
        self.root_step
    }

    /// The skinning matrices, one per joint, ready to upload. Empty if they are [switched off](Frame::want_palette).
    #[must_use]
    pub fn palette(&self) -> &[Mat4] {
        &self.palette
    }

    /// Sets whether [`finish`](Frame::finish) computes the palette; default true. Switch it off to save time and memory
    /// if you read the [local poses](Frame::write_pose) and compute skinning matrices elsewhere, as an engine with its
    /// own joint entities does.
    ///
    /// ```
    /// use nebula_animation::{Frame, Rig, Skeleton};
    ///
    /// let mut frame = Frame::new(&Rig::new(Skeleton::default()));
    /// frame.want_palette(false);
    /// frame.finish(&[]);
    /// assert!(frame.palette().is_empty());
    /// ```
    pub fn want_palette(&mut self, is_wanted: bool) {
        if self.has_palette != is_wanted {
            self.has_palette = is_wanted;
            self.palette = Matrices::new(if is_wanted { self.rig.joint_count() } else { 0 });
            self.is_stale |= is_wanted;
        }
    }

    /// The matrix from joint space to model space; the identity for a joint that does not exist. Computed for the joint
    /// and its ancestors, without allocating.
    #[must_use]
    pub fn model_matrix(&self, joint: u16) -> Mat4 {
        let mut matrix = Mat4::IDENTITY;
        let mut next = (usize::from(joint) < self.rig.joint_count()).then_some(joint);
        while let Some(joint) = next {
            let (translation, rotation, scale) = self.local(joint);
            matrix = Mat4::from_scale_rotation_translation(scale, rotation, translation) * matrix;
            next = self.rig.parent(joint);
        }
        matrix
    }

    /// Writes the matrix from joint space to model space for every joint, in one pass. A shorter slice gets the first
    /// joints.
    ///
    /// ```
    /// use glam::Mat4;
    /// use nebula_animation::{Frame, Rig, Skeleton};
    ///
    /// let frame = Frame::new(&Rig::new(Skeleton::default())); // Of a character of yours.
    /// let mut model_from_joint = vec![Mat4::IDENTITY; frame.rig().joint_count()];
    /// frame.write_model_matrices(&mut model_from_joint);
    /// ```
    pub fn write_model_matrices(&self, matrices: &mut [Mat4]) {
        for joint in 0..self.rig.joint_count().min(matrices.len()) {
            let (translation, rotation, scale) = self.local(joint as u16);
            let local = Mat4::from_scale_rotation_translation(scale, rotation, translation);
            let parent = self.rig.parent(joint as u16);
            matrices[joint] = parent.map_or(local, |parent| matrices[usize::from(parent)] * local);
        }
    }

    /// The matrix from attachment space to model space, by index into the list that was passed to
    /// [`finish`](Frame::finish).
    #[must_use]
    pub fn attachment(&self, index: usize) -> Option<&Mat4> {
        self.attachments.get(index)
    }

    /// `true` if the last two finished frames have different poses.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// Asks for the memory that [`finish`](Frame::finish) will need.
    pub(crate) fn prefetch(&self) {
        prefetch(&self.local[..]);
        prefetch(&self.palette[..]);
        prefetch(&self.shown[..]);
    }

    /// Lets the next [`finish`](Frame::finish) count as a change, whatever the pose.
    pub(crate) fn mark_changed(&mut self) {
        self.is_stale = true;
    }

    /// Derives the palette, morph weights and attachment matrices from the pose. Skips work if the pose has not
    /// changed. Does not allocate once it has seen as many attachments.
    pub fn finish(&mut self, attachments: &[BoneAttachment]) {
        self.finish_with(attachments, false);
    }

    /// As [`finish`](Frame::finish) of eight frames, with the same bits; palettes are made side by side where all have changed and are of
    /// one rig.
    pub(crate) fn finish_eight(mut frames: [(&mut Self, &[BoneAttachment]); LANES]) {
        let id = frames[0].0.rig.id();
        let is_alike = |frame: &Self| frame.is_stale && frame.has_palette && frame.rig.id() == id;
        let mut has_palette = frames.iter().all(|(frame, _)| is_alike(frame));
        if has_palette {
            has_palette = palettes_of_eight(frames.each_mut().map(|(frame, _)| {
                let Self { rig, local, palette, .. } = &mut **frame;
                (&**rig, &local[..], &mut palette[..])
            }));
        }
        for (frame, attachments) in frames {
            frame.finish_with(attachments, has_palette);
        }
    }

    fn finish_with(&mut self, attachments: &[BoneAttachment], has_palette: bool) {
        self.is_changed = std::mem::take(&mut self.is_stale);
        if self.is_changed {
            if self.has_palette && !has_palette {
                palette_of_blocks(&self.rig, &self.local, &mut self.palette);
            }
            self.rig.write_morphs(&self.local, &mut self.morph_weights);
        }
        self.attachments.resize(attachments.len(), Mat4::IDENTITY);
        for (index, attachment) in attachments.iter().enumerate() {
            let joint = attachment.joint().map_or(Mat4::IDENTITY, |joint| self.model_matrix(joint));
            self.attachments[index] = attachment.on_joint(&joint);
        }
    }
}
