//! Agreement with the reference: every number of a loaded file against glTF's own formulas.

use glam::{Mat4, Vec3};
use nebula_animation::asset::{Mesh, Primitive};
use nebula_animation::{
    Asset,
    asset::LoadOptions,
    palette::{model_matrices, skinning_matrices},
    sample_pose,
};

use super::{Gltf, every_node, keep_as_seed};
use crate::reference::{self, Matrix, Reference};

/// Relative to the largest number of a vector, or of a part of a matrix, and to 1.
const TOLERANCE: f64 = 1e-4;

/// Loads a file, as it is and with every node as a joint, and compares all that it holds with the reference, at rest and
/// over every animation. Gives what was loaded with default options.
pub fn agree(g: &Gltf) -> Asset {
    agree_with(g, &every_node());
    agree_with(g, &LoadOptions::default())
}

/// The same with options.
pub fn agree_with(g: &Gltf, options: &LoadOptions) -> Asset {
    agree_bytes(&g.glb(), &[], options)
}

/// The same for any container; `files` are what it may refer to.
pub fn agree_bytes(bytes: &[u8], files: &[(String, Vec<u8>)], options: &LoadOptions) -> Asset {
    let read = |name: &str| files.iter().find(|file| file.0 == name).map(|file| file.1.clone());
    let mut resolve = |name: &str| read(name).ok_or_else(|| std::io::Error::other("no such file"));
    keep_as_seed(bytes);
    let asset = Asset::from_bytes("test", bytes, options, &mut resolve)
        .unwrap_or_else(|error| panic!("the file should load: {error}"));
    let reference = Reference::open(bytes, &|name| read(name).unwrap_or_else(|| panic!("no file {name}")));
    let judge = Judge { asset: &asset, reference: &reference };
    judge.structure(options);
    judge.pose(None, 0.0);
    for animation in 0..reference.count("animations") {
        judge.animation(animation);
    }
    asset
}

struct Judge<'a> {
    asset: &'a Asset,
    reference: &'a Reference,
}

impl Judge<'_> {
    /// What must hold for every asset.
    fn structure(&self, options: &LoadOptions) {
        let (asset, json) = (self.asset, &self.reference.json);
        let joints = &asset.skeleton.joints;
        assert_eq!(asset.joint_nodes.len(), joints.len());
        assert_eq!(asset.node_joints.len(), self.reference.count("nodes"));
        for (position, joint) in joints.iter().enumerate() {
            assert_eq!(usize::from(joint.index), position, "a joint's index is its position");
            assert!(joint.parent.is_none_or(|parent| parent < joint.index), "parents come before children");
            assert!((joint.bind_rotation.length() - 1.0).abs() < 1e-5, "rotations have unit length");
        }
        for (node, joint) in asset.node_joints.iter().enumerate() {
            assert_eq!(asset.joint_of_node(node), *joint);
            assert!(joint.is_none_or(|joint| asset.joint_nodes[usize::from(joint)] == node));
            assert!(joint.is_some() || !options.all_nodes_as_joints, "node {node} is a joint");
        }
        assert_eq!(asset.skins.len(), self.reference.count("skins"));
        for (skin, file) in asset.skins.iter().zip(reference::list(&json["skins"])) {
            let nodes: Vec<usize> = reference::list(&file["joints"]).iter().map(reference::index).collect();
            assert_eq!(skin.nodes, nodes, "a skin keeps its own order");
            assert_eq!(skin.name, file["name"].as_str().unwrap_or_default());
            assert_eq!((skin.joints.len(), skin.inverse_bind_matrices.len()), (nodes.len(), nodes.len()));
            for (&joint, bind) in skin.joints.iter().zip(&skin.inverse_bind_matrices) {
                assert_eq!(joints[usize::from(joint)].inverse_bind_matrix, *bind);
            }
            for (&joint, node) in skin.joints.iter().zip(&skin.nodes) {
                assert_eq!(asset.joint_nodes[usize::from(joint)], *node, "a skin's joint stands for its node");
            }
        }
        assert_eq!(asset.animations.len(), self.reference.count("animations"));
    }

    fn animation(&self, index: usize) {
        let animation = &self.asset.animations[index];
        let name = self.reference.json["animations"][index]["name"].as_str();
        assert_eq!(animation.name, name.map_or(format!("Animation_{index}"), str::to_owned));
        let mut times = self.reference.key_times(index);
        times.sort_by(f64::total_cmp);
        times.dedup();
        assert_eq!(f64::from(animation.duration), times.last().copied().unwrap_or(0.0), "duration of {index}");
        let between = times.windows(2).flat_map(|pair| [0.5, 0.3].map(|part| pair[0] + part * (pair[1] - pair[0])));
        let mut times: Vec<f64> = between.chain(times.iter().copied()).chain([-1.0, 1e4]).collect();
        // Long animations would only repeat themselves.
        let step = times.len().div_ceil(60);
        times = times.into_iter().step_by(step).collect();
        for time in times {
            self.pose(Some(index), time as f32);
        }
    }

    fn pose(&self, animation: Option<usize>, time: f32) {
        let asset = self.asset;
        let what = |what: &str| format!("{what}, animation {animation:?} at {time} s");
        let expected = self.reference.pose(animation, f64::from(time));
        let mut pose = asset.skeleton.bind_pose();
        if let Some(animation) = animation.map(|index| &asset.animations[index]) {
            animation.sample_pose(&asset.skeleton, time, &mut pose);
            let mut by_clip = asset.skeleton.bind_pose();
            sample_pose(&animation.to_clip(), &asset.skeleton, time, &mut by_clip);
            assert_eq!(by_clip, pose, "{}", what("a clip is the same animation"));
        }
        let mut models = vec![Mat4::IDENTITY; pose.len()];
        model_matrices(&asset.skeleton, &pose, &mut models);
        let mut palette = models.clone();
        skinning_matrices(&asset.skeleton, &mut palette);

        for (node, joint) in asset.node_joints.iter().enumerate() {
            let Some(joint) = joint.map(usize::from) else { continue };
            matrix(&what(&format!("world matrix of node {node}")), &expected.worlds[node], &models[joint]);
            if let Some(local) = expected.locals[node] {
                vector(&what(&format!("translation of node {node}")), &local.t, &pose[joint].0.to_array());
                vector(&what(&format!("scale of node {node}")), &local.s, &pose[joint].2.to_array());
                let sign = if local.r[3] * f64::from(pose[joint].1.w) < 0.0 { -1.0 } else { 1.0 };
                let rotation = pose[joint].1.to_array().map(|part| part * sign);
                // Where w is near zero its sign says nothing: the matrix judges such rotations.
                if local.r[3].abs() > 1e-3 {
                    vector(&what(&format!("rotation of node {node}")), &local.r, &rotation);
                }
            }
        }
        for (index, skin) in asset.skins.iter().enumerate() {
            for (position, &joint) in skin.joints.iter().enumerate() {
                let what = what(&format!("palette of skin {index}, joint {position}"));
                matrix(&what, &expected.palettes[index][position], &palette[usize::from(joint)]);
            }
        }
        for (index, mesh) in asset.meshes.iter().enumerate() {
            let mut weights = mesh.morph_weights.clone();
            let tracks = animation.iter().flat_map(|&animation| &asset.animations[animation].morph_tracks);
            for track in tracks.filter(|track| track.mesh == index) {
                track.sample(time, &mut weights);
            }
            let what = what(&format!("node {} {:?}", mesh.node, mesh.name));
            vector(&format!("morph weights of {what}"), &expected.weights[mesh.node], &weights);
            if !mesh.is_geometry_missing {
                let expected = self.reference.vertices(mesh.node, &expected);
                assert_eq!(mesh.primitives.len(), expected.len(), "primitives of {what}");
                for (primitive, expected) in mesh.primitives.iter().zip(expected) {
                    let moved = vertices(mesh, primitive, &weights, &models, &palette);
                    assert_eq!(moved.len(), expected.len(), "vertices of {what}");
                    for (vertex, (expected, actual)) in expected.iter().zip(&moved).enumerate() {
                        vector(&format!("vertex {vertex} of {what}"), expected, &actual.to_array());
                    }
                }
            }
        }
    }
}

/// The vertices of a primitive as a renderer would move them.
fn vertices(mesh: &Mesh, primitive: &Primitive, weights: &[f32], models: &[Mat4], palette: &[Mat4]) -> Vec<Vec3> {
    let carrier = mesh.joint.map_or(Mat4::IDENTITY, |joint| models[usize::from(joint)]);
    let moved = |vertex: usize| {
        let mut at = Vec3::from(primitive.positions[vertex]);
        for (target, weight) in primitive.morph_targets.iter().zip(weights) {
            if let Some(delta) = target.positions.get(vertex) {
                at += Vec3::from(*delta) * *weight;
            }
        }
        if mesh.skin.is_none() {
            return carrier.transform_point3(at);
        }
        let mut sum = Vec3::ZERO;
        let sets = [(&primitive.joints, &primitive.weights), (&primitive.more_joints, &primitive.more_weights)];
        for (joints, weights) in sets.into_iter().filter(|(joints, _)| !joints.is_empty()) {
            for (joint, weight) in joints[vertex].iter().zip(weights[vertex]) {
                sum += palette[usize::from(*joint)].transform_point3(at) * weight;
            }
        }
        sum
    };
    (0..primitive.positions.len()).map(moved).collect()
}

fn matrix(what: &str, expected: &Matrix, actual: &Mat4) {
    let actual = actual.to_cols_array();
    // Apart, so that a large translation cannot hide a wrong rotation.
    for part in [&[0, 1, 2, 4, 5, 6, 8, 9, 10][..], &[12, 13, 14], &[3, 7, 11, 15]] {
        let expected: Vec<f64> = part.iter().map(|&at| expected[at]).collect();
        let actual: Vec<f32> = part.iter().map(|&at| actual[at]).collect();
        vector(what, &expected, &actual);
    }
}

fn vector(what: &str, expected: &[f64], actual: &[f32]) {
    assert_eq!(actual.len(), expected.len(), "{what}: expected {expected:?}, found {actual:?}");
    let size = expected.iter().fold(1.0_f64, |size, number| size.max(number.abs()));
    for (expected_number, &number) in expected.iter().zip(actual) {
        // Written so that a number which is none fails.
        let is_close = (f64::from(number) - expected_number).abs() <= TOLERANCE * size;
        assert!(is_close, "{what}: expected {expected:?}, found {actual:?}");
    }
}
