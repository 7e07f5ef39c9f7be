//! The node graph: one tree or several, parents before children, each node with its transform.

use glam::{Quat, Vec3};

use super::document::{Document, Node};
use super::error::AnimationLoadError;
use super::report::{Report, named};
use super::transform::{Decomposed, decompose};
use crate::math::unit_quat;
use crate::skeleton::JointPose;

/// The checked node graph of a file.
pub(super) struct Nodes {
    /// For each node its parent.
    pub parents: Vec<Option<usize>>,
    /// All nodes, parents before children.
    pub order: Vec<usize>,
    /// For each node its transform relative to its parent.
    pub transforms: Vec<Decomposed>,
}

pub(super) const IDENTITY: JointPose = (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE);

impl Nodes {
    /// Checks the graph and every transform.
    pub fn new(document: &Document, report: &mut Report) -> Result<Self, AnimationLoadError> {
        let parents = parents(document, report)?;
        let order = parents_first(document, &parents)?;
        for (index, scene) in document.scenes.iter().enumerate() {
            if let Some(node) = scene.nodes.iter().find(|node| parents[node.index()].is_some()) {
                let message = format!("lists node {}, which is the child of another: taken as that child", node.0);
                report.repair(format!("scene {index}"), message)?;
            }
            let mut roots: Vec<u64> = scene.nodes.iter().map(|node| node.0).collect();
            roots.sort_unstable();
            if let Some(pair) = roots.windows(2).find(|pair| pair[0] == pair[1]) {
                report.repair(format!("scene {index}"), format!("lists node {} twice: shown once", pair[0]))?;
            }
        }
        let mut transforms = Vec::with_capacity(document.nodes.len());
        for (index, node) in document.nodes.iter().enumerate() {
            if let Some(skin) = node.skin.filter(|_| node.mesh.is_none()) {
                report.repair(node_name(document, index), format!("has skin {}, but no mesh: ignored", skin.0))?;
            }
            transforms.push(transform(node, index, report)?);
        }
        Ok(Self { parents, order, transforms })
    }

    /// The marked nodes and all their descendants.
    pub fn with_descendants(&self, mut is_marked: Vec<bool>) -> Vec<bool> {
        for &node in &self.order {
            is_marked[node] |= self.parents[node].is_some_and(|parent| is_marked[parent]);
        }
        is_marked
    }

    /// For each node the root of its tree.
    pub fn roots(&self) -> Vec<usize> {
        let mut roots: Vec<usize> = (0..self.parents.len()).collect();
        for &node in &self.order {
            if let Some(parent) = self.parents[node] {
                roots[node] = roots[parent];
            }
        }
        roots
    }

    pub fn is_identity(&self, node: usize) -> bool {
        self.transforms[node] == Decomposed { pose: IDENTITY, turn: None }
    }
}

fn node_name(document: &Document, index: usize) -> String {
    named("node", index, document.nodes[index].name.as_deref())
}

fn parents(document: &Document, report: &Report) -> Result<Vec<Option<usize>>, AnimationLoadError> {
    let mut parents: Vec<Option<usize>> = vec![None; document.nodes.len()];
    for (index, node) in document.nodes.iter().enumerate() {
        for child in &node.children {
            if let Some(other) = parents[child.index()].replace(index) {
                let problem = if other == index {
                    format!("lists child {} twice", node_name(document, child.index()))
                } else {
                    format!("shares its child {} with node {other}", node_name(document, child.index()))
                };
                return Err(report.malformed(node_name(document, index), problem));
            }
        }
    }
    Ok(parents)
}

/// The nodes in the order of a walk from the roots. Every node has one parent at most, so whatever cannot be reached from
/// a root is part of a cycle, or below one.
fn parents_first(document: &Document, parents: &[Option<usize>]) -> Result<Vec<usize>, AnimationLoadError> {
    let mut order: Vec<usize> = (0..parents.len()).filter(|&node| parents[node].is_none()).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        order.extend(document.nodes[node].children.iter().map(|child| child.index()));
        next += 1;
    }
    if order.len() < parents.len() {
        log::error!("{} of {} nodes are part of a cycle, or below one", parents.len() - order.len(), parents.len());
        return Err(AnimationLoadError::CyclicHierarchy);
    }
    Ok(order)
}

fn transform(node: &Node, index: usize, report: &mut Report) -> Result<Decomposed, AnimationLoadError> {
    let object = || named("node", index, node.name.as_deref());
    if let Some(matrix) = &node.matrix {
        if node.translation.is_some() || node.rotation.is_some() || node.scale.is_some() {
            report.repair(object(), "has a matrix and also a translation, rotation or scale: the matrix is used")?;
        }
        if !matrix.iter().all(|&value| (value as f32).is_finite()) {
            return Err(report.malformed(object(), "matrix: expected 16 numbers that are finite as f32"));
        }
        if [matrix[3], matrix[7], matrix[11], matrix[15]] != [0.0, 0.0, 0.0, 1.0] {
            report.repair(object(), "matrix: the bottom row is not 0, 0, 0, 1: taken as if it were")?;
        }
        let decomposed = decompose(matrix);
        if decomposed.turn.is_some() {
            report.note(object(), "matrix: shears, which takes one more joint to represent");
        }
        if decomposed.pose.2 == Vec3::ZERO {
            report.note(object(), "matrix: scales everything to a point");
        }
        return Ok(decomposed);
    }
    let translation = node.translation.map_or(Vec3::ZERO, Vec3::from_array);
    let scale = node.scale.map_or(Vec3::ONE, Vec3::from_array);
    let rotation = node.rotation.map_or(Quat::IDENTITY, Quat::from_array);
    for (member, is_finite) in
        [("translation", translation.is_finite()), ("rotation", rotation.is_finite()), ("scale", scale.is_finite())]
    {
        if !is_finite {
            return Err(report.malformed(object(), format!("{member}: expected numbers that are finite as f32")));
        }
    }
    let rotation = match checked_rotation(rotation) {
        Some((rotation, is_off)) => {
            if is_off {
                report.repair(object(), "rotation: is not of unit length: normalised")?;
            }
            rotation
        }
        None => return Err(report.malformed(object(), "rotation: is 0, 0, 0, 0, expected a unit quaternion")),
    };
    Ok(Decomposed { pose: (translation, rotation, scale), turn: None })
}

/// The rotation as a unit quaternion, and whether it was so far from unit length that more than rounding is to blame.
/// `None` for length zero.
pub(super) fn checked_rotation(rotation: Quat) -> Option<(Quat, bool)> {
    let off = (rotation.length_squared() - 1.0).abs();
    // Quaternions that are unit as exactly as f32 can say keep their bits.
    if off <= 4.0 * f32::EPSILON {
        return Some((rotation, false));
    }
    // Eight-bit quaternions are off by up to one per cent in length, two in its square.
    Some((unit_quat(rotation)?, !(off <= 0.02)))
}
