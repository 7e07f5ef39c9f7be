//! Where the soles of a character's shoes are: the vertices that may come to be the lowest of a foot.

use glam::{Affine3A, Vec3A};

use super::Asset;
use super::mesh::{Mesh, Primitive};
use crate::rig::{Leg, Rig, SolePoint};

/// How much of a vertex a joint has to move to carry it.
const CARRIED: f32 = 0.5;

/// In which directions the outermost vertices are looked for: forwards, as sines and cosines of how far the foot is pitched up or down,
/// each on both sides of the foot. Where the toes move, the foot reaches from heel to ball, and they from ball to tip.
const PITCHES: [[f32; 2]; 6] = [[-0.97, 0.26], [-0.71, 0.71], [-0.26, 0.97], [0.26, 0.97], [0.71, 0.71], [0.97, 0.26]];
const HEEL_TO_BALL: &[[f32; 2]] = PITCHES.split_at(4).0;
const BALL_TO_TIP: &[[f32; 2]] = PITCHES.split_at(2).1;
const SIDES: [f32; 2] = [-0.35, 0.35];

/// Points of the soles of all feet, in the space of the joints that carry them. Found in the rest pose; empty without meshes or feet.
pub(super) fn find(asset: &Asset, rig: &Rig) -> Vec<SolePoint> {
    let Some(feet) = rig.feet() else { return Vec::new() };
    let mut points = Vec::new();
    for (leg, joints) in feet.legs.iter().zip(feet.legs()) {
        let foot: Vec<_> = carried(asset, rig, |joint| joint == joints.foot).collect();
        let toes: Vec<_> = carried(asset, rig, |joint| rig.is_below(joint, joints.foot)).collect();
        let parts = if foot.is_empty() || toes.is_empty() { [&PITCHES[..]; 2] } else { [HEEL_TO_BALL, BALL_TO_TIP] };
        outermost(rig, leg, &foot, parts[0], &mut points);
        outermost(rig, leg, &toes, parts[1], &mut points);
    }
    points
}

/// The vertices that joints of a kind carry, each with its joint and its place in model space.
fn carried<'a>(
    asset: &'a Asset,
    rig: &'a Rig,
    is_meant: impl Fn(u16) -> bool + Copy + 'a,
) -> impl Iterator<Item = (u16, Vec3A)> + 'a {
    let primitives = asset.meshes.iter().flat_map(|mesh| mesh.primitives.iter().map(move |part| (mesh, part)));
    primitives.flat_map(move |(mesh, part)| {
        (0..part.positions.len()).filter_map(move |vertex| place(rig, mesh, part, vertex, is_meant))
    })
}

fn place(
    rig: &Rig,
    mesh: &Mesh,
    part: &Primitive,
    vertex: usize,
    is_meant: impl Fn(u16) -> bool,
) -> Option<(u16, Vec3A)> {
    let position = Vec3A::from(*part.positions.get(vertex)?);
    if let Some(joint) = mesh.joint {
        return is_meant(joint).then(|| (joint, rig.model_from_joint(joint).transform_point3a(position)));
    }
    let (joints, weights) = (part.joints.get(vertex)?, part.weights.get(vertex)?);
    let influences = || joints.iter().copied().zip(weights.iter().copied());
    let (joint, weight) = influences().max_by(|a, b| a.1.total_cmp(&b.1))?;
    if !(weight > CARRIED && is_meant(joint)) {
        return None;
    }
    let in_model = influences().filter(|(_, weight)| *weight > 0.0).map(|(joint, weight)| {
        let from_bind = rig.joints.get(usize::from(joint)).map(|joint| Affine3A::from_mat4(joint.inverse_bind_matrix));
        (rig.model_from_joint(joint) * from_bind.unwrap_or_default()).transform_point3a(position) * weight
    });
    Some((joint, in_model.sum()))
}

fn outermost(rig: &Rig, leg: &Leg, vertices: &[(u16, Vec3A)], pitches: &[[f32; 2]], points: &mut Vec<SolePoint>) {
    let side = rig.model_from_joint(leg.limb.joints[2]).transform_vector3a(leg.side);
    let forwards = Vec3A::new(-side.z, 0.0, side.x);
    let first = points.len();
    for [sin, cos] in pitches {
        for aside in SIDES {
            let direction = forwards * *sin - Vec3A::Y * *cos + side * aside;
            let farthest = vertices.iter().max_by(|a, b| a.1.dot(direction).total_cmp(&b.1.dot(direction)));
            let Some(&(joint, place)) = farthest else { return };
            let point = rig.model_from_joint(joint).inverse().transform_point3a(place).into();
            let sole = SolePoint { joint, point };
            if sole.point.is_finite() && !points[first..].contains(&sole) {
                points.push(sole);
            }
        }
    }
}
