use crate::math::lanes::prefetch;
use crate::rig::block::{LANES, PoseBlock};
use crate::skeleton::JointPose;

/// Borrowed local poses of a [`Frame`](super::Frame), relative to the joints' parents, for copying them one by one into
/// your own storage.
///
/// ```
/// use nebula_animation::{Frame, Rig, Skeleton};
///
/// let frame = Frame::new(&Rig::new(Skeleton::default())); // Of a character of yours.
/// let locals = frame.locals();
/// assert_eq!(locals.get(0), None, "this one has no joints");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct LocalPoses<'a> {
    blocks: &'a [PoseBlock],
    joints: usize,
}

impl<'a> LocalPoses<'a> {
    pub(super) fn new(blocks: &'a [PoseBlock], joints: usize) -> Self {
        Self { blocks, joints }
    }

    /// Prefetches the memory of the poses, to read them shortly after. Use it when copying the poses of many
    /// characters.
    #[inline]
    pub fn prefetch(&self) {
        prefetch(self.blocks);
    }

    /// The pose of a joint; `None` if it does not exist.
    #[must_use]
    #[inline]
    pub fn get(&self, joint: u16) -> Option<JointPose> {
        let joint = usize::from(joint);
        // Morph weights may lie behind the last joint.
        let block = self.blocks.get(joint / LANES).filter(|_| joint < self.joints)?;
        Some(block.get(joint % LANES))
    }
}
