use std::cell::{Cell, RefCell};

use glam::Quat;

use crate::rig::block::{LANES, PoseBlock};
use crate::skeleton::JointPose;

/// The local poses that layers modify: in the lanes of a frame, or joint by joint in a player.
#[derive(Debug)]
pub(super) enum Local<'a> {
    Lanes(&'a mut [PoseBlock], usize),
    Joints(&'a mut [JointPose]),
}

impl Local<'_> {
    /// How many joints there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        match self {
            Self::Lanes(_, count) => *count,
            Self::Joints(poses) => poses.len(),
        }
    }

    /// The pose of a joint that exists.
    #[inline(always)]
    pub fn get(&self, joint: usize) -> JointPose {
        match self {
            Self::Lanes(blocks, _) => blocks[joint / LANES].get(joint % LANES),
            Self::Joints(poses) => poses[joint],
        }
    }

    /// Eight joints at once, where they lie in lanes.
    #[inline(always)]
    pub fn block(&self, block: usize) -> Option<&PoseBlock> {
        match self {
            Self::Lanes(blocks, _) => blocks.get(block),
            Self::Joints(_) => None,
        }
    }

    /// Sets the pose of a joint that exists.
    #[inline(always)]
    pub fn set(&mut self, joint: usize, pose: JointPose) {
        match self {
            Self::Lanes(blocks, _) => blocks[joint / LANES].set(joint % LANES, pose),
            Self::Joints(poses) => poses[joint] = pose,
        }
    }

    /// Sets the rotation of a joint that exists.
    #[inline(always)]
    pub fn set_rotation(&mut self, joint: usize, rotation: Quat) {
        match self {
            Self::Lanes(blocks, _) => blocks[joint / LANES].set_rotation(joint % LANES, rotation),
            Self::Joints(poses) => poses[joint].1 = rotation,
        }
    }

    /// The pose of a joint, if it exists.
    #[inline(always)]
    pub fn find(&self, joint: u16) -> Option<JointPose> {
        let joint = usize::from(joint);
        (joint < self.len()).then(|| self.get(joint))
    }
}

thread_local! {
    static SCRATCH: RefCell<Vec<PoseBlock>> = const { RefCell::new(Vec::new()) };
}

thread_local! {
    static POSES: Cell<[Vec<PoseBlock>; LANES]> = const { Cell::new([const { Vec::new() }; LANES]) };
}

/// Lends thread memory for eight poses of at least this many blocks. To keep one, exchange it for another one with as
/// many blocks.
pub(crate) fn with_eight(blocks: usize, work: impl FnOnce(&mut [Vec<PoseBlock>; LANES])) {
    // A layer that updates other characters finds nothing there.
    let mut poses = POSES.try_with(Cell::take).unwrap_or_default();
    for pose in poses.iter_mut().filter(|pose| pose.len() < blocks) {
        pose.resize(blocks, PoseBlock::IDENTITY);
    }
    work(&mut poses);
    // A thread that is ending has no next frame.
    let _ = POSES.try_with(|kept| kept.set(poses));
}

/// Lends thread memory for this many blocks, of any poses.
fn with_blocks(count: usize, work: impl FnOnce(&mut [PoseBlock])) {
    SCRATCH.with(|scratch| match scratch.try_borrow_mut() {
        Ok(mut scratch) => {
            if scratch.len() < count {
                scratch.resize(count, PoseBlock::IDENTITY);
            }
            work(&mut scratch[..count]);
        }
        // A layer that updates other characters.
        Err(_) => work(&mut vec![PoseBlock::IDENTITY; count]),
    });
}

/// Lends memory of the thread that holds a copy of a pose.
pub(crate) fn with_lanes(pose: &[PoseBlock], work: impl FnOnce(&mut [PoseBlock])) {
    with_blocks(pose.len(), |local| {
        local.copy_from_slice(pose);
        work(local);
    });
}
