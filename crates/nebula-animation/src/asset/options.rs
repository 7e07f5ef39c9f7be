/// What to load, how lenient to be, and how many resources a file may use.
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
    /// What to do about a repairable violation of the standard; default [`Strictness::Lenient`].
    pub strictness: Strictness,
    /// How many resources the file may use.
    pub limits: Limits,
    /// Whether every node of the file becomes a joint, for instance to attach objects to empty nodes. Default false:
    /// only joints of skins, and nodes that they or the loaded meshes depend on.
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

/// What to do about a violation of the glTF standard that has an obvious repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// Repair it and add a warning to [`Asset::warnings`](crate::Asset::warnings).
    Lenient,
    /// Refuse the file. This also refuses skins without inverse bind matrices, which glTF allows.
    Strict,
}

/// Which meshes are loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeshSelection {
    /// None: only the skeleton, animations and the layout of morph weights.
    None,
    /// Meshes that are skinned or have morph targets.
    Deforming,
    /// Also rigid meshes on or below a skin's joint or an animated node, such as eyes, teeth, armour and a robot's
    /// limbs: everything that a clip can move. Each has the joint it is attached to.
    Moving,
    /// Also static rigid meshes, such as scenery.
    All,
}

/// Resource limits. A file that exceeds them is refused with
/// [`LimitExceeded`](crate::AnimationLoadError::LimitExceeded) before memory is allocated.
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
    /// Bytes of a name; longer ones are truncated with a warning; default 4,096.
    pub name_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file_bytes: 2 << 30, decoded_bytes: 256 << 20, nodes: 500_000, channels: 500_000, name_bytes: 4_096 }
    }
}
