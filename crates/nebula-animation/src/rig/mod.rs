//! A skeleton with everything that is computed from it once: the target of compiled clips, and the reference for
//! layers.

pub mod avatar;
mod bind;
pub(crate) mod block;
mod facing;
mod feet;
mod lanes;
mod legs;
mod limb;
mod rest;

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use glam::Vec3;

use crate::clip::MorphLayout;
use crate::math::affine::Affine;
use crate::skeleton::{HumanoidJoint, HumanoidMap, JointMask, MissingJoints, Skeleton};
use block::PoseBlock;
use rest::Rest;

pub(crate) use bind::{BindMaps, BindSpace};
pub(crate) use facing::snap;
pub use feet::{FeetRig, LegJoints};
pub(crate) use feet::{Leg, Sole, forwards};
pub(crate) use lanes::{Link as DepthLink, Slots};
pub use legs::LegError;
pub(crate) use limb::Limb;
pub(crate) use rest::Link;

/// A character's skeleton, prepared once and shared by everything that animates it.
///
/// It has the [`Skeleton`], to which it dereferences; the hierarchy and the rest pose in model space; the facing; the
/// joints that are hips, head and feet; the soles; the morph targets; and all of that in a form for fast evaluation. It
/// is immutable: another skeleton is another rig.
///
/// ```
/// use nebula_animation::{Rig, load_skeleton_and_clips};
///
/// # fn main() -> Result<(), nebula_animation::AnimationLoadError> {
/// let (skeleton, _) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref())?;
/// let rig = Rig::new(skeleton);
/// assert_eq!(rig.joint_count(), rig.joints.len());
/// assert_eq!(rig.front(), Some(glam::Vec3::Z));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Rig {
    skeleton: Skeleton,
    id: RigId,
    humanoid: HumanoidMap,
    morphs: MorphLayout,
    morph_slots: usize,
    soles: Vec<SolePoint>,
    feet: Option<FeetRig>,
    rest_in_model: Rest,

    /// The joints by depth: neighbours do not wait for each other's matrix.
    pub(crate) by_depth: Box<[DepthLink]>,
    /// Where matrices of a joint and its parent are kept while joints are walked in their own order.
    pub(crate) slots: Box<[Slots]>,
    pub(crate) slot_count: usize,
    /// The rest pose in lanes: the joints, and from the next whole block on the morph weights, three to a lane.
    pub(crate) rest: Arc<[PoseBlock]>,
    /// As three rows.
    pub(crate) inverse_binds: Box<[Affine]>,
    /// A hash of all that clips are compiled for: hierarchy, rest pose, bind matrices and morph targets.
    pub(crate) fingerprint: u64,
    /// Whether no joint is scaled in its rest pose.
    pub(crate) is_unscaled: bool,
    /// The faster way to palettes, for rigid skeletons.
    pub(crate) bind_space: Option<BindSpace>,
}

/// Identifies a [`Rig`]: unique within the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RigId(u64);

/// What you know better than names and rest pose tell. By default everything is detected.
///
/// ```
/// use glam::Vec3;
/// use nebula_animation::{Rig, Skeleton};
/// use nebula_animation::rig::RigOptions;
///
/// let options = RigOptions { front: Some(Vec3::NEG_Z), ..RigOptions::default() };
/// assert_eq!(Rig::with_options(Skeleton::default(), options).front(), Some(Vec3::NEG_Z));
/// ```
#[derive(Debug, Clone, Default)]
pub struct RigOptions {
    /// The direction in model space that the character faces; of any length. By default it is detected from the rest
    /// pose of a humanoid.
    pub front: Option<Vec3>,
    /// The up direction in model space; of any length. By default from hips to head, or +Y.
    pub up: Option<Vec3>,
    /// Which joints are the hips, the head, the feet. By default they are found by name and shape.
    pub humanoid: Option<HumanoidMap>,
    /// The morph targets of the character's meshes; none by default.
    pub morphs: MorphLayout,
    /// Points of the soles, which foot placement keeps above the ground. By default they are estimated from the joints;
    /// [`Asset::rig`](crate::Asset::rig) finds them in the meshes.
    pub soles: Vec<SolePoint>,
}

/// A point on the sole of a shoe, attached to a foot joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolePoint {
    /// The foot, or a joint below it.
    pub joint: u16,
    /// The point in the joint's own space.
    pub point: Vec3,
    /// A second joint of the same foot that also moves the point, as where the toes bend.
    pub blend: Option<SoleBlend>,
}

/// The influence of a second joint on a point of a sole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoleBlend {
    /// The foot, or a joint below it.
    pub joint: u16,
    /// The point in that joint's own space.
    pub point: Vec3,
    /// The weight of that joint, from 0 to 1.
    pub share: f32,
}

impl Rig {
    /// Creates the rig of a skeleton.
    ///
    /// A joint whose parent does not come before it counts as a root. Joints beyond the 65,535th are dropped. The
    /// bottom row of inverse bind matrices is ignored.
    #[must_use]
    pub fn new(skeleton: impl Into<Skeleton>) -> Arc<Self> {
        Self::with_options(skeleton, RigOptions::default())
    }

    /// Creates the rig of a skeleton with options.
    #[must_use]
    pub fn with_options(skeleton: impl Into<Skeleton>, options: RigOptions) -> Arc<Self> {
        Arc::new(Self::build(skeleton.into(), options))
    }

    pub(crate) fn build(mut skeleton: Skeleton, options: RigOptions) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        skeleton.joints.truncate(usize::from(u16::MAX));
        let RigOptions { front, up, humanoid, morphs, soles } = options;
        let humanoid = humanoid.unwrap_or_else(|| HumanoidMap::find_some(&skeleton));
        let rest_in_model = Rest::of(&skeleton, &humanoid, front, up);
        let lanes::Lanes { by_depth, slots, slot_count, rest, inverse_binds, fingerprint } =
            lanes::Lanes::of(&skeleton.joints, &morphs);
        let rig = Self {
            is_unscaled: skeleton.joints.iter().all(|joint| joint.bind_scale == Vec3::ONE),
            bind_space: BindSpace::new(&skeleton.joints, &rest),
            id: RigId(COUNT.fetch_add(1, Ordering::Relaxed)),
            skeleton,
            humanoid,
            morph_slots: morphs.slot_count(),
            morphs,
            soles: Vec::new(),
            feet: None,
            rest_in_model,
            by_depth,
            slots,
            slot_count,
            rest,
            inverse_binds,
            fingerprint,
        };
        rig.with_soles(soles)
    }

    /// The same with other soles.
    pub(crate) fn with_soles(mut self, soles: Vec<SolePoint>) -> Self {
        self.soles = soles;
        self.feet = FeetRig::find(&self, &self.humanoid);
        self
    }

    /// The joints and their hierarchy.
    #[must_use]
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// The id of this rig, unique within the process.
    #[must_use]
    pub fn id(&self) -> RigId {
        self.id
    }

    /// The joints that are the hips, the head, the feet, as far as they are known.
    #[must_use]
    pub fn humanoid(&self) -> &HumanoidMap {
        &self.humanoid
    }

    /// A mask of the upper body of a humanoid: the chest and everything above and below it, arms and head, without
    /// morph targets. Use it to wave while the legs walk.
    ///
    /// # Errors
    /// No joint of the back is known.
    pub fn upper_body(&self) -> Result<JointMask, MissingJoints> {
        let chest = self.humanoid.ribcage().map_or_else(|| self.humanoid.require(HumanoidJoint::Chest), Ok)?;
        let mut mask = JointMask::none(&self.skeleton);
        for joint in (0..self.joint_count() as u16).filter(|&joint| joint == chest || self.is_below(joint, chest)) {
            mask.set(usize::from(joint), 1.0);
        }
        Ok(mask)
    }

    /// A mask of all morph targets and no joints: a face that moves while the body does something else.
    #[must_use]
    pub fn face(&self) -> JointMask {
        JointMask::none(&self.skeleton).with_morphs(1.0)
    }

    /// The legs and soles of a human, or of an animal if its legs can be found by the shape of the rest pose; `None` if
    /// neither is found.
    #[must_use]
    pub fn feet(&self) -> Option<&FeetRig> {
        self.feet.as_ref()
    }

    /// Points of the soles: see [`RigOptions::soles`].
    #[must_use]
    pub fn soles(&self) -> &[SolePoint] {
        &self.soles
    }

    /// The morph targets of this rig's poses.
    #[must_use]
    pub fn morphs(&self) -> &MorphLayout {
        &self.morphs
    }

    /// How many morph weights a pose of this rig has.
    pub(crate) fn morph_slots(&self) -> usize {
        self.morph_slots
    }

    /// The number of joints in a pose or palette of this rig.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.inverse_binds.len()
    }
}

impl Deref for Rig {
    type Target = Skeleton;

    fn deref(&self) -> &Skeleton {
        &self.skeleton
    }
}

impl AsRef<Skeleton> for Rig {
    fn as_ref(&self) -> &Skeleton {
        &self.skeleton
    }
}
