//! The character at rest: facing, joints, height.

use glam::{Mat4, Vec3};
use nebula_animation::{Asset, HumanoidJoint, Rig};

use super::facts::{Facing, Humanoid, MappedJoint, Unit};
use super::soles::{Soles, carried, vertex};
use crate::tool::retarget::report::direction;

pub fn facing(rig: &Rig) -> Facing {
    let front = rig.front();
    Facing { direction: front.map(Into::into), axis: front.map(direction) }
}

pub fn humanoid(rig: &Rig) -> Humanoid {
    let map = rig.humanoid();
    let why_not = map.check(rig.skeleton()).err().map(|error| error.to_string());
    let joints = map.iter().map(|(what, index)| MappedJoint {
        what: what.to_string(),
        joint: name(rig, index).to_owned(),
        index,
        evidence: map.evidence(what).map(|evidence| evidence.to_string()).unwrap_or_default(),
    });
    Humanoid { is_human: why_not.is_none(), why_not, certainty: map.certainty(), joints: joints.collect() }
}

pub fn name(rig: &Rig, joint: u16) -> &str {
    rig.joints.get(usize::from(joint)).map_or("?", |joint| joint.name.as_str())
}

pub fn unit(asset: &Asset, rig: &Rig, soles: &Soles) -> Unit {
    let (height, measured) = height(asset, rig, soles);
    let is_human = rig.humanoid().check(rig.skeleton()).is_ok();
    let seems = match height {
        None => "unknown: there is nothing to measure",
        Some(_) if !is_human => "metres, as glTF specifies: there is no human to compare with",
        Some(height) => match height {
            0.4..=6.0 => "metres",
            40.0..=600.0 => "centimetres: scale it by 0.01",
            600.0..=6000.0 => "millimetres: scale it by 0.001",
            0.004..=0.06 => "hundreds of metres: it was scaled by 0.01 once too often",
            _ => "unknown: no human is that tall in any usual unit",
        },
    };
    let hips = rig.humanoid().get(HumanoidJoint::Hips).unwrap_or(0);
    let scale = |matrix: Mat4| matrix.x_axis.truncate().length().max(matrix.y_axis.truncate().length());
    let joint_scale = (rig.joint_count() > 0).then(|| scale(Mat4::from(rig.model_from_joint(hips))));
    Unit { height, measured, seems, joint_scale }
}

/// How tall it is at rest, and how that was measured.
fn height(asset: &Asset, rig: &Rig, soles: &Soles) -> (Option<f32>, &'static str) {
    let joints = rig.joint_count().try_into().unwrap_or(u16::MAX);
    let models: Vec<Mat4> = (0..joints).map(|joint| rig.model_from_joint(joint).into()).collect();
    let between = |low: Option<f32>, high: Option<f32>| Some(high? - low?).filter(|height| height.is_finite());
    let extremes =
        |heights: Vec<f32>| (heights.iter().copied().reduce(f32::min), heights.iter().copied().reduce(f32::max));
    if let Some(head) = rig.humanoid().get(HumanoidJoint::Head) {
        let of = |vertices: &[super::soles::Vertex]| vertices.iter().map(|vertex| vertex.place(&models).y).collect();
        let (low, _) = extremes(soles.feet.iter().flat_map(|foot| -> Vec<f32> { of(foot) }).collect());
        let (_, high) = extremes(of(&carried(asset, rig, head)));
        if let Some(height) = between(low, high) {
            return (Some(height), "from the soles to the top of the head, in the rest pose");
        }
    }
    let mut places = Vec::new();
    for mesh in &asset.meshes {
        for part in mesh.primitives.iter() {
            for index in 0..part.positions.len() {
                let is_still = mesh.joint.is_none() && part.joints.is_empty();
                let still = || part.positions.get(index).map_or(Vec3::ZERO, |place| Vec3::from(*place));
                places.push(if is_still { still().y } else { vertex(rig, mesh, part, index).place(&models).y });
            }
        }
    }
    let (low, high) = extremes(places);
    if let Some(height) = between(low, high) {
        return (Some(height), "of the meshes, in the rest pose");
    }
    let (low, high) = extremes(models.iter().map(|model| model.w_axis.y).collect());
    (between(low, high), "from the lowest joint to the highest one, in the rest pose")
}
