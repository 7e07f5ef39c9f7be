use glam::Mat4;

/// A skin: the joints that a mesh's vertices refer to.
///
/// The palette that glTF defines for a skin is `palette[skin.joints[j]]` for each `j`, where `palette` is that of the
/// whole skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct Skin {
    /// Name in the file; empty if it has none.
    pub name: String,
    /// For each joint in the skin's own order, its index in [`Skeleton::joints`](crate::Skeleton::joints).
    pub joints: Vec<u16>,
    /// For each joint in the skin's own order, its glTF node.
    pub nodes: Vec<usize>,
    /// For each joint in the skin's own order, the inverse bind matrix: mesh space to joint space in the bind pose.
    pub inverse_bind_matrices: Vec<Mat4>,
    /// The joint of the node that the file declares as the root of this skin. It has no effect.
    pub skeleton_root: Option<u16>,
}
