use serde::Serialize;

/// The part of the glTF 2.0 document that the authored files use. Structs rather than free JSON, because the order of a
/// struct's fields is fixed, and with it the bytes of the file.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub asset: Asset,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extensions_used: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<RootExtensions>,
    pub scene: u32,
    pub scenes: Vec<Scene>,
    pub nodes: Vec<Node>,
    pub meshes: Vec<Mesh>,
    pub materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skins: Vec<Skin>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub animations: Vec<Animation>,
    pub accessors: Vec<Accessor>,
    pub buffer_views: Vec<BufferView>,
    pub buffers: Vec<Buffer>,
}

#[derive(Serialize)]
pub(super) struct Asset {
    pub version: &'static str,
    pub generator: &'static str,
    pub copyright: &'static str,
}

impl Default for Asset {
    fn default() -> Self {
        Self { version: "2.0", generator: "nebula-demo author", copyright: "Nebula contributors, MIT OR Apache-2.0" }
    }
}

#[derive(Serialize)]
pub(super) struct RootExtensions {
    #[serde(rename = "KHR_animation_clip")]
    pub animation_clip: ClipList,
}

#[derive(Serialize, Default)]
pub(super) struct ClipList {
    pub clips: Vec<ClipEntry>,
}

/// One entry of KHR_animation_clip: how an animation is meant to be played.
#[derive(Serialize)]
pub(super) struct ClipEntry {
    pub name: String,
    pub animations: Vec<u32>,
    pub start: f64,
    pub end: f64,
    /// -1 plays for ever.
    pub repetitions: i32,
}

#[derive(Serialize)]
pub(super) struct Scene {
    pub name: &'static str,
    pub nodes: Vec<u32>,
}

#[derive(Serialize, Default)]
pub(super) struct Node {
    pub name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<u32>,
}

#[derive(Serialize)]
pub(super) struct Mesh {
    pub name: String,
    pub primitives: Vec<Primitive>,
}

#[derive(Serialize)]
pub(super) struct Primitive {
    pub attributes: Attributes,
    pub indices: u32,
    pub material: u32,
}

#[derive(Serialize)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION")]
    pub position: u32,
    #[serde(rename = "NORMAL")]
    pub normal: u32,
    #[serde(rename = "COLOR_0")]
    pub colour: u32,
    #[serde(rename = "JOINTS_0", skip_serializing_if = "Option::is_none")]
    pub joints: Option<u32>,
    #[serde(rename = "WEIGHTS_0", skip_serializing_if = "Option::is_none")]
    pub weights: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    pub name: &'static str,
    pub pbr_metallic_roughness: PbrMetallicRoughness,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PbrMetallicRoughness {
    pub metallic_factor: f64,
    pub roughness_factor: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub name: String,
    pub inverse_bind_matrices: u32,
    pub skeleton: u32,
    pub joints: Vec<u32>,
}

#[derive(Serialize)]
pub(super) struct Animation {
    pub name: String,
    pub channels: Vec<Channel>,
    pub samplers: Vec<Sampler>,
    pub extras: ClipExtras,
}

#[derive(Serialize)]
pub(super) struct Channel {
    pub sampler: u32,
    pub target: ChannelTarget,
}

#[derive(Serialize)]
pub(super) struct ChannelTarget {
    pub node: u32,
    pub path: &'static str,
}

#[derive(Serialize)]
pub(super) struct Sampler {
    pub input: u32,
    pub interpolation: &'static str,
    pub output: u32,
}

/// What an application wants to know about a clip and glTF has no field for.
#[derive(Serialize)]
pub(super) struct ClipExtras {
    /// Whether the last pose equals the first, apart from a root that travels.
    pub looping: bool,
    /// Whether the root joint itself travels or turns.
    pub root_motion: bool,
    /// How far the character moves in one pass, in metres along +Z: in an in-place clip, how far the ground moves back.
    pub distance: f64,
    /// How far the character turns to its left in one pass, in radians.
    pub turn: f64,
    /// Named moments in the order of time.
    pub markers: Vec<Marker>,
}

/// A named moment of a clip, in seconds from its start.
#[derive(Serialize, Clone, Debug, PartialEq)]
pub(super) struct Marker {
    pub name: &'static str,
    pub time: f64,
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: u32,
    pub component_type: u32,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub normalized: bool,
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Vec<f64>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub buffer: u32,
    pub byte_offset: usize,
    pub byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub byte_length: usize,
}
