use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};

use super::bind::BindSpace;
use super::block::{LANES, PoseBlock};
use crate::math::affine::Affine;
use crate::math::isa::Isa;
use crate::math::lanes::{Kernel, Lanes, dispatch, load3, load4};
use crate::skeleton::{Joint, JointPose, Skeleton};

/// A skeleton in the form that evaluation wants.
///
/// Built once per skeleton and shared; it does not follow later changes of the skeleton.
///
/// ```
/// use nebula_animation::{Rig, Skeleton};
///
/// let rig = Rig::new(&Skeleton::default());
/// assert_eq!(rig.joint_count(), 0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Rig {
    /// The joints by depth: neighbours do not wait for each other's matrix.
    pub(crate) by_depth: Box<[Link]>,
    /// Where matrices of a joint and its parent are kept while joints are walked in their own order.
    pub(crate) slots: Box<[Slots]>,
    pub(crate) slot_count: usize,
    /// The rest pose.
    pub(crate) rest: Arc<[PoseBlock]>,
    /// As three rows.
    pub(crate) inverse_binds: Box<[Affine]>,
    /// A hash of all that clips are compiled for: hierarchy, rest pose and bind matrices.
    pub(crate) fingerprint: u64,
    /// Whether no joint is scaled in its rest pose.
    pub(crate) is_unscaled: bool,
    /// The faster way to palettes, for rigid skeletons.
    pub(crate) bind_space: Option<BindSpace>,
}

/// A joint, and the slot of its parent's matrix: 0 for the model itself, else the parent's index + 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    pub joint: u16,
    pub parent_slot: u16,
}

/// The slots of a parent's matrix, 0 for the model itself, and of a joint's own, which a joint without children does not
/// have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slots {
    pub parent: u16,
    pub own: u16,
}

/// The slot of joints that need none.
const NO_SLOT: u16 = u16::MAX;

impl Rig {
    /// Compiles a skeleton.
    ///
    /// A joint whose parent does not come before it counts as a root. Joints beyond the 65,535th are left out. Of an
    /// inverse bind matrix, the bottom row is ignored.
    #[must_use]
    pub fn new(skeleton: &Skeleton) -> Self {
        let count = skeleton.joints.len().min(usize::from(u16::MAX));
        let source = &skeleton.joints[..count];
        let parent = |index: usize| source[index].parent.map(usize::from).filter(|&parent| parent < index);
        let mut depths = vec![0_u32; count];
        for index in 0..count {
            depths[index] = parent(index).map_or(0, |parent| depths[parent] + 1);
        }
        let link = |joint: usize| Link {
            joint: joint as u16,
            parent_slot: parent(joint).map_or(0, |parent| parent as u16 + 1),
        };
        let mut by_depth: Box<[Link]> = (0..count).map(link).collect();
        by_depth.sort_by_key(|link| depths[usize::from(link.joint)]);
        let (slots, slot_count) = assign_slots(count, parent);
        let mut rest = vec![PoseBlock::IDENTITY; count.div_ceil(LANES)];
        for (index, joint) in source.iter().enumerate() {
            rest[index / LANES].set(index % LANES, joint.bind_pose());
        }
        Self {
            fingerprint: Self::fingerprint_of(skeleton),
            inverse_binds: source.iter().map(|joint| affine_rows(&joint.inverse_bind_matrix)).collect(),
            bind_space: BindSpace::new(source),
            is_unscaled: source.iter().all(|joint| joint.bind_scale == Vec3::ONE),
            by_depth,
            slots,
            slot_count,
            rest: rest.into(),
        }
    }

    /// The [`Rig::fingerprint`] of a skeleton.
    fn fingerprint_of(skeleton: &Skeleton) -> u64 {
        fingerprint(&skeleton.joints[..skeleton.joints.len().min(usize::from(u16::MAX))])
    }

    /// Whether this is the rig of a skeleton.
    pub(crate) fn is_of(&self, skeleton: &Skeleton) -> bool {
        self.fingerprint == Self::fingerprint_of(skeleton)
            && self.joint_count() == skeleton.joints.len().min(usize::from(u16::MAX))
    }

    /// Whether this may be the rig of a skeleton: false for almost every other one, at once.
    pub(crate) fn looks_like(&self, skeleton: &Skeleton) -> bool {
        let last = skeleton.joints.last();
        skeleton.joints.len() == self.joint_count()
            && last.map(|joint| affine_rows(&joint.inverse_bind_matrix)) == self.inverse_binds.last().copied()
    }

    /// How many joints a pose and a palette of this rig have.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.inverse_binds.len()
    }

    /// Copies a pose out of blocks.
    pub(crate) fn write_pose(&self, blocks: &[PoseBlock], pose: &mut [JointPose]) {
        let count = pose.len().min(self.joint_count());
        dispatch(Isa::best(), WritePose { blocks, pose: &mut pose[..count] });
    }

    /// Turns a pose in bind space into a local one, in place.
    pub(crate) fn leave_bind_space(&self, bind_space: &BindSpace, blocks: &mut [PoseBlock]) {
        for joint in 0..self.joint_count() {
            let block = &mut blocks[joint / LANES];
            block.set(joint % LANES, bind_space.local(joint, block.get(joint % LANES)));
        }
    }

    /// Copies a pose into blocks; joints that `pose` lacks are at rest.
    pub(crate) fn read_pose(&self, pose: &[JointPose], blocks: &mut [PoseBlock]) {
        blocks.copy_from_slice(&self.rest);
        for (index, &entry) in pose.iter().take(self.joint_count()).enumerate() {
            blocks[index / LANES].set(index % LANES, entry);
        }
    }
}

/// Gives slots to matrices of parents from their own joint to their last child, and to others after that: a slot for each
/// level of the hierarchy and a few more, where children follow their parents closely. Also how many slots there are.
fn assign_slots(count: usize, parent: impl Fn(usize) -> Option<usize>) -> (Box<[Slots]>, usize) {
    let mut last_child = vec![None; count];
    for joint in 0..count {
        if let Some(parent) = parent(joint) {
            last_child[parent] = Some(joint);
        }
    }
    let mut slots: Vec<Slots> = Vec::with_capacity(count);
    let mut free = Vec::new();
    let mut slot_count = 1;
    for joint in 0..count {
        let own = last_child[joint].map_or(NO_SLOT, |_| {
            free.pop().unwrap_or_else(|| {
                slot_count += 1;
                slot_count as u16 - 1
            })
        });
        let parent = parent(joint);
        let parent_slot = parent.map_or(0, |parent| slots[parent].own);
        slots.push(Slots { parent: parent_slot, own });
        if parent.is_some_and(|parent| last_child[parent] == Some(joint)) {
            free.push(parent_slot);
        }
    }
    (slots.into(), slot_count)
}

/// FNV-1a over the numbers of joints, as bits.
fn fingerprint(joints: &[Joint]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bits: u32| hash = (hash ^ u64::from(bits)).wrapping_mul(0x0000_0100_0000_01b3);
    for joint in joints {
        add(joint.parent.map_or(u32::MAX, u32::from));
        let (translation, rotation, scale) = joint.bind_pose();
        let pose = translation.to_array().into_iter().chain(rotation.to_array()).chain(scale.to_array());
        pose.chain(joint.inverse_bind_matrix.to_cols_array()).for_each(|number| add(number.to_bits()));
    }
    hash
}

/// Copies a pose out of blocks.
struct WritePose<'a> {
    blocks: &'a [PoseBlock],
    pose: &'a mut [JointPose],
}

impl Kernel for WritePose<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        for (block, pose) in self.blocks.iter().zip(self.pose.chunks_mut(LANES)) {
            let (mut translations, mut rotations, mut scales) =
                ([[0.0; 4]; LANES], [[0.0; 4]; LANES], [[0.0; 4]; LANES]);
            for lane in (0..LANES).step_by(L::WIDTH) {
                let [x, y, z] = load3::<L>(&block.translation, lane);
                L::store_turned([x, y, z, z], &mut &mut translations[lane..]);
                L::store_turned(load4::<L>(&block.rotation, lane), &mut &mut rotations[lane..]);
                let [x, y, z] = load3::<L>(&block.scale, lane);
                L::store_turned([x, y, z, z], &mut &mut scales[lane..]);
            }
            for (lane, entry) in pose.iter_mut().enumerate().take(LANES) {
                let ([x, y, z, _], [a, b, c, _]) = (translations[lane], scales[lane]);
                *entry = (Vec3::new(x, y, z), Quat::from_array(rotations[lane]), Vec3::new(a, b, c));
            }
        }
    }
}

/// The upper three rows of a matrix, one after the other.
fn affine_rows(matrix: &Mat4) -> Affine {
    let columns = matrix.to_cols_array_2d();
    Affine(std::array::from_fn(|row| std::array::from_fn(|column| columns[column][row])))
}
