use glam::{Affine3A, Quat, Vec3, Vec3A};

use super::changes::unit;
use super::local::Local;
use super::placed::Placed;
use super::scratch::{IDENTITY, Lent, squares};
use super::turn::rotated;
use crate::compile::AnimationClipLibrary;
use crate::frame::{ShownClip, Surroundings};
use crate::rig::Rig;
use crate::rig::block::PoseBlock;
use crate::skeleton::JointPose;

/// A pose to read and modify in model space, for layers that know the rig.
///
/// Local poses are authoritative; model-space transforms follow them. They are computed on demand, only for the joint
/// in question and its ancestors, and again only when one of these has changed. Memory is borrowed from the thread and
/// returned, so that a frame does not allocate.
///
/// A joint that does not exist reads as the identity, and changes to it are ignored.
///
/// ```
/// use glam::{Affine3A, Mat4, Quat, Vec3};
/// use nebula_animation::{Joint, ModelPose, Rig, Skeleton};
///
/// let joint = |index: u16, parent| Joint {
///     index,
///     parent,
///     inverse_bind_matrix: Mat4::IDENTITY,
///     name: "bone".into(),
///     bind_translation: Vec3::Y,
///     bind_rotation: Quat::IDENTITY,
///     bind_scale: Vec3::ONE,
/// };
/// let skeleton = Skeleton { joints: vec![joint(0, None), joint(1, Some(0))] };
/// let (rig, mut local_poses) = (Rig::new(&skeleton), skeleton.bind_pose());
///
/// let mut pose = ModelPose::new(&rig, &mut local_poses, Affine3A::IDENTITY);
/// assert_eq!(pose.position(1), Vec3::new(0.0, 2.0, 0.0));
/// pose.rotate_in_model(0, Quat::from_rotation_z(-std::f32::consts::FRAC_PI_2));
/// assert!(pose.position(1).abs_diff_eq(Vec3::new(1.0, 1.0, 0.0), 1e-6));
/// ```
#[derive(Debug)]
pub struct ModelPose<'a> {
    pub(super) rig: &'a Rig,
    pub(super) local: Local<'a>,
    surroundings: Surroundings<'a>,
    model_from_world: Affine3A,
    shown: &'a [ShownClip],
    library: Option<&'a AnimationClipLibrary>,
    front: Option<Vec3>,
    weight: f32,
    is_rejected: bool,
    pub(super) scratch: Lent,
}

impl<'a> ModelPose<'a> {
    /// Local poses on a rig, of an entity with the transform `world_from_model`.
    ///
    /// A transform without an inverse (a scale of zero) counts as the identity when points are transformed from world
    /// to model space.
    #[must_use]
    pub fn new(rig: &'a Rig, local_poses: &'a mut [JointPose], world_from_model: Affine3A) -> Self {
        let posed = rig.joint_count().min(local_poses.len());
        Self::of(rig, Local::Joints(&mut local_poses[..posed]), Surroundings::at(world_from_model), &[], None)
    }

    /// The pose of a frame, in lanes, which comes from these clips of a library.
    #[inline(always)]
    pub(crate) fn in_lanes(
        library: &'a AnimationClipLibrary,
        local: &'a mut [PoseBlock],
        surroundings: &Surroundings<'a>,
        shown: &'a [ShownClip],
    ) -> Self {
        let rig = library.rig();
        Self::of(rig, Local::Lanes(local, rig.joint_count()), *surroundings, shown, Some(library))
    }

    // Put together where it is used: it is large.
    #[inline(always)]
    fn of(
        rig: &'a Rig,
        local: Local<'a>,
        surroundings: Surroundings<'a>,
        shown: &'a [ShownClip],
        library: Option<&'a AnimationClipLibrary>,
    ) -> Self {
        Self {
            rig,
            local,
            model_from_world: inverse(&surroundings.world_from_model),
            surroundings,
            shown,
            library,
            front: rig.front(),
            weight: 1.0,
            is_rejected: false,
            scratch: Lent::new(rig.joint_count()),
        }
    }

    /// The same pose in these surroundings: the ground, the targets, and the character's transform.
    #[must_use]
    pub fn within(mut self, surroundings: &Surroundings<'a>) -> Self {
        self.model_from_world = inverse(&surroundings.world_from_model);
        self.surroundings = *surroundings;
        self
    }

    /// The same pose, made of these clips of a library: foot placement looks up when their feet stand.
    #[must_use]
    pub fn showing(mut self, shown: &'a [ShownClip], library: &'a AnimationClipLibrary) -> Self {
        (self.shown, self.library) = (shown, Some(library));
        self
    }

    /// The same pose in its own memory. What was computed from it is not shared, so that looking at it changes no bits.
    pub(super) fn copied<'c>(&self, local_poses: &'c mut [JointPose]) -> ModelPose<'c>
    where
        'a: 'c,
    {
        let local = Local::Joints(local_poses);
        let mut copy = ModelPose::of(self.rig, local, self.surroundings, self.shown, self.library);
        copy.front = self.front;
        copy
    }

    /// The character's surroundings.
    #[must_use]
    pub fn surroundings(&self) -> &Surroundings<'a> {
        &self.surroundings
    }

    /// The clips that the pose is made of, if known.
    #[must_use]
    pub fn shown(&self) -> &'a [ShownClip] {
        self.shown
    }

    /// The library of those clips.
    #[must_use]
    pub fn library(&self) -> Option<&'a AnimationClipLibrary> {
        self.library
    }

    /// The number of joints that can be read and modified.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.local.len()
    }

    /// The rig: parents, children, the rest pose.
    #[must_use]
    #[inline]
    pub fn rig(&self) -> &'a Rig {
        self.rig
    }

    /// The transform from model space to world space.
    #[must_use]
    pub fn world_from_model(&self) -> &Affine3A {
        &self.surroundings.world_from_model
    }

    /// The transform from world space to model space: for targets, the ground, and with `transform_vector3` for
    /// gravity.
    #[must_use]
    pub fn model_from_world(&self) -> &Affine3A {
        &self.model_from_world
    }

    /// The direction in model space that the character faces while nothing is animated; unit length. If the rig does
    /// not tell, the entity's forward direction; without a stack, +Z, which glTF calls the front.
    #[must_use]
    #[inline]
    pub fn front(&self) -> Vec3 {
        self.front.unwrap_or(Vec3::Z)
    }

    /// The weight with which the stack will blend the current layer's changes, in `(0, 1]`. Rarely needed: a layer
    /// makes its changes at full weight.
    #[must_use]
    pub fn weight(&self) -> f32 {
        self.weight
    }

    /// The pose of a joint relative to its parent.
    #[must_use]
    #[inline]
    pub fn local(&self, joint: u16) -> JointPose {
        self.local.find(joint).unwrap_or(IDENTITY)
    }

    /// Sets the pose of a joint relative to its parent. The rotation is normalized.
    pub fn set_local(&mut self, joint: u16, pose: JointPose) {
        self.change(joint, |kept| {
            *kept = (pose.0, unit(pose.1).0, pose.2);
            squares(kept)
        });
    }

    /// Adds to the pose of a joint in its own space, in the sense of [`evaluate`](super::ProceduralLayer::evaluate).
    pub fn add(&mut self, joint: u16, (offset, rotation, factor): JointPose) {
        self.change(joint, |pose| {
            *pose = (pose.0 + offset, unit(pose.1 * rotation).0, pose.2 * factor);
            squares(pose)
        });
    }

    /// The transform from joint space to model space.
    #[inline]
    pub fn model(&mut self, joint: u16) -> Affine3A {
        self.placed(joint).model_from_joint()
    }

    /// The transform from the parent's space to model space; the identity for a root.
    #[inline]
    pub fn parent_model(&mut self, joint: u16) -> Affine3A {
        self.above(joint).model_from_joint()
    }

    /// Where the joint is.
    #[inline]
    pub(super) fn placed(&mut self, joint: u16) -> &Placed {
        if usize::from(joint) >= self.local.len() {
            return &Placed::IDENTITY;
        }
        self.scratch.placed(self.rig.links(), &self.local, joint)
    }

    /// Where the joint's parent is: the identity for a root.
    #[inline]
    pub(super) fn above(&mut self, joint: u16) -> &Placed {
        if usize::from(joint) >= self.local.len() {
            return &Placed::IDENTITY;
        }
        self.scratch.above(self.rig.links(), &self.local, joint)
    }

    /// The same, if that is known already.
    #[inline]
    fn known(&self, joint: u16) -> Option<&Placed> {
        self.rig.links().get(usize::from(joint)).and_then(|link| self.scratch.known(link.place))
    }

    /// The joint's position in model space.
    pub fn position(&mut self, joint: u16) -> Vec3 {
        self.origin(joint).into()
    }

    /// The same. Less work than [`model`](ModelPose::model) where that is not known yet.
    #[inline]
    pub(super) fn origin(&mut self, joint: u16) -> Vec3A {
        let Some((translation, ..)) = self.local.find(joint) else { return Vec3A::ZERO };
        match self.known(joint) {
            Some(placed) => placed.origin(),
            None => self.above(joint).point(translation.into()),
        }
    }

    /// Takes a point from the joint's space to model space. Less work than [`model`](ModelPose::model) for one or two of them,
    /// where that is not known yet.
    #[inline]
    pub(super) fn point_of(&mut self, joint: u16, point: Vec3A) -> Vec3A {
        let Some((translation, rotation, scale)) = self.local.find(joint) else { return point };
        if let Some(placed) = self.known(joint) {
            return placed.point(point);
        }
        let in_parent = Vec3A::from(translation) + rotated(rotation, Vec3A::from(scale) * point);
        self.above(joint).point(in_parent)
    }

    /// The joint's position in world space.
    pub fn world_position(&mut self, joint: u16) -> Vec3 {
        let position = self.position(joint);
        self.surroundings.world_from_model.transform_point3(position)
    }

    /// The joint's rotation in model space, without scale and shear; unit length.
    pub fn rotation(&mut self, joint: u16) -> Quat {
        self.placed(joint).rotation()
    }

    /// Rotates a joint, with everything below it, about its own position by a rotation in model space.
    ///
    /// Below parents with a non-uniform scale, the axis of the rotation is exact and the angle approximate; to point a
    /// joint exactly in a direction, use [`point`](ModelPose::point). Below a parent with a scale of zero, nothing
    /// happens. A rotation that is not finite is [rejected](ModelPose::reject).
    pub fn rotate_in_model(&mut self, joint: u16, delta: Quat) {
        if !delta.is_finite() {
            return self.reject();
        }
        let Some(turn) = self.above(joint).turn_from_model(delta) else { return };
        match (self.known(joint).map(Placed::origin), self.local.find(joint)) {
            (Some(origin), Some(local)) => self.set_turned(joint, local, turn * local.1, origin),
            _ => self.turn(joint, turn),
        }
    }

    /// Sets the joint's rotation in model space, without scale and shear: the inverse of
    /// [`rotation`](ModelPose::rotation).
    pub fn set_rotation(&mut self, joint: u16, rotation: Quat) {
        let (_, _, scale) = self.local(joint);
        let above = self.above(joint);
        let is_usual = scale.cmpgt(Vec3::ZERO).all() && (1e-20..1e20).contains(&rotation.length_squared());
        if is_usual && above.is_even() {
            let in_parent = above.rotation().conjugate() * rotation;
            return self.set_local_rotation(joint, in_parent);
        }
        let delta = rotation * self.rotation(joint).conjugate();
        self.rotate_in_model(joint, delta);
    }

    /// Rotates a joint by the shortest rotation so that a direction in its own space points along a direction in model
    /// space; exact whatever the scales above. Neither needs unit length. Nothing happens if either is zero; if either
    /// is not finite, it is [rejected](ModelPose::reject).
    pub fn point(&mut self, joint: u16, axis_in_joint: Vec3, direction: Vec3) {
        self.point_at(joint, axis_in_joint.into(), direction.into());
    }

    /// Moves a joint, with everything below it, by an offset in model space. An offset that is not finite is
    /// [rejected](ModelPose::reject).
    pub fn translate_in_model(&mut self, joint: u16, offset: Vec3) {
        self.shift(joint, offset.into());
    }

    /// The same.
    pub(super) fn shift(&mut self, joint: u16, offset: Vec3A) {
        if !offset.is_finite() {
            return self.reject();
        }
        let above = self.above(joint);
        let (is_even, in_parent) = (above.is_even(), Vec3::from(above.vector_from_model(offset)));
        let Some(mut pose) = self.local.find(joint) else { return };
        if in_parent.is_finite() {
            self.scratch.remember(joint, &pose);
            pose.0 += in_parent;
            self.local.set(usize::from(joint), pose);
            self.scratch.note(pose.0.length_squared());
            let link = self.rig.links()[usize::from(joint)];
            if is_even {
                self.scratch.translate(link, offset);
            } else {
                // What comes of it is not quite what was asked for.
                self.scratch.forget(link);
            }
        }
    }

    /// Moves a joint, with everything below it, to a position in model space.
    pub fn set_position(&mut self, joint: u16, position: Vec3) {
        let offset = position - self.position(joint);
        self.translate_in_model(joint, offset);
    }

    /// Reports that the current layer cannot do its work, because its inputs are not finite or do not fit the rig: its
    /// changes so far are undone, and a line is logged once.
    pub fn reject(&mut self) {
        self.is_rejected = true;
    }

    /// Where the rig does not tell its front, this is it.
    pub(super) fn assume_front(&mut self, forward_in_world: Vec3) {
        if self.front.is_none() {
            self.front = self.model_from_world.transform_vector3(forward_in_world).try_normalize();
        }
    }

    /// From here on, changes are those of one layer.
    pub(super) fn begin_layer(&mut self, weight: f32) {
        self.weight = weight;
        self.is_rejected = false;
        self.scratch.clear_journal();
    }

    /// Blends what the layer did by its weight. If it has written a number that is not finite, or gave up, nothing of it stays, and
    /// this is false.
    pub(super) fn end_layer(&mut self) -> bool {
        let Self { rig, local, scratch, weight, is_rejected, .. } = self;
        let mut is_good = !*is_rejected && scratch.is_sound();
        if is_good && *weight < 1.0 {
            scratch.blend(rig.links(), local, *weight);
            // Between a rotation and one that is far from unit length, there may be none.
            is_good = scratch.is_finite(local);
        }
        if !is_good {
            scratch.take_back(rig.links(), local);
        }
        is_good
    }
}

/// From world space to model space; the identity if there is no inverse.
fn inverse(world_from_model: &Affine3A) -> Affine3A {
    let inverse = world_from_model.inverse();
    if inverse.is_finite() { inverse } else { Affine3A::IDENTITY }
}
