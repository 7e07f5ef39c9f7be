/// What to load, how forgiving to be, and how much a file may cost.
///
/// ```
/// use nebula_animation::asset::LoadOptions;
/// use nebula_animation::asset::Strictness;
///
/// let options = LoadOptions { strictness: Strictness::Strict, ..LoadOptions::default() };
/// assert!(!options.all_nodes_as_joints);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadOptions {
    /// What happens to a file that breaks a rule in a way that can be repaired; default [`Strictness::Lenient`].
    pub strictness: Strictness,
    /// What the file may cost at most.
    pub limits: Limits,
    /// Whether every node of the file becomes a joint, for instance to attach things to empty nodes; default false:
    /// joints of skins, and the nodes that they and the loaded meshes need.
    pub all_nodes_as_joints: bool,
    /// Which meshes are loaded; default [`MeshSelection::Moving`].
    pub meshes: MeshSelection,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            strictness: Strictness::Lenient,
            limits: Limits::default(),
            all_nodes_as_joints: false,
            meshes: MeshSelection::Moving,
        }
    }
}

/// How a breach of the glTF standard is met that has an obvious repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// Repair it and list a warning in [`Asset::warnings`](crate::Asset::warnings).
    Lenient,
    /// Refuse the file. Also refuses skins without inverse bind matrices, which glTF allows.
    Strict,
}

/// Which meshes are loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeshSelection {
    /// None: skeleton, animations and the layout of morph weights only.
    None,
    /// Meshes that are skinned or have morph targets.
    Deforming,
    /// Also rigid meshes on or below a joint of a skin or an animated node, such as eyes, teeth, armour and a robot's limbs:
    /// whatever a clip can move. Each has the joint that carries it.
    Moving,
    /// Also rigid meshes that stand still, such as the scenery of a scene.
    All,
}

/// What a file may cost. A file that asks for more is refused with
/// [`LimitExceeded`](crate::AnimationLoadError::LimitExceeded) before the memory is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes read from disk or from a resolver, all files together; default 2 GiB.
    pub file_bytes: u64,
    /// Bytes of decoded arrays (keyframes, vertices, images), all together; default 256 MiB.
    pub decoded_bytes: u64,
    /// Nodes of the file; default 500,000.
    pub nodes: usize,
    /// Animation channels, all animations together; default 500,000.
    pub channels: usize,
    /// Bytes of a name; longer ones are cut with a warning; default 4,096.
    pub name_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file_bytes: 2 << 30, decoded_bytes: 256 << 20, nodes: 500_000, channels: 500_000, name_bytes: 4_096 }
    }
}
