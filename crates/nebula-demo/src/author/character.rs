use glam::{DQuat, DVec3};

use super::clip::{ClipSource, KeyStyle, Track, bake};
use super::glb::{GlbWriter, Target, on_grid};
use super::mesh::MeshData;
use super::rig::Rig;
use super::schema::{
    Animation, Attributes, Channel, ChannelTarget, ClipEntry, ClipExtras, ClipList, Material, Mesh, Node,
    PbrMetallicRoughness, Primitive, RootExtensions, Sampler, Scene, Skin,
};

/// The bytes of a file that holds a skinned character with its clips.
///
/// The joints are the first nodes, in the skin's order, and nothing stands above them, so that loaders which keep only
/// the skin's joints lose nothing.
pub(super) fn character_file(name: &str, rig: &Rig, mesh: &MeshData, clips: &[ClipSource]) -> std::io::Result<Vec<u8>> {
    let mut writer = GlbWriter::default();
    for joint in 0..rig.joints.len() {
        writer.document.nodes.push(joint_node(rig, joint));
    }
    let skin = push_skin(&mut writer, name, rig);
    let mesh = push_mesh(&mut writer, name, mesh);
    let joints = writer.document.nodes.len() as u32;
    writer.document.nodes.push(Node {
        name: format!("{name}_body"),
        mesh: Some(mesh),
        skin: Some(skin),
        ..Node::default()
    });
    writer.document.scenes.push(Scene { name: "scene", nodes: vec![0, joints] });
    let mut entries = ClipList::default();
    for clip in clips {
        let animation = push_clip(&mut writer, rig, clip);
        entries.clips.push(ClipEntry {
            name: clip.name.to_owned(),
            animations: vec![animation],
            start: 0.0,
            end: clip.seconds,
            repetitions: if clip.looping { -1 } else { 1 },
        });
    }
    writer.document.extensions_used.push("KHR_animation_clip");
    writer.document.extensions = Some(RootExtensions { animation_clip: entries });
    writer.finish()
}

/// The bytes of a file that holds one mesh and no skeleton.
pub(super) fn static_file(name: &str, mesh: &MeshData) -> std::io::Result<Vec<u8>> {
    let mut writer = GlbWriter::default();
    let mesh = push_mesh(&mut writer, name, mesh);
    writer.document.nodes.push(Node { name: name.to_owned(), mesh: Some(mesh), ..Node::default() });
    writer.document.scenes.push(Scene { name: "scene", nodes: vec![0] });
    writer.finish()
}

fn joint_node(rig: &Rig, joint: usize) -> Node {
    let (translation, rotation) = rig.local_rest(joint);
    let children = (0..rig.joints.len()).filter(|&child| rig.joints[child].parent == Some(joint));
    Node {
        name: rig.joints[joint].name.clone(),
        children: children.map(|child| child as u32).collect(),
        translation: (translation != DVec3::ZERO).then(|| vector(translation)),
        rotation: (rotation != DQuat::IDENTITY).then(|| quaternion(rotation)),
        ..Node::default()
    }
}

fn push_skin(writer: &mut GlbWriter, name: &str, rig: &Rig) -> u32 {
    let matrices = (0..rig.joints.len()).map(|joint| rig.inverse_bind(joint).to_cols_array().map(on_grid));
    let matrices = matrices.collect::<Vec<_>>();
    let inverse_bind_matrices = writer.floats(Target::Other, "MAT4", false, &matrices);
    let joints = (0..rig.joints.len() as u32).collect();
    writer.document.skins.push(Skin { name: format!("{name}_skin"), inverse_bind_matrices, skeleton: 0, joints });
    writer.document.skins.len() as u32 - 1
}

fn push_mesh(writer: &mut GlbWriter, name: &str, mesh: &MeshData) -> u32 {
    let position = writer.floats(Target::Vertices, "VEC3", true, &mesh.positions);
    let normal = writer.floats(Target::Vertices, "VEC3", false, &mesh.normals);
    let colour = writer.bytes4(true, &mesh.colours);
    let (joints, weights) = match &mesh.skinning {
        Some(skinning) => (Some(writer.bytes4(false, &skinning.joints)), Some(writer.fractions4(&skinning.weights))),
        None => (None, None),
    };
    let indices = writer.indices(&mesh.triangles);
    let attributes = Attributes { position, normal, colour, joints, weights };
    writer.document.materials.push(Material {
        name: "vertex_colours",
        pbr_metallic_roughness: PbrMetallicRoughness { metallic_factor: 0.0, roughness_factor: 0.8 },
    });
    let primitives = vec![Primitive { attributes, indices, material: 0 }];
    writer.document.meshes.push(Mesh { name: name.to_owned(), primitives });
    writer.document.meshes.len() as u32 - 1
}

fn push_clip(writer: &mut GlbWriter, rig: &Rig, clip: &ClipSource) -> u32 {
    let tracks = bake(rig, clip);
    let mut channels = Channels::default();
    for track in &tracks.translations {
        let values = track.values.iter().map(|&value| vector(value)).collect::<Vec<_>>();
        let output = writer.floats(Target::Other, "VEC3", false, &values);
        channels.push(writer, track, "translation", output);
    }
    for track in &tracks.rotations {
        let values = track.values.iter().map(|&value| quaternion(value)).collect::<Vec<_>>();
        let output = writer.floats(Target::Other, "VEC4", false, &values);
        channels.push(writer, track, "rotation", output);
    }
    writer.document.animations.push(Animation {
        name: clip.name.to_owned(),
        channels: channels.channels,
        samplers: channels.samplers,
        extras: ClipExtras {
            looping: clip.looping,
            root_motion: clip.root_motion,
            distance: clip.distance,
            turn: clip.turn,
            markers: clip.markers.clone(),
        },
    });
    writer.document.animations.len() as u32 - 1
}

/// The channels of one animation, and the key times that they share.
#[derive(Default)]
struct Channels {
    channels: Vec<Channel>,
    samplers: Vec<Sampler>,
    inputs: Vec<(Vec<f64>, u32)>,
}

impl Channels {
    fn push<T>(&mut self, writer: &mut GlbWriter, track: &Track<T>, path: &'static str, output: u32) {
        let input = match self.inputs.iter().find(|(times, _)| *times == track.times) {
            Some((_, accessor)) => *accessor,
            None => {
                let times = track.times.iter().map(|&time| [on_grid(time)]).collect::<Vec<_>>();
                let accessor = writer.floats(Target::Other, "SCALAR", true, &times);
                self.inputs.push((track.times.clone(), accessor));
                accessor
            }
        };
        let interpolation = match track.style {
            KeyStyle::Linear => "LINEAR",
            KeyStyle::CubicSpline => "CUBICSPLINE",
            KeyStyle::Step => "STEP",
        };
        self.samplers.push(Sampler { input, interpolation, output });
        let target = ChannelTarget { node: track.joint as u32, path };
        self.channels.push(Channel { sampler: self.samplers.len() as u32 - 1, target });
    }
}

fn vector(value: DVec3) -> [f32; 3] {
    value.to_array().map(on_grid)
}

fn quaternion(value: DQuat) -> [f32; 4] {
    value.to_array().map(on_grid)
}
