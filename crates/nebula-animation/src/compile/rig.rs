use glam::Mat4;

use super::bind::BindSpace;
use super::block::{LANES, PoseBlock};
use crate::math::affine::Affine;
use crate::skeleton::{Joint, JointPose, Skeleton};

/// A skeleton in the form that evaluation wants: joints by depth, so that neighbours do not wait for each other.
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
    /// For each joint in evaluation order, its index in the skeleton.
    pub(crate) joints: Box<[u16]>,
    /// For each joint of the skeleton, its place in evaluation order.
    pub(crate) places: Box<[u16]>,
    /// For each joint in evaluation order, the slot of its parent's matrix: 0 for the model itself, else place + 1.
    pub(crate) parent_slots: Box<[u32]>,
    /// The rest pose in evaluation order.
    pub(crate) rest: Box<[PoseBlock]>,
    /// In evaluation order, as three rows.
    pub(crate) inverse_binds: Box<[Affine]>,
    /// A hash of all that clips are compiled for: hierarchy, rest pose and bind matrices.
    pub(crate) fingerprint: u64,
    /// Whether no joint is scaled in its rest pose.
    pub(crate) is_unscaled: bool,
    /// The faster way to palettes, for rigid skeletons.
    pub(crate) bind_space: Option<BindSpace>,
}

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
        let mut joints: Vec<u16> = (0..count as u16).collect();
        joints.sort_by_key(|&joint| depths[usize::from(joint)]);
        let mut places = vec![0_u16; count];
        for (place, &joint) in joints.iter().enumerate() {
            places[usize::from(joint)] = place as u16;
        }
        let slot = |&joint: &u16| parent(usize::from(joint)).map_or(0, |parent| u32::from(places[parent]) + 1);
        let mut rest = vec![PoseBlock::IDENTITY; count.div_ceil(LANES)];
        for (place, &joint) in joints.iter().enumerate() {
            rest[place / LANES].set(place % LANES, source[usize::from(joint)].bind_pose());
        }
        let inverse_bind = |&joint: &u16| affine_rows(&source[usize::from(joint)].inverse_bind_matrix);
        Self {
            fingerprint: Self::fingerprint_of(skeleton),
            parent_slots: joints.iter().map(slot).collect(),
            inverse_binds: joints.iter().map(inverse_bind).collect(),
            bind_space: BindSpace::new(skeleton, &places),
            is_unscaled: source.iter().all(|joint| joint.bind_scale == glam::Vec3::ONE),
            joints: joints.into(),
            places: places.into(),
            rest: rest.into(),
        }
    }

    /// The [`Rig::fingerprint`] of a skeleton.
    pub(crate) fn fingerprint_of(skeleton: &Skeleton) -> u64 {
        fingerprint(&skeleton.joints[..skeleton.joints.len().min(usize::from(u16::MAX))])
    }

    /// Whether this is the rig of a skeleton with that fingerprint.
    pub(crate) fn is_of(&self, skeleton: &Skeleton, fingerprint: u64) -> bool {
        self.fingerprint == fingerprint && self.joint_count() == skeleton.joints.len().min(usize::from(u16::MAX))
    }

    /// How many joints a pose and a palette of this rig have.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.joints.len()
    }

    /// Copies a pose from evaluation order to the skeleton's order.
    pub(crate) fn write_pose(&self, blocks: &[PoseBlock], pose: &mut [JointPose]) {
        for (place, &joint) in self.joints.iter().enumerate() {
            if let Some(entry) = pose.get_mut(usize::from(joint)) {
                *entry = blocks[place / LANES].get(place % LANES);
            }
        }
    }

    /// Turns a pose in bind space into a local one, in place.
    pub(crate) fn leave_bind_space(&self, bind_space: &BindSpace, blocks: &mut [PoseBlock]) {
        for (place, &joint) in self.joints.iter().enumerate() {
            let block = &mut blocks[place / LANES];
            block.set(place % LANES, bind_space.local(usize::from(joint), block.get(place % LANES)));
        }
    }

    /// Copies a pose from the skeleton's order to evaluation order; joints that `pose` lacks are at rest.
    pub(crate) fn read_pose(&self, pose: &[JointPose], blocks: &mut [PoseBlock]) {
        blocks.copy_from_slice(&self.rest);
        for (place, &joint) in self.joints.iter().enumerate() {
            if let Some(&entry) = pose.get(usize::from(joint)) {
                blocks[place / LANES].set(place % LANES, entry);
            }
        }
    }
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

/// The upper three rows of a matrix, one after the other.
fn affine_rows(matrix: &Mat4) -> Affine {
    let columns = matrix.to_cols_array_2d();
    Affine(std::array::from_fn(|index| columns[index % 4][index / 4]))
}
