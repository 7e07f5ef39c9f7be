//! Avatar settings of VRM files, beyond the humanoid map ([`humanoid`](super::humanoid)): `VRMC_vrm`, `VRMC_springBone`
//! and `VRMC_node_constraint` (VRM 1.0), `VRMC_vrm_animation`, `VRM` (0.x). An error in them drops the entry with a
//! warning; in strict loading, it refuses the file.

mod constraint;
mod one;
mod spring;
mod zero;

use std::collections::HashMap;

use glam::{Mat4, Vec3};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::document::{Document, Lenient};
use super::error::{AnimationLoadError, escaped};
use super::humanoid::Bone;
use super::names::Names;
use super::nodes::Nodes;
use super::report::Report;
use super::transform::without_shear;
use crate::clip::MorphLayout;
use crate::rig::avatar::{Avatar, SpringJointChain};
use crate::skeleton::{HumanoidJoint, HumanoidMap};

/// What entries refer to.
pub(super) struct Around<'a> {
    pub document: &'a Document<'a>,
    pub nodes: &'a Nodes,
    pub node_joints: &'a [Option<u16>],
    pub morphs: &'a MorphLayout,
    pub humanoid: Option<&'a HumanoidMap>,
    pub names: Names,
}

/// Upper bound of lists: no avatar has as many of anything.
const MOST: usize = 1 << 14;

/// The avatar of a file; `None` if it is not VRM.
pub(super) fn load(around: &Around, report: &mut Report) -> Result<Option<Avatar>, AnimationLoadError> {
    let extensions = &around.document.extensions;
    let mut avatar = Avatar::default();
    match (extensions.vrmc_vrm, extensions.vrm) {
        (Some(one), _) => {
            avatar.version = 1;
            if let Some(read) = parsed::<one::Vrm>("VRMC_vrm", one, report)? {
                avatar.meta = meta(read.meta);
                one::read(&read, around, &mut avatar, report)?;
            }
        }
        (None, Some(zero)) => {
            if let Some(read) = parsed::<zero::Vrm>("VRM", zero, report)? {
                avatar.meta = meta(read.meta);
                zero::read(&read, around, &mut avatar, report)?;
            }
        }
        (None, None) if extensions.vrmc_vrm_animation.is_some() => avatar.version = 1,
        (None, None) if extensions.vrmc_spring_bone.is_none() && !has_constraints(around.document) => return Ok(None),
        (None, None) => avatar.version = 1,
    }
    if let Some(springs) = extensions.vrmc_spring_bone
        && let Some(read) = parsed("VRMC_springBone", springs, report)?
    {
        avatar.springs = spring::read(&read, around, report)?;
    }
    hang_in_order(&mut avatar.springs, around);
    avatar.constraints = constraint::read(around, report)?;
    if let Some(animation) = extensions.vrmc_vrm_animation
        && let Some(read) = parsed("VRMC_vrm_animation", animation, report)?
    {
        one::read_animation(&read, around, &mut avatar, report)?;
    }
    Ok(Some(avatar))
}

/// What is said of authors and licences, letter by letter.
fn meta(raw: Option<&RawValue>) -> String {
    raw.map_or(String::new(), |raw| raw.get().to_owned())
}

/// Springs that hang from others come after them: they must see how those swing.
fn hang_in_order(springs: &mut [SpringJointChain], around: &Around) {
    if springs.len() < 2 {
        return;
    }
    let mut depths = vec![0_u32; around.nodes.parents.len()];
    let mut of_joint: HashMap<u16, u32> = HashMap::new();
    for &node in &around.nodes.order {
        depths[node] = around.nodes.parents[node].map_or(0, |parent| depths[parent] + 1);
        if let Some(joint) = around.node_joints[node] {
            of_joint.insert(joint, depths[node]);
        }
    }
    springs.sort_by_key(|chain| chain.bones.first().and_then(|bone| of_joint.get(&bone.joint)).copied());
}

fn has_constraints(document: &Document) -> bool {
    document.nodes.iter().any(|node| node.extensions.constraint.is_some())
}

/// Nodes that have to be joints, because something swings, follows or pushes there.
pub(super) fn nodes(document: &Document, bones: &[Bone]) -> Vec<usize> {
    let mut wanted: Vec<usize> = Vec::new();
    let extensions = &document.extensions;
    if let Some(springs) = extensions.vrmc_spring_bone
        && let Ok(read) = serde_json::from_str(springs.get())
    {
        spring::nodes(&read, &mut wanted);
    }
    if let Some(zero) = extensions.vrm
        && let Ok(read) = serde_json::from_str(zero.get())
    {
        zero::nodes(&read, document, &mut wanted);
    }
    constraint::nodes(document, &mut wanted);
    if extensions.vrmc_vrm.is_some() || extensions.vrm.is_some() {
        wanted.extend(bones.iter().map(|bone| bone.node));
    }
    wanted.retain(|node| *node < document.nodes.len());
    wanted.sort_unstable();
    wanted.dedup();
    wanted
}

/// The extension in types, or a warning.
fn parsed<'a, T: Deserialize<'a>>(
    object: &str,
    extension: &'a RawValue,
    report: &mut Report,
) -> Result<Option<T>, AnimationLoadError> {
    match serde_json::from_str(extension.get()) {
        Ok(read) => Ok(Some(read)),
        Err(error) => {
            report.repair(object, format!("{}: ignored", escaped(&error.to_string())))?;
            Ok(None)
        }
    }
}

impl Around<'_> {
    /// The joint of a node that an entry refers to; a warning if it does not exist.
    fn joint(&self, object: &str, node: Lenient, report: &mut Report) -> Result<Option<u16>, AnimationLoadError> {
        let Some(node) = node.index() else { return Ok(None) };
        let joint = self.node_joints.get(node).copied().flatten();
        if joint.is_none() {
            let count = self.node_joints.len();
            let why =
                if node < count { "is not a joint".into() } else { format!("does not exist, the file has {count}") };
            report.repair(object, format!("node {node} {why}: left out"))?;
        }
        Ok(joint)
    }

    fn humanoid_joint(&self, joint: HumanoidJoint) -> Option<u16> {
        self.humanoid.and_then(|map| map.get(joint))
    }

    /// The rest position of a node relative to an ancestor; `None` if it is not a descendant.
    fn below(&self, node: usize, above: usize) -> Option<Vec3> {
        let mut place = Mat4::IDENTITY;
        let mut at = node;
        let mut left = 256;
        while at != above {
            left = usize::checked_sub(left, 1)?;
            let (translation, rotation, scale) = without_shear(self.nodes.transforms[at]);
            place = Mat4::from_scale_rotation_translation(scale, rotation, translation) * place;
            at = self.nodes.parents[at]?;
        }
        Some(place.w_axis.truncate()).filter(|place| place.is_finite())
    }

    /// The slot of a morph target of a node's mesh.
    fn slot(&self, node: usize, target: usize) -> Option<usize> {
        let mesh = super::morphs::of_node(self.morphs, node)?;
        mesh.slots().nth(target)
    }
}

/// Whether something is a list with anything in it.
fn has_entries(list: Option<&RawValue>) -> bool {
    let inside = list.and_then(|list| list.get().strip_prefix('['));
    inside.is_some_and(|inside| !inside.trim_start().starts_with(']'))
}

/// A number that is one, or another.
fn number(value: Option<f64>, other: f32) -> f32 {
    value.map(|value| value as f32).filter(|value| value.is_finite()).unwrap_or(other)
}

/// A vector that is one, or another.
fn vector(value: Option<[f64; 3]>, other: Vec3) -> Vec3 {
    value.map(|value| Vec3::from_array(value.map(|part| part as f32))).filter(|it| it.is_finite()).unwrap_or(other)
}
