use crate::math::lanes::prefetch;
use crate::rig::block::{LANES, PoseBlock};
use crate::skeleton::JointPose;

/// The poses of the joints of a [`Frame`](super::Frame) relative to their parents, where they lie: for whoever copies them, joint by joint, to
/// places of its own.
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

    /// Asks for the memory of the poses, so that it is there when they are read a little later. Who copies those of many characters saves the
    /// time in which each would be waited for.
    #[inline]
    pub fn prefetch(&self) {
        prefetch(self.blocks);
    }

    /// The pose of a joint; `None` for one that does not exist.
    #[must_use]
    #[inline]
    pub fn get(&self, joint: u16) -> Option<JointPose> {
        let joint = usize::from(joint);
        // Morph weights may lie behind the last joint.
        let block = self.blocks.get(joint / LANES).filter(|_| joint < self.joints)?;
        Some(block.get(joint % LANES))
    }
}
