//! `VRM`, versions 0.x: different names for the same settings, in the axes of a left-handed engine.

mod eyes;

use std::collections::HashMap;

use glam::Vec3;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Around, MOST, has_entries, number};
use crate::asset::document::{Capped, Document, Lenient, Text};
use crate::asset::error::AnimationLoadError;
use crate::asset::report::Report;
use crate::rig::avatar::{Avatar, Expression, JointCollider, JointColliderShape, SpringJoint, SpringJointChain};

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Vrm<'a> {
    #[serde(borrow)]
    pub meta: Option<&'a RawValue>,
    #[serde(borrow)]
    blend_shape_master: Faces<'a>,
    #[serde(borrow)]
    first_person: eyes::Eyes<'a>,
    #[serde(borrow)]
    secondary_animation: Secondary<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Faces<'a> {
    #[serde(borrow)]
    blend_shape_groups: Capped<Face<'a>, MOST>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Face<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    preset_name: Option<Text<'a>>,
    binds: Option<Capped<Bind, MOST>>,
    #[serde(borrow)]
    material_values: Option<&'a RawValue>,
    is_binary: Option<bool>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Bind {
    mesh: Lenient,
    index: Lenient,
    weight: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Secondary<'a> {
    #[serde(borrow)]
    bone_groups: Option<Capped<Group<'a>, MOST>>,
    collider_groups: Option<Capped<Colliders, MOST>>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Group<'a> {
    #[serde(borrow)]
    comment: Option<Text<'a>>,
    // So it is spelled.
    stiffiness: Option<f64>,
    gravity_power: Option<f64>,
    gravity_dir: Option<Point>,
    drag_force: Option<f64>,
    // Unity writes -1 for none.
    center: Option<f64>,
    hit_radius: Option<f64>,
    bones: Option<Capped<Lenient, MOST>>,
    collider_groups: Option<Capped<Lenient, MOST>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Colliders {
    node: Lenient,
    colliders: Option<Capped<Ball, MOST>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Ball {
    offset: Option<Point>,
    radius: Option<f64>,
}

#[derive(Default, Clone, Copy, Deserialize)]
#[serde(default)]
struct Point {
    x: Option<f64>,
    y: Option<f64>,
    z: Option<f64>,
}

impl Point {
    fn read(self) -> Vec3 {
        Vec3::new(number(self.x, 0.0), number(self.y, 0.0), number(self.z, 0.0))
    }

    /// Of the other hand.
    fn mirrored(self) -> Vec3 {
        self.read() * Vec3::new(1.0, 1.0, -1.0)
    }
}

/// Presets by the names of VRM 1.0.
const PRESETS: [(&str, &str); 17] = [
    ("neutral", "neutral"),
    ("joy", "happy"),
    ("angry", "angry"),
    ("sorrow", "sad"),
    ("fun", "relaxed"),
    ("a", "aa"),
    ("i", "ih"),
    ("u", "ou"),
    ("e", "ee"),
    ("o", "oh"),
    ("blink", "blink"),
    ("blink_l", "blinkLeft"),
    ("blink_r", "blinkRight"),
    ("lookup", "lookUp"),
    ("lookdown", "lookDown"),
    ("lookleft", "lookLeft"),
    ("lookright", "lookRight"),
];

const TOO_MANY: &str = "more springs and colliders than any avatar has: the rest is left out";

/// The length of the bone of a joint without one below it.
const TIP: f32 = 0.07;

/// Nodes with colliders, and all from the roots of springs on.
pub(super) fn nodes(vrm: &Vrm, document: &Document, wanted: &mut Vec<usize>) {
    let secondary = &vrm.secondary_animation;
    let groups = secondary.collider_groups.iter().flatten();
    wanted.extend(groups.filter_map(|group| group.node.index()));
    let roots = secondary.bone_groups.iter().flatten().flat_map(|group| group.bones.iter().flatten());
    let mut open: Vec<usize> = roots.filter_map(|node| node.index()).collect();
    let mut left = MOST;
    while let Some(node) = open.pop() {
        let Some(entry) = document.nodes.get(node).filter(|_| left > 0) else { continue };
        left -= 1;
        wanted.push(node);
        open.extend(entry.children.iter().map(|child| child.index()));
    }
}

pub(super) fn read(
    vrm: &Vrm,
    around: &Around,
    avatar: &mut Avatar,
    report: &mut Report,
) -> Result<(), AnimationLoadError> {
    let shown = Shown::new(around);
    // A few numbers may name a mesh that many nodes show, many times.
    let mut left = 4 * MOST;
    'faces: for face in &vrm.blend_shape_master.blend_shape_groups {
        let preset = face.preset_name.as_deref().map(str::to_ascii_lowercase);
        let known = PRESETS.iter().find(|(old, _)| preset.as_deref() == Some(old));
        let mut morphs = Vec::new();
        for bind in face.binds.iter().flatten() {
            let before = morphs.len();
            // Strengths are per cent.
            let weight = number(bind.weight, 100.0) / 100.0;
            for slot in shown.slots(bind, around) {
                let Some(rest) = usize::checked_sub(left, 1) else {
                    report.repair("VRM", "expressions move more than any avatar has: the rest is left out")?;
                    break 'faces;
                };
                left = rest;
                morphs.extend(slot.map(|slot| (slot, weight)));
            }
            if morphs.len() == before {
                report.repair(
                    "VRM",
                    format!("expression {:?} names a morph target that does not exist: left out", &*face.name),
                )?;
            }
        }
        if has_entries(face.material_values) {
            report.note("VRM", format!("expression {:?} changes materials: not shown", &*face.name));
        }
        avatar.expressions.push(Expression {
            name: known.map_or_else(|| around.names.cut(&face.name).to_owned(), |(_, new)| (*new).to_owned()),
            is_preset: known.is_some(),
            is_binary: face.is_binary.unwrap_or(false),
            morphs,
            ..Expression::default()
        });
    }
    eyes::read(&vrm.first_person, &shown, around, avatar, report)?;
    read_springs(&vrm.secondary_animation, around, avatar, report)
}

/// The nodes that show each mesh.
struct Shown(HashMap<usize, Vec<usize>>);

impl Shown {
    fn new(around: &Around) -> Self {
        let mut shown: HashMap<usize, Vec<usize>> = HashMap::new();
        for (node, entry) in around.document.nodes.iter().enumerate() {
            if let Some(mesh) = entry.mesh {
                shown.entry(mesh.index()).or_default().push(node);
            }
        }
        Self(shown)
    }

    fn nodes(&self, mesh: Lenient) -> &[usize] {
        mesh.index().and_then(|mesh| self.0.get(&mesh)).map_or(&[], Vec::as_slice)
    }

    /// A bind names a mesh, which several nodes may show.
    fn slots(&self, bind: &Bind, around: &Around) -> impl Iterator<Item = Option<usize>> {
        let index = bind.index.index();
        self.nodes(bind.mesh).iter().map(move |node| around.slot(*node, index?))
    }
}

fn read_springs(
    secondary: &Secondary,
    around: &Around,
    avatar: &mut Avatar,
    report: &mut Report,
) -> Result<(), AnimationLoadError> {
    let object = "VRM.secondaryAnimation";
    let groups = secondary.collider_groups.as_deref().unwrap_or_default();
    // A few numbers may name many colliders many times.
    let (mut joints_left, mut colliders_left) = (MOST, 4 * MOST);
    'groups: for group in secondary.bone_groups.iter().flatten() {
        let mut colliders = Vec::new();
        for index in group.collider_groups.iter().flatten() {
            let Some(source) = index.index().and_then(|index| groups.get(index)) else {
                report.repair(object, "a spring names a collider group that does not exist: left out")?;
                continue;
            };
            let Some(joint) = around.joint(object, source.node, report)? else { continue };
            for ball in source.colliders.iter().flatten() {
                let Some(left) = usize::checked_sub(colliders_left, 1) else {
                    report.repair(object, TOO_MANY)?;
                    break 'groups;
                };
                colliders_left = left;
                let centre = ball.offset.unwrap_or_default().mirrored();
                let shape = JointColliderShape::Capsule {
                    ends: [centre; 2],
                    radius: number(ball.radius, 0.0),
                    is_inside: false,
                };
                colliders.push(JointCollider { joint, shape });
            }
        }
        let center = group.center.filter(|center| *center >= 0.0).map(|center| Lenient(Some(center)));
        let center = match center {
            Some(center) => around.joint(object, center, report)?,
            None => None,
        };
        let settings = SpringJoint {
            radius: number(group.hit_radius, 0.02),
            stiffness: number(group.stiffiness, 1.0),
            gravity_power: number(group.gravity_power, 0.0),
            gravity: group.gravity_dir.map_or(Vec3::NEG_Y, Point::mirrored),
            drag: number(group.drag_force, 0.4),
            ..SpringJoint::default()
        };
        for root in group.bones.iter().flatten() {
            if around.joint(object, *root, report)?.is_none() {
                continue;
            }
            let bones = all_below(root.index().unwrap_or(usize::MAX), around, settings, &mut joints_left);
            let left = usize::checked_sub(colliders_left, colliders.len().max(1));
            let Some(left) = left.filter(|_| joints_left > 0) else {
                report.repair(object, TOO_MANY)?;
                break 'groups;
            };
            colliders_left = left;
            if !bones.is_empty() {
                let name = group.comment.as_deref().unwrap_or_default();
                let name = around.names.cut(name).to_owned();
                avatar.springs.push(SpringJointChain { name, bones, colliders: colliders.clone(), center });
            }
        }
    }
    Ok(())
}

/// A joint and all its descendants swing, each with its bone to its first child, or a short one of its own.
fn all_below(root: usize, around: &Around, settings: SpringJoint, left: &mut usize) -> Vec<SpringJoint> {
    let mut bones = Vec::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if *left == 0 {
            break;
        }
        *left -= 1;
        let Some(entry) = around.document.nodes.get(node) else { continue };
        open.extend(entry.children.iter().rev().map(|child| child.index()));
        let Some(joint) = around.node_joints[node] else { continue };
        let tail = match entry.children.first() {
            Some(child) => around.below(child.index(), node),
            // As far on as from the joint above it.
            None => Some(around.nodes.transforms[node].pose.0.normalize_or_zero() * TIP)
                .map(|way| around.nodes.transforms[node].pose.1.conjugate() * way),
        };
        if let Some(tail) = tail.filter(|tail| tail.length_squared() > 0.0) {
            bones.push(SpringJoint { joint, tail, ..settings });
        }
    }
    bones
}
