//! `VRMC_springBone` 1.0, with the colliders of `VRMC_springBone_extended_collider`.

use glam::Vec3;
use serde::Deserialize;

use super::{Around, MOST, number, vector};
use crate::asset::document::{Capped, Lenient, Text};
use crate::asset::error::AnimationLoadError;
use crate::asset::report::Report;
use crate::rig::avatar::{JointCollider, JointColliderShape, SpringJoint, SpringJointChain};

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Springs<'a> {
    colliders: Capped<Collider, MOST>,
    collider_groups: Capped<Group, MOST>,
    #[serde(borrow)]
    springs: Capped<Spring<'a>, MOST>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Collider {
    node: Lenient,
    shape: Shape,
    extensions: Extensions,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Extensions {
    #[serde(rename = "VRMC_springBone_extended_collider")]
    extended: Option<Extended>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Extended {
    shape: Shape,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Shape {
    sphere: Option<Round>,
    capsule: Option<Round>,
    plane: Option<Plane>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Round {
    offset: Option<[f64; 3]>,
    tail: Option<[f64; 3]>,
    radius: Option<f64>,
    inside: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Plane {
    offset: Option<[f64; 3]>,
    normal: Option<[f64; 3]>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Group {
    colliders: Capped<Lenient, MOST>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Spring<'a> {
    #[serde(borrow)]
    name: Option<Text<'a>>,
    joints: Capped<Joint, MOST>,
    collider_groups: Capped<Lenient, MOST>,
    center: Lenient,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Joint {
    node: Lenient,
    hit_radius: Option<f64>,
    stiffness: Option<f64>,
    gravity_power: Option<f64>,
    gravity_dir: Option<[f64; 3]>,
    drag_force: Option<f64>,
}

const OBJECT: &str = "VRMC_springBone";

pub(super) fn nodes(springs: &Springs, wanted: &mut Vec<usize>) {
    wanted.extend(springs.colliders.iter().filter_map(|collider| collider.node.index()));
    let joints = springs.springs.iter().flat_map(|spring| spring.joints.iter().map(|joint| joint.node));
    wanted.extend(joints.filter_map(|node| node.index()));
    wanted.extend(springs.springs.iter().filter_map(|spring| spring.center.index()));
}

pub(super) fn read(
    read: &Springs,
    around: &Around,
    report: &mut Report,
) -> Result<Vec<SpringJointChain>, AnimationLoadError> {
    let mut shapes: Vec<Option<JointCollider>> = Vec::with_capacity(read.colliders.len());
    for collider in &read.colliders {
        let joint = around.joint(OBJECT, collider.node, report)?;
        shapes.push(joint.zip(shape(collider)).map(|(joint, shape)| JointCollider { joint, shape }));
    }
    let (mut chains, mut left) = (Vec::new(), 4 * MOST);
    for spring in &read.springs {
        let mut colliders: Vec<JointCollider> = Vec::new();
        for group in &spring.collider_groups {
            let Some(group) = group.index().and_then(|index| read.collider_groups.get(index)) else {
                report.repair(OBJECT, "a spring names a collider group that does not exist: left out")?;
                continue;
            };
            for index in &group.colliders {
                match index.index().and_then(|index| shapes.get(index)) {
                    Some(collider) => colliders.extend(*collider),
                    None => report.repair(OBJECT, "a group names a collider that does not exist: left out")?,
                }
                // A few numbers may name many colliders many times.
                left = left.saturating_sub(1);
                if left == 0 {
                    report
                        .repair(OBJECT, "more colliders than any avatar has: the springs from here on are left out")?;
                    return Ok(chains);
                }
            }
        }
        let mut bones = Vec::new();
        for pair in spring.joints.windows(2) {
            let (Some(node), Some(next)) = (pair[0].node.index(), pair[1].node.index()) else { continue };
            let Some(joint) = around.joint(OBJECT, pair[0].node, report)? else { continue };
            let tail = if next < around.document.nodes.len() { around.below(next, node) } else { None };
            let Some(tail) = tail else {
                report.repair(OBJECT, format!("node {next} is not below node {node}: the spring ends there"))?;
                break;
            };
            // A bone without length has no direction to swing in.
            if tail.length_squared() > 0.0 {
                bones.push(bone(&pair[0], joint, tail));
            }
        }
        if !bones.is_empty() {
            chains.push(SpringJointChain {
                name: around.names.cut(spring.name.as_deref().unwrap_or_default()).to_owned(),
                bones,
                colliders,
                center: around.joint(OBJECT, spring.center, report)?,
            });
        }
    }
    Ok(chains)
}

fn bone(joint: &Joint, index: u16, tail: Vec3) -> SpringJoint {
    let default = SpringJoint::default();
    SpringJoint {
        joint: index,
        tail,
        radius: number(joint.hit_radius, default.radius),
        stiffness: number(joint.stiffness, default.stiffness),
        gravity_power: number(joint.gravity_power, default.gravity_power),
        gravity: vector(joint.gravity_dir, default.gravity),
        drag: number(joint.drag_force, default.drag),
    }
}

fn shape(collider: &Collider) -> Option<JointColliderShape> {
    // Readers of the extension leave the plain form alone.
    let shape = collider.extensions.extended.as_ref().map_or(&collider.shape, |extended| &extended.shape);
    if let Some(plane) = &shape.plane {
        let [point, normal] = [vector(plane.offset, Vec3::ZERO), vector(plane.normal, Vec3::Z)];
        return Some(JointColliderShape::Plane { point, normal });
    }
    let round = shape.capsule.as_ref().or(shape.sphere.as_ref())?;
    let start = vector(round.offset, Vec3::ZERO);
    let end = if shape.capsule.is_some() { vector(round.tail, Vec3::ZERO) } else { start };
    let radius = number(round.radius, 0.0);
    Some(JointColliderShape::Capsule { ends: [start, end], radius, is_inside: round.inside })
}
