//! The objects of glTF 2.0 and of the supported extensions, member by member.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::looks::{Image, Material, Texture, TextureSampler};
use super::{Capped, Text, Uint};

/// Upper bound of arrays of objects. A character has hundreds of nodes; a few bytes of JSON become a few hundred bytes
/// of memory, so this bound keeps the document of a hostile file below a few hundred megabytes.
const OBJECTS: usize = 1 << 20;
/// Upper bound of the morph targets of a primitive; faces have a few hundred.
const MORPH_TARGETS: usize = 1 << 12;
/// Upper bound of arrays of numbers, whose elements take no more memory than text.
const NUMBERS: usize = 1 << 26;

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Document<'a> {
    #[serde(borrow)]
    pub asset: Option<AssetInfo<'a>>,
    pub extensions_used: Capped<Text<'a>, 4096>,
    pub extensions_required: Capped<Text<'a>, 4096>,
    pub extensions: RootExtensions<'a>,
    pub accessors: Capped<Accessor<'a>, OBJECTS>,
    pub animations: Capped<Animation<'a>, OBJECTS>,
    pub buffers: Capped<Buffer<'a>, OBJECTS>,
    pub buffer_views: Capped<BufferView<'a>, OBJECTS>,
    pub cameras: Capped<Object, OBJECTS>,
    pub images: Capped<Image<'a>, OBJECTS>,
    pub materials: Capped<Material<'a>, OBJECTS>,
    pub meshes: Capped<Mesh<'a>, OBJECTS>,
    pub nodes: Capped<Node<'a>, OBJECTS>,
    pub samplers: Capped<TextureSampler, OBJECTS>,
    pub scene: Option<Uint>,
    pub scenes: Capped<Scene, OBJECTS>,
    pub skins: Capped<Skin<'a>, OBJECTS>,
    pub textures: Capped<Texture, OBJECTS>,
}

/// An object of which only the existence matters.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Object {}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AssetInfo<'a> {
    #[serde(borrow)]
    pub version: Text<'a>,
    pub min_version: Option<Text<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct RootExtensions<'a> {
    /// Read later, because a fault in it drops an entry instead of the file.
    #[serde(borrow, rename = "KHR_animation_clip")]
    pub animation_clip: Option<&'a RawValue>,
    /// Who is whose hips and head, also read later.
    #[serde(borrow, rename = "VRMC_vrm")]
    pub vrmc_vrm: Option<&'a RawValue>,
    #[serde(borrow, rename = "VRMC_vrm_animation")]
    pub vrmc_vrm_animation: Option<&'a RawValue>,
    #[serde(borrow, rename = "VRM")]
    pub vrm: Option<&'a RawValue>,
    #[serde(borrow, rename = "VRMC_springBone")]
    pub vrmc_spring_bone: Option<&'a RawValue>,
    #[serde(borrow, rename = "KHR_character_skeleton_mapping")]
    pub khr_character_skeleton_mapping: Option<&'a RawValue>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Buffer<'a> {
    pub byte_length: Uint,
    #[serde(borrow)]
    pub uri: Option<Text<'a>>,
    #[serde(default)]
    pub extensions: BufferExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct BufferExtensions {
    #[serde(rename = "EXT_meshopt_compression")]
    pub ext_meshopt: MeshoptBuffer,
    #[serde(rename = "KHR_meshopt_compression")]
    pub khr_meshopt: MeshoptBuffer,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MeshoptBuffer {
    /// Whether the buffer only exists for loaders without the extension, and may have no data.
    pub fallback: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BufferView<'a> {
    pub buffer: Uint,
    #[serde(default)]
    pub byte_offset: Uint,
    pub byte_length: Uint,
    pub byte_stride: Option<Uint>,
    #[serde(borrow, default)]
    pub extensions: BufferViewExtensions<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct BufferViewExtensions<'a> {
    #[serde(borrow, rename = "EXT_meshopt_compression")]
    pub ext_meshopt: Option<Box<MeshoptView<'a>>>,
    #[serde(borrow, rename = "KHR_meshopt_compression")]
    pub khr_meshopt: Option<Box<MeshoptView<'a>>>,
}

impl<'a> BufferViewExtensions<'a> {
    /// The compressed form of the view. Where a file offers both, they hold the same data.
    pub fn meshopt(&self) -> Option<&MeshoptView<'a>> {
        self.khr_meshopt.as_deref().or(self.ext_meshopt.as_deref())
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MeshoptView<'a> {
    pub buffer: Uint,
    #[serde(default)]
    pub byte_offset: Uint,
    pub byte_length: Uint,
    pub byte_stride: Uint,
    pub count: Uint,
    #[serde(borrow)]
    pub mode: Text<'a>,
    pub filter: Option<Text<'a>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Accessor<'a> {
    pub buffer_view: Option<Uint>,
    #[serde(default)]
    pub byte_offset: Uint,
    pub component_type: Uint,
    #[serde(default)]
    pub normalized: bool,
    pub count: Uint,
    #[serde(rename = "type", borrow)]
    pub shape: Text<'a>,
    pub sparse: Option<Box<Sparse>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Sparse {
    pub count: Uint,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SparseIndices {
    pub buffer_view: Uint,
    #[serde(default)]
    pub byte_offset: Uint,
    pub component_type: Uint,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SparseValues {
    pub buffer_view: Uint,
    #[serde(default)]
    pub byte_offset: Uint,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Node<'a> {
    #[serde(borrow)]
    pub name: Option<Text<'a>>,
    pub children: Capped<Uint, NUMBERS>,
    pub matrix: Option<Box<[f64; 16]>>,
    pub translation: Option<[f32; 3]>,
    pub rotation: Option<[f32; 4]>,
    pub scale: Option<[f32; 3]>,
    pub camera: Option<Uint>,
    pub mesh: Option<Uint>,
    pub skin: Option<Uint>,
    pub weights: Option<Capped<f32, NUMBERS>>,
    #[serde(borrow)]
    pub extensions: NodeExtensions<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct NodeExtensions<'a> {
    /// Read later, because a fault in it drops an entry instead of the file.
    #[serde(borrow, rename = "VRMC_node_constraint")]
    pub constraint: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Scene {
    pub nodes: Capped<Uint, NUMBERS>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Skin<'a> {
    #[serde(borrow)]
    pub name: Option<Text<'a>>,
    pub joints: Capped<Uint, NUMBERS>,
    pub inverse_bind_matrices: Option<Uint>,
    pub skeleton: Option<Uint>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Animation<'a> {
    #[serde(borrow)]
    pub name: Option<Text<'a>>,
    #[serde(default)]
    pub channels: Capped<Channel<'a>, OBJECTS>,
    #[serde(default)]
    pub samplers: Capped<Sampler<'a>, OBJECTS>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Channel<'a> {
    pub sampler: Uint,
    #[serde(borrow)]
    pub target: Target<'a>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Target<'a> {
    pub node: Option<Uint>,
    #[serde(borrow)]
    pub path: Text<'a>,
    #[serde(default)]
    pub extensions: TargetExtensions<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TargetExtensions<'a> {
    #[serde(borrow, rename = "KHR_animation_pointer")]
    pub pointer: Option<Box<AnimationPointer<'a>>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct AnimationPointer<'a> {
    #[serde(borrow, default)]
    pub pointer: Text<'a>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Sampler<'a> {
    pub input: Uint,
    pub output: Uint,
    #[serde(borrow)]
    pub interpolation: Option<Text<'a>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Mesh<'a> {
    #[serde(borrow)]
    pub name: Option<Text<'a>>,
    pub primitives: Capped<Primitive, OBJECTS>,
    #[serde(default)]
    pub weights: Capped<f32, NUMBERS>,
    /// Any JSON at all; names of morph targets by convention.
    #[serde(borrow)]
    pub extras: Option<&'a RawValue>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Primitive {
    pub attributes: Attributes,
    pub indices: Option<Uint>,
    pub material: Option<Uint>,
    pub mode: Option<Uint>,
    #[serde(default)]
    pub targets: Capped<TargetAttributes, MORPH_TARGETS>,
    #[serde(default)]
    pub extensions: PrimitiveExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub draco: Option<IgnoredAny>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) struct Attributes {
    pub position: Option<Uint>,
    pub normal: Option<Uint>,
    pub tangent: Option<Uint>,
    pub texcoord_0: Option<Uint>,
    pub texcoord_1: Option<Uint>,
    pub color_0: Option<Uint>,
    pub joints_0: Option<Uint>,
    pub joints_1: Option<Uint>,
    pub joints_2: Option<Uint>,
    pub weights_0: Option<Uint>,
    pub weights_1: Option<Uint>,
    pub weights_2: Option<Uint>,
}

impl Attributes {
    /// Every attribute by name, for checks.
    pub fn named(&self) -> [(&'static str, Option<Uint>); 12] {
        [
            ("POSITION", self.position),
            ("NORMAL", self.normal),
            ("TANGENT", self.tangent),
            ("TEXCOORD_0", self.texcoord_0),
            ("TEXCOORD_1", self.texcoord_1),
            ("COLOR_0", self.color_0),
            ("JOINTS_0", self.joints_0),
            ("JOINTS_1", self.joints_1),
            ("JOINTS_2", self.joints_2),
            ("WEIGHTS_0", self.weights_0),
            ("WEIGHTS_1", self.weights_1),
            ("WEIGHTS_2", self.weights_2),
        ]
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) struct TargetAttributes {
    pub position: Option<Uint>,
    pub normal: Option<Uint>,
    pub tangent: Option<Uint>,
}
