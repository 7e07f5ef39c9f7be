//! The rig in lanes: eight joints side by side, and the hierarchy in evaluation order.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};

use super::block::{LANES, PoseBlock};
use super::{BindSpace, Rig};
use crate::clip::MorphLayout;
use crate::math::Fingerprint;
use crate::math::affine::Affine;
use crate::math::isa::Isa;
use crate::math::lanes::{Kernel, Lanes as Vector, dispatch, load3, load4};
use crate::skeleton::{Joint, JointPose};

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

/// What a rig keeps for evaluation.
pub(super) struct Lanes {
    pub by_depth: Box<[Link]>,
    pub slots: Box<[Slots]>,
    pub slot_count: usize,
    pub rest: Arc<[PoseBlock]>,
    pub inverse_binds: Box<[Affine]>,
    pub fingerprint: u64,
}

impl Lanes {
    pub fn of(source: &[Joint], morphs: &MorphLayout) -> Self {
        let count = source.len();
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
        let first_morph = count.next_multiple_of(LANES);
        let weights = morphs.defaults();
        let lanes = first_morph + weights.len().div_ceil(3);
        let mut rest = vec![PoseBlock::IDENTITY; lanes.div_ceil(LANES)];
        for (index, joint) in source.iter().enumerate() {
            rest[index / LANES].set(index % LANES, joint.bind_pose());
        }
        for (slot, weight) in weights.iter().enumerate() {
            let lane = first_morph + slot / 3;
            rest[lane / LANES].translation[slot % 3][lane % LANES] = *weight;
        }
        Self {
            by_depth,
            slots,
            slot_count,
            rest: rest.into(),
            inverse_binds: source.iter().map(|joint| affine_rows(&joint.inverse_bind_matrix)).collect(),
            fingerprint: fingerprint(source, &weights),
        }
    }
}

impl Rig {
    /// Whether this is the rig of joints with the same numbers.
    #[cfg_attr(not(feature = "ecs"), allow(dead_code, reason = "only systems are given skeletons that may differ"))]
    pub(crate) fn is_of(&self, joints: &[Joint]) -> bool {
        self.joint_count() == joints.len() && self.fingerprint == fingerprint(joints, &self.morphs().defaults())
    }

    /// The lane of the first three morph weights.
    pub(crate) fn first_morph_lane(&self) -> usize {
        self.joint_count().next_multiple_of(LANES)
    }

    /// The lanes that are in use, those between joints and morph weights included.
    pub(crate) fn lane_count(&self) -> usize {
        match self.morph_slots.div_ceil(3) {
            0 => self.joint_count(),
            groups => self.first_morph_lane() + groups,
        }
    }

    /// The lane of a channel's joint, which may be one that carries morph weights; `None` where the rig has no such joint.
    pub(crate) fn lane_of(&self, joint_index: u16) -> Option<usize> {
        let joint = usize::from(joint_index);
        if joint < self.joint_count() {
            return Some(joint);
        }
        let group = usize::from(u16::MAX - joint_index);
        let lane = self.first_morph_lane() + group;
        (group < self.morph_slots.div_ceil(3) && lane <= usize::from(u16::MAX)).then_some(lane)
    }

    /// Copies a pose out of blocks.
    pub(crate) fn write_pose(&self, blocks: &[PoseBlock], pose: &mut [JointPose]) {
        let count = pose.len().min(self.joint_count());
        dispatch(Isa::best(), WritePose { blocks, pose: &mut pose[..count] });
    }

    /// Copies the morph weights out of blocks, slot after slot. A shorter slice gets the first ones.
    pub(crate) fn write_morphs(&self, blocks: &[PoseBlock], weights: &mut [f32]) {
        let count = weights.len().min(self.morph_slots);
        // Lanes of weights begin with a block.
        let blocks = blocks.get(self.first_morph_lane() / LANES..).unwrap_or_default();
        for (block, weights) in blocks.iter().zip(weights[..count].chunks_mut(3 * LANES)) {
            for (lane, weights) in weights.chunks_mut(3).enumerate() {
                for (weight, component) in weights.iter_mut().zip(&block.translation) {
                    *weight = component[lane];
                }
            }
        }
    }

    /// The morph weight in a slot that the rig has.
    pub(crate) fn morph_weight(&self, blocks: &[PoseBlock], slot: usize) -> f32 {
        let lane = self.first_morph_lane() + slot / 3;
        blocks[lane / LANES].translation[slot % 3][lane % LANES]
    }

    /// Makes a pose in bind space a local one, in place.
    pub(crate) fn leave_bind_space(&self, bind_space: &BindSpace, blocks: &mut [PoseBlock]) {
        for joint in 0..self.joint_count() {
            let block = &mut blocks[joint / LANES];
            block.set(joint % LANES, bind_space.local(joint, block.get(joint % LANES)));
        }
    }

    /// Copies a pose into blocks; joints that `pose` lacks, and morph weights, are at rest.
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

/// A hash of the numbers of joints and the default weights of morph targets.
fn fingerprint(joints: &[Joint], morph_weights: &[f32]) -> u64 {
    let mut hash = Fingerprint::new();
    for joint in joints {
        hash.word(joint.parent.map_or(u32::MAX, u32::from));
        let (translation, rotation, scale) = joint.bind_pose();
        let pose = translation.to_array().into_iter().chain(rotation.to_array()).chain(scale.to_array());
        hash.numbers(pose.chain(joint.inverse_bind_matrix.to_cols_array()));
    }
    hash.numbers(morph_weights.iter().copied());
    hash.value()
}

/// Copies a pose out of blocks.
struct WritePose<'a> {
    blocks: &'a [PoseBlock],
    pose: &'a mut [JointPose],
}

impl Kernel for WritePose<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Vector>(self) {
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
    Affine::of(std::array::from_fn(|row| std::array::from_fn(|column| columns[column][row])))
}
