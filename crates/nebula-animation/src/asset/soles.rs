//! Finds the soles of a character's shoes: the vertices that can become the lowest of a foot.

use glam::{Affine3A, Quat, Vec3A};

use super::Asset;
use super::mesh::{Mesh, Primitive};
use crate::rig::{Leg, Rig, SoleBlend, SolePoint};

/// How much of a vertex the foot and what is below it have to move to carry it.
const CARRIED: f32 = 0.5;

/// The poses of a foot in which its lowest vertices are looked for: how far it is pitched forwards, and how far its toes are bent up against it, in
/// radians. From the heel's landing over a rising heel with flat toes to the tip that leaves last.
const POSES: [[f32; 2]; 8] =
    [[0.0, 0.0], [-0.25, 0.0], [-0.8, 0.0], [0.25, 0.25], [0.5, 0.5], [0.8, 0.8], [0.8, 0.0], [1.3, 0.0]];
/// How far the foot leans to either side in each.
const SIDES: [f32; 3] = [0.0, -0.35, 0.35];

/// Points of the soles of all feet, in the space of the joints that carry them. Found in the rest pose; empty without meshes or feet.
pub(super) fn find(asset: &Asset, rig: &Rig) -> Vec<SolePoint> {
    let Some(feet) = rig.feet() else { return Vec::new() };
    let mut points = Vec::new();
    for (leg, joints) in feet.legs.iter().zip(feet.legs()) {
        let is_toe = |joint: u16| rig.is_below(joint, joints.foot);
        let is_own = |joint: u16| joint == joints.foot || is_toe(joint);
        let vertices: Vec<_> = carried(asset, rig, is_own).collect();
        outermost(rig, leg, &vertices, is_toe, &mut points);
    }
    points
}

/// A vertex of a sole.
#[derive(Debug, Clone, Copy)]
struct Carried {
    /// The joint that moves it most, and the one that does so next, with its share of both.
    joint: u16,
    next: Option<(u16, f32)>,
    /// In model space.
    place: Vec3A,
}

/// The vertices that joints of a kind carry.
fn carried<'a>(
    asset: &'a Asset,
    rig: &'a Rig,
    is_meant: impl Fn(u16) -> bool + Copy + 'a,
) -> impl Iterator<Item = Carried> + 'a {
    let primitives = asset.meshes.iter().flat_map(|mesh| mesh.primitives.iter().map(move |part| (mesh, part)));
    primitives.flat_map(move |(mesh, part)| {
        (0..part.positions.len()).filter_map(move |vertex| place(rig, mesh, part, vertex, is_meant))
    })
}

fn place(rig: &Rig, mesh: &Mesh, part: &Primitive, vertex: usize, is_meant: impl Fn(u16) -> bool) -> Option<Carried> {
    let position = Vec3A::from(*part.positions.get(vertex)?);
    if let Some(joint) = mesh.joint {
        let place = rig.model_from_joint(joint).transform_point3a(position);
        return is_meant(joint).then_some(Carried { joint, next: None, place });
    }
    let (joints, weights) = (part.joints.get(vertex)?, part.weights.get(vertex)?);
    let influences = || joints.iter().copied().zip(weights.iter().copied());
    let own = || influences().filter(|(joint, weight)| *weight > 0.0 && is_meant(*joint));
    let (joint, weight) = own().max_by(|a, b| a.1.total_cmp(&b.1))?;
    if !(own().map(|(_, weight)| weight).sum::<f32>() > CARRIED) {
        return None;
    }
    let in_model = influences().filter(|(_, weight)| *weight > 0.0).map(|(joint, weight)| {
        let from_bind = rig.joints.get(usize::from(joint)).map(|joint| Affine3A::from_mat4(joint.inverse_bind_matrix));
        (rig.model_from_joint(joint) * from_bind.unwrap_or_default()).transform_point3a(position) * weight
    });
    let others = own().filter(|(other, _)| *other != joint);
    let next = others.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(other, its)| (other, its / (weight + its)));
    Some(Carried { joint, next, place: in_model.sum() })
}

fn outermost(rig: &Rig, leg: &Leg, vertices: &[Carried], is_toe: impl Fn(u16) -> bool, points: &mut Vec<SolePoint>) {
    let side = rig.model_from_joint(leg.limb.joints[2]).transform_vector3a(leg.side).normalize_or(Vec3A::X);
    let ball = rig.model_from_joint(leg.ball_joint).transform_point3a(leg.ball);
    let first = points.len();
    for [pitch, bend] in POSES {
        // Pitched forwards is a turn about the side; the toes stay behind.
        let (foot, toes) =
            (Quat::from_axis_angle(side.into(), pitch), Quat::from_axis_angle(side.into(), pitch - bend));
        for aside in SIDES {
            let height = |vertex: &Carried| {
                let away = vertex.place - ball;
                let of_toes = f32::from(u8::from(is_toe(vertex.joint)));
                let share = vertex
                    .next
                    .map_or(of_toes, |(joint, share)| of_toes + share * (f32::from(u8::from(is_toe(joint))) - of_toes));
                (foot * away).lerp(toes * away, share).y - aside * away.dot(side)
            };
            let lowest = vertices.iter().min_by(|a, b| height(a).total_cmp(&height(b)));
            let Some(&Carried { joint, next, place }) = lowest else { return };
            let in_joint = |joint: u16| rig.model_from_joint(joint).inverse().transform_point3a(place).into();
            let blend = next.map(|(joint, share)| SoleBlend { joint, point: in_joint(joint), share });
            let sole = SolePoint { joint, point: in_joint(joint), blend };
            if sole.point.is_finite() && !points[first..].contains(&sole) {
                points.push(sole);
            }
        }
    }
}
