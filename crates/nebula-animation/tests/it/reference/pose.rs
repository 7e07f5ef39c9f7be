//! Nodes, morph weights and joint matrices at a time.

use serde_json::Value;

use super::matrix::{IDENTITY, Matrix, from_trs, product};
use super::sampler::unit;
use super::{Reference, index, list, numbers};

/// Translation, rotation (xyzw) and scale of a node relative to its parent.
#[derive(Clone, Copy)]
pub struct Local {
    pub t: [f64; 3],
    pub r: [f64; 4],
    pub s: [f64; 3],
}

/// The whole file at one time.
pub struct Pose {
    /// By node; `None` for a node that has a matrix.
    pub locals: Vec<Option<Local>>,
    /// By node: the product of all matrices from the root down.
    pub worlds: Vec<Matrix>,
    /// By skin and joint: world matrix times inverse bind matrix.
    pub palettes: Vec<Vec<Matrix>>,
    /// By node: the weights of its mesh's morph targets.
    pub weights: Vec<Vec<f64>>,
}

impl Reference {
    /// The pose of an animation at a time; without an animation, the rest pose.
    pub fn pose(&self, animation: Option<usize>, time: f64) -> Pose {
        let nodes = list(&self.json["nodes"]);
        let mut locals: Vec<Option<Local>> = nodes.iter().map(rest_local).collect();
        let mut weights: Vec<Vec<f64>> = nodes.iter().map(|node| self.rest_weights(node)).collect();
        if let Some(animation) = animation {
            let animation = &self.json["animations"][animation];
            for channel in list(&animation["channels"]) {
                let Some((node, path)) = target(&channel["target"]) else { continue };
                let sampler = &animation["samplers"][index(&channel["sampler"])];
                let value = |width, is_rotation| self.sample(sampler, time, width, is_rotation);
                if path == "weights" {
                    weights[node] = value(weights[node].len(), false);
                    continue;
                }
                let local = locals[node].as_mut().expect("an animated node has no matrix");
                match path.as_str() {
                    "translation" => local.t.copy_from_slice(&value(3, false)),
                    "rotation" => local.r.copy_from_slice(&value(4, true)),
                    "scale" => local.s.copy_from_slice(&value(3, false)),
                    other => panic!("path {other}"),
                }
            }
        }

        let mut parents = vec![None; nodes.len()];
        for (parent, node) in nodes.iter().enumerate() {
            for child in list(&node["children"]) {
                parents[index(child)] = Some(parent);
            }
        }
        let own = |node: usize| match locals[node] {
            Some(Local { t, r, s }) => from_trs(t, r, s),
            None => numbers(&nodes[node]["matrix"]).expect("a matrix").try_into().expect("16 numbers"),
        };
        let world = |node: usize| {
            let (mut matrix, mut above) = (own(node), parents[node]);
            while let Some(parent) = above {
                matrix = product(&own(parent), &matrix);
                above = parents[parent];
            }
            matrix
        };
        let worlds: Vec<Matrix> = (0..nodes.len()).map(world).collect();
        let palettes = list(&self.json["skins"]).iter().map(|skin| self.palette(skin, &worlds)).collect();
        Pose { locals, worlds, palettes, weights }
    }

    fn palette(&self, skin: &Value, worlds: &[Matrix]) -> Vec<Matrix> {
        let bind = |joint: usize| match &skin["inverseBindMatrices"] {
            Value::Null => IDENTITY,
            accessor => self.elements(index(accessor))[joint].clone().try_into().expect("16 numbers"),
        };
        let joints = list(&skin["joints"]).iter().enumerate();
        joints.map(|(joint, node)| product(&worlds[index(node)], &bind(joint))).collect()
    }

    fn rest_weights(&self, node: &Value) -> Vec<f64> {
        if node["mesh"].is_null() {
            return Vec::new();
        }
        let mesh = &self.json["meshes"][index(&node["mesh"])];
        let zeros = || vec![0.0; list(&mesh["primitives"][0]["targets"]).len()];
        numbers(&node["weights"]).or_else(|| numbers(&mesh["weights"])).unwrap_or_else(zeros)
    }
}

fn rest_local(node: &Value) -> Option<Local> {
    if !node["matrix"].is_null() {
        return None;
    }
    let part = |name: &str| numbers(&node[name]);
    Some(Local {
        t: part("translation").map_or([0.0; 3], |t| t.try_into().expect("3 numbers")),
        r: part("rotation").map_or([0.0, 0.0, 0.0, 1.0], |r| unit(r).try_into().expect("4 numbers")),
        s: part("scale").map_or([1.0; 3], |s| s.try_into().expect("3 numbers")),
    })
}

/// The node and the path that a channel drives, also by a `KHR_animation_pointer`; `None` where it drives none.
fn target(target: &Value) -> Option<(usize, String)> {
    if let Some(pointer) = target["extensions"]["KHR_animation_pointer"]["pointer"].as_str() {
        let (node, path) = pointer.strip_prefix("/nodes/")?.split_once('/')?;
        let is_known = ["translation", "rotation", "scale", "weights"].contains(&path);
        return is_known.then(|| (node.parse().expect("a node"), path.to_owned()));
    }
    let path = target["path"].as_str().expect("a path").to_owned();
    (!target["node"].is_null()).then(|| (index(&target["node"]), path))
}
