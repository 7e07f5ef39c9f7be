//! Combines nodes and skins into one skeleton: which nodes are joints, in which order, with which inverse bind
//! matrices.

use std::collections::HashMap;

use glam::Mat4;
use gltf::json::accessor::{ComponentType, Type};

use super::accessor::{Accessors, Form};
use super::document::{self, Document};
use super::error::AnimationLoadError;
use super::names::Names;
use super::nodes::{IDENTITY, Nodes};
use super::report::{Report, named};
use super::skin::Skin;
use super::transform::without_shear;
use crate::skeleton::{Joint, JointPose, Skeleton};

/// The skeleton of a file, with the ways to and from its nodes.
pub(super) struct Rig {
    pub skeleton: Skeleton,
    pub joint_nodes: Vec<usize>,
    pub node_joints: Vec<Option<u16>>,
    pub skins: Vec<Skin>,
    /// For each node, the joint that carries it: its own, or that of its nearest ancestor that has one.
    pub carriers: Vec<Option<u16>>,
}

/// What decides which nodes become joints.
pub(super) struct Wanted<'a> {
    /// Whether an animation moves the node.
    pub is_animated: &'a [bool],
    /// Nodes whose place in the model matters besides the joints of skins: joints only where they are elsewhere than their parent, or moved.
    pub nodes: &'a [usize],
    /// Nodes that something at run time rotates or looks up by name, which makes them joints wherever they are.
    pub named: &'a [usize],
    pub all_nodes: bool,
}

/// Joint indices are `u16`, and one value stays free.
const MOST_JOINTS: usize = u16::MAX as usize;

/// Builds the skeleton: joints of skins in the order of their skins, each behind its ancestors.
pub(super) fn build(
    document: &Document,
    nodes: &Nodes,
    wanted: &Wanted,
    accessors: &Accessors,
    names: Names,
    node_names: &[String],
    report: &mut Report,
) -> Result<Rig, AnimationLoadError> {
    let inverse_binds = inverse_bind_matrices(document, &nodes.roots(), accessors, report)?;
    let order = joint_order(document, nodes, wanted);
    let mut builder = Builder {
        nodes,
        names,
        node_names,
        is_animated: wanted.is_animated,
        skeleton: Skeleton::default(),
        joint_nodes: Vec::new(),
        node_joints: vec![None; document.nodes.len()],
        carriers: vec![None; document.nodes.len()],
        report,
    };
    for (node, is_joint) in order {
        let carrier = builder.carrier_of_parent(node);
        builder.carriers[node] = if is_joint { Some(builder.push_node(node, carrier)?) } else { carrier };
    }
    let skins = builder.bind_skins(document, inverse_binds)?;
    for &node in &nodes.order {
        if builder.carriers[node].is_none() {
            builder.carriers[node] = builder.carrier_of_parent(node);
        }
    }
    let Builder { skeleton, joint_nodes, node_joints, carriers, .. } = builder;
    Ok(Rig { skeleton, joint_nodes, node_joints, skins, carriers })
}

/// The relevant nodes and their ancestors, parents before children, each with whether it becomes a joint. If the joints
/// of a skin are in such an order already, it is kept.
fn joint_order(document: &Document, nodes: &Nodes, wanted: &Wanted) -> Vec<(usize, bool)> {
    let count = document.nodes.len();
    let mut is_skin_joint = vec![false; count];
    let mut starts: Vec<usize> = Vec::new();
    for joint in document.skins.iter().flat_map(|skin| &skin.joints) {
        is_skin_joint[joint.index()] = true;
        starts.push(joint.index());
    }
    starts.extend(wanted.nodes);
    let mut is_named = vec![false; count];
    for &node in wanted.named {
        is_named[node] = true;
        starts.push(node);
    }
    if wanted.all_nodes {
        starts.extend(0..count);
    }
    let is_moved = |node: usize| wanted.is_animated[node] || !nodes.is_identity(node);
    let is_kept = |node: usize| wanted.all_nodes || is_skin_joint[node] || is_named[node] || is_moved(node);
    let mut is_visited = vec![false; count];
    let mut order = Vec::new();
    let mut ancestors = Vec::new();
    for start in starts {
        let mut next = Some(start);
        while let Some(node) = next.filter(|&node| !is_visited[node]) {
            is_visited[node] = true;
            ancestors.push(node);
            next = nodes.parents[node];
        }
        order.extend(ancestors.drain(..).rev().map(|node| (node, is_kept(node))));
    }
    order
}

struct Builder<'a> {
    nodes: &'a Nodes,
    names: Names,
    node_names: &'a [String],
    is_animated: &'a [bool],
    skeleton: Skeleton,
    joint_nodes: Vec<usize>,
    node_joints: Vec<Option<u16>>,
    carriers: Vec<Option<u16>>,
    report: &'a mut Report,
}

impl Builder<'_> {
    fn carrier_of_parent(&self, node: usize) -> Option<u16> {
        self.nodes.parents[node].and_then(|parent| self.carriers[parent])
    }

    /// Adds the joint of a node, and one more before it where the node's matrix shears.
    fn push_node(&mut self, node: usize, parent: Option<u16>) -> Result<u16, AnimationLoadError> {
        let transform = self.nodes.transforms[node];
        let name = self.node_names[node].clone();
        let joint = match transform.turn {
            Some(turn) if !self.is_animated[node] => {
                let outer = self.push(node, parent, transform.pose, format!("{name} (stretch)"))?;
                self.push(node, Some(outer), (IDENTITY.0, turn, IDENTITY.2), name)?
            }
            _ => self.push(node, parent, without_shear(transform), name)?,
        };
        self.node_joints[node] = Some(joint);
        Ok(joint)
    }

    fn push(
        &mut self,
        node: usize,
        parent: Option<u16>,
        pose: JointPose,
        name: String,
    ) -> Result<u16, AnimationLoadError> {
        let count = self.skeleton.joints.len();
        if count >= MOST_JOINTS {
            return Err(self.report.limit("joints", count as u64 + 1, MOST_JOINTS as u64));
        }
        let index = count as u16;
        self.skeleton.joints.push(Joint {
            index,
            parent,
            inverse_bind_matrix: Mat4::IDENTITY,
            name,
            bind_translation: pose.0,
            bind_rotation: pose.1,
            bind_scale: pose.2,
        });
        self.joint_nodes.push(node);
        Ok(index)
    }

    /// Gives each skin its joints. The first inverse bind matrix of a joint is the joint's own; another one gets a
    /// joint below it, at the same place.
    fn bind_skins(
        &mut self,
        document: &Document,
        inverse_binds: Vec<Vec<Mat4>>,
    ) -> Result<Vec<Skin>, AnimationLoadError> {
        let mut is_bound = vec![false; self.skeleton.joints.len()];
        let mut extra: HashMap<(u16, [u32; 16]), u16> = HashMap::new();
        let mut skins = Vec::with_capacity(document.skins.len());
        for (index, (skin, matrices)) in document.skins.iter().zip(inverse_binds).enumerate() {
            let mut joints = Vec::with_capacity(skin.joints.len());
            for (node, &matrix) in skin.joints.iter().zip(&matrices) {
                // Every joint of a skin has been pushed.
                let Some(joint) = self.node_joints[node.index()] else { continue };
                let own = &mut self.skeleton.joints[usize::from(joint)];
                let bits = matrix.to_cols_array().map(f32::to_bits);
                if !std::mem::replace(&mut is_bound[usize::from(joint)], true) {
                    own.inverse_bind_matrix = matrix;
                } else if own.inverse_bind_matrix.to_cols_array().map(f32::to_bits) != bits {
                    let joint = match extra.get(&(joint, bits)) {
                        Some(&joint) => joint,
                        None => {
                            let name = format!("{} (skin {index})", own.name);
                            let copy = self.push(node.index(), Some(joint), IDENTITY, name)?;
                            self.skeleton.joints[usize::from(copy)].inverse_bind_matrix = matrix;
                            extra.insert((joint, bits), copy);
                            copy
                        }
                    };
                    joints.push(joint);
                    continue;
                }
                joints.push(joint);
            }
            skins.push(Skin {
                name: self.names.of("skin", index, skin.name.as_deref().unwrap_or_default(), self.report),
                joints,
                nodes: skin.joints.iter().map(|joint| joint.index()).collect(),
                inverse_bind_matrices: matrices,
                skeleton_root: skin.skeleton.and_then(|root| self.node_joints[root.index()]),
            });
        }
        Ok(skins)
    }
}

const INVERSE_BINDS: Form =
    Form { role: "inverse bind matrices", shapes: &[Type::Mat4], components: &[ComponentType::F32], normalized: None };

fn inverse_bind_matrices(
    document: &Document,
    roots: &[usize],
    accessors: &Accessors,
    report: &mut Report,
) -> Result<Vec<Vec<Mat4>>, AnimationLoadError> {
    let mut all = Vec::with_capacity(document.skins.len());
    for (index, skin) in document.skins.iter().enumerate() {
        let object = named("skin", index, skin.name.as_deref());
        check_joints(skin, roots, &object, report)?;
        let count = skin.joints.len();
        let Some(accessor) = skin.inverse_bind_matrices else {
            if report.is_strict() {
                return Err(AnimationLoadError::MissingInverseBindMatrices);
            }
            accessors.budget().charge(64 * count as u64, report)?;
            all.push(vec![Mat4::IDENTITY; count]);
            continue;
        };
        if accessors.count(accessor.index()) < count {
            let found = accessors.count(accessor.index());
            return Err(report.malformed(object, format!("{found} inverse bind matrices for {count} joints")));
        }
        let numbers = accessors.floats(accessor.index(), INVERSE_BINDS, &object, report)?;
        let mut matrices = Vec::with_capacity(count);
        for (joint, numbers) in numbers.as_chunks::<16>().0.iter().take(count).enumerate() {
            matrices.push(checked_matrix(Mat4::from_cols_array(numbers), joint, &object, report)?);
        }
        all.push(matrices);
    }
    Ok(all)
}

fn check_joints(
    skin: &document::Skin,
    roots: &[usize],
    object: &str,
    report: &mut Report,
) -> Result<(), AnimationLoadError> {
    if skin.joints.is_empty() {
        return Err(report.malformed(object, "has no joints, expected at least one"));
    }
    let mut joints: Vec<usize> = skin.joints.iter().map(|joint| joint.index()).collect();
    joints.sort_unstable();
    if let Some(pair) = joints.windows(2).find(|pair| pair[0] == pair[1]) {
        report.repair(object, format!("lists node {} as two joints", pair[0]))?;
    }
    if let Some(pair) = joints.windows(2).find(|pair| roots[pair[0]] != roots[pair[1]]) {
        let message =
            format!("its joints have no common root: nodes {} and {} are in different trees", pair[0], pair[1]);
        report.repair(object, message)?;
    }
    Ok(())
}

fn checked_matrix(matrix: Mat4, joint: usize, object: &str, report: &mut Report) -> Result<Mat4, AnimationLoadError> {
    let mut wide = matrix.as_dmat4();
    let bottom = wide.row(3);
    if bottom != glam::DVec4::W {
        let message = format!("inverse bind matrix {joint}: the bottom row is {bottom}: taken as 0, 0, 0, 1");
        // Exporters that invert matrices in floats leave a little dust there.
        if bottom.abs_diff_eq(glam::DVec4::W, 1e-5) {
            report.note(object, message);
        } else {
            report.repair(object, message)?;
        }
        for column in 0..4 {
            wide.col_mut(column).w = if column == 3 { 1.0 } else { 0.0 };
        }
    }
    let determinant = wide.determinant();
    let size: f64 = (0..3).map(|column| wide.col(column).length()).product();
    // Relative to the columns, so that a rig in millimetres is as good as one in metres.
    if !(determinant.abs() > 1e-9 * size) {
        log::error!("{object}: inverse bind matrix {joint} is degenerate");
        return Err(AnimationLoadError::DegenerateMatrix(u16::try_from(joint).unwrap_or(u16::MAX), determinant as f32));
    }
    Ok(wide.as_mat4())
}
