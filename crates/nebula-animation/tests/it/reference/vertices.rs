//! Where the vertices of a mesh are in the world: section 3.7 of glTF 2.0.

use serde_json::Value;

use super::matrix::transform_point;
use super::{Pose, Reference, index, list};

impl Reference {
    /// The positions of a node's mesh at a pose, by primitive and vertex: morphed first, then skinned or carried.
    pub fn vertices(&self, node: usize, pose: &Pose) -> Vec<Vec<[f64; 3]>> {
        let mesh = &self.json["meshes"][index(&self.json["nodes"][node]["mesh"])];
        list(&mesh["primitives"]).iter().map(|primitive| self.primitive(primitive, node, pose)).collect()
    }

    fn primitive(&self, primitive: &Value, node: usize, pose: &Pose) -> Vec<[f64; 3]> {
        let attribute = |name: &str| match &primitive["attributes"][name] {
            Value::Null => None,
            accessor => Some(self.elements(index(accessor))),
        };
        let mut positions = attribute("POSITION").expect("positions").to_vec();
        for (target, weight) in list(&primitive["targets"]).iter().zip(&pose.weights[node]) {
            if !target["POSITION"].is_null() {
                let deltas = self.elements(index(&target["POSITION"]));
                for (at, delta) in positions.iter_mut().flatten().zip(deltas.iter().flatten()) {
                    *at += weight * delta;
                }
            }
        }
        let skin = &self.json["nodes"][node]["skin"];
        let vertex = |(vertex, at): (usize, Vec<f64>)| {
            let at = [at[0], at[1], at[2]];
            if skin.is_null() {
                return transform_point(&pose.worlds[node], at);
            }
            let mut influences = Vec::new();
            for set in 0..2 {
                let joints = attribute(&format!("JOINTS_{set}"));
                let weights = attribute(&format!("WEIGHTS_{set}"));
                if let (Some(joints), Some(weights)) = (joints, weights) {
                    influences.extend(joints[vertex].iter().copied().zip(weights[vertex].iter().copied()));
                }
            }
            let total: f64 = influences.iter().map(|(_, weight)| weight).sum();
            let mut moved = [0.0; 3];
            for (joint, weight) in influences {
                let by_joint = transform_point(&pose.palettes[index(skin)][joint as usize], at);
                for (sum, part) in moved.iter_mut().zip(by_joint) {
                    *sum += weight / total * part;
                }
            }
            moved
        };
        positions.into_iter().enumerate().map(vertex).collect()
    }
}
