use glam::{DVec3, dvec3};

use super::rig::{RobotRig, landmarks::*};
use crate::author::field::{Field, blend_cut, blend_union, ellipsoid, round_box, round_cone};
use crate::author::mesh::MeshData;
use crate::author::polygonise::{Grid, polygonise};

const SHELL: u32 = 0xE3A43B;
const DARK: u32 = 0x3A3F47;
const JOINT: u32 = 0x8A929C;
const SCREEN: u32 = 0x16202B;
const LIGHT: u32 = 0x7FE3E8;
const LAMP: u32 = 0xE0483E;

/// A closed part that one joint carries.
struct Part {
    joint: usize,
    colour: u32,
    low: DVec3,
    high: DVec3,
    cell: f64,
    field: Field,
}

/// The robot as one skinned mesh of rigid parts.
pub(super) fn body_mesh(robot: &RobotRig) -> MeshData {
    let mut mesh = MeshData::default();
    let mut parts = trunk(robot);
    for (side, sign) in [(0, 1.0), (1, -1.0)] {
        parts.extend(leg(robot, side, sign));
        parts.extend(arm(robot, side, sign));
    }
    for part in parts {
        let grid = Grid::even(part.low, part.high, DVec3::splat(part.cell));
        mesh.push_skinned(&polygonise(&grid, &part.field), part.colour, &|_| vec![(part.joint, 1.0)]);
    }
    mesh
}

fn trunk(robot: &RobotRig) -> Vec<Part> {
    let chest = |p: DVec3| {
        let barrel = round_box(p, dvec3(0.0, 0.79, 0.0), dvec3(0.22, 0.2, 0.16), 0.08);
        let hatch = round_box(p, dvec3(0.0, 0.82, 0.175), dvec3(0.12, 0.09, 0.04), 0.02);
        blend_cut(barrel, hatch, 0.01)
    };
    let skull = |p: DVec3| round_box(p, dvec3(0.0, 1.165, 0.0), dvec3(0.19, 0.13, 0.15), 0.07);
    let antenna = |p: DVec3| {
        round_cone(p, ANTENNA - dvec3(0.006, 0.03, -0.003), ANTENNA + dvec3(0.018, 0.09, -0.009), 0.009, 0.006)
    };
    let lamp = |p: DVec3| p.distance(ANTENNA + dvec3(0.021, 0.105, -0.0105)) - 0.021;
    let mut parts = vec![
        boxed(robot.pelvis, DARK, dvec3(0.0, 0.5, 0.0), dvec3(0.15, 0.07, 0.11), 0.05, 0.028),
        ball(robot.torso, JOINT, dvec3(0.0, 0.58, 0.0), dvec3(0.09, 0.06, 0.08), 0.022),
        solid(robot.torso, SHELL, dvec3(0.0, 0.79, 0.0), dvec3(0.22, 0.2, 0.16), 0.03, Box::new(chest)),
        boxed(robot.torso, DARK, dvec3(0.0, 0.82, 0.13), dvec3(0.105, 0.075, 0.02), 0.012, 0.021),
        ball(robot.torso, LIGHT, dvec3(0.055, 0.845, 0.15), dvec3(0.018, 0.018, 0.01), 0.01),
        ball(robot.torso, LAMP, dvec3(-0.055, 0.845, 0.15), dvec3(0.018, 0.018, 0.01), 0.01),
        ball(robot.head, JOINT, dvec3(0.0, 1.02, 0.0), dvec3(0.075, 0.06, 0.075), 0.022),
        solid(robot.head, SHELL, dvec3(0.0, 1.165, 0.0), dvec3(0.19, 0.13, 0.15), 0.028, Box::new(skull)),
        boxed(robot.head, SCREEN, dvec3(0.0, 1.165, 0.135), dvec3(0.15, 0.09, 0.028), 0.026, 0.02),
        solid(
            robot.antenna,
            DARK,
            ANTENNA + dvec3(0.006, 0.03, 0.0),
            dvec3(0.03, 0.08, 0.025),
            0.009,
            Box::new(antenna),
        ),
        solid(robot.antenna, LAMP, ANTENNA + dvec3(0.021, 0.105, -0.01), DVec3::splat(0.024), 0.011, Box::new(lamp)),
    ];
    for sign in [1.0, -1.0] {
        parts.push(ball(robot.head, LIGHT, dvec3(0.062 * sign, 1.18, 0.16), dvec3(0.026, 0.034, 0.012), 0.011));
        parts.push(ball(robot.head, JOINT, dvec3(0.195 * sign, 1.165, 0.0), dvec3(0.03, 0.05, 0.05), 0.018));
    }
    parts
}

fn leg(robot: &RobotRig, side: usize, sign: f64) -> Vec<Part> {
    let leg = &robot.legs[side];
    let at = |p: DVec3| dvec3(p.x * sign, p.y, p.z);
    vec![
        ball(leg.thigh, JOINT, at(THIGH), DVec3::splat(0.062), 0.028),
        tube(leg.thigh, DARK, [at(THIGH), at(SHIN)], [0.045, 0.042]),
        ball(leg.shin, JOINT, at(SHIN), DVec3::splat(0.052), 0.025),
        tube(leg.shin, SHELL, [at(SHIN) - dvec3(0.0, 0.055, 0.0), at(FOOT) + dvec3(0.0, 0.03, 0.0)], [0.05, 0.062]),
        boxed(leg.foot, DARK, at(FOOT) + dvec3(0.0, -0.045, 0.04), dvec3(0.085, 0.045, 0.13), 0.035, 0.028),
    ]
}

fn arm(robot: &RobotRig, side: usize, sign: f64) -> Vec<Part> {
    let arm = &robot.arms[side];
    let at = |p: DVec3| dvec3(p.x * sign, p.y, p.z);
    let down = (at(GRIPPER) - at(LOWER_ARM)).normalize_or_zero();
    let mut parts = vec![
        ball(arm.upper, SHELL, at(UPPER_ARM), DVec3::splat(0.078), 0.03),
        tube(arm.upper, DARK, [at(UPPER_ARM), at(LOWER_ARM)], [0.042, 0.038]),
        ball(arm.lower, JOINT, at(LOWER_ARM), DVec3::splat(0.052), 0.025),
        tube(arm.lower, SHELL, [at(LOWER_ARM) + down * 0.05, at(GRIPPER) - down * 0.04], [0.048, 0.064]),
        ball(arm.gripper, DARK, at(GRIPPER), DVec3::splat(0.056), 0.026),
    ];
    for (jaw, place) in arm.jaws.iter().zip(JAWS) {
        let from = at(place);
        let bow = dvec3(0.0, 0.0, place.z.signum() * 0.02);
        parts.push(bent_tube(
            *jaw,
            JOINT,
            [from - down * 0.025, from + down * 0.045 + bow, from + down * 0.1 - bow * 0.6],
        ));
    }
    parts
}

fn solid(joint: usize, colour: u32, centre: DVec3, half: DVec3, cell: f64, field: Field) -> Part {
    let margin = DVec3::splat(cell * 1.01);
    Part { joint, colour, low: centre - half - margin, high: centre + half + margin, cell, field }
}

fn boxed(joint: usize, colour: u32, centre: DVec3, half: DVec3, rounding: f64, cell: f64) -> Part {
    solid(joint, colour, centre, half, cell, Box::new(move |p| round_box(p, centre, half, rounding)))
}

fn ball(joint: usize, colour: u32, centre: DVec3, radii: DVec3, cell: f64) -> Part {
    solid(joint, colour, centre, radii, cell, Box::new(move |p| ellipsoid(p, centre, radii)))
}

fn tube(joint: usize, colour: u32, [from, to]: [DVec3; 2], [radius_from, radius_to]: [f64; 2]) -> Part {
    let reach = DVec3::splat(radius_from.max(radius_to));
    let half = (to - from).abs() * 0.5 + reach;
    let field = move |p: DVec3| round_cone(p, from, to, radius_from, radius_to);
    solid(joint, colour, from.midpoint(to), half, 0.025, Box::new(field))
}

fn bent_tube(joint: usize, colour: u32, [from, middle, to]: [DVec3; 3]) -> Part {
    let (low, high) = (from.min(middle).min(to), from.max(middle).max(to));
    let field = move |p: DVec3| {
        blend_union(round_cone(p, from, middle, 0.019, 0.017), round_cone(p, middle, to, 0.017, 0.012), 0.01)
    };
    solid(joint, colour, low.midpoint(high), (high - low) * 0.5 + DVec3::splat(0.022), 0.0145, Box::new(field))
}
